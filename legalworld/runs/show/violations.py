"""The rules of conduct that were broken in a run: where, by whom, which, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...model.events import Violated
from ...wording import say
from ...wording.columns import table
from ..lifecycle import OpenRun
from ..project import Problems
from .views import RunView, ShowRequest, calls_of, event_data, events_of


@dataclass(frozen=True, slots=True)
class ViolationList:
    """All violations. `speakers`: by request; `titles`: of the rules of the procedure, by id."""

    events: list[Violated]
    speakers: dict[str, str]
    titles: dict[str, str]


def _read(opened: OpenRun, _: ShowRequest) -> tuple[ViolationList, Problems]:
    speakers = {call.id: call.speaker for call in calls_of(opened)}
    titles = {rule.id: rule.title for rule in opened.procedure.conduct}
    return ViolationList([one for one in events_of(opened) if isinstance(one, Violated)], speakers, titles), ()


def _data(violations: ViolationList) -> dict[str, Any]:
    return {"violations": [event_data(event) for event in violations.events]}


def _text(violations: ViolationList) -> str:
    rows = [
        (
            event.place,
            violations.speakers[event.request],
            violations.titles.get(event.rule) or say(f"violation.{event.rule}"),
            event.detail,
        )
        for event in violations.events
    ]
    return "\n".join(table(rows)) if rows else say("run.no_violations")


VIOLATIONS = RunView(("violations",), _read, _data, _text)
