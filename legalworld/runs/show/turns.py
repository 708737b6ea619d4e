"""The calls of a run: all of them, a line each, or one with its prompt and what could be seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.tools import calls_of as called_in
from ...engine.view import View
from ...language import diagnose
from ...model.events import Asked, Entered, Message, Offer, Reply, Spoke
from ...model.immutable import immutable
from ...models import tool_calls
from ...models.habits import Adjustment
from ...wording import say
from ...wording.columns import columns, fit, width
from ...wording.struck import marked
from ..adjustments import adjustments, adjustments_data, adjustments_text
from ..gaps import Gap, gaps, gaps_data, gaps_text
from ..open_run import OpenRun
from ..project import Problems
from ..run_info import NATIVE
from .calendar import calendar_data, calendar_text
from .changed import changes_data, changes_text
from .prompts import messages_of, messages_text
from .sights import request_at, view_data, view_text
from .views import RunView, ShowRequest, calls_of

Row = dict[str, Any]


def call_rows(opened: OpenRun) -> list[Row]:
    """Return every call with what it was about and what came of it; a call without an answer has no `reply`."""
    heard: dict[str, str] = {}
    for event in marked(opened.events, opened.procedure.locale):
        if isinstance(event, Spoke):  # words that were objected to are heard in two pieces
            heard[event.request] = f"{heard.get(event.request, '')} {event.text}".lstrip()
    replies = opened.answers
    rows = []
    for number, call in enumerate(calls_of(opened), 1):
        row: Row = {"turn": number, "request": call.id, "place": call.place, "person": call.person}
        row |= {"role": call.role, "speaker": call.speaker, "act": call.act}
        row |= {"heard": heard[call.id]} if call.id in heard else {}
        row |= {"asked": how} if (how := _how(call)) else {}
        if reply := replies.get(call.id):
            row |= _called(reply, bool(opened.procedure.tools))
            row |= reply.model_dump(mode="json", exclude_defaults=True, exclude={"text"}) | {"reply": reply.text}
        rows.append(row)
    return rows


def _how(call: Asked) -> str:
    """`again` where the reply before lacked something, `tools` where it called tools; "" for a turn's first call."""
    homes = {home.rpartition("/")[2] for message in call.added for home, _ in message.parts}
    if "again.j2" in homes:
        return "again"
    return "tools" if "results.j2" in homes or any(message.role == "tool" for message in call.added) else ""


def _called(reply: Reply, tools: bool) -> Row:
    """The tools that a reply calls and does nothing else."""
    calls, words = called_in(reply) if tools else ((), reply.text)
    return {"only_calls": [call.name for call in calls]} if calls and not words else {}


# ---- all calls -------------------------------------------------------------------------------------------------------


_Listed = tuple[list[Row], list[Row], Mapping[str, Gap], tuple[Adjustment, ...], list[Row]]
"""The calls, the calendar, what documents lack, what was not sent as it was set, what the run was gone on with."""


def _list(listed: _Listed, opened: OpenRun) -> str:
    """One line per call: its number, step, speaker, act, and how the reply begins; places as headings."""
    rows, calendar = listed[0], [*changes_text(listed[4]), *calendar_text(listed[1])]
    if not rows:
        return "\n".join([*calendar, say("run.no_calls")])
    titles = {event.place: event.title for event in opened.events if isinstance(event, Entered)}
    cells = [(row["place"].rpartition("/")[2], row["speaker"], say(f"act.{row['act']}")) for row in rows]
    widths = [min(max(map(width, column)), 22) for column in zip(*cells, strict=True)]
    lines, place, room = [], "", columns()
    for row, words in zip(rows, cells, strict=True):
        if row["place"].rpartition("/")[0] != place:
            place = row["place"].rpartition("/")[0]
            lines += ["", f"{place}  {titles.get(place, '')}".rstrip()]
        head = "  ".join([f"{row['turn']:>5}", *map(fit, words, widths), ""])
        text = " ".join((row.get("heard") or row.get("reply", "")).split())
        text = f"→ {', '.join(row['only_calls'])}" if "only_calls" in row else text
        text = say(f"run.turn_{row['asked']}", text=text) if "asked" in row else text
        lines.append((head + fit(text, max(room - width(head), 20))).rstrip())
    lacking = [*gaps_text(listed[2]), *adjustments_text(listed[3])]
    return "\n".join([*calendar, *lines[1:], *(["", *lacking] if lacking else [])])


def _read_all(opened: OpenRun, _: ShowRequest) -> tuple[_Listed, Problems]:
    adjusted, found = adjustments(opened.folder.times), gaps(opened.procedure, opened.events)
    return (call_rows(opened), calendar_data(opened), found, adjusted, changes_data(opened)), ()


def _all_data(listed: _Listed) -> dict[str, Any]:
    rows, calendar, found, adjusted, changed = listed
    lacking: dict[str, Any] = {"lacking": gaps_data(found)} if found else {}
    lacking |= {"adjusted": adjustments_data(adjusted)} if adjusted else {}
    lacking |= {"changes": changed} if changed else {}
    return {"turns": rows, **({"calendar": calendar} if calendar else {}), **lacking}


TURNS = RunView((), _read_all, _all_data, _list)


# ---- one call --------------------------------------------------------------------------------------------------------


@immutable
class ShownCall:
    """One call. `prompt` and `view`: None where nobody asked for them; `seen`: whether the view was asked for."""

    row: Row
    prompt: list[Message] | None
    view: View | None
    seen: bool
    offered: tuple[Offer, ...] = ()


def _read_one(opened: OpenRun, asked: ShowRequest) -> tuple[ShownCall | None, Problems]:
    """The call that was named, the first without a number."""
    number, rows = asked.turn or 1, call_rows(opened)
    if not 1 <= number <= len(rows):
        return None, (diagnose.unknown_call("--turn", turn=number, last=len(rows)),)
    call = calls_of(opened)[number - 1]
    request = request_at(opened, call.id) if asked.view else None
    prompt = messages_of(opened, call) if asked.prompt else None
    natively = asked.prompt and opened.protocols.get(call.id) == NATIVE
    played = request_at(opened, call.id) if natively else None
    offered = played.tools if played is not None else ()
    return ShownCall(rows[number - 1], prompt, request.view if request is not None else None, asked.view, offered), ()


def _data(call: ShownCall) -> dict[str, Any]:
    row = dict(call.row)
    if call.prompt is not None:
        row["prompt"] = [message.model_dump(mode="json", exclude_defaults=True) for message in call.prompt]
        row |= {"tools": [tool_calls.offered(tool) for tool in call.offered]} if call.offered else {}
    if call.view is not None:
        row["view"] = view_data(call.view)
    return row


def _text(call: ShownCall, opened: OpenRun) -> str:
    """Its words, and on demand exactly what was sent and what could be seen."""
    row = call.row
    act = say(f"act.{row['act']}")
    parts = [say("run.turn_heading", turn=row["turn"], place=row["place"], speaker=row["speaker"], act=act)]
    if call.prompt is not None:
        parts.append(messages_text(call.prompt, opened.project.templates, call.offered))
    if call.seen:
        parts.append(view_text(call.view) if call.view is not None else say("run.no_prompt"))
    if "reply" in row:
        parts.append("\n".join(["--- assistant", *_origin(row), row["reply"]]))
    return "\n\n".join(parts)


def _origin(row: Row) -> list[str]:
    """The file by which an offline actor spoke, and those that it came to."""
    first, *others = row.get("spoken_from", ("",))
    return [f"[{first}{' ← ' if others else ''}{', '.join(others)}]"] if first else []


TURN = RunView(("turn", "prompt", "view"), _read_one, _data, _text)
