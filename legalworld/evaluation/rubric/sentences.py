"""Reading the one-line sentences of a rubric with `sentences.lark`: text to tree, or what is wrong and where."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from lark import Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from ...language import diagnose
from ...language.sentences.grammar import END, Grammar
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ..metrics.added import FUNCTIONS, added_metrics
from .definition import SIDE, Apply, Each, Expression, FormulaName, FormulaNumber, Selection

MOST_CHARACTERS: Final = 500
MOST_NESTING: Final = 30


def formula(text: str, span: Span) -> Expression | Diagnostic:
    """`mean(relationship, rule) / 10`, `total >= 60`."""
    tree = _parsed("formula", text, span)
    return tree if isinstance(tree, Diagnostic) else _expression(tree, span)


def selection(text: str, span: Span) -> Selection | Diagnostic:
    """`turns by target in LC`, `document complaint of target section 诉讼请求`, `field real_first.disposition`."""
    tree = _parsed("selection", text, span)
    if isinstance(tree, Diagnostic):
        return tree
    found = _named(tree)
    kind = tree.data
    path = found.get("path", ())
    return Selection(
        kind,
        span,
        name=path[0] if path else next((str(one) for one in _tokens(tree, "WORD")), ""),
        keys=path[1:],
        owner=next(iter(found.get("owner", ())), ""),
        section=next(iter(found.get("section", ())), "").strip(),
        who=found.get("by", ()),
        places=found.get("in", ()),
        numbered=bool(_tokens(tree, "NUMBERED")),
        called=next(iter(found.get("called", ())), "").strip(),
    )


def each(text: str, span: Span) -> Each | Diagnostic:
    """`records of questions of target`, `windows of 2 turns in CD`, `phases investigation, debate in FIT`.

    `stages LC, CD/DD`, `roles plaintiff/defendant, judge`: those joined by a stroke are one unit.
    """
    tree = _parsed("each", text, span)
    if isinstance(tree, Diagnostic):
        return tree
    found = _named(tree)
    path = found.get("path", ())
    names = path[:1] or found.get("words", ()) or found.get("groups", ())
    if tree.data in ("topics", "items"):
        names = tuple(str(one) for one in _tokens(tree, "WORD"))
    size = next((int(float(one)) for one in _tokens(tree, "NUMBER")), 0)
    places = found.get("in", ()) or tuple(str(one) for one in _tokens(tree, "WORD") if tree.data == "phases")
    owner = next(iter(found.get("owner", ())), "")
    return Each(tree.data, span, names=names, keys=path[1:], owner=owner, size=size, places=places)


def limits(text: str, span: Span) -> tuple[float, float, float] | Diagnostic:
    """`0 to 10`, `0 to 5 by 0.5`: lowest, highest, step."""
    tree = _parsed("range", text, span)
    numbers = [] if isinstance(tree, Diagnostic) else [float(one) for one in _tokens(tree, "SIGNED")]
    if len(numbers) < 2 or numbers[0] >= numbers[1]:
        return diagnose.unreadable_range(span, found=text)
    return numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 1.0


def flag(text: str, span: Span) -> tuple[bool, str] | Diagnostic:
    """`not followed_up`: whether it is denied, and the name."""
    tree = _parsed("flag", text, span)
    if isinstance(tree, Diagnostic):
        return tree
    return bool(_tokens(tree, "NOT")), str(_tokens(tree, "WORD")[0])


@cache
def _spellings() -> dict[str, str]:
    """Every spelling of a function that ships -> its name."""
    told = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))
    return {name: name for name in FUNCTIONS} | dict(told["functions"])


def _function(word: str) -> str | None:
    """The function that a word means; None for a word that means none."""
    return _spellings().get(word) or (word if word in added_metrics().parts else None)


@cache
def _grammar() -> Grammar:
    return Grammar(__package__, "sentences.lark", ("formula", "selection", "each", "range", "flag"))


def _parsed(start: str, text: str, span: Span) -> Any:
    if len(text) > MOST_CHARACTERS or text.count("(") > MOST_NESTING:
        return diagnose.rubric_sentence_too_complex(span, limit=MOST_CHARACTERS)
    try:
        return _grammar().parse(start, text.strip())
    except UnexpectedInput as stuck:
        ended = isinstance(stuck, UnexpectedToken) and stuck.token.type == END
        where = len(text) if ended else stuck.column - 1
        at = span.shifted(max(min(where, len(text) - 1), 0), 1)
        return diagnose.unreadable_rubric_sentence(at, text=text)


def _expression(node: Tree[Token] | Token, span: Span) -> Expression | Diagnostic:
    assert not isinstance(node, Token)
    children: list[Any] = list(node.children)
    match node.data:
        case "number":
            return FormulaNumber(float(children[0]))
        case "name":
            return FormulaName(str(children[0]), "", _at(children[0], span))
        case "part":
            return FormulaName(str(children[0]), str(children[1]), _at(children[0], span))
        case "apply":
            word = str(children[0])
            function = _function(word)
            if function is None:
                known = (*FUNCTIONS, *added_metrics().parts)
                return diagnose.unknown_function(_at(children[0], span), name=word, known=known, nearest=None)
            return _applied(function, children[1:], _at(children[0], span), span)
        case "unary":
            sign = "-" if str(children[0]) == "-" else "+"
            inner = _expression(children[1], span)
            zero = FormulaNumber(0.0)
            return inner if isinstance(inner, Diagnostic) or sign == "+" else Apply("-", (zero, inner), span)
        case _:
            left, sign, right = children
            return _applied(str(sign), [left, right], _at(sign, span), span)


def _applied(function: str, nodes: list[Any], at: Span, span: Span) -> Expression | Diagnostic:
    found = [_expression(node, span) for node in nodes]
    wrong = next((one for one in found if isinstance(one, Diagnostic)), None)
    return wrong or Apply(function, tuple(one for one in found if not isinstance(one, Diagnostic)), at)


def _at(token: Any, span: Span) -> Span:
    return span.shifted(max((token.column or 1) - 1, 0), len(token))


def _named(tree: Tree[Token]) -> dict[str, tuple[str, ...]]:
    """The words of each named part of a sentence."""
    found: dict[str, tuple[str, ...]] = {}
    for part in tree.iter_subtrees():
        words = [_word(one) for one in part.scan_values(lambda one: isinstance(one, Token) and one.type in _WORDS)]
        found.setdefault(str(part.data), tuple(words))
    return {name: words for name, words in found.items() if name != tree.data}


_WORDS: Final = frozenset({"WORD", "PLACE", "SIDED", "__ANON_0"})


def _word(token: Any) -> str:
    """A word as it stands; that of a side with the English word before it."""
    return f"{SIDE}{token.split()[-1]}" if token.type == "SIDED" else str(token)


def _tokens(tree: Tree[Token], kind: str) -> list[Any]:
    return [one for one in tree.children if isinstance(one, Token) and one.type == kind]
