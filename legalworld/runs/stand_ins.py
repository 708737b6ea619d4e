"""Who answered in place of a model: fallbacks that stood in, servers that call themselves otherwise than before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Asked, Event, Reply
from ..models.named import tried_habits
from ..models.named.catalogue import is_called, open_catalogue
from .project import Problems
from .run_info import RunInfo


def stand_ins(info: RunInfo, events: Iterable[Event], replies: Mapping[str, Reply]) -> dict[tuple[str, str, str], int]:
    """Return (role, name, who answered in its place) -> how many replies he gave."""
    found: dict[tuple[str, str, str], int] = {}
    for event in events:
        if isinstance(event, Asked) and (reply := replies.get(event.id)) is not None and reply.by:
            who = event.role, info.models.get(event.role, ""), reply.by
            found[who] = found.get(who, 0) + 1
    return found


def as_played(models: Mapping[str, str], events: Iterable[Event], by: Mapping[str, str]) -> dict[str, str]:
    """Return role -> backbone; `first + second` where another one answered some of its requests, so that a mixed run is
    never counted with those of either. `by`: request -> who stood in."""
    others: dict[str, dict[str, None]] = {}
    for event in events if by else ():
        if isinstance(event, Asked) and event.id in by:
            others.setdefault(event.role, {})[by[event.id]] = None
    return {role: " + ".join((name, *sorted(others.get(role, ())))) for role, name in models.items()}


def told_of_answers(info: RunInfo, events: Iterable[Event], replies: Mapping[str, Reply], cwd: Path) -> Problems:
    """Return warnings, each once: of fallbacks that answered, of servers that are not those that were tried."""
    if not any(map(is_called, info.models.values())):
        return ()
    events = tuple(events)
    stood_in: dict[tuple[str, str], int] = {}
    for (_, name, other), count in stand_ins(info, events, replies).items():
        stood_in[name, other] = stood_in.get((name, other), 0) + count
    fallen = (
        diagnose.fallback_answers("--model", name=name, other=other, count=count)
        for (name, other), count in stood_in.items()
    )
    return (*fallen, *_others(info, events, replies, cwd))


def _others(info: RunInfo, events: Iterable[Event], replies: Mapping[str, Reply], cwd: Path) -> Iterable[Diagnostic]:
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
    return told.values()
