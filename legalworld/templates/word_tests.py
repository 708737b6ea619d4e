"""Where a template asks whether certain words stand in a value: `"..." in x`, `x == "..."`, `select("contains", ...)`.

What somebody said can be put in other words; who decides by such a test decides otherwise for the same thing.
"""

from __future__ import annotations

from typing import Final

from jinja2 import nodes

from ..model.immutable import immutable
from ..model.source import Span
from .reads import KnownValue, Path
from .subset import SubsetWalk
from .syntax import Page, constant, start_of

_CHOOSING: Final = ("select", "reject", "selectattr", "rejectattr")


@immutable
class WordTest:
    """A path that is compared with words that the template itself holds, and where. `words`: those of which the whole
    value is to be one; () where a part of it is looked for."""

    path: Path
    span: Span
    words: tuple[str, ...] = ()


def word_tests(page: Page, tree: nodes.Template) -> tuple[WordTest, ...]:
    """Every comparison of a value with words of the template."""
    walk = _WordTests(page)
    walk.block(tree.body, {}, 0)
    return tuple({(one.path, one.span): one for one in walk.found}.values())


class _WordTests(SubsetWalk):
    """The walk that checks a template, and beside it what is compared with words."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.found: list[WordTest] = []

    def expression(self, node: nodes.Node, scope: dict[str, KnownValue], printed: bool) -> KnownValue:
        if isinstance(node, nodes.Compare):
            parts = (node.expr, *(operand.expr for operand in node.ops))
            if any(map(_words, parts)):
                for part in parts:
                    self._note(self.value(part, scope).paths, part, _whole(node, part))
        found = super().expression(node, scope, printed)
        if isinstance(node, nodes.Concat):  # words put one behind another are the words of each of them
            paths = tuple(path for part in node.nodes for path in self.value(part, scope).paths)
            return KnownValue(found.shape, tuple(dict.fromkeys(paths)))
        return found

    def filter(self, node: nodes.Filter, source: nodes.Expr, scope: dict[str, KnownValue], printed: bool) -> KnownValue:
        if node.name in _CHOOSING and any(map(_words, node.args[2 if node.name.endswith("attr") else 1 :])):
            entry = self.value(source, scope).entry()
            name = node.args[0].value if node.name.endswith("attr") and isinstance(node.args[0], nodes.Const) else ""
            ends = tuple(name.split(".")) if isinstance(name, str) and name else ()
            self._note(tuple((*path, *ends) for path in entry.paths), node)
        found = super().filter(node, source, scope, printed)
        if found.paths or found.shape != "text":
            return found
        known = self.value(source, scope)  # of a text that is made of others it is known which
        return KnownValue("text", known.paths + (known.of.paths if known.of is not None else ()))

    def _note(self, paths: tuple[Path, ...], node: nodes.Node, words: tuple[str, ...] = ()) -> None:
        at = self.page.span(start_of(node), 1)
        self.found += [WordTest(path, at, words) for path in paths]


def _words(node: nodes.Node) -> tuple[str, ...]:
    """The text, or the list of texts, of the template that a part of a comparison is; () where it is none."""
    found = constant(node)
    listed = tuple(found) if isinstance(found, (list, tuple)) else (found,)
    return listed if all(isinstance(one, str) and one for one in listed) else ()


def _whole(node: nodes.Compare, part: nodes.Node) -> tuple[str, ...]:
    """The words of which a part of a comparison is to be one as a whole: `part == "yes"`, `part in ["yes", "no"]`."""
    if len(node.ops) != 1:
        return ()
    (operand,) = node.ops
    if operand.op in ("in", "notin"):
        listed = part is node.expr and isinstance(operand.expr, (nodes.List, nodes.Tuple))
        return _words(operand.expr) if listed else ()
    return _words(operand.expr if part is node.expr else node.expr) if operand.op in ("eq", "ne") else ()
