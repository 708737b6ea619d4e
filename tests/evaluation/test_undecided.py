"""A decision that leaves claims undecided is neither right nor wrong: no score, no figure, and it is counted apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from playing import play
from test_reports import evaluation
from test_scoring import rubric, scored, stored

from legalworld.evaluation.figures import figures
from legalworld.evaluation.metrics.values import Reason
from legalworld.evaluation.report import Report, as_json, csv_rows, report
from legalworld.evaluation.report_text import explained, terminal
from legalworld.evaluation.results import Evaluation
from legalworld.evaluation.rubric.open import OpenRubric
from legalworld.evaluation.scoring import Scored
from legalworld.evaluation.stored_run import Stored
from legalworld.model.decision_parts import PartDecided, Superseded
from legalworld.model.events import Event
from legalworld.model.undecided_claims import undecided_by_decision

CLAIMS = 3


def left(*undecided: int, again: bool = False) -> Stored:
    """The shipped civil case, decided but for some of its claims; `again`: these were undecided first, then decided."""
    run = stored(play("jiedai"), "civil", "jiedai", "plaintiff_lawyer")
    events: list[Event] = []
    number = 0
    for event in run.events:
        if isinstance(event, PartDecided) and event.part == "results":
            if number in undecided:
                events.append(event.model_copy(update={"filled": {"reliefs": [{"id": "", "result": "undecided"}]}}))
                events += [event] if again else []
            else:
                events.append(event)
            number += 1
        else:
            events.append(event)
    assert number == CLAIMS
    return replace(run, events=tuple(events))


def evaluated(opened: OpenRubric, run: Stored, name: str) -> Evaluation:
    found = scored(opened, run)
    blank = evaluation("offline", "jiedai", {}, run=name)
    named = {"rubric": opened.rubric.name, "rubric_digest": opened.rubric.digest}
    made = {"scores": found.scores, "figures": found.figures, "passes": dict(found.passes)}
    return blank.model_copy(update={**named, **made})


def gaps(found: Scored) -> set[str]:
    return {score.item for score in found.scores if score.gap is Reason.UNDECIDED}


SOME = [(0,), (1,), (2,), (0, 2), (0, 1, 2)]


@pytest.mark.parametrize("name", ["alignment", "judgment"])
@pytest.mark.parametrize("undecided", SOME)
def test_what_rests_on_an_undecided_decision_has_no_value(name: str, undecided: tuple[int, ...]) -> None:
    opened = rubric(name)
    plain, found = scored(opened, left()), scored(opened, left(*undecided))
    assert not gaps(plain)
    assert gaps(found)
    for score in found.scores:
        if score.gap is Reason.UNDECIDED:
            assert score.value is None
            assert score.detail == f"{len(undecided)} / {CLAIMS}"
    before = {(one.item, one.key): one for one in plain.scores}
    assert all(one == before[one.item, one.key] for one in found.scores if one.gap is not Reason.UNDECIDED)


@pytest.mark.parametrize("undecided", SOME)
def test_no_figure_is_made_of_the_rest(undecided: tuple[int, ...]) -> None:
    opened = rubric("judgment")
    made = {one.formula: one for one in scored(opened, left(*undecided)).figures}
    assert (made["FIT"].value, made["FIT"].gap) == (None, Reason.UNDECIDED)
    known = {one.formula: one for one in scored(opened, left()).figures}
    assert known["FIT"].value is not None


def test_an_appeal_that_says_nothing_of_claims_stands_as_what_it_reviews() -> None:
    assert {"verdict_1", "verdict_2"} <= gaps(scored(rubric("alignment"), left(0)))


def test_the_last_word_on_a_claim_counts() -> None:
    opened = rubric("alignment")
    assert scored(opened, left(0, 1, again=True)) == scored(opened, left())


def test_what_was_put_in_the_place_of_a_walk_through_is_scored() -> None:
    run = left(0, 1, 2)
    said = {"place": "FIT", "decision": "first_decision", "document": "first_judgment", "answers": ()}
    after = (*run.events, Superseded.model_validate(said))
    assert not any(open_ones for open_ones, _ in undecided_by_decision(after).values())
    assert undecided_by_decision(after, as_drafted=True)["first_decision"] == (CLAIMS, CLAIMS)


# ---- several runs ----------------------------------------------------------------------------------------------------


def together(opened: OpenRubric, runs: Sequence[Stored]) -> Report:
    return report(opened.rubric, [evaluated(opened, run, f"r{n}") for n, run in enumerate(runs)])


@pytest.mark.parametrize("runs", [(), (0,), (0, 1), (1, 0, 1), (1, 1)])
def test_a_report_counts_them_apart_and_averages_none(runs: tuple[int, ...]) -> None:
    opened = rubric("judgment")
    found = together(opened, [left(0) if one else left() for one in runs])
    wanted = {score.figure("FIT").value for score in [evaluated(opened, left(), "x")] if score.figure("FIT")}  # type: ignore[union-attr]
    rows = [row for row in csv_rows(found) if row["formula"] == "FIT"]
    assert all(row["value"] in (wanted if 0 in runs else {None}) for row in rows)
    apart = as_json(found)["undecided"]
    assert {row["run"] for row in apart} == {f"r{n}" for n, one in enumerate(runs) if one}
    assert not [row for row in as_json(found)["excluded"] if row["why"] == Reason.UNDECIDED]
    for locale, words in (("en", "not decided: "), ("zh", "没有裁判：")):
        text = terminal(found, locale, 200)
        assert (words in text) == any(runs)
        if any(runs):
            due = sum(len(one.due) for one in found.evaluations)
            line = next(one for one in text.splitlines() if words in one)
            assert str(len(apart)) in line
            assert str(due) in line


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_reason_is_told_with_the_score(locale: str) -> None:
    opened = rubric("judgment")
    text = "\n".join(explained(evaluated(opened, left(0), "r"), {}, locale))
    assert f": 1 / {CLAIMS}" in text
    assert {"en": "not decided", "zh": "没有裁判"}[locale] in text
    assert "not decided" not in "\n".join(explained(evaluated(opened, left(), "r"), {}, locale))


def test_a_pass_is_not_told_of_what_was_not_decided() -> None:
    for name in ("alignment", "judgment", "longjud"):
        opened = rubric(name)
        wholly = evaluation("m", "c", {}).scores
        assert figures(opened.rubric, wholly)[1].keys() == opened.rubric.passes.keys()
    assert all(verdict is None for verdict in scored(rubric("judgment"), left(0)).passes.values())
