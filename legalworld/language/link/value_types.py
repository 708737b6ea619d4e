"""The types of a field and of the keys of its records, as a spec declares them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ...model.diagnostics import Diagnostic
from ...model.numbers import CODES, SIGNS
from ...model.plan import AnswerForm
from ...model.procedure import Field
from ...model.source import Span
from ...model.value_types import TypeKind, Types, ValueType
from .. import diagnose
from ..schema import AnswerSurface, CaseField, TypeSurface
from ..sentences.keywords import VALUE_TYPES
from ..spelling import nearest
from ..surface_reader import SurfaceReader, text_of, texts_of
from ..yaml.nodes import Scalar

ITSELF: Final = ""  # the key under which the type of the field stands
IDENTITY: Final = "id"  # the key of a record by which it is referred to where none is named
_TYPING: Final = frozenset({"type", "currency", "unit", "partial"})
_CODE: Final = re.compile("[A-Z]{3}")
_GOES_WITH: Final[Mapping[str, TypeKind]] = {
    "currency": "amount",
    "unit": "number",
    "choices": "choice",
    "refers_to": "reference",
    "partial": "date",
}


def types_of(name: str, surface: CaseField, reader: SurfaceReader) -> Types:
    """The types that a field declares: its own under "", those of its keys, and of what stands below them.

    Where a field has keys, and a type or types of some, its type is that of each other key: text if nothing is said.
    """
    found: dict[str, ValueType] = {}
    for path, one in surface.types.items():
        key = path.partition(".")[0]
        if key not in surface.keys:
            near, known = nearest(key, surface.keys), tuple(surface.keys)
            reader.report(diagnose.unknown_field_key(one.span, owner=name, key=key, known=known, nearest=near))
        else:
            found[path] = _type(one, reader)
    own = _type(surface.type, reader) if surface.type is not None else None
    if own is not None and not surface.keys:
        found[ITSELF] = own
    elif own is not None or found:
        own = own or ValueType("text", surface.path.span)
        typed = {path.partition(".")[0] for path in found}
        found |= {key: own for key in surface.keys if key not in typed}
    return {path: kind for path, kind in found.items() if kind.kind != "anything"}


OF_ANSWERS: Final[Mapping[TypeKind, AnswerForm]] = {
    "amount": "number",
    "rate": "number",
    "number": "number",
    "date": "date",
    "yes or no": "yes or no",
    "text": "text",
}
"""Of which types an answer can be, and the form that each has."""


def type_of_answer(surface: AnswerSurface, reader: SurfaceReader) -> ValueType | None:
    """The type that is declared for an answer; None where none is, or none that an answer can have."""
    given = surface.given & _TYPING
    if not given:
        return None
    kind = VALUE_TYPES.get(" ".join(text_of(surface.type).split()))
    if surface.type is not None and kind is not None and kind not in OF_ANSWERS:
        reader.report(diagnose.no_type_of_answers(surface.type.span, type=surface.type.text))
        return None
    declared = TypeSurface(
        span=surface.span,
        given=given,
        type=surface.type,
        currency=surface.currency,
        unit=surface.unit,
        partial=surface.partial,
    )
    return _type(declared, reader)


def _type(surface: TypeSurface, reader: SurfaceReader) -> ValueType:
    before = len(reader.problems)
    kind = _kind(surface, reader)
    named = len(reader.problems) == before  # or else what goes with it is not known
    for key, only in _GOES_WITH.items():
        if named and key in surface.given and kind != only:
            reader.report(_unfit(surface, key, kind))
    unit = _currency(surface.currency, reader) if surface.currency is not None else text_of(surface.unit)
    return ValueType(
        kind,
        surface.span,
        unit,
        texts_of(surface.choices),
        tuple(_target(word) for word in surface.refers_to),
        reader.truth(surface.many),
        reader.truth(surface.unique),
        reader.truth(surface.partial),
        text_of(surface.type),
    )


def _kind(surface: TypeSurface, reader: SurfaceReader) -> TypeKind:
    """The type that is named, or that comes of what else is said."""
    implied: TypeKind = "reference" if surface.refers_to else "choice" if surface.choices else "text"
    if surface.type is None:
        return implied
    kind = VALUE_TYPES.get(" ".join(surface.type.text.split()))
    if kind is None:
        reader.report(diagnose.unknown_value_type(surface.type.span, name=surface.type.text, among=VALUE_TYPES))
        return implied
    if kind in ("choice", "reference") and kind != implied:  # of what?
        key = "choices" if kind == "choice" else "refers to"
        reader.report(diagnose.missing_key(surface.span, key=key))
        return "text"
    return kind


def _unfit(surface: TypeSurface, key: str, kind: TypeKind) -> Diagnostic:
    word = getattr(surface, key)
    first = word if isinstance(word, Scalar) else next(iter(word), surface)
    found = first.text if isinstance(first, Scalar) else ""
    return diagnose.unfit_type_setting(first.span, type=kind, key=key.replace("_", " "), found=found)


def _currency(word: Scalar, reader: SurfaceReader) -> str:
    """The code of a currency; a sign that one currency alone has stands for it."""
    codes = SIGNS.get(word.text, frozenset({word.text.upper()}))
    code = next(iter(codes)) if len(codes) == 1 else ""
    code = {"RMB": "CNY"}.get(code, code)
    if not _CODE.fullmatch(code):
        near = nearest(word.text.upper(), CODES)
        found = diagnose.unfit_type_setting(word.span, type="amount", key="currency", found=word.text, nearest=near)
        reader.report(found)
    return code


def _target(word: Scalar) -> tuple[str, str]:
    field, _, key = word.text.partition(".")
    return field, key or IDENTITY


def check_targets(surfaces: Mapping[str, CaseField], fields: Mapping[str, Field], reader: SurfaceReader) -> None:
    """Every reference names fields that have records with such a key."""
    for word in (word for surface in surfaces.values() for word in _references(surface)):
        name, key = _target(word)
        target = fields.get(name)
        if target is None:
            reader.report(diagnose.unknown_field(word.span, name=name, among=fields))
        elif key not in target.keys:
            near = nearest(key, target.keys)
            reader.report(diagnose.unknown_field_key(word.span, owner=name, key=key, known=target.keys, nearest=near))
    for span, chain in _circles(surfaces):
        reader.report(diagnose.circular_type(span, chain=" → ".join(chain)))


def _circles(surfaces: Mapping[str, CaseField]) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """Find keys whose values are named by what they name themselves, each circle once: any value would be found.

    Records that name one another by keys of their own (a claim its exhibits, an exhibit its claims) are no circle.
    """
    leads = {
        (name, key): {_target(word): word.span for word in declared.refers_to}
        for name, surface in surfaces.items()
        for key, declared in surface.types.items()
    }
    told: set[tuple[str, str]] = set()

    def follow(chain: tuple[tuple[str, str], ...]) -> Iterator[tuple[Span, tuple[str, ...]]]:
        for target, span in leads.get(chain[-1], {}).items():
            if target == chain[0]:
                told.update(chain)
                yield span, tuple(".".join(one) for one in (*chain, target))
            elif target not in chain:
                yield from follow((*chain, target))

    for start in leads:
        yield from (() if start in told else follow((start,)))


def _references(surface: CaseField) -> Iterator[Scalar]:
    for one in (surface.type, *surface.types.values()):
        yield from one.refers_to if one is not None else ()
