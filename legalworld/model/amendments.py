"""Fields whose value is replaced during the proceedings: amended claims, from the stage, phase or day that is said.

`Field.amends` is the field whose value such a field replaces; `Field.in_force_from` the stage or STAGE/PHASE from which
on it does, or the FIELD[.KEY] in which the case tells the stage, phase or day.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from .case import MISSING, Case, Sided, Value, texts
from .frozen import FrozenModel
from .immutable import immutable, replace
from .procedure import Field, Procedure


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
    """Return the case with these amending fields, in this order, in the place of what they amend."""
    fields = dict(case.fields)
    for name in names:
        target, new = procedure.fields[name].amends, fields[name]
        old: Value | Sided = fields.get(target, MISSING)
        if isinstance(new, Sided) and isinstance(old, Sided):
            fields[target] = Sided({**old.values, **{side: one for side, one in new.values.items() if one}})
        elif new:
            fields[target] = new
    return replace(case, fields=fields) if fields != case.fields else case


def amended_in(events: Iterable[object]) -> tuple[str, ...]:
    """Return the amending fields that came into force in a run."""
    return tuple(event.field for event in events if isinstance(event, Amended))


def latest(names: Collection[str], procedure: Procedure, target: str) -> Field | None:
    """Return the field that amended another one last; None where none has."""
    return next(
        (procedure.fields[name] for name in reversed([*names]) if procedure.fields[name].amends == target), None
    )
