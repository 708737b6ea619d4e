"""Fields that amend another one: each has the form of the field whose value it replaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...model.immutable import replace
from ...model.procedure import Field
from .. import diagnose
from ..schema import CaseField
from ..surface_reader import SurfaceReader

_OF_THE_AMENDED: Final = frozenset({"per", "each", "keys", "type", "types", "evaluation_only", "required"})


def amended_alike(
    surfaces: Mapping[str, CaseField], fields: Mapping[str, Field], reader: SurfaceReader
) -> dict[str, Field]:
    """Return the fields, amending ones with the form of what they amend; those that amend what cannot be amended are
    told, and amend nothing."""
    found = dict(fields)
    for name, surface in surfaces.items():
        if surface.amends is None:
            if surface.in_force_from is not None:
                reader.report(diagnose.missing_key(surface.in_force_from.span, key="amends"))
            continue
        if surface.in_force_from is None:
            reader.report(diagnose.missing_key(surface.span, key="in force from"))
        for key in sorted(surface.given & _OF_THE_AMENDED):
            told = key.replace("_", " ")
            reader.report(
                diagnose.amendment_with_own_form(surface.span, name=name, key=told, amends=surface.amends.text)
            )
        target = fields.get(surface.amends.text)
        if target is None:
            reader.report(diagnose.unknown_field(surface.amends.span, name=surface.amends.text, among=fields))
        elif target.name == name or target.amends or target.evaluation_only or target.items:
            reader.report(diagnose.unamendable_field(surface.amends.span, name=target.name, also=(target.span,)))
        else:
            found[name] = _alike(fields[name], target)
            continue
        found[name] = replace(fields[name], amends="")
    return found


def _alike(field: Field, amended: Field) -> Field:
    return replace(
        field,
        sided=amended.sided,
        each=amended.each,
        keys=amended.keys,
        titles=amended.titles,
        types=amended.types,
    )
