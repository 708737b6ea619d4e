"""What `lw show` tells of a run, as data: one JSON object each, with the names of the journal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.events import Asked, Called, Event, Reviewed, Spoke, Violated
from ..journal import AnswerLine, EventLine
from ..lifecycle import OpenRun
from .turns import messages_of, request_at


def _events(opened: OpenRun) -> Iterator[Event]:
    return (line.event for line in opened.loaded.lines if isinstance(line, EventLine))


def _rows(opened: OpenRun) -> list[tuple[Asked, dict[str, Any]]]:
    """Every call with what it was about and what came of it; a call without an answer has no `reply`."""
    heard = {event.request: event.text for event in _events(opened) if isinstance(event, Spoke)}
    replies = {line.request: line.reply for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    found = []
    calls = [event for event in _events(opened) if isinstance(event, Asked)]
    for number, call in enumerate(calls, 1):
        row = {"turn": number, "request": call.id, "place": call.place, "person": call.person}
        row |= {"role": call.role, "speaker": call.speaker, "act": call.act}
        row |= {"heard": heard[call.id]} if call.id in heard else {}
        if call.id in replies:
            row |= replies[call.id].model_dump(mode="json", exclude_defaults=True) | {"reply": replies[call.id].text}
            row.pop("text", None)
        found.append((call, row))
    return found


def turns(opened: OpenRun) -> dict[str, Any]:
    """All calls in order."""
    return {"turns": [row for _, row in _rows(opened)]}


def turn(opened: OpenRun, number: int, *, prompt: bool, view: bool) -> dict[str, Any] | Diagnostic:
    """One call; on demand the messages that were sent, and the fields that could be seen."""
    rows = _rows(opened)
    if not 1 <= number <= len(rows):
        return diagnose.unknown_call("--turn", turn=number, last=len(rows))
    call, row = rows[number - 1]
    if prompt:
        row["prompt"] = [one.model_dump(mode="json", exclude_defaults=True) for one in messages_of(opened, call)]
    if view and (request := request_at(opened, call.id)) is not None:
        row["view"] = [
            {"field": shown.name, "whose": shown.whose, "entries": [_plain(entry) for entry in shown.entries]}
            for shown in request.view.knowledge.shown
        ]
    return row


def tools(opened: OpenRun) -> dict[str, Any]:
    """All tool calls, and how many of them were refused."""
    calls = [event for event in _events(opened) if isinstance(event, Called)]
    refused = sum(bool(event.refused) for event in calls)
    return {"calls": [_data(event) for event in calls], "refused": refused}


def pairs(opened: OpenRun) -> Iterator[dict[str, Any]]:
    """Of each speech that was drafted several times with scores: the best and the worst draft (ASP2LJ, section 2.1).

    `prompt`: the messages that asked for the first draft. Drafts without scores, or all with the same, make no pair.
    """
    asked: dict[str, Asked] = {}
    drafts: dict[str, list[Reviewed]] = {}
    for event in _events(opened):
        if isinstance(event, Asked) and event.act not in ("review", "revise"):
            asked[event.person] = event
        elif isinstance(event, Reviewed) and event.number == 1 and event.person in asked:
            drafts[asked[event.person].id] = [event]
        elif isinstance(event, Reviewed) and event.person in asked:
            drafts.setdefault(asked[event.person].id, []).append(event)
    calls = {event.id: event for event in _events(opened) if isinstance(event, Asked)}
    for request, those in drafts.items():
        scored = [one for one in those if one.scores]
        best, worst = max(scored, key=_total, default=None), min(scored, key=_total, default=None)
        if best is not None and worst is not None and _total(best) > _total(worst):
            sent = messages_of(opened, calls[request])
            prompt = [one.model_dump(mode="json", include={"role", "content"}) for one in sent]
            yield {
                "request": request,
                "speaker": best.speaker,
                "prompt": prompt,
                "chosen": {"text": best.text, "scores": best.scores},
                "rejected": {"text": worst.text, "scores": worst.scores},
            }


def _total(one: Reviewed) -> float:
    return sum(one.scores.values())


def violations(opened: OpenRun) -> dict[str, Any]:
    """All broken rules of conduct."""
    return {"violations": [_data(event) for event in _events(opened) if isinstance(event, Violated)]}


def _data(event: Event) -> dict[str, Any]:
    return event.model_dump(mode="json", exclude={"kind"})


def _plain(value: Any) -> Any:
    """A value of a view as JSON has it: records as objects, tuples as lists, what is missing as null."""
    match value:
        case str() | int() | float() | bool() | None:
            return value
        case tuple() | list():
            return [_plain(each) for each in value]
        case _ if hasattr(value, "keys"):
            return {str(key): _plain(value[key]) for key in value}
        case _:
            return str(value) or None
