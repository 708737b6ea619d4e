"""What a view of a run is: the options that ask for it, what it reads, and that as JSON and as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ...model.events import Asked, Event
from ...model.immutable import immutable
from ..open_run import OpenRun
from ..project import Problems

ValueT = TypeVar("ValueT")


@immutable
class ShowRequest:
    """What is asked of a view: the number of a call and what of it, whose memory, as it was when
    which stage began, who it is that heard something, and of which part of a decision the reasons are wanted.
    """

    turn: int = 0
    prompt: bool = False
    view: bool = False
    memory: str = ""
    at: str = ""
    heard: str = ""
    why: str = ""


@immutable
class RunView(Generic[ValueT]):
    """One view of `lw show`.

    `options`: those of which any asks for it. `read`: its value, or None with the problems that are the reason; beside
    a value they are warnings. `data`: the value as JSON, of a list one object a line. `text`: the value as a person
    reads it; None for a view that is JSON either way.
    """

    options: tuple[str, ...]
    read: Callable[[OpenRun, ShowRequest], tuple[ValueT | None, Problems]]
    data: Callable[[ValueT], dict[str, Any] | list[dict[str, Any]]]
    text: Callable[[ValueT, OpenRun], str] | None


def calls_of(opened: OpenRun) -> list[Asked]:
    """All calls of a run in order; the first is turn 1."""
    return [event for event in opened.events if isinstance(event, Asked)]


def event_data(event: Event) -> dict[str, Any]:
    """An event as JSON, with the names of the journal."""
    return event.model_dump(mode="json", exclude={"kind"})
