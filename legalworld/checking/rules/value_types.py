"""Rules about declared types: what conditions may ask of a value, what a date may be taken from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...language import diagnose
from ...language.amounts import writes_currency
from ...language.typed_values import Slot, read_value
from ...model.actors import FieldRef
from ...model.conditions import Measures, ValueIs, leaves
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.value_types import ValueType
from ..abstract_walk import LoopRecord
from ..template_readers import CheckContext, TemplateUse


def unfit_comparisons(context: CheckContext) -> Iterator[Diagnostic]:
    """LW768: a condition asks of a value what its type cannot be asked: whether a date is at least a sum."""
    asked = [(leaf, visit.loop_records) for leaf, visit in context.conditions]
    roles = context.procedure.roles.values()
    apart = [grant.condition for grant in context.procedure.grants]
    apart += [role.when for role in roles]
    apart += [role.absence.condition for role in roles if role.absence is not None]
    asked += [(leaf, {}) for condition in apart for leaf in leaves(condition)]
    told: set[Span] = set()
    for leaf, records in asked:
        if not isinstance(leaf, Measures | ValueIs):
            continue
        where = leaf.left if isinstance(leaf, Measures) else leaf.where
        if where.span in told:
            continue
        found = list(_measured(context, leaf, records) if isinstance(leaf, Measures) else _said(context, leaf, records))
        told.update(where.span for _ in found)
        yield from found


def _measured(context: CheckContext, leaf: Measures, records: Mapping[str, LoopRecord]) -> Iterator[Diagnostic]:
    """A comparison of numbers whose left or right is none, or of two kinds of numbers."""
    if leaf.measure == "count":
        return
    left = _type(context, leaf.left, records)
    other = leaf.right if isinstance(leaf.right, FieldRef) else None
    right = _type(context, other, records) if other is not None else None
    for kind, where, than in ((left, leaf.left, _shown(leaf.right)), (right, other, _shown(leaf.left))):
        if kind is not None and where is not None and not kind.measured:
            yield diagnose.unfit_comparison(
                where.span, left=_shown(where), type=kind.name, right=than, also=(kind.span,)
            )
            return
    if left is not None and right is not None and left.kind == right.kind and left.unit != right.unit:
        one, two = (" ".join(filter(None, (kind.name, kind.unit))) for kind in (left, right))
        yield diagnose.unlike_units(
            leaf.left.span,
            left=_shown(leaf.left),
            right=_shown(leaf.right),
            one=one,
            other=two,
            also=(left.span, right.span),
        )
    elif left is not None and right is not None and left.kind != right.kind:
        yield diagnose.unfit_comparison(
            leaf.left.span,
            left=_shown(leaf.left),
            type=left.name,
            right=_shown(leaf.right),
            also=(left.span, right.span),
        )


def _said(context: CheckContext, leaf: ValueIs, records: Mapping[str, LoopRecord]) -> Iterator[Diagnostic]:
    """A comparison with words that no value of the type can be."""
    kind = _type(context, leaf.where, records)
    if kind is None:
        return
    read = read_value(kind, leaf.value, context.procedure.locale, Slot(leaf.where.span, _shown(leaf.where)))
    if isinstance(read, Diagnostic) and kind.kind == "choice":
        yield diagnose.unknown_choice(leaf.where.span, name=leaf.value, among=kind.choices, also=(kind.span,))
    elif isinstance(read, Diagnostic) and kind.kind == "yes or no":
        yield diagnose.expected_yes_or_no(leaf.where.span, found=leaf.value, also=(kind.span,))
    elif isinstance(read, Diagnostic):
        yield diagnose.unfit_comparison(
            leaf.where.span, left=_shown(leaf.where), type=kind.name, right=leaf.value, also=(kind.span,)
        )


def values_of_several(context: CheckContext) -> Iterator[Diagnostic]:
    """LW841: a number is compared where a list stands, or that of each side, and it is not said which is meant."""
    told: set[Span] = set()
    for leaf, visit in context.conditions:
        match leaf:
            case Measures(left, _, right, "value"):
                compared = [one for one in (left, right) if isinstance(one, FieldRef)]
            case Measures(_, _, FieldRef() as right):
                compared = [right]
            case _:
                continue
        for where in compared:
            field = context.procedure.case_fields.get(where.name)
            held = visit.loop_records.get(where.name)
            if field is None or held is not None or where.span in told:
                continue
            if field.each or (field.sided and where.of is None):
                told.add(where.span)
                yield diagnose.value_of_several(where.span, name=_shown(where), also=(field.span,))


def _type(context: CheckContext, where: FieldRef, records: Mapping[str, LoopRecord]) -> ValueType | None:
    """The declared type of what stands at a reference; None where none is declared."""
    record = records.get(where.name)
    name, below = (record.field, record.deep) if record is not None else (where.name, False)
    field, _, key = name.partition(".")
    declared = context.procedure.case_fields.get(field)
    if declared is None and field in context.procedure.answers:
        return context.procedure.answers[field].type
    if declared is None or below:
        return None
    return declared.types.get(".".join(filter(None, (key, *where.path))))


def _shown(where: FieldRef | float) -> str:
    return ".".join((where.name, *where.path)) if isinstance(where, FieldRef) else f"{where:g}"


def unfit_date_sources(context: CheckContext) -> Iterator[Diagnostic]:
    """LW769: a date is taken from a value that is declared to be something else."""
    for rule in context.procedure.dates.values():
        declared = context.procedure.case_fields.get(rule.field)
        kind = declared.types.get(rule.key) if declared is not None else None
        if kind is not None and kind.kind != "date":
            field = ".".join(filter(None, (rule.field, rule.key)))
            yield diagnose.unfit_date_source(rule.span, name=rule.name, field=field, type=kind.name, also=(kind.span,))


def money_of_another_currency(context: CheckContext) -> Iterator[Diagnostic]:
    """LW579: a template writes a sum with the sign of another currency than the one that is declared for it."""
    told: set[Span] = set()
    for use in context.uses:
        for read in context.reads(use.home):
            if not read.written_in or read.span in told:
                continue
            for kind in _read_types(context, use, tuple(key for key in read.path if key != "[]")):
                if kind.kind == "amount" and kind.unit and not writes_currency(read.written_in, kind.unit):
                    told.add(read.span)
                    path, sign = ".".join(key for key in read.path if key != "[]"), read.written_in
                    yield diagnose.money_of_another_currency(
                        read.span, path=path, currency=kind.unit, sign=sign, also=(kind.span,)
                    )
                    break


def _read_types(context: CheckContext, use: TemplateUse, path: tuple[str, ...]) -> Iterator[ValueType]:
    """The declared types of what may stand at a path of a template, places in lists left out."""
    procedure = context.procedure
    shown = use.showing.grant.what if use.showing is not None else ""
    match path:
        case ("shown", "entries", *rest) if shown:
            yield from _read_types(context, use, ("known", shown, *rest))
        case ("known", name, "value") if name in procedure.answers and procedure.answers[name].type is not None:
            yield from filter(None, (procedure.answers[name].type,))
        case ("known", name, "item", *keys) if name in procedure.answers:
            for record in context.held.get(name, ()):
                yield from _field_types(context, record, keys)
        case ("step", "item", *keys) if use.at.loop_record is not None:
            yield from _field_types(context, use.at.loop_record, keys)
        case ("own" | "other" | "known", name, *keys) if name in procedure.case_fields:
            keys = keys[1:] if keys[:1] == ["value"] else keys
            yield from filter(None, (procedure.case_fields[name].types.get(".".join(keys)),))
        case _:
            return


def _field_types(context: CheckContext, record: LoopRecord, keys: list[str]) -> Iterator[ValueType]:
    field, _, key = record.field.partition(".")
    declared = context.procedure.case_fields.get(field)
    if declared is not None and not record.deep:
        yield from filter(None, (declared.types.get(".".join(filter(None, (key, *keys)))),))


RULES = (unfit_comparisons, values_of_several, unfit_date_sources, money_of_another_currency)
