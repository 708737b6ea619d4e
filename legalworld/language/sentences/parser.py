"""From one line of text to a node of `ast`, or to problems that say where the line went wrong.

Lark parses the words of `lexer.py` by `grammar.lark`. A line whose longest match does not parse is tried cut otherwise;
a line that reads in two ways is a problem that shows both.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Final

from lark.exceptions import UnexpectedToken

from ...model.ast import (
    Actor,
    AnswerForm,
    Assignees,
    Condition,
    ConductCheck,
    FieldOf,
    GrantCell,
    Head,
    RowLabel,
    Token,
)
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from .grammar import Grammar, ReadyTokens
from .lexer import Line, Vocabulary, Word, token_problem
from .syntax_errors import Stuck, explain
from .tree_builder import Said, TreeBuilder, over

MOST_CHARACTERS: Final = 500
MOST_NESTING: Final = 40  # of `of`, `not` and parentheses in one line: nodes nest no deeper

STARTS: Final = (
    *("head", "condition", "actor", "actors", "field", "answer", "assignees", "off_the_record", "cell", "row_label"),
    *("limit", "range", "check"),
)
_NESTING: Final = frozenset({"OF", "DE", "NOT", "ISNOT", "LPAR"})

Problems = tuple[Diagnostic, ...]


@cache
def _grammar() -> Grammar:
    return Grammar(__package__, "grammar.lark", STARTS, TreeBuilder(), ReadyTokens)


@cache
def terminals(start: str) -> frozenset[str]:
    """What sentences of a start symbol are made of."""
    return _grammar().terminals(start)


class Parser:
    """Reads the one-line fields of a file in which `names` are declared.

    Every method takes the text of a field and a span that begins where the text does (within its quotation marks). It
    returns the node, or None and why there is none.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(name for name in names if name.strip())
        self._vocabularies: dict[str, Vocabulary] = {}
        self._lines: dict[
            tuple[str, str, Span], tuple[Any, Problems]
        ] = {}  # a part's are read wherever it is performed

    def head(self, text: str, span: Span) -> tuple[Head | None, Problems]:
        sentence, problems = self._read("head", text, span)
        return (Head(str(sentence.name), sentence.parts, sentence.span) if sentence is not None else None), problems

    def condition(self, text: str, span: Span) -> tuple[Condition | None, Problems]:
        return self._read("condition", text, span)

    def actor(self, text: str, span: Span) -> tuple[Actor | None, Problems]:
        return self._read("actor", text, span)

    def actors(self, text: str, span: Span) -> tuple[tuple[Actor, ...] | None, Problems]:
        return self._read("actors", text, span)

    def field(self, text: str, span: Span) -> tuple[FieldOf | None, Problems]:
        return self._read("field", text, span)

    def answer(self, text: str, span: Span) -> tuple[AnswerForm | None, Problems]:
        return self._read("answer", text, span)

    def assignees(self, text: str, span: Span) -> tuple[Assignees | None, Problems]:
        return self._read("assignees", text, span)

    def off_the_record(
        self, text: str, span: Span
    ) -> tuple[tuple[tuple[Actor, ...], Condition | None] | None, Problems]:
        """`bench, clerk if mediation_shielded`: from whose hearing, and when; no condition means always."""
        return self._read("off_the_record", text, span)

    def row_label(self, text: str, span: Span) -> tuple[RowLabel | None, Problems]:
        return self._read("row_label", text, span)

    def limit(self, text: str, span: Span) -> tuple[int | None, Problems]:
        """`30 turns`, `30 轮`, `三十次` -> 30."""
        return self._read("limit", text, span)

    def range(self, text: str, span: Span) -> tuple[tuple[float, float] | None, Problems]:
        """`0 to 5`, `0 至 5`."""
        return self._read("range", text, span)

    def check(self, text: str, span: Span) -> tuple[ConductCheck | None, Problems]:
        return self._read("check", text, span)

    def cell(self, text: str, span: Span) -> tuple[GrantCell | None, Problems]:
        """A blank cell is hidden, like `-`."""
        if not text.strip():
            return GrantCell((), None, span.shifted(0, 0)), ()
        return self._read("cell", text, span)

    def token(self, text: str, span: Span) -> tuple[Token | None, Problems]:
        """`【对{role}说】`, `【第{n}项】`; at most one hole."""
        start = len(text) - len(text.lstrip())
        body = text.strip()
        place = span.shifted(start, len(body))
        problem = token_problem(body, place)
        return (None, (problem,)) if problem else (Token(body[1:-1].strip(), place), ())

    # ---- one line ----------------------------------------------------------------------------------------------------
    def _read(self, start: str, text: str, origin: Span) -> tuple[Any, Problems]:
        key = (start, text, origin)
        if key not in self._lines:
            self._lines[key] = self._parsed(start, text.rstrip(), origin)
        return self._lines[key]

    def _parsed(self, start: str, text: str, origin: Span) -> tuple[Any, Problems]:
        if len(text) > MOST_CHARACTERS:
            return None, (_too_complex(origin.shifted(0, len(text))),)
        vocabulary = self._vocabularies.get(start)
        if vocabulary is None:
            names = () if start == "check" else self._names
            vocabulary = self._vocabularies[start] = Vocabulary(start, terminals(start), names)
        line = Line(text, origin, vocabulary)
        if line.problems:
            return None, tuple(line.problems)
        words = line.words()
        if not words:
            return None, (diagnose.empty_sentence(origin.shifted(0, len(text))),)
        if sum(word.type in _NESTING for word in words) > MOST_NESTING:
            return None, (_too_complex(origin.shifted(0, len(text))),)
        return _best(start, line, words)


def _too_complex(span: Span) -> Diagnostic:
    return diagnose.sentence_too_complex(span, characters=MOST_CHARACTERS, nesting=MOST_NESTING)


def _best(start: str, line: Line, words: list[Word]) -> tuple[Any, Problems]:
    """The one reading of a line; else why there is none, or both."""
    first = _parse(start, words)
    if not line.runs:
        return _settled(first, words, line)
    good = [] if isinstance(first, Stuck) else [(first, words)]
    for other in line.readings():
        node = _parse(start, other)
        if not isinstance(node, Stuck) and all(node != known for known, _ in good):
            good.append((node, other))
    if len(good) > 1:
        return None, (_ambiguous(good[0][1], good[1][1]),)
    if not good:
        good = [(node, other) for other in line.joined() if not isinstance(node := _parse(start, other), Stuck)][:1]
    return _settled(*(good[0] if good else (first, words)), line)


def _settled(node: Any, words: list[Word], line: Line) -> tuple[Any, Problems]:
    if isinstance(node, Stuck):
        wanted = _grammar().accepted(node.start, words[: node.at])
        return None, (explain(node, words, line, wanted),)
    return (None, (node,)) if isinstance(node, Diagnostic) else (node, ())


def _ambiguous(words: list[Word], others: list[Word]) -> Diagnostic:
    return diagnose.ambiguous_sentence(over(words), reading=" ".join(words), other=" ".join(others))


def _parse(start: str, words: list[Word]) -> Any:
    """The node that the words make, or where they stop making one."""
    try:
        node = _grammar().parse(start, words)
    except UnexpectedToken as error:
        at = next((at for at, word in enumerate(words) if word is error.token), len(words))
        return Stuck(start, at)
    return node.value if isinstance(node, Said) else node
