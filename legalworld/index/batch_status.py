"""How the runs of a batch stand: as its record says, held against the runs themselves, each verified.

The runs are the truth. Where record and run do not agree, it is the run that counts, and that is told; of runs of which
the record says nothing, or cannot be believed, only what they are themselves is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..batch.record import Recorded, RunEntry
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..wording import say
from .query import Query
from .run_index import RunIndex
from .run_row import RunRow

_ALONE: Final = {"ended": "ended", "unfinished": "begun", "damaged": "damaged"}
_OVER: Final = ("ended", "paused")


@immutable
class BatchStanding:
    """`entries`: what is known of each run, with the status that it has now; `unrecorded`: how many of them the record
    does not tell of."""

    entries: Mapping[str, RunEntry]
    unrecorded: int
    problems: tuple[Diagnostic, ...]


def standing_of(folder: Path, record: Recorded, *, whole: bool = False) -> BatchStanding:
    """The runs of a batch, each verified unless its files are those that were; `whole`: each of them. Raises OSError
    for a folder that cannot be looked into."""
    index = RunIndex.open(folder)
    try:
        index.refresh(scores=False, whole=whole)
        rows = {one.row.run: one.row for one in index.select(Query())}
    finally:
        index.close()
    entries, problems = {}, [*record.problems]
    for name, entry in record.entries.items():
        row, now = rows.get(name), _status(entry, rows.get(name))
        if now in ("missing", "damaged") and (row is None or row.status != "damaged"):
            there, known = str(folder / name), say(f"batch.{_ALONE[row.status] if row else now}")
            problems.append(diagnose.run_against_batch(there, path=there, said=say(f"batch.{entry.status}"), now=known))
        entries[name] = entry if now == entry.status else replace(entry, status=now, problem="")
    alone = {name: row for name, row in rows.items() if name not in entries}
    entries |= {name: RunEntry(name, row.case, _ALONE[row.status], row.turns, row.place) for name, row in alone.items()}
    return BatchStanding(dict(sorted(entries.items())), len(alone), tuple(problems))


def _status(entry: RunEntry, row: RunRow | None) -> str:
    """How a run stands of which the record has an entry; `missing` where it was over, and is gone."""
    if row is None:
        return "missing" if entry.status in _OVER else entry.status
    if row.status == "damaged":
        return "damaged"
    if entry.status == "refused":  # what lies there may be another run
        return "refused"
    if row.status == "ended":
        return "ended"
    return "damaged" if entry.status == "ended" else entry.status
