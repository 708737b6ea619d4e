"""What the options of a case switch off, taken out of the procedure before the case begins."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.equipment import Memory, MemoryField
from ..model.immutable import replace
from ..model.procedure import Procedure
from .conditions import EvalContext, holds


def without_fields_off(procedure: Procedure, now: EvalContext) -> Procedure:
    """Return the procedure without the fields of memory that its options switch off: nobody is offered one, asked for
    one, or shown one, whoever looks. The same procedure where none is off."""
    off = [one for kept in procedure.memory.values() for one in kept.fields.values() if not holds(one.when, now)]
    if not off:
        return procedure
    return replace(procedure, memory={kind: _left(kept, off) for kind, kept in procedure.memory.items()})


def _left(kept: Memory, off: Sequence[MemoryField]) -> Memory:
    gone = tuple(name for name, one in kept.fields.items() if one in off)
    return replace(kept, fields={name: one for name, one in kept.fields.items() if name not in gone}, off=gone)
