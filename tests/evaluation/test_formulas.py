"""The formulas of the shipped rubrics: each figure is worked out by hand, in its comment, from the paper."""

from __future__ import annotations

import pytest
from scored import figure, rubric

from legalworld.evaluation.metrics.values import MissingScore, Reason, Value

near = pytest.approx
INCOMPLETE, UNREADABLE, NO_REFERENCE, NOT_APPLICABLE = (
    MissingScore(Reason.INCOMPLETE),
    MissingScore(Reason.UNREADABLE),
    MissingScore(Reason.NO_REFERENCE),
    MissingScore(Reason.NOT_APPLICABLE),
)


# ---- LongJud-Bench ---------------------------------------------------------------------------------------------------


def test_consultation() -> None:
    # App. C.2, eq. 5. Question 1: (8 + 6 + 10 + 4) / 40 = 0.7. Question 2, one dimension unreadable:
    # (5 + 5 + 8) / 30 = 0.6. Question 3, nothing readable: left out. S = (0.7 + 0.6) / 2 = 0.65.
    found = figure(
        "longjud",
        "LC",
        relationship={"1": 8, "2": 5, "3": UNREADABLE},
        rule={"1": 6, "2": 5, "3": UNREADABLE},
        risk={"1": 10, "2": 8, "3": UNREADABLE},
        advice={"1": 4, "2": UNREADABLE, "3": UNREADABLE},
    )
    assert found == near(0.65)
    assert figure("longjud", "LC_whole", answered={"1": 8, "2": 3}) == near(0.55)  # (8 + 3) / 20


@pytest.mark.parametrize(
    ("stage", "exact", "rated"),
    [
        ("CD", ("identity", "opposite_identity", "court"), ("claim", "facts", "evidence", "request", "coherence")),
        ("AD", ("appeal_identity", "appeal_number_named", "appeal_role"), ("appeal_claim", "appeal_link")),
    ],
)
def test_drafting(stage: str, exact: tuple[str, ...], rated: tuple[str, ...]) -> None:
    # Eq. 6: 2 fields right, 1 wrong; two ratings, 8 and 5: (1 + 1 + 0 + 0.8 + 0.5) / 5 = 0.66. The other ratings could
    # not be read and leave the denominator.
    known: dict[str, Value] = dict(zip(exact, (1.0, 1.0, 0.0), strict=True))
    known |= dict(zip(rated, (8.0, 5.0, UNREADABLE, UNREADABLE, UNREADABLE), strict=False))
    assert figure("longjud", stage, **known) == near(0.66)
    # A field without a reference leaves it too: (1 + 1 + 0.8 + 0.5) / 4 = 0.825.
    assert figure("longjud", stage, **{**known, exact[2]: NO_REFERENCE}) == near(0.825)


@pytest.mark.parametrize(("stage", "order"), [("FIT", "first"), ("SIT", "second")])
def test_trial(stage: str, order: str) -> None:
    # Eq. 7. Investigation: (6 + 9 + 3) / 30 = 0.6. Debate, no required statement: 0. S = (0.6 + 0) / 2 = 0.3.
    names = [f"{order}_{one}" for one in ("position", "advocacy", "reasoning")]
    ratings = dict(zip(names, (6.0, 9.0, 3.0), strict=True))
    silent = {name: {"investigation": value, "debate": 0.0} for name, value in ratings.items()}
    assert figure("longjud", stage, **silent) == near(0.3)
    # Debate with one dimension unreadable: (8 + 6) / 20 = 0.7. S = (0.6 + 0.7) / 2 = 0.65.
    debate = dict(zip(names, (8.0, UNREADABLE, 6.0), strict=True))
    both = {name: {"investigation": value, "debate": debate[name]} for name, value in ratings.items()}
    assert figure("longjud", stage, **both) == near(0.65)


def test_the_total_has_the_released_weights() -> None:
    # 10 * 0.5 + 15 * 0.8 + 30 * 0.6 + 15 * 0.4 + 30 * 0.7 = 62 of 100; without an appeal (5 + 12 + 18) / 55.
    stages: dict[str, Value] = {"LC": 0.5, "CD": 0.8, "DD": NOT_APPLICABLE, "FIT": 0.6, "orderly": 1.0}
    appealed: dict[str, Value] = {"AD": NOT_APPLICABLE, "AR": 0.4, "SIT": 0.7}
    assert figure("longjud", "total", **stages, **appealed) == near(0.62)
    assert figure("longjud", "total", **stages, **dict.fromkeys(appealed, NOT_APPLICABLE)) == near(35 / 55)
    # of a stage of which too much was lost nothing is made
    assert figure("longjud", "total", **{**stages, **appealed, "CD": INCOMPLETE}) == INCOMPLETE


def test_eight_capabilities_in_pairs() -> None:
    # Only one of complaint and defence is drafted; the other is not applicable and does not count.
    only: dict[str, Value] = {"claim": 8.0, "request": 6.0, "defence_claim": NOT_APPLICABLE}
    assert figure("longjud", "claim_1", **only) == near(0.7)
    # Party identification: 2 of 3 exact fields. The capabilities are on 0 to 1, as in table 3.
    assert figure("longjud", "party_1", identity=1.0, opposite_identity=0.0, court=1.0) == near(2 / 3)
    # Neither the defence nor the appeal's answer has an item of facts.
    assert figure("longjud", "fact_1", facts=NOT_APPLICABLE) == NOT_APPLICABLE
    pairs = [column for column in rubric("longjud").rubric.tables[0].columns if len(column.formulas) == 2]
    assert len(pairs) == 7 and len(rubric("longjud").rubric.tables[0].columns) == 8


@pytest.mark.parametrize(("stage", "n"), [("FIT", "1"), ("SIT", "2")])
def test_judgment_alignment(stage: str, n: str) -> None:
    # App. C.4. P = 2/3, R = 2/4: F1 = 4/7. A partial match of 0.81: phi = sqrt(0.81) = 0.9. Structure 1. Entities and
    # verdict unavailable: skipped, not 0. S = 10 * (4/7 + 0.9 + 1) / 3 = 8.238.
    known: dict[str, Value] = {f"law_{n}": 4 / 7, f"reasoning_{n}": 0.81, f"structure_{n}": 1.0}
    parties = ("plaintiff_1", "defendant_1") if n == "1" else ("parties_2",)
    known |= dict.fromkeys((*parties, f"verdict_{n}", f"amounts_{n}"), NO_REFERENCE)
    own: dict[str, Value] = known | {f"named_{n}": 1.0}
    assert figure("alignment", stage, **own, action=NO_REFERENCE) == near(10 * (4 / 7 + 0.9 + 1) / 3)
    # Of another case, for it names half of the parties and none of the sums: 10 * (0 + 0.9 + 0) / 3.
    other: dict[str, Value] = known | {f"named_{n}": 0.5, f"sums_{n}__recall": 0.0}
    assert figure("alignment", stage, **other, action=NO_REFERENCE) == near(10 * 0.9 / 3)
    everything: dict[str, Value] = dict.fromkeys(known, NO_REFERENCE)
    assert isinstance(figure("alignment", stage, **everything, action=NO_REFERENCE), MissingScore)
    # Nothing of this instance to compare with: its parties and its parts alone are no alignment.
    parts: dict[str, Value] = everything | {f"structure_{n}": 1.0, f"named_{n}": 1.0} | dict.fromkeys(parties, 1.0)
    assert figure("alignment", stage, **parts, action=NO_REFERENCE) == NO_REFERENCE


def test_sixteen_ratings_of_the_environment() -> None:
    # Two scenes: compliance 9 and 8, coherence 7 and 8: STAGE = (8.5 + 7.5) / 2 = 8.
    known = {"compliance": {"LC": 9.0, "CD": 8.0}, "process": {"LC": 7.0, "CD": 8.0}}
    assert figure("environment", "STAGE", **known) == near(8.0)
    assert figure("environment", "ROLE", stance={"judge": 9.0}, distinct={"judge": 6.0}) == near(7.5)


# ---- J1-Eval ---------------------------------------------------------------------------------------------------------


def test_questions_of_yes_and_no_and_others() -> None:
    # App. D.1. Right, wrong, conditional: (1 + 0 + 0.5) / 3 = 0.5.
    scale = rubric("j1-kq").rubric.asks["binary"].metrics[0].scale
    assert sorted(scale.choices.values()) == [0.0, 0.5, 1.0]
    for name in ("j1-kq", "j1-lc"):
        assert figure(name, "BIN", bin={"1": 1.0, "2": 0.0, "3": 0.5}) == near(0.5)
        # Open answers 8 and 5; two topics of law, one with all its provisions cited (10), one with one of two (0):
        # (8 + 5 + 10 + 0) / 4 = 5.75.
        found = figure(name, "NBIN", open_answer={"4": 8.0, "5": 5.0}, statute__all={"6": 1.0, "7": 0.0})
        assert found == near(5.75)


def test_documents() -> None:
    # App. D.2, the mean of components: plaintiff 1, defendant 0, claims 9, evidence 6, facts 7.5:
    # (1 + 0 + 0.9 + 0.6 + 0.75) / 5 = 0.65.
    complaint: dict[str, Value] = {"plaintiff_name": 1.0, "defendant_name": 0.0}
    complaint |= {"claims_part": 9.0, "evidence_part": 6.0, "facts_part": 7.5}
    assert figure("j1-cd", "DOC", **complaint) == near(0.65)
    # Respondent 1, defence 6, evidence unreadable: (1 + 0.6) / 2 = 0.8.
    assert figure("j1-dd", "DOC", respondent_name=1.0, defence_part=6.0, evidence_part=UNREADABLE) == near(0.8)


def test_verdict_of_the_criminal_court() -> None:
    # App. D.3. Term |ln 12 - ln 11| = 0.0870, fine |ln 2001 - ln 4001| = 0.6929: VER = 0.38995, printed times 100.
    assert figure("j1-criminal", "VER", months=0.0870114, fine=0.6928972) == near(0.3899543)
    assert rubric("j1-criminal").rubric.formulas["VER"].scale == 100
    # No verdict: 1, which is 100.
    missing = [rubric("j1-criminal").rubric.measures[name].item.missing for name in ("months", "fine", "charge")]
    assert missing == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("name", ["j1-civil", "j1-criminal"])
def test_law_of_the_courts_is_recall(name: str) -> None:
    # 2 of 3 provisions of the reference are cited, beside four others.
    assert figure(name, "LAW", law=4 / 9, law__recall=2 / 3) == near(2 / 3)


# ---- SimCourt, MILE, ASP2LJ ------------------------------------------------------------------------------------------


def test_relative_errors_are_no_shares() -> None:
    assert figure("simcourt", "TERM", term_error=1.5) == near(1.5)
    assert figure("simcourt", "TERM", term_error=MissingScore(Reason.NOT_A_NUMBER)) == MissingScore(Reason.NOT_A_NUMBER)
    better = {name: one.better for name, one in rubric("simcourt").rubric.formulas.items()}
    assert {name for name, one in better.items() if one == "lower"} == {"TERM", "PROBATION", "FINE"}


def test_interaction_of_mile() -> None:
    # App. B.1. Windows rated 8, 9 and (capped) 3; one unreadable: (8 + 9 + 3) / 3 * 10 = 66.67.
    ratings = {"1": 8.0, "2": 9.0, "3": 3.0, "4": UNREADABLE}
    assert figure("mile", "INT", interactivity=ratings) == near(66.6667, abs=1e-3)
    caps = {(one.metric, one.value, one.when) for one in rubric("mile").rubric.caps}
    # "Below 4" of whole points is at most 3, "below 5" at most 4.
    assert caps == {
        ("interactivity", 3.0, "vague_left"),
        ("interactivity", 4.0, "symbols"),
        ("professionality", 4.0, "lapse"),
    }
    # Table 2: the mean of the three. 60, 70, 80: 70.
    assert figure("mile", "TALK", INT=60.0, PROF=70.0, LOG=80.0) == near(70.0)


def test_goal_of_mile() -> None:
    # Table 1: CLI 1, DEF 0, F&R 6, CLA 7, EVID 5; STA 9, PROF 8:
    # (1 + 0 + 0.6 + 0.7 + 0.5 + 0.9 + 0.8) / 7 * 100 = 64.29.
    rated: dict[str, Value] = {"facts_reasons": 6.0, "claims_goal": 7.0, "evidence_goal": 5.0}
    rated |= {"standard": 9.0, "professional": 8.0, "client_info": 1.0, "defendant_info": 0.0}
    assert figure("mile", "AVE", **rated) == near(64.2857, abs=1e-3)


def test_articles_points_and_analysis_of_asp2lj() -> None:
    # Sec. 2.1.3: 4.5 + 3 + 5 = 12.5 of 15, and 7.5: the mean of what was heard is 10.
    assert figure("asp2lj", "ARG", argument=10.0) == near(10.0)
    # F is that of the case and not that of P and R: 1 and 1/2 give 2/3.
    known: dict[str, Value] = {"law": 2 / 3, "law__precision": 1.0, "law__recall": 0.5}
    assert [figure("asp2lj", name, **known) for name in ("P", "R", "F")] == near([1.0, 0.5, 2 / 3])
    assert figure("asp2lj", "CORRECT", correct=1.0) == near(1.0)
