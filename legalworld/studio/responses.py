"""What the pages are sent, as closed types: a new key is a type error. Here the lists and what all pages share."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from ..model.frozen import FrozenModel


class TwoLanguages(FrozenModel):
    """A sentence in both languages of the pages."""

    zh: str
    en: str


class Problem(FrozenModel):
    """A diagnostic, worded. `where`: its place without folders of this machine; `help`: how it is repaired."""

    code: str
    severity: Literal["error", "warning", "note"]
    where: str
    text: TwoLanguages
    help: TwoLanguages


class FailurePage(FrozenModel):
    """The body of every answer that is not 200."""

    error: Problem


class BootWords(FrozenModel):
    """Every word of the pages: key -> sentence, in both languages."""

    zh: dict[str, str]
    en: dict[str, str]


class Boot(FrozenModel):
    """What a page is begun with. `pack`: base64 of the deflated `Pack` of a published page, "" of a live one.
    `chosen`: somebody chose the language; else that of the browser goes before it."""

    source: Literal["live", "packed"]
    base: str
    page: Literal["runs", "run", "procedure"]
    id: str
    language: Literal["zh", "en"]
    chosen: bool
    words: BootWords
    version: str
    pack: str


class RunListRow(FrozenModel):
    """A run of the list; `figures` in the order of `RunList.figures`. `live`: somebody is playing it now. Titles are ""
    where there is none, or it is not known yet."""

    id: str
    procedure: str
    procedure_title: str
    case: str
    case_title: str
    target: str
    model: str
    models: str
    options: str
    seed: int
    status: Literal["ended", "unfinished", "damaged"]
    live: bool
    outcome: str
    ending: str
    place: str
    turns: int
    tokens: int | None
    figures: tuple[float | None, ...]


class RunList(FrozenModel):
    """A stretch of the list from row `first`; `total`: rows under the query. `writing`: still being read from disk."""

    first: int
    total: int
    rows: tuple[RunListRow, ...]
    figures: tuple[str, ...]
    damaged: int
    choices: RunChoices
    problems: tuple[Problem, ...]
    writing: bool


class RunChoices(FrozenModel):
    """What the filters offer, of all runs; at most 500 values each."""

    procedure: tuple[str, ...]
    case: tuple[str, ...]
    model: tuple[str, ...]
    status: tuple[str, ...]


class SaidHit(FrozenModel):
    """WordsPage that were searched for, as they were spoken, with a few characters around them."""

    run: str
    turn: int
    line: int
    speaker: str
    before: str
    hit: str
    after: str


class SaidList(FrozenModel):
    """`ready`: False while runs are still being indexed; `more`: there may be more than those that are counted."""

    words: str
    total: int
    more: bool
    hits: tuple[SaidHit, ...]
    ready: bool


class DiffLine(FrozenModel):
    """A line that came (+), went (-) or changed (~)."""

    mark: Literal["+", "-", "~"]
    text: str


class Grew(FrozenModel):
    """How a run that is followed stands now: it is sent anew whenever something has changed."""

    run: str
    lines: int
    turns: int
    calls: int
    status: Literal["ended", "unfinished", "damaged"]
    live: bool
    torn: bool
    place: str
    tokens: int | None
    cost: float | None


class ListChanged(FrozenModel):
    """The list of runs has changed: there are more of them, or they have grown. `turns`: of all together."""

    total: int
    damaged: int
    turns: int


class Gone(FrozenModel):
    """The folder of a run is gone."""

    run: str


class Pack(FrozenModel):
    """A published page: address below `d/` -> response; `{"$": n}` stands for `pool[n]`. `files`: page -> its file."""

    pool: tuple[JsonValue, ...]
    answers: dict[str, JsonValue]
    files: dict[str, str]
