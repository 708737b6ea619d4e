"""Sheets for raters: a folder for each with the sheet and what is to be read; the key stays above them.

OUT/key.json                      # what is behind the labels: not for raters
OUT/rater-1/<sheet>.xlsx          # the rows of rater 1, in an order of their own
OUT/rater-1/read/01.html          # the record 01; of a pair 01-A.html and 01-B.html
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from ..evaluation.report_text import Word
from ..evaluation.rubric.definition import Rubric
from ..evaluation.rubric.open import OpenRubric, unsuitable
from ..evaluation.run_store import open_stored, runs_in
from ..evaluation.stored_run import Stored
from ..files.project_files import unreadable
from ..files.regular import write_whole
from ..files.spreadsheet import Sheet, comma, workbook
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..publication.page import filled
from ..runs.project import Problems
from ..wording import sentences
from .pairwise import LABELS
from .plan import Key, RatingPlan, SheetRow, pairs_key, ratings_key
from .reading_copy import named_in, passages
from .sheets import READ, sheet

KEY: Final = "key.json"
FORMATS: Final[Mapping[str, Callable[[Sheet], bytes]]] = {"xlsx": workbook, "csv": comma}


@immutable
class ExportRequest:
    """Where the sheets go, in which form and language. `sides`: what the first and the second runs are called."""

    out: Path
    plan: RatingPlan
    format: str
    locale: str
    sides: tuple[str, str] = ("", "")


@immutable
class ExportedSheets:
    """`sheets` are to be handed out, each with its folder; what could not be exported is told."""

    key: Key
    file: Path
    sheets: tuple[Path, ...]
    problems: Problems = ()


def export(folders: Sequence[Path], opened: OpenRubric, wanted: ExportRequest) -> ExportedSheets | Problems:
    """Sheets that ask for ratings of runs, each by itself."""
    if wrong := _refused(opened.rubric, wanted):
        return wrong
    loaded, problems = _loaded(folders, opened.rubric)
    if not loaded:
        return problems
    return _written(ratings_key(opened.rubric, loaded, wanted.plan), loaded, wanted, problems)


def export_pairs(first: Path, second: Path, opened: OpenRubric, wanted: ExportRequest) -> ExportedSheets | Problems:
    """Sheets that ask which of two runs of a case is better. Runs of one case are paired in their order."""
    if wrong := _refused(opened.rubric, wanted):
        return wrong
    first_runs, problems = _loaded([first], opened.rubric)
    second_runs, more = _loaded([second], opened.rubric)
    pairs, alone = _paired(first_runs, second_runs)
    problems = (*problems, *more)
    if alone or not (pairs or problems):  # with nothing to pair on either side, it was told why
        at = Span(str(second), 0, 0)
        problems += (
            diagnose.unpaired_runs(
                at,
                count=len(alone),
                runs=tuple(run.name for run in alone[:5]),
                severity="warning" if pairs else "error",
            ),
        )
    if not pairs:
        return problems
    sides = wanted.sides if all(wanted.sides) else (first.name or str(first), second.name or str(second))
    key = pairs_key(opened.rubric, pairs, sides, wanted.plan)
    return _written(key, [run for pair in pairs for run in pair], wanted, problems)


def _refused(rubric: Rubric, wanted: ExportRequest) -> Problems:
    """Names that the rubric does not have; a folder that has an export already, which may be filled in."""
    unknown = (name for name in wanted.plan.items if name not in rubric.asks)
    at = Span("--items", 0, 0)
    problems = [diagnose.unknown_item_or_formula(at, name=name, among=rubric.asks) for name in unknown]
    if (wanted.out / KEY).exists():
        problems.append(diagnose.sheets_already_exported(str(wanted.out)))
    return tuple(problems)


def _loaded(folders: Sequence[Path], rubric: Rubric) -> tuple[list[Stored], Problems]:
    """The runs in folders that the rubric can score, and why others are left out."""
    usable = []
    problems: list[Diagnostic] = []
    for path in runs_in(folders):
        stored = open_stored(path)
        if isinstance(stored, tuple):
            problems += stored
        elif wrong := unsuitable(rubric, stored.procedure, path):
            problems += wrong
        else:
            problems += stored.warnings
            usable.append(stored)
    return usable, tuple(problems)


def _paired(first: Iterable[Stored], second: Iterable[Stored]) -> tuple[list[tuple[Stored, Stored]], list[Stored]]:
    """By case, the first run of it with the first; and those without a partner."""
    waiting: dict[str, list[Stored]] = {}
    for run in second:
        waiting.setdefault(run.case.id, []).append(run)
    pairs, alone = [], []
    for run in first:
        partners = waiting.get(run.case.id, [])
        if partners:
            pairs.append((run, partners.pop(0)))
        else:
            alone.append(run)
    return pairs, [*alone, *(run for left in waiting.values() for run in left)]


# ---- files -----------------------------------------------------------------------------------------------------------


def _written(
    key: Key, loaded: Iterable[Stored], wanted: ExportRequest, problems: Problems
) -> ExportedSheets | Problems:
    """All files; the key last, so that an export that broke off is not taken for one."""
    word = sentences("ratings", wanted.locale)
    runs = {run.chain: run for run in loaded}
    sheets = []
    if not key.things:
        return (*problems, diagnose.nothing_to_rate(str(wanted.out), name=key.rubric))
    try:
        for rater in key.raters:
            rows = key.of(rater)
            if not rows:
                continue
            folder = wanted.out / f"rater-{rater}"
            (folder / READ).mkdir(parents=True, exist_ok=True)
            for row in {key.by_id[row.thing].record: row for row in rows}.values():
                _write_record(key, row, runs, folder, word)
            sheets.append(folder / f"{word('file')}-{rater}.{wanted.format}")
            write_whole(sheets[-1], FORMATS[wanted.format](sheet(key, rater, wanted.locale)))
        write_whole(wanted.out / KEY, (_beside(key, wanted.out).model_dump_json(indent=1) + "\n").encode("utf-8"))
    except OSError as error:
        return (*problems, unreadable(str(wanted.out), error))
    return ExportedSheets(key, wanted.out / KEY, tuple(sheets), (*problems, *_betrayed(key, runs)))


def _beside(key: Key, out: Path) -> Key:
    """The key with paths of runs as seen from its folder, so that all can be moved together."""
    records = tuple(
        record.model_copy(update={"runs": tuple(Path(os.path.relpath(run, out)).as_posix() for run in record.runs)})
        for record in key.records
    )
    return key.model_copy(update={"records": records})


def _betrayed(key: Key, runs: Mapping[str, Stored]) -> Iterable[Diagnostic]:
    """A warning for each run in whose words the name of a model stands."""
    for record in key.records:
        for digest in record.digests:
            if names := named_in(runs[digest], runs[digest].models):
                yield diagnose.model_named_in_record(runs[digest].name, record=record.label, names=names)


def _write_record(key: Key, row: SheetRow, runs: Mapping[str, Stored], folder: Path, word: Word) -> None:
    """What a rater reads for a record: one page, or two in the order of the sheet."""
    record = key.record[key.by_id[row.thing].record]
    pages = {record.label: (record.digests[0], word("record", record=record.label))}
    if key.kind == "pairs":
        digests = reversed(record.digests) if row.turned else record.digests
        pages = {
            f"{record.label}-{label}": (digest, word("pair_record", record=record.label, label=label))
            for label, digest in zip(LABELS, digests, strict=True)
        }
    for name, (digest, title) in pages.items():
        subtitle = word("subtitle", procedure=runs[digest].procedure.title)
        values = {"title": title, "subtitle": subtitle, "passages": list(passages(runs[digest]))}
        text = filled((files(__package__) / "record.html").read_text(encoding="utf-8"), **values)
        write_whole(folder / READ / f"{name}.html", text.encode("utf-8"))
