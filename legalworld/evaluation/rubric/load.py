"""From a rubric file to a `Rubric`, or to every problem in it: unknown names, wrong units, ranges that cannot hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, Literal, TypeVar

from ...language import diagnose
from ...language.sentences.keywords import truth
from ...language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ...language.surfaces import Surface, Text, Texts
from ...language.yaml.nodes import Scalar
from ...model.diagnostics import Diagnostic
from ...model.procedure import Procedure
from ...model.source import Sources, Span
from ..rules import RULES
from ..stored_run import joined
from . import definition as r
from . import sentences
from .formulas import ANY, Range, divides_by_zero, names_in, range_of

_INNER: Final = frozenset({"target", "opponent", "client"})
PROMPTS: Final = "grade"
"""The folder of prompts in which the grader's lie, as those of a procedure of that name would."""


class ScaleSurface(Surface):
    range: Text | None = None
    choices: dict[str, Text] | None = None
    anchors: dict[str, Text] | None = None


class MetricSurface(Surface):
    title: Text | None = None
    scale: Text
    asks: Text


class AskSurface(Surface):
    title: Text
    each: Text | None = None
    stages: Texts = ()
    from_: Texts = ()
    against: Texts = ()
    prompt: Text | None = None
    together: Text | None = None
    missing: Text | None = None
    only: dict[str, Texts] | None = None
    metrics: dict[str, MetricSurface]


class MeasureSurface(Surface):
    title: Text
    rule: Text
    each: Text | None = None
    stages: Texts = ()
    from_: Texts = ()
    against: Texts = ()
    with_: dict[str, Texts] | None = None
    missing: Text | None = None
    only: dict[str, Texts] | None = None


class CapSurface(Surface):
    metric: Text
    at_most: Text
    when: Text


class FormulaSurface(Surface):
    title: Text
    is_: Text
    range: Text
    better: Text | None = None
    shown: Text | None = None
    group: Text | None = None


class ColumnSurface(Surface):
    title: Text
    formulas: Texts
    heads: Texts = ()


class ScoreTableSurface(Surface):
    table: Text
    title: Text
    columns: tuple[ColumnSurface, ...]


class RubricSurface(Surface):
    lw: Text
    rubric: Text
    title: Text
    source: Text | None = None
    for_: Texts
    pairs: Text | None = None
    notes: Texts = ()
    grader: dict[str, Text] | None = None
    scales: dict[str, ScaleSurface] | None = None
    asks: dict[str, AskSurface] | None = None
    measures: dict[str, MeasureSurface] | None = None
    groups: dict[str, Texts] | None = None
    caps: tuple[CapSurface, ...] = ()
    formulas: dict[str, FormulaSurface] | None = None
    passes: dict[str, Text] | None = None
    tables: tuple[ScoreTableSurface, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedRubric:
    """A rubric, if it could be built, and every problem found on the way."""

    rubric: r.Rubric | None
    problems: tuple[Diagnostic, ...]


def read_rubric(sources: Sources, path: str) -> LoadedRubric:
    """The rubric at a path. What it says of a procedure is checked by `fits`."""
    surface, problems, text = read_surface(RubricSurface, sources, path)
    if surface is None or text is None:
        return LoadedRubric(None, problems)
    reader = _RubricReader(problems)
    built = reader.rubric(surface, blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest(), path)
    return LoadedRubric(None if reader.failed else built, tuple(reader.problems))


Node = TypeVar("Node")


class _RubricReader(SurfaceReader):
    """Makes a rubric of its surface."""

    def __init__(self, problems: tuple[Diagnostic, ...]) -> None:
        super().__init__(problems)
        self.scales: Mapping[str, ScaleSurface] = {}
        self.pairs = False

    def rubric(self, surface: RubricSurface, digest: str, path: str) -> r.Rubric:
        self.version(surface.lw)
        self.scales = surface.scales or {}
        self.pairs = bool(surface.pairs is not None and truth(surface.pairs.text))
        if surface.formulas is None and not self.pairs:
            self.report(diagnose.missing_key(surface.rubric.span, key="formulas"))
        asks = {name: self._ask(name, found) for name, found in (surface.asks or {}).items()}
        measures = {name: self._measure(name, found) for name, found in (surface.measures or {}).items()}
        ranges = _ranges(asks, measures)
        groups = {name: self._group(name, words, ranges) for name, words in (surface.groups or {}).items()}
        for name, members in groups.items():
            ranges[name] = _hull([ranges[member] for member in members if member in ranges])
        caps = tuple(cap for found in surface.caps if (cap := self._cap(found, asks, measures)) is not None)
        formulas = self._formulas(surface.formulas or {}, ranges, measures)
        passes = {
            name: built
            for name, text in (surface.passes or {}).items()
            if (built := self._expression(text, ranges, measures)) is not None
        }
        return r.Rubric(
            surface.rubric.text,
            surface.title.text,
            text_of(surface.source),
            texts_of(surface.for_),
            texts_of(surface.notes),
            asks,
            measures,
            groups,
            caps,
            formulas,
            passes,
            tuple(self._table(table, formulas) for table in surface.tables),
            digest,
            path,
            {name: text.text for name, text in (surface.grader or {}).items()},
            self.pairs,
        )

    def _good(self, node: Node | Diagnostic) -> Node | None:
        """A sentence that could be read; what is wrong with another is kept."""
        if isinstance(node, Diagnostic):
            self.problems.append(node)
            return None
        return node

    def _identifier(self, name: str, span: Span) -> None:
        """A name that formulas can use, declared once."""
        self.declare(name, span)
        if not name.isidentifier():
            self.report(diagnose.invalid_rubric_name(span, name=name))

    # ---- items -------------------------------------------------------------------------------------------------------
    def _item(self, name: str, found: AskSurface | MeasureSurface) -> r.RubricItem:
        every = sentences.each(found.each.text, found.each.span) if found.each is not None else None
        return r.RubricItem(
            name,
            found.title.text,
            self._good(every) if every is not None else None,
            texts_of(found.stages),
            self._selections(found.from_),
            self._selections(found.against),
            self._missing(found.missing),
            {key: texts_of(words) for key, words in (found.only or {}).items()},
            found.title.span,
        )

    def _selections(self, words: Texts) -> tuple[r.Selection, ...]:
        found = (self._good(sentences.selection(word.text, word.span)) for word in words)
        return tuple(one for one in found if one is not None)

    def _missing(self, word: Scalar | None) -> r.MissingEvidence:
        if word is None or word.text == "skip":
            return r.MissingEvidence()
        try:
            return r.MissingEvidence("value", float(word.text))
        except ValueError:
            self.report(diagnose.invalid_missing_setting(word.span, found=word.text))
            return r.MissingEvidence()

    def _ask(self, name: str, found: AskSurface) -> r.Ask:
        self._identifier(name, found.span)
        metrics = tuple(self._metric(each, metric) for each, metric in found.metrics.items())
        if not metrics:
            self.report(diagnose.missing_key(found.span, key="metrics"))
        together = truth(found.together.text) if found.together is not None else False
        prompt = text_of(found.prompt) or ("pair" if self.pairs else "default")
        return r.Ask(self._item(name, found), prompt, bool(together), metrics)

    def _metric(self, name: str, found: MetricSurface) -> r.Metric:
        self._identifier(name, found.asks.span)
        scale, anchors = self._scale(found.scale)
        if self.pairs and sorted((scale.choices or {}).values()) != [-1.0, 0.0, 1.0]:
            self.report(diagnose.invalid_pair_scale(found.scale.span))
        return r.Metric(name, text_of(found.title) or name, scale, found.asks.text, anchors, found.asks.span)

    def _scale(self, word: Scalar) -> tuple[r.Scale, tuple[tuple[str, str], ...]]:
        """A scale by its name, or a plain range."""
        found = self.scales.get(word.text)
        if found is None:
            if word.text[:1].isalpha():
                self.known(word, self.scales, diagnose.unknown_scale, known=tuple(self.scales))
                return r.Scale(0.0, 1.0), ()
            return r.Scale(*self._range(word)), ()
        anchors = tuple((band, text.text) for band, text in (found.anchors or {}).items())
        if found.choices:
            values = {choice: self.number(text) for choice, text in found.choices.items()}
            return r.Scale(min(values.values()), max(values.values()), 0.0, values), anchors
        if found.range is None:
            self.report(diagnose.missing_key(found.span, key="range"))
            return r.Scale(0.0, 1.0), anchors
        return r.Scale(*self._range(found.range)), anchors

    def _range(self, word: Scalar) -> tuple[float, float, float]:
        return self._good(sentences.limits(word.text, word.span)) or (0.0, 1.0, 1.0)

    def _measure(self, name: str, found: MeasureSurface) -> r.Measure:
        self._identifier(name, found.span)
        rule = RULES.get(self.known(found.rule, RULES, diagnose.unknown_scoring_rule, known=tuple(RULES)))
        for key, words in (found.with_ or {}).items():
            if rule is not None and key not in rule.arguments:
                at = words[0].span if words else found.span
                self.report(diagnose.unknown_rule_argument(at, name=key, rule=found.rule.text, known=rule.arguments))
        if rule is not None and rule.needs_reference and not found.against:
            self.report(diagnose.missing_key(found.span, key="against"))
        arguments = {key: texts_of(words) for key, words in (found.with_ or {}).items()}
        return r.Measure(self._item(name, found), found.rule.text, arguments)

    # ---- groups, caps, formulas, tables ------------------------------------------------------------------------------
    def _group(self, name: str, words: Texts, ranges: Mapping[str, Range]) -> tuple[str, ...]:
        self._identifier(name, words[0].span if words else Span("", 1, 1))
        for word in words:
            self.known(word, ranges, diagnose.unknown_item_or_formula)
        twice = {word.text: word for word in words if [one.text for one in words].count(word.text) > 1}
        for text, word in twice.items():
            self.report(diagnose.repeated_name(word.span, name=text))
        return texts_of(words)

    def _cap(self, found: CapSurface, asks: Mapping[str, r.Ask], measures: Mapping[str, r.Measure]) -> r.Cap | None:
        names = {metric.name for ask in asks.values() for metric in ask.metrics} | set(measures)
        negated, when = self._good(sentences.flag(found.when.text, found.when.span)) or (False, "")
        for word, span in ((found.metric.text, found.metric.span), (when, found.when.span)):
            if word not in names:
                self.report(diagnose.unknown_item_or_formula(span, name=word, among=names))
        return r.Cap(found.metric.text, when, negated, self.number(found.at_most), found.span)

    def _formulas(
        self, surfaces: Mapping[str, FormulaSurface], ranges: dict[str, Range], measures: Mapping[str, r.Measure]
    ) -> dict[str, r.Formula]:
        """Each may name those above it."""
        formulas: dict[str, r.Formula] = {}
        for name, found in surfaces.items():
            self._identifier(name, found.span)
            expression = self._expression(found.is_, ranges, measures)
            lowest, highest, _ = self._range(found.range)
            if expression is not None:
                low, high = range_of(expression, lambda one: _known(one, ranges))
                if divides_by_zero(expression, lambda one: _known(one, ranges)):
                    self.report(diagnose.division_by_zero(found.is_.span))
                if low < lowest - 1e-9 or high > highest + 1e-9:
                    self._outside(found, (low, high))
                formulas[name] = r.Formula(
                    name,
                    found.title.text,
                    expression,
                    lowest,
                    highest,
                    self._better(found.better),
                    self.number(found.shown, 1.0),
                    text_of(found.group),
                    found.span,
                )
            ranges[name] = (lowest, highest)
        return formulas

    def _outside(self, found: FormulaSurface, computed: Range) -> None:
        """A range that the formula can leave, when that much is known; where nothing is, nothing is said."""
        if all(abs(bound) != float("inf") for bound in computed):
            low, high = (f"{bound:g}" for bound in computed)
            self.report(diagnose.formula_outside_range(found.range.span, low=low, high=high))

    def _better(self, word: Scalar | None) -> Literal["higher", "lower"]:
        match word.text if word is not None else "higher":
            case "higher":
                return "higher"
            case "lower":
                return "lower"
            case other:
                assert word is not None
                self.report(diagnose.invalid_direction(word.span, found=other))
                return "higher"

    def _expression(
        self, word: Scalar, ranges: Mapping[str, Range], measures: Mapping[str, r.Measure]
    ) -> r.Expression | None:
        built: Any = self._good(sentences.formula(word.text, word.span))
        for name in names_in(built) if built is not None else ():
            if name.name not in ranges:
                self.report(diagnose.unknown_item_or_formula(name.span, name=name.name, among=ranges))
                built = None
            elif name.part and name.part not in _parts(name.name, measures):
                known = _parts(name.name, measures)
                self.report(diagnose.unknown_item_part(name.span, name=name.part, owner=name.name, known=known))
                built = None
        return built  # type: ignore[no-any-return]

    def _table(self, found: ScoreTableSurface, formulas: Mapping[str, r.Formula]) -> r.ScoreTable:
        columns = []
        for column in found.columns:
            named = self.all_known(column.formulas, formulas, diagnose.unknown_item_or_formula)
            columns.append(r.TableColumn(column.title.text, named, texts_of(column.heads)))
        return r.ScoreTable(found.table.text, found.title.text, tuple(columns))


def _ranges(asks: Mapping[str, r.Ask], measures: Mapping[str, r.Measure]) -> dict[str, Range]:
    """Name -> range of each metric and measure; a value for what is missing is in it too."""
    found: dict[str, Range] = {}
    for ask in asks.values():
        for metric in ask.metrics:
            found[metric.name] = _with(ask.item.missing, (metric.scale.lowest, metric.scale.highest))
    for name, measure in measures.items():
        rule = RULES.get(measure.rule)
        found[name] = _with(measure.item.missing, rule.limits(measure.arguments) if rule is not None else ANY)
    return found


def _with(missing: r.MissingEvidence, limits: Range) -> Range:
    return limits if missing.policy == "skip" else _hull([limits, (missing.value, missing.value)])


def _hull(ranges: list[Range]) -> Range:
    return (min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else ANY


def _known(name: r.FormulaName, ranges: Mapping[str, Range]) -> Range:
    return ANY if name.part else ranges[name.name]


def _parts(name: str, measures: Mapping[str, r.Measure]) -> tuple[str, ...]:
    rule = RULES.get(measures[name].rule) if name in measures else None
    return rule.parts if rule is not None else ()


# ---- against a procedure ---------------------------------------------------------------------------------------------


def fits(rubric: r.Rubric, procedure: Procedure) -> tuple[Diagnostic, ...]:
    """What a rubric names that a procedure does not have."""
    found: list[Diagnostic] = []
    items = (*(ask.item for ask in rubric.asks.values()), *(one.item for one in rubric.measures.values()))
    for item in items:
        for selection in (*item.evidence, *item.reference):
            found += _selection_problems(selection, procedure)
        found += _unknown(item.stages, tuple(stage.id for stage in procedure.stages), diagnose.unknown_stage, item.span)
        if item.each is not None:
            found += _each_problems(item.each, procedure)
    return tuple(found)


def _selection_problems(one: r.Selection, procedure: Procedure) -> Iterator[Diagnostic]:
    match one.kind:
        case "document":
            yield from _unknown((one.name,), tuple(procedure.documents), diagnose.unknown_document, one.span)
        case "field":
            known = (*procedure.fields, "item")
            yield from _unknown((one.name,), known, diagnose.unknown_field, one.span)
        case "answer":
            yield from _unknown((one.name,), tuple(procedure.answers), diagnose.unknown_field, one.span)
        case "turns":
            yield from _places(one.places, procedure, one.span)
    yield from _actors((*one.who, *((one.owner,) if one.owner else ())), procedure, one.span)


def _each_problems(one: r.Each, procedure: Procedure) -> Iterator[Diagnostic]:
    match one.kind:
        case "records" | "topics":
            yield from _unknown(one.names, tuple(procedure.fields), diagnose.unknown_field, one.span)
            yield from _places(one.places, procedure, one.span)
        case "roles":
            yield from _actors(_apart(one.names), procedure, one.span)
        case "stages":
            yield from _unknown(
                _apart(one.names), tuple(stage.id for stage in procedure.stages), diagnose.unknown_stage, one.span
            )
        case "phases":
            yield from _places(tuple(f"{one.places[0]}/{name}" for name in one.names), procedure, one.span)
        case "windows":
            yield from _places(one.places, procedure, one.span)


def _apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Each stage or role by itself."""
    return tuple(one for name in names for one in joined(name))


def _actors(names: tuple[str, ...], procedure: Procedure, span: Span) -> Iterator[Diagnostic]:
    known = (*_INNER, *procedure.roles, *procedure.sides, *procedure.kinds)
    yield from _unknown(names, known, diagnose.unknown_role, span)


def _places(places: tuple[str, ...], procedure: Procedure, span: Span) -> Iterator[Diagnostic]:
    known = [stage.id for stage in procedure.stages]
    known += [f"{stage.id}/{phase.id}" for stage in procedure.stages for phase in stage.phases if phase.id]
    for place in places:
        if place not in known and not any(place.startswith(f"{one}/") for one in known if "/" in one):
            yield diagnose.unknown_rubric_place(span, name=place, among=known)


def _unknown(names: tuple[str, ...], known: tuple[str, ...], kind: diagnose.OfName, span: Span) -> Iterator[Diagnostic]:
    for name in names:
        if name not in known:
            yield kind(span, name=name, among=known)
