"""Sheets that raters filled in, read against the key: what is good is counted, the rest is told with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..evaluation.metrics.agreement import Preference
from ..evaluation.rubric.definition import Scale
from ..language import diagnose
from ..language.diagnostics import nearest
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .pairwise import preference
from .plan import Key, RatingItem, SheetRow

if TYPE_CHECKING:
    from ..files.spreadsheet import Grid

_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")
_ID: Final = re.compile(r"[A-Z]{5}-\d+-\d+-\d+")


@dataclass(frozen=True, slots=True)
class Heads:
    """How the columns may be called; the first spelling is the one to be told."""

    id: tuple[str, ...]
    rating: tuple[str, ...]
    remark: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows of the raters whose sheets came. asked = given + empty + refused + absent; `bare`: without a reason."""

    asked: int
    given: int
    empty: int
    refused: int
    absent: int
    bare: int


@dataclass(frozen=True, slots=True)
class Filled:
    """Rater -> thing -> value (ratings) or preference (pairs), sides undone; what was remarked; what was wrong."""

    values: Mapping[str, Mapping[str, float]]
    preferences: Mapping[str, Mapping[str, Preference]]
    remarks: tuple[tuple[str, str, str], ...]
    counts: Mapping[str, Counts]
    problems: tuple[Diagnostic, ...]


@dataclass(slots=True)
class _Taking:
    """What was taken so far. `given`: row -> (value, word, place); `clashed`: rows with two different values."""

    key: Key
    heads: Heads
    given: dict[str, tuple[float, Span]] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    problems: list[Diagnostic] = field(default_factory=list)


def collect(key: Key, files: Iterable[Sequence[Grid]], heads: Heads) -> Filled:
    """All files of all raters; each is a workbook with its sheets, or one table."""
    taking = _Taking(key, heads)
    for grids in files:
        _file(taking, grids)
    return _done(taking)


# ---- a file ----------------------------------------------------------------------------------------------------------


def _file(taking: _Taking, grids: Sequence[Grid]) -> None:
    """The first sheet that has the columns; if none has, what the nearest lacks."""
    filled = [grid for grid in grids if grid.rows]
    found = [(grid, *_head(grid, taking.heads)) for grid in filled]
    if not found:
        taking.problems.append(diagnose.empty_sheet(grids[0].place if grids else ""))
        return
    grid, top, columns = max(found, key=lambda one: (len(one[2]), "id" in one[2]))
    lacking = [one for one in ("id", "rating", "remark") if one not in columns]
    if lacking:
        _lacking(taking, grid, top, lacking)
    if "id" in columns and "rating" in columns:
        _rows(taking, grid, top, columns)


def _head(grid: Grid, heads: Heads) -> tuple[int, dict[str, int]]:
    """Where the row of heads is (index), and which column is which."""
    best: tuple[int, dict[str, int]] = (0, {})
    for place, (_, cells) in enumerate(grid.rows[:40]):
        columns = {}
        for name in ("id", "rating", "remark"):
            known = {_folded(word) for word in getattr(heads, name)}
            where = next((index for index, cell in enumerate(cells) if _folded(cell) in known), None)
            if where is not None:
                columns[name] = where
        if len(columns) > len(best[1]):
            best = place, columns
    return best


def _lacking(taking: _Taking, grid: Grid, place: int, lacking: Sequence[str]) -> None:
    names = tuple(getattr(taking.heads, one)[0] for one in lacking)
    number, cells = grid.rows[place]
    written = tuple(cell for cell in cells if cell)
    hard = "id" in lacking or "rating" in lacking
    near = next((found for name in names if (found := nearest(name, written))), None)
    at = Span(grid.place, number, 0)
    taking.problems.append(
        diagnose.missing_sheet_column(
            at,
            names=names,
            row=number,
            found=tuple(one[:20] for one in written[:12]),
            nearest=near,
            severity="error" if hard else "warning",
        )
    )


def _rows(taking: _Taking, grid: Grid, place: int, columns: Mapping[str, int]) -> None:
    rows = [(number, _cells(cells, columns)) for number, cells in grid.rows[place + 1 :]]
    ids = [_id(cells["id"]) for _, cells in rows]
    told = [one for one in ids if _ID.fullmatch(one)]
    if told and all(not one.startswith(f"{taking.key.tag}-") for one in told):
        taking.problems.append(
            diagnose.sheet_of_other_export(
                grid.place, found=told[0].partition("-")[0], tag=taking.key.tag, count=len(told)
            )
        )
        return
    empty = 0
    for (number, cells), name in zip(rows, ids, strict=True):
        if name or cells["rating"]:
            at = Span(grid.place, number, columns["rating"] + 1)
            empty += not _row(taking, name, cells, at)
    if not any(cells["rating"] for _, cells in rows):
        taking.problems.append(diagnose.empty_sheet(grid.place))
    elif empty:
        taking.problems.append(diagnose.empty_ratings(grid.place, count=empty))


def _cells(cells: Sequence[str], columns: Mapping[str, int]) -> dict[str, str]:
    found = {name: cells[where] if where < len(cells) else "" for name, where in columns.items()}
    return {"remark": "", **found}


def _row(taking: _Taking, name: str, cells: Mapping[str, str], at: Span) -> bool:
    """Take one row; False where nothing was entered."""
    row = taking.key.by_row.get(name)
    if row is None:
        near = nearest(name, taking.key.by_row) if _ID.fullmatch(name) and len(taking.key.rows) < 5000 else None
        taking.problems.append(diagnose.unknown_rating_id(at, row=at.line, found=cells["id"][:40], nearest=near))
        return True
    taking.seen.add(name)
    if cells["remark"]:
        taking.remarks[name] = cells["remark"]
    if not cells["rating"]:
        return False
    thing = taking.key.by_id[row.thing]
    value = entered(thing.scale, cells["rating"])
    if value is None:
        taking.refused.add(name)
        taking.problems.append(_off_scale(taking, thing, cells["rating"], at))
    elif name in taking.given and taking.given[name][0] != value:
        first = taking.given[name][1]
        taking.problems.append(
            diagnose.conflicting_ratings(at, row=at.line, id=name, first=first.line, file=first.file, also=(first,))
        )
        taking.refused.add(name)
    else:
        taking.given.setdefault(name, (value, at))
    return True


def _off_scale(taking: _Taking, thing: RatingItem, word: str, at: Span) -> Diagnostic:
    return diagnose.invalid_rating(
        at,
        row=at.line,
        column=taking.heads.rating[0],
        found=word[:40],
        scale=shown(thing.scale),
        title=f"{thing.unit} {thing.title}".strip(),
        nearest=_meant(thing.scale, word),
    )


# ---- words -----------------------------------------------------------------------------------------------------------


def entered(scale: Scale, word: str) -> float | None:
    """A cell on the scale, full-width figures and letters too; never rounded, never a number written as a word."""
    plain = unicodedata.normalize("NFKC", word).strip()
    if scale.choices is not None:
        folded = {_folded(choice): value for choice, value in scale.choices.items()}
        return folded.get(_folded(plain))
    if not _NUMBER.fullmatch(plain):
        return None
    value = float(plain)
    steps = (value - scale.lowest) / scale.step if scale.step else 0.0
    on = scale.lowest <= value <= scale.highest and abs(steps - round(steps)) < 1e-6
    return value if on else None


def shown(scale: Scale) -> str:
    """A scale in short: `0-10`, `A / B`."""
    if scale.choices is not None:
        return " / ".join(scale.choices)
    step = f" ({scale.step:g})" if scale.step != 1 else ""
    return f"{scale.lowest:g}-{scale.highest:g}{step}"


def _meant(scale: Scale, word: str) -> str | None:
    """A figure on the scale that was probably meant: the one in the words, or the value of a Chinese numeral."""
    if scale.choices is not None:
        return nearest(word, scale.choices)
    figures = [found[0] for found in _NUMBER.finditer(word)]
    figures = figures or [f"{value:g}" for one in word if (value := unicodedata.numeric(one, -1.0)) >= 0]
    only = figures[0] if len(figures) == 1 and figures[0] != word.strip() else ""
    return only if entered(scale, only) is not None else None


def _id(cell: str) -> str:
    """A row id as it is, whatever a spreadsheet made of its dashes and spaces."""
    return re.sub("[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", cell)).replace(" ", "").upper()


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


# ---- all together ----------------------------------------------------------------------------------------------------


def _done(taking: _Taking) -> Filled:
    key = taking.key
    good = {name: value for name, (value, _) in taking.given.items() if name not in taking.refused}
    values: dict[str, dict[str, float]] = {}
    preferences: dict[str, dict[str, Preference]] = {}
    for row in (row for row in key.rows if row.id in good):
        if key.kind == "pairs":
            preferences.setdefault(row.rater, {})[row.thing] = preference(good[row.id], row.turned)
        else:
            values.setdefault(row.rater, {})[row.thing] = good[row.id]
    came = dict.fromkeys(row.rater for row in key.rows if row.id in taking.seen)
    counts = {rater: _counted(taking, key.of(rater), good) for rater in came}
    remarks = tuple(
        (row.rater, row.thing, taking.remarks[row.id]) for row in key.rows if taking.remarks.get(row.id, "").strip()
    )
    return Filled(values, preferences, remarks, counts, tuple(taking.problems))


def _counted(taking: _Taking, rows: Sequence[SheetRow], good: Mapping[str, float]) -> Counts:
    ids = [row.id for row in rows]
    given = sum(one in good for one in ids)
    refused = sum(one in taking.refused for one in ids)
    absent = sum(one not in taking.seen for one in ids)
    bare = sum(one in good and not taking.remarks.get(one, "").strip() for one in ids)
    return Counts(len(ids), given, len(ids) - given - refused - absent, refused, absent, bare)
