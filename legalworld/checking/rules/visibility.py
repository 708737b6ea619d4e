"""Rules about what the matrix grants and what the procedure uses: fields, documents, answers, options."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model import procedure as p
from ...model import step_facts
from ...model.amendments import amending
from ...model.conditions import OptionIs, leaves
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.end import End
from ..template_readers import CheckContext
from .amendments import amended_too_early, unamendable, unknown_starts


def sealed_fields_granted(context: CheckContext) -> Iterator[Diagnostic]:
    """LW080: what is for evaluation only stands in the matrix."""
    cells = {grant.span: grant.what for grant in context.procedure.grants}
    for span, name in cells.items():
        field = context.procedure.fields.get(name)
        if field is not None and field.evaluation_only:
            yield diagnose.sealed_field_granted(span, name=name, also=(field.span,))


def overlapping_paths(context: CheckContext) -> Iterator[Diagnostic]:
    """LW081: a granted field takes in a part of the case file that is for evaluation only."""
    fields = context.procedure.fields
    granted = {grant.what: grant.span for grant in reversed(context.procedure.grants)}
    hidden = [field for field in fields.values() if field.evaluation_only]
    sealed = [*hidden, *amending(context.procedure)]
    if not sealed:
        return
    from ...binding.paths import overlaps  # of no use to a procedure that hides nothing, and slow to import

    for name, cell in granted.items():
        field = fields.get(name)
        for other in sealed if field is not None and not field.evaluation_only else ():
            if field not in (None, other) and not field.items and overlaps(field.path, other.path):
                yield diagnose.field_overlaps_sealed(
                    field.span, name=name, sealed=other.name, path=other.path, also=(other.span, cell)
                )


def sealed_fields_used(context: CheckContext) -> Iterator[Diagnostic]:
    """LW082: the procedure goes by a field that is for evaluation only."""
    fields = context.procedure.fields
    used = {(where.name, where.span) for where in context.references}
    used |= {(name, role.span) for role in context.procedure.roles.values() for name in (role.each, role.named)}
    for name, span in sorted(used, key=lambda found: (found[1].file, found[1].line, found[1].column)):
        if name in fields and fields[name].evaluation_only:
            yield diagnose.sealed_field_used(span, name=name, also=(fields[name].span,))


def unseen_fields(context: CheckContext) -> Iterator[Diagnostic]:
    """LW094: a field that nobody sees and nothing uses."""
    used = {grant.what for grant in context.procedure.grants} | {where.name for where in context.references}
    used |= {name for role in context.procedure.roles.values() for name in (role.each, role.named)}
    used |= {rule.field for rule in context.procedure.dates.values()} | {name for name, _ in context.procedure.law_at}
    for field in amending(context.procedure):
        used |= {field.name, field.in_force_from.partition(".")[0]}
    for field in context.procedure.fields.values():
        if field.name not in used and field.items:
            yield diagnose.unused_declaration(field.span, name=field.name)
        elif field.name not in used and not field.evaluation_only:
            yield diagnose.unused_field(field.span, name=field.name)


def unused_options(context: CheckContext) -> Iterator[Diagnostic]:
    """LW095: an option that changes nothing."""
    asked = [leaf for leaf, _ in context.conditions]
    asked += [leaf for grant in context.procedure.grants for leaf in leaves(grant.condition)]
    asked += [
        leaf for role in context.procedure.roles.values() if role.absence for leaf in leaves(role.absence.condition)
    ]
    asked += [leaf for tool in context.procedure.tools.values() for leaf in leaves(tool.when)]
    asked += [leaf for role in context.procedure.roles.values() for leaf in leaves(role.when)]
    used = {leaf.option for leaf in asked if isinstance(leaf, OptionIs)}
    for home in dict.fromkeys(use.home for use in context.uses):
        paths = [read.path for read in context.reads(home)]
        used |= {path[2] for path in paths if path[:2] == ("scene", "options") and len(path) > 2}
    for option in context.procedure.options.values():
        if option.name not in used:
            yield diagnose.unused_declaration(option.span, name=option.name)


def unused_documents(context: CheckContext) -> Iterator[Diagnostic]:
    """LW095: a document that is neither made nor granted nor named at an end."""
    used = {grant.what for grant in context.procedure.grants} | {where.name for where in context.references}
    for _, step in context.step_visits:
        used |= {step.document} if isinstance(step, End) else set(step_facts.makes(step))
    for document in context.procedure.documents.values():
        if document.name not in used:
            yield diagnose.unused_declaration(document.span, name=document.name)


def grants_of_nothing(context: CheckContext) -> Iterator[Diagnostic]:
    """LW088, LW096: a cell grants a document or answer in stages where it cannot have come to be."""
    first = _first_made(context)
    numbers = {stage.id: number for number, stage in reversed(list(enumerate(context.procedure.stages)))}
    cells: dict[Span, list[p.Grant]] = {}
    for grant in context.procedure.grants:
        if grant.what in context.procedure.documents or grant.what in context.procedure.answers:
            cells.setdefault(grant.span, []).append(grant)
    never: set[str] = set()
    for span, grants in cells.items():
        if context.inherited(span):  # what is shown was made by a step that the child has done away with
            continue
        name = grants[0].what
        stages = tuple(dict.fromkeys(grant.stage for grant in grants))
        if name not in first:
            if name not in never:
                never.add(name)
                yield diagnose.never_created(span, name=name, also=_declared(context, name))
        elif all(numbers.get(stage, 0) < first[name] for stage in stages):
            made_in = context.procedure.stages[first[name]]
            yield diagnose.not_yet_created(span, name=name, stages=stages, first=made_in.id, also=(made_in.span,))


def ends_with_nothing(context: CheckContext) -> Iterator[Diagnostic]:
    """LW088, LW096: a case ends with a document that nobody can have made by then."""
    first = _first_made(context)
    there: dict[Span, bool] = {}
    ends: dict[Span, tuple[str, int]] = {}
    for visit, step in context.step_visits:
        if isinstance(step, End) and step.document in context.procedure.documents and visit.stopped is None:
            there[visit.span] = there.get(visit.span, False) or step.document in visit.made
            ends[visit.span] = (step.document, visit.stage)
    for span, (name, number) in ends.items():
        if there[span]:
            continue
        if name not in first:
            yield diagnose.never_created(span, name=name, also=_declared(context, name))
        else:
            stages, later = context.procedure.stages[number].id, context.procedure.stages[first[name]]
            yield diagnose.not_yet_created(span, name=name, stages=stages, first=later.id, also=(later.span,))


def _first_made(context: CheckContext) -> dict[str, int]:
    """Document or answer -> number of the first stage in which it can come to be."""
    first: dict[str, int] = {}
    for visit, step in context.step_visits:
        if visit.stopped is None:
            for name in step_facts.makes(step):
                first[name] = min(visit.stage, first.get(name, visit.stage))
    return first


def _declared(context: CheckContext, name: str) -> tuple[Span, ...]:
    span = context.declaration(name)
    return (span,) if span is not None else ()


RULES = (
    sealed_fields_granted,
    unamendable,
    amended_too_early,
    unknown_starts,
    overlapping_paths,
    sealed_fields_used,
    unseen_fields,
    unused_options,
    unused_documents,
    grants_of_nothing,
    ends_with_nothing,
)
