"""Do the figures of few cases keep what they promise? Simulated: how often an interval holds the true mean, and how
often a difference is found where there is none. The tables of docs/metrics.md are these."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy
import pytest
from playing import ROOT

from legalworld.evaluation.metrics.intervals import interval
from legalworld.evaluation.metrics.reliability import reliability
from legalworld.evaluation.metrics.statistics import SIGNIFICANT, adjusted, sign_flips
from legalworld.evaluation.metrics.values import Value

SIZES = (5, 10, 20, 30)
REPETITIONS = 250
LEAST = 0.93  # of a nominal .95
NOISE = 0.035  # 2.5 standard errors of .93 in so many repetitions

Draw = Callable[[Any, int], Any]

# How scores of cases are spread: name -> (draw, true mean, bounds).
SPREADS: dict[str, tuple[Draw, float, tuple[float, float] | None]] = {
    "normal": (lambda rng, n: rng.normal(0.6, 0.1, n), 0.6, None),
    "uniform": (lambda rng, n: rng.uniform(0, 1, n), 0.5, (0.0, 1.0)),
    "skewed": (lambda rng, n: rng.beta(8, 1.5, n), 8 / 9.5, (0.0, 1.0)),
    "very skewed": (lambda rng, n: rng.beta(2, 0.5, n), 0.8, (0.0, 1.0)),
    "whole or less": (lambda rng, n: numpy.where(rng.random(n) < 0.8, 1.0, rng.uniform(0, 1, n)), 0.9, (0.0, 1.0)),
    "no, half, yes": (lambda rng, n: rng.choice([0.0, 0.5, 1.0], n, p=[0.1, 0.3, 0.6]), 0.75, (0.0, 1.0)),
    "right or wrong, .7": (lambda rng, n: (rng.random(n) < 0.7) * 1.0, 0.7, (0.0, 1.0)),
    "right or wrong, .9": (lambda rng, n: (rng.random(n) < 0.9) * 1.0, 0.9, (0.0, 1.0)),
    "errors without an end": (lambda rng, n: rng.exponential(0.5, n), 0.5, None),
}


@cache
def coverage(name: str, n: int) -> float:
    """How often the interval holds the true mean; one that is not given holds nothing."""
    draw, true, bounds = SPREADS[name]
    rng = numpy.random.default_rng(7)
    held = 0
    for _ in range(REPETITIONS):
        found = interval([float(one) for one in draw(rng, n)], bounds)
        held += found.low is not None and found.high is not None and found.low <= true <= found.high
    return held / REPETITIONS


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", SPREADS)
def test_an_interval_holds_the_mean_as_often_as_it_says(name: str, n: int) -> None:
    assert coverage(name, n) >= LEAST - NOISE


def test_on_the_whole_intervals_hold_at_least_93_of_100() -> None:
    assert min(numpy.mean([coverage(name, n) for name in SPREADS]) for n in SIZES) >= LEAST


@pytest.mark.parametrize("page", ["docs/metrics.md", "docs/en/metrics.md"])
def test_the_pages_tell_the_coverage(page: str) -> None:
    """The rows of the table, in the order of SPREADS: the last cells are those of SIZES."""
    text = (ROOT / page).read_text(encoding="utf-8")
    (heading,) = (line for line in text.splitlines() if line.startswith("| ") and "n = 5 " in line)
    lines = text[text.index(heading) :].split("\n\n")[0].splitlines()[2:]
    told = [[cell.strip() for cell in line.strip("| ").split("|")][-len(SIZES) :] for line in lines]
    assert told == [[f"{coverage(name, n):.2f}".removeprefix("0") for n in SIZES] for name in SPREADS]


@cache
def alarms(n: int) -> float:
    """Of tests of two models that are the same, the share that finds them different."""
    rng = numpy.random.default_rng(8)
    p_values = [sign_flips([float(one) for one in rng.normal(0, 1, n)]) for _ in range(REPETITIONS)]
    return sum(p < SIGNIFICANT for p in p_values) / REPETITIONS


@pytest.mark.parametrize("n", [5, 6, 10, 12, 25])
def test_false_alarms_are_as_rare_as_they_should_be(n: int) -> None:
    assert alarms(n) <= SIGNIFICANT + NOISE
    assert alarms(n) == 0 or n > 5  # five cases cannot show anything


def tables_with_a_false_alarm(*, together: bool) -> float:
    """Of reports of three models that are the same in eight figures of twelve cases, half of each common to all eight,
    the share in which some difference is called real."""
    rng = numpy.random.default_rng(9)
    found = 0
    for _ in range(REPETITIONS):
        scores = rng.normal(0, 1, (3, 8, 12)) + rng.normal(0, 1, (3, 1, 12))
        p_values: dict[tuple[int, int, int], float | None] = {
            (one, two, figure): sign_flips([float(gap) for gap in scores[one, figure] - scores[two, figure]])
            for one, two in ((0, 1), (0, 2), (1, 2))
            for figure in range(8)
        }
        if together:
            p_values = dict(adjusted(p_values))
        found += any(p is not None and p < SIGNIFICANT for p in p_values.values())
    return found / (REPETITIONS)


def test_a_table_of_models_that_are_the_same_finds_no_difference() -> None:
    assert tables_with_a_false_alarm(together=False) > 0.4  # what a reader would see without correction
    assert tables_with_a_false_alarm(together=True) <= SIGNIFICANT + 0.04


def test_the_interval_of_alpha_holds_alpha() -> None:
    """Two raters, each off by a standard deviation of a half: alpha is 1 / (1 + 0.25) = 0.8."""
    rng, held = numpy.random.default_rng(3), 0
    for _ in range(60):
        true = rng.normal(0, 1, (10, 6))
        ratings: dict[str, dict[str, Value]] = {
            rater: {f"{case}/{item}": float(value) for (case, item), value in numpy.ndenumerate(given)}
            for rater, given in (
                ("a", true + rng.normal(0, 0.5, true.shape)),
                ("b", true + rng.normal(0, 0.5, true.shape)),
            )
        }
        found = reliability(ratings, lambda thing: thing.partition("/")[0]).alpha_interval
        held += found.low is not None and found.high is not None and found.low <= 0.8 <= found.high
    assert held / 60 >= 0.85  # .93 in a long simulation, less four of 60 by chance
