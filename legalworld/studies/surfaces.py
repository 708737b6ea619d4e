"""A study as it is written: the keys of its YAML."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from ..language.surfaces import Surface, Text, Texts
from ..language.yaml.nodes import Node


class CaseSetSurface(Surface):
    from_: Texts = ()
    binding: Text | None = None
    part_of: Texts = ()
    without: Texts = ()
    only: Text | None = None
    sample: Text | None = None
    join: Text | None = None
    cluster: Text | None = None
    expect: Text | None = None
    needs: Text | None = None


class StudyConditionSurface(Surface):
    SHORT: ClassVar[str] = "as_"

    as_: Text | None = None
    title: Text | None = None
    extends: Texts = ()
    procedure: Text | None = None
    cases: Texts = ()
    target: Text | None = None
    model: Text | None = None
    models: dict[str, Text] = field(default_factory=dict)
    others: Text | None = None
    options: dict[str, Text] = field(default_factory=dict)
    parameters: dict[str, Text] = field(default_factory=dict)
    profile: Text | None = None
    minus: Texts = ()
    replaces: Text | None = None
    document: Text | None = None
    quality: Text | None = None
    seeds: Text | None = None
    each: dict[str, Texts] = field(default_factory=dict)
    needs: Text | None = None


class StudyScoringSurface(Surface):
    rubric: Text
    grader: Text | None = None
    repeats: Text | None = None
    sheets: Text | None = None
    of: Texts = ()
    needs: Text | None = None


class StudyRowSurface(Surface):
    row: Text | None = None
    group: Text | None = None
    each: Texts = ()
    of: Texts = ()
    only: Text | None = None
    unit: Text | None = None
    value: Texts = ()
    label: Text | None = None
    labels: dict[str, Text] = field(default_factory=dict)
    base: Node | None = None
    needs: Text | None = None


class StudyColumnSurface(Surface):
    SHORT: ClassVar[str] = "value"

    column: Text | None = None
    value: Node | None = None
    mean_of: Texts = ()
    from_table: Text | None = None
    from_column: Text | None = None
    line: Text | None = None
    of: Texts = ()
    only: Text | None = None
    stages: Texts = ()
    statistic: Text | None = None
    share_of: Text | None = None
    contrast: Text | None = None
    digits: Text | None = None
    needs: Text | None = None


class PrintedSurface(Surface):
    source: Text
    columns: Texts = ()
    values: Node | None = None
    doubtful: Node | None = None


class StudyTableSurface(Surface):
    title: Text | None = None
    like: Text | None = None
    replacing: dict[str, Text] = field(default_factory=dict)
    of: Texts = ()
    of_cases: Texts = ()
    only: Text | None = None
    base: Node | None = None
    average_over: Texts = ()
    rows: Node | None = None
    columns: tuple[StudyColumnSurface, ...] = ()
    best: Text | None = None
    compare: Text | None = None
    paired_by: Texts = ()
    family: Text | None = None
    draw: Text | None = None
    printed: PrintedSurface | None = None
    needs: Text | None = None


class StudyPowerSurface(Surface):
    of_table: Text
    column: Text
    effect: Text
    chance: Text | None = None
    spread: Text | None = None
    pilot: Text | None = None


class StudyDifferenceSurface(Surface):
    point: Text
    paper: Text
    here: Text
    of: Texts = ()
    shown: Texts = ()


class StudyTrainingSurface(Surface):
    forms: Texts
    of: Texts = ()
    roles: Texts = ()
    only: Text | None = None
    apart_from: Text | None = None


class StudySurface(Surface):
    lw: Text
    study: Text
    title: Text
    source: Text | None = None
    models: dict[str, Text] = field(default_factory=dict)
    cases: dict[str, CaseSetSurface] = field(default_factory=dict)
    conditions: dict[str, StudyConditionSurface] = field(default_factory=dict)
    scoring: dict[str, StudyScoringSurface] = field(default_factory=dict)
    tables: dict[str, StudyTableSurface] = field(default_factory=dict)
    power: dict[str, StudyPowerSurface] = field(default_factory=dict)
    differences: tuple[StudyDifferenceSurface, ...] = ()
    training: dict[str, StudyTrainingSurface] = field(default_factory=dict)
