"""The parse tables of the mini-language: made by Lark (LALR) from `grammar.lark`, kept in `grammar.json`.

To import Lark and let it work the tables out takes 60 ms, to load them less than one, and every run begins by parsing.
A test makes them anew and compares; `make bless` writes them after a change of the grammar.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

END = "$END"
STARTS = (
    "head",
    "condition",
    "actor",
    "actors",
    "field",
    "answer",
    "assignees",
    "off_the_record",
    "cell",
    "row_label",
    "limit",
    "range",
    "check",
)


@dataclass(frozen=True, slots=True)
class Tables:
    """`rules`: (function, rule, symbols on its right side). `states`: symbol -> next state, or ~rule to reduce by.

    `starts`: start symbol -> (first state, last state). `terminals`: start symbol -> what its sentences are made of.
    """

    rules: tuple[tuple[str, str, int], ...]
    states: tuple[Mapping[str, int], ...]
    starts: Mapping[str, tuple[int, int]]
    terminals: Mapping[str, frozenset[str]]


@cache
def load() -> Tables:
    """The tables that come with the package."""
    data = pkgutil.get_data(__package__, "grammar.json")
    assert data is not None
    found: dict[str, Any] = json.loads(data)
    return Tables(
        tuple((function, origin, size) for function, origin, size in found["rules"]),
        tuple(found["states"]),
        {start: (first, last) for start, (first, last) in found["starts"].items()},
        {start: frozenset(words.split()) for start, words in found["terminals"].items()},
    )


def dump(tables: Tables) -> str:
    """The text of `grammar.json`: one rule or state a line."""

    def line(value: object) -> str:
        return json.dumps(value, separators=(",", ":"))

    def lines(values: Iterable[object]) -> str:
        return ",\n".join(line(value) for value in values)

    terminals = {start: " ".join(sorted(words)) for start, words in tables.terminals.items()}
    return (
        f'{{"starts":{line(tables.starts)},\n"terminals":{line(terminals)},\n'
        f'"rules":[\n{lines(tables.rules)}],\n"states":[\n{lines(tables.states)}]}}\n'
    )


def build(grammar: str) -> Tables:
    """The tables of a grammar. Raises Lark's GrammarError where it is ambiguous or malformed."""
    from lark import Lark
    from lark.common import LexerConf
    from lark.lexer import Lexer

    class Words(Lexer):
        """Stands in for `lexer.py`: while the tables are made, nothing is read."""

        def __init__(self, conf: LexerConf) -> None:
            del conf

        def lex(self, *_: object) -> Iterator[Any]:
            return iter(())

    return _tables(Lark(grammar, parser="lalr", lexer=Words, start=list(STARTS)))


def _tables(lark: Lark) -> Tables:
    """Lark's tables with states numbered breadth first, so that they do not vary with the order of its sets."""
    from lark.parsers.lalr_analysis import Shift

    confs = {start: lark.parse_interactive(start=start).parser_state.parse_conf for start in STARTS}
    theirs = confs[STARTS[0]].states
    rules = [rule for rule in lark.rules if not rule.origin.name.startswith("$")]
    order = [confs[start].start_state for start in STARTS]
    numbers = {state: number for number, state in enumerate(order)}
    for state in order:
        for _, (action, target) in sorted(theirs[state].items(), key=lambda entry: entry[0]):
            if action is Shift and target not in numbers:
                numbers[target] = len(order)
                order.append(target)

    def entry(action: object, target: Any) -> int:
        return numbers[target] if action is Shift else ~rules.index(target)

    return Tables(
        tuple((rule.alias or rule.origin.name, rule.origin.name, len(rule.expansion)) for rule in rules),
        tuple({symbol: entry(*step) for symbol, step in sorted(theirs[state].items())} for state in order),
        {start: (numbers[conf.start_state], numbers[conf.end_state]) for start, conf in confs.items()},
        {start: _terminals(rules, start) for start in STARTS},
    )


def _terminals(rules: list[Rule], start: str) -> frozenset[str]:
    """All terminals in what a start symbol can become."""
    symbols, reached = [start], {start}
    for symbol in symbols:
        for rule in rules:
            if rule.origin.name == symbol:
                fresh = dict.fromkeys(part.name for part in rule.expansion if part.name not in reached)
                reached |= fresh.keys()
                symbols += fresh
    return frozenset(symbol for symbol in reached if symbol.isupper())
