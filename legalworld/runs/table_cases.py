"""Cases that stand in the rows of a table, CSV or Excel; and records joined with those of other files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ..binding import paths
from ..binding.casefile import Data, parse_data
from ..binding.joins import Join
from ..files import regular, spreadsheet
from ..files.project_files import unreadable
from ..language import diagnose
from ..language.charset import decoded
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .project import Problems

TABLES: Final = (".csv", ".tsv", ".xlsx")
LARGEST: Final = 256 << 20  # bytes of a file that others are joined with
_KEPT: Final = 8  # such files

Row = dict[str, Any]
Index = Mapping[str, list[Row]]


def is_table(name: str) -> bool:
    return name.lower().endswith(TABLES)


def table_data(name: str, path: Path) -> tuple[Data | None, Problems]:
    """The rows of a table as records, each with the heads of its columns for keys; of a workbook, its first sheet that
    has rows."""
    read = spreadsheet.read(path)
    grid = next((grid for grid in read.grids if len(grid.rows) > 1), None)
    if grid is None:
        return None, read.problems or (diagnose.missing_case_records(Span(name, 1, 1)),)
    heads = grid.rows[0][1]
    if twice := [head for head, count in Counter(filter(None, heads)).items() if count > 1]:
        return None, (diagnose.repeated_column(Span(name, grid.rows[0][0], 1), name=twice[0]),)
    rows = [{head: cell for head, cell in zip(heads, row, strict=False) if head} for _, row in grid.rows[1:]]
    return Data(name, rows), read.problems


# ---- joined ----------------------------------------------------------------------------------------------------------


def joined(record: Any, joins: tuple[Join, ...], folder: Path, where: Span) -> Problems:
    """Put into a record what other files say of it; where that cannot be done, why. Several that are to be one are
    none: nobody could say which."""
    problems: list[Diagnostic] = []
    for join in joins if isinstance(record, dict) else ():
        index = _index_of(join, folder)
        if isinstance(index, Diagnostic):
            problems.append(index)
            continue
        keys = [str(found.value).strip() for found in paths.find(join.key, record)]
        rows = [row for key in keys for row in index.get(key, ())]
        if join.one and len(rows) > 1:
            key, count = keys[0], len(rows)
            problems.append(diagnose.several_joined(where, name=join.name, key=key, count=count, also=(join.span,)))
        record[join.name] = (rows[0] if len(rows) == 1 else None) if join.one else rows
    return tuple(problems)


def _index_of(join: Join, folder: Path) -> Index | Diagnostic:
    path = folder / join.file
    try:
        stamp = regular.status(path).st_mtime_ns
    except OSError as error:
        return unreadable(str(path), error)
    return _index(path, join.on, stamp)


@lru_cache(maxsize=_KEPT)
def _index(path: Path, on: str, stamp: int) -> Index | Diagnostic:
    """The records of a file by one of their entries; `stamp`: when it was written."""
    if is_table(path.name):
        data, problems = table_data(str(path), path)
    else:
        data, problems = parse_data(str(path), decoded(regular.content(path, most=LARGEST)).text)
    if data is None:
        return problems[0]
    index: dict[str, list[Row]] = defaultdict(list)
    for row in data.value if isinstance(data.value, list) else [data.value]:
        if isinstance(row, dict) and row.get(on) is not None:
            index[str(row[on]).strip()].append(row)
    if not index:
        return diagnose.missing_joined_key(str(path), name=on)
    return dict(index)
