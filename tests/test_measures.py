"""The metrics of the papers: each expectation is worked out by hand, in its comment, from the paper's definition."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.score.combining import (
    Rarity,
    alignment,
    argument,
    best_and_worst,
    change,
    course,
    goal,
    phases,
    questions,
    rarity,
    slots,
    windows,
)
from legalworld.score.following import Form, Procedure, form, procedure, share_done
from legalworld.score.matching import (
    Answer,
    Overlap,
    both_or_neither,
    contains_all,
    counted,
    exact_match,
    normalise,
    overlap,
    recall_at,
    yes_or_no,
)
from legalworld.score.numbers import (
    WORST_DEVIATION,
    capped,
    log_deviation,
    phi,
    rating,
    relative_error,
    verdict_deviation,
    within,
)
from legalworld.score.outcome import Average, Excluded, Outcome, Reason, average, averages, or_else

near = pytest.approx
LIFE = math.inf  # imprisonment for life, death: beyond all terms


def no(reason: Reason) -> Excluded:
    return Excluded(reason)


# ---- means and exclusions --------------------------------------------------------------------------------------------


def test_a_mean_leaves_out_what_has_no_score_and_counts_it() -> None:
    # (1 + 0.5) / 2 = 0.75; one zero reference and two infinities or NaN are left out, none becomes 0.
    found = average([1.0, no(Reason.ZERO_REFERENCE), 0.5, math.nan, math.inf])
    assert found == Average(0.75, 2, ((Reason.ZERO_REFERENCE, 1), (Reason.NOT_A_NUMBER, 2)))
    assert found.left_out == 3


def test_a_mean_of_nothing_is_no_zero() -> None:
    assert average([]) == Average(no(Reason.NOTHING_LEFT), 0)
    assert average([no(Reason.UNREADABLE)]).value == no(Reason.NOTHING_LEFT)


def test_what_a_rubric_says_a_missing_score_is_worth() -> None:
    assert or_else(no(Reason.NO_PREDICTION), 100.0) == 100.0
    assert or_else(0.25, 100.0) == 0.25


def test_means_by_group() -> None:
    assert {band: one.value for band, one in averages({"low": [0.0, 1.0], "high": [1.0]}).items()} == {
        "low": 0.5,
        "high": 1.0,
    }


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
    assert overlap([], "AB") == Overlap(no(Reason.NO_PREDICTION), 0.0, 0.0, 0, 0, 2)


def test_sets_without_a_reference() -> None:
    none = no(Reason.NO_REFERENCE)
    assert overlap("AB", []) == Overlap(none, none, none, 0, 2, 0)
    assert overlap([], []) == Overlap(none, none, none, 0, 0, 0)


def test_points_counted_by_a_judge() -> None:
    # ASP2LJ app. D: 3 of 4 points given are right, 6 were expected. P = 3/4, R = 3/6, F1 = 2 * 3 / (4 + 6) = 0.6.
    assert counted(3, 4, 6) == Overlap(0.75, 0.5, 0.6, 3, 4, 6)
    with pytest.raises(ValueError, match="5 right of 4 given"):
        counted(5, 4, 6)


def test_all_provisions_of_a_topic_are_cited() -> None:
    # J1 app. D.1: 10 if the provisions are cited, else 0. One of two is not all.
    assert contains_all(["第1条", "第2条", "第9条"], ["第1条", "第2条"]) == 1.0
    assert contains_all(["第1条"], ["第1条", "第2条"]) == 0.0
    assert contains_all(["第1条"], []) == no(Reason.NO_REFERENCE)


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
        (Answer.YES, Answer.YES, 1.0),
        (Answer.NO, Answer.NO, 1.0),
        (Answer.NO, Answer.YES, 0.0),
        (Answer.CONDITIONAL, Answer.YES, 0.5),
        (Answer.CONDITIONAL, Answer.NO, 0.5),
        (None, Answer.YES, 0.0),  # the topic was never answered
        (Answer.YES, None, no(Reason.NO_REFERENCE)),
        (Answer.YES, Answer.CONDITIONAL, no(Reason.NOT_APPLICABLE)),
    ],
)
def test_binary_accuracy(mine: Answer | None, real: Answer | None, score: Outcome) -> None:
    assert yes_or_no(mine, real) == score


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
def test_both_or_neither(mine: bool | None, real: bool | None, score: Outcome) -> None:
    assert both_or_neither(mine, real) == score


# ---- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "score"),
    [(0, 0.0), (7, 0.7), (8.5, 0.85), (10, 1.0), (11, no(Reason.OUT_OF_RANGE)), (-1, no(Reason.OUT_OF_RANGE))],
)
def test_a_rating_of_0_to_10(value: float, score: Outcome) -> None:
    assert rating(value) == score


def test_ratings_of_other_scales() -> None:
    # MILE rates 1 to 10: 0 is no rating. An argument's part is 0 to 5: 4 of 5 is 0.8.
    assert rating(0, least=1) == no(Reason.OUT_OF_RANGE)
    assert rating(1, least=1) == 0.1
    assert rating(4, most=5) == 0.8
    assert rating(None) == no(Reason.UNREADABLE)
    assert rating(math.nan) == no(Reason.OUT_OF_RANGE)


@pytest.mark.parametrize(("share", "score"), [(0.25, 0.5), (0.81, 0.9), (1.0, 1.0), (1.7, 1.0), (-0.3, 0.0), (0, 0.0)])
def test_phi(share: float, score: float) -> None:
    # sqrt(min(1, max(0, x))): sqrt(0.25) = 0.5; 1.7 is clamped to 1, -0.3 to 0.
    assert phi(share) == near(score)


def test_phi_of_no_number() -> None:
    assert phi(math.nan) == no(Reason.NOT_A_NUMBER)


@pytest.mark.parametrize(
    ("mine", "real", "score"),
    [
        (30, 36, 6 / 36),  # |30 - 36| / 36
        (54, 36, 0.5),
        (0, 36, 1.0),  # nothing imposed
        (36, 0, no(Reason.ZERO_REFERENCE)),
        (36, LIFE, no(Reason.NOT_A_NUMBER)),
        (LIFE, 36, no(Reason.NOT_A_NUMBER)),
        (None, 36, no(Reason.NO_PREDICTION)),
        (36, None, no(Reason.NO_REFERENCE)),
    ],
)
def test_relative_error(mine: float | None, real: float | None, score: Outcome) -> None:
    assert relative_error(mine, real) == (near(score) if isinstance(score, float) else score)


def test_relative_error_over_cases_reports_how_many_it_leaves_out() -> None:
    # Of five cases two count: (|30 - 36| / 36 + |12 - 24| / 24) / 2 = (1/6 + 1/2) / 2 = 1/3.
    cases = [(30, 36), (12, 24), (6, 0), (180, LIFE), (None, 12)]
    found = average(relative_error(mine, real) for mine, real in cases)
    assert found.value == near(1 / 3) and found.n == 2
    assert found.excluded == ((Reason.NO_PREDICTION, 1), (Reason.ZERO_REFERENCE, 1), (Reason.NOT_A_NUMBER, 1))


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
    assert log_deviation(None, 11) == no(Reason.NO_PREDICTION)
    assert log_deviation(11, None) == no(Reason.NO_REFERENCE)
    assert log_deviation(-1, 11) == log_deviation(11, LIFE) == no(Reason.NOT_A_NUMBER)


def test_deviation_of_a_verdict() -> None:
    # SEN: |ln 12 - ln 11| = 0.0870 -> 8.70. FINE: |ln 2001 - ln 4001| = 0.6929 -> 69.29. VER: (8.70 + 69.29) / 2 = 39.00.
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
    assert isinstance(verdict_deviation(None, real), Excluded)


def test_the_cap_is_a_parameter() -> None:
    # ln 2 = 0.6931 of a cap of 2 is 34.66.
    assert verdict_deviation(11, 23, cap=2.0) == near(34.657, abs=1e-3)


def test_caps_on_a_rating() -> None:
    # Below 4 is at most 3 in whole points, at most 3.5 in halves; the lower of two caps holds; a cap never raises.
    assert capped(8, [4]) == 3
    assert capped(8, [4], step=0.5) == 3.5
    assert capped(8, [5, 4]) == 3
    assert capped(2, [5]) == 2
    assert capped(8, []) == 8


# ---- LongJud-Bench ---------------------------------------------------------------------------------------------------


def test_consultation_score() -> None:
    # Question 1: (8 + 6 + 10 + 4) / 40 = 0.7. Question 2: one dimension unreadable, (5 + 5 + 8) / 30 = 0.6.
    # Question 3: nothing readable, left out. S = (0.7 + 0.6) / 2 = 0.65.
    bad = rating(None)
    ratings = [[rating(8), rating(6), rating(10), rating(4)], [rating(5), rating(5), rating(8), bad], [bad, bad]]
    assert questions(ratings) == near(0.65)
    assert questions([]) == no(Reason.NOTHING_LEFT)


def test_drafting_score() -> None:
    # F = 3 exact slots, 2 right and 1 wrong; G = 2 ratings, 8 and 5. (1 + 1 + 0 + 0.8 + 0.5) / 5 = 0.66.
    # A fourth slot without a reference leaves the denominator.
    exact = [exact_match("张三", "张三"), exact_match("男", "男"), exact_match("汉族", "回族"), exact_match("无", None)]
    assert slots(exact, [rating(8), rating(5)]) == near(0.66)


def test_trial_score() -> None:
    # Phase 1: (6 + 9 + 3) / 30 = 0.6. Phase 2: no statement, 0. Phase 3: one dimension not served, (9 + 6) / 30 = 0.5;
    # phase 4: one unreadable, (8 + 6) / 20 = 0.7. S = (0.6 + 0 + 0.5 + 0.7) / 4 = 0.45.
    dimensions = ("consistency", "evidence", "reasoning")
    heard = [
        dict(zip(dimensions, (rating(6), rating(9), rating(3)), strict=True)),
        None,
        {"consistency": rating(9), "reasoning": rating(6)},
        {"consistency": rating(8), "evidence": rating(None), "reasoning": rating(6)},
    ]
    assert phases(heard, dimensions) == near(0.45)
    assert phases([None, None], dimensions) == 0.0
    assert phases([], dimensions) == no(Reason.NOTHING_LEFT)


def test_judgment_alignment() -> None:
    # F1 of articles 4/7, phi(0.81) = 0.9, structure 1; entities unavailable: 10 * (4/7 + 0.9 + 1) / 3 = 8.238.
    found = alignment(
        {"law": overlap("ABC", "ABDE").f1, "amount": phi(0.81), "form": 1.0, "entity": no(Reason.NO_REFERENCE)}
    )
    assert found.value == near(10 * (4 / 7 + 0.9 + 1) / 3) and found.n == 3 and found.left_out == 1
    assert alignment({"entity": no(Reason.NO_REFERENCE)}).value == no(Reason.NOTHING_LEFT)


def test_change_by_an_intervention() -> None:
    # LegalWorld table 18: 62.73 - 54.70 = 8.03.
    assert change(54.70, 62.73) == near(8.03)
    assert change(no(Reason.UNREADABLE), 62.73) == change(54.70, no(Reason.UNREADABLE)) == no(Reason.UNREADABLE)


# ---- J1-Eval: form and procedure -------------------------------------------------------------------------------------

TEMPLATE = ("原告", "被告", "诉讼请求", "事实与理由", "证据和证据来源")


@pytest.mark.parametrize(
    ("found", "score"),
    [
        (TEMPLATE, Form(1.0, 1.0, 1.0)),
        (TEMPLATE[:4], Form(1.0, 0.8, 0.8)),  # one of five is missing, the rest in order: 1 * 4/5
        (("被告", "原告", *TEMPLATE[2:]), Form(0.0, 1.0, 0.0)),  # all there, out of order: 0 * 1
        (("原告", "第三人", *TEMPLATE[1:]), Form(1.0, 1.0, 1.0)),  # a label of its own counts for nothing
        ((*TEMPLATE, "原告"), Form(0.0, 1.0, 0.0)),  # a label twice is not the order
        ((), Form(1.0, 0.0, 0.0)),
        (("原告：", " 被告"), Form(1.0, 0.4, 0.4)),
    ],
)
def test_format_following(found: tuple[str, ...], score: Form) -> None:
    assert form(found, TEMPLATE) == score


def test_format_following_needs_a_template() -> None:
    assert form(TEMPLATE, ()) == no(Reason.NO_REFERENCE)
    with pytest.raises(ValueError, match="twice"):
        form((), ("原告", "原告"))


CHECKLIST = {"opening": (1, 2), "inquiry": (3, 4, 5), "debate": (6,)}


def test_a_procedure_followed_to_the_end() -> None:
    found = procedure(CHECKLIST, [(1,), (2,), (3,), (4,), (5,), (6,)])
    assert found == Procedure(1.0, 1.0, 1.0, 1.0, (("opening", 2, 2), ("inquiry", 3, 3), ("debate", 1, 1)), ())


def test_a_procedure_followed_in_part() -> None:
    # Items 1, 2, 3, 6 of 6: ACT = 4/6. Complete are opening and debate, 2 of 3: STA = 2/3. PFS = (4/6 + 2/3) / 2 = 2/3.
    # The second turn did two items at once: merged, which is recorded and costs nothing. 9 belongs to no scored stage.
    found = procedure(CHECKLIST, [(1,), (2, 3), (), (3, 9), (6,)])
    assert isinstance(found, Procedure)
    assert (found.stages, found.actions, found.several_turns) == (near(2 / 3), near(4 / 6), 1.0)
    assert found.score == near(2 / 3) and found.merged == (1,)
    assert found.done == (("opening", 2, 2), ("inquiry", 1, 3), ("debate", 1, 1))


def test_a_procedure_run_through_in_one_turn() -> None:
    # All stages in one turn is a failure: UNI 0, and STA and ACT with it, whatever came after.
    found = procedure(CHECKLIST, [(1, 2, 3, 6), (4,), (5,)])
    assert isinstance(found, Procedure)
    assert (found.stages, found.actions, found.several_turns, found.score) == (0.0, 0.0, 0.0, 0.0)


def test_items_done_again_in_one_turn_are_no_failure() -> None:
    found = procedure(CHECKLIST, [(1, 2), (3, 4, 5), (1, 3, 6)])
    assert isinstance(found, Procedure) and found.several_turns == 1.0 and found.score == 1.0


def test_a_procedure_of_which_nothing_was_done() -> None:
    # STA and ACT 0; UNI 1, as in J1 table 8 (Chatlaw2: STA and ACT none, UNI 5.38).
    found = procedure(CHECKLIST, [])
    assert isinstance(found, Procedure) and (found.score, found.several_turns) == (0.0, 1.0)


def test_a_procedure_of_one_stage_cannot_be_run_through() -> None:
    found = procedure({"opening": (1, 2)}, [(1, 2)])
    assert isinstance(found, Procedure) and (found.several_turns, found.score) == (1.0, 1.0)


def test_a_procedure_needs_a_checklist() -> None:
    assert procedure({}, [(1,)]) == procedure({"opening": ()}, [(1,)]) == no(Reason.NO_REFERENCE)
    with pytest.raises(ValueError, match="twice"):
        procedure({"opening": (1,), "inquiry": (1,)}, [])


def test_share_of_a_list() -> None:
    assert share_done([True, False, True, True]) == 0.75
    assert share_done([]) == no(Reason.NO_REFERENCE)


def test_a_document_is_the_mean_of_its_components() -> None:
    # J1 app. D.2 (DOC): plaintiff 2 of 3 fields right, defendant 1 of 1, claims 9, evidence 6, facts 7.5 of 10.
    # (2/3 + 1 + 0.9 + 0.6 + 0.75) / 5 = 0.78333.
    plaintiff = average([exact_match("张三", "张三"), exact_match("男", "男"), exact_match("汉族", "回族")]).value
    assert average([plaintiff, exact_match("李四", "李四"), rating(9), rating(6), rating(7.5)]).value == near(0.783333)


# ---- MASER -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "step", "expected"),
    [
        ("abcd", 1, ("ab", "bc", "cd")),
        ("abcd", 2, ("ab", "cd")),
        ("abcde", 2, ("ab", "cd", "e")),  # the last is cut short
        ("ab", 1, ("ab",)),
        ("a", 1, ("a",)),
        ("", 1, ()),
    ],
)
def test_windows_of_two_turns(turns: str, step: int, expected: tuple[str, ...]) -> None:
    assert tuple("".join(one) for one in windows(turns, 2, step)) == expected


@pytest.mark.parametrize(("size", "step"), [(2, 0), (0, 0), (2, 3)])
def test_windows_that_cannot_be(size: int, step: int) -> None:
    with pytest.raises(ValueError, match="size"):
        windows("abc", size, step)


def test_interaction_score() -> None:
    # Windows rated 8, 9 and 7, the last capped to 3 for a vague detail not followed up: (8 + 9 + 3) / 3 * 10 = 66.67;
    # a window that could not be read is counted apart.
    rated = [rating(8, least=1), rating(9, least=1), rating(capped(7, [4]), least=1), rating(None)]
    found = course(rated)
    assert found.windows == (0.8, 0.9, 0.3, no(Reason.UNREADABLE))
    assert found.score.value == near(66.6667, abs=1e-3) and found.score.n == 3 and found.score.left_out == 1
    assert course([]).score.value == no(Reason.NOTHING_LEFT)


def test_goal_score() -> None:
    # CLI 1, DEF 0, F&R 6, CLA 7, EVID 5; STA 9, PROF 8: (1 + 0 + 0.6 + 0.7 + 0.5 + 0.9 + 0.8) / 7 * 100 = 64.29.
    local = [exact_match("张三", "张三"), exact_match("李四", "王五"), rating(6), rating(7), rating(5)]
    assert goal(local, [rating(9), rating(8)]).value == near(64.2857, abs=1e-3)


# ---- ASP2LJ ----------------------------------------------------------------------------------------------------------


def test_argument_score() -> None:
    # 4.5 + 3 + 5 = 12.5 of 15.
    assert argument([4.5, 3, 5]) == 12.5
    assert argument([0, 0, 0]) == 0.0
    assert argument([4.5, 6, 5]) == no(Reason.OUT_OF_RANGE)
    assert argument([4.5, None, 5]) == argument([]) == no(Reason.UNREADABLE)


def test_best_and_worst_draft() -> None:
    # 9, 12, 7: the second is heard, and is preferred to the third.
    assert best_and_worst([9.0, 12.0, 7.0]) == (1, 2)
    assert best_and_worst([9.0, 12.0, 12.0, 9.0]) == (1, 0)  # of equals the first
    assert best_and_worst([no(Reason.UNREADABLE), 12.0, 7.0]) == (1, 2)
    assert best_and_worst([9.0, 9.0, 9.0]) == no(Reason.NO_DIFFERENCE)
    assert best_and_worst([9.0, no(Reason.UNREADABLE)]) == no(Reason.NOTHING_LEFT)


def test_rarity() -> None:
    # Bounds 10 and 1000: 1 and 10 are rare, 11 and 1000 middling, 809,843 (a kind the paper counts) is not.
    bands = [rarity(count, 10, 1000) for count in (1, 10, 11, 1000, 809_843)]
    assert bands == [Rarity.LOW, Rarity.LOW, Rarity.MID, Rarity.MID, Rarity.HIGH]
    assert rarity(None, 10, 1000) == no(Reason.NO_REFERENCE)
    with pytest.raises(ValueError, match="low up to 9"):
        rarity(1, 9, 8)


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


@given(st.floats())
def test_phi_stays_in_its_range(share: float) -> None:
    found = phi(share)
    assert isinstance(found, Excluded) if math.isnan(share) else 0 <= or_else(found, -1) <= 1


@given(st.lists(st.lists(st.integers(0, 8), max_size=4), max_size=8))
def test_a_procedure_never_scores_more_than_was_done(turns: list[list[int]]) -> None:
    found = procedure(CHECKLIST, turns)
    assert isinstance(found, Procedure)
    assert found.stages <= found.several_turns and found.actions <= found.several_turns
    assert found.score == (found.stages + found.actions) / 2
    assert (found.stages == 1.0) == (found.actions == 1.0)


@given(st.lists(st.sampled_from([*TEMPLATE, "附"]), max_size=8))
def test_a_form_is_its_order_times_its_labels(found: list[str]) -> None:
    score = form(found, TEMPLATE)
    assert isinstance(score, Form) and score.order in (0.0, 1.0) and score.score == score.order * score.labels
    assert score.labels == len(set(found) & set(TEMPLATE)) / 5


@given(st.lists(st.integers(), max_size=12), st.integers(1, 4), st.integers(1, 4))
def test_windows_leave_no_turn_out(turns: list[int], size: int, step: int) -> None:
    if step <= size:
        places = windows(list(range(len(turns))), size, step)
        assert {place for window in places for place in window} == set(range(len(turns)))
        assert all(len(window) == size for window in places[:-1])
