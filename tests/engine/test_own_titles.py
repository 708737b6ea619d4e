"""Whoever speaks has been told by which title the record calls him, and whom it calls otherwise from when on.

Neighbours: kinds with words of their own and without; one person of a title, several, with names and without; offices
with a title, beside the former one, with the former one alone, silent; given before a word was said, in between, in a
loop, twice; to some or to all; in English and in Chinese.
"""

from __future__ import annotations

import re
from itertools import product

import pytest
from neighbours import Game, played

from legalworld.model.attendance import Attended
from legalworld.model.events import Asked, Request, Spoke

SPEC = """\
lw: 1
procedure: titles
title: Titles
locale: {locale}
case:
  members: {{path: "$.members[*]", each: member, keys: [name]}}
kinds: {{C: chair, K: {kind}}}
roles:
  chair: {{title: Chair, kind: chair}}
  panel: {{title: Panellist, kind: {kind}, {held}}}
  office: {{{office}assigned: yes}}
stages:
  - stage: court
    title: T
    steps:
{steps}"""
HELD = {"numbers": "persons: 3", "names": "each: members", "one": "persons: 1"}
OFFICES = ("title: Speaker, ", "title: Elder, alongside: yes, ", "formerly: old, ", "")
ASK = "      - chair asks panel: x\n"
GIVE = "      - assign office: panel\n"
SOME = "      - assign office: those who answered yes to chosen\n"
CHOOSE = "      - chair asks panel: x\n        answer: chosen is yes or no\n"
EACH = "          - chair asks one: x\n          - assign office: one\n          - one states: x\n"
LOOP = "      - for each one in panel:\n" + EACH
LAST = "      - office states: x\n      - panel states: x\n      - chair announces: x\n"
STEPS = (GIVE + LAST, ASK + GIVE + LAST, CHOOSE + SOME + LAST, ASK + LOOP + LAST, CHOOSE + SOME + GIVE + LAST)
CASE = "lw: 1\ncase: c\nmembers: [{name: Ann}, {name: Bob}, {name: Cyd}]\n"


def _say(request: Request) -> str:
    if request.form.answer is None:
        return "word"
    return "word <<chosen: yes>>" if request.person.endswith("2") else "word <<chosen: no>>"


def _told(game: Game, thread: str, before: str) -> str:
    """All that a thread was sent, up to and with a request."""
    sent = []
    for event in game.of(Asked):
        if event.thread == thread:
            sent += [message.content for message in event.added]
        if event.id == before:
            break
    return "\n".join(sent)


@pytest.mark.parametrize(("locale", "kind"), list(product(("en", "zh"), ("panel", "judge", "client", "lawyer"))))
def test_who_speaks_knows_how_he_is_called(locale: str, kind: str) -> None:
    for held, office, steps in product(HELD, OFFICES, STEPS):
        spec = SPEC.format(locale=locale, kind=kind, held=HELD[held], office=office, steps=steps)
        game = played(spec, CASE, _say)
        asked = [event for event in game.of(Asked) if event.person != "chair"]
        assert asked
        for event in asked:
            told = _told(game, event.thread, event.id)
            own = [line for line in told.splitlines() if re.match(r"You are |\[You are |你是|【你", line)]
            plain = event.speaker.replace(" ", "")
            assert any(plain in re.sub(r"[ ,]", "", line) for line in own), (event.speaker, told, spec)


@pytest.mark.parametrize("locale", ("en", "zh"))
def test_who_is_called_otherwise_is_told_to_all_who_heard_the_old_title(locale: str) -> None:
    for held, office, steps in product(HELD, OFFICES, STEPS):
        spec = SPEC.format(locale=locale, kind="panel", held=HELD[held], office=office, steps=steps)
        game = played(spec, CASE, _say)
        called: dict[str, str] = {}
        for event in game.events:
            if isinstance(event, Attended) and event.how == "titled":
                for person, old, new in zip(event.persons, event.speakers, event.titles, strict=True):
                    assert called.get(person, old) == old != new
                    called[person] = new
            if isinstance(event, Spoke):
                assert called.setdefault(event.person, event.speaker) == event.speaker, spec
        renamed = [event for event in game.of(Attended) if event.how == "titled"]
        assert bool(renamed) == (bool(office) and steps is not STEPS[0] and (held != "one" or steps is not STEPS[2])), (
            spec
        )
        for event in renamed:
            begun = {one.person for one in game.events[: game.events.index(event)] if isinstance(one, Spoke | Asked)}
            assert begun <= set(event.heard_by)
