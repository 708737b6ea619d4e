"""A study, read: its models, sets of cases, conditions, scorings and tables, each with where it is declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import product
from typing import Final

from ..evaluation.rubric.definition import Expression
from ..language.yaml.nodes import Scalar
from ..model.immutable import immutable
from ..model.source import Span
from .words import StudyFilter

DIFFERENCE: Final = "difference to base"
CHANGE: Final = "change from base in percent"
PASS_AT: Final = "pass at "

FactWords = dict[str, tuple[Scalar, ...]]
"""Fact -> what it is said to be; several words where it is varied."""


@immutable
class CaseSample:
    """`count` of each group (`per` a field, "" for all together), or `share` in percent; drawn by `seed`."""

    count: int
    share: float
    per: str
    seed: int


@immutable
class CaseSet:
    """Cases of files, or of other sets. `join`: a table and the field by which its rows belong to cases; `needs`: why
    there are none yet."""

    name: str
    span: Span
    files: tuple[Scalar, ...] = ()
    binding: Scalar | None = None
    part_of: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    only: StudyFilter | None = None
    sample: CaseSample | None = None
    join: tuple[Scalar, str] | None = None
    cluster: str = ""
    expect: int = 0
    needs: str = ""


@immutable
class StudyPoint:
    """One combination of the facts of a condition: runs that differ in case and seed alone."""

    condition: str
    facts: Mapping[str, str]

    def fact(self, name: str) -> str | None:
        """Return a fact of it; None where it has none of that name."""
        return self.condition if name == "condition" else self.facts.get(name)


@immutable
class StudyCondition:
    """Runs that a study makes. `fixed`: the same in all of them; `swept`: varied, in every combination; `needs`: why
    none can be made yet."""

    name: str
    span: Span
    fixed: FactWords = field(default_factory=dict)
    swept: FactWords = field(default_factory=dict)
    cases: tuple[Scalar, ...] = ()
    seeds: int = 1
    needs: str = ""

    def word(self, fact: str) -> Scalar | None:
        """Return what is said of a fact that is not varied."""
        return next(iter(self.fixed.get(fact, ())), None)

    @property
    def words(self) -> Iterator[tuple[str, Scalar]]:
        """Yield every fact with each thing that is said of it."""
        for fact, words in (*self.fixed.items(), *self.swept.items()):
            for word in words:
                yield fact, word

    @property
    def points(self) -> tuple[StudyPoint, ...]:
        """Return every combination of what it varies; none where nothing is played in it."""
        if "procedure" not in {*self.fixed, *self.swept}:
            return ()
        plain = {fact: ", ".join(word.text for word in words) for fact, words in self.fixed.items()}
        choices = product(*(tuple(word.text for word in words) for words in self.swept.values()))
        return tuple(StudyPoint(self.name, plain | dict(zip(self.swept, one, strict=True))) for one in choices)


@immutable
class StudyScoring:
    """A rubric over the runs of some conditions. `grader`: one of the study's models, None for the offline one;
    `sheets`: where the sheets lie that people filled in, who score instead of a grader."""

    name: str
    span: Span
    rubric: Scalar
    grader: Scalar | None
    repeats: int
    of: tuple[str, ...]
    needs: str = ""
    sheets: Scalar | None = None


@immutable
class TableBase:
    """What lines are set beside: those of another `condition`, or of the same line with other `facts`."""

    condition: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


@immutable
class StudyRow:
    """A line of a table, or several: one for each value of the facts `each`. `group`: it is a heading alone; `base`:
    what it is set beside, None for that of the table."""

    span: Span
    name: str = ""
    group: bool = False
    each: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    only: StudyFilter | None = None
    unit: Expression | None = None
    values: tuple[Expression | None, ...] = ()
    label: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""
    base: TableBase | None = None


@immutable
class CaseCount:
    """A figure of cases and no runs: how many `cases` there are, how many values a field has (`number`), how many
    entries, in all or on average (`entries`, `mean entries`); of these, those that `only` takes."""

    kind: str
    field: str = ""
    only: StudyFilter | None = None


@immutable
class StudyContrast:
    """A column of differences: its figure where a `fact` is `first`, less that where it is `second`, pair by pair."""

    fact: str
    first: str
    second: str


@immutable
class StudyColumn:
    """A figure of each line. `mean_of`: columns of whose figures it is the mean; `from_table`, `from_line`: it is the
    mean of that line of another table, or what stands there in `from_column`; `value` None: the line says it;
    `stages`: of which turns and tokens are taken; `share_of`: told in percent of its row or column, "" for the figure
    itself."""

    span: Span
    name: str
    value: Expression | None = None
    mean_of: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    only: StudyFilter | None = None
    statistic: str = "mean"
    digits: int = 2
    needs: str = ""
    part: str = ""
    from_table: str = ""
    from_line: str = ""
    stages: tuple[str, ...] = ()
    counted: CaseCount | None = None
    share_of: str = ""
    contrast: StudyContrast | None = None
    from_column: str = ""

    @property
    def passes_in(self) -> int:
        """Of how many runs one is to pass, where its statistic is `pass at K`; else 0."""
        head, _, runs = self.statistic.partition(PASS_AT)
        return int(runs) if not head and runs else 0

    @property
    def compares(self) -> bool:
        """Whether its figure is a difference of pairs, whose spread tells how many cases it takes to find one."""
        return self.statistic == DIFFERENCE or (self.contrast is not None and self.statistic == "mean")

    @property
    def derived(self) -> bool:
        """Whether it is reckoned from finished cells, and takes no runs of its own."""
        return bool(self.mean_of or self.from_table)


@immutable
class PrintedValues:
    """What a paper prints, row by row in the order of `columns`, word for word. `doubtful`: row -> columns that
    contradict the paper itself, or are read uncertainly."""

    source: str
    span: Span
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Scalar, ...]]
    spans: Mapping[str, Span]
    doubtful: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def value(self, row: str, column: str) -> str:
        """Return what is printed in a cell; "" for nothing. What is doubtful bears a question mark."""
        if row not in self.rows or column not in self.columns:
            return ""
        text = self.rows[row][self.columns.index(column)].text
        return f"{text}?" if column in self.doubtful.get(row, ()) else text


@immutable
class StudyTable:
    """A table as it is declared. `compare`: "base" or a row, with which each other line is tested; `paired_by`: what
    the two runs of a pair have in common, () for the case and what the table averages over; `family`: which tests are
    read together; `of_cases`: it is of sets of cases, and no run is needed; `draw`: as what it is drawn."""

    name: str
    title: str
    span: Span
    of: tuple[str, ...] = ()
    only: StudyFilter | None = None
    base: TableBase | None = None
    average_over: tuple[str, ...] = ()
    rows: tuple[StudyRow, ...] = ()
    columns: tuple[StudyColumn, ...] = ()
    best: int = 0
    compare: str = ""
    family: str = "table"
    printed: PrintedValues | None = None
    needs: str = ""
    of_cases: tuple[str, ...] = ()
    draw: str = ""
    paired_by: tuple[str, ...] = ()


@immutable
class StudyPower:
    """A difference that is to be found: an `effect` in a column of differences, with a `chance`. `spread`: the standard
    deviation of its differences between clusters of cases, None for that of the runs that are there, or of those of
    them whose cases are of the set `pilot`."""

    name: str
    span: Span
    table: str
    column: str
    effect: float
    chance: float
    spread: float | None = None
    pilot: str = ""


@immutable
class StudyTraining:
    """What goes out to train on: `forms` of the runs of conditions, of some `roles` (() for all) and of the runs that
    `only` takes. `apart_from`: a set of cases that may share none with it, "" for none."""

    name: str
    span: Span
    forms: tuple[str, ...]
    of: tuple[str, ...]
    roles: tuple[Scalar, ...] = ()
    only: StudyFilter | None = None
    apart_from: str = ""


@immutable
class StudyDifference:
    """In what the system differs from that of a paper: `what` it is, how the `paper` has it and how it is `here`.
    `shown`: sentences that a check holds against the procedures of the conditions `of`."""

    what: str
    paper: str
    here: str
    span: Span
    of: tuple[str, ...] = ()
    shown: tuple[Scalar, ...] = ()


@immutable
class Study:
    """A study whose names are known to mean something; `digest`: of its file, in hexadecimal figures."""

    name: str
    title: str
    source: str
    path: str
    digest: str
    models: Mapping[str, Scalar]
    cases: Mapping[str, CaseSet]
    conditions: Mapping[str, StudyCondition]
    scoring: Mapping[str, StudyScoring]
    tables: Mapping[str, StudyTable]
    power: Mapping[str, StudyPower] = field(default_factory=dict)
    differences: tuple[StudyDifference, ...] = ()
    training: Mapping[str, StudyTraining] = field(default_factory=dict)
