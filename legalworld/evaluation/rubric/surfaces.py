"""A rubric as it is written: the keys of its YAML."""

from __future__ import annotations

from ...language.surfaces import Surface, Text, Texts


class ScaleSurface(Surface):
    range: Text | None = None
    choices: dict[str, Text] | None = None
    anchors: dict[str, Text] | None = None


class MetricSurface(Surface):
    title: Text | None = None
    scale: Text
    asks: Text


class ItemSurface(Surface):
    title: Text
    each: Text | None = None
    stages: Texts = ()
    from_: Texts = ()
    against: Texts = ()
    beside: Texts = ()
    missing: Text | None = None
    only: dict[str, Texts] | None = None


class AskSurface(ItemSurface):
    prompt: Text | None = None
    together: Text | None = None
    metrics: dict[str, MetricSurface]


class DeedSurface(Surface):
    stage: Text
    item: Text
    says: Texts
    answered_by: Texts = ()
    naming: Texts = ()
    after: Text | None = None


class MeasureSurface(ItemSurface):
    rule: Text
    deeds: tuple[DeedSurface, ...] = ()
    with_: dict[str, Texts] | None = None


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
    spread: Text | None = None


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
    needs: Text | None = None
    themes: dict[str, Texts] | None = None
    tables: tuple[ScoreTableSurface, ...] = ()
