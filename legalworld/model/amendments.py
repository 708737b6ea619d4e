"""Fields whose value is replaced during the proceedings: amended claims, from the stage, phase or day that is said.

`Field.amends` is the field whose value such a field replaces; `Field.in_force_from` the stage or STAGE/PHASE from which
on it does, or the FIELD[.KEY] in which the case tells the stage, phase or day.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Literal

from .case import MISSING, Case, Record, Sided, Value, texts
from .frozen import FrozenModel
from .immutable import immutable, replace
from .procedure import Field, Procedure
from .text import BLANKS, folded

Reference = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]
"""A field, the keys that lead to its references, and the FIELD and KEY in which each finds what it names."""


class Amended(FrozenModel):
    """The value of `field` holds from here on in the place of that of `amends`. `title`: what it is called."""

    kind: Literal["amended"] = "amended"
    place: str
    field: str
    amends: str
    title: str


@immutable
class Start:
    """From when an amended value holds, as the spec or the case says: `text` is a place, a day, or "" where neither is
    said. `field`: the field of the case that says it, "" for the spec itself."""

    text: str
    field: str = ""


def amending(procedure: Procedure) -> tuple[Field, ...]:
    """Return the fields that replace another one during the proceedings, in the order of the spec."""
    return tuple(field for field in procedure.case_fields.values() if field.amends)


def start_of(procedure: Procedure, case: Case, field: Field) -> Start:
    """Return from when the value of an amending field holds in a case."""
    name, _, key = field.in_force_from.partition(".")
    if name not in procedure.fields:
        return Start(field.in_force_from)
    return Start(next(texts(case.fields.get(name), key), "").strip(), name)


def is_given(case: Case, field: Field) -> bool:
    """Whether a case gives an amended value for any side."""
    value = case.fields.get(field.name, MISSING)
    return any(value.values.values()) if isinstance(value, Sided) else bool(value)


def in_force(procedure: Procedure, case: Case, names: Iterable[str]) -> Case:
    """Return the case with these amending fields, in this order, in the place of what they amend.

    A list of references to records of an amended field loses those to records that are gone. One that names none but
    such keeps them: what it is about is over, and it is not about all the rest.
    """
    fields = dict(case.fields)
    for name in names:
        target, new = procedure.fields[name].amends, fields[name]
        old: Value | Sided = fields.get(target, MISSING)
        if isinstance(new, Sided) and isinstance(old, Sided):
            fields[target] = Sided({**old.values, **{side: one for side, one in new.values.items() if one}})
        elif new:
            fields[target] = new
        for field, path, targets in _references(procedure, target):
            known = frozenset(folded(text, BLANKS) for at, key in targets for text in texts(fields.get(at), key))
            if known and field in fields:
                fields[field] = _kept(fields[field], path, known)
    return replace(case, fields=fields) if fields != case.fields else case


def _references(procedure: Procedure, amended: str) -> Iterator[Reference]:
    """Yield the keys of fields that hold lists of references into an amended field."""
    for field in procedure.case_fields.values():
        for key, kind in field.types.items():
            if kind.many and any(name == amended for name, _ in kind.targets):
                yield field.name, tuple(filter(None, key.split("."))), kind.targets


def _kept(value: Value | Sided, path: tuple[str, ...], known: frozenset[str]) -> Any:
    """Return a value whose lists of references at a path hold those to known records alone, where any is left."""
    match value:
        case Sided():
            return Sided({side: _kept(one, path, known) for side, one in value.values.items()})
        case tuple() if not path:
            return tuple(one for one in value if isinstance(one, str) and folded(one, BLANKS) in known) or value
        case tuple():
            return tuple(_kept(one, path, known) for one in value)
        case Record() if path and value.get(path[0], MISSING) != MISSING:
            held = {name: value[name] for name in value if value[name] != MISSING}
            return Record({**held, path[0]: _kept(value[path[0]], path[1:], known)}, tuple(value))
        case _:
            return value


def amended_in(events: Iterable[object]) -> tuple[str, ...]:
    """Return the amending fields that came into force in a run."""
    return tuple(event.field for event in events if isinstance(event, Amended))


def latest(names: Collection[str], procedure: Procedure, target: str) -> Field | None:
    """Return the field that amended another one last; None where none has."""
    return next(
        (procedure.fields[name] for name in reversed([*names]) if procedure.fields[name].amends == target), None
    )
