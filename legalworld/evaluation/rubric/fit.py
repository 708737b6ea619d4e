"""Whether a rubric fits a procedure: what it names that the procedure does not have."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.procedure import Procedure
from ...model.source import Span
from ..stored_run import joined
from . import definition as r

_INNER: Final = frozenset({"target", "opponent", "client"})


def fits(rubric: r.Rubric, procedure: Procedure) -> tuple[Diagnostic, ...]:
    """What a rubric names that a procedure does not have."""
    items = (*(ask.item for ask in rubric.asks.values()), *(measure.item for measure in rubric.measures.values()))
    deeds = (deed for measure in rubric.measures.values() for deed in measure.deeds)
    return (
        *(problem for item in items for problem in _item_problems(item, procedure)),
        *(problem for deed in deeds for problem in _actors(deed.answered_by, procedure, deed.span)),
    )


def _item_problems(item: r.RubricItem, procedure: Procedure) -> Iterator[Diagnostic]:
    for selection in (*item.evidence, *item.reference, *item.background):
        yield from _selection_problems(selection, procedure)
    yield from _unknown(item.stages, _stages(procedure), diagnose.unknown_stage, item.span)
    if item.each is not None:
        yield from _each_problems(item.each, procedure)


def _selection_problems(selection: r.Selection, procedure: Procedure) -> Iterator[Diagnostic]:
    names, span = tuple(filter(None, (selection.name,))), selection.span
    match selection.kind:
        case "document":
            yield from _unknown(names, procedure.documents, diagnose.unknown_document, span)
        case "field":
            yield from _unknown(names, (*procedure.fields, "item"), diagnose.unknown_field, span)
        case "answer":
            yield from _unknown(names, procedure.answers, diagnose.unknown_field, span)
        case "turns":
            yield from _places(selection.places, procedure, span)
    yield from _actors((*selection.who, *filter(None, (selection.owner,))), procedure, span)


def _each_problems(each: r.Each, procedure: Procedure) -> Iterator[Diagnostic]:
    names = tuple(name for names in each.names for name in joined(names))
    match each.kind:
        case "records" | "topics":
            yield from _unknown(each.names, procedure.fields, diagnose.unknown_field, each.span)
        case "items":
            yield from _unknown(each.names, procedure.checklists, diagnose.unknown_checklist, each.span)
        case "roles":
            yield from _actors(names, procedure, each.span)
        case "stages":
            yield from _unknown(names, _stages(procedure), diagnose.unknown_stage, each.span)
    phases = tuple(f"{each.places[0]}/{name}" for name in each.names) if each.kind == "phases" else ()
    yield from _places(phases or each.places, procedure, each.span)


def _stages(procedure: Procedure) -> tuple[str, ...]:
    return tuple(stage.id for stage in procedure.stages)


def _actors(names: tuple[str, ...], procedure: Procedure, span: Span) -> Iterator[Diagnostic]:
    sides = (f"{r.SIDE}{side}" for side in procedure.sides)
    known = (*_INNER, *procedure.roles, *procedure.sides, *procedure.kinds, *sides)
    yield from _unknown(names, known, diagnose.unknown_role, span)


def _places(places: tuple[str, ...], procedure: Procedure, span: Span) -> Iterator[Diagnostic]:
    phases = [f"{stage.id}/{phase.id}" for stage in procedure.stages for phase in stage.phases if phase.id]
    known = (*_stages(procedure), *phases)
    for place in places:
        if place not in known and not any(place.startswith(f"{phase}/") for phase in phases):
            yield diagnose.unknown_rubric_place(span, name=place, known=known)


def _unknown(names: tuple[str, ...], known: Collection[str], kind: diagnose.OfName, span: Span) -> Iterator[Diagnostic]:
    for name in names:
        if name not in known:
            yield kind(span, name=name, among=known)
