"""The tool calls of a run: who used which tool, and what came of it."""

from __future__ import annotations

from typing import Any

from ...model.events import Called
from ...wording import say
from ...wording.columns import table
from ..lifecycle import OpenRun
from ..project import Problems
from .views import RunView, ShowRequest, event_data, events_of


def _read(opened: OpenRun, _: ShowRequest) -> tuple[list[Called], Problems]:
    return [event for event in events_of(opened) if isinstance(event, Called)], ()


def _data(calls: list[Called]) -> dict[str, Any]:
    return {"calls": [event_data(call) for call in calls], "refused": _refused(calls)}


def _text(calls: list[Called]) -> str:
    """One line each, and how many were refused."""
    if not calls:
        return say("run.no_tools")
    rows = [
        (
            call.place,
            call.person,
            call.tool or "?",
            say(f"refused.{call.refused}") if call.refused else "✓",
            " ".join(call.result.split())[:60],
        )
        for call in calls
    ]
    return "\n".join([*table(rows), "", say("run.tools_count", count=len(calls), refused=_refused(calls))])


def _refused(calls: list[Called]) -> int:
    return sum(bool(call.refused) for call in calls)


TOOLS = RunView(("tools",), _read, _data, _text)
