"""What the tree of a checked template becomes before it is compiled: its loops and long operations are paid for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from jinja2 import nodes
from jinja2.visitor import NodeTransformer


def metered(tree: nodes.Template) -> nodes.Template:
    """The tree, changed in place."""
    found: nodes.Template = _Metered().visit(tree)
    found.find_all = _nowhere  # type: ignore[assignment]
    return found


def _nowhere(_: object) -> Iterator[Any]:
    """Where blocks and imports are: nowhere, but Jinja looks for them three times all over."""
    return iter(())


class _Metered(NodeTransformer):
    """Loops, `~` and comparisons become filters that no template can name; an `if` without `else` gives "".

    Nodes are counted as they are come by: they are the work of a template, and of a loop for each of its entries; where
    a loop has a condition, that is the work of each entry, and the rest of those that fit it.
    """

    def __init__(self) -> None:
        self._met = 0

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        self._met += 1
        return super().visit(node, *args, **kwargs)

    def visit_Template(self, node: nodes.Template) -> nodes.Node:
        self.generic_visit(node)
        work = self._met - 1
        node.body.insert(0, nodes.Output([_filter(nodes.Const(work), "__work__", lineno=0)], lineno=0))
        return node

    def visit_For(self, node: nodes.For) -> nodes.Node:
        before = self._met + _size([node.target, node.iter, *node.else_])
        tested = _size([node.test]) if node.test is not None else 0
        self.generic_visit(node)
        work, each = 1 + self._met - before, 0
        if node.test is not None:
            each = 1 + tested
            node.body.insert(0, nodes.Output([_filter(nodes.Const(work - each), "__entry__", lineno=0)], lineno=0))
        node.iter = _filter(node.iter, "__loop__", nodes.Const(each or work), lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        return _filter(nodes.List(node.nodes, lineno=node.lineno), "__concat__", lineno=node.lineno)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:
        self.generic_visit(node)
        return _comparison([node.expr, *(operand.expr for operand in node.ops)], *(operand.op for operand in node.ops))

    def visit_Test(self, node: nodes.Test) -> nodes.Node:
        self.generic_visit(node)
        sign, sides = _SIGNS.get(node.name), [node.node, *node.args]
        return node if sign is None else _comparison(sides[::-1] if node.name == "contains" else sides, sign)

    def visit_CondExpr(self, node: nodes.CondExpr) -> nodes.Node:
        self.generic_visit(node)
        node.expr2 = node.expr2 or nodes.Const("", lineno=node.lineno)
        return node


_SIGNS: Final = {"eq": "eq", "equalto": "eq", "==": "eq", "ne": "ne", "!=": "ne", "in": "in", "contains": "in"}


def _comparison(operands: list[nodes.Expr], *signs: str) -> nodes.Filter:
    lineno = operands[0].lineno
    if signs == ("eq",):
        return _filter(operands[0], "__same__", operands[1], lineno=lineno)
    return _filter(nodes.List(operands, lineno=lineno), "__compare__", nodes.Const(signs), lineno=lineno)


def _filter(node: Any, name: str, *arguments: nodes.Expr, lineno: int) -> nodes.Filter:
    return nodes.Filter(node, name, list(arguments), [], None, None, lineno=lineno)


def _size(body: Sequence[nodes.Node]) -> int:
    """The number of nodes."""
    return sum(1 + len(list(node.find_all(nodes.Node))) for node in body)
