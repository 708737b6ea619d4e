"""The list of runs: answered from the index at once, brought up to date beside that.

The index lies in SQLite, whose connections belong to one thread: one thread answers, one looks at the disk.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final

from ..index.query import Query, read_query
from ..index.run_index import RunIndex
from ..model.diagnostics import Diagnostic
from .responses import Problem, RunChoices, RunList, RunListRow
from .run_titles import ProcedureTitles, case_title
from .shelf import RunShelf, lately
from .told import problem_of

MOST_ROWS: Final = 500
FRESH: Final = 2.0
"""Seconds for which the index is believed before the disk is looked at again."""

PATIENCE: Final = 0.1
"""Seconds that an answer waits for the disk to be looked at; a longer look goes on beside it."""

_FILTERS: Final = ("procedure", "case", "model", "status")


class StudioList:
    """`known`: how many runs there are, how many are damaged, and the turns of all, as of the last look."""

    def __init__(self, root: Path, shelf: RunShelf) -> None:
        self.root = root
        self.titles = ProcedureTitles(shelf)
        self.known: tuple[int, int, int] = (0, 0, 0)
        self._answers = ThreadPoolExecutor(1, "studio-list")
        self._looks = ThreadPoolExecutor(1, "studio-look")
        self._index: RunIndex | None = None
        self._looking: Future[None] | None = None
        self._looked = 0.0
        self._lock = threading.Lock()

    def close(self) -> None:
        """Stop both threads; a look at the disk is waited for."""
        self.titles.close()
        self._looks.shutdown(cancel_futures=True)
        self._answers.shutdown(cancel_futures=True)

    def answer(self, query: Mapping[str, Sequence[str]]) -> RunList:
        """A stretch of the list under the words of a query. Raises ValueError for numbers that are none."""
        first = max(int(query.get("from", ["0"])[-1]), 0)
        count = min(max(int(query.get("count", ["200"])[-1]), 0), MOST_ROWS)
        looking = self.look()
        if looking is not None:
            _wait(looking)
        return self._titled(self._answers.submit(self._answer, query, first, count).result())

    def _titled(self, found: RunList) -> RunList:
        """The list with the titles that are known; while some are looked up, it is not whole yet."""
        sound = ((row.procedure, row.id) for row in found.rows if row.status != "damaged")
        waiting = self.titles.learn(sound)
        rows = tuple(row.model_copy(update={"procedure_title": self.titles(row.procedure)}) for row in found.rows)
        return found.model_copy(update={"rows": rows, "writing": found.writing or waiting})

    def procedures(self) -> dict[str, int]:
        """Procedure -> how many runs of it there are."""
        return self._answers.submit(lambda: self._own().counts("procedure")).result()

    def look(self) -> Future[None] | None:
        """Begin to look at the disk, unless that was done just now; None where it was."""
        with self._lock:
            if self._looking is not None and not self._looking.done():
                return self._looking
            if time.monotonic() - self._looked < FRESH:
                return None
            self._looking = self._looks.submit(self._look)
            return self._looking

    # ---- in the thread that looks ------------------------------------------------------------------------------------

    def _look(self) -> None:
        index = RunIndex.open(self.root)
        try:
            if index.lasting:
                index.refresh(scores=True)
            else:  # nothing may be written beside the runs: one index in memory serves both threads, one after another
                self._answers.submit(self._refresh_own).result()
        finally:
            index.close()
            self._looked = time.monotonic()
        self.known = self._answers.submit(self._totals).result()

    # ---- in the thread that answers ----------------------------------------------------------------------------------

    def _own(self) -> RunIndex:
        if self._index is None:
            self._index = RunIndex.open(self.root)
        return self._index

    def _refresh_own(self) -> None:
        self._own().refresh(scores=True)

    def _totals(self) -> tuple[int, int, int]:
        """How many runs there are, how many are damaged, and the turns of all: what shows that the list is another."""
        if self._index is not None and self._index.lasting:  # it may have been made anew beside us
            self._index.close()
            self._index = None
        index = self._own()
        return index.count(Query()), index.count(_DAMAGED), index.turns()

    def _answer(self, query: Mapping[str, Sequence[str]], first: int, count: int) -> RunList:
        index = self._own()
        among = [(name, tuple(query.get(name, ()))) for name in _FILTERS]
        if "run" in query:
            among.append(("run", tuple(query["run"])))
        asked = read_query(among, query.get("where", ()), query.get("sort", ()), query.get("scores", ()), first + count)
        choices = RunChoices(**{name: tuple(index.values(name, MOST_ROWS)) for name in _FILTERS})
        nothing = RunList(
            first=first,
            total=0,
            rows=(),
            figures=(),
            damaged=index.count(_DAMAGED),
            choices=choices,
            problems=(),
            writing=self._looking is not None and not self._looking.done(),
        )
        if not isinstance(asked, Query):
            return nothing.model_copy(update={"problems": tuple(map(self._problem, asked))})
        rows = [
            RunListRow(
                id=one.row.run,
                live=one.row.status == "unfinished" and lately(self.root / one.row.run),
                figures=one.figures,
                procedure_title="",
                case_title=case_title(self.root / one.row.run) if one.row.status != "damaged" else "",
                **{name: getattr(one.row, name) for name in _COLUMNS},
            )
            for one in islice(index.select(asked), first, None)
        ]
        figures = tuple(map(str, asked.figures))
        return nothing.model_copy(update={"total": index.count(asked), "rows": tuple(rows), "figures": figures})

    def _problem(self, one: Diagnostic) -> Problem:
        return problem_of(one, self.root)


_DAMAGED: Final = Query(among=(("status", ("damaged",)),))
_COLUMNS: Final = (
    *("procedure", "case", "target", "model", "models", "options", "seed", "status", "outcome", "ending", "place"),
    *("turns", "tokens"),
)


def _wait(looking: Future[None]) -> None:
    try:
        looking.result(PATIENCE)
    except TimeoutError:
        return
