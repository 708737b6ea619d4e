"""Who answered in place of a model: fallbacks that stood in, servers that call themselves otherwise than before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Asked, Event, Reply
from ..models.named import tried_habits
from ..models.named.catalogue import is_called, open_catalogue
from .journal import Line, events_in
from .open_run import calls_with
from .project import Problems
from .run_info import RunInfo


def stand_ins(info: RunInfo, lines: Iterable[Line], replies: Mapping[str, Reply]) -> dict[tuple[str, str, str], int]:
    """Return (role, name, who answered in its place) -> how many replies he gave."""
    found: dict[tuple[str, str, str], int] = {}
    for event, now in calls_with(info, lines):
        reply, name = replies.get(event.id), now.models.get(event.role, "")
        if reply is not None and reply.by not in ("", name):
            found[event.role, name, reply.by] = found.get((event.role, name, reply.by), 0) + 1
    return found


Renamed = frozenset[tuple[str, str]]
"""(name, what its server called what answered) of which a warning says that it was another when it was tried."""


def told_of_answers(
    info: RunInfo, lines: Sequence[Line], replies: Mapping[str, Reply], cwd: Path
) -> tuple[Problems, Renamed]:
    """Return warnings, each once: of fallbacks that answered, of servers that are not those that were tried; and the
    answers of the latter."""
    if not any(map(is_called, info.models.values())):
        return (), frozenset()
    events = tuple(events_in(lines))
    stood_in: dict[tuple[str, str], int] = {}
    for (_, name, other), count in stand_ins(info, lines, replies).items():
        stood_in[name, other] = stood_in.get((name, other), 0) + count
    fallen = (
        diagnose.fallback_answers("--model", name=name, other=other, count=count)
        for (name, other), count in stood_in.items()
    )
    others = _others(info, events, replies, cwd)
    return (*fallen, *others.values()), frozenset(others)


def _others(
    info: RunInfo, events: Iterable[Event], replies: Mapping[str, Reply], cwd: Path
) -> Mapping[tuple[str, str], Diagnostic]:
    """Servers that called themselves by another name than when they were tried."""
    habits = open_catalogue(cwd).habits
    told: dict[tuple[str, str], Diagnostic] = {}
    for event in events:
        reply = replies.get(event.id) if isinstance(event, Asked) else None
        if reply is None or not isinstance(event, Asked):
            continue
        name = reply.by or info.models.get(event.role, "")
        known = habits.get(name)
        if known is not None and known.model == info.model_of(name) and (name, reply.model) not in told:
            problem = tried_habits.other_model(name, "--model", known, reply)
            if problem is not None:
                told[name, reply.model] = problem
    return told
