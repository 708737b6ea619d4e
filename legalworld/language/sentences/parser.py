"""From one line of text to a node of `syntax`, or to problems that say where the line went wrong.

`Parser` drives the tables of `tables.py` over the words of `lexer.py`. A line whose longest match does not parse is
tried cut otherwise; a line that reads in two ways is a problem that shows both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from ...model.ast import (
    Actor,
    AnswerForm,
    Assignees,
    Condition,
    ConductCheck,
    FieldOf,
    GrantCell,
    Head,
    Name,
    RowLabel,
    Token,
)
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from .lexer import Line, Vocabulary, Word, token_problem
from .syntax_errors import Stuck, explain
from .tables import END, load
from .tree_builder import FUNCTIONS, Keyword

MOST_CHARACTERS: Final = 500
MOST_NESTING: Final = 40  # of `of`, `not` and parentheses in one line: nodes nest no deeper

_NESTING: Final = frozenset({"OF", "DE", "NOT", "ISNOT", "LPAR"})

Problems = tuple[Diagnostic, ...]
States = tuple[Mapping[str, int], ...]

_NONE: Final = -1 << 30  # no step


class _Reduction(NamedTuple):
    """What to do with the last `size` values; no function: the one value is passed on."""

    function: Callable[..., Any] | None
    size: int
    symbol: str


@cache
def _reductions() -> tuple[_Reduction, ...]:
    return tuple(_Reduction(FUNCTIONS.get(function), size, symbol) for function, symbol, size in load().rules)


def _too_complex(span: Span) -> Diagnostic:
    return diagnose.sentence_too_complex(span, characters=MOST_CHARACTERS, nesting=MOST_NESTING)


class Parser:
    """Reads the one-line fields of a file in which `names` are declared.

    Every method takes the text of a field and a span that begins where the text does (within its quotation marks). It
    returns the node, or None and why there is none.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(name for name in names if name.strip())
        self._vocabularies: dict[str, Vocabulary] = {}

    def head(self, text: str, span: Span) -> tuple[Head | None, Problems]:
        return self._read("head", text, span)

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
        text = text.rstrip()
        if len(text) > MOST_CHARACTERS:
            return None, (_too_complex(origin.shifted(0, len(text))),)
        vocabulary = self._vocabularies.get(start)
        if vocabulary is None:
            vocabulary = self._vocabularies[start] = Vocabulary(start, () if start == "check" else self._names)
        line = Line(text, origin, vocabulary)
        if line.problems:
            return None, tuple(line.problems)
        words = line.words()
        if not words:
            return None, (diagnose.empty_sentence(origin.shifted(0, len(text))),)
        if sum(word.kind in _NESTING for word in words) > MOST_NESTING:
            return None, (_too_complex(origin.shifted(0, len(text))),)
        return _best(start, line, words)


def _best(start: str, line: Line, words: list[Word]) -> tuple[Any, Problems]:
    """The one reading of a line; else why there is none, or both."""
    origin = line.origin
    first = _parse(start, words, origin)
    if not line.runs:
        return _settled(first, words, line)
    good = [] if isinstance(first, Stuck) else [(first, words)]
    for other in line.readings():
        node = _parse(start, other, origin)
        if not isinstance(node, Stuck) and all(node != known for known, _ in good):
            good.append((node, other))
    if len(good) > 1:
        return None, (_ambiguous(good[0][1], good[1][1], origin),)
    if not good:
        good = [
            (node, other) for other in line.joined() if not isinstance(node := _parse(start, other, origin), Stuck)
        ][:1]
    return _settled(*(good[0] if good else (first, words)), line)


def _settled(node: Any, words: list[Word], line: Line) -> tuple[Any, Problems]:
    if isinstance(node, Stuck):
        return None, (explain(node, words, line),)
    return (None, (node,)) if isinstance(node, Diagnostic) else (node, ())


def _ambiguous(words: list[Word], others: list[Word], origin: Span) -> Diagnostic:
    begin, end = words[0].start, words[-1].end
    return diagnose.ambiguous_sentence(
        origin.shifted(begin, end - begin),
        reading=" ".join(word.text for word in words),
        other=" ".join(word.text for word in others),
    )


def _parse(start: str, words: list[Word], origin: Span) -> Any:
    """The node that the words make, or where they stop making one."""
    tables, reductions = load(), _reductions()
    states, (first, last) = tables.states, tables.starts[start]
    stack: list[int] = [first]
    values: list[Any] = []
    for index, word in enumerate(words):
        while (step := states[stack[-1]].get(word.kind, _NONE)) < 0:
            if step == _NONE:
                return Stuck(start, index)
            _reduce(states, reductions[~step], stack, values)
        stack.append(step)
        values.append(_value(word, origin))
    while stack[-1] != last:
        step = states[stack[-1]].get(END, _NONE)
        if step == _NONE:
            return Stuck(start, len(words))
        _reduce(states, reductions[~step], stack, values)
    return values[-1]


def _reduce(states: States, reduction: _Reduction, stack: list[int], values: list[Any]) -> None:
    """Put what the rule makes in the place of its right side."""
    function, size, symbol = reduction
    if function is not None:
        made = function(*values[-size:])
        del values[-size:]
        values.append(made)
    del stack[-size:]
    stack.append(states[stack[-1]][symbol])


def _value(word: Word, origin: Span) -> Name | Token | Keyword:
    kind, text, start, end, _ = word
    place = Span(origin.file, origin.line, origin.column + start, end - start)
    if kind == "NAME":
        return Name(text, place)
    return Token(text[1:-1].strip(), place) if kind == "TOKEN" else Keyword(kind, text, place)
