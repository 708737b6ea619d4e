"""Intervals, paired tests and agreement: worked examples, and what happens where a formula has no answer."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.evaluation.metrics.agreement import (
    Agreement,
    Preference,
    Shares,
    agreement,
    between,
    by_presence,
    kappa,
    majority,
    mean_kappa,
    shares,
)
from legalworld.evaluation.metrics.intervals import Interval, interval, proportion
from legalworld.evaluation.metrics.reliability import reliability
from legalworld.evaluation.metrics.statistics import adjusted, cases_needed, difference, mean, sign_flips
from legalworld.evaluation.metrics.values import MissingScore, Reason, Value

near = pytest.approx
WIN, TIE, LOSE = Preference.WIN, Preference.TIE, Preference.LOSE


def no(reason: Reason) -> MissingScore:
    return MissingScore(reason)


def scores(n: int, centre: float, seed: int) -> list[float]:
    draw = random.Random(seed)
    return [draw.gauss(centre, 0.1) for _ in range(n)]


# ---- means -----------------------------------------------------------------------------------------------------------


def test_a_mean_with_its_interval() -> None:
    # 100 draws around 0.6 with sigma 0.1: the interval is about mean +- 1.96 * 0.1 / sqrt(100) = +- 0.02.
    found = mean([*scores(100, 0.6, 1), MissingScore(Reason.UNREADABLE)])
    assert found.n == 100 and found.excluded == ((Reason.UNREADABLE, 1),) and found.left_out == 1
    assert isinstance(found.value, float)
    low, high = found.interval.low, found.interval.high
    assert low is not None and high is not None and low < found.value < high
    assert (found.value - low, high - found.value) == (near(0.0196, rel=0.25), near(0.0196, rel=0.25))


def test_the_same_scores_give_the_same_digits() -> None:
    values = scores(30, 0.5, 2)
    assert mean(values) == mean(values)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], Interval(None, None, "too_few")),
        ([0.7], Interval(None, None, "too_few")),  # one case says nothing of the spread
        ([0.2, 0.8], Interval(None, None, "too_few")),
        ([0.7, 0.7, 0.7], Interval(None, None, "no_variation")),
    ],
)
def test_intervals_that_nobody_can_draw(values: list[float], expected: Interval) -> None:
    assert mean(values).interval == mean(values, (0.0, 1.0)).interval == expected


def test_a_mean_of_nothing() -> None:
    assert mean([]).value == no(Reason.EMPTY)
    assert mean([0.7]).value == 0.7


def test_a_share_has_the_interval_of_clopper_and_pearson() -> None:
    # Of 10 none: 1 - 0.025 ** (1 / 10) = 0.3085. Of 5 all: 0.025 ** (1 / 5) = 0.4782.
    assert proportion(0, 10) == Interval(0.0, near(1 - 0.025 ** (1 / 10)), "exact")  # type: ignore[arg-type]
    assert mean([1.0] * 5, (0.0, 1.0)).interval == Interval(near(0.025**0.2), 1.0, "exact")  # type: ignore[arg-type]
    # Ten points or none: the same, times ten.
    assert mean([10.0, 10, 10, 10, 10], (0.0, 10.0)).interval == Interval(near(10 * 0.025**0.2), 10.0, "exact")  # type: ignore[arg-type]


def test_scores_beyond_their_bounds_have_an_interval_without_bounds() -> None:
    values = [0.5, 0.9, 1.4]
    assert interval(values, (0.0, 1.0)) == interval(values)


@settings(max_examples=25)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=12))
def test_an_interval_lies_within_the_bounds_and_holds_the_mean(values: list[float]) -> None:
    found = interval(values, (0.0, 1.0))
    if found.low is None or found.high is None:
        assert found.how == "no_variation" and max(values) - min(values) < 1e-6
        return
    middle = math.fsum(values) / len(values)
    assert 0.0 <= found.low <= middle + 1e-9 and middle - 1e-9 <= found.high <= 1.0


def test_many_scores_are_students() -> None:
    found = mean(scores(5000, 0.5, 4))
    assert found.interval.how == "t" and found.interval.low == near(0.5, abs=0.02)


# ---- two models ------------------------------------------------------------------------------------------------------


def named(values: list[float]) -> dict[str, Value]:
    return {f"case {place}": value for place, value in enumerate(values)}


def test_two_models_that_differ() -> None:
    # The second is 0.1 below the first on each of 40 cases, give or take 0.02: p is next to nothing.
    first = scores(40, 0.6, 5)
    draw = random.Random(6)
    second = [one - 0.1 + draw.gauss(0, 0.02) for one in first]
    found = difference(named(first), named(second))
    assert found.value == near(0.1, abs=0.01) and found.n == 40 and found.unpaired == 0
    assert found.p is not None and found.p < 0.01
    assert found.interval.low is not None and found.interval.low > 0


def test_two_models_that_differ_by_noise() -> None:
    # Now 0.05 better, now 0.05 worse, on 40 cases: the mean difference is 0.
    first = scores(40, 0.6, 7)
    found = difference(named(first), named([one + (-1) ** place * 0.05 for place, one in enumerate(first)]))
    assert found.value == near(0.0) and found.p is not None and found.p > 0.9
    assert found.interval.low is not None and found.interval.high is not None
    assert found.interval.low < 0 < found.interval.high


def test_pairing_sees_what_two_means_do_not() -> None:
    # Cases differ by 0.3, models by 0.02 on every one: the intervals of the means overlap, the pairs do not.
    draw = random.Random(9)
    first = [draw.gauss(0.5, 0.3) for _ in range(40)]
    second = [one - 0.02 + draw.gauss(0, 0.01) for one in first]
    means = mean(first).interval, mean(second).interval
    assert means[0].low is not None and means[1].high is not None and means[0].low < means[1].high
    found = difference(named(first), named(second))
    assert found.p is not None and found.p < 0.01


def test_cases_of_one_model_alone_are_counted() -> None:
    first: dict[str, Value] = {"a": 0.5, "b": 0.6, "c": no(Reason.UNREADABLE), "d": 0.4}
    second: dict[str, Value] = {"b": 0.5, "a": 0.5, "c": 0.9, "e": 0.1}
    # a: 0, b: 0.1; c has one score, d and e are of one model. Mean (0 + 0.1) / 2 = 0.05.
    found = difference(first, second)
    assert (found.value, found.n, found.unpaired) == (near(0.05), 2, 3)


def test_a_difference_has_a_sign() -> None:
    first, second = named(scores(20, 0.6, 10)), named(scores(20, 0.5, 11))
    there, back = difference(first, second), difference(second, first)
    assert isinstance(there.value, float) and back.value == near(-there.value)


@pytest.mark.parametrize(("values", "p"), [([], None), ([0.5], None), ([0.5, 0.6], 1.0)])
def test_differences_that_prove_nothing(values: list[float], p: float | None) -> None:
    found = difference(named(values), named(values))
    assert found.p == p and found.n == len(values)


@pytest.mark.parametrize("n", [2, 5])
def test_few_cases_that_agree_are_no_proof(n: int) -> None:
    # Always 0.1 better: the sign test gives 2 * 0.5 ** n, 0.5 for two cases and 0.0625 for five.
    found = difference(named([0.6] * n), named([0.5] * n))
    assert found.p == 2 * 0.5**n


def test_many_comparisons_are_adjusted() -> None:
    # Benjamini and Hochberg: 0.01 * 3 / 1, 0.02 * 3 / 2, 0.03 * 3 / 3, each at most the next: 0.03 all three.
    assert adjusted({"a": 0.01, "b": 0.03, "c": None, "d": 0.02}) == near({"a": 0.03, "b": 0.03, "d": 0.03})
    assert adjusted({}) == {}


@pytest.mark.parametrize("n", [3, 6, 10])
def test_signs_are_flipped_as_scipy_flips_them(n: int) -> None:
    from scipy import stats

    gaps = scores(n, 0.05, n)
    known = stats.permutation_test((gaps,), lambda each: sum(each), permutation_type="samples", n_resamples=math.inf)
    assert sign_flips(gaps) == near(known.pvalue)


def test_more_than_twenty_cases_are_drawn() -> None:
    # 25 cases, 0.05 better give or take 0.1; the t test of the same differences says nearly the same.
    from scipy import stats

    gaps = scores(25, 0.05, 3)
    assert sign_flips(gaps) == near(stats.ttest_1samp(gaps, 0).pvalue, abs=0.01)
    assert sign_flips(gaps) == sign_flips(gaps)


def test_equal_differences_are_equal_whatever_binary_makes_of_them() -> None:
    # 0.3 - 0.2 and 0.2 - 0.1 differ in the last digit. Of 2 ** 4 ways two are as far from 0 as all of one sign.
    assert sign_flips([0.3 - 0.2, 0.2 - 0.1, 0.8 - 0.7, 0.1]) == 2 / 16


@pytest.mark.parametrize(
    ("gap", "spread", "needed"),
    [(0.5, 1.0, 34), (1.0, 1.0, 10), (0.2, 1.0, 199), (10.0, 1.0, 6), (0.0, 1.0, None), (0.5, 0.0, None)],
)
def test_how_many_cases_a_difference_takes(gap: float, spread: float, needed: int | None) -> None:
    """Of a half, one and a fifth standard deviation 34, 10 and 199, as in tables of the paired t test (Cohen 1988); six
    are the fewest that can be significant at all."""
    assert cases_needed(gap, spread) == needed


def test_what_so_many_cases_can_find() -> None:
    draw = random.Random(4)
    first = {str(n): draw.gauss(0, 1) for n in range(34)}
    found = difference(dict(first), dict.fromkeys(first, 0.0))
    assert found.detectable is not None
    assert cases_needed(found.detectable, mean(first.values()).deviation or 0.0) == 34
    assert difference({"a": 0.1, "b": 0.3}, {"a": 0.0, "b": 0.0}).detectable is None  # two can find nothing


# ---- kappa -----------------------------------------------------------------------------------------------------------


def test_cohens_kappa() -> None:
    # 10 things: both yes 4, both no 3, yes-no 1, no-yes 2. po = 0.7; the first says yes 5 times, the second 6:
    # pe = 0.5 * 0.6 + 0.5 * 0.4 = 0.5; kappa = (0.7 - 0.5) / (1 - 0.5) = 0.4.
    first = ["y"] * 4 + ["n"] * 3 + ["y"] + ["n"] * 2
    second = ["y"] * 4 + ["n"] * 3 + ["n"] + ["y"] * 2
    assert kappa(first, second) == near(0.4)


def test_weighted_kappa() -> None:
    # Ratings 1..3, one pair two apart and one pair one apart: quadratic weights punish the first four times as much.
    far = kappa([1, 2, 3, 1], [1, 2, 3, 3], labels=[1, 2, 3], weights="quadratic")
    close = kappa([1, 2, 3, 1], [1, 2, 3, 2], labels=[1, 2, 3], weights="quadratic")
    # far: observed 4, expected by chance sum of squared distances / 4 = ((1-1)+(1-2)^2+...) = 26 / 4 -> 1 - 16/26.
    # First marginals 1: 2, 2: 1, 3: 1; second 1: 1, 2: 1, 3: 2; squared distances by chance
    # 2*(0*1 + 1*1 + 4*2) + 1*(1*1 + 0*1 + 1*2) + 1*(4*1 + 1*1 + 0*2) = 18 + 3 + 5 = 26, over 4 things 6.5; 1 - 4/6.5.
    assert far == near(1 - 4 / 6.5)
    # Second marginals 1: 1, 2: 2, 3: 1: 2*(0 + 2 + 4) + 1*(1 + 0 + 1) + 1*(4 + 2 + 0) = 20, over 4 is 5; 1 - 1/5.
    assert close == near(0.8)


def test_kappa_where_chance_explains_all() -> None:
    assert kappa(["y", "y"], ["y", "y"]) == no(Reason.NO_VARIATION)
    assert kappa([], []) == no(Reason.EMPTY)
    assert kappa(["y", "y"], ["n", "n"]) == near(0.0)
    with pytest.raises(ValueError, match="1 and 2 labels"):
        kappa(["y"], ["y", "n"])


# ---- ratings ---------------------------------------------------------------------------------------------------------


def test_agreement_of_people_and_model() -> None:
    # Human minus model: 1, 0, 2, 1. Mean 1; squares of deviations 0, 1, 1, 0: sigma = sqrt(2 / 3) = 0.8165; MAE 1;
    # three of four within one point. A fifth thing was rated by the model alone, a sixth by nobody readable.
    pairs: list[tuple[Value | None, Value | None]] = [(9, 8), (9, 9), (10, 8), (8, 7), (None, 7)]
    found = agreement([*pairs, (9.0, no(Reason.UNREADABLE))])
    assert (found.n, found.unpaired) == (4, 2)
    assert (found.difference, found.mae, found.within_one) == (1.0, 1.0, 0.75)
    assert found.sigma == near(math.sqrt(2 / 3))


def test_within_one_counts_exactly_one_point() -> None:
    # 8.3 - 7.3 is 1.0000000000000009 in binary; 8.4 - 7.3 is 1.1.
    assert agreement([(8.3, 7.3), (8.4, 7.3)]).within_one == 0.5


def test_agreement_on_steps_of_half_a_point() -> None:
    # In halves 8.5 and 8.0 are one step apart: ratings 16, 17, 18 against 16, 16, 18.
    found = agreement([(8.0, 8.0), (8.5, 8.0), (9.0, 9.0)], step=0.5)
    assert found.kappa == kappa([16, 17, 18], [16, 16, 18], labels=[16, 17, 18], weights="quadratic")
    assert isinstance(found.kappa, float)


@pytest.mark.parametrize("pairs", [[], [(None, 8.0)]])
def test_agreement_of_nothing(pairs: list[tuple[Value | None, Value | None]]) -> None:
    none = no(Reason.EMPTY)
    assert agreement(pairs) == Agreement(0, len(pairs), none, none, none, none, none)


def test_agreement_of_one_pair() -> None:
    found = agreement([(8.0, 7.0)])
    assert (found.difference, found.mae, found.sigma) == (1.0, 1.0, no(Reason.EMPTY))


def test_agreement_between_people() -> None:
    ratings: dict[str, dict[str, Value]] = {
        "a": {"x": 9.0, "y": 7.0},
        "b": {"y": 8.0, "z": 5.0},
        "c": {"x": 9.0, "y": 6.0, "z": 5.0},
    }
    found = between(ratings)
    assert {pair: (one.n, one.mae) for pair, one in found.items()} == {
        ("a", "b"): (1, 1.0),
        ("a", "c"): (2, 0.5),
        ("b", "c"): (2, 1.0),
    }


def test_krippendorffs_alpha() -> None:
    """The worked example of three coders with gaps: .811 for ratings as measurements."""
    rows = (
        "* * * * * 3 4 1 2 1 1 3 3 * 3",
        "1 * 2 1 3 3 4 3 * * * * * * *",
        "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
    )
    ratings = {
        str(place): {str(n): float(word) for n, word in enumerate(row.split()) if word != "*"}
        for place, row in enumerate(rows)
    }
    found = reliability(ratings)
    assert found.alpha == near(0.811, abs=5e-4) and (found.raters, found.n) == (3, 12)
    assert found.alpha_interval.low is not None and found.alpha_interval.low < 0.811


def test_the_intraclass_correlation() -> None:
    """Shrout and Fleiss 1979, six targets and four judges: ICC(2,1) = .29."""
    rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ratings = {str(judge): {str(n): float(row[judge]) for n, row in enumerate(rows)} for judge in range(4)}
    found = reliability(ratings)
    assert found.icc == near(0.29, abs=5e-3)
    one_case = reliability(ratings, lambda thing: "the same")  # no interval over a single case
    assert one_case.icc == found.icc and one_case.icc_interval == Interval(None, None, "too_few")


def test_reliability_where_nothing_differs_or_nothing_is_shared() -> None:
    same = reliability({"a": {"x": 7.0, "y": 7.0}, "b": {"x": 7.0, "y": 7.0}})
    assert same.alpha == no(Reason.NO_VARIATION)
    assert reliability({"a": {"x": 7.0}, "b": {"y": 7.0}}).alpha == no(Reason.EMPTY)


def test_ratings_of_one_case_are_not_counted_as_many() -> None:
    """Twenty items, five of each of four cases, people 1 higher in two of the cases: over items the interval of the
    difference is narrow, over cases it is not."""
    pairs: list[tuple[Value | None, Value | None]] = [(8.0 + place // 10, 8.0) for place in range(20)]
    items = agreement(pairs).intervals["difference"]
    cases = agreement(pairs, cases=[str(place // 5) for place in range(20)]).intervals["difference"]
    assert None not in (items.low, items.high, cases.low, cases.high)
    assert cases.high - cases.low > 2 * (items.high - items.low)  # type: ignore[operator]


# ---- preferences -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([WIN, WIN, LOSE], WIN),
        ([WIN, LOSE, LOSE], LOSE),
        ([WIN, TIE, TIE], WIN),  # ties are dropped: one of one prefers the first
        ([WIN, LOSE, TIE], TIE),  # one each: no majority
        ([TIE, TIE, TIE], TIE),
        ([], no(Reason.EMPTY)),
    ],
)
def test_majority_of_annotators(given: list[Preference], expected: Preference | MissingScore) -> None:
    assert majority(given) == expected


def test_shares_of_preferences() -> None:
    # 3 wins, 1 tie, 1 loss of 5; one aspect was annotated by nobody.
    assert shares([WIN, WIN, TIE, LOSE, WIN, no(Reason.EMPTY)]) == Shares(0.6, 0.2, 0.2, 5, 1)
    # Three of five: Clopper and Pearson give .147 to .947; of two aspects a case, three cases are what counts.
    win = shares([WIN, WIN, TIE, LOSE, WIN]).intervals["win"]
    assert (win.low, win.high) == (near(0.147, abs=5e-4), near(0.947, abs=5e-4))
    assert shares([WIN, WIN, TIE, LOSE, WIN, WIN], ["a", "a", "b", "b", "c", "c"]).intervals["win"] != win
    none = no(Reason.EMPTY)
    assert shares([]) == Shares(none, none, none, 0, 0)


def test_a_pair_that_was_shown_the_other_way_round() -> None:
    assert [one.turned() for one in (WIN, TIE, LOSE)] == [LOSE, TIE, WIN]


def test_content_in_one_record_alone() -> None:
    assert [by_presence(*there) for there in ((True, False), (False, True), (False, False), (True, True))] == [
        WIN,
        LOSE,
        TIE,
        None,
    ]


def test_kappa_over_at_least_comparable() -> None:
    # Win and tie are one label. a: c c c n, b: c c n n, over the four things both labelled: po 3/4,
    # pe = 3/4 * 2/4 + 1/4 * 2/4 = 1/2, kappa 1/2. With c the same as a: kappa 1; b and c: 1/2. Mean 2/3.
    a = {"1": WIN, "2": TIE, "3": WIN, "4": LOSE, "5": WIN}
    b = {"1": TIE, "2": TIE, "3": LOSE, "4": LOSE}
    c = {"1": TIE, "2": WIN, "3": TIE, "4": LOSE}
    assert mean_kappa({"a": a, "b": b, "c": c}).value == near(2 / 3)
    assert mean_kappa({"a": a}).value == no(Reason.EMPTY)
