"""A rubric, read and checked: what is scored, by whom, on what evidence, and which formulas make figures of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Literal

from ...model.immutable import immutable
from ...model.source import Span

SIDE: Final = "side "
"""Stands before the name of a side where the role of that name could be meant."""


@immutable
class Selection:
    """A part of a stored run, or of its case.

    turns: `who` said it, `places` where (empty: anybody, anywhere). document: `name`, of `owner`, only the `section`.
    field: the case's, evaluation-only ones included; `keys` lead into its records. answer: what was captured. Without a
    name, every document or answer. `called`: the heading under which the grader reads it.
    `owner`: target, opponent, client, a role or a side ("" = whosever). `numbered`: only the record with the number of
    the unit, of a list that runs beside it.
    """

    kind: Literal["turns", "document", "field", "answer"]
    span: Span
    name: str = ""
    keys: tuple[str, ...] = ()
    owner: str = ""
    section: str = ""
    who: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    numbered: bool = False
    called: str = ""


@immutable
class Each:
    """What an item is scored once for: records of a field, windows of turns, phases or stages, roles, topics, the items
    of a checklist."""

    kind: Literal["records", "windows", "phases", "stages", "roles", "topics", "items"]
    span: Span
    names: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    owner: str = ""
    size: int = 0
    places: tuple[str, ...] = ()


@immutable
class Scale:
    """`choices`: word -> its value; without them a number from `lowest` to `highest` in steps (0: any)."""

    lowest: float
    highest: float
    step: float = 1.0
    choices: Mapping[str, float] | None = None

    @property
    def in_short(self) -> str:
        """`0-10`, `A / B`."""
        if self.choices is not None:
            return " / ".join(self.choices)
        step = f" ({self.step:g})" if self.step != 1 else ""
        return f"{self.lowest:g}-{self.highest:g}{step}"

    def has(self, value: float) -> bool:
        """Whether a number is one of the scale's, a step of it or any between its ends."""
        steps = (value - self.lowest) / self.step if self.step else 0.0
        return self.lowest <= value <= self.highest and abs(steps - round(steps)) <= 1e-6


@immutable
class Metric:
    """One thing that the grader scores. `anchors`: (band, what it means), best first."""

    name: str
    title: str
    scale: Scale
    asks: str
    anchors: tuple[tuple[str, str], ...]


@immutable
class RubricItem:
    """What asked items and ruled items share. `stages`: it applies only where one of these was entered.

    `missing`: the value of a score whose evidence is not there; None: it is left out and counted. `only`: key ->
    values: of the records that it is made of, those with one of the values. `background`: what the grader sees beside
    the evidence, to understand it.
    """

    name: str
    title: str
    each: Each | None
    stages: tuple[str, ...]
    evidence: tuple[Selection, ...]
    reference: tuple[Selection, ...]
    missing: float | None
    only: Mapping[str, tuple[str, ...]]
    span: Span
    background: tuple[Selection, ...] = ()


@immutable
class Ask:
    """Scored by the grader: one call gives all `metrics`, for each unit or (`together`) for all units at once."""

    item: RubricItem
    prompt: str
    together: bool
    metrics: tuple[Metric, ...]

    @property
    def judged(self) -> bool:
        """Whether the target is scored, and not all who took part."""
        each = self.item.each
        return each is None or each.kind not in ("roles", "stages")


@immutable
class Deed:
    """Something that is to be done in a hearing, of an `item` in a `stage`, told by the words in which it is done.

    `says`: of each group one word must be said; `answered_by`: roles of which one must answer next (none: nobody need),
    or soon if a word of `naming` was said; `after`: the item before which it does not count.
    """

    stage: str
    item: str
    says: tuple[tuple[str, ...], ...]
    answered_by: tuple[str, ...]
    naming: tuple[tuple[str, ...], ...]
    after: str
    span: Span


@immutable
class Measure:
    """Scored by a rule of `rules.table.RULES`, which may give several parts; `arguments` are the rule's own."""

    item: RubricItem
    rule: str
    arguments: Mapping[str, tuple[str, ...]]
    deeds: tuple[Deed, ...] = ()


@immutable
class Cap:
    """A score of `metric` is at most `value` for a unit where `when` (a metric or measure) is true (above 0)."""

    metric: str
    when: str
    negated: bool
    value: float


UNBOUNDED: Final = 1e6
"""The end of a range that has none."""


Direction = Literal["higher", "lower", "neither"]
"""Which figures are better; neither: they only describe."""


@immutable
class Formula:
    """A figure. `lowest`..`highest` is its declared range, without an end from UNBOUNDED on; `scale` is what it is
    multiplied by where it is shown; `spread`: its standard deviation is shown beside it."""

    name: str
    title: str
    expression: Expression
    lowest: float
    highest: float
    better: Direction
    scale: float
    group: str
    spread: bool = False

    @property
    def bounded(self) -> bool:
        """Whether there is a worst figure: a relative error has none."""
        return self.highest < UNBOUNDED

    @property
    def ordered(self) -> bool:
        """Whether there is a worst figure and a best one."""
        return self.bounded and self.better != "neither"


@immutable
class TableColumn:
    """Of a table: one formula, or a pair of them under one head."""

    title: str
    formulas: tuple[str, ...]
    heads: tuple[str, ...] = ()


@immutable
class ScoreTable:
    name: str
    title: str
    columns: tuple[TableColumn, ...]


@immutable
class Rubric:
    """`digest` is that of its files: a score is of one rubric in one wording.

    `pairs`: it is not runs that are scored, but two runs of a case that are compared. `needs`: the share of the scores
    of a figure that must be there for it to be one. `themes`: theme -> words by which a reason is known to be of it.
    """

    name: str
    title: str
    source: str
    procedures: tuple[str, ...]
    notes: tuple[str, ...]
    asks: Mapping[str, Ask]
    measures: Mapping[str, Measure]
    groups: Mapping[str, tuple[str, ...]]
    caps: tuple[Cap, ...]
    formulas: Mapping[str, Formula]
    passes: Mapping[str, Expression]
    tables: tuple[ScoreTable, ...]
    digest: str
    file: str
    grader: Mapping[str, str]
    pairs: bool = False
    needs: float = 0.8
    themes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


# ---- formulas --------------------------------------------------------------------------------------------------------


@immutable
class FormulaNumber:
    value: float


@immutable
class FormulaName:
    """A metric, a measure (or `measure.part`), a group, or another formula."""

    name: str
    part: str
    span: Span


@immutable
class Apply:
    """A function, or an operator by its sign."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span


Expression = FormulaNumber | FormulaName | Apply
