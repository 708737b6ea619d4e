"""The operators of a rule as they are written, and what tells a table of them from other tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..language.surfaces import canonical
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.source import Span

OPERATORS: Final = {  # how each is written
    "constant": "constant: A",
    "path": "path: $.a.b",
    "first_of": "first of: [$.a, $.b]",
    "all_of": "all of: [$.a, $.b]",
    "numbered": 'path: "$.a{n}", numbered: 1-11',
    "between": 'between: ["A:", [B, C]]',
    "split": 'split: ";"',
    "common": 'common: ","',
    "starts": "starts: [A, B]",
    "further": "further: [A, B]",
    "only": "only: [A, B]",
    "unless": "unless: [A, B]",
    "match": 'match: "A{}B"',
    "drop_sentence_with": "drop sentence with: [A, B]",
    "drop": "drop: [A, B]",
    "strip": 'strip: [";", A]',
    "shape": "shape: person",
    "sum": "sum: CNY",
    "named": "named: {A: [B, $.c], D: $.e}",
    "map": "map: {A: B, C: $.d}",
    "each": "each: {name: $.a}",
}


def words() -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in OPERATORS)


def is_operators(node: Node, keys: tuple[str, ...] = ()) -> bool:
    """Whether a table holds operators rather than sides or the keys of a record (which may be called like one)."""
    written = node.keys() if isinstance(node, MapNode) else ()
    return not (keys and set(written) <= set(keys)) and any(canonical(key) in OPERATORS for key in written)


def is_nothing(node: Node) -> bool:
    return isinstance(node, Scalar) and node.empty


def scalars_of(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case ListNode():
            for item in node.items:
                yield from scalars_of(item)
        case MapNode():
            for entry in node.entries:
                yield from scalars_of(entry.value)


def inside(scalar: Scalar, at: int, length: int) -> Span:
    """A stretch of a one-line scalar, 0-based."""
    indent = len(scalar.text) - len(scalar.text.lstrip())
    end = max(scalar.span.length, 1)
    start = min(max(at, 0) + indent, end - 1)
    return scalar.span.shifted(start, max(min(length, end - start), 1))
