"""A report for people: a table in the terminal, JSON, CSV, and one HTML page that needs nothing else."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from ..files.spreadsheet import harmless
from ..wording import say, sentences
from ..wording.columns import table, width
from .metrics.values import Reason
from .report import SIGNIFICANT, Report, ReportCell, as_json, figure_row, number, scaled
from .results import Evaluation, Score
from .rubric.definition import Formula, ScoreTable, TableColumn

__all__ = ["as_json", "csv_text", "explained", "html", "terminal"]

SHOWN = 3  # turns of a score that are shown with their first words


def terminal(found: Report, locale: str, wide: int) -> str:
    """The tables of the rubric, a row a model, best and second marked; then n, gaps, differences, notes.

    `wide`: columns of the terminal; a table that does not fit has a column a model.
    """
    parts = [f"{found.rubric.title}", *_tables(found, locale, wide)]
    if len(found.models) > 1:
        parts.append(say("score.marks", locale))
    for label, part in found.groups.items():
        runs, name = len({one.run for one in part.evaluations}), label or say("score.unlabelled", locale)
        parts += [say("score.group", locale, name=name, runs=runs), *_tables(part, locale, wide)]
    parts.append("\n".join(_counts(found, locale)))
    parts += ["\n".join(lines)] if (lines := list(_differences(found, locale))) else []
    parts += ["\n".join(lines)] if (lines := list(_agreement(found, locale))) else []
    parts += ["\n".join(lines)] if (lines := list(_excluded(found, locale))) else []
    parts.append("\n".join(_notes(found, locale)))
    return "\n\n".join(part for part in parts if part)


def _tables(found: Report, locale: str, wide: int) -> Iterator[str]:
    for one in found.rubric.tables or (_everything(found),):
        yield "\n".join(_table(found, one, locale, wide))


def _everything(found: Report) -> ScoreTable:
    """A table of all formulas, for a rubric that lays out none."""
    return ScoreTable("all", "", tuple(TableColumn(one.title, (one.name,)) for one in found.rubric.formulas.values()))


def _table(found: Report, layout: ScoreTable, locale: str, wide: int) -> Iterator[str]:
    if layout.title:
        yield layout.title
    heads = [say("score.model", locale), *(_head(column) for column in layout.columns)]
    rows = [[_name(one, locale), *(_pair(found, one, column) for column in layout.columns)] for one in found.models]
    lines = list(table([heads, *rows], frozenset(range(1, len(heads)))))
    if max(map(width, lines)) > wide:
        turned = list(zip(heads, *rows, strict=True))
        lines = list(table(turned, frozenset(range(1, len(rows) + 1))))
    yield from lines


def _head(column: TableColumn) -> str:
    return f"{column.title} {'/'.join(column.heads)}" if column.heads else column.title


def _name(model: str, locale: str) -> str:
    return say("score.offline_model", locale, name=model) if model.startswith("offline") else model


def _pair(found: Report, model: str, column: TableColumn) -> str:
    return " / ".join(_cell(found.cells[model, name], found.rubric.formulas[name]) for name in column.formulas)


def _cell(cell: ReportCell, formula: Formula) -> str:
    """`7.4`; the best is marked `*`, the second `°`; `-` where nothing could be said."""
    value = scaled(cell.mean.value, formula)
    if value is None:
        return "-"
    return f"{value:.{_digits(formula)}f}{'*' if cell.rank == 1 else '°' if cell.rank == 2 else ''}"


def _digits(formula: Formula) -> int:
    return 1 if formula.highest * formula.scale > 10 else 2


def _counts(found: Report, locale: str) -> Iterator[str]:
    for model in found.models:
        mine = found.by_model(model)
        cases = len({one.case for one in mine})
        gaps = sum(len(one.excluded) for one in mine)
        yield say("score.counted", locale, model=model, runs=len(mine), cases=cases, excluded=gaps)


def _differences(found: Report, locale: str) -> Iterator[str]:
    """Only those that are no noise; when there is none, that is said."""
    real = [(key, one) for key, one in found.contrasts.items() if one.significant]
    if found.contrasts and not real:
        yield say("score.no_difference", locale)
        n = max(one.difference.n for one in found.contrasts.values())
        if 2 * 0.5**n > SIGNIFICANT:
            yield say("score.too_few", locale, n=n, least=f"{min(1.0, 2 * 0.5**n):g}")
    for (first, second, name), one in real:
        formula = found.rubric.formulas[name]
        gap = one.difference
        value, low, high = (
            f"{scaled(x, formula) or 0.0:+.2f}" for x in (gap.value, gap.interval.low, gap.interval.high)
        )
        words = {"first": first, "second": second, "title": formula.title, "n": gap.n, "p": f"{one.adjusted:.3f}"}
        yield say("score.difference", locale, **words, value=value, low=low, high=high)


def _agreement(found: Report, locale: str) -> Iterator[str]:
    """How far the graders of the same runs agree, in points."""
    for (first, second), one in found.agreement.items():
        shown = {"difference": one.difference, "mae": one.error, "within": one.within_one, "kappa": one.kappa}
        words = {name: "-" if (plain := number(value)) is None else f"{plain:.2f}" for name, value in shown.items()}
        yield say("score.agreement", locale, first=first, second=second, n=one.n, **words)


def _excluded(found: Report, locale: str, most: int = 10) -> Iterator[str]:
    if not found.excluded:
        return
    yield say("score.audit", locale, count=len(found.excluded))
    for one, score in found.excluded[:most]:
        why = say(f"score.gap_{score.gap}", locale)
        yield "  " + say("score.audit_line", locale, run=one.run, item=score.item, unit=score.key or "-", why=why)
    if len(found.excluded) > most:
        yield "  " + say("score.audit_more", locale, count=len(found.excluded) - most)


def _notes(found: Report, locale: str) -> Iterator[str]:
    if "offline" in found.graders:
        yield say("score.offline_grader", locale)
    cases = {model: frozenset(one.case for one in found.by_model(model)) for model in found.models}
    if len(set(cases.values())) > 1:
        counts = ", ".join(f"{model} {len(those)}" for model, those in cases.items())
        yield say("score.uneven", locale, cases=counts)
    unfinished = sum(not one.finished for one in found.evaluations)
    if unfinished:
        yield say("score.unfinished", locale, count=unfinished)
    yield from found.rubric.notes


# ---- one run, score by score -----------------------------------------------------------------------------------------


def explained(one: Evaluation, texts: Mapping[int, str], locale: str) -> Iterator[str]:
    """Every score of a run with its reason and the words it rests on, to be read in a terminal."""
    grader = str(one.grader.get("model", "")) if one.grader else ""
    yield say("score.explained", locale, rubric=one.rubric, target=one.target, model=one.model, grader=grader or "-")
    for score in one.scores:
        if score.gap is Reason.NOT_APPLICABLE:
            continue
        value = "-" if score.value is None else f"{score.value:.4g}"
        unit = f" {score.key}" if score.key else ""
        yield f"{value:>7}  {score.item}{unit}  {_short(score.title, 40)}  〔{_by(score, locale)}〕"
        if score.gap is not None:
            yield " " * 9 + say(f"score.gap_{score.gap}", locale) + (f": {score.detail}" if score.detail else "")
        if score.reason:
            yield " " * 9 + score.reason
        for turn in score.turns[:SHOWN]:
            yield " " * 9 + f"[{turn}] {_short(' '.join(texts.get(turn, '').split()), 60)}"
        if len(score.turns) > SHOWN:
            yield " " * 9 + say("score.more_turns", locale, turns=", ".join(map(str, score.turns[SHOWN:])))


def _by(score: Score, locale: str) -> str:
    """Who scored: a rule by its name, or the grader."""
    rule = score.by.removeprefix("rule ")
    return say("score.by_rule", locale, rule=rule) if rule != score.by else score.by or "-"


# ---- CSV -------------------------------------------------------------------------------------------------------------


def csv_text(found: Report) -> str:
    """A row for each model and formula, with interval, n and exclusions; of all runs, then of each group."""
    out = io.StringIO()
    columns = ["group", "model", "formula", "title", "value", "low", "high", "n", "excluded", "rank"]
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    for group, part in {"": found, **found.groups}.items():
        for model in part.models:
            for name in part.rubric.formulas:
                row = {"group": group, "model": model, **figure_row(part, model, name)}
                writer.writerow({key: harmless(value) for key, value in row.items()})
    return out.getvalue()


# ---- HTML ------------------------------------------------------------------------------------------------------------


def html(found: Report, texts: Mapping[str, Mapping[int, str]], locale: str) -> str:
    """One page with everything in it. `texts`: run -> turn -> what was said there; shown beside each score."""
    from jinja2 import Environment, StrictUndefined

    source = (files(__package__) / "report.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    rubric = found.rubric
    layouts = rubric.tables or (_everything(found),)
    tables = [_html_table(found, one, locale) for one in layouts]
    for label, part in found.groups.items():
        name = label or say("score.unlabelled", locale)
        tables += [{**_html_table(part, one, locale), "title": f"{name} · {one.title}"} for one in layouts]
    return environment.from_string(source).render(
        rubric=rubric,
        say=sentences("score", locale),
        locale=locale,
        graders=found.graders,
        models=[_name(model, locale) for model in found.models],
        tables=tables,
        radar=_radar(found),
        counts=list(_counts(found, locale)),
        differences=[*_differences(found, locale), *_agreement(found, locale)],
        excluded=[(one, score) for one, score in found.excluded],
        notes=list(_notes(found, locale)),
        runs=[_html_run(found, one, texts.get(one.run, {}), locale) for one in found.evaluations],
    )


def _html_table(found: Report, layout: ScoreTable, locale: str) -> dict[str, Any]:
    rows = []
    for model in found.models:
        cells = []
        for column in layout.columns:
            for name in column.formulas:
                cells.append(_html_cell(found.cells[model, name], found.rubric.formulas[name]))
        rows.append((_name(model, locale), cells))
    return {"title": layout.title, "columns": layout.columns, "rows": rows}


def _html_cell(cell: ReportCell, formula: Formula) -> dict[str, Any]:
    one, value = cell.mean, number(cell.mean.value)
    span = formula.highest - formula.lowest
    share = 0.0 if value is None else min(max((value - formula.lowest) / span, 0.0), 1.0)
    share = 1 - share if formula.better == "lower" and value is not None else share
    digits = _digits(formula)
    low, high = scaled(one.interval.low, formula), scaled(one.interval.high, formula)
    return {
        "text": _cell(cell, formula).rstrip("*°"),
        "rank": cell.rank,
        "share": f"{share:.3f}",
        "n": one.n,
        "excluded": one.left_out,
        "interval": f"{low:.{digits}f}–{high:.{digits}f}" if low is not None and high is not None else "",
    }


COLOURS = ("#2f6f9f", "#b5562b", "#4f7f3a", "#7a4f9a", "#8a6d1d", "#3a8f8a")


def _radar(found: Report) -> dict[str, Any] | None:
    """Axes and one polygon a model, of the columns of the first table; None for fewer than three axes."""
    layout = found.rubric.tables[0] if found.rubric.tables else _everything(found)
    names = [(column.title, column.formulas) for column in layout.columns]
    if len(names) < 3 or len(names) > 16:
        return None
    angles = [2 * math.pi * index / len(names) - math.pi / 2 for index in range(len(names))]
    axes = [(title, _point(angle, 1.0), _point(angle, 1.16)) for (title, _), angle in zip(names, angles, strict=True)]
    polygons = []
    for place, model in enumerate(found.models):
        shares = [_share(found, model, formulas) for _, formulas in names]
        points = " ".join("{:.1f},{:.1f}".format(*_point(a, s)) for a, s in zip(angles, shares, strict=True))
        polygons.append((model, COLOURS[place % len(COLOURS)], points))
    return {"axes": axes, "polygons": polygons}


def _share(found: Report, model: str, formulas: tuple[str, ...]) -> float:
    """Where the figures of a column lie between worst and best, 0 to 1."""
    cells = [_html_cell(found.cells[model, name], found.rubric.formulas[name]) for name in formulas]
    known = [float(one["share"]) for one in cells if one["text"] != "-"]
    return sum(known) / len(known) if known else 0.0


def _point(angle: float, radius: float) -> tuple[float, float]:
    return 200 + 150 * radius * math.cos(angle), 190 + 150 * radius * math.sin(angle)


def _html_run(found: Report, one: Evaluation, texts: Mapping[int, str], locale: str) -> dict[str, Any]:
    scores = [
        {
            "title": _item_title(found, score),
            "unit": score.title if score.key else "",
            "value": "-" if score.value is None else f"{score.value:g}",
            "gap": score.gap,
            "score": score,
            "by": _by(score, locale),
            "turns": [(turn, _short(texts.get(turn, ""))) for turn in score.turns[:8]],
        }
        for score in one.scores
        if score.gap is not Reason.NOT_APPLICABLE
    ]
    figures = [
        (found.rubric.formulas[f.formula].title, f"{(scaled(f.value, found.rubric.formulas[f.formula]) or 0):.2f}")
        for f in one.figures
        if f.value is not None and f.formula in found.rubric.formulas
    ]
    return {"run": one, "scores": scores, "figures": figures}


def _short(text: str, most: int = 300) -> str:
    """What was said, cut where it is long: the whole stands in the run."""
    return text if len(text) <= most else text[:most] + "…"


def _item_title(found: Report, score: Score) -> str:
    measure = found.rubric.measures.get(score.item)
    if measure is not None:
        return measure.item.title
    metrics = (metric for ask in found.rubric.asks.values() for metric in ask.metrics)
    return next((metric.title for metric in metrics if metric.name == score.item), score.item)
