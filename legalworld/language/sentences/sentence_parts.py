"""What lies on the parser's stack beside nodes, and how the methods of a builder are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .lexer import Word


class Said(NamedTuple):
    """What a rule says that is no node of its own: a keyword, a count, a list."""

    value: Any
    span: Span


class Phrase(NamedTuple):
    """A part of a sentence by the name of its rule, or a whole sentence of such parts."""

    name: str
    children: list[Any]

    @property
    def span(self) -> Span:
        return over(self.children)

    @property
    def value(self) -> Any:
        """What the part holds."""
        (held,) = (child for child in self.children if type(child) is not Word)
        return held.value if type(held) is Said else held

    @property
    def parts(self) -> Mapping[str, Any]:
        """The parts of a sentence by their names."""
        return {str(child.name): child.value for child in self.children if isinstance(child, Phrase)}


def over(children: Sequence[Any]) -> Span:
    """From the beginning of the first child to the end of the last."""
    begin: Span = children[0].span
    end: Span = children[-1].span
    return Span(begin.file, begin.line, begin.column, end.column + end.length - begin.column)


def built(build: Callable[..., Any], _name: str, children: list[Any], _meta: None) -> Any:
    """How Lark calls a method: with what the children say, and the span over all; keywords only join them."""
    values = []
    for child in children:
        if type(child) is Diagnostic:
            return child
        if type(child) is not Word:
            values.append(child.value if type(child) is Said else child)
    return build(*values, span=over(children))
