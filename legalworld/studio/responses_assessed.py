"""What pages are sent of the outcome of a run: documents, decisions, citations, checks, conduct, scores."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from ..model.frozen import FrozenModel
from .responses import DiffLine, Problem, TwoLanguages


class ToolRow(FrozenModel):
    """A tool call and what came of it."""

    turn: int
    request: str
    place: str
    person: str
    speaker: str
    tool: str
    arguments: str
    refused: str
    result: str


class ToolList(FrozenModel):
    """All tool calls of a run."""

    calls: tuple[ToolRow, ...]
    refused: int


class ConductRow(FrozenModel):
    """A rule of conduct or form that was broken."""

    turn: int
    request: str
    place: str
    person: str
    speaker: str
    rule: str
    title: TwoLanguages
    detail: str


class ConductList(FrozenModel):
    """All that were broken."""

    violations: tuple[ConductRow, ...]


class CitationRow(FrozenModel):
    """A citation and how it stands; `doc`: the document of the run it stands in, "" where it was spoken."""

    turn: int
    line: int
    place: str
    request: str
    person: str
    speaker: str
    act: str
    document: str
    doc: str
    doc_title: str
    side: str
    written: str
    normal: str
    law: str | None
    article: str | None
    paragraph: int | str | None
    item: int | None
    sub_item: int | None
    version: str | None
    former: bool
    outcome: str
    wrong: bool
    at: str | None
    basis: str
    code: str
    adopted: str | None
    since: str | None


class CitationList(FrozenModel):
    """All citations, as `lw show --citations` has them."""

    law_at: dict[str, JsonValue]
    library: dict[str, JsonValue]
    all: int
    wrong: int
    unknown: int
    outcomes: dict[str, int]
    citations: tuple[CitationRow, ...]


class ArticlePage(FrozenModel):
    """An article of law on a day; `found`: False where the library has none, with the reason."""

    found: bool
    law: str
    article: str
    at: str
    title: str
    since: str
    until: str
    text: str
    problem: Problem | None


class CheckPlace(FrozenModel):
    """A place that a check rests on."""

    document: str
    doc: str
    line: int
    start: int
    end: int
    text: str
    shown: TwoLanguages


class CheckRow(FrozenModel):
    """A check of a decision."""

    document: str
    check: str
    title: str
    severity: str
    part: str
    result: Literal["alarm", "held", "not_held"]
    missing: str
    basis: str
    places: tuple[CheckPlace, ...]


class CheckList(FrozenModel):
    """All checks of the decisions of a run."""

    rows: tuple[CheckRow, ...]
    problems: tuple[Problem, ...]


class ScoredItem(FrozenModel):
    """A score, why it is what it is, and the turns it rests on."""

    item: str
    key: str
    title: str
    value: float | None
    gap: str
    detail: str
    reason: str
    raw: str
    capped: str
    turns: tuple[int, ...]
    documents: tuple[str, ...]
    by: str
    parts: dict[str, float]
    left_out: int
    repeats: tuple[float, ...]
    truth: str


class SealedPage(FrozenModel):
    """What a case keeps for scoring, shown to the owner when he asked for it. `at`: when that was noted."""

    at: str
    value: JsonValue


class AskedMessage(FrozenModel):
    """A message to a grader."""

    role: str
    content: str


class AskedRow(FrozenModel):
    """A question to a grader, word for word, and its reply; `repeat`: how often it was asked before."""

    question: str
    repeat: int
    messages: tuple[AskedMessage, ...]
    reply: str


class AskedPage(FrozenModel):
    """What a grader was asked for one score; nothing where no question is kept."""

    questions: tuple[AskedRow, ...]


class FigureRow(FrozenModel):
    """A figure of an evaluation. `title`: as its rubric has it, "" where that rubric is not at hand."""

    formula: str
    title: str
    value: float | None
    gap: str
    detail: str


class EvaluationPage(FrozenModel):
    """An evaluation beside a run. `title`: of the rubric, "" where it is not at hand as it was."""

    rubric: str
    title: str
    grader: str
    target: str
    finished: bool
    given: bool
    figures: tuple[FigureRow, ...]
    passes: dict[str, bool | None]
    scores: tuple[ScoredItem, ...]


class ScoreList(FrozenModel):
    """All evaluations."""

    evaluations: tuple[EvaluationPage, ...]
    problems: tuple[Problem, ...]


class DecisionPage(FrozenModel):
    """A decision in words, and as a record."""

    name: str
    title: str
    doc: str
    text: TwoLanguages
    record: dict[str, JsonValue]


class DecisionList(FrozenModel):
    """The decisions of a run."""

    decisions: tuple[DecisionPage, ...]


class DocRow(FrozenModel):
    """A document as it was drafted once. `last`: no later version replaces it."""

    name: str
    document: str
    title: str
    side: str
    person: str
    speaker: str
    place: str
    turn: int
    line: int
    day: str
    source: Literal["reply", "case", "replaced", "minutes"]
    cut: bool
    missing: tuple[str, ...]
    unlisted: tuple[str, ...]
    last: bool


class DocList(FrozenModel):
    """All documents, in the order of drafting."""

    docs: tuple[DocRow, ...]


class DocStyle(FrozenModel):
    """A style of the layout: sizes in points, indent and margin in characters."""

    name: str
    font: str
    size: float
    align: str
    indent: float
    margin: float
    before: float
    after: float
    line: float
    bold: bool
    color: str


class DocParagraph(FrozenModel):
    """A paragraph and its style."""

    style: str
    text: str


class DocPage(FrozenModel):
    """A document as its Word file looks. `page` in centimetres; `changed`: against the version before."""

    row: DocRow
    history: tuple[DocRow, ...]
    page: dict[str, float]
    styles: dict[str, DocStyle]
    footer: str
    paragraphs: tuple[DocParagraph, ...]
    text: str
    changed: tuple[DiffLine, ...]
