"""Sheets that raters filled in, read against the key: what is good is counted, the rest is told with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from ..evaluation.metrics.agreement import Preference
from ..evaluation.rubric.definition import Scale
from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..model.text import BLANKS, folded
from .pairwise import preference
from .plan import Key, RatingItem, SheetRow

if TYPE_CHECKING:
    from ..files.spreadsheet import Grid

_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")
_ID: Final = re.compile(r"[A-Z]{5}-\d+-\d+-\d+")


Heads = Mapping[str, Sequence[str]]
"""What each column that is read back may be called; the first spelling is the one that messages name."""


@immutable
class Counts:
    """Rows of the raters whose sheets came. asked = given + empty + refused + absent; `bare`: without a reason."""

    asked: int
    given: int
    empty: int
    refused: int
    absent: int
    bare: int


@immutable
class Filled:
    """Rater -> thing -> value (ratings) or preference (pairs), sides undone; what was remarked; what was wrong."""

    values: Mapping[str, Mapping[str, float]]
    preferences: Mapping[str, Mapping[str, Preference]]
    remarks: tuple[tuple[str, str, str], ...]
    counts: Mapping[str, Counts]
    problems: tuple[Diagnostic, ...]


@dataclass(slots=True)
class _Progress:
    """What was read so far. `entries`: row -> value and place; `refused`: rows off the scale or with two values."""

    key: Key
    heads: Heads
    entries: dict[str, tuple[float, Span]] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    problems: list[Diagnostic] = field(default_factory=list)


def collect(key: Key, files: Iterable[Sequence[Grid]], heads: Heads) -> Filled:
    """All files of all raters; each is a workbook with its sheets, or one table."""
    progress = _Progress(key, heads)
    for grids in files:
        _read_file(progress, grids)
    good = {name: value for name, (value, _) in progress.entries.items() if name not in progress.refused}
    values: dict[str, dict[str, float]] = {}
    preferences: dict[str, dict[str, Preference]] = {}
    for row in (row for row in key.rows if row.id in good):
        if key.kind == "pairs":
            preferences.setdefault(row.rater, {})[row.thing] = preference(good[row.id], row.turned)
        else:
            values.setdefault(row.rater, {})[row.thing] = good[row.id]
    came = dict.fromkeys(row.rater for row in key.rows if row.id in progress.seen)
    counts = {rater: _counts(progress, key.of(rater), good) for rater in came}
    remarks = tuple(
        (row.rater, row.thing, progress.remarks[row.id]) for row in key.rows if progress.remarks.get(row.id, "").strip()
    )
    return Filled(values, preferences, remarks, counts, tuple(progress.problems))


# ---- a file ----------------------------------------------------------------------------------------------------------


def _read_file(progress: _Progress, grids: Sequence[Grid]) -> None:
    """The first sheet that has the columns; if none has, what the nearest lacks."""
    candidates = [(grid, *_head(grid, progress.heads)) for grid in grids if grid.rows]
    if not candidates:
        progress.problems.append(diagnose.empty_sheet(grids[0].place if grids else ""))
        return
    grid, top, columns = max(candidates, key=lambda each: (len(each[2]), "id" in each[2]))
    lacking = [name for name in progress.heads if name not in columns]
    if lacking:
        _report_lacking(progress, grid, top, lacking)
    if "id" in columns and "rating" in columns:
        _read_rows(progress, grid, top, columns)


def _head(grid: Grid, heads: Heads) -> tuple[int, dict[str, int]]:
    """Where the row of heads is (index), and which column is which."""
    best: tuple[int, dict[str, int]] = (0, {})
    for place, (_, cells) in enumerate(grid.rows[:40]):
        columns = {}
        for name, words in heads.items():
            known = {folded(word, BLANKS) for word in words}
            where = next((index for index, cell in enumerate(cells) if folded(cell, BLANKS) in known), None)
            if where is not None:
                columns[name] = where
        if len(columns) > len(best[1]):
            best = place, columns
    return best


def _report_lacking(progress: _Progress, grid: Grid, place: int, lacking: Sequence[str]) -> None:
    names = tuple(progress.heads[name][0] for name in lacking)
    number, cells = grid.rows[place]
    written = tuple(cell for cell in cells if cell)
    near = next((nearby for name in names if (nearby := nearest(name, written))), None)
    severity: Literal["error", "warning"] = "warning" if lacking == ["remark"] else "error"
    progress.problems.append(
        diagnose.missing_sheet_column(
            Span(grid.place, number, 0),
            names=names,
            row=number,
            found=tuple(cell[:20] for cell in written[:12]),
            nearest=near,
            severity=severity,
        )
    )


def _read_rows(progress: _Progress, grid: Grid, place: int, columns: Mapping[str, int]) -> None:
    rows = [(number, _cells(cells, columns)) for number, cells in grid.rows[place + 1 :]]
    ids = [_id(cells["id"]) for _, cells in rows]
    whole_ids = [name for name in ids if _ID.fullmatch(name)]
    tag = progress.key.tag
    if whole_ids and not any(name.startswith(f"{tag}-") for name in whole_ids):
        progress.problems.append(
            diagnose.sheet_of_other_export(
                grid.place, found=whole_ids[0].partition("-")[0], tag=tag, count=len(whole_ids)
            )
        )
        return
    empty = 0
    for (number, cells), name in zip(rows, ids, strict=True):
        if name or cells["rating"]:
            at = Span(grid.place, number, columns["rating"] + 1)
            empty += not _read_row(progress, name, cells, at)
    at = Span(grid.place, 0, 0)
    if not any(cells["rating"] for _, cells in rows):
        progress.problems.append(diagnose.empty_sheet(at))
    elif empty:
        progress.problems.append(diagnose.empty_ratings(at, count=empty))


def _cells(cells: Sequence[str], columns: Mapping[str, int]) -> dict[str, str]:
    named = {name: cells[where] if where < len(cells) else "" for name, where in columns.items()}
    return {"remark": "", **named}


def _read_row(progress: _Progress, name: str, cells: Mapping[str, str], at: Span) -> bool:
    """Read one row; False where nothing was entered."""
    key = progress.key
    row = key.by_row.get(name)
    if row is None:
        near = nearest(name, key.by_row) if _ID.fullmatch(name) and len(key.rows) < 5000 else None
        progress.problems.append(diagnose.unknown_rating_id(at, row=at.line, found=cells["id"][:40], nearest=near))
        return True
    progress.seen.add(name)
    if cells["remark"]:
        progress.remarks[name] = cells["remark"]
    if not cells["rating"]:
        return False
    item = key.by_id[row.thing]
    value = entered(item.scale, cells["rating"])
    if value is None:
        progress.refused.add(name)
        progress.problems.append(_off_scale(progress, item, cells["rating"], at))
    elif name in progress.entries and progress.entries[name][0] != value:
        first = progress.entries[name][1]
        progress.problems.append(
            diagnose.conflicting_ratings(at, row=at.line, id=name, first=first.line, file=first.file, also=(first,))
        )
        progress.refused.add(name)
    else:
        progress.entries.setdefault(name, (value, at))
    return True


def _off_scale(progress: _Progress, item: RatingItem, word: str, at: Span) -> Diagnostic:
    return diagnose.invalid_rating(
        at,
        row=at.line,
        column=progress.heads["rating"][0],
        found=word[:40],
        scale=item.scale.in_short,
        title=f"{item.unit} {item.title}".strip(),
        nearest=_meant(item.scale, word),
    )


# ---- words -----------------------------------------------------------------------------------------------------------


def entered(scale: Scale, word: str) -> float | None:
    """A cell on the scale, full-width figures and letters too; never rounded, never a number written as a word."""
    plain = unicodedata.normalize("NFKC", word).strip()
    if scale.choices is not None:
        values = {folded(choice, BLANKS): value for choice, value in scale.choices.items()}
        return values.get(folded(plain, BLANKS))
    if not _NUMBER.fullmatch(plain):
        return None
    return float(plain) if scale.has(float(plain)) else None


def _meant(scale: Scale, word: str) -> str | None:
    """A figure on the scale that was probably meant: the one in the words, or the value of a Chinese numeral."""
    if scale.choices is not None:
        return nearest(word, scale.choices)
    figures = [match[0] for match in _NUMBER.finditer(word)]
    figures = figures or [f"{value:g}" for letter in word if (value := unicodedata.numeric(letter, -1.0)) >= 0]
    only = figures[0] if len(figures) == 1 and figures[0] != word.strip() else ""
    return only if entered(scale, only) is not None else None


def _id(cell: str) -> str:
    """A row id as it is, whatever a spreadsheet made of its dashes and spaces."""
    return re.sub("[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", cell)).replace(" ", "").upper()


def _counts(progress: _Progress, rows: Sequence[SheetRow], good: Mapping[str, float]) -> Counts:
    ids = [row.id for row in rows]
    given = sum(name in good for name in ids)
    refused = sum(name in progress.refused for name in ids)
    absent = sum(name not in progress.seen for name in ids)
    bare = sum(name in good and not progress.remarks.get(name, "").strip() for name in ids)
    return Counts(len(ids), given, len(ids) - given - refused - absent, refused, absent, bare)
