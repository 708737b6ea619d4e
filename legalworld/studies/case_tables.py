"""Tables of sets of cases: how many there are, how many values or entries a field has. No run is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from ..model.case import Record, Value, texts
from .case_sets import FoundCases, StudyCase, values_at
from .cells import Place, StudyCell
from .definition import CaseCount, StudyColumn, StudyRow, StudyTable
from .layout import TableLine, label_of
from .plan import StudyPlan
from .words import FIELD, StudyFilter

CASE_SET = "case set"


class CaseFiller:
    """Fills the cells of a table of cases."""

    def __init__(self, table: StudyTable, plan: StudyPlan) -> None:
        self.table = table
        self.sets = {name: plan.sets(name) for name in table.of_cases}

    def lines(self) -> tuple[TableLine, ...]:
        """Return the lines of the table, by what its cases are."""
        return tuple(line for row in self.table.rows for line in self._lines(row))

    def _lines(self, row: StudyRow) -> Iterator[TableLine]:
        filters = tuple(filter(None, (self.table.only, row.only)))
        if row.group or not row.each:
            yield TableLine(row.name, row, (), filters, heading=row.group)
            return
        for combination in product(*(self._values(fact, filters) for fact in row.each)):
            values = dict(zip(row.each, combination, strict=True))
            own = tuple(StudyFilter(fact, (value,)) for fact, value in values.items())
            yield TableLine(label_of(row, values), row, (), (*filters, *own))

    def _values(self, fact: str, filters: Sequence[StudyFilter]) -> tuple[str, ...]:
        """What a fact is, the most frequent first; the sets of cases in their order."""
        if fact == CASE_SET:
            return self.table.of_cases
        counts: dict[str, int] = {}
        for one in self._cases(filters):
            value = one.says(fact.removeprefix(f"{FIELD} "))
            counts[value] = counts.get(value, 0) + 1
        return tuple(sorted(filter(None, counts), key=lambda value: -counts[value]))

    def _cases(self, filters: Sequence[StudyFilter]) -> list[StudyCase]:
        outer = [one for one in filters if one.fact == CASE_SET]
        inner = [one for one in filters if one.fact != CASE_SET]
        chosen = [found for name, found in self.sets.items() if all(one.takes(name) for one in outer)]
        cases = {one.case.id: one for found in chosen for one in found.cases}
        return [one for one in cases.values() if all(each.takes(one.says(_path(each))) for each in inner)]

    def cell(self, number_of: int, line: TableLine, column: StudyColumn) -> StudyCell:
        """Return the cell of a line and a column."""
        needs = column.needs or line.row.needs or self.table.needs or self._needs(line)
        if needs:
            return StudyCell(gap="needs" if not self._needs(line) else "cases", what=needs)
        cases = self._cases(line.filters)
        value = _counted(cases, column.counted) if column.counted is not None else None
        return StudyCell(value, "" if value is not None else "nothing")

    def _needs(self, line: TableLine) -> str:
        """What is lacking of the sets of a line."""
        outer = [one for one in line.filters if one.fact == CASE_SET]
        chosen = (found for name, found in self.sets.items() if all(one.takes(name) for one in outer))
        return next(filter(None, map(_lacking, chosen)), "")

    def tested(self, lines: Sequence[TableLine], cells: Mapping[Place, StudyCell]) -> dict[Place, StudyCell]:
        """Return nothing: counts are no sample."""
        return {}

    def marked(self, cells: Mapping[Place, StudyCell]) -> dict[Place, StudyCell]:
        """Return the cells as they are: no count is better than another."""
        return dict(cells)


def _lacking(found: FoundCases) -> str:
    errors = [one for one in found.problems if one.severity == "error"]
    return found.needs or (errors[0].code if errors and not found.cases else "")


def _path(one: StudyFilter) -> str:
    return one.fact.removeprefix(f"{FIELD} ")


def _counted(cases: Sequence[StudyCase], how: CaseCount) -> float | None:
    if how.kind == "cases":
        return float(len(cases))
    if how.kind == "number":
        return float(len({text for one in cases for value in values_at(one.case, how.field) for text in texts(value)}))
    entries = sum(1 for one in cases for value in values_at(one.case, how.field) if _takes(how.only, value))
    if how.kind == "entries":
        return float(entries)
    return entries / len(cases) if cases else None


def _takes(only: StudyFilter | None, value: Value) -> bool:
    """Whether an entry says what a filter asks for, at the path that it names."""
    if only is None:
        return True
    below: list[Value] = [value]
    for key in _path(only).split("."):
        below = [one[key] for one in below if isinstance(one, Record) and key in one]
    return any(only.takes(text.strip()) for one in below for text in texts(one))
