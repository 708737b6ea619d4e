"""Rules about fields that amend others during the proceedings."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...language.spelling import nearest
from ...model import procedure as p
from ...model.amendments import amending
from ...model.diagnostics import Diagnostic
from ..template_readers import CheckContext


def amended_too_early(context: CheckContext) -> Iterator[Diagnostic]:
    """LW976: the matrix or a sentence names an amending field, whose value would be known before it holds."""
    names = {field.name: field.span for field in amending(context.procedure)}
    used = [(grant.what, grant.span) for grant in context.procedure.grants]
    used += [(where.name, where.span) for where in context.references]
    for name, span in dict.fromkeys(used):
        if name in names:
            yield diagnose.amended_field_used(
                span, name=name, amends=context.procedure.fields[name].amends, also=(names[name],)
            )


def unamendable(context: CheckContext) -> Iterator[Diagnostic]:
    """LW975: what is settled when the case begins, persons and dates, cannot be amended."""
    procedure = context.procedure
    settled = {name for role in procedure.roles.values() for name in (role.each, role.named)}
    settled |= {rule.field for rule in procedure.dates.values()} | {name for name, _ in procedure.law_at}
    for field in amending(procedure):
        if field.amends in settled:
            yield diagnose.unamendable_field(field.span, name=field.amends, also=(procedure.fields[field.amends].span,))


def unknown_starts(context: CheckContext) -> Iterator[Diagnostic]:
    """An amendment that is to hold from a place that is no stage or phase."""
    known = tuple(p.parts_of(context.procedure))
    for field in amending(context.procedure):
        name = field.in_force_from
        if name and name.partition(".")[0] not in context.procedure.fields and name not in known:
            yield diagnose.amended_from_no_place(field.span, name=name, known=known, nearest=nearest(name, known))
