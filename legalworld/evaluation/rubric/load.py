"""From a rubric file to a `Rubric`, or to every problem in it: unknown names, wrong units, ranges that cannot hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Final, TypeVar, get_args

from ...language import diagnose
from ...language.sentences.keywords import truth
from ...language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ...language.surfaces import Texts
from ...language.yaml.nodes import Scalar
from ...model.diagnostics import Diagnostic
from ...model.source import Sources, Span
from ..rules.registry import scoring_rules
from . import definition as r
from . import sentences
from . import surfaces as written
from .formulas import ANY, Range, divides_by_zero, names_in, range_of

PROMPTS: Final = "grade"
"""The folder of prompts in which the grader's lie, as those of a procedure of that name would."""


def read_rubric(sources: Sources, path: str) -> tuple[r.Rubric | None, tuple[Diagnostic, ...]]:
    """The rubric at a path, if it could be built, and every problem found on the way. What it says of a procedure is
    checked by `fits`."""
    surface, problems, text = read_surface(written.RubricSurface, sources, path)
    if surface is None or text is None:
        return None, problems
    reader = _RubricReader(problems)
    built = reader.rubric(surface, blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest(), path)
    return None if reader.failed else built, tuple(reader.problems)


Node = TypeVar("Node")


class _RubricReader(SurfaceReader):
    """Makes a rubric of its surface. `ranges`: of each name that a formula may use; `parts`: the figures of a measure
    beside its value."""

    def __init__(self, problems: tuple[Diagnostic, ...]) -> None:
        super().__init__(problems)
        self.scales: Mapping[str, written.ScaleSurface] = {}
        self.pairs = False
        self.ranges: dict[str, Range] = {}
        self.parts: dict[str, tuple[str, ...]] = {}

    def rubric(self, surface: written.RubricSurface, digest: str, path: str) -> r.Rubric:
        self.version(surface.lw)
        self.scales = surface.scales or {}
        self.pairs = bool(surface.pairs is not None and truth(surface.pairs.text))
        if surface.formulas is None and not self.pairs:
            self.report(diagnose.missing_key(surface.rubric.span, key="formulas"))
        asks = {name: self._ask(name, ask) for name, ask in (surface.asks or {}).items()}
        measures = {name: self._measure(name, measure) for name, measure in (surface.measures or {}).items()}
        scored = tuple(self.ranges)
        groups = {name: self._group(name, words, scored) for name, words in (surface.groups or {}).items()}
        caps = tuple(self._cap(cap, scored) for cap in surface.caps)
        formulas = self._formulas(surface.formulas or {})
        passes = {name: self._expression(text) for name, text in (surface.passes or {}).items()}
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
            {name: expression for name, expression in passes.items() if expression is not None},
            tuple(self._table(table, formulas) for table in surface.tables),
            digest,
            path,
            {name: text.text for name, text in (surface.grader or {}).items()},
            self.pairs,
            self.number(surface.needs, 0.8),
            {name: texts_of(words) for name, words in (surface.themes or {}).items()},
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
    def _item(self, name: str, surface: written.ItemSurface) -> r.RubricItem:
        each = surface.each
        return r.RubricItem(
            name,
            surface.title.text,
            self._good(sentences.each(each.text, each.span)) if each is not None else None,
            texts_of(surface.stages),
            self._selections(surface.from_),
            self._selections(surface.against),
            self._missing(surface.missing),
            {key: texts_of(words) for key, words in (surface.only or {}).items()},
            surface.title.span,
            self._selections(surface.beside),
        )

    def _selections(self, words: Texts) -> tuple[r.Selection, ...]:
        selections = (self._good(sentences.selection(word.text, word.span)) for word in words)
        return tuple(selection for selection in selections if selection is not None)

    def _missing(self, word: Scalar | None) -> float | None:
        if word is None or word.text == "skip":
            return None
        try:
            return float(word.text)
        except ValueError:
            self.report(diagnose.invalid_missing_setting(word.span, found=word.text))
            return None

    def _scored(self, name: str, limits: Range, item: r.RubricItem) -> None:
        """The range of a metric or measure; the value for what is missing is in it too."""
        missing = [] if item.missing is None else [(item.missing, item.missing)]
        self.ranges[name] = _hull([limits, *missing])

    def _ask(self, name: str, surface: written.AskSurface) -> r.Ask:
        self._identifier(name, surface.span)
        item = self._item(name, surface)
        metrics = tuple(self._metric(each, metric, item) for each, metric in surface.metrics.items())
        if not metrics:
            self.report(diagnose.missing_key(surface.span, key="metrics"))
        together = truth(surface.together.text) if surface.together is not None else False
        prompt = text_of(surface.prompt) or ("pair" if self.pairs else "default")
        return r.Ask(item, prompt, bool(together), metrics)

    def _metric(self, name: str, surface: written.MetricSurface, item: r.RubricItem) -> r.Metric:
        self._identifier(name, surface.asks.span)
        scale, anchors = self._scale(surface.scale)
        if self.pairs and sorted((scale.choices or {}).values()) != [-1.0, 0.0, 1.0]:
            self.report(diagnose.invalid_pair_scale(surface.scale.span))
        self._scored(name, (scale.lowest, scale.highest), item)
        return r.Metric(name, text_of(surface.title) or name, scale, surface.asks.text, anchors)

    def _scale(self, word: Scalar) -> tuple[r.Scale, tuple[tuple[str, str], ...]]:
        """A scale by its name, or a plain range."""
        surface = self.scales.get(word.text)
        if surface is None:
            if word.text[:1].isalpha():
                self.known(word, self.scales, diagnose.unknown_scale, known=tuple(self.scales))
                return r.Scale(0.0, 1.0), ()
            return r.Scale(*self._range(word)), ()
        anchors = tuple((band, text.text) for band, text in (surface.anchors or {}).items())
        if surface.choices:
            values = {choice: self.number(text) for choice, text in surface.choices.items()}
            return r.Scale(min(values.values()), max(values.values()), 0.0, values), anchors
        if surface.range is None:
            self.report(diagnose.missing_key(surface.span, key="range"))
            return r.Scale(0.0, 1.0), anchors
        return r.Scale(*self._range(surface.range)), anchors

    def _range(self, word: Scalar) -> tuple[float, float, float]:
        return self._good(sentences.limits(word.text, word.span)) or (0.0, 1.0, 1.0)

    def _measure(self, name: str, surface: written.MeasureSurface) -> r.Measure:
        self._identifier(name, surface.span)
        rules = scoring_rules().parts
        rule = rules.get(self.known(surface.rule, rules, diagnose.unknown_scoring_rule, known=tuple(rules)))
        arguments = {key: texts_of(words) for key, words in (surface.with_ or {}).items()}
        item = self._item(name, surface)
        self._scored(name, rule.limits(arguments) if rule is not None else ANY, item)
        self.parts[name] = rule.parts if rule is not None else ()
        if rule is not None:
            for key, words in (surface.with_ or {}).items():
                if key not in rule.arguments:
                    at = words[0].span if words else surface.span
                    known = rule.arguments
                    self.report(diagnose.unknown_rule_argument(at, name=key, rule=surface.rule.text, known=known))
            if rule.needs_reference and not surface.against:
                self.report(diagnose.missing_key(surface.span, key="against"))
        return r.Measure(item, surface.rule.text, arguments, tuple(map(self._deed, surface.deeds)))

    def _deed(self, surface: written.DeedSurface) -> r.Deed:
        """A deed; the words of a group are parted by strokes."""
        return r.Deed(
            surface.stage.text,
            surface.item.text,
            tuple(_alternatives(word.text) for word in surface.says),
            texts_of(surface.answered_by),
            tuple(_alternatives(word.text) for word in surface.naming),
            text_of(surface.after),
            surface.item.span,
        )

    # ---- groups, caps, formulas, tables ------------------------------------------------------------------------------
    def _group(self, name: str, words: Texts, scored: tuple[str, ...]) -> tuple[str, ...]:
        self._identifier(name, words[0].span if words else Span("", 1, 1))
        members = self.all_known(words, scored, diagnose.unknown_item_or_formula)
        for text, word in {word.text: word for word in words if members.count(word.text) > 1}.items():
            self.report(diagnose.repeated_name(word.span, name=text))
        self.ranges[name] = _hull([self.ranges[member] for member in members if member in scored])
        return members

    def _cap(self, surface: written.CapSurface, scored: tuple[str, ...]) -> r.Cap:
        negated, when = self._good(sentences.flag(surface.when.text, surface.when.span)) or (False, "")
        for name, span in ((surface.metric.text, surface.metric.span), (when, surface.when.span)):
            if name not in scored:
                self.report(diagnose.unknown_item_or_formula(span, name=name, among=scored))
        return r.Cap(surface.metric.text, when, negated, self.number(surface.at_most))

    def _formulas(self, surfaces: Mapping[str, written.FormulaSurface]) -> dict[str, r.Formula]:
        """Each may name those above it."""
        formulas: dict[str, r.Formula] = {}
        for name, surface in surfaces.items():
            self._identifier(name, surface.span)
            expression = self._expression(surface.is_)
            lowest, highest, _ = self._range(surface.range)
            if expression is not None:
                low, high = range_of(expression, self._range_of)
                if divides_by_zero(expression, self._range_of):
                    self.report(diagnose.division_by_zero(surface.is_.span))
                # where a formula can be anything, nothing is known of it and nothing said
                if (low < lowest - 1e-9 or high > highest + 1e-9) and math.isfinite(low) and math.isfinite(high):
                    self.report(diagnose.formula_outside_range(surface.range.span, low=f"{low:g}", high=f"{high:g}"))
                formulas[name] = r.Formula(
                    name,
                    surface.title.text,
                    expression,
                    lowest,
                    highest,
                    self._better(surface.better),
                    self.number(surface.shown, 1.0),
                    text_of(surface.group),
                    self.truth(surface.spread),
                )
            self.ranges[name] = (lowest, highest)
        return formulas

    def _range_of(self, name: r.FormulaName) -> Range:
        return ANY if name.part else self.ranges[name.name]

    def _better(self, word: Scalar | None) -> r.Direction:
        for direction in get_args(r.Direction):
            if text_of(word) == direction:
                return direction  # type: ignore[no-any-return]
        if word is not None:
            self.report(diagnose.invalid_direction(word.span, found=word.text))
        return "higher"

    def _expression(self, word: Scalar) -> r.Expression | None:
        expression = sentences.formula(word.text, word.span)
        problems = [expression] if isinstance(expression, Diagnostic) else list(self._unknown_names(expression))
        self.problems += problems
        return None if problems or isinstance(expression, Diagnostic) else expression

    def _unknown_names(self, expression: r.Expression) -> Iterator[Diagnostic]:
        for name in names_in(expression):
            parts = self.parts.get(name.name, ())
            if name.name not in self.ranges:
                yield diagnose.unknown_item_or_formula(name.span, name=name.name, among=self.ranges)
            elif name.part and name.part not in parts:
                yield diagnose.unknown_item_part(name.span, name=name.part, owner=name.name, known=parts)

    def _table(self, surface: written.ScoreTableSurface, formulas: Mapping[str, r.Formula]) -> r.ScoreTable:
        columns = []
        for column in surface.columns:
            names = self.all_known(column.formulas, formulas, diagnose.unknown_item_or_formula)
            columns.append(r.TableColumn(column.title.text, names, texts_of(column.heads)))
        return r.ScoreTable(surface.table.text, surface.title.text, tuple(columns))


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split("|") if word.strip())


def _hull(ranges: list[Range]) -> Range:
    return (min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else ANY
