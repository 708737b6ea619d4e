"""The civil procedure over every shipped case: target side x who appeals x mediation accepted or not.

Played in memory by the offline actors, and by those that misbehave; what ought to come is written here as a table, not
read from the spec.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from playing import NATIVE, RECORDS, ROOT, Game, as_offline, matter, play, project

from legalworld.events import (
    Asked,
    Assigned,
    Captured,
    Closed,
    Drafted,
    Ended,
    Entered,
    Request,
    Skipped,
    Spoke,
    Violated,
    Withheld,
)
from legalworld.offline import Manner

TARGETS = ("plaintiff_lawyer", "defendant_lawyer")
APPEALS = {"plaintiff": "原告", "defendant": "被告", "both": "原告，被告", "nobody": ""}
CASES = (*NATIVE, *RECORDS)
SIDES = ("plaintiff", "defendant")
WHO = {"plaintiff": "原告", "defendant": "被告"}
TALKS = ("LC", "CD", "DD", "AD", "AR")
TRIALS = ("FIT", "SIT")


@dataclass(frozen=True)
class Cell:
    """One cell of the matrix."""

    case: str
    target: str
    appeal: str
    settles: bool

    @property
    def side(self) -> str:
        return self.target.removesuffix("_lawyer")

    @property
    def appellants(self) -> tuple[str, ...]:
        return {"both": SIDES, "nobody": ()}.get(self.appeal, (self.appeal,))

    @property
    def appealed(self) -> bool:
        return bool(self.appellants) and not self.settles

    def worn(self, side: str) -> str:
        """How the party of a side is called in the second instance, without a name."""
        if self.appeal == "both":
            return f"上诉人（原审{WHO[side]}）"
        return "上诉人" if side == self.appeal else "被上诉人"


def cells(cases: Sequence[str] = CASES) -> list[Cell]:
    return [Cell(case, target, by, yes) for case in cases for target in TARGETS for by in APPEALS for yes in (True, False)]


@cache
def played(cell: Cell, manner: Manner = "plain") -> Game:
    settle = "是" if cell.settles else "否"
    fields = {"appellants": APPEALS[cell.appeal], **{f"goal.{side}.settle": settle for side in SIDES}}
    return play(cell.case, cell.target, fields=fields, manner=manner)


def name_of(cell: Cell) -> str:
    return f"{cell.case}-{cell.side}-{cell.appeal}-{'mediated' if cell.settles else 'judged'}"


every_cell = pytest.mark.parametrize("cell", cells(), ids=name_of)
appealed_cells = pytest.mark.parametrize("cell", [cell for cell in cells() if cell.appealed], ids=name_of)


# ---- outcome, stages, documents --------------------------------------------------------------------------------------


def outcome(cell: Cell) -> tuple[str, str]:
    """How the case ends, and with which document."""
    if cell.settles:
        return "mediated", "mediation_record"
    return ("final_judgment", "final_judgment") if cell.appealed else ("first_judgment_effective", "first_judgment")


def stages(cell: Cell) -> list[str]:
    drafting = "CD" if cell.side == "plaintiff" else "DD"
    if not cell.appealed:
        return ["LC", drafting, "FIT"] if cell.settles else ["LC", drafting, "FIT", "appeal"]
    writing = {"AD": cell.side in cell.appellants, "AR": set(cell.appellants) != {cell.side}}
    return ["LC", drafting, "FIT", "appeal", *(stage for stage, due in writing.items() if due), "SIT"]


def documents(cell: Cell) -> set[tuple[str, str, str, str]]:
    """Document, side, author's title, source: the target writes his own, the case supplies the other side's."""
    found = {
        ("complaint", "plaintiff", "原告代理律师", "reply" if cell.side == "plaintiff" else "case"),
        ("defence_statement", "defendant", "被告代理律师", "reply" if cell.side == "defendant" else "case"),
        ("mediation_record" if cell.settles else "first_judgment", "", "审判长", "reply"),
    }
    if not cell.appealed:
        return found
    for side in cell.appellants:
        source = "reply" if side == cell.side else "case"
        found.add(("appeal_petition", side, f"{cell.worn(side)}代理律师", source))
    for side in SIDES:
        if set(cell.appellants) != {side}:  # somebody on the other side appealed
            source = "reply" if side == cell.side else "case"
            found.add(("appeal_defence", side, f"{cell.worn(side)}代理律师", source))
    return found | {("final_judgment", "", "审判长", "reply")}


@every_cell
def test_the_case_ends_as_it_must(cell: Cell) -> None:
    game = played(cell)
    (ended,) = game.of(Ended)
    assert game.status == "ended"
    assert (ended.outcome, ended.document) == outcome(cell)


@every_cell
def test_the_right_stages_are_entered_and_the_others_skipped(cell: Cell) -> None:
    game = played(cell)
    entered = [event.place for event in game.of(Entered) if event.level == "stage"]
    skipped = {event.place for event in game.of(Skipped) if event.reason == "condition" and "/" not in event.place}
    assert entered == stages(cell)
    before_the_end = ("LC", "CD", "DD", "FIT", "appeal", "AD", "AR", "SIT")
    before_the_end = before_the_end[: before_the_end.index(entered[-1])]
    assert skipped == set(before_the_end) - set(entered)


@every_cell
def test_the_right_documents_are_written_by_the_right_hands(cell: Cell) -> None:
    drafted = played(cell).of(Drafted)
    found = [(event.document, event.side, event.speaker, event.source) for event in drafted]
    assert len(found) == len(set(found))
    assert set(found) == documents(cell)
    assert [event.missing for event in drafted] == [()] * len(drafted)
    assert all(event.text.strip() for event in drafted)


@every_cell
def test_the_offline_actors_break_no_rule(cell: Cell) -> None:
    game = played(cell)
    assert game.of(Violated) == []
    assert {event.source for event in game.of(Captured)} == {"reply"}
    assert {event.reason for event in game.of(Closed)} == {"token"}


@every_cell
def test_a_judgment_gives_the_opinion_of_the_court_once(cell: Cell) -> None:
    judgments = [event.text for event in played(cell).of(Drafted) if event.document.endswith("_judgment")]
    assert [text.count("本院认为") for text in judgments] == [1] * len(judgments)


@every_cell
def test_mediation_that_succeeds_leaves_no_judgment_and_no_appeal(cell: Cell) -> None:
    game = played(cell)
    agreed = [event.value for event in game.of(Captured, "FIT/mediation") if event.name == "agreed"]
    if cell.settles:
        assert set(agreed) == {"yes"}
        assert [event.document for event in game.of(Drafted, "FIT")] == ["mediation_record"]
        assert not game.said("FIT/judgment") and not game.of(Assigned)
    else:
        assert agreed == []
        assert [event.document for event in game.of(Drafted, "FIT")] == ["first_judgment"]


# ---- who is called what, and who speaks first ------------------------------------------------------------------------


@appealed_cells
def test_titles_are_as_now_worn(cell: Cell) -> None:
    game = played(cell)
    for side in SIDES:
        lawyers = {event.speaker for event in game.of(Asked, "SIT") if event.person == f"{side}_lawyer"}
        assert lawyers == {f"{cell.worn(side)}代理律师"}
        parties = [event for event in game.of(Asked, "SIT") if event.role == side]
        names = {person.id: person.name for person in game.requests[0].view.knowledge.shown and persons(cell.case)}
        several = len({event.person for event in parties}) > 1
        assert {event.speaker for event in parties} == {
            cell.worn(side) + (names[event.person] if several else "") for event in parties
        }


def persons(case: str) -> Sequence[object]:
    from legalworld.casting import cast

    procedure = project().procedure
    assert procedure is not None
    return cast(procedure, matter(case).case)
