"""A run that is to stop at a place stops there, or as soon as the place can no longer come: in every construct of the
language and in shipped procedures, at every place, each time that it comes and the time after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from neighbours import opened, played
from playing import matter, project
from playing import play as play_shipped
from scripted import CONSTRUCTS, play, read_construct

from legalworld.engine.interpreter import interpret
from legalworld.engine.reach import never, place_of
from legalworld.engine.settings import Settings
from legalworld.model.case import Case
from legalworld.model.events import Entered, Event, Reply, Request
from legalworld.model.immutable import replace
from legalworld.model.interruptions import Interrupted
from legalworld.model.plan import walk
from legalworld.model.procedure import Procedure, places, steps_of
from legalworld.runs.journal import AnswerLine, EventLine, Line
from legalworld.runs.loop import Finished, Game, ReplayLog, replayed
from legalworld.runs.plan import known_reach

FOLDERS = sorted(folder.parent for folder in CONSTRUCTS.glob("*/spec.yaml"))


def named(procedure: Procedure, events: Sequence[Event]) -> Iterator[tuple[str, bool]]:
    """Each place that can be named, and whether the run came there: as often as it did, and once more."""
    closing = {id(step) for stage in procedure.stages for step in walk(stage.closing)}
    closing |= {id(step) for stage in procedure.stages for phase in stage.phases for step in walk(phase.closing)}
    came = {event.place for event in events if isinstance(event, Entered | Interrupted)}
    times = Counter(place.partition("#")[0] for place in came)
    for place, part in places(procedure):
        if id(part) in closing:
            continue
        for number in range(1, times[place] + 2):
            word = place if number == 1 else f"{place}#{number}"
            yield word, word in came


def stopped(game: Game, lines: list[Line]) -> tuple[Finished, int]:
    """How a recorded run stands when it is played again to where it is to stop; the number of events until then."""
    told: list[object] = []
    finished = replayed(game, ReplayLog(lines), told.append)
    assert isinstance(finished, Finished)
    return finished, sum(not isinstance(one, Request) for one in told)


def check(procedure: Procedure, case: Case, settings: Settings, lines: list[Line], game: object) -> Counter[str]:
    """Stop at every place; what became of it, counted."""
    events = [line.event for line in lines if isinstance(line, EventLine)]
    found: Counter[str] = Counter()
    for word, came in dict(named(procedure, events)).items():
        ahead = replace(settings, until=word)
        ruled_out = never(procedure, case, ahead, word)
        finished, told = stopped(game(ahead), lines)  # type: ignore[operator]
        if came:
            assert ruled_out is None, word
            assert (finished.status, finished.place) == ("paused", word)
            assert getattr(events[told], "place", "") == word  # just before it is entered
            found["came"] += 1
        else:
            assert finished.status == "missed", word
            assert told < len(events), word  # before the end
            assert (ruled_out is None) == (known_reach(procedure, case, ahead, "--until") == ())
            found["refused" if ruled_out else "missed"] += 1
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_place_of_every_construct(folder: Path) -> None:
    construct = read_construct(folder)
    if construct.settings.until:
        return
    played = play(construct)
    lines: list[Line] = []
    for number, one in enumerate(played.record, 1):
        lines.append(AnswerLine(number, one[0].id, one[1]) if isinstance(one, tuple) else EventLine(number, one))
    procedure = construct.project.procedure
    assert procedure is not None

    def game(settings: Settings) -> Game:
        return replace(construct, settings=settings).game()

    check(procedure, construct.case, construct.settings, lines, game)


def recorded(spec: str, case: str, target: str) -> tuple[Procedure, Case, Settings, list[Line]]:
    """A shipped case, played offline, as its journal would have it."""
    game = play_shipped(case, target, spec=spec)
    opened = project(spec)
    procedure = opened.procedure
    assert procedure is not None
    options = {name: option.default for name, option in procedure.options.items()}
    answers = dict(zip((request.id for request in game.requests), game.replies, strict=True))
    lines: list[Line] = []
    for event in game.events:
        lines.append(EventLine(len(lines) + 1, event))
        if (said := answers.get(getattr(event, "id", ""))) is not None:
            lines.append(AnswerLine(len(lines) + 1, event.id, Reply(text=said)))  # type: ignore[union-attr]
    return procedure, matter(case, spec=spec).case, Settings(target, 0, options), lines


def test_a_place_that_the_run_does_not_come_to_stops_it_where_that_is_clear() -> None:
    """The second instance of the other side: which it is shows when one of them appeals."""
    procedure, case, settings, lines = recorded("smallclaims", "smallclaims-garden", "")
    events = [line.event for line in lines if isinstance(line, EventLine)]
    words = [word for word, came in dict(named(procedure, events)).items() if not came]
    assert words
    for word in words[:12]:
        place = place_of(procedure, word)
        assert place is not None

        finished, told = stopped(
            interpret(procedure, case, replace(settings, until=word), project("smallclaims").templates), lines
        )
        assert finished.status == "missed" and told < len(events)


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("loop", ["repeat 9 rounds", "for each one in left, right, judge, clerk, usher"])
def test_a_place_in_a_phase_that_may_be_reopened_is_waited_for_as_often_as_it_may(times: int, loop: str) -> None:
    """The loop goes on for nine rounds or five; the run stops behind the last time that the phase is reopened."""
    spec = f"""\
lw: 1
procedure: again
title: Again
locale: en
kinds: {{J: judge}}
options: {{wanted: {{title: Wanted, choices: [yes, no], default: no}}}}
roles:
  judge: {{title: Judge, kind: judge}}
  left: {{title: Left, kind: judge}}
  right: {{title: Right, kind: judge}}
  clerk: {{title: Clerk, kind: judge}}
  usher: {{title: Usher, kind: judge}}
stages:
  - stage: court
    title: Court
    phases:
      - phase: first
        title: First
        steps:
          - judge states: x
          - if wanted:
              - judge states: never
                id: goal
      - phase: second
        title: Second
        steps:
          - {loop}:
              - judge states: before
                id: before
              - reopen first:
                at most: {times} times
          - judge states: behind
            id: behind
"""
    opened_ = opened(spec)
    assert opened_.procedure is not None
    goal = next(place for place, part in places(opened_.procedure) if place.endswith("goal"))
    game = played(spec, until=goal)
    assert len([event for event in game.of(Entered) if event.place.partition("#")[0].endswith("before")]) == times
    assert not [event for event in game.of(Entered) if event.place.endswith("behind")]


@pytest.mark.parametrize("folder", FOLDERS[::8], ids=lambda folder: folder.name)
def test_a_step_is_no_place_without_its_stage(folder: Path) -> None:
    procedure = read_construct(folder).project.procedure
    assert procedure is not None
    stages = {stage.id for stage in procedure.stages}
    for name in {step.info.id for stage in procedure.stages for step in steps_of(stage)} - stages:
        assert [place_of(procedure, word) for word in (name, f"{name}#2", f"nowhere/{name}")] == [None] * 3
