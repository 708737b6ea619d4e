"""A life cycle with memory: the ledger is filled before the hearing, read in it and on appeal, by its owner alone."""

from __future__ import annotations

import json
from functools import cache

import pytest
from playing import Game, play

from legalworld.engine.memory import Kept
from legalworld.model.events import Captured, Remembered, Request, Violated

MINE = "plaintiff_lawyer"


@cache
def life(target: str = MINE, memory: str = "yes") -> Game:
    """The plaintiff becomes appellee: the defendants alone appeal."""
    fields = {"appellants": "被告"}
    return play("jiedai", target, fields=fields, options={"memory": memory})


def written(game: Game, person: str, stages: tuple[str, ...]) -> dict[str, Kept]:
    """What the fields of a person held when these stages were over."""
    return {
        event.field: event.value
        for event in game.of(Remembered)
        if event.person == person and event.place.partition("/")[0] in stages
    }


def first_messages(game: Game, person: str, stage: str) -> str:
    """What a person was sent before his first word in a stage."""
    request = next(one for one in game.said(stage) if one.person == person)
    return "\n".join(message.content for message in request.messages)


def remembered_part(request: Request) -> str:
    return "\n".join(
        text for message in request.messages for home, text in message.parts if home.endswith("/memory.j2")
    )


def test_the_ledger_is_filled_in_consultation_and_drafting() -> None:
    kept = written(life(), MINE, ("LC", "CD"))
    assert set(kept) == {"facts", "client_profile", "procedural_progress", "evidence", "claims", "positions"}
    assert "合作投资协议" in str(kept["facts"])
    assert isinstance(kept["evidence"], tuple) and len(kept["evidence"]) == 5
    assert {record["status"] for record in kept["evidence"]} == {"待提交"}
    assert str(kept["claims"]).count("\n") == 2


def test_it_says_after_the_hearing_what_was_admitted_and_what_disputed() -> None:
    kept = written(life(), MINE, ("LC", "CD", "FIT"))
    assert isinstance(kept["evidence"], tuple)
    status = {record["id"]: record["status"] for record in kept["evidence"]}
    assert set(status.values()) <= {"对方认可", "对方部分认可", "对方不认可"} and len(set(status.values())) > 1
    given = {event.about: event.value for event in life().of(Captured, "FIT") if event.name == "opinion"}
    assert status["原证2"] == f"对方{given['evidence/plaintiff/1']}"
    assert all(record["source"] for record in kept["evidence"])  # what stood there before is kept


@pytest.mark.parametrize("stage", ["CD", "FIT", "AR", "SIT"])
def test_it_is_read_back_whatever_role_he_wears(stage: str) -> None:
    """At trial he speaks for the plaintiff, on appeal for the appellee: the person keeps it, not the role."""
    text = first_messages(life(), MINE, stage)
    assert "【你先前记下的】" in text and "委托人自称：2021年年初" in text
    assert ("对方认可" in text) == (stage in ("AR", "SIT"))
    assert ("被上诉人" in text) == (stage in ("AR", "SIT"))


def test_nobody_reads_anothers_and_judges_have_none() -> None:
    """Each writes down a word of his own; it comes back to him in every later stage, and to nobody else."""

    def marking(request: Request, text: str) -> str:
        if request.act != "remember":
            return text
        column = "notes" if request.view.variables["me"]["kind"] == "lawyer" else "progress"
        call = {"name": "expand_memory", "arguments": {"field": column, "content": f"〔{request.person}〕"}}
        return f"{text}\n<tool_call>{json.dumps(call)}</tool_call>"

    game = play("jiedai", MINE, fields={"appellants": "被告"}, script=marking)
    writers = {event.person for event in game.of(Remembered)}
    assert writers == {MINE, "defendant_lawyer", "plaintiff", "defendant-1", "defendant-2"}
    seen: dict[str, set[str]] = {}
    for request in game.requests:
        words = "\n".join(message.content for message in request.added)
        found = seen.setdefault(request.person, set())
        found |= {person for person in writers if f"〔{person}〕" in words}
        if request.person not in writers:
            assert request.view.variables["notes"] == () and not request.view.variables["memory"]
    assert seen == {person: {person} if person in writers else set() for person in seen}
    assert {"judge", "appeal_judge", *writers} == set(seen)


def test_goals_of_one_side_never_reach_the_other_by_way_of_memory() -> None:
    for request in life().requests:
        text = "\n".join(message.content for message in request.added)
        side = request.view.variables["me"]["side"]
        if side != "plaintiff":
            assert "一次性收到900000元" not in text
        if side != "defendant":
            assert "分12期返还，合计不超过800000元" not in text


def test_switched_off_nobody_writes_and_the_case_still_ends() -> None:
    game = life(memory="no")
    assert game.of(Remembered) == [] and game.of(Violated) == []
    assert game.status == "ended"
    assert not any(remembered_part(request) for request in game.requests)
