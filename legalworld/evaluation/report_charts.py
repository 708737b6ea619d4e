"""A report as charts: how the figures of each model are spread, how models differ, and a profile of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..batch.identity import folder_name
from ..model.immutable import immutable
from ..publication.chart_parts import Chart
from ..publication.plots import ChartPoint, ChartRow, differences, distribution
from ..publication.radar import RadarSeries, radar
from .report import Report, ReportCell, by_case, scaled
from .report_tables import ReportTrail, heading, signed, titled
from .rubric.definition import Formula


@immutable
class ChartedReport:
    """A report whose charts are drawn. `apart`: what tells it from others, "" where there is but one."""

    part: Report
    lead: ReportTrail
    apart: str = ""

    def cases(self, model: str, formula: Formula) -> dict[str, float]:
        """Case -> the figure of a model, as it is shown."""
        mine = by_case([each for each in self.part.counted if each.model == model], formula.name)
        return {case: shown for case, figure in mine.items() if (shown := scaled(figure, formula)) is not None}

    def to(self, name: str, **marks: str) -> str:
        return self.lead.to(self.part, name, bool(self.apart), **marks)

    def title(self, name: str) -> str:
        """The formula as its table calls it, with the head of its column and which way is better."""
        formula = self.part.rubric.formulas[name]
        arrow = {"higher": " \u2191", "lower": " \u2193", "neither": ""}[formula.better]
        return titled(self.apart, f"{heading(self.part.rubric, name)}{arrow}")

    def file(self, kind: str, name: str) -> str:
        return folder_name("-".join(filter(None, (kind, self.apart, name))))


def main_formulas(part: Report) -> list[str]:
    """Those of the first table, in their order; the others are looked at second."""
    return list(dict.fromkeys(name for column in part.tables[0].columns for name in column.formulas))


def distributions(charted: ChartedReport, names: Sequence[str]) -> Iterator[Chart]:
    """A chart for each formula that any model has a figure of: a row a model, a dot a case."""
    for name in names:
        formula = charted.part.rubric.formulas[name]
        rows = [_row(charted, model, formula) for model in charted.part.models]
        if any(row.points for row in rows):
            highest = formula.highest * formula.scale if formula.bounded else math.inf
            bounds = (formula.lowest * formula.scale, highest)
            yield distribution(charted.file("spread", name), charted.title(name), rows, bounds)


def _row(charted: ChartedReport, model: str, formula: Formula) -> ChartRow:
    cell, called = charted.part.cells[model, formula.name], charted.lead.model(model)
    bounds = cell.mean.interval
    spread = "" if bounds.low is None else f" [{cell.text(bounds.low)}, {cell.text(bounds.high)}]"
    points = (
        ChartPoint(value, f"{called} · {case}: {value:g}", charted.to(formula.name, model=called, case=case))
        for case, value in charted.cases(model, formula).items()
    )
    return ChartRow(
        called,
        scaled(cell.mean.value, formula),
        scaled(bounds.low, formula),
        scaled(bounds.high, formula),
        f"{cell.text(cell.mean.value)}{spread} n={cell.mean.n}",
        charted.to(formula.name, model=called),
        tuple(points),
        charted.part.models.index(model),
    )


def contrasts(charted: ChartedReport, names: Sequence[str]) -> Iterator[Chart]:
    """A chart for each formula: a row for every two models, a dot for the difference in a case."""
    every = charted.part.contrasts
    for name in names:
        pairs = [(first, second) for first, second, one in every if one == name]
        rows = [_contrast(charted, pair, name) for pair in pairs if every[(*pair, name)].difference.n]
        if rows:
            yield differences(charted.file("differences", name), charted.title(name), rows)


def _contrast(charted: ChartedReport, pair: tuple[str, str], name: str) -> ChartRow:
    formula, contrast = charted.part.rubric.formulas[name], charted.part.contrasts[(*pair, name)]
    gap, (mine, theirs) = contrast.difference, (charted.cases(model, formula) for model in pair)
    points = tuple(
        ChartPoint(value, f"{case}: {value:+g}", charted.to(name, case=case))
        for case in mine
        if case in theirs
        for value in (mine[case] - theirs[case],)
    )
    low, high = (scaled(end, formula) for end in (gap.interval.low, gap.interval.high))
    bounds = gap.interval
    spread = "" if low is None else f" [{signed(bounds.low, formula)}, {signed(bounds.high, formula)}]"
    p = "" if contrast.adjusted is None else f" p={contrast.adjusted:.3f}"
    value = scaled(gap.value, formula)
    note = f"{signed(gap.value, formula)}{spread}{p} n={gap.n}"
    title = " \u2212 ".join(map(charted.lead.model, pair))
    colour = 0 if value is None or value >= 0 else 1
    href = charted.to(name)
    return ChartRow(title, value, low, high, note, href, points, colour, not contrast.significant)


def profile(charted: ChartedReport) -> Chart | None:
    """A radar of the columns of the first table that have a worst and a best figure; None where they are too few or
    too many."""
    part = charted.part
    formulas = part.rubric.formulas
    columns = [one for one in part.tables[0].columns if all(formulas[name].ordered for name in one.formulas)]
    series = [
        RadarSeries(charted.lead.model(model), tuple(_share(part.column(model, column)) for column in columns))
        for model in part.models
    ]
    title = titled(charted.apart, charted.lead.word("radar"))
    axes = [column.title for column in columns]
    return radar(charted.file("radar", part.tables[0].name), title, axes, series)


def _share(cells: Sequence[ReportCell]) -> float | None:
    """Where the figures of a column lie between worst and best, 0 to 1; None where there are none: that is no 0."""
    shares = [cell.share for cell in cells if cell.share is not None]
    return sum(shares) / len(shares) if shares else None
