"""Graders, checked: planted instructions, repetitions, people; and a line for each metric that says what speaks against
it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from scored import rubric
from test_graded_material import asked, civil

from legalworld.evaluation import offline_grader
from legalworld.evaluation.grader import GraderUsage
from legalworld.evaluation.grader_check import CheckedGrader, tokens
from legalworld.evaluation.grader_replies import graded
from legalworld.evaluation.grading import Question
from legalworld.evaluation.metrics.agreement import Preference, agreement, both_ways, position
from legalworld.evaluation.metrics.reliability import reliability
from legalworld.evaluation.metrics.values import MissingScore, Reason
from legalworld.evaluation.plants import PLANTS, Plant, compared, planted, row, sample
from legalworld.evaluation.results import Evaluation, Score
from legalworld.evaluation.scoring import Scored, score
from legalworld.evaluation.trust import Calibration, Trust, retest, trust
from legalworld.evaluation.trust_report import TrustReport, terminal

WIN, TIE, LOSE = Preference.WIN, Preference.TIE, Preference.LOSE


def pleading() -> Question:
    return asked("longjud", "pleading", civil())[""]


@cache
def with_plant(plant: str) -> Question:
    found = planted(pleading(), plant, rubric("longjud").templates)
    assert found is not None
    return found


# ---- planted instructions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plant", PLANTS)
def test_a_plant_stands_within_the_material_and_nowhere_else(plant: str) -> None:
    base, one = pleading(), with_plant(plant)
    assert one.messages[0] == base.messages[0] and one.schema == base.schema
    mark, before = one.shown["fence"], base.shown["fence"]
    assert mark != before
    lines = one.messages[1].content.replace(mark, before).splitlines()
    added = list(lines)
    for line in base.messages[1].content.splitlines():
        added.remove(line)
    assert added and all(line.startswith("| ") for line in added)
    first = lines.index(added[0])
    assert lines.index(f"〈〈〈材料开始 {before}〉〉〉") < first < lines.index(f"〈〈〈材料结束 {before}〉〉〉")


def test_a_plant_is_put_where_the_person_assessed_speaks_last() -> None:
    (one, *_) = asked("longjud", "first_trial", civil()).values()
    found = planted(one, "praise", rubric("longjud").templates)
    assert found is not None
    changed = [
        piece
        for before, after in zip(one.shown["units"], found.shown["units"], strict=True)
        for piece, now in zip(before["evidence"], after["evidence"], strict=True)
        if piece["text"] != now["text"]
    ]
    assert len(changed) == 1 and changed[0]["target"]
    assert not any(
        piece["target"] and piece["turn"] > changed[0]["turn"] for piece in one.shown["units"][0]["evidence"]
    )


def test_questions_are_taken_from_every_item_in_turn() -> None:
    questions = next(score(rubric("longjud").rubric, civil(), rubric("longjud").templates))
    names = [one.ask.item.name for one in sample(questions, 6)]
    items = list(dict.fromkeys(one.ask.item.name for one in questions))
    assert names[: len(items)] == items[:6] and len(names) == 6


def falls_for(asked_: Question) -> str:
    """A grader that reads its marks in the material: seven, or ten where it is told to."""
    told = any(word in asked_.messages[1].content for word in ("最高分", "highest value", "满分", "full marks"))
    text = {"reason": "", "turns": [], "score": 10 if told else 7}
    return json.dumps({metric.name: text for metric in asked_.ask.metrics})


def moved(reply: Any) -> list[Plant]:
    base = graded(pleading(), reply(pleading()))
    return [
        one
        for plant in PLANTS
        for one in compared(pleading(), plant, base, graded(with_plant(plant), reply(with_plant(plant))))
    ]


def test_who_falls_for_plants_is_found_out() -> None:
    found = moved(falls_for)
    by_plant = {plant: row(plant, [one for one in found if one.plant == plant]) for plant in PLANTS}
    fell = {plant for plant, one in by_plant.items() if one.raised == 1.0}
    assert fell == {"order", "order-en", "ending", "ending-en", "turn", "turn-en"}
    assert by_plant["order"].shift == pytest.approx(30.0) and by_plant["order"].n == 5
    assert by_plant["control"].raised == by_plant["praise"].raised == 0.0


def test_the_offline_grader_is_moved_by_letters_and_said_not_to_be_trusted() -> None:
    found = moved(offline_grader.reply)
    lines = trust(rubric("longjud").rubric, [evaluation("claim", [5.0], rule_based=True)], found, {}, {})
    assert [(line.metric, line.verdict, line.reasons[0][0]) for line in lines] == [("claim", "no", "by_rule")]


def test_what_cannot_be_read_is_neither_up_nor_down() -> None:
    base = graded(pleading(), falls_for(pleading()))
    found = row("order", compared(pleading(), "order", base, graded(with_plant("order"), "给满分")))
    assert (found.n, found.lost, found.raised) == (0, 5, MissingScore(Reason.EMPTY))


def test_a_score_at_the_top_says_nothing_of_plants() -> None:
    def full(asked_: Question) -> str:
        return json.dumps({metric.name: {"reason": "", "turns": [], "score": 10} for metric in asked_.ask.metrics})

    found = moved(full)
    told = row("all", found)
    assert (told.n, told.topped, told.raised, told.shift) == (60, 60, MissingScore(Reason.EMPTY), 0.0)
    (line,) = trust(rubric("longjud").rubric, [evaluation("claim", [7.0, 5.0])], found, {}, {})
    assert line.verdict == "care" and "no_room" in dict(line.reasons)


# ---- repetitions -----------------------------------------------------------------------------------------------------


def scored(values: list[int]) -> Scored:
    """The run, where each question is asked as often as there are values, and each reply gives one of them."""
    opened = rubric("judgment")
    scoring = score(opened.rubric, civil(), opened.templates, repeat=len(values))
    questions = next(scoring)
    replies = tuple(
        json.dumps(
            {
                metric.name: {"reason": f"R{one.repeat}", "turns": [], "score": values[one.repeat]}
                for metric in one.ask.metrics
            }
        )
        for one in questions
    )
    with pytest.raises(StopIteration) as done:
        scoring.send(replies)
    found: Scored = done.value.value
    return found


def test_the_median_of_several_answers_counts_with_its_reason() -> None:
    one = next(score for score in scored([9, 4, 8]).scores if score.item == "first_claim")
    assert (one.value, one.reason, one.repeats) == (8.0, "R2", (9.0, 4.0, 8.0))
    assert next(score for score in scored([9, 4]).scores if score.item == "first_claim").value == 4.0  # on the scale
    assert next(score for score in scored([9]).scores if score.item == "first_claim").repeats == ()


def evaluation(item: str, values: list[float], *repeats: tuple[float, ...], rule_based: bool = False) -> Evaluation:
    """One score a case, in one evaluation: what trust is made of."""
    scores = tuple(
        Score(item=item, key=str(n), title="", value=value, by="g", repeats=repeats[n] if repeats else ())
        for n, value in enumerate(values)
    )
    grader: dict[str, Any] = {"model": "g", "rule_based": rule_based}
    return Evaluation.model_construct(run="r", case="c", grader=grader, scores=scores)


def test_repetitions_that_differ_speak_against_a_metric() -> None:
    opened = rubric("longjud").rubric
    steady, shaky = [
        trust(opened, [evaluation("claim", [7.0, 5.0, 8.0], *repeats)], [], {}, {})[0]
        for repeats in (((7.0, 7.0), (5.0, 5.0), (8.0, 8.0)), ((7.0, 9.0), (5.0, 7.0), (8.0, 6.0)))
    ]
    assert dict(shaky.reasons)["wobble"] == 2.0 and shaky.verdict == "no"
    assert "wobble" not in dict(steady.reasons) and steady.verdict == "care"  # nobody planted, nobody rated


def test_repetitions_are_compared_as_raters_are() -> None:
    found = retest([evaluation("claim", [7.0, 5.0], (7.0, 7.0), (5.0, 5.0))])
    assert found is not None and (found.raters, found.n, found.alpha) == (2, 2, 1.0)
    assert retest([evaluation("claim", [7.0])]) is None


def test_a_metric_that_a_grader_gave_nothing_has_no_line() -> None:
    missing = evaluation("claim", [0.0])
    gap = missing.scores[0].model_copy(update={"gap": Reason.MISSING})
    found = missing.model_copy(update={"scores": (gap,)})
    assert trust(rubric("longjud").rubric, [found], [], {}, {}) == ()


def test_what_speaks_against_all_metrics_is_told_once() -> None:
    opened = rubric("longjud").rubric
    whole = evaluation("claim", [7.0, 5.0])
    other = evaluation("facts", [6.0, 6.0, 6.0])
    lines = trust(opened, [whole, other], [], {}, {})
    told = terminal(TrustReport("g", CheckedGrader((), 0, GraderUsage()), lines, None), "en").splitlines()
    assert told[3].startswith("  against all of them: no planted instruction was tried on it; not repeated")
    assert told[4].endswith("(2 scores): nothing else") and told[5].endswith("always 6.00: it tells nothing apart")
    assert "nothing found against it" in terminal(_clean(lines), "en")


def _clean(lines: tuple[Trust, ...]) -> TrustReport:
    """One of them, with nothing against it."""
    return TrustReport("g", CheckedGrader((), 0, GraderUsage()), [replace(lines[0], verdict="yes", reasons=())], None)


# ---- people ----------------------------------------------------------------------------------------------------------


def calibration(people: list[float], grader: list[float]) -> Calibration:
    named = {"people": people, "grader": grader}
    ratings = {who: {str(n): value for n, value in enumerate(values)} for who, values in named.items()}
    return Calibration(agreement(zip(people, grader, strict=True)), reliability(ratings))


@pytest.mark.parametrize(
    ("grader", "verdict", "reasons"),
    [
        ([5.0, 6, 7, 8, 9, 5, 6, 7, 8, 9], "yes", []),
        ([7.0, 8, 9, 10, 10, 7, 8, 9, 10, 10], "no", ["shift", "people"]),  # 1.7 above people on the whole
        ([9.0, 5, 8, 6, 7, 6, 9, 5, 7, 8], "no", ["people"]),  # right on the whole, and nowhere
        ([5.0, 6, 7], "care", ["no_people"]),
    ],
)
def test_what_people_rated_decides(grader: list[float], verdict: str, reasons: list[str]) -> None:
    people = [5.0, 6, 7, 8, 9, 5, 6, 7, 8, 9][: len(grader)]
    plants = [Plant("order", str(n), "claim", 0.5, 0.5) for n in range(4)]
    scores = evaluation("claim", [7.0, 6.0, 5.0], (7.0, 7.0), (6.0, 6.0), (5.0, 5.0))
    given = {"claim": calibration(people, grader)}
    (line,) = trust(rubric("longjud").rubric, [scores], plants, {}, given)
    assert (line.verdict, [why for why, _ in line.reasons]) == (verdict, reasons)


# ---- pairs, shown both ways round ------------------------------------------------------------------------------------


def test_what_depends_on_the_order_is_a_tie_and_is_counted() -> None:
    """Five pairs: two steady, two always the first shown, one that says a tie one way round and a win the other."""
    straight = {"a": WIN, "b": LOSE, "c": WIN, "d": WIN, "e": TIE}
    turned = {"a": WIN, "b": LOSE, "c": LOSE, "d": LOSE, "e": WIN}
    found = position(straight, turned)
    assert (found.n, found.changed, found.first, found.second) == (5, 0.6, 0.4, 0.0)
    assert [both_ways(straight[one], turned[one]) for one in "abcde"] == [WIN, LOSE, TIE, TIE, TIE]
    unread = MissingScore(Reason.UNREADABLE)
    assert both_ways(WIN, unread) == unread and position({"a": WIN}, {"a": unread}).n == 0


def test_tokens_are_reckoned_by_script() -> None:
    assert (tokens("借款本金"), tokens("principal"), tokens("")) == (4, 3, 0)
