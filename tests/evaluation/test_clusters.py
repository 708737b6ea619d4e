"""Cases under several profiles are one case, seeds are a level of their own: simulated with two models alike."""

from __future__ import annotations

from functools import cache

import numpy
import pytest
from test_reports import ALIGNMENT, evaluation, every

from legalworld.evaluation.between_runs import between_runs, pass_at
from legalworld.evaluation.metrics.intervals import interval, unbounded_interval
from legalworld.evaluation.metrics.statistics import SIGNIFICANT, by_cluster, difference, mean, origin, sign_flips
from legalworld.evaluation.metrics.values import MissingScore, Value, scored
from legalworld.evaluation.report import as_json, csv_rows, report
from legalworld.evaluation.report_text import terminal

REPETITIONS = 300
PROFILES, SEEDS = 3, 3
NOISE = 0.03  # 2.4 standard errors of .05 in so many repetitions


@cache
def alarms(clusters: int, clustered: bool) -> float:
    """How often two models are told apart that are alike: each has its own luck with a case, which profiles and seeds
    of the case share."""
    rng = numpy.random.default_rng(clusters)
    found = 0
    for _ in range(REPETITIONS):
        scores: list[dict[str, Value]] = []
        for _ in range(2):
            own = rng.normal(0.0, 0.15, clusters)[:, None] + rng.normal(0.0, 0.1, (clusters, PROFILES))
            values = 0.5 + own + rng.normal(0.0, 0.1, (clusters, PROFILES, SEEDS)).mean(axis=2)
            scores.append({f"c{n}@p{p}": float(values[n, p]) for n in range(clusters) for p in range(PROFILES)})
        p = difference(scores[0], scores[1], None, origin if clustered else str).p
        found += p is not None and p < SIGNIFICANT
    return found / REPETITIONS


@pytest.mark.parametrize("clusters", [12, 20])
def test_models_that_are_alike_are_told_apart_one_time_in_twenty(clusters: int) -> None:
    assert alarms(clusters, True) <= SIGNIFICANT + NOISE
    assert alarms(clusters, False) > 2 * SIGNIFICANT  # with each profile as a case of its own


@pytest.mark.parametrize("clusters", [8, 20])
def test_intervals_over_clusters_hold_the_mean(clusters: int) -> None:
    rng = numpy.random.default_rng(clusters)
    held = {True: 0, False: 0}
    for _ in range(REPETITIONS):
        own = rng.normal(0.5, 0.15, clusters)
        cases: dict[str, Value] = {
            f"c{n}@p{p}": float(own[n] + rng.normal(0, 0.05)) for n in range(clusters) for p in range(PROFILES)
        }
        for so, values in ((True, by_cluster(cases, origin)), (False, cases)):
            ends = interval(scored(values.values())[0])
            held[so] += ends.low is not None and ends.high is not None and ends.low <= 0.5 <= ends.high
    assert held[True] / REPETITIONS >= 0.93 - NOISE
    assert held[False] / REPETITIONS < 0.9


def test_three_cases_under_four_profiles_are_three() -> None:
    runs = [
        evaluation(model, f"{case}@{profile}", every(value + n + (model == "b")), run=f"{model}{case}{profile}")
        for model in ("a", "b")
        for case, value in (("x", 2.0), ("y", 4.0), ("z", 5.0))
        for n, profile in enumerate(("p", "q", "r", "s"))
    ]
    found = report(ALIGNMENT, runs)
    cell, gap = found.cells["a", "FIT"], found.contrasts["a", "b", "FIT"].difference
    assert cell.mean.n == gap.n == 3 and gap.p == 0.25
    assert cell.mean.value == pytest.approx((3.5 + 5.5 + 6.5) / 3)
    assert "12 cases are 3 under several profiles" in terminal(found, "en", 200)


def test_profiles_that_one_model_lacks_stay_out_of_the_pairs() -> None:
    first: dict[str, Value] = {"x@p": 1.0, "x@q": 9.0, "y@p": 2.0}
    found = difference(first, {"x@p": 0.5, "y@p": 1.0}, None, origin)
    assert (found.n, found.unpaired, found.value) == (2, 1, 0.75)


def test_seeds_are_a_level_of_their_own() -> None:
    """Means by seed over x and y, which all three have: 3, 5, 7; z was played once."""
    runs = [
        evaluation("m", case, every(value + 2 * seed), run=f"{case}{seed}", seed=seed)
        for seed in (0, 1, 2)
        for case, value in (("x", 2.0), ("y", 4.0))
    ]
    runs.append(evaluation("m", "z", every(9.0), run="z0", seed=0))
    found = between_runs(runs, "m", "FIT")
    assert found is not None
    assert (found.runs, found.cases, found.mean, found.sd, found.least, found.greatest) == (3, 2, 5, 2, 3, 7)
    together = report(ALIGNMENT, runs)
    assert together.cells["m", "FIT"].mean.n == 3
    assert "SD between runs 2.00" in terminal(together, "en", 200)
    assert [row["sd"] for row in as_json(together)["between_runs"] if row["formula"] == "FIT"] == [2.0]
    assert between_runs(runs[:2], "m", "FIT") is None


def test_pass_at_k_by_hand() -> None:
    """Of five runs two pass: 1 - 3/5; of two drawn, none passes in C(3,2)/C(5,2) = 3/10; of four one must."""
    runs = [True, False, True, False, False]
    assert pass_at(1, runs) == pytest.approx(0.4)
    assert pass_at(2, runs) == pytest.approx(0.7)
    assert pass_at(4, runs) == 1.0
    assert isinstance(pass_at(6, runs), MissingScore)


@pytest.mark.parametrize(
    ("values", "why"),
    [([0.1, 0.2, 0.9], "too_few"), ([0.0] * 9 + [0.2, 0.5, 0.9], "on_the_floor"), ([0.0, 0.3, 0.9] * 5, "resampled")],
)
def test_errors_without_an_end_have_an_interval_only_where_it_can_be_believed(values: list[float], why: str) -> None:
    found = unbounded_interval(values, 0.0)
    assert found.how == why and (found.low is None) == (why != "resampled")
    assert found.low is None or found.low >= 0.0
    assert mean(values, None, 0.0).interval == found
    assert sign_flips([0.0, 0.0]) == 1.0 and not list(csv_rows(report(ALIGNMENT, [])))
