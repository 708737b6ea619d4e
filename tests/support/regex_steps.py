"""How many steps a regular expression takes: the backtracking matcher of `re`, walked in Python and counted.

    steps(re.compile(r"\\s*x"), " " * 64, ("finditer",))     # quadratic: four times as many for twice the blanks

Time would depend on the machine. What is counted here are the characters looked at and the branches taken, without the
shortcuts of `re` (a literal that a match must begin with is the one that matters, and is taken).
"""

from __future__ import annotations

import re
import re._constants as ops  # type: ignore[import-untyped]
import re._parser as parser  # type: ignore[import-untyped]
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

Ends = Iterator[int]
Node = tuple[Any, Any]

ANCHORED = frozenset({"match", "fullmatch"})
_SINGLE = frozenset({ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN})


class TooMany(Exception):
    """The steps ran past what the caller would wait for."""


class Counter:
    """One pattern over one text; `count` grows with each step, up to `most`."""

    def __init__(self, pattern: re.Pattern[str], text: str, most: int) -> None:
        self.tree: Sequence[Node] = _tree(pattern.pattern, pattern.flags).data
        self.flags = pattern.flags
        self.text = text
        self.most = most
        self.count = 0
        self.groups: dict[int, tuple[int, int]] = {}
        self._folds = bool(self.flags & re.IGNORECASE)
        self._fitting: dict[tuple[int, str], bool] = {}  # by the node, which its tree keeps, and the sign

    def find_all(self) -> None:
        """Every match from left to right, as `finditer`, `sub` and `split` look for them."""
        position = 0
        first = self.tree[0] if self.tree else None
        literal = chr(first[1]) if first is not None and first[0] is ops.LITERAL and not self._folds else ""
        while position <= len(self.text):
            if literal:
                found = self.text.find(literal, position)
                self.count += 1 + (found if found >= 0 else len(self.text)) - position
                if found < 0:
                    return
                position = found
            end = self.match_at(position)
            position = max(end, position + 1)

    def match_at(self, position: int) -> int:
        """The end of a match that begins here, or -1."""
        self.groups.clear()
        return next(self._sequence(self.tree, 0, position), -1)

    def _step(self) -> None:
        self.count += 1
        if self.count > self.most:
            raise TooMany

    def _sequence(self, nodes: Sequence[Node], index: int, position: int) -> Ends:
        if index == len(nodes):
            yield position
            return
        for end in self._node(nodes[index], position):
            yield from self._sequence(nodes, index + 1, end)

    def _node(self, node: Node, position: int) -> Ends:
        self._step()
        op, value = node
        if op in _SINGLE:
            if position < len(self.text) and self._fits(node, self.text[position]):
                yield position + 1
        elif op is ops.AT:
            if self._at(value, position):
                yield position
        elif op is ops.BRANCH:
            for branch in value[1]:
                yield from self._sequence(branch.data, 0, position)
        elif op is ops.SUBPATTERN:
            yield from self._group(value, position)
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            yield from self._repeat(op, value, position)
        elif op is ops.ATOMIC_GROUP:
            yield from self._first(value.data, position)
        elif op in (ops.ASSERT, ops.ASSERT_NOT):
            if self._looks(value, position) == (op is ops.ASSERT):
                yield position
        elif op is ops.GROUPREF:
            start, end = self.groups.get(value, (0, 0))
            if self.text.startswith(self.text[start:end], position):
                yield position + end - start
        else:
            raise NotImplementedError(str(op))

    def _group(self, value: Any, position: int) -> Ends:
        number, _, _, inner = value
        for end in self._sequence(inner.data, 0, position):
            if number is not None:
                self.groups[number] = (position, end)
            yield end

    def _first(self, nodes: Sequence[Node], position: int) -> Ends:
        end = next(self._sequence(nodes, 0, position), -1)
        if end >= 0:
            yield end

    def _looks(self, value: Any, position: int) -> bool:
        direction, inner = value
        if direction < 0:
            position -= inner.getwidth()[0]
            if position < 0:
                return False
        return next(self._sequence(inner.data, 0, position), -1) >= 0

    def _repeat(self, op: Any, value: Any, position: int) -> Ends:
        least, most, inner = value
        nodes = inner.data
        if len(nodes) == 1 and nodes[0][0] in _SINGLE:
            ends = self._run(nodes[0], position, most)
            if op is ops.MIN_REPEAT:
                for end in ends:
                    if end - position >= least:
                        yield end
                return
            reached = list(ends)
            reached = [end for end in reached if end - position >= least]
            for end in reversed(reached) if op is ops.MAX_REPEAT else reached[-1:]:
                self._step()
                yield end
        elif op is ops.POSSESSIVE_REPEAT:
            yield from self._first(((ops.MAX_REPEAT, value),), position)
        else:
            yield from self._rounds(op, nodes, (least, most), position, 0)

    def _run(self, node: Node, position: int, most: Any) -> Ends:
        yield position
        taken = 0
        while taken < most and position < len(self.text):
            self._step()
            if not self._fits(node, self.text[position]):
                return
            position += 1
            taken += 1
            yield position

    def _rounds(self, op: Any, nodes: Sequence[Node], bounds: tuple[Any, Any], position: int, done: int) -> Ends:
        least, most = bounds
        if op is ops.MIN_REPEAT and done >= least:
            yield position
        if done < most:
            for end in self._sequence(nodes, 0, position):
                if end > position or done < least:
                    yield from self._rounds(op, nodes, bounds, end, done + 1)
        if op is ops.MAX_REPEAT and done >= least:
            yield position

    def _at(self, where: Any, position: int) -> bool:
        text, lines = self.text, bool(self.flags & re.MULTILINE)
        before, after = text[position - 1 : position] if position else "", text[position : position + 1]
        match str(where):
            case "AT_BEGINNING":
                return not before or (lines and before == "\n")
            case "AT_BEGINNING_STRING":
                return not before
            case "AT_END":
                return not after or (lines and after == "\n") or text[position:] == "\n"
            case "AT_END_STRING":
                return not after
            case "AT_BOUNDARY":
                return _is_word(before) != _is_word(after)
            case "AT_NON_BOUNDARY":
                return _is_word(before) == _is_word(after)
        raise NotImplementedError(str(where))

    def _fits(self, node: Node, sign: str) -> bool:
        key = id(node), sign
        if key not in self._fitting:
            self._fitting[key] = self._matches(node, sign)
        return self._fitting[key]

    def _matches(self, node: Node, sign: str) -> bool:
        op, value = node
        if self._folds and op in (ops.LITERAL, ops.NOT_LITERAL):
            return (chr(value).casefold() == sign.casefold()) == (op is ops.LITERAL)
        if op is ops.LITERAL:
            return ord(sign) == value
        if op is ops.NOT_LITERAL:
            return ord(sign) != value
        if op is ops.ANY:
            return sign != "\n" or bool(self.flags & re.DOTALL)
        forms = {sign, sign.lower(), sign.upper()} if self._folds else {sign}
        negated = bool(value) and value[0][0] is ops.NEGATE
        members = value[1:] if negated else value
        return any(_member(member, form) for member in members for form in forms if len(form) == 1) != negated


def _is_word(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_")


def _member(member: Node, sign: str) -> bool:
    op, value = member
    if op is ops.LITERAL:
        return ord(sign) == value
    if op is ops.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    name = str(value).removeprefix("CATEGORY_")
    return _KINDS[name.removeprefix("NOT_")](sign) != name.startswith("NOT_")


_KINDS: dict[str, Callable[[str], bool]] = {
    "DIGIT": lambda sign: unicodedata.category(sign) == "Nd",
    "SPACE": str.isspace,
    "WORD": _is_word,
}


@cache
def _tree(pattern: str, flags: int) -> Any:
    return parser.parse(pattern, flags & ~re.DEBUG)


def steps(pattern: re.Pattern[str], text: str, methods: Iterable[str], most: int = 1_000_000) -> int:
    """The steps of the costliest of these methods over a text; `most` if it takes more."""
    counter = Counter(pattern, text, most)
    try:
        counter.match_at(0) if ANCHORED.issuperset(methods) else counter.find_all()
    except TooMany:
        return most
    return counter.count


def signs_of(pattern: re.Pattern[str]) -> set[str]:
    """The characters and words that a pattern names, and the ends of its ranges: of these is made what vexes it."""
    signs: set[str] = set()

    def walk(nodes: Iterable[Node]) -> None:
        word = ""
        for op, value in (*nodes, (None, None)):
            if len(word) > 1 and op is not ops.LITERAL:
                signs.add(word)
            word = word + chr(value) if op is ops.LITERAL else ""
            if op in (ops.LITERAL, ops.NOT_LITERAL):
                signs.add(chr(value))
            elif op is ops.RANGE:
                signs.update(map(chr, value))
            elif op in (ops.IN, ops.ATOMIC_GROUP):
                walk(value)
            elif op is ops.BRANCH:
                for branch in value[1]:
                    walk(branch)
            elif op is ops.SUBPATTERN:
                walk(value[3])
            elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
                walk(value[2])
            elif op in (ops.ASSERT, ops.ASSERT_NOT):
                walk(value[1])

    walk(_tree(pattern.pattern, pattern.flags))
    return signs
