"""One call of a run for pages: its reply and what came of it, its prompt, the memory of who was called.

The rows are those of `lw show`, with every key set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.memory import Kept
from ..model.events import Called, Cleaned, Event, Message, Remembered
from ..model.plan import Step
from ..models import tool_calls
from ..runs.run_info import NATIVE
from ..runs.show.heard import heard_in
from ..runs.show.memory import chapters_of, difference_lines
from ..runs.show.prompts import messages_of
from ..runs.show.views import event_data
from .responses import DiffLine
from .responses_assessed import ToolList, ToolRow
from .responses_run import (
    CameRow,
    HeardLine,
    HeardList,
    HeardRow,
    MemoryChange,
    MemoryFieldRow,
    MemoryPage,
    PartText,
    Prompt,
    PromptMessage,
    StepRef,
    ToolCallRow,
    TurnPage,
    TurnRow,
)
from .studio_run import StudioRun
from .told import told


def turn_page(run: StudioRun, turn: int, line: int) -> TurnPage:
    """A call: its row, the reply before it was read, and the events that followed until the next call."""
    call, row = run.calls[turn - 1], run.rows[turn - 1]
    came = tuple(_came(run, turn))
    kept = next((event.text for event in came_events(run, turn) if isinstance(event, Cleaned)), None)
    reply, heard = row.get("reply", ""), row.get("heard")
    reads = None
    if heard is not None and heard.strip() != reply.strip():
        reads = told("studio.read_otherwise")
    elif heard is None and reply:
        reads = told("studio.kept_to_itself")
    titles = run.parts
    base = call.place.partition("#")[0]
    part = titles.get(base.rpartition("/")[0])
    return TurnPage(
        turn=turn,
        turns=len(run.calls),
        line=line,
        row=_turn_row(row),
        kept=kept,
        came=came,
        reads=reads,
        day=run.days[turn - 1],
        seconds=run.seconds.get(call.id),
        place_title=getattr(part, "title", "") or "",
        step=_step(run, titles.get(base)),
    )


def _turn_row(row: Mapping[str, Any]) -> TurnRow:
    """The row of `lw show --turn`, with what it leaves out."""
    full: dict[str, Any] = {
        "heard": None,
        "asked": "",
        "only_calls": None,
        "thought": "",
        "cut": False,
        "calls": (),
        "provider_data": "",
        "model": "",
        "prompt_tokens": None,
        "completion_tokens": None,
        "cached_tokens": 0,
        "by": "",
        "spoken_from": (),
        "reckoned": {},
        "reply": "",
        "answered": "reply" in row,
    }
    full |= row
    full["calls"] = tuple(ToolCallRow(**{"id": "", **call}) for call in full["calls"])
    return TurnRow(**full)


def _step(run: StudioRun, step: object) -> StepRef | None:
    if not isinstance(step, Step):
        return None
    span = step.info.span
    return StepRef(file=span.file, line=span.line, text=run.source_line(span))


def came_events(run: StudioRun, turn: int) -> Iterator[Event]:
    """The events between a call and the next one."""
    following = run.asked_at[turn] if turn < len(run.calls) else len(run.events)
    yield from run.events[run.asked_at[turn - 1] + 1 : following]


def _came(run: StudioRun, turn: int) -> Iterator[CameRow]:
    for event in came_events(run, turn):
        yield CameRow(kind=event.kind, data=event_data(event))


# ---- the prompt ------------------------------------------------------------------------------------------------------


def prompt_page(run: StudioRun, turn: int) -> Prompt:
    """All messages that were sent with a call, and the tools that were offered natively."""
    call = run.calls[turn - 1]
    messages = messages_of(run.opened, call)
    added = len(messages) - len(call.added)
    templates = run.opened.project.templates
    homes = dict.fromkeys(home.partition("#")[0] for message in messages for home, _ in message.parts)
    included = {home: templates.included(home) for home in homes}
    native = run.opened.protocols.get(call.id) == NATIVE
    offered = run.book[call.id].offered if native and call.id in run.book else ()
    return Prompt(
        turn=turn,
        messages=tuple(_message(message, place >= added) for place, message in enumerate(messages)),
        included={home: inner for home, inner in included.items() if inner},
        tools=tuple(tool_calls.offered(tool) for tool in offered),
    )


def _message(message: Message, added: bool) -> PromptMessage:
    return PromptMessage(
        role=message.role,
        content=message.content,
        parts=tuple(
            PartText(home=home, text=text, file=home.partition("#")[0], line=0) for home, text in message.parts
        ),
        calls=tuple(ToolCallRow(id=call.id, name=call.name, arguments=call.arguments) for call in message.calls),
        call=message.call,
        provider_data=message.provider_data,
        added=added,
    )


# ---- memory ----------------------------------------------------------------------------------------------------------


def memory_page(run: StudioRun, turn: int) -> MemoryPage:
    """What the person of a call kept when it was made, and how that came to be."""
    call = run.calls[turn - 1]
    declared = run.procedure.memory.get(run.kind_of(call.person, call.role))
    kept: dict[str, Kept] = {}
    changes: list[MemoryChange] = []
    for chapter in chapters_of(run.opened, call.person):
        for note in chapter.writings:
            written = run.turn_of.get(note.request, 0)
            if written >= turn:
                continue
            changes.append(_change(note, written, kept.get(note.field, ""), chapter.title))
            kept[note.field] = note.value
    fields = declared.fields.values() if declared is not None else ()
    titles = {field.name: field.title for field in fields}
    rows = [_memory_field(field.name, field.title, field.keys, kept.get(field.name, "")) for field in fields]
    rows += [_memory_field(name, name, (), value) for name, value in kept.items() if name not in titles]
    return MemoryPage(
        turn=turn,
        person=call.person,
        kept=declared is not None,
        fields=tuple(rows),
        changes=tuple(
            change.model_copy(update={"title": titles.get(change.field, change.field)}) for change in changes
        ),
    )


def _memory_field(name: str, title: str, keys: tuple[str, ...], value: Kept) -> MemoryFieldRow:
    text = value if isinstance(value, str) else ""
    records = () if isinstance(value, str) else tuple(dict(record) for record in value)
    return MemoryFieldRow(name=name, title=title, keys=tuple(keys), text=text, records=records)


def _change(note: Remembered, turn: int, before: Kept, stage: str) -> MemoryChange:
    lines = [DiffLine(mark=line[0], text=line[2:]) for line in difference_lines(before, note.value)]
    return MemoryChange(
        turn=turn,
        place=note.place,
        stage_title=stage,
        field=note.field,
        title=note.field,
        how=note.how,
        lines=tuple(lines),
    )


# ---- what was heard, and tools ---------------------------------------------------------------------------------------


def heard_page(run: StudioRun, person: str) -> HeardList:
    """All that a person heard: the rows of `lw show --as`, each with its call."""
    heard = heard_in(run.opened, person)
    rows = []
    for row, number in zip(heard.rows, heard.events, strict=True):
        request = getattr(run.events[number], "request", "")
        lines = tuple(HeardLine(speaker=one["speaker"], text=one["text"]) for one in row.get("lines", ()))
        rows.append(
            HeardRow(
                turn=run.turn_of.get(request, run.turn_after[number]),
                kind=row["kind"],
                place=row["place"],
                phase=row["phase"],
                speaker=row.get("speaker", ""),
                text=row.get("text", ""),
                title=row.get("title", ""),
                who=tuple(row.get("who", ())),
                withheld=row["withheld"],
                struck=row.get("struck", False),
                lines=lines,
            )
        )
    return HeardList(person=person, rows=tuple(rows))


def tool_list(run: StudioRun) -> ToolList:
    """All tool calls of a run, as `lw show --tools` has them."""
    speakers = {call.id: call.speaker for call in run.calls}
    calls = [event for event in run.events if isinstance(event, Called)]
    rows = tuple(
        ToolRow(turn=run.turn_of.get(call.request, 0), speaker=speakers.get(call.request, ""), **event_data(call))
        for call in calls
    )
    return ToolList(calls=rows, refused=sum(bool(call.refused) for call in calls))
