"""The metrics of the papers: each expectation is worked out by hand, in its comment, from the paper's definition."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.evaluation.metrics.compliance import ChecklistScore, FormScore, form, procedure
from legalworld.evaluation.metrics.matching import (
    Overlap,
    both_or_neither,
    counted,
    exact_match,
    normalise,
    overlap,
    recall_at,
)
from legalworld.evaluation.metrics.numbers import (
    WORST_DEVIATION,
    log_deviation,
    relative_error,
    verdict_deviation,
    within,
)
from legalworld.evaluation.metrics.values import Average, MissingScore, Reason, Value, average

near = pytest.approx
LIFE = math.inf  # imprisonment for life, death: beyond all terms


def no(reason: Reason) -> MissingScore:
    return MissingScore(reason)


# ---- means and exclusions --------------------------------------------------------------------------------------------


def test_a_mean_leaves_out_what_has_no_score_and_counts_it() -> None:
    # (1 + 0.5) / 2 = 0.75; one zero reference and two infinities or NaN are left out, none becomes 0.
    found = average([1.0, no(Reason.ZERO_REFERENCE), 0.5, math.nan, math.inf])
    assert found == Average(0.75, 2, ((Reason.ZERO_REFERENCE, 1), (Reason.NOT_A_NUMBER, 2)))
    assert found.left_out == 3


def test_a_mean_of_nothing_is_no_zero() -> None:
    assert average([]) == Average(no(Reason.EMPTY), 0)
    assert average([no(Reason.UNREADABLE)]).value == no(Reason.EMPTY)


# ---- exact match -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "real", "score"),
    [
        ("张三", "张三", 1.0),
        ("  张 三。", "张三", 1.0),  # white space and marks at the ends say nothing
        ("１９９０年３月５日", "1990年3月5日", 1.0),  # full width
        ("张\u200b三", "张三", 1.0),  # an invisible character
        ("A公司（北京）", "a公司(北京)", 1.0),
        ("张三丰", "张三", 0.0),
        ("男、女", "男女", 0.0),  # a mark inside is kept
        ("", "张三", 0.0),  # not said: not right
        (None, "张三", 0.0),
        (frozenset({"盗窃罪", "抢劫罪"}), frozenset({"抢劫罪 ", "盗窃罪"}), 1.0),  # CRI over several charges
        (frozenset({"盗窃罪"}), frozenset({"抢劫罪", "盗窃罪"}), 0.0),
        (("刑法", 264), ("刑法。", 264), 1.0),
        (36, 36, 1.0),
    ],
)
def test_exact_match(mine: object, real: object, score: float) -> None:
    assert exact_match(mine, real) == score


@pytest.mark.parametrize("nothing", [None, "", " 　", (), frozenset()])
def test_exact_match_without_a_reference(nothing: object) -> None:
    assert exact_match("张三", nothing) == no(Reason.NO_REFERENCE)


def test_marks_alone_are_text() -> None:
    assert normalise("……") == normalise("......") and exact_match("……", "。") == 0.0


# ---- sets ------------------------------------------------------------------------------------------------------------


def test_precision_recall_and_f1() -> None:
    # Given {A, B, C}, expected {A, B, D, E}: 2 in common. P = 2/3, R = 2/4, F1 = 2 * (2/3) * (1/2) / (2/3 + 1/2) = 4/7.
    assert overlap("ABC", "ABDE") == Overlap(near(2 / 3), 0.5, near(4 / 7), 2, 3, 4)


def test_sets_forget_order_and_repetition() -> None:
    assert overlap(["第五百七十七条", "第五百七十七条 "], ["第五百七十七条"]).f1 == 1.0


def test_sets_with_nothing_in_common() -> None:
    # P = R = 0: the formula is 0 / 0, F1 is 0 by convention.
    assert overlap("AB", "CD") == Overlap(0.0, 0.0, 0.0, 0, 2, 2)


def test_sets_where_nothing_was_given() -> None:
    # P = 0 / 0 has no score; R = 0 / 2 and F1 are 0: an article that should have been cited was not.
    assert overlap([], "AB") == Overlap(no(Reason.MISSING), 0.0, 0.0, 0, 0, 2)


def test_sets_without_a_reference() -> None:
    none = no(Reason.NO_REFERENCE)
    assert overlap("AB", []) == Overlap(none, none, none, 0, 2, 0)
    assert overlap([], []) == Overlap(none, none, none, 0, 0, 0)


def test_points_counted_by_a_judge() -> None:
    # ASP2LJ app. D: 3 of 4 points given are right, 6 were expected. P = 3/4, R = 3/6, F1 = 2 * 3 / (4 + 6) = 0.6.
    assert counted(3, 4, 6) == Overlap(0.75, 0.5, 0.6, 3, 4, 6)
    with pytest.raises(ValueError, match="5 right of 4 given"):
        counted(5, 4, 6)


def test_recall_at_k() -> None:
    # Relevant {b, d, x}: among the first 2 of a b c d only b, 1/3; among the first 4 b and d, 2/3; x is never found.
    assert recall_at("abcd", "bdx", 2) == near(1 / 3)
    assert recall_at("abcd", "bdx", 4) == near(2 / 3)
    assert recall_at("abcd", "bdx", 1000) == near(2 / 3)
    assert recall_at("bbcd", "bd", 2) == 0.5  # an item named twice takes two places
    assert recall_at("abcd", "", 2) == no(Reason.NO_REFERENCE)
    with pytest.raises(ValueError, match="k = 0"):
        recall_at("abcd", "b", 0)


# ---- yes and no ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "real", "score"),
    [
        (True, True, 1.0),
        (False, False, 1.0),
        (True, False, 0.0),
        (False, True, 0.0),
        (None, False, 0.0),  # no judgment is no agreement
        (True, None, no(Reason.NO_REFERENCE)),
    ],
)
def test_both_or_neither(mine: bool | None, real: bool | None, score: Value) -> None:
    assert both_or_neither(mine, real) == score


# ---- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "real", "score"),
    [
        (30, 36, 6 / 36),  # |30 - 36| / 36
        (54, 36, 0.5),
        (0, 36, 1.0),  # nothing imposed
        (36, 0, no(Reason.ZERO_REFERENCE)),
        (36, LIFE, no(Reason.NOT_A_NUMBER)),
        (LIFE, 36, no(Reason.NOT_A_NUMBER)),
        (None, 36, no(Reason.MISSING)),
        (36, None, no(Reason.NO_REFERENCE)),
    ],
)
def test_relative_error(mine: float | None, real: float | None, score: Value) -> None:
    assert relative_error(mine, real) == (near(score) if isinstance(score, float) else score)


def test_relative_error_over_cases_reports_how_many_it_leaves_out() -> None:
    # Of five cases two count: (|30 - 36| / 36 + |12 - 24| / 24) / 2 = (1/6 + 1/2) / 2 = 1/3.
    cases = [(30, 36), (12, 24), (6, 0), (180, LIFE), (None, 12)]
    found = average(relative_error(mine, real) for mine, real in cases)
    assert found.value == near(1 / 3) and found.n == 2
    assert found.excluded == (
        (Reason.MISSING, 1),
        (Reason.ZERO_REFERENCE, 1),
        (Reason.NOT_A_NUMBER, 1),
    )


def test_hit_rate() -> None:
    # Theft, "three to ten years": 36 <= P <= 120. 36 and 120 hit, 35 and 121 do not; no sentence does not; a range that
    # ends with death holds life. Of the six that count three hit: 0.5.
    ranges = [(36, 36, 120), (120, 36, 120), (35, 36, 120), (121, 36, 120), (None, 36, 120), (LIFE, 120, LIFE)]
    found = [within(*one) for one in ranges]
    assert found == [1.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    assert average([*found, within(36, None, 120)]) == Average(0.5, 6, ((Reason.NO_REFERENCE, 1),))


def test_logarithmic_deviation() -> None:
    # |ln(11 + 1) - ln(23 + 1)| = ln 2 = 0.6931; a fine of 0 against 0 deviates by 0.
    assert log_deviation(11, 23) == near(math.log(2))
    assert log_deviation(23, 11) == near(math.log(2))
    assert log_deviation(0, 0) == 0.0
    assert log_deviation(None, 11) == no(Reason.MISSING)
    assert log_deviation(11, None) == no(Reason.NO_REFERENCE)
    assert log_deviation(-1, 11) == log_deviation(11, LIFE) == no(Reason.NOT_A_NUMBER)


def test_deviation_of_a_verdict() -> None:
    # SEN: |ln 12 - ln 11| = 0.0870 -> 8.70. FINE: |ln 2001 - ln 4001| = 0.6929 -> 69.29.
    # VER: (8.70 + 69.29) / 2 = 39.00.
    term, fine = verdict_deviation(11, 10), verdict_deviation(2000, 4000)
    assert (term, fine) == (near(8.7011, abs=1e-3), near(69.2897, abs=1e-3))
    assert average([term, fine]).value == near(38.9954, abs=1e-3)


@pytest.mark.parametrize("mine", [None, 500, LIFE])
def test_the_worst_deviation_is_100(mine: float | None) -> None:
    # No verdict; |ln 501 - ln 11| = 3.8 > 1; life for ten months.
    assert verdict_deviation(mine, 10) == WORST_DEVIATION == 100.0


@pytest.mark.parametrize(("real", "reason"), [(None, Reason.NO_REFERENCE), (LIFE, Reason.NOT_A_NUMBER)])
def test_a_deviation_needs_a_reference(real: float | None, reason: Reason) -> None:
    assert verdict_deviation(10, real) == no(reason)
    assert isinstance(verdict_deviation(None, real), MissingScore)


def test_the_cap_is_a_parameter() -> None:
    # ln 2 = 0.6931 of a cap of 2 is 34.66.
    assert verdict_deviation(11, 23, cap=2.0) == near(34.657, abs=1e-3)


# ---- J1-Eval: form and procedure -------------------------------------------------------------------------------------

TEMPLATE = ("原告", "被告", "诉讼请求", "事实与理由", "证据和证据来源")


@pytest.mark.parametrize(
    ("found", "score"),
    [
        (TEMPLATE, FormScore(1.0, 1.0, 1.0)),
        (TEMPLATE[:4], FormScore(1.0, 0.8, 0.8)),  # one of five is missing, the rest in order: 1 * 4/5
        (("被告", "原告", *TEMPLATE[2:]), FormScore(0.0, 1.0, 0.0)),  # all there, out of order: 0 * 1
        (("原告", "第三人", *TEMPLATE[1:]), FormScore(1.0, 1.0, 1.0)),  # a label of its own counts for nothing
        ((*TEMPLATE, "原告"), FormScore(0.0, 1.0, 0.0)),  # a label twice is not the order
        ((), FormScore(1.0, 0.0, 0.0)),
        (("原告：", " 被告"), FormScore(1.0, 0.4, 0.4)),
    ],
)
def test_format_following(found: tuple[str, ...], score: FormScore) -> None:
    assert form(found, TEMPLATE) == score


def test_format_following_needs_a_template() -> None:
    assert form(TEMPLATE, ()) == no(Reason.NO_REFERENCE)
    with pytest.raises(ValueError, match="twice"):
        form((), ("原告", "原告"))


CHECKLIST = {"opening": (1, 2), "inquiry": (3, 4, 5), "debate": (6,)}


def test_a_procedure_followed_to_the_end() -> None:
    found = procedure(CHECKLIST, [(1,), (2,), (3,), (4,), (5,), (6,)])
    assert found == ChecklistScore(1.0, 1.0, 1.0, 1.0, (("opening", 2, 2), ("inquiry", 3, 3), ("debate", 1, 1)), ())


def test_a_procedure_followed_in_part() -> None:
    # Items 1, 2, 3, 6 of 6: ACT = 4/6. Complete are opening and debate, 2 of 3: STA = 2/3. PFS = (4/6 + 2/3) / 2 = 2/3.
    # The second turn did two items at once: merged, which is recorded and costs nothing. 9 belongs to no scored stage.
    found = procedure(CHECKLIST, [(1,), (2, 3), (), (3, 9), (6,)])
    assert isinstance(found, ChecklistScore)
    assert (found.stages, found.actions, found.several_turns) == (near(2 / 3), near(4 / 6), 1.0)
    assert found.score == near(2 / 3) and found.merged == (1,)
    assert found.done == (("opening", 2, 2), ("inquiry", 1, 3), ("debate", 1, 1))


def test_a_procedure_run_through_in_one_turn() -> None:
    # All stages in one turn is a failure: UNI 0, and STA and ACT with it, whatever came after.
    found = procedure(CHECKLIST, [(1, 2, 3, 6), (4,), (5,)])
    assert isinstance(found, ChecklistScore)
    assert (found.stages, found.actions, found.several_turns, found.score) == (0.0, 0.0, 0.0, 0.0)


def test_items_done_again_in_one_turn_are_no_failure() -> None:
    found = procedure(CHECKLIST, [(1, 2), (3, 4, 5), (1, 3, 6)])
    assert isinstance(found, ChecklistScore) and found.several_turns == 1.0 and found.score == 1.0


def test_a_procedure_of_which_nothing_was_done() -> None:
    # STA and ACT 0; UNI 1, as in J1 table 8 (Chatlaw2: STA and ACT none, UNI 5.38).
    found = procedure(CHECKLIST, [])
    assert isinstance(found, ChecklistScore) and (found.score, found.several_turns) == (0.0, 1.0)


def test_a_procedure_of_one_stage_cannot_be_run_through() -> None:
    found = procedure({"opening": (1, 2)}, [(1, 2)])
    assert isinstance(found, ChecklistScore) and (found.several_turns, found.score) == (1.0, 1.0)


def test_a_procedure_needs_a_checklist() -> None:
    assert procedure({}, [(1,)]) == procedure({"opening": ()}, [(1,)]) == no(Reason.NO_REFERENCE)
    with pytest.raises(ValueError, match="twice"):
        procedure({"opening": (1,), "inquiry": (1,)}, [])


# ---- ASP2LJ ----------------------------------------------------------------------------------------------------------


# ---- what holds for all values ---------------------------------------------------------------------------------------

names = st.lists(st.text("甲乙丙丁 。", min_size=1, max_size=3), max_size=6)
figures = st.floats(0, 1e9)


@given(names, names)
def test_f1_is_the_harmonic_mean_in_either_direction(one: list[str], two: list[str]) -> None:
    there, back = overlap(one, two), overlap(two, one)
    if isinstance(there.f1, float) and isinstance(back.f1, float):
        assert there.f1 == back.f1 and (there.precision, there.recall) == (back.recall, back.precision)
        assert isinstance(there.precision, float) and isinstance(there.recall, float)
        total = there.precision + there.recall
        assert there.f1 == near(2 * there.precision * there.recall / total if total else 0.0)


@given(st.text())
def test_a_text_matches_itself_however_it_is_spaced(text: str) -> None:
    score = 1.0 if normalise(text) else no(Reason.NO_REFERENCE)
    assert exact_match(f" {text}\u200b\t", text) == exact_match(text, f"\u3000{text}\n") == score


@given(figures, figures)
def test_errors_are_none_only_for_the_same(one: float, two: float) -> None:
    deviation = verdict_deviation(one, two)
    assert isinstance(deviation, float) and 0 <= deviation <= 100 and deviation == verdict_deviation(two, one)
    assert verdict_deviation(one, one) == 0.0
    if two:
        error = relative_error(one, two)
        assert isinstance(error, float) and (error == 0) == (one == two)


@given(st.lists(st.lists(st.integers(0, 8), max_size=4), max_size=8))
def test_a_procedure_never_scores_more_than_was_done(turns: list[list[int]]) -> None:
    found = procedure(CHECKLIST, turns)
    assert isinstance(found, ChecklistScore)
    assert found.stages <= found.several_turns and found.actions <= found.several_turns
    assert found.score == (found.stages + found.actions) / 2
    assert (found.stages == 1.0) == (found.actions == 1.0)


@given(st.lists(st.sampled_from([*TEMPLATE, "附"]), max_size=8))
def test_a_form_is_its_order_times_its_labels(found: list[str]) -> None:
    score = form(found, TEMPLATE)
    assert isinstance(score, FormScore) and score.order in (0.0, 1.0) and score.score == score.order * score.labels
    assert score.labels == len(set(found) & set(TEMPLATE)) / 5
