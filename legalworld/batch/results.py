"""How the runs of a batch came out, kept as bytes: a batch of any length takes hardly more memory than a short one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from ..model.immutable import immutable
from ..model.json_text import read_json
from ..models.prices import NOTHING, Spent
from ..runs.project import Problems
from .warned import CaseNotes

Status = Literal["ended", "paused", "stopped", "interrupted", "refused", "damaged"]
UNPLAYED: Final = ("refused", "damaged")
"""Of jobs that nothing was done for."""


@immutable
class JobResult:
    """How a job came out. `before`: it was finished when the batch came to it, and nothing was played.

    `refused`: nothing was played, because of `problems`; `folder` is then None where none was meant yet. `damaged`: the
    same, because what lies in the folder is no longer what was written. `number`: of
    the job; `spent`: by the whole run, also before. `case`, `notes`: those of the job; None where it has no case.
    """

    where: str
    status: Status
    folder: Path | None
    place: str = ""
    turns: int = 0
    tokens: int | None = None
    before: bool = False
    problems: Problems = ()
    spent: Spent = NOTHING
    number: int = 0
    case: str = ""
    notes: CaseNotes | None = None


@immutable
class KeptResult:
    """What is kept of a result when everybody was told of it; see `JobResult`."""

    status: Status
    folder: Path | None
    before: bool
    problems: Problems


class Results:
    """A line of JSON for each run, one behind the other: objects would take ten times as much. Of several results with
    one number the last counts."""

    def __init__(self) -> None:
        self._lines = bytearray()
        self._problems: dict[int, Problems] = {}

    def add(self, result: JobResult) -> None:
        folder = str(result.folder) if result.folder is not None else None
        self._lines += json.dumps((result.number, result.status, folder, result.before)).encode() + b"\n"
        if result.problems or result.number in self._problems:
            self._problems[result.number] = result.problems

    def __bool__(self) -> bool:
        return bool(self._lines)

    def __len__(self) -> int:
        return len(self._places())

    def __iter__(self) -> Iterator[KeptResult]:
        for number, (start, end) in sorted(self._places().items()):
            _, status, folder, before = read_json(bytes(self._lines[start:end]))
            yield KeptResult(
                status, Path(folder) if folder is not None else None, before, self._problems.get(number, ())
            )

    def _places(self) -> dict[int, tuple[int, int]]:
        """Number -> where its line begins and ends."""
        places: dict[int, tuple[int, int]] = {}
        start = 0
        while start < len(self._lines):
            end = self._lines.index(b"\n", start)
            places[int(self._lines[start + 1 : self._lines.index(b",", start)])] = start, end
            start = end + 1
        return places
