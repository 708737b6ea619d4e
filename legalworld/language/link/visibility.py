"""The visibility matrix, a Markdown table in a block scalar: its cells with their places, and what they grant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

from ...model.actors import ROW, FieldRef
from ...model.ast import RowLabel
from ...model.conditions import AllOf, Answered, AnyOf, Condition, HasValue, Measures, Negation, SameAnswers, ValueIs
from ...model.immutable import immutable
from ...model.plan import Step, walk
from ...model.procedure import Grant, Interruption, Stage, steps_of
from ...model.source import Span
from ...model.steps.for_each import ForEach
from ...model.steps.sample import Sample
from .. import diagnose
from ..spelling import nearest
from ..yaml.nodes import Scalar
from ..yaml.tables import pieces, table
from . import names
from .context import Context
from .inherit import Heritage, Matrices

_STAGE = re.compile("(?:^|[,\uff0c\u3001])([^,\uff0c\u3001]*)")


# ---- one matrix over the other ---------------------------------------------------------------------------------------
@immutable
class Row:
    """A row: what it is for, as written and as read, and its cells with the stages of their columns."""

    written: Scalar
    label: RowLabel
    cells: tuple[tuple[tuple[Scalar, ...], Scalar], ...]

    def without(self, stages: frozenset[str]) -> Row:
        """The row less its cells for some stages."""
        left = ((tuple(each for each in column if each.text not in stages), cell) for column, cell in self.cells)
        return replace(self, cells=tuple((column, cell) for column, cell in left if column))

    @property
    def stages(self) -> frozenset[str]:
        return frozenset(each.text for column, _ in self.cells for each in column)


def rows(context: Context, heritage: Heritage) -> list[Row]:
    """The rows of all matrices. Cells of a child stand before inherited ones of the same label and stage; what an
    inherited row or column was for may have been removed, and then it is left out."""
    known = frozenset((*context.names.fields, *context.names.documents, *context.answers, *context.names.stages))
    lost = frozenset(heritage.removed) - {*context.names.stages}
    above: list[Row] = []
    for generation in heritage.matrices:
        above = _without_removed(context, above, generation)
        above = [row for row in above if row.label.field.text in known or row.label.field.text not in generation.known]
        own = [row for matrix in generation.tables for row in _rows(context, matrix, lost)]
        for row in own:
            same = _plain(row.label)
            above = [other.without(row.stages) if _plain(other.label) == same else other for other in above]
        above += own
    return above


def _rows(context: Context, matrix: Scalar, lost: frozenset[str]) -> Iterator[Row]:
    """The rows of one table, without columns of stages that were lost on the way down to the last child."""
    written = context.reader.kept(table(matrix))
    columns = [pieces(_STAGE, cell.text, cell.span) for row in written[:1] for cell in row[1:]]
    columns = [tuple(stage for stage in column if stage.text not in lost) for column in columns]
    for column in columns:
        context.reader.all_known(column, context.names.stages, diagnose.unknown_matrix_stage)
    for first, *cells in written[1:]:
        label = context.reader.kept(context.parser.row_label(first.text, first.span))
        if label is not None:
            yield Row(first, label, tuple(zip(columns, cells, strict=True)))


def _without_removed(context: Context, above: list[Row], generation: Matrices) -> list[Row]:
    """What is left of the rows above a generation that removes some of them."""
    for change in generation.removed:
        label = _plain(change.row)
        left = [row for row in above if _plain(row.label) != label]
        if len(left) == len(above):
            assert change.row is not None
            name = change.what.text if change.row.whose == "all" else f"{change.what.text} {change.row.whose}"
            known = [row.written.text for row in above]
            context.reader.report(
                diagnose.unknown_change_target(change.row.span, name=name, procedure=generation.parent, among=known)
            )
        above = left
    return above


def _plain(node: object) -> object:
    """A node of the syntax tree without its places, to be compared."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return tuple(map(_plain, node))
    if is_dataclass(node):
        return (type(node), *(_plain(getattr(node, each.name)) for each in fields(node)))
    return node


# ---- what it grants --------------------------------------------------------------------------------------------------
def grants(
    context: Context, heritage: Heritage, stages: tuple[Stage, ...], between: tuple[Interruption, ...]
) -> Iterator[Grant]:
    """What each cell of each matrix grants."""
    phases = {stage.id: tuple(phase.id for phase in stage.phases if phase.id) for stage in stages}
    fields_of = _fields_asked_about(context, stages, between)
    for row in rows(context, heritage):
        yield from _row(context, row, phases, fields_of)


def _row(
    context: Context, row: Row, phases: Mapping[str, tuple[str, ...]], fields_of: Mapping[str, frozenset[str]]
) -> Iterator[Grant]:
    label = row.label
    known = (*context.names.fields, *context.names.documents, *context.names.dates, *context.answers)
    if label.whose == "minutes":
        stage = Scalar(label.field.text, label.field.span)
        context.reader.known(stage, context.names.stages, diagnose.unknown_stage)
    elif label.field.text not in known:
        context.reader.report(diagnose.unknown_matrix_row(label.field.span, name=label.field.text, among=known))
    written_as = names.condition(context, label.condition) if label.condition is not None else None
    condition = _of_each(written_as, label.field.text, fields_of) if written_as is not None else None
    for stages, written in row.cells:
        cell = context.reader.kept(context.parser.cell(written.text, written.span))
        after = cell.after.text if cell is not None and cell.after is not None else ""
        for letter in cell.letters if cell is not None else ():
            kind = context.names.letters.get(letter.text)
            if kind is None:
                near = nearest(letter.text, context.names.letters)
                context.reader.report(diagnose.unknown_matrix_letter(letter.span, name=letter.text, nearest=near))
                continue
            for stage in stages:
                own_phases = phases.get(stage.text, ())
                if after and after not in own_phases:
                    near = nearest(after, own_phases)
                    context.reader.report(
                        diagnose.unknown_matrix_phase(letter.span, name=after, stage=stage.text, nearest=near)
                    )
                each = condition is not written_as
                to = (stage.text, kind, after)
                yield Grant(label.field.text, label.whose, *to, condition, written.span, each, label.full)


# ---- record by record ------------------------------------------------------------------------------------------------
def _of_each(condition: Condition, field: str, fields_of: Mapping[str, frozenset[str]]) -> Condition:
    """The condition with the answers given about records of a field made those about the record in hand.

    It is the same object where there are none.
    """

    def asked_of(where: FieldRef) -> FieldRef:
        mine = where.of is None and field in fields_of.get(where.name, ())
        return replace(where, about=ROW) if mine else where

    match condition:
        case AllOf(parts) | AnyOf(parts):
            turned = tuple(_of_each(part, field, fields_of) for part in parts)
            same = all(one is other for one, other in zip(parts, turned, strict=True))
            return condition if same else replace(condition, parts=turned)
        case Negation(part):
            inner = _of_each(part, field, fields_of)
            return condition if inner is part else Negation(inner)
        case Answered(answer=where) | SameAnswers(answer=where) if asked_of(where) is not where:
            return replace(condition, answer=asked_of(where))
        case ValueIs(where=where) | HasValue(where=where) if asked_of(where) is not where:
            return replace(condition, where=asked_of(where))
        case Measures(left=left) if asked_of(left) is not left:
            return replace(condition, left=asked_of(left))
        case _:
            return condition


def _fields_asked_about(
    context: Context, stages: tuple[Stage, ...], between: tuple[Interruption, ...]
) -> dict[str, frozenset[str]]:
    """Answer -> the fields about whose records it is given somewhere, one by one."""
    all_steps = [step for stage in stages for step in steps_of(stage)]
    all_steps += [step for event in between for step in walk(event.steps)]
    drawn = {step.name: step.where.name for step in all_steps if isinstance(step, Sample) and not step.where.path}
    fields_of: dict[str, frozenset[str]] = {}

    def look(steps: tuple[Step, ...], records: tuple[tuple[str, frozenset[str]], ...]) -> None:
        for step in steps:
            hand = [fields for variable, fields in records if step.loop_variable in ("", variable)]
            for name in step.answer_names if hand else ():
                fields_of[name] = fields_of.get(name, frozenset()) | hand[-1]
            inner = records
            if isinstance(step, ForEach):
                inner = (*records, (step.variable, _records_of(context, step, drawn)))
            for block in step.blocks:
                look(block, inner)

    for stage in stages:
        for phase in stage.phases:
            look((*phase.steps, *phase.closing), ())
    for event in between:
        look(event.steps, ())
    return fields_of


def _records_of(context: Context, step: ForEach, drawn: Mapping[str, str]) -> frozenset[str]:
    """The fields whose records a loop may go through."""
    if step.within is None:
        return frozenset(role.each for role in context.names.roles.values() if role.each)
    name = drawn.get(step.within.name, step.within.name)
    return frozenset({name}) if name in context.names.fields and not step.within.path else frozenset()
