"""The conditions of checks: a text to an `Expression`, every name resolved and typed, or what is wrong and where."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from ...language import diagnose
from ...language.sentences.grammar import END, Grammar
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .definition import CheckTest, Constant, Expression, Operation, PropertyName
from .schema import LISTS, PROPERTIES, Property

MOST_CHARACTERS: Final = 400
MOST_BRACKETS: Final = 20
WHOLE: Final = "decision"
_MINUS: Final = ("minus", "over")
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "at_most": ("amount", "number"),
    "at_least": ("amount", "number"),
    "before": ("day",),
    "among": ("people", "text"),
}


@cache
def _grammar() -> Grammar:
    return Grammar(__package__, "sentences.lark", ("condition", "foreach"))


@cache
def aliases(section: str) -> Mapping[str, str]:
    """The Chinese words of a section -> ours."""
    told = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))
    return dict(told[section])


class _Wrong(Exception):
    """A name, word or comparison that cannot be; ends the reading of one condition."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.code)
        self.problem = problem


def foreach(text: str, span: Span) -> tuple[str, str] | Diagnostic:
    """`relief in reliefs`: the word that stands for each part, and the list."""
    try:
        tree = _grammar().parse("foreach", text.strip())
    except UnexpectedInput:
        return diagnose.unreadable_check(span, text=text)
    variable, _, listed = [str(one) for one in tree.children]
    name = aliases("lists").get(listed, listed)
    if name not in LISTS:
        return diagnose.unknown_check_list(span, name=listed, among=(*LISTS, *aliases("lists")))
    return variable, name


def condition(text: str, span: Span, variable: str, kind: str) -> Expression | Diagnostic:
    """A condition. `variable`: the word for the part that the check goes through, of a `kind` of the schema."""
    if len(text) > MOST_CHARACTERS or text.count("(") > MOST_BRACKETS:
        return diagnose.unreadable_check(span, text=text[:MOST_CHARACTERS])
    try:
        tree = _grammar().parse("condition", text.strip())
        linked = _Linker(span, variable, kind).linked(tree)
    except UnexpectedInput as stuck:
        ended = isinstance(stuck, UnexpectedToken) and stuck.token.type == END
        where = len(text) if ended else stuck.column - 1
        return diagnose.unreadable_check(span.shifted(max(min(where, len(text) - 1), 0), 1), text=text)
    except _Wrong as wrong:
        return wrong.problem
    return linked


class _Linker:
    """Resolves the names of one condition."""

    def __init__(self, span: Span, variable: str, kind: str) -> None:
        self.span, self.variable, self.kind = span, variable, kind

    def linked(self, tree: Any) -> Expression:
        nodes = [_bare(one) for one in tree.children if not isinstance(one, Token)]
        name: str = tree.data
        if name == "path":
            return self._flag(tree)
        if name in ("any", "all", "no"):
            operation: Operation = "any" if name == "any" else "all" if name == "all" else "no"
            return CheckTest(operation, tuple(self.linked(one) for one in nodes))
        if name == "flag":
            return self._flag(nodes[0])
        return self._test(name, tree, nodes)

    def _test(self, name: str, tree: Any, nodes: list[Any]) -> Expression:
        denied = any(isinstance(one, Token) and one.type == "NOT" for one in tree.children)
        parts, first = [], self._typed(nodes[0])
        parts.append(first[0])
        if name not in ("empty", "one_of", "equal", "at_most", "at_least", "before", "among"):
            raise _Wrong(diagnose.unreadable_check(self.span, text=name))
        for node in nodes[1:]:
            parts.append(self._compared(name, first[1], node))
        if name in _KINDS and first[1].kind not in _KINDS[name]:
            raise _Wrong(diagnose.check_types(self.span, left=first[1].kind, right=", ".join(_KINDS[name])))
        operation: Operation = name  # type: ignore[assignment]
        return CheckTest(operation, tuple(parts), denied)

    def _compared(self, name: str, left: Property, node: Any) -> Expression:
        """The other side of a comparison: of the same type, or one of the words that the first can have."""
        if node.data == "path" and len(node.children) == 1:
            word = str(node.children[0])
            ours = aliases("words").get(word, word)
            if ours not in left.words:
                raise _Wrong(diagnose.unknown_check_word(self.span, name=word, among=left.words))
            return Constant(ours)
        expression, right = self._typed(node)
        if right.kind != left.kind and not (name == "among" and right.kind == "people"):
            raise _Wrong(diagnose.check_types(self.span, left=left.kind, right=right.kind))
        return expression

    def _typed(self, node: Any) -> tuple[Expression, Property]:
        match node.data:
            case "number":
                return Constant(Decimal(str(node.children[0]))), Property("number")
            case "path":
                return self._name(node)
            case "percent":
                share = Constant(Decimal(str(node.children[0])) / 100)
                of, kind = self._typed(_bare(node.children[-1]))
                return CheckTest("multiplied", (of, share), signs=("times",)), kind
            case "added" | "multiplied":
                return self._reckoned(node)
        raise _Wrong(diagnose.unreadable_check(self.span, text=str(node.data)))

    def _reckoned(self, node: Any) -> tuple[Expression, Property]:
        """A sum or product; a product keeps the type of its first part."""
        parts = [self._typed(_bare(one)) for one in node.children if not isinstance(one, Token)]
        signs = tuple(aliases("words").get(str(one), str(one)) for one in node.children if isinstance(one, Token))
        kind = parts[0][1]
        wanted = kind.kind if node.data == "added" else "number"
        for _, other in parts[1:]:
            if other.kind != wanted:
                raise _Wrong(diagnose.check_types(self.span, left=kind.kind, right=other.kind))
        operation: Literal["added", "multiplied"] = "added" if node.data == "added" else "multiplied"
        return CheckTest(operation, tuple(one for one, _ in parts), signs=signs), kind

    def _flag(self, node: Any) -> Expression:
        expression, kind = self._name(node)
        if kind.kind != "flag":
            raise _Wrong(diagnose.check_types(self.span, left=kind.kind, right="flag"))
        return CheckTest("flag", (expression,))

    def _name(self, node: Any) -> tuple[Expression, Property]:
        words = [str(one) for one in node.children]
        root = aliases("lists").get(words[0], words[0])
        whole = root == WHOLE and words[0] != self.variable
        if len(words) != 2 or not (whole or words[0] == self.variable):
            known = tuple(one for one in (self.variable, WHOLE) if one)
            raise _Wrong(diagnose.unknown_check_name(self.span, name=".".join(words), among=known))
        properties = PROPERTIES[WHOLE if whole else self.kind]
        name = aliases("names").get(words[1], words[1])
        if name not in properties:
            among = (*properties, *(word for word, ours in aliases("names").items() if ours in properties))
            raise _Wrong(diagnose.unknown_check_name(self.span, name=words[1], among=among))
        return PropertyName(name, whole), properties[name]


def _bare(node: Any) -> Any:
    """A sum or product of one part is that part."""
    while node.data in ("added", "multiplied") and len(node.children) == 1:
        node = node.children[0]
    return node


def subtracts(sign: str) -> bool:
    """Whether a sign takes away, or divides."""
    return sign in _MINUS
