"""What is told of a batch while it is played: a table that moves, in a terminal; lines, where there is none."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from ..wording import say
from .output import as_json, json_line, remark, warn

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from ..batch.play import Begun
    from ..batch.results import JobResult
    from ..model.diagnostics import Diagnostic
    from ..models.prices import Spent

WINDOW: Final = 60.0  # seconds over which the pace is taken
DONE: Final = ("ended", "paused")


class BatchProgress:
    """Counts what a batch tells of itself. `events`: each is printed as a line of JSON; `name`: of the folder of a run,
    as it is told."""

    def __init__(
        self,
        *,
        events: bool = False,
        quiet: bool = False,
        count: Callable[[], int] = lambda: 0,
        name: Callable[[Path], str] = str,
    ) -> None:
        self._name = name
        self._events = events
        self._quiet = quiet
        self._count = count
        self._total = 0
        self._statuses: dict[str, int] = {}
        self._begun = 0
        self._finished = 0
        self._calls: deque[list[int]] = deque()  # [second, calls in it]
        self._tokens = 0
        self._dollars = 0.0
        self._started = time.monotonic()
        self._live: Any = None

    def __enter__(self) -> BatchProgress:
        if sys.stderr.isatty() and not self._quiet and not self._events:
            from threading import Thread

            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True, highlight=False, markup=False, emoji=False)
            self._live = Live(get_renderable=self.table, console=console, refresh_per_second=2, transient=True)
            self._live.start()
            Thread(target=self._counted, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def _counted(self) -> None:
        self._total = self._count()

    # ---- what happens ------------------------------------------------------------------------------------------------

    def result(self, done: JobResult) -> None:
        from ..batch.results import UNPLAYED

        self._statuses[done.status] = self._statuses.get(done.status, 0) + 1
        if not done.before and done.folder is not None:
            self._finished += 1
            if done.status not in UNPLAYED:
                line = say(
                    "batch.line", folder=self._name(done.folder), status=say(f"batch.{done.status}"), turns=done.turns
                )
                remark(line)
        if self._events:
            self._print("result", record_of(done, self._name))
        else:
            warn(done.problems)

    def meter(self, event: Begun | Spent) -> None:
        from ..batch.play import Begun

        if isinstance(event, Begun):
            self._begun += 1
            if self._events:
                self._print("begun", {"case": event.where, "run": self._name(event.folder)})
            return
        now = int(time.monotonic())
        if not self._calls or self._calls[-1][0] != now:
            self._calls.append([now, 0])
        self._calls[-1][1] += event.calls
        while self._calls[0][0] < now - WINDOW:
            self._calls.popleft()
        self._tokens += event.tokens
        self._dollars += event.dollars

    def warn(self, problems: tuple[Diagnostic, ...]) -> None:
        if self._events and problems:
            self._print("warning", {"problems": as_json(problems)})
        else:
            warn(problems)

    def _print(self, event: str, values: dict[str, object]) -> None:
        click.echo(json_line({"event": event, **values}))
        sys.stdout.flush()

    # ---- the table ---------------------------------------------------------------------------------------------------

    def table(self) -> Table:
        """How the batch stands now."""
        from rich.table import Table

        from ..batch.results import UNPLAYED
        from ..runs.progress import dollars

        passed = max(time.monotonic() - self._started, 1e-9)
        failed = sum(self._statuses.get(status, 0) for status in ("stopped", *UNPLAYED))
        done = sum(self._statuses.get(status, 0) for status in DONE)
        pace = sum(count for _, count in self._calls) / min(passed, WINDOW)
        row = {
            "running": str(max(0, self._begun - self._finished)),
            "done": str(done),
            "failed": str(failed),
            "pace": f"{pace:.1f}",
            "tokens": f"{self._tokens:,}",
            "dollars": dollars(self._dollars) if self._dollars else "-",
            "left": self._left(passed),
        }
        table = Table(box=None, pad_edge=False)
        for name in row:
            table.add_column(say(f"batch.head_{name}"), justify="right", no_wrap=True)
        table.add_row(*row.values())
        return table

    def _left(self, passed: float) -> str:
        """Hours and minutes, from how long the runs took that were played; nothing before any was."""
        over = sum(self._statuses.values())
        if not self._finished or self._total <= over:
            return "-"
        minutes = round((self._total - over) * passed / self._finished / 60)
        return f"{minutes // 60}:{minutes % 60:02d}"


def record_of(result: JobResult, name: Callable[[Path], str] = str) -> dict[str, object]:
    """A run of a batch as JSON has it."""
    folder = name(result.folder) if result.folder is not None else None
    spent = {"calls": result.spent.calls, "dollars": round(result.spent.dollars, 6)}
    counted = {"place": result.place, "turns": result.turns, "tokens": result.tokens, **spent, "before": result.before}
    problems = as_json(result.problems)
    return {"case": result.where, "run": folder, "status": result.status, **counted, "problems": problems}
