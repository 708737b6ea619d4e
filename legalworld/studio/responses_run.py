"""What pages are sent of one run: its transcript, its calls, what was seen in them and why."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from ..model.frozen import FrozenModel
from .responses import DiffLine, Problem, TwoLanguages


class PersonRow(FrozenModel):
    """Somebody who takes part. `letter`: of his kind in the matrix; `model`: who played his role."""

    id: str
    role: str
    title: str
    name: str
    kind: str
    letter: str
    side: str
    model: str


class PartRow(FrozenModel):
    """A stage or phase that was entered, in order. `line`, `turn`: where; `again`: how often it had begun before."""

    level: Literal["stage", "phase"]
    place: str
    title: str
    basis: tuple[str, ...]
    line: int
    turn: int
    again: int


class CalendarRow(FrozenModel):
    """A date of the calendar, as `lw show` has it."""

    name: str
    title: str
    day: str | None
    known: Literal["case", "reckoned", "missing"]
    places: tuple[str, ...]


class ModelRow(FrozenModel):
    """Who played a role."""

    role: str
    title: str
    model: str


class ChangeRow(FrozenModel):
    """With what a run was gone on with, from call `turn` on."""

    turn: int
    text: TwoLanguages


class RunHead(FrozenModel):
    """What is known of a run as a whole. `turns`: speeches, as in the list of runs; `calls`: how often a person was
    called, the last number of a call. `has`: which of its parts there are; `names`: names of persons are shown."""

    id: str
    status: Literal["ended", "unfinished", "damaged"]
    live: bool
    torn: bool
    procedure: str
    procedure_title: str
    locale: str
    case: str
    case_title: str
    target: str
    seed: int
    options: dict[str, str]
    option_titles: dict[str, str]
    models: tuple[ModelRow, ...]
    people: tuple[PersonRow, ...]
    parts: tuple[PartRow, ...]
    calendar: tuple[CalendarRow, ...]
    outcome: str
    ending: str
    place: str
    turns: int
    calls: int
    lines: int
    tokens: int | None
    cost: float | None
    lacking: tuple[TwoLanguages, ...]
    adjusted: tuple[TwoLanguages, ...]
    changes: tuple[ChangeRow, ...]
    has: tuple[str, ...]
    problems: tuple[Problem, ...]
    names: bool


class CiteMark(FrozenModel):
    """Where a text cites law, in UTF-16 code units; `citation`: index in the list of citations."""

    start: int
    end: int
    citation: int


class LineRow(FrozenModel):
    """A row of the transcript: a heading, a call, or something else that happened. `text` is cut, `length` is not."""

    n: int
    kind: Literal["stage", "phase", "call", "event"]
    event: str
    place: str
    turn: int
    level: str
    person: str
    role: str
    speaker: str
    act: str
    asked: Literal["", "again", "tools"]
    calls: tuple[str, ...]
    said: bool
    text: str
    length: int
    struck: bool
    withheld: tuple[str, ...]
    to: tuple[str, ...]
    heard_by: tuple[str, ...]
    confined: bool
    day: str
    seconds: float | None
    tokens: int | None
    model: str
    doc: str
    cites: tuple[CiteMark, ...]
    conduct: int
    scored: int


class LinePage(FrozenModel):
    """A stretch of the transcript from line `first`."""

    first: int
    total: int
    lines: tuple[LineRow, ...]


class WordsPage(FrozenModel):
    """A stretch of a long text from character `first` (UTF-16 code units)."""

    turn: int
    first: int
    length: int
    text: str


class TurnPage(FrozenModel):
    """A call. `kept`: its reply as the thread keeps it, where that differs; `came`: what followed from it."""

    turn: int
    turns: int
    line: int
    row: TurnRow
    kept: str | None
    came: tuple[CameRow, ...]
    reads: TwoLanguages | None
    day: str
    seconds: float | None
    place_title: str
    step: StepRef | None


class TurnRow(FrozenModel):
    """The row of `lw show --turn`, every key set. `answered`: False where no reply came."""

    turn: int
    request: str
    place: str
    person: str
    role: str
    speaker: str
    act: str
    heard: str | None
    asked: Literal["", "again", "tools"]
    only_calls: tuple[str, ...] | None
    answered: bool
    reply: str
    thought: str
    cut: bool
    calls: tuple[ToolCallRow, ...]
    provider_data: str
    model: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int
    by: str
    spoken_from: tuple[str, ...]
    reckoned: dict[str, JsonValue]


class ToolCallRow(FrozenModel):
    """A tool called natively."""

    id: str
    name: str
    arguments: str


class CameRow(FrozenModel):
    """An event of the journal, as it stands there."""

    kind: str
    data: dict[str, JsonValue]


class StepRef(FrozenModel):
    """A step as written in the spec."""

    file: str
    line: int
    text: str


class CellRef(FrozenModel):
    """A cell of the matrix as written. `after`: the phase that must be over; `restrictions`: on what it depends."""

    stage: str
    kind: str
    letter: str
    whose: str
    file: str
    line: int
    text: str
    after: str
    restrictions: tuple[TwoLanguages, ...]


class FieldState(FrozenModel):
    """A field as it is seen: the row of `lw show --view`, with its title."""

    name: str
    whose: str
    title: str
    entries: tuple[dict[str, JsonValue], ...]


class SeenField(FrozenModel):
    """A field that is seen and why. `since`: the call from which it reads so; `opened`: from which it is seen."""

    state: FieldState
    cells: tuple[CellRef, ...]
    reason: TwoLanguages
    fresh: Literal["new", "changed", ""]
    since: int
    opened: int


class UnseenField(FrozenModel):
    """A field that is there and not seen, and why not."""

    name: str
    whose: str
    title: str
    code: Literal["no_cell", "not_here", "condition", "later", "empty"]
    reason: TwoLanguages
    cells: tuple[CellRef, ...]


class TakenBack(FrozenModel):
    """A field seen at the call before, or talk heard before, that is not there any more."""

    kind: Literal["field", "words"]
    name: str
    whose: str
    title: str
    turn: int
    reason: TwoLanguages
    turns: tuple[int, ...]


class SightPage(FrozenModel):
    """What somebody saw at a call, and why; what he did not see, and why not."""

    turn: int
    person: str
    speaker: str
    kind: str
    letter: str
    stage: str
    today: str
    before: int
    next: int
    fields: tuple[SeenField, ...]
    unseen: tuple[UnseenField, ...]
    back: tuple[TakenBack, ...]


class PartText(FrozenModel):
    """A part of a message. `file`, `line`: where its template stands."""

    home: str
    text: str
    file: str
    line: int


class PromptMessage(FrozenModel):
    """A message as it was sent. `added`: new with this call."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    parts: tuple[PartText, ...]
    calls: tuple[ToolCallRow, ...]
    call: str
    provider_data: str
    added: bool


class Prompt(FrozenModel):
    """All messages of a call, the files that its parts include, and the tools offered natively."""

    turn: int
    messages: tuple[PromptMessage, ...]
    included: dict[str, tuple[str, ...]]
    tools: tuple[JsonValue, ...]


class MemoryFieldRow(FrozenModel):
    """A field of a memory: a text, or records."""

    name: str
    title: str
    keys: tuple[str, ...]
    text: str
    records: tuple[dict[str, str], ...]


class MemoryChange(FrozenModel):
    """A field written in a call."""

    turn: int
    place: str
    stage_title: str
    field: str
    title: str
    how: Literal["revise", "expand", "drop"]
    lines: tuple[DiffLine, ...]


class MemoryPage(FrozenModel):
    """The memory of the person of a call when it was made. `kept`: False where his kind keeps none."""

    turn: int
    person: str
    kept: bool
    fields: tuple[MemoryFieldRow, ...]
    changes: tuple[MemoryChange, ...]


class HeardRow(FrozenModel):
    """A row of `lw show --as`, every key set."""

    turn: int
    kind: str
    place: str
    phase: str
    speaker: str
    text: str
    title: str
    who: tuple[str, ...]
    withheld: bool
    struck: bool
    lines: tuple[HeardLine, ...]


class HeardLine(FrozenModel):
    """A line of a record that was read out."""

    speaker: str
    text: str


class HeardList(FrozenModel):
    """All that a person heard."""

    person: str
    rows: tuple[HeardRow, ...]
