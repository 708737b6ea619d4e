"""From one line of text to a node of `ast`, or to problems that say where the line went wrong.

Lark parses the words of `lexer.py` by `grammar.lark`. A line whose longest match does not parse is tried cut otherwise;
a line that reads in two ways is a problem that shows both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache, lru_cache, partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

from lark.exceptions import UnexpectedToken

from ...model.ast import (
    Actor,
    AnswerForm,
    Assignee,
    Change,
    Condition,
    ConductCheck,
    FieldOf,
    GrantCell,
    Head,
    Name,
    Reckoning,
    RowLabel,
    Token,
)
from ...model.diagnostics import Diagnostic
from ...model.formulas import Expression, Ruling
from ...model.source import Span
from .. import diagnose
from .grammar import Grammar, ReadyTokens
from .lexer import Line, Vocabulary, Word, token_problem, token_words
from .norm_words import FORMULA_STARTS
from .sentence_parts import Said, over
from .syntax_errors import Stuck, explain, meant_onward
from .tree_builder import TreeBuilder

MOST_CHARACTERS: Final = 500
SENTENCES_KEPT: Final = 2_000
MOST_NESTING: Final = 40  # of `of`, `not` and parentheses in one line: nodes nest no deeper

STARTS: Final = (
    *("head", "condition", "actor", "actors", "field", "answer", "assignees", "off_the_record", "cell", "row_label"),
    *("limit", "range", "share", "check", "change", "reckoning"),
)
_NESTING: Final = frozenset({"OF", "DE", "NOT", "ISNOT", "LPAR"})

Problems = tuple[Diagnostic, ...]
Node = TypeVar("Node")


@cache
def _grammar() -> Grammar:
    return Grammar(__package__, "grammar.lark", STARTS, TreeBuilder(), ReadyTokens)


@cache
def _formula_grammar() -> Grammar:
    """The tables of norms, which procedures do not pay for."""
    kept = "grammar.formulas.json"
    return Grammar(__package__, "grammar.lark", FORMULA_STARTS, TreeBuilder(), ReadyTokens, kept=kept)


def _grammar_of(start: str) -> Grammar:
    return _formula_grammar() if start in FORMULA_STARTS else _grammar()


@cache
def terminals(start: str) -> frozenset[str]:
    """What sentences of a start symbol are made of."""
    return _grammar_of(start).terminals(start)


class _Reads(Generic[Node]):
    """A method of the parser: reads a sentence of the start symbol that has the method's name."""

    def __set_name__(self, owner: type[Parser], name: str) -> None:
        self.start = name

    def __get__(self, parser: Parser, owner: type[Parser]) -> Callable[[str, Span], tuple[Node | None, Problems]]:
        return partial(parser._read, self.start)


class Parser:
    """Reads the one-line fields of a file in which `names` are declared.

    Every method takes the text of a field and a span that begins where the text does (within its quotation marks). It
    returns the node, or None and why there is none.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(name for name in names if name.strip())
        self._vocabularies: dict[str, Vocabulary] = {}
        self._read = lru_cache(SENTENCES_KEPT)(self._parsed)  # a part's sentences are read wherever it is performed

    def head(self, text: str, span: Span) -> tuple[Head | None, Problems]:
        sentence, problems = self._read("head", text, span)
        return (Head(str(sentence.name), sentence.parts, sentence.span) if sentence is not None else None), problems

    condition = _Reads[Condition]()
    actor = _Reads[Actor]()
    actors = _Reads[tuple[Actor, ...]]()
    field = _Reads[FieldOf]()
    answer = _Reads[AnswerForm]()
    assignees = _Reads[tuple[Assignee, ...]]()
    off_the_record = _Reads[tuple[tuple[Actor, ...], Condition | None]]()  # from whose hearing, and when if not always
    row_label = _Reads[RowLabel]()
    limit = _Reads[int | Name]()  # `30 turns`, `30 轮`, `三十次` -> 30
    share = _Reads[str | int]()  # `all`, `most`, `10 votes`, `10 票`
    range = _Reads[tuple[float, float]]()  # `0 to 5`, `0 至 5`
    check = _Reads[ConductCheck]()
    change = _Reads[Change]()
    reckoning = _Reads[Reckoning]()
    expression = _Reads[Expression]()  # a condition or a formula of a norm
    ruling = _Reads[Ruling]()

    def cell(self, text: str, span: Span) -> tuple[GrantCell | None, Problems]:
        """A blank cell is hidden, like `-`."""
        if not text.strip():
            return GrantCell((), None, span.shifted(0, 0)), ()
        return self._read("cell", text, span)

    def token(self, text: str, span: Span) -> tuple[Token | None, Problems]:
        """`【对{role}说】`, `<<item {n}>>`; at most one hole."""
        start = len(text) - len(text.lstrip())
        body = text.strip()
        place = span.shifted(start, len(body))
        problem = token_problem(body, place)
        return (None, (problem,)) if problem else (Token(token_words(body), place), ())

    # ---- one line ----------------------------------------------------------------------------------------------------
    def _parsed(self, start: str, text: str, origin: Span) -> tuple[Any, Problems]:
        text = text.rstrip()
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
        onward = meant_onward(words, line) if start == "head" else None
        return (None, (onward,)) if onward is not None else _best(start, line, words)


class SentenceText(NamedTuple):
    """A one-line field as it is read: of which start symbol, its text, and where it begins."""

    start: str
    text: str
    span: Span


class OverheardParser(Parser):
    """A parser that notes what it is given to read, and can say of which words that is made."""

    def __init__(self, inner: Parser, heard: dict[SentenceText, OverheardParser]) -> None:
        self._names, self._vocabularies = inner._names, inner._vocabularies
        self._inner, self._heard = inner, heard
        self._read = self._noted  # type: ignore[assignment]

    def _noted(self, start: str, text: str, origin: Span) -> tuple[Any, Problems]:
        self._heard[SentenceText(start, text, origin)] = self
        return self._inner._read(start, text, origin)

    def words(self, sentence: SentenceText) -> list[Word]:
        """The words of a sentence as it is read; by longest match where it is not understood."""
        line = self._line(sentence)
        if line is None:
            return []
        freed = line.freed()
        cut = (line.words(), *([freed] if freed is not None else ()), *line.readings(), *line.joined())
        return next((words for words in cut if not isinstance(_parse(sentence.start, words), Stuck)), line.words())

    def accepted(self, sentence: SentenceText) -> frozenset[str]:
        """The terminals that can follow the words of a sentence that is not finished; none where it is wrong."""
        line = self._line(sentence)
        if line is None or line.problems:
            return frozenset()
        for words in (line.words(), *line.readings()):
            try:
                return _grammar_of(sentence.start).accepted(sentence.start, words)
            except UnexpectedToken:
                continue
        return frozenset()

    def names(self) -> frozenset[str]:
        """What it takes for names."""
        return self._names

    def _line(self, sentence: SentenceText) -> Line | None:
        if sentence.start not in self._vocabularies:
            self._inner._read(sentence.start, sentence.text, sentence.span)
        vocabulary = self._vocabularies.get(sentence.start)
        text = sentence.text.rstrip()
        return (
            Line(text, sentence.span, vocabulary) if vocabulary is not None and len(text) <= MOST_CHARACTERS else None
        )


@lru_cache(maxsize=4)
def parser_of(names: frozenset[str]) -> Parser:
    """The parser of these names, with what it has read: all that extend one procedure read its sentences again."""
    return Parser(names)


def _too_complex(span: Span) -> Diagnostic:
    return diagnose.sentence_too_complex(span, characters=MOST_CHARACTERS, nesting=MOST_NESTING)


def _best(start: str, line: Line, words: list[Word]) -> tuple[Any, Problems]:
    """The one reading of a line; else why there is none, or both."""
    first = _parse(start, words)
    if isinstance(first, Stuck) and (freed := line.freed()) is not None:
        other = _parse(start, freed)
        first, words = (first, words) if isinstance(other, Stuck) else (other, freed)
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
        wanted = _grammar_of(node.start).accepted(node.start, words[: node.at])
        return None, (explain(node, words, line, wanted),)
    return (None, (node,)) if isinstance(node, Diagnostic) else (node, ())


def _ambiguous(words: list[Word], others: list[Word]) -> Diagnostic:
    return diagnose.ambiguous_sentence(over(words), reading=" ".join(words), other=" ".join(others))


def _parse(start: str, words: list[Word]) -> Any:
    """The node that the words make, or where they stop making one."""
    try:
        node = _grammar_of(start).parse(start, words)
    except UnexpectedToken as error:
        at = next((at for at, word in enumerate(words) if word is error.token), len(words))
        return Stuck(start, at)
    return node.value if isinstance(node, Said) else node
