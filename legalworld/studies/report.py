"""The report on a study: its runs gathered, its tables filled, told in the terminal, as a page and as files.

OUT/tables/NAME.csv, OUT/runs.csv, OUT/scores.csv, OUT/power.csv, OUT/report.html, .md, .tex
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from ..evaluation.report_text import Word
from ..evaluation.results import Evaluation
from ..evaluation.rubric.definition import Rubric
from ..evaluation.run_facts import RunFacts, opened_run
from ..files import regular
from ..files.spreadsheet import csv_text
from ..model.immutable import immutable, replace
from ..model.text import plain_name
from ..publication.page import Charts, Facts, Lines, PageBlock, PageSection, PublishedPage
from ..publication.tables import PublishedTable, TableCell, TableHead
from ..wording import say
from ..wording.columns import table as text_table
from .cells import FilledTable, StudyCell
from .charts import charts_of, shades
from .definition import CHANGE, StudyColumn, StudyDifference
from .figures import StudyRun
from .forks import undrafted
from .plan import StudyPlan
from .play import ended
from .power import PowerLine, power_lines, power_texts
from .tables import BASE, fill_table
from .words import in_words

TABLES: Final = "tables"
Scores = Mapping[tuple[str, Path], Evaluation]
"""Evaluations by scoring and folder of the run."""


@immutable
class StudyReport:
    """The tables of a study, filled; `runs`: those that came to their end; `due`: condition and folder of all that are
    to be, without forks of a document that nobody drafted."""

    plan: StudyPlan
    tables: tuple[FilledTable, ...]
    runs: tuple[StudyRun, ...]
    due: frozenset[tuple[str, Path]]
    power: tuple[PowerLine, ...] = ()

    @property
    def wanted(self) -> int:
        """Return how many runs there are to be, those that several conditions share once."""
        return len({folder for _, folder in self.due})

    @property
    def ended(self) -> int:
        """Return how many runs came to their end, those that several conditions share once."""
        return len({run.folder for run in self.runs})

    @property
    def filled(self) -> int:
        """Return how many cells have a figure."""
        return sum(cell.value is not None for one in self.tables for cell in one.cells.values())

    @property
    def gaps(self) -> Counter[tuple[str, str]]:
        """Return why other cells have none, and how many."""
        cells = [cell for one in self.tables for cell in one.cells.values() if cell.value is None]
        return Counter((cell.gap, cell.what) for cell in cells)


def report_study(plan: StudyPlan, scored: Scores, rubrics: Mapping[str, Rubric], only: Sequence[str]) -> StudyReport:
    """Return the tables of a study from the runs that are there. `only`: names of tables, () for all."""
    runs = runs_of(plan, scored)
    there = {run.folder for run in runs}
    due = frozenset(
        (one.point.condition, folder)
        for one in plan.points
        for case, seed, folder in one.wanted
        if folder in there or not undrafted(one, case, seed)
    )
    tables = plan.opened.study.tables

    @cache
    def filled(name: str) -> FilledTable:
        return fill_table(tables[name], plan, runs, rubrics, filled)

    chosen = tuple(filled(name) for name in tables if not only or name in only)
    return StudyReport(plan, chosen, runs, due, power_lines(plan, runs, rubrics))


def runs_of(plan: StudyPlan, scored: Scores) -> tuple[StudyRun, ...]:
    """Return the runs of a study that came to their end, with their scores."""
    return tuple(_runs(plan, scored))


def _runs(plan: StudyPlan, scored: Scores) -> Iterator[StudyRun]:
    known: dict[Path, RunFacts | None] = {}

    def measure(folder: Path) -> Callable[[str, Sequence[str]], float | None]:
        def measured(kind: str, stages: Sequence[str]) -> float | None:
            if folder not in known:
                known[folder] = opened_run(folder).facts
            facts = known[folder]
            if kind == "finished":
                return 1.0
            if facts is None:
                return None
            if kind == "turns":
                return float(facts.turns_in(stages))
            usage = facts.usage_in(stages)
            return None if usage.silent else float(usage.prompt + usage.completion)

        return measured

    for one in plan.points:
        for case, seed, folder in one.wanted:
            if ended(folder):
                evaluations = {name: found for (name, where), found in scored.items() if where == folder}
                sets = one.sets.get(case.case.id, ())
                base = one.base_run(case, seed) if one.forked else None
                yield StudyRun(one.point, case, sets, seed, folder, evaluations, measure(folder), base)


# ---- shown -----------------------------------------------------------------------------------------------------------


def published(filled: FilledTable, plan: StudyPlan, word: Word) -> PublishedTable:
    """Return a table as a page, Markdown and LaTeX have it: below each figure its interval, and what a paper prints."""
    table, study = filled.table, plan.opened.study
    rows, dark = [], shades(filled)
    for place, line in enumerate(filled.lines):
        head = TableCell(line.label, words=True)
        if line.heading:
            rows.append((head, *(TableCell("") for _ in table.columns)))
            continue
        cells = (
            replace(_cell(filled.cells[place, one.name], one, word), shade=dark.get((place, one.name)))
            for one in table.columns
        )
        rows.append((head, *cells))
    name = f"{study.name}-{table.name}"
    legend = " ".join(_legend(filled, plan, word))
    heads = tuple(TableHead(one.name) for one in table.columns)
    return PublishedTable(name, f"{table.name} · {table.title}", "", heads, tuple(rows), legend, bool(dark))


def _cell(cell: StudyCell, column: StudyColumn, word: Word) -> TableCell:
    notes = []
    if cell.low is not None and cell.high is not None:
        notes.append(f"[{cell.low:.{column.digits}f}, {cell.high:.{column.digits}f}]")
    if cell.n:
        notes.append(f"n={cell.n}")
    if cell.printed:
        notes.append(word("printed", value=cell.printed))
    mark = {1: "best", 2: "second"}.get(cell.mark, "")
    return TableCell(shown(cell, column), " ".join(notes), mark)  # type: ignore[arg-type]


def shown(cell: StudyCell, column: StudyColumn) -> str:
    """Return the figure of a cell as it is printed, with a star where the test tells a difference; "-" for none."""
    if cell.value is None:
        return "-"
    sign = "+" if column.compares or column.statistic == CHANGE else ""
    text = f"{cell.value:{sign}.{column.digits}f}"
    spread = cell.mean.deviation if cell.mean is not None and column.statistic == "mean ± sd" else None
    text += f"±{spread:.{column.digits}f}" if spread is not None else ""
    return f"{text}*" if cell.significant else text


def _legend(filled: FilledTable, plan: StudyPlan, word: Word) -> Iterator[str]:
    """What stands below a table: its source, how it was tested, what lacks, and the digest of the file."""
    table, study = filled.table, plan.opened.study
    if table.printed is not None:
        yield word("source", source=table.printed.source)
        if any(table.printed.doubtful.values()):
            yield word("doubtful")
    if table.average_over:
        yield word("averaged", facts=_facts(table.average_over, word))
    if any(cell.mark for cell in filled.cells.values()):
        yield word("ranked")
    family = word(f"family_{table.family}")
    if table.compare:
        yield word("tested", other=word("base") if table.compare == BASE else table.compare, family=family)
    if any(column.contrast is not None and column.statistic == "mean" for column in table.columns):
        yield word("contrasted", family=family)
    if table.paired_by:
        yield word("paired", facts=_facts(table.paired_by, word))
    alone = max((cell.alone for cell in filled.cells.values()), default=0)
    if alone:
        yield word("alone", count=alone)
    uneven = max((cell.uneven for cell in filled.cells.values()), default=0)
    if uneven:
        yield word("uneven", count=uneven)
    for gap, what, count in _gaps(filled):
        yield word("gap", count=count, why=_why(gap, what, word))
    yield word("digest", study=study.name, digest=study.digest)


def _facts(names: Sequence[str], word: Word) -> str:
    return word("among").join(word("fact", name=name) for name in names)


def words_for(locale: str) -> Word:
    """Return the sentences of studies in a reader's language, and by `score.NAME` those of scores."""

    def word(name: str, /, **values: object) -> str:
        if name == "fact":
            return in_words("facts", str(values["name"]), locale)
        return say(name if name.startswith("score.") else f"study.{name}", locale, **values)

    return word


def _reasons(what: str, word: Word) -> str:
    """Return what `reasons.reasons_of` returned in a reader's words."""
    return word("among").join(word(f"score.gap_{reason}") for reason in what.split(","))


def _why(gap: str, what: str, word: Word) -> str:
    """Why cells have no figure, in words."""
    reasons = _reasons(what, word) if gap == "score" else what
    return word(f"gap_{gap}", what=reasons)


def _gaps(filled: FilledTable) -> list[tuple[str, str, int]]:
    found = Counter((cell.gap, cell.what) for cell in filled.cells.values() if cell.value is None)
    return [(gap, what, count) for (gap, what), count in found.items()]


def study_page(report: StudyReport, locale: str) -> PublishedPage:
    """Return the page of a study in the reader's language."""
    word, study = words_for(locale), report.plan.opened.study
    counts = word("counts", runs=report.ended, wanted=report.wanted, filled=report.filled)
    lacking = tuple(
        word("gap", count=count, why=_why(gap, what, word)) for (gap, what), count in report.gaps.most_common()
    )
    offline = {run.point.condition for run in report.runs if _played_offline(report.plan, run)}
    told = [counts, *([word("offline")] if offline else []), *lacking]
    facts = [("lw study", study.path), ("digest", study.digest)]
    facts += [(name, text.text or "-") for name, text in study.models.items()]
    blocks = [block for one in report.tables for block in _blocks(one, report.plan, word)]
    sections = (
        PageSection("tables", word("tables"), (Lines(tuple(told), bool(offline)), *blocks)),
        *(
            [PageSection("power", word("power"), (Lines(tuple(power_texts(report.power, word))),))]
            if report.power
            else []
        ),
        *_differences(study.differences, word),
        PageSection("sources", word("sources"), (Facts(tuple(facts)),)),
    )
    return PublishedPage(study.title, study.source, sections)


def _differences(differences: Sequence[StudyDifference], word: Word) -> Iterator[PageSection]:
    """What differs from the paper's system, with the sentences that were held against spec and prompts."""
    if differences:
        names = ("what", "paper", "here", "shown")
        rows = [(one.what, one.paper, one.here, "; ".join(each.text for each in one.shown)) for one in differences]
        cells = tuple(tuple(TableCell(text, words=True) for text in row) for row in rows)
        corner, *heads = (word(f"difference_{name}") for name in names)
        named = ("differences", word("differences"), corner, tuple(map(TableHead, heads)))
        table = PublishedTable(*named, cells, word("differences_held"))
        yield PageSection("differences", word("differences"), (table,))


def _blocks(filled: FilledTable, plan: StudyPlan, word: Word) -> Iterator[PageBlock]:
    """A table, and what it is drawn as below it."""
    table = published(filled, plan, word)
    if table.rows:
        yield table
        if charts := charts_of(filled, table.name):
            yield Charts(charts)


def _played_offline(plan: StudyPlan, run: StudyRun) -> bool:
    models = plan.opened.study.models
    named = [models[value].text for value in run.point.facts.values() if value in models]
    return any(one.partition(":")[0] == "offline" for one in named)


def terminal(report: StudyReport, locale: str) -> str:
    """Return the tables as text: each figure, in brackets what a paper prints, below it what lacks and the digest."""
    word = words_for(locale)
    lines: list[str] = []
    for filled in report.tables:
        table = filled.table
        lines += [f"{table.name} · {table.title}"]
        rows = [["", *(one.name for one in table.columns)], *_text_rows(filled)]
        lines += text_table(rows, frozenset(range(1, len(table.columns) + 1))) if filled.lines else ()
        lines += [*_legend(filled, report.plan, word), ""]
    lines += power_texts(report.power, word)
    if any(_played_offline(report.plan, run) for run in report.runs):
        lines.append(word("offline"))
    lines.append(word("counts", runs=report.ended, wanted=report.wanted, filled=report.filled))
    return "\n".join(lines)


def _text_rows(filled: FilledTable) -> Iterator[list[str]]:
    for place, line in enumerate(filled.lines):
        cells = [] if line.heading else [(filled.cells[place, one.name], one) for one in filled.table.columns]
        texts = [f"{shown(cell, one)} ({cell.printed})" if cell.printed else shown(cell, one) for cell, one in cells]
        yield [line.label, *(texts or [""] * len(filled.table.columns))]


# ---- as files --------------------------------------------------------------------------------------------------------


def as_json(report: StudyReport) -> dict[str, Any]:
    """Return the report as data."""
    study = report.plan.opened.study
    head = {"study": study.name, "digest": study.digest, "runs": report.ended, "wanted": report.wanted}
    tables = {one.table.name: {"title": one.table.title, "cells": list(one.rows())} for one in report.tables}
    return head | {"filled": report.filled, "tables": tables, "power": [one.row() for one in report.power]}


def write(report: StudyReport, out: Path) -> tuple[Path, ...]:
    """Write a CSV for each table, one of all runs and one of all scores. Raises OSError."""
    files = {out / TABLES / f"{plain_name(one.table.name)}.csv": list(one.rows()) for one in report.tables}
    files[out / "runs.csv"] = list(_run_rows(report))
    files[out / "scores.csv"] = list(_score_rows(report))
    if report.power:
        files[out / "power.csv"] = [one.row() for one in report.power]
    regular.make_folder(out / TABLES, out)
    for file, rows in files.items():
        regular.write_whole(file, csv_text(rows).encode("utf-8-sig"), out)
    return tuple(files)


def _run_rows(report: StudyReport) -> Iterator[dict[str, Any]]:
    facts = list(dict.fromkeys(fact for one in report.plan.points for fact in one.point.facts))
    there = {(run.point.condition, run.folder) for run in report.runs}
    for one in report.plan.points:
        named = {"condition": one.point.condition} | {fact: one.point.fact(fact) or "" for fact in facts}
        for case, seed, folder in one.wanted:
            if (one.point.condition, folder) not in report.due:
                continue
            done = (one.point.condition, folder) in there
            told = {"case": case.case.id, "seed": seed, "run": str(folder), "ended": done}
            yield named | told


def _score_rows(report: StudyReport) -> Iterator[dict[str, Any]]:
    for run in report.runs:
        head = {"condition": run.point.condition, "run": str(run.folder), "case": run.case.case.id, "seed": run.seed}
        for name, evaluation in run.evaluations.items():
            for figure in evaluation.figures:
                told = {"scoring": name, "figure": figure.formula, "value": figure.value, "gap": str(figure.gap or "")}
                yield head | told
