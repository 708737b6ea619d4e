"""What a person saw at a call: his view, made by playing the run again up to there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...engine.view import View
from ...model.case import MISSING, Record, called
from ...model.events import Asked, Request
from ...wording import say
from ..journal import AnswerLine, EventLine
from ..loop import ReplayLog, replayed
from ..open_run import OpenRun


def request_at(opened: OpenRun, identity: str) -> Request | None:
    """The request of a call as it was; None where the run has no such call."""
    lines = [line for line in opened.loaded.lines if not (isinstance(line, AnswerLine) and line.request == identity)]
    for index, line in enumerate(lines):
        if isinstance(line, EventLine) and isinstance(line.event, Asked) and line.event.id == identity:
            waiting = replayed(opened.game(), ReplayLog(lines[: index + 1]))
            return waiting if isinstance(waiting, Request) else None
    return None


def view_data(view: View) -> list[dict[str, Any]]:
    """The fields that could be seen, each with its entries."""
    return [
        {"field": shown.name, "whose": shown.whose, "entries": entries_data(shown.entries)}
        for shown in view.knowledge.shown
    ]


def entries_data(entries: Iterable[Any]) -> list[Any]:
    """Return the entries of a field that could be seen."""
    return [_plain(entry) for entry in entries]


def _plain(value: Any) -> Any:
    """A value of a view as JSON has it: records as objects, tuples as lists, what is missing as null."""
    match value:
        case str() | int() | float() | bool() | None:
            return value
        case tuple() | list():
            return [_plain(entry) for entry in value]
        case _ if hasattr(value, "keys"):
            return {str(key): _plain(value[key]) for key in value}
        case _:
            return str(value) or None


def view_text(view: View) -> str:
    """The fields that could be seen as nested lines, each named as in the matrix."""
    today = view.variables["scene"]["today"]
    lines = [say("run.view_today", day=today)] if today else []
    for shown in view.knowledge.shown:
        field = shown.name if shown.whose == "all" else f"{shown.name} {shown.whose}"
        field = f"minutes of {shown.name}" if shown.whose == "minutes" else field
        title = "" if shown.title == shown.name else shown.title
        lines.append("● " + (say("run.view_item", title=title, field=field) if title else field))
        for entry in shown.entries:
            head = [str(entry[key]) for key in ("title", "by", "name") if entry.get(key)]
            lines += [f"  {'·'.join(head)}"] if head else []
            about = _about(entry)
            lines += [f"  {about}"] if about else []
            lines += [f"    {line}".rstrip() for line in _value(entry["value"])]
            lines += [f"    {line}" for line in _revealed(entry)]
    return "\n".join(lines)


def _about(entry: Mapping[str, Any]) -> str:
    """What an answer is about, as its reader is told: the items of the loops around it, the outer first."""
    item = entry.get("item") or MISSING
    label = called(item) if item else entry.get("numbered", "")
    return say("run.view_among").join(filter(None, (*entry.get("outer", ()), label)))


def _revealed(entry: Mapping[str, Any]) -> Iterator[str]:
    """What is known of a vote beside its result: how many votes, whose, and the reader's own."""
    counts = {one["value"]: str(one["count"]) for one in entry.get("counts", ())}
    votes = {one["by"]: one["value"] for one in entry.get("votes", ())}
    yield from (_inline(known) for known in (counts, votes) if known)
    if entry.get("mine"):
        yield say("run.view_mine", value=entry["mine"])


def _value(value: Any) -> Iterator[str]:
    """A text line by line, a record key by key, a list number by number."""
    match value:
        case str():
            yield from value.split("\n")
        case tuple() | list():
            for number, entry in enumerate(value, 1):
                first, *rest = list(_value(entry)) or [""]
                yield f"{number}. {first}"
                yield from (f"   {line}" for line in rest)
        case Record() | Mapping():
            yield from _pairs(value)
        case _:
            return


def _pairs(record: Record | Mapping[str, Any]) -> Iterator[str]:
    for key in record:
        if record[key]:
            yield say("run.view_pair", name=key, value=_inline(record[key]))


def _inline(value: Any) -> str:
    """A value of a record on one line."""
    match value:
        case tuple() | list():
            return say("run.view_among").join(map(_inline, value))
        case Record() | Mapping():
            return say("run.view_between").join(_pairs(value))
        case _:
            return str(value)
