"""The lines of a table: what stands in each, and whether a cell puts together what was not declared to be averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from ..evaluation.rubric.definition import Expression
from ..evaluation.rubric.formulas import names_in
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from .definition import CHANGE, Study, StudyColumn, StudyPoint, StudyRow, StudyTable
from .words import FIELD, MINUS, StudyFilter, meant

OF_RUNS: Final = ("case", "case set", "seed", "unit")
"""Facts that tell runs of one point apart."""

Known = Callable[[str], Sequence[str]]
"""Fact of runs or cases -> what it is among those that are there."""


@immutable
class TableLine:
    """A line as it stands in a table: its filters are all that tells its runs from others. `unit`: the unit of which
    scores are taken, of the item that `of_unit` names; None for all. `heading`: a heading and nothing else."""

    label: str
    row: StudyRow
    of: tuple[str, ...]
    filters: tuple[StudyFilter, ...] = ()
    unit: str | None = None
    heading: bool = False

    @property
    def settled(self) -> frozenset[str]:
        """The facts that have one value in all its runs."""
        return frozenset(one.fact for one in self.filters if len(one.values) == 1 and not one.negated)


def conditions_of(table: StudyTable, study: Study) -> tuple[str, ...]:
    """Return the conditions of a table; where it names none, all of those that its lines and columns name."""
    named = {*table.of, *(name for row in table.rows for name in row.of)}
    named |= {name for column in table.columns for name in column.of}
    return tuple(name for name in study.conditions if name in named)


def lines_of(table: StudyTable, study: Study, known: Known | None = None) -> Iterator[TableLine]:
    """Yield the lines of a table. `known`: what facts of runs and cases are; without it, a row that goes by such a
    fact is passed over."""
    for row in table.rows:
        of = row.of or table.of or conditions_of(table, study)
        filters = tuple(filter(None, (table.only, row.only)))
        if row.group or not row.each:
            yield TableLine(row.name, row, of, filters, heading=row.group)
        else:
            yield from _each(row, (of, filters), study, known)


def _each(
    row: StudyRow, whole: tuple[tuple[str, ...], tuple[StudyFilter, ...]], study: Study, known: Known | None
) -> Iterator[TableLine]:
    """One line for each combination of facts that some point has."""
    of, filters = whole
    outer = [fact for fact in row.each if fact in OF_RUNS or fact.startswith(FIELD)]
    if outer and known is None:
        return
    inner = [fact for fact in row.each if fact not in outer]
    points = [point for name in of for point in study.conditions[name].points if taken(point, filters)]
    combinations = dict.fromkeys(tuple(point.fact(fact) or "" for fact in inner) for point in points)
    outside = [tuple(known(_asked(fact, row))) if known is not None else () for fact in outer]
    for combination, others in product(combinations, product(*outside)):
        values = dict(zip(inner, combination, strict=True)) | dict(zip(outer, others, strict=True))
        own = tuple(StudyFilter(fact, (value,)) for fact, value in values.items() if fact != "unit")
        label = label_of(row, values)
        yield TableLine(label, row, of, (*filters, *own), values.get("unit"))


def _asked(fact: str, row: StudyRow) -> str:
    """A fact as it is asked for: of units, with the item that has them."""
    names = names_in(row.unit) if fact == "unit" and row.unit is not None else ()
    return f"unit {names[0].name}.{names[0].part}" if names else fact


def label_of(row: StudyRow, values: Mapping[str, str]) -> str:
    """Return what a line is called that stands for these values."""
    plain = " · ".join(values.values())
    label = row.label
    for fact, value in values.items():
        label = label.replace(f"{{{fact}}}", value)
    label = label or plain
    return row.labels.get(label, label)


def taken(point: StudyPoint, filters: Sequence[StudyFilter]) -> bool:
    """Return whether a point passes filters, as far as it can be told of it: a fact of runs or cases passes."""
    for one in filters:
        if one.fact in OF_RUNS or one.fact.startswith(FIELD):
            continue
        if not one.takes(point.fact(one.fact) or ""):
            return False
    return True


def points_of(line: TableLine, column: StudyColumn, study: Study) -> tuple[StudyPoint, ...]:
    """Return the points whose runs a cell takes."""
    of = tuple(name for name in line.of if not column.of or name in column.of)
    if column.of and not line.row.of:
        of = column.of
    filters = (*line.filters, *filter(None, (column.only,)))
    return tuple(point for name in of for point in study.conditions[name].points if taken(point, filters))


def values_of(line: TableLine, column: StudyColumn, columns: Sequence[StudyColumn]) -> Expression | None:
    """Return the formula of a cell: the column's, else what the line says for it, in the order of such columns."""
    if column.value is not None:
        return column.value
    open_columns = [one.name for one in columns if one.value is None and not one.derived]
    if column.name not in open_columns:
        return None
    if len(line.row.values) == 1:
        return line.row.values[0]
    place = open_columns.index(column.name)
    return line.row.values[place] if place < len(line.row.values) else None


# ---- what is wrong with it -------------------------------------------------------------------------------------------


def layout_problems(table: StudyTable, study: Study) -> Iterator[Diagnostic]:
    """Yield what is wrong with a table: cells that mix, scores that nobody makes, printed rows that it has not."""
    lines = list(lines_of(table, study))
    told: set[str] = set()
    for line in lines:
        if line.heading:
            continue
        for column in (one for one in table.columns if not one.derived):  # else it takes no runs of its own
            for problem in _cell_problems(table, line, column, study):
                key = f"{problem.code}{problem.values}"
                if key not in told:
                    told.add(key)
                    yield problem
    labels, fixed = labels_of(table, study)
    if table.compare not in ("", "base", *labels) and fixed:
        name, known = table.compare, tuple(labels)
        yield diagnose.unknown_compared_line(table.span, table=table.name, name=name, known=known, among=labels)
    if table.printed is not None and table.rows and fixed:
        for name, span in table.printed.spans.items():
            if name not in labels:
                yield diagnose.unknown_printed_row(span, name=name, known=tuple(labels), among=labels)
    yield from _taken_lines(table, study)
    yield from _empty_filters(table, study)
    yield from _facts_of_cases(table)
    yield from _too_few_seeds(table, study)
    compares = table.compare or any(one.compares or one.statistic == CHANGE for one in table.columns)
    if table.paired_by and not compares:
        yield diagnose.pairs_without_comparison(table.span, table=table.name)
    for column in table.columns if table.draw == "bars" else ():
        if not column.share_of:
            yield diagnose.bars_without_shares(column.span, table=table.name, column=column.name)


def labels_of(table: StudyTable, study: Study) -> tuple[list[str], bool]:
    """Return what the lines of a table are called, and whether these are all: facts of runs and of what cases say are
    not known before there are any."""
    if table.of_cases:
        sets = [row for row in table.rows if row.each == ("case set",)]
        names = [label_of(row, {"case set": name}) for row in sets for name in table.of_cases]
        plain = [row.name for row in table.rows if not row.each]
        return [*names, *plain], all(row in sets or not row.each for row in table.rows)
    lines = list(lines_of(table, study))
    fixed = all(any(line.row is row for line in lines) for row in table.rows if row.each)
    return [line.label for line in lines], fixed


def _empty_filters(table: StudyTable, study: Study) -> Iterator[Diagnostic]:
    """Filters by which nothing is taken, since nothing that the table is of has such a value."""
    conditions = [study.conditions[name] for name in conditions_of(table, study)]
    points = [point for one in conditions for point in one.points]
    told = [(table.span, table.only), *((row.span, row.only) for row in table.rows)]
    told += [(column.span, column.only) for column in table.columns]
    bases = [(table.span, table.base), *((row.span, row.base) for row in table.rows)]
    facts = [(span, each) for span, one in bases if one is not None for each in one.facts.items()]
    told += [(span, StudyFilter(fact, (value,))) for span, (fact, value) in facts]
    for span, one in told:
        if one is None or one.fact.startswith(FIELD) or one.fact in ("case", "seed", "unit"):
            continue
        if one.fact == "case set":
            known = table.of_cases or tuple(word.text for each in conditions for word in each.cases)
        else:
            known = tuple(dict.fromkeys(point.fact(one.fact) or "" for point in points))
        for value in one.values if known else ():
            if value not in known:
                yield diagnose.empty_study_filter(span, fact=one.fact, name=value, known=known, among=known)


def _taken_lines(table: StudyTable, study: Study) -> Iterator[Diagnostic]:
    """Lines of other tables that columns take and that these have not."""
    own, _ = labels_of(table, study)
    for column in (one for one in table.columns if one.from_table):
        labels, fixed = labels_of(study.tables[column.from_table], study)
        there = [one.name for one in study.tables[column.from_table].columns]
        if column.from_column and column.from_column not in there:
            name, known = column.from_column, tuple(there)
            yield diagnose.unknown_study_name(column.span, name=name, key="from column", known=known, among=there)
        for label in own if fixed else ():
            name = column.from_line.replace("{row}", label)
            if name not in labels:
                known = tuple(labels)
                yield diagnose.unknown_table_line(
                    column.span, table=column.from_table, name=name, known=known, among=labels
                )


def _facts_of_cases(table: StudyTable) -> Iterator[Diagnostic]:
    """What a table of cases asks for that only runs have."""
    for row in table.rows if table.of_cases else ():
        facts = [*row.each, *(one.fact for one in (table.only, row.only) if one is not None)]
        facts += ["value"] if row.values else []
        for fact in facts:
            if fact != "case set" and not fact.startswith(FIELD):
                yield diagnose.not_of_cases(row.span, table=table.name, fact=fact)


def _cell_problems(table: StudyTable, line: TableLine, column: StudyColumn, study: Study) -> Iterator[Diagnostic]:
    points = points_of(line, column, study)
    expression = values_of(line, column, table.columns)
    for name in names_in(expression) if expression is not None else ():
        if name.name not in study.scoring:
            continue
        for condition in dict.fromkeys(point.condition for point in points):
            if condition not in study.scoring[name.name].of:
                yield diagnose.unscored_condition(name.span, scoring=name.name, condition=condition)
    yield from _of_contrast(table, line, column, study)
    settled = line.settled | ({column.contrast.fact} if column.contrast is not None else set())
    settled |= {column.only.fact} if column.only is not None and len(column.only.values) == 1 else set()
    for fact, values in varied(points).items():
        if fact not in settled and fact not in table.average_over:
            yield diagnose.mixed_study_cell(line.row.span, table=table.name, fact=fact, values=tuple(sorted(values)))


def _of_contrast(table: StudyTable, line: TableLine, column: StudyColumn, study: Study) -> Iterator[Diagnostic]:
    """A contrast of what no run of the cell is."""
    told = column.contrast
    points = points_of(line, column, study)
    if told is None or told.fact in OF_RUNS or told.fact.startswith(FIELD) or not points:
        return
    known = tuple(dict.fromkeys(point.fact(told.fact) or "" for point in points))
    for value in (told.first, told.second):
        if value not in known:
            yield diagnose.empty_study_filter(column.span, fact=told.fact, name=value, known=known, among=known)


def _too_few_seeds(table: StudyTable, study: Study) -> Iterator[Diagnostic]:
    """Columns that ask for more runs of a case than are made."""
    for column in table.columns:
        for name in column.of or conditions_of(table, study):
            condition = study.conditions[name]
            if column.passes_in > condition.seeds and condition.points:
                asked, made = str(column.passes_in), str(condition.seeds)
                yield diagnose.too_few_seeds(column.span, column=column.name, count=asked, condition=name, seeds=made)


def varied(points: Sequence[StudyPoint]) -> Mapping[str, frozenset[str]]:
    """Return the facts in which points differ, and what they are in them; of conditions of one kind, the condition."""
    facts = dict.fromkeys(fact for point in points for fact in point.facts)
    found = {fact: frozenset(_plain(fact, point.fact(fact)) for point in points) for fact in facts}
    found = {fact: values for fact, values in found.items() if len(values) > 1}
    names = frozenset(point.condition for point in points)
    return found | ({"condition": names} if len(names) > 1 and not found else {})


def _plain(fact: str, value: str | None) -> str:
    """Nothing taken away is what it is without the fact."""
    if fact == MINUS and value is not None and meant("nothing", value):
        return ""
    return value or ""
