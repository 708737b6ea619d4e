"""Files of norms as they are written: the keys of their YAML."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from ..language.surfaces import Surface, Text, Texts
from ..language.yaml.nodes import Node


class FactSurface(Surface):
    SHORT: ClassVar[str] = "title"

    title: Text
    type: Text | None = None
    called: Texts = ()
    keys: dict[str, Text] = field(default_factory=dict)
    said: Text | None = None
    measured: Text | None = None


class FactsSurface(Surface):
    lw: Text
    facts: Text
    title: Text | None = None
    currency: Text | None = None
    laws: dict[str, Text] = field(default_factory=dict)
    words: dict[str, FactSurface]
    of_claim: dict[str, FactSurface] = field(default_factory=dict)
    of_case: dict[str, FactSurface] = field(default_factory=dict)


class HeadSurface(Surface):
    title: Text
    words: Texts = ()
    costs: Text | None = None


class HeadsSurface(Surface):
    lw: Text
    heads: Text
    title: Text | None = None
    denials: Texts = ()
    orders: dict[str, Text] = field(default_factory=dict)
    forms: dict[str, Text] = field(default_factory=dict)
    words: dict[str, HeadSurface]


class ForceSurface(Surface):
    since: Text
    until: Text | None = None
    on: Text | None = None


class ClaimsSurface(Surface):
    heads: Texts
    causes: Texts = ()


class RowSurface(Surface):
    SHORT: ClassVar[str] = "is_"

    is_: Text | None = None
    when: Text | None = None
    discretion: Text | None = None
    declines: Text | None = None
    account_of: Text | None = None
    rate: Text | None = None
    premise: Text | None = None


class BecauseSurface(Surface):
    SHORT: ClassVar[str] = "is_"

    is_: Text
    when: Text | None = None


class GivesSurface(Surface):
    premise: Text | None = None
    order: Text | None = None
    as_: Text | None = None
    spans: Text | None = None
    factor: Text | None = None
    when: Text | None = None
    heads: Texts = ()
    cites: Texts = ()
    discretion: Text | None = None
    declines: Text | None = None


class PleaSurface(Surface):
    plea: Text
    title: Text | None = None
    when: Text | None = None
    order: Text | None = None
    cites: Texts = ()
    declines: Text | None = None
    shows: Text | None = None
    succeeds: tuple[BecauseSurface, ...] = ()
    fails: tuple[BecauseSurface, ...] = ()


class LiabilitySurface(Surface):
    premise: Text | None = None
    jointly: Texts = ()
    alone: Texts = ()
    when: Text | None = None
    cites: Texts = ()


class BandSurface(Surface):
    SHORT: ClassVar[str] = "between"

    between: Text


class FineSurface(Surface):
    least: Text | None = None
    most: Text | None = None
    when: Text | None = None


class ExampleSurface(Surface):
    example: Text
    cause: Text | None = None
    claims: dict[str, Node] = field(default_factory=dict)
    says: dict[str, Node] = field(default_factory=dict)
    admits: dict[str, Node] = field(default_factory=dict)
    pleads: Texts = ()
    on: dict[str, Text] = field(default_factory=dict)
    recommended: Text | None = None
    gives: Texts


class NormSurface(Surface):
    lw: Text
    norm: Text
    title: Text
    source: Text
    in_force: ForceSurface | None = None
    claims: ClaimsSurface | None = None
    premise: Text | None = None
    needs: Text | None = None
    stands: Text | None = None
    reckon: dict[str, Node] = field(default_factory=dict)
    gives: tuple[GivesSurface, ...] = ()
    pleas: tuple[PleaSurface, ...] = ()
    uses: Texts = ()
    liability: tuple[LiabilitySurface, ...] = ()
    residual: Text | None = None
    checked: Text
    examples: tuple[ExampleSurface, ...] = ()


class ReviewOrderSurface(Surface):
    order: Text
    grounds: Texts = ()
    when: Text | None = None
    cites: Texts = ()


class ReviewSurface(Surface):
    lw: Text
    review: Text
    title: Text
    source: Text
    in_force: ForceSurface | None = None
    claims: ClaimsSurface
    needs: Text
    evidence_until: Text | None = None
    grounds: Text
    gives: tuple[ReviewOrderSurface, ...]
    checked: Text
    examples: tuple[ExampleSurface, ...] = ()


class PenalOrderSurface(Surface):
    order: Text
    amount: Text | None = None
    what: Text | None = None
    when: Text | None = None
    cites: Texts = ()


class CrimeSurface(Surface):
    lw: Text
    offence: Text
    title: Text
    called: Texts = ()
    source: Text
    in_force: ForceSurface | None = None
    needs: Text
    stands: Text | None = None
    bands: dict[str, BandSurface] = field(default_factory=dict)
    tiers: Text | None = None
    tiers_overlap: Text | None = None
    fine: tuple[FineSurface, ...] = ()
    circumstances: Text | None = None
    orders: tuple[PenalOrderSurface, ...] = ()
    negligent: Text | None = None
    age: tuple[RowSurface, ...] = ()
    borne: tuple[RowSurface, ...] = ()
    scale: Text | None = None
    cites: Texts = ()
    checked: Text
    examples: tuple[ExampleSurface, ...] = ()


class FeeSurface(Surface):
    item: Text
    table: Text | None = None
    fixed: Text | None = None
    causes: Texts = ()
    cites: Texts = ()


class CostsSurface(Surface):
    lw: Text
    costs: Text
    source: Text | None = None
    items: tuple[FeeSurface, ...]
    checked: Text


class PhraseSurface(Surface):
    SHORT: ClassVar[str] = "told"

    told: Text
    factor: Text | None = None
    is_: Text | None = None
    keys: dict[str, Text] = field(default_factory=dict)


class ReadingSurface(Surface):
    lw: Text
    reading: Text
    title: Text | None = None
    denials: Texts = ()
    words: dict[str, tuple[PhraseSurface, ...]]
    checked: Text


class ProbationSurface(Surface):
    when: Text
    most: Text
    must: Text | None = None
    unless: Texts = ()
    lengths: dict[str, Text] = field(default_factory=dict)


class CombinationSurface(Surface):
    share: Text
    most: dict[str, Text]
    over: dict[str, Text] = field(default_factory=dict)
    total: Text | None = None
    instead: dict[str, Texts] = field(default_factory=dict)
    cites: Texts = ()


class LeastFineSurface(Surface):
    least: Text | None = None
    month: Text | None = None


class AgeSurface(Surface):
    years: Text
    born: Text
    deed: Text


class GuiltSurface(Surface):
    pleads: Text | None = None
    alone: Texts = ()


class SentencingSurface(Surface):
    lw: Text
    sentencing: Text
    title: Text | None = None
    source: Text | None = None
    words: dict[str, dict[str, Text]] = field(default_factory=dict)
    titles: dict[str, Text] = field(default_factory=dict)
    needs: Text
    circumstances: Text
    excuses: Text | None = None
    age: AgeSurface | None = None
    guilt: GuiltSurface | None = None
    probation: ProbationSurface
    start: Text
    fine: LeastFineSurface | None = None
    penalties: dict[str, Text]
    combination: CombinationSurface | None = None
    orders: tuple[PenalOrderSurface, ...] = ()
    checked: Text
