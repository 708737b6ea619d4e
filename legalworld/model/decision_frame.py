"""The fields that a decision is about, by what the spec says of them: `decisions:`, and the types of their keys.

A key of type amount holds the sum, the key that is `unique` the id; the words are what the first key without a type
says. No key is known by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

from .case import Case, Record, Sided, Value
from .decision_parts import DecisionParts
from .immutable import immutable
from .procedure import Field, Procedure
from .value_types import ValueType


@immutable
class ClaimRecord:
    """A claim as the case has it. `about`: what an answer about it is kept under; `id`: its own, else its number.

    `value` in `unit` (the code of a currency, "" where the spec gives none) is the sum that it states in a typed key.
    """

    about: str
    id: str
    words: str
    side: str
    field: str
    value: Decimal | None
    unit: str


def decision_stated(procedure: Procedure, document: str) -> DecisionParts | None:
    """The decision that a document states, where it states one."""
    return next((one for one in procedure.decisions.values() if document in one.documents), None)


def instance_of(procedure: Procedure, parts: DecisionParts) -> int:
    """The instance of a decision: as the spec says, else one above the decision that it reviews; 0 where unsaid."""
    if parts.instance or not parts.below:
        return parts.instance
    below = procedure.decisions.get(parts.below)
    return (instance_of(procedure, below) or 1) + 1 if below is not None else 0


def field_records(case: Case, name: str) -> Iterator[tuple[str, str, Value]]:
    """The records of a field, each with what an answer about it is kept under, and its side."""
    value = case.fields.get(name, case.sealed.get(name))
    sides: Mapping[str, Value] = value.values if isinstance(value, Sided) else {"": value} if value is not None else {}
    for side, listed in sides.items():
        for index, record in enumerate(listed if isinstance(listed, tuple) else ()):
            yield f"{name}/{side}/{index}", side, record


def claim_records(procedure: Procedure, case: Case, parts: DecisionParts) -> tuple[ClaimRecord, ...]:
    """What a decision decides about, in the order of the case; every id stands once."""
    field = procedure.fields.get(parts.claims)
    if field is None:
        return ()
    number, amount, words = _unique(field), _amount(field), _words(field)
    found: list[ClaimRecord] = []
    taken: set[str] = set()
    for at, (about, side, record) in enumerate(field_records(case, parts.claims)):
        own = _text(record, number) or str(at + 1)
        chosen = about if own in taken else own
        taken.add(chosen)
        said = record if isinstance(record, str) else _text(record, words)
        unit = field.types[amount].unit if amount else ""
        value = _number(_text(record, amount))
        found.append(ClaimRecord(about, chosen, str(said), side, field.name, value, unit))
    return tuple(found)


def exhibit_ids(procedure: Procedure, case: Case, parts: DecisionParts) -> tuple[str, ...]:
    """The ids of the exhibits, as far as the spec says by which key they are told apart."""
    fields = [procedure.fields[name] for name in parts.exhibits if name in procedure.fields]
    ids = (_text(record, _unique(field)) for field in fields for _, _, record in field_records(case, field.name))
    return tuple(filter(None, ids))


def tendered_for(procedure: Procedure, case: Case, parts: DecisionParts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The exhibits, each with the claims that it is offered for: those that a key names which refers to the claims."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for field in (procedure.fields[name] for name in parts.exhibits if name in procedure.fields):
        key = next((key for key, kind in field.types.items() if _refers(kind, parts.claims)), "")
        for _, _, record in field_records(case, field.name):
            said = record.get(key) if key and isinstance(record, Record) else None
            claims = tuple(map(str, said)) if isinstance(said, tuple) else (said,) if isinstance(said, str) else ()
            if own := _text(record, _unique(field)):
                found.append((own, claims))
    return tuple(found)


def _refers(kind: ValueType, field: str) -> bool:
    """Whether a key names records of a field."""
    return any(target == field for target, _ in kind.targets)


def _unique(field: Field) -> str:
    return next((key for key in field.keys if key in field.types and field.types[key].unique), "")


def _amount(field: Field) -> str:
    """The one key that is a sum; none where there are several, or lists of them."""
    found = [key for key in field.keys if key in field.types and field.types[key].kind == "amount"]
    return found[0] if len(found) == 1 and not field.types[found[0]].many else ""


def _words(field: Field) -> str:
    """The first key that nothing but text is promised of."""
    plain = (key for key in field.keys if key not in field.types or field.types[key].kind == "text")
    return next((key for key in plain if key != _unique(field)), "")


def _text(record: Value, key: str) -> str:
    value = record.get(key) if key and isinstance(record, Record) else None
    return str(value) if isinstance(value, str) else ""


def _number(written: str) -> Decimal | None:
    """A sum in figures; None where it is none."""
    try:
        value = Decimal(written)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def within_claim(part: str, claim: str) -> bool:
    """Whether an id is that of a claim, or of one of the parts (1a, 1b) that it was taken apart into."""
    return part == claim or (part.startswith(claim) and not part[len(claim) : len(claim) + 1].isdigit())
