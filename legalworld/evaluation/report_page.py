"""A report as one HTML page that needs nothing else (`report.html` is its template)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from ..wording import sentences
from .metrics.values import Reason, shown
from .report import Report, ReportCell, scaled
from .report_text import Word, agreement, counts, differences, model_name, notes, scored_by, shortened
from .results import Evaluation
from .rubric.definition import Rubric, ScoreTable

COLOURS: Final = ("#2f6f9f", "#b5562b", "#4f7f3a", "#7a4f9a", "#8a6d1d", "#3a8f8a")
EVIDENCE_SHOWN: Final = 8  # turns of a score


def html(together: Report, texts: Mapping[str, Mapping[int, str]], locale: str) -> str:
    """The page. `texts`: run -> turn -> what was said there; shown beside each score."""
    word, rubric = sentences("score", locale), together.rubric
    tables = []
    for name, apart in together.apart.items():
        tables += [_table(apart, layout, _titled(name, layout.title), word) for layout in apart.tables]
        for label, part in apart.groups.items():
            group = _titled(name, label or word("unlabelled"))
            tables += [_table(part, layout, _titled(group, layout.title), word) for layout in part.tables]
    tested = [line for part in together.apart.values() for line in differences(part, word)]
    titles = _titles(rubric)
    return page(
        files(__package__) / "report.html",
        rubric=rubric,
        say=word,
        locale=locale,
        graders=together.graders,
        models=[model_name(model, word) for model in together.models],
        tables=tables,
        radar=None if together.parts else _radar(together),
        counts=[line for part in together.apart.values() for line in counts(part, word)],
        differences=[*tested, *agreement(together, word)],
        excluded=together.excluded,
        notes=list(notes(together, word)),
        runs=[_run(rubric, each, titles, texts.get(each.run, {}), word) for each in together.evaluations],
    )


def _titled(*names: str) -> str:
    return " · ".join(name for name in names if name)


def page(template: Any, **values: Any) -> str:
    """A template of the package, filled in; what it names must be there, and what it prints is escaped."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text(encoding="utf-8")).render(**values)


def _table(together: Report, layout: ScoreTable, title: str, word: Word) -> dict[str, Any]:
    rows = [
        (model_name(model, word), [cell for column in layout.columns for cell in together.column(model, column)])
        for model in together.models
    ]
    return {"title": title, "columns": layout.columns, "rows": rows}


def _radar(together: Report) -> dict[str, Any] | None:
    """Axes and one polygon a model, of the columns of the first table; None for fewer than three axes or many."""
    columns = together.tables[0].columns
    if not 3 <= len(columns) <= 16:
        return None
    angles = [2 * math.pi * index / len(columns) - math.pi / 2 for index in range(len(columns))]
    axes = [
        (column.title, _point(angle, 1.0), _point(angle, 1.16)) for column, angle in zip(columns, angles, strict=True)
    ]
    polygons, undefined = [], []
    for place, model in enumerate(together.models):
        shares = [_share(together.column(model, column)) for column in columns]
        there = [(angle, share) for angle, share in zip(angles, shares, strict=True) if share is not None]
        lacking = [column.title for column, share in zip(columns, shares, strict=True) if share is None]
        undefined += [(model, lacking)] if lacking else []
        if len(there) > 2:  # fewer corners are no polygon
            points = " ".join("{:.1f},{:.1f}".format(*_point(angle, share)) for angle, share in there)
            polygons.append((model, COLOURS[place % len(COLOURS)], points))
    return {"axes": axes, "polygons": polygons, "undefined": undefined}


def _share(cells: tuple[ReportCell, ...]) -> float | None:
    """Where the figures of a column lie between worst and best, 0 to 1; None where there are none: that is no 0."""
    shares = [cell.share for cell in cells if cell.share is not None]
    return sum(shares) / len(shares) if shares else None


def _point(angle: float, radius: float) -> tuple[float, float]:
    return 200 + 150 * radius * math.cos(angle), 190 + 150 * radius * math.sin(angle)


def _run(
    rubric: Rubric, evaluation: Evaluation, titles: Mapping[str, str], texts: Mapping[int, str], word: Word
) -> dict[str, Any]:
    """One run with every score, its reason and the turns that it rests on."""
    scores = [
        {
            "title": titles.get(score.item, score.item),
            "unit": score.title if score.key else "",
            "value": "-" if score.value is None else f"{score.value:g}",
            "gap": score.gap,
            "score": score,
            "by": scored_by(score, word),
            "turns": [(turn, shortened(texts.get(turn, ""))) for turn in score.turns[:EVIDENCE_SHOWN]],
        }
        for score in evaluation.scores
        if score.gap is not Reason.NOT_APPLICABLE
    ]
    figures = [
        (formula.title, shown(scaled(figure.value, formula)))
        for figure in evaluation.figures
        if figure.value is not None and (formula := rubric.formulas.get(figure.formula)) is not None
    ]
    return {"run": evaluation, "scores": scores, "figures": figures}


def _titles(rubric: Rubric) -> dict[str, str]:
    """Metric or measure -> its title."""
    asked = {metric.name: metric.title for ask in rubric.asks.values() for metric in ask.metrics}
    return asked | {name: measure.item.title for name, measure in rubric.measures.items()}
