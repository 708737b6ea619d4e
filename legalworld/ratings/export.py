"""Sheets for raters: a folder for each with his sheet and what he is to read; the key stays above them.

OUT/key.json                      # what is behind the labels: not for raters
OUT/rater-1/<sheet>.xlsx          # his rows, in his order
OUT/rater-1/read/01.html          # the record 01; of a pair 01-A.html and 01-B.html
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from ..evaluation.evaluate import OpenRubric
from ..evaluation.rubric.definition import Rubric
from ..evaluation.rubric.load import fits
from ..evaluation.run_store import RunStore, runs_in
from ..evaluation.stored_run import Stored
from ..files.project_files import unreadable, write_whole
from ..files.spreadsheet import Choice, Link, Sheet, SheetColumn, comma, workbook
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from ..runs.project import Problems
from ..wording import say
from .filled_sheets import shown
from .pairwise import LABELS
from .plan import Key, RatedRun, RatingItem, RatingPlan, SheetRow, pairs_key, ratings_key
from .reading_copy import named_in, passages

KEY = "key.json"
READ = "read"
FORMATS: Mapping[str, Callable[[Sheet], bytes]] = {"xlsx": workbook, "csv": comma}
Word = Callable[..., str]


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Where the sheets go, in which form and language. `sides`: what the first and the second runs are called."""

    out: Path
    plan: RatingPlan
    format: str
    locale: str
    sides: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
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
    found, problems = _subjects(folders, opened.rubric)
    if not found:
        return problems
    key = ratings_key(opened.rubric, found, wanted.plan)
    runs = {one.chain: one.stored for one in found}
    return _written(key, runs, wanted, problems)


def export_pairs(first: Path, second: Path, opened: OpenRubric, wanted: ExportRequest) -> ExportedSheets | Problems:
    """Sheets that ask which of two runs of a case is better. Runs of one case are paired in their order."""
    if wrong := _refused(opened.rubric, wanted):
        return wrong
    ones, problems = _subjects([first], opened.rubric)
    twos, more = _subjects([second], opened.rubric)
    pairs, alone = _paired(ones, twos)
    problems = (*problems, *more)
    if alone or not (pairs or problems):  # with nothing to pair on either side, it was told why
        at = Span(str(second), 0, 0)
        problems += (
            diagnose.unpaired_runs(
                at,
                count=len(alone),
                runs=tuple(one.stored.name for one in alone[:5]),
                severity="warning" if pairs else "error",
            ),
        )
    if not pairs:
        return problems
    sides = wanted.sides if all(wanted.sides) else (first.name or str(first), second.name or str(second))
    key = pairs_key(opened.rubric, pairs, sides, wanted.plan)
    runs = {one.chain: one.stored for pair in pairs for one in pair}
    return _written(key, runs, wanted, problems)


def _refused(rubric: Rubric, wanted: ExportRequest) -> Problems:
    """Names that the rubric does not have; a folder that has an export already, which may be filled in."""
    unknown = (name for name in wanted.plan.items if name not in rubric.asks)
    at = Span("--items", 0, 0)
    problems = [diagnose.unknown_item_or_formula(at, name=name, among=rubric.asks) for name in unknown]
    if (wanted.out / KEY).exists():
        problems.append(diagnose.sheets_already_exported(str(wanted.out)))
    return tuple(problems)


def _subjects(folders: Sequence[Path], rubric: Rubric) -> tuple[list[RatedRun], Problems]:
    openings, found = RunStore(), []
    problems: list[Diagnostic] = []
    for path in runs_in(folders):
        opened = openings.open(path)
        if isinstance(opened, tuple):
            problems += opened
            continue
        procedure = opened.stored.procedure
        if procedure.name not in rubric.procedures:
            problems.append(
                diagnose.rubric_for_other_procedure(
                    str(path), rubric=rubric.name, procedure=procedure.name, known=rubric.procedures
                )
            )
        elif wrong := fits(rubric, procedure):
            problems += wrong
        else:
            if not opened.stored.finished:
                problems.append(diagnose.unfinished_run(str(path)))
            found.append(RatedRun(opened.stored, opened.chain))
    return found, tuple(problems)


def _paired(
    ones: Iterable[RatedRun], twos: Iterable[RatedRun]
) -> tuple[list[tuple[RatedRun, RatedRun]], list[RatedRun]]:
    """By case, the first run of it with the first; and those without a partner."""
    waiting: dict[str, list[RatedRun]] = {}
    for one in twos:
        waiting.setdefault(one.stored.case.id, []).append(one)
    pairs, alone = [], []
    for one in ones:
        partners = waiting.get(one.stored.case.id, [])
        if partners:
            pairs.append((one, partners.pop(0)))
        else:
            alone.append(one)
    return pairs, [*alone, *(one for left in waiting.values() for one in left)]


# ---- files -----------------------------------------------------------------------------------------------------------


def _written(
    key: Key, runs: Mapping[str, Stored], wanted: ExportRequest, problems: Problems
) -> ExportedSheets | Problems:
    """All files; the key last, so that an export that broke off is not taken for one."""
    word = partial(say, wanted.locale, "ratings")
    betrayed = tuple(_betrayed(key, runs))
    sheets = []
    try:
        for rater in key.raters:
            rows = key.of(rater)
            if not rows:
                continue
            folder = wanted.out / f"rater-{rater}"
            (folder / READ).mkdir(parents=True, exist_ok=True)
            for row in {key.by_id[row.thing].record: row for row in rows}.values():
                _readings(key, row, runs, folder, word)
            sheets.append(folder / f"{word('file')}-{rater}.{wanted.format}")
            write_whole(sheets[-1], FORMATS[wanted.format](_sheet(key, rater, wanted.locale)))
        write_whole(wanted.out / KEY, (_beside(key, wanted.out).model_dump_json(indent=1) + "\n").encode("utf-8"))
    except OSError as error:
        return (*problems, unreadable(str(wanted.out), error))
    return ExportedSheets(key, wanted.out / KEY, tuple(sheets), (*problems, *betrayed))


def _beside(key: Key, out: Path) -> Key:
    """The key with paths of runs as seen from its folder, so that all can be moved together."""
    records = tuple(
        one.model_copy(update={"runs": tuple(Path(os.path.relpath(run, out)).as_posix() for run in one.runs)})
        for one in key.records
    )
    return key.model_copy(update={"records": records})


def _betrayed(key: Key, runs: Mapping[str, Stored]) -> Iterable[Diagnostic]:
    for record in key.records:
        for digest in record.digests:
            if names := named_in(runs[digest], runs[digest].models):
                yield diagnose.model_named_in_record(runs[digest].name, record=record.label, names=names)


def _readings(key: Key, row: SheetRow, runs: Mapping[str, Stored], folder: Path, word: Word) -> None:
    """What a rater reads for a record: one page, or two in his order."""
    record = key.record[key.by_id[row.thing].record]
    if key.kind == "ratings":
        title = word("record", record=record.label)
        write_whole(folder / READ / f"{record.label}.html", _page(runs[record.digests[0]], title, word))
        return
    digests = reversed(record.digests) if row.turned else record.digests
    for label, digest in zip(LABELS, digests, strict=True):
        title = word("pair_record", record=record.label, label=label)
        write_whole(folder / READ / f"{record.label}-{label}.html", _page(runs[digest], title, word))


def _page(stored: Stored, title: str, word: Word) -> bytes:
    from jinja2 import Environment, StrictUndefined

    source = (files(__package__) / "record.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    subtitle = word("subtitle", procedure=stored.procedure.title)
    page = environment.from_string(source).render(title=title, subtitle=subtitle, passages=list(passages(stored)))
    return page.encode("utf-8")


# ---- the sheet -------------------------------------------------------------------------------------------------------


def _sheet(key: Key, rater: str, locale: str) -> Sheet:
    word = partial(say, locale, "ratings")
    rows = key.of(rater)
    things = [key.by_id[row.thing] for row in rows]
    referred = any(one.reference for one in things)
    columns = [*_columns(key, word)]
    if referred:
        columns.insert(-2, SheetColumn(word("head_reference"), 34))
    notes = [word(f"{key.kind}_note_{n}") for n in range(1, 4)]
    return Sheet(
        word("file"),
        word("title", title=key.title, rater=rater, tag=key.tag),
        tuple(notes),
        tuple(columns),
        tuple(tuple(_cells(key, row, thing, referred, word)) for row, thing in zip(rows, things, strict=True)),
        len(columns) - 2,
        tuple(_choice(thing, word) for thing in things),
        frozenset(n for n, one in enumerate(things) if n == 0 or one.record != things[n - 1].record),
    )


def _columns(key: Key, word: Word) -> Iterable[SheetColumn]:
    yield SheetColumn(word("head_id"), 15)
    yield SheetColumn(word("head_record"), 7)
    yield SheetColumn(word("head_part"), 20)
    yield SheetColumn(word("head_item"), 15)
    if key.kind == "ratings":
        yield SheetColumn(word("head_asks"), 36)
        yield SheetColumn(word("head_scale"), 46)
        yield SheetColumn(word("head_read"), 22)
    else:
        yield SheetColumn(word("head_asks"), 56)
        yield from (SheetColumn(word("head_read_pair", label=label), 12) for label in LABELS)
    yield SheetColumn(word("head_rating" if key.kind == "ratings" else "head_verdict"), 9, open=True)
    yield SheetColumn(word("head_remark" if key.kind == "ratings" else "head_reason"), 32, open=True)


def _cells(key: Key, row: SheetRow, thing: RatingItem, referred: bool, word: Word) -> Iterable[str | Link]:
    yield row.id
    yield thing.record
    yield f"{thing.unit}\n({thing.group})" if thing.unit else thing.group
    yield thing.title
    yield thing.asks
    anchor = f"#{thing.places[0]}" if thing.places else ""
    if key.kind == "ratings":
        yield "\n".join(f"{band}{word('colon')}{text}" for band, text in thing.anchors) or shown(thing.scale)
        yield Link(_where(thing, word), f"{READ}/{thing.record}.html{anchor}")
    else:
        for label in LABELS:
            yield Link(f"{thing.record}-{label}", f"{READ}/{thing.record}-{label}.html{anchor}")
    if referred:
        yield thing.reference
    yield ""
    yield ""


def _where(thing: RatingItem, word: Word) -> str:
    """Which turns: those that lie close together from the first to the last, else the whole record."""
    if not thing.places:
        return word("read_all", record=thing.record)
    return word("read_part", record=thing.record, first=thing.turns[0], last=thing.turns[-1])


def _choice(thing: RatingItem, word: Word) -> Choice:
    scale = thing.scale
    error = word("only", scale=shown(scale))
    return Choice(tuple(scale.choices or ()), scale.lowest, scale.highest, scale.step == 1, error)
