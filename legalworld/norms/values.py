"""Values that cases and examples give of facts, read by the type that each fact has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..figures.sums import read_sum
from ..language import diagnose
from ..language.amounts import amounts
from ..language.dates import read_day
from ..language.sentences.keywords import truth
from ..language.sentences.norm_words import ABOUT_KEYS, EVENT_KEYS
from ..language.surface_reader import SurfaceReader
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from .definition import Event, Fact, Kind, Saying, Value

_LOCALE: Final = "zh"  # of sums: a comma parts thousands
VALUE_KEY: Final = ("is", "amount")
"""Under which key the value of a fact stands that is written with what belongs to it."""


def read_said(node: Node, fact: Fact, reader: SurfaceReader) -> Saying | None:
    """`46800`, or `{amount: 36800, date: 2024-09-20, signed: [D1]}`, `{is: yes, of: [D2]}`; a problem where it is of
    another type."""
    if not isinstance(node, MapNode) or fact.kind == "events":
        alone = read_value(node, fact.kind, fact.id, reader)
        return Saying(alone, currency=_currency(node, fact.kind)) if alone is not None else None
    value: Value | None = None
    about: Value = ()
    keys, currency = dict[str, Value](), ""
    for entry in node.entries:
        name = EVENT_KEYS.get(entry.key.text, entry.key.text)
        if name in VALUE_KEY or name == fact.id:
            value = read_value(entry.value, fact.kind, fact.id, reader)
            currency = _currency(entry.value, fact.kind)
        elif name in fact.keys:
            found = read_value(entry.value, fact.keys[name], name, reader)
            keys |= {name: found} if found is not None else {}
        elif name in ABOUT_KEYS:
            about = read_value(entry.value, "persons", name, reader) or ()
        else:
            reader.report(diagnose.unknown_norm_name(entry.key.span, name=name, among=fact.keys))
    if value is None and not reader.failed:
        reader.report(diagnose.invalid_fact_value(node.span, name=fact.id, kind=fact.kind, found="{}"))
    whom = tuple(one for one in about if isinstance(one, str)) if isinstance(about, tuple) else ()
    return Saying(value, keys, currency, whom) if value is not None else None


def _currency(node: Node, kind: Kind) -> str:
    """In which currency a sum is said, as its code or sign; "" where none is."""
    found = amounts(node.text, _LOCALE) if kind == "money" and isinstance(node, Scalar) else ()
    return found[0].currency if found else ""


def read_value(node: Node, kind: Kind, name: str, reader: SurfaceReader) -> Value | None:
    """A value of a type; None with its problem."""
    found: Value | None = None
    match kind:
        case "events":
            return tuple(_events(node, name, reader))
        case "persons":
            items = node.items if isinstance(node, ListNode) else (node,)
            words = [one.text for one in items if isinstance(one, Scalar) and one.text]
            found = tuple(words) if len(words) == len(items) else None
        case _ if isinstance(node, Scalar):
            found = scalar_value(node.text, kind)
    if found is None:
        said = node.text if isinstance(node, Scalar) else "..."
        reader.report(diagnose.invalid_fact_value(node.span, name=name, kind=kind, found=said))
    return found


def scalar_value(text: str, kind: Kind) -> Value | None:
    """A text read as a type; None where it is none of it."""
    match kind:
        case "yes":
            return truth(text)
        case "money" | "percent" | "number":
            return read_sum(text)
        case "day":
            return read_day(text)
    return text or None


def _events(node: Node, name: str, reader: SurfaceReader) -> Iterator[Event]:
    """The events of a list, or the one that stands alone."""
    items = node.items if isinstance(node, ListNode) else (node,)
    for one in items:
        known = _record(one)
        day, amount = read_day(known.get("date", "")), read_sum(known.get("amount", ""))
        until = read_day(known["until"]) if "until" in known else None
        if day is None or amount is None or ("until" in known and until is None):
            reader.report(
                diagnose.invalid_fact_value(one.span, name=name, kind="events", found=" ".join(known.values()))
            )
        else:
            yield Event(day, amount, known.get("from", ""), known.get("to", ""), until)


def _record(node: Node) -> Mapping[str, str]:
    entries = node.entries if isinstance(node, MapNode) else ()
    return {
        EVENT_KEYS.get(entry.key.text, entry.key.text): entry.value.text
        for entry in entries
        if isinstance(entry.value, Scalar)
    }
