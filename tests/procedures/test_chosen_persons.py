"""Persons chosen from a list, by strikes and by votes: neighbours of two invented communes by a generator.

Drawn are how many are listed, what they are called, whom each side strikes and by which words, and how many would be
too many. What holds in each: who is struck does not sit, nobody strikes more than the limit, who was not to be chosen
was not, who presides sits and has not left, and nobody else hears the talk.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import test_families as families
from playing import Game

from legalworld.engine.open_questions import deciding
from legalworld.model import events as e
from legalworld.model.votes import Voted

LIMIT, SEATS = 2, 3
NAMES = {
    "commune": [
        "Oakes",
        "Fenn, Pell and Marsh LLP",
        "Ann",
        "Ann",
        "O'Neil",
        "Bell & Co., Ltd",
        "Nobody's Farm",
        "Di",
        "Ed",
    ],
    "commune-zh": ["欧白", "芬、凯事务所", "裴朵", "裴朵", "马和尔", "索菲（磨坊）", "陆吉", "无名氏", "与非"],
}
KEYS = {"commune": ("list", "struck", "presiding", "leaves"), "commune-zh": ("名单", "不要", "主持的人", "离席")}
SIDES = {"commune": ("complainant", "respondent"), "commune-zh": ("申诉人", "对方人")}
LISTED = {"commune": "listed", "commune-zh": "社众"}


def drawn(spec: str, seed: int) -> tuple[list[str], dict[str, str], bool]:
    """Who is listed, what is answered, and whether the one who is elected leaves."""
    die = random.Random(f"{spec}{seed}")
    count = die.randint(4, 9)
    listed = die.sample(NAMES[spec], count)
    _, struck, presiding, _ = KEYS[spec]
    given: dict[str, str] = {}
    for side in SIDES[spec]:
        wanted = die.sample(range(count), die.randint(0, LIMIT + 1))
        words = [
            f"{LISTED[spec]}-{n + 1}" if die.random() < 0.5 or listed.count(listed[n]) > 1 else listed[n]
            for n in wanted
        ]
        given[f"{struck}@{side}"] = die.choice(["; ", "；"]).join(words) or die.choice(["nobody", "无人", "none"])
    given[presiding] = f"{LISTED[spec]}-{die.randint(1, count)}"
    return listed, given, die.random() < 0.4


def played(spec: str, seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    listed, given, leaves = drawn(spec, seed)
    key = KEYS[spec]
    options = {key[3]: "yes" if leaves else "no"}
    # what names more than the limit is refused with the case: it is given to nobody and said by a reply below
    kept = {word: value for word, value in given.items() if len(value.replace("；", ";").split(";")) <= LIMIT}
    change: dict[str, Any] = {key[0]: [{"name": name} for name in listed], "offline answers": kept}
    variant = {"spec": spec, "case": spec, "options": options, "change": change, "outcome": ""}
    monkeypatch.setitem(families.VARIANTS, "drawn", variant)
    found, _ = families.play("drawn", folder, marking=True)
    return found


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("spec", ["commune", "commune-zh"])
def test_who_sits_and_presides(spec: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = played(spec, seed, tmp_path, monkeypatch)
    listed, given, _ = drawn(spec, seed)
    _, struck, presiding, _ = KEYS[spec]
    captured = found.of(e.Captured)
    gone: list[str] = []
    for strike in (one for one in captured if one.name == struck):
        assert len(strike.chosen) <= LIMIT and not set(strike.chosen) & set(gone)
        gone += strike.chosen
    roles = {"commune": ("lay_judge", "speaker"), "commune-zh": ("公断人", "领头人")}[spec]
    seated = next(one.persons for one in found.of(e.Assigned) if one.role == roles[0])
    assert (
        seated
        == tuple(f"{LISTED[spec]}-{n + 1}" for n in range(len(listed)) if f"{LISTED[spec]}-{n + 1}" not in gone)[:SEATS]
    )
    (vote,) = (one for one in found.of(Voted) if one.name == presiding)
    assert set(vote.chosen) <= set(seated) and len(vote.chosen) == bool(vote.result)
    wanted = given[presiding]
    assert (wanted in seated) == (vote.chosen == (wanted,))
    speaker = [one.persons for one in found.of(e.Assigned) if one.role == roles[1]][-1]
    talk = [one for one in found.requests if one.act == "converse"]
    assert len(speaker) == 1 and set(speaker) <= set(seated)
    assert {one.person for one in talk} <= set(seated)
    leaks = [
        (role, mark)
        for role, _, mark in families.known_to(found)
        if (may := families.insiders(spec, mark)) is not None and role not in may
    ]
    assert leaks == []


@pytest.mark.parametrize("spec", ["commune", "commune-zh"])
@pytest.mark.parametrize("words", ["3", "unknown", "own"])
def test_whom_nobody_may_strike(spec: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three where two may be named, somebody who is not on the list, a party: asked once more, then nobody is."""
    struck, side = KEYS[spec][1], SIDES[spec][0]
    listed = LISTED[spec]
    value = {"3": f"{listed}-1; {listed}-2; {listed}-3", "unknown": "Zacharias", "own": side}[words]
    variant = {"spec": spec, "case": spec, "change": {}, "outcome": ""}
    monkeypatch.setitem(families.VARIANTS, "drawn", variant)
    said = families.Offline.answer

    def answer(self: Any, request: e.Request) -> e.Reply:
        reply = said(self, request)
        asked = request.form.answer
        if asked is not None and asked.name == struck and request.person == side:
            return reply.model_copy(update={"text": f"【{asked.called}：{value}】"})
        return reply

    monkeypatch.setattr(families.Offline, "answer", answer)
    found, _ = families.play("drawn", tmp_path)
    first = next(one for one in found.of(e.Captured) if one.name == struck)
    assert (first.source, first.chosen, first.value) == ("unanswered", (), ())
    assert [one.rule for one in found.of(e.Violated)][:2] == ["no_answer", "no_answer"]


@pytest.mark.parametrize("spec", ["commune", "commune-zh"])
def test_who_sits_is_never_made_up(spec: str) -> None:
    """An answer that chooses who sits stops a run when nobody gives it, as one does on which a condition hangs."""
    procedure = families.project(spec).procedure
    assert procedure is not None and set(KEYS[spec][1:3]) <= deciding(procedure)
