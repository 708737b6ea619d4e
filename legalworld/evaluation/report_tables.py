"""A report as tables: figures by model, differences, agreement, items; each cell leads to what is behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..model.immutable import immutable
from ..publication.entries import address
from ..publication.tables import Mark, PublishedTable, TableCell, TableHead
from .metrics.values import Value, average, number, shown
from .report import Contrast, Report, ReportCell, scaled
from .report_text import Word, model_name
from .results import Evaluation
from .rubric.definition import Formula, Rubric, ScoreTable

FACETS: Final = ("model", "case", "seed", "group", "counted", "judged", "condition")
_MARKS: Final[Mapping[int, Mark]] = {1: "best", 2: "second"}
_PALE: Final = 0.5  # of the darkest shade, so that figures stay what is read first


@immutable
class ReportTrail:
    """Where the runs behind a figure are listed. `numbers`: formula or item -> its number among the figures."""

    numbers: Mapping[str, int]
    word: Word

    def to(self, part: Report, name: str | None, apart: bool, **marks: str) -> str:
        """The runs of a report, or of one that stands `apart`, that were counted and have these marks."""
        condition = {"condition": part.label} if apart else {}
        every = {**marks, "counted": self.word("yes"), **condition}
        return address(FACETS, None if name is None else self.numbers[name], every)

    def model(self, model: str) -> str:
        return model_name(model, self.word)


def trail(rubric: Rubric, word: Word) -> ReportTrail:
    return ReportTrail({name: n for n, (name, _) in enumerate(figures_of(rubric))}, word)


def figures_of(rubric: Rubric) -> list[tuple[str, str]]:
    """(name, title) of every formula, then of every item that no formula is named like."""
    formulas = [(name, heading(rubric, name)) for name in rubric.formulas]
    return formulas + [(f"item {name}", title) for name, title in titles(rubric).items()]


def heading(rubric: Rubric, name: str) -> str:
    """A formula as the first table that has it calls it: the title of its column, and its own head there."""
    for table in rubric.tables:
        for column in table.columns:
            if name in column.formulas:
                head = column.heads[column.formulas.index(name)] if column.heads else ""
                return f"{column.title} {head}".strip()
    return rubric.formulas[name].title


def titles(rubric: Rubric) -> dict[str, str]:
    """Metric or measure -> its title."""
    asked = {
        metric.name: f"{ask.item.title} · {metric.title}" for ask in rubric.asks.values() for metric in ask.metrics
    }
    return asked | {name: measure.item.title for name, measure in rubric.measures.items()}


def titled(*names: str) -> str:
    return " · ".join(name for name in names if name)


# ---- figures by model ------------------------------------------------------------------------------------------------


def score_tables(together: Report, lead: ReportTrail) -> Iterator[PublishedTable]:
    """The tables of the rubric, of all that stands apart and of each group."""
    for name, apart in together.apart.items():
        for label, part in {"": apart, **apart.groups}.items():
            marks = {"group": label} if part is not apart else {}
            group = (label or lead.word("unlabelled")) if marks else ""
            for layout in part.tables:
                title = titled(name, group, layout.title or together.rubric.title)
                yield _score_table(part, layout, title, lead, (bool(name), marks))


def _score_table(
    part: Report, layout: ScoreTable, title: str, lead: ReportTrail, where: tuple[bool, dict[str, str]]
) -> PublishedTable:
    apart, marks = where

    def cell(model: str, one: ReportCell) -> TableCell:
        bounds = one.mean.interval
        spread = "" if bounds.low is None else f"[{one.text(bounds.low)}, {one.text(bounds.high)}]\n"
        left = f", {lead.word('excluded')} {one.mean.left_out}" if one.mean.left_out else ""
        href = lead.to(part, one.formula.name, apart, model=lead.model(model), **marks)
        mark = _MARKS.get(one.mark, "")
        shade = None if one.share is None else one.share * _PALE
        return TableCell(one.figure, f"{spread}n={one.mean.n}{left}", mark, shade, href)

    rows = tuple(
        (
            TableCell(lead.model(model), words=True, href=lead.to(part, None, apart, model=lead.model(model), **marks)),
            *(cell(model, one) for column in layout.columns for one in part.column(model, column)),
        )
        for model in part.models
    )
    heads = tuple(TableHead(column.title, column.heads) for column in layout.columns)
    return PublishedTable(
        titled(part.rubric.name, layout.name), title, lead.word("model"), heads, rows, lead.word("table_legend")
    )


def difference_table(together: Report, lead: ReportTrail) -> PublishedTable | None:
    """Every two models in every formula, with what the p values say when they are read together."""
    rows = []
    for name, part in together.apart.items():
        for (first, second, formula), contrast in part.contrasts.items():
            if not contrast.difference.n:
                continue
            title = titled(name, heading(part.rubric, formula))
            pair = f"{lead.model(first)} − {lead.model(second)}"
            rows.append(
                (TableCell(title, words=True), TableCell(pair, words=True), *_difference(part, formula, contrast))
            )
    word = lead.word
    heads = ("pair", "difference_head", "interval", "head_cases", "head_p", "p_adjusted", "head_needed")
    columns = tuple(TableHead(word(head)) for head in heads)
    table = PublishedTable("differences", word("differences"), word("figure"), columns, tuple(rows), word("bold_real"))
    return table if rows else None


def _difference(part: Report, name: str, contrast: Contrast) -> tuple[TableCell, ...]:
    formula, gap = part.rubric.formulas[name], contrast.difference
    bounds = gap.interval
    low, high = (signed(end, formula) for end in (bounds.low, bounds.high))
    mark: Mark = "best" if contrast.significant else ""
    return (
        TableCell(signed(gap.value, formula), mark=mark),
        TableCell("-" if bounds.low is None else f"[{low}, {high}]"),
        TableCell(str(gap.n)),
        TableCell(shown(gap.p, ".3f")),
        TableCell(shown(contrast.adjusted, ".3f")),
        TableCell("-" if gap.needed is None else f"{gap.needed}"),
    )


def signed(value: Value | None, formula: Formula) -> str:
    """A difference as it is printed, with its sign; a place more than the figures have, and no sign before nothing."""
    text = shown(scaled(value, formula), "+.2f" if formula.bounded and formula.highest * formula.scale > 10 else "+.3f")
    return text if text.strip("+-0.") else text.strip("+-") or "-"


def agreement_table(together: Report, word: Word) -> PublishedTable | None:
    """How far every two graders of the same runs agree."""
    rows = tuple(
        (
            TableCell(f"{first} − {second}", words=True),
            *(TableCell(shown(value)) for value in (found.difference, found.mae, found.within_one, found.kappa)),
            TableCell(str(found.n)),
        )
        for (first, second), found in together.agreement.items()
    )
    heads = ("difference_head", "head_error", "head_within", "head_kappa", "head_items")
    columns = tuple(TableHead(word(head)) for head in heads)
    return PublishedTable("agreement", word("grader_agreement"), word("graders"), columns, rows) if rows else None


# ---- items by model --------------------------------------------------------------------------------------------------


def item_means(evaluation: Evaluation, rubric: Rubric) -> dict[str, float | None]:
    """Item -> the mean of its scores in a run; None where it has none."""
    scores: dict[str, list[float]] = {name: [] for name in titles(rubric)}
    for score in evaluation.scores:
        if score.value is not None and score.item in scores:
            scores[score.item].append(score.value)
    return {name: number(average(values).value) for name, values in scores.items()}


def item_table(part: Report, title: str, lead: ReportTrail, *, apart: bool) -> PublishedTable | None:
    """Items by models: the mean over runs, shaded by where it lies on the scale of its item."""
    rubric = part.rubric
    means = {model: [item_means(each, rubric) for each in part.counted if each.model == model] for model in part.models}
    named, rows = titles(rubric), []
    for item, (low, high) in _scales(rubric, means).items():
        cells = []
        for model in part.models:
            values = [one for mean in means[model] if (one := mean[item]) is not None]
            value = number(average(values).value)
            shade = None if value is None or high <= low else (value - low) / (high - low)
            href = lead.to(part, f"item {item}", apart, model=lead.model(model)) if values else ""
            cells.append(TableCell(shown(value), f"n={len(values)}" if values else "", "", shade, href))
        if any(cell.href for cell in cells):
            rows.append((TableCell(named[item], words=True), *cells))
    heads = tuple(TableHead(lead.model(model)) for model in part.models)
    title = titled(title, lead.word("items"))
    table = PublishedTable(
        "items", title, lead.word("item"), heads, tuple(rows), lead.word("items_legend"), shaded=True
    )
    return table if rows else None


def _scales(
    rubric: Rubric, means: Mapping[str, Sequence[Mapping[str, float | None]]]
) -> dict[str, tuple[float, float]]:
    """Item -> the ends of its scale; a rule without one is taken to give shares, unless it gives more than 1."""
    scales = {
        metric.name: (metric.scale.lowest, metric.scale.highest)
        for ask in rubric.asks.values()
        for metric in ask.metrics
    }
    for name in rubric.measures:
        values = [value for model in means.values() for mean in model if (value := mean[name]) is not None]
        inside = all(0 <= value <= 1 for value in values)
        scales[name] = (0.0, 1.0) if inside else (min(values), max(values))
    return scales
