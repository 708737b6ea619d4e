"""What a text that was bound should look like, by the kind of its field: a court, a person, a docket number, a sum.

The shapes are a table (`shapes.toml`), which a binding extends: `shapes: {matter.court: court}` gives a field one of
them, `shapes: {seat: {longest: 20, has: [City]}}` one of its own. A text that is of another shape is odd.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from ..language import diagnose
from ..language.sentences.keywords import truth
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from .joined_names import cut_names, is_no_name

PARTY, ANY = "party", "any"
_PAIRS: Final = ("()", "\uff08\uff09", "\u300a\u300b", "\u201c\u201d", "[]", "\u3010\u3011")
_NO_START: Final = ")]\uff09\u300b\u201d\u3011\u3002\uff0c,\u3001;\uff1b:\uff1a"
_TEXTS: Final = ("has", "without", "either")


@immutable
class TextShape:
    """What a text is held to; each constraint that is empty holds of every text. `either`: one of these shapes will do.

    `longest`: in characters, two of ASCII counting as one, 0 for any; `only`: the characters it may be made of;
    `whole`: brackets and quotation marks in pairs, no sign at the beginning that only goes on with something;
    `single`: one name, no list of names; `names`: the names of persons or organisations, one or several.
    """

    name: str
    longest: int = 0
    has: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    only: str = ""
    digits: bool = False
    whole: bool = False
    single: bool = False
    names: bool = False

    def fault(self, text: str) -> str | None:
        """What gives away that a text is of another shape: its length, or a word; None where it is of this one."""
        if self.either:
            faults = [shapes()[name].fault(text) for name in self.either]
            return None if None in faults else faults[0]
        if self.longest and _length(text) > self.longest:
            return str(len(text))
        word = next((word for word in self.without if word in text), None)
        if word is not None:
            return word
        if self.has and not any(word in text for word in self.has):
            return "/".join(self.has[:3])
        if self.only:
            return next((sign for sign in text if sign not in self.only), None)
        if self.single and len(names := cut_names(text)) > 1:
            return names[1].strip()
        if self.names and (other := is_no_name(text)) is not None:
            return other.strip() or text
        if self.digits and not any(sign.isdigit() or sign in _table()["digits"]["signs"] for sign in text):
            return "0-9"
        return _broken(text) if self.whole else None


def _length(text: str) -> int:
    """The length of a text in Chinese characters: a name in Latin letters takes twice as many."""
    return len(text) - sum(sign.isascii() for sign in text) // 2


def _broken(text: str) -> str | None:
    """The sign by which a text shows that it is a piece of another."""
    if text[:1] and text[0] in _NO_START:
        return text[0]
    return next((opening for opening, closing in _PAIRS if text.count(opening) != text.count(closing)), None)


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "shapes.toml").read_text("utf-8"))


@cache
def shapes() -> Mapping[str, TextShape]:
    """The shapes that every binding knows."""
    return {name: _shape(name, values) for name, values in _table()["shape"].items()}


def _shape(name: str, values: Mapping[str, Any]) -> TextShape:
    told: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return TextShape(name, **told)


def shape_of(place: str, own: Mapping[str, TextShape], parties: frozenset[str]) -> TextShape | None:
    """The shape of a place, FIELD, FIELD.SIDE, FIELD.KEY or FIELD.SIDE.KEY: the binding's own, that of the table by its
    name, or that of a field by whose values persons are named."""
    parts = place.split(".")
    short = ".".join((parts[0], parts[-1])) if len(parts) > 1 else place
    for name in (place, short, parts[0]):
        if name in own:
            return own[name]
    table = _table()["field"]
    for name in (short, parts[-1], parts[0]):
        if name in table and (name != parts[0] or len(parts) == 1 or table[name] == "sentence"):
            return shapes()[table[name]]
    return shapes()[PARTY] if short in parties or place in parties else None


def masked(text: str) -> bool:
    """Whether a text says nothing, because all of it was struck out before it was published."""
    masks = _table()["masks"]
    struck = any(sign in masks["signs"] for sign in text) and (len(text) > 1 or text in masks["alone"])
    return struck and all(sign in masks["signs"] or sign in masks["beside"] for sign in text)


# ---- a binding's own -------------------------------------------------------------------------------------------------


def read_shapes(node: Node | None) -> tuple[Mapping[str, TextShape], list[Diagnostic]]:
    """PLACE -> shape, as a binding gives them, and what is wrong with them."""
    if node is None:
        return {}, []
    if not isinstance(node, MapNode):
        return {}, [diagnose.invalid_shape(node.span, word="shapes", known=_keys())]
    found: dict[str, TextShape] = {}
    problems: list[Diagnostic] = []
    for entry in node.entries:
        one = read_shape(entry.key.text, entry.value)
        if isinstance(one, TextShape):
            found[entry.key.text] = one
        else:
            problems.append(one)
    return found, problems


def _keys() -> tuple[str, ...]:
    return ("longest", *_TEXTS, "only", "digits", "whole", "single", "names")


def read_shape(place: str, node: Node) -> TextShape | Diagnostic:
    """The shape that is written for a place: the name of one of the table, or a table of constraints."""
    if isinstance(node, Scalar):
        name = node.text.strip()
        return shapes().get(name) or diagnose.unknown_shape(node.span, name=name, known=tuple(shapes()))
    if not isinstance(node, MapNode):
        return diagnose.invalid_shape(node.span, word=place, known=_keys())
    values: dict[str, Any] = {}
    for entry in node.entries:
        value = _constraint(entry.key.text, entry.value)
        if value is None:
            return diagnose.invalid_shape(entry.key.span, word=entry.key.text, known=_keys())
        values[entry.key.text] = value
    return TextShape(place, **values)


def _constraint(key: str, node: Node) -> Any:
    """The value of a constraint; None where it has none that makes sense."""
    if key in _TEXTS:
        nodes = node.items if isinstance(node, ListNode) else (node,)
        texts = tuple(one.text for one in nodes if isinstance(one, Scalar) and one.text)
        known = key != "either" or all(text in shapes() for text in texts)
        return texts if texts and len(texts) == len(nodes) and known else None
    if not isinstance(node, Scalar):
        return None
    text = node.text.strip()
    match key:
        case "longest":
            return int(text) if text.isdecimal() and int(text) else None
        case "only":
            return text or None
        case "digits" | "whole" | "single" | "names":
            return truth(text)
        case _:
            return None
