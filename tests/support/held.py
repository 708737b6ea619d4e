"""`lw` in a process that stops at a place to be killed or interrupted there, however busy the machine is.

    python tests/support/held.py LINES WORD...

It says "held" on a line of its own as soon as a journal has so many lines, and goes on when a signal lets it. Ctrl-C
interrupts it even where whoever started the tests ignores that.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from legalworld.cli.main import main
from legalworld.runs.group_commit import Commit
from legalworld.runs.journal import Journal
from legalworld.runs.loop import ReplayLog


def command(lines: int, *words: str | Path) -> list[str]:
    return [sys.executable, __file__, str(lines), *map(str, words)]


def until_held(process: subprocess.Popen[str]) -> None:
    """Until the process stands where it was to stop; what it says before is left out."""
    assert process.stdout
    assert any(line == "held\n" for line in process.stdout), "it ended before"


def _run(lines: int, words: list[str]) -> None:
    prepared, record = Journal.prepared, ReplayLog.record
    written = waited = False

    def watched(journal: Journal, *arguments: Any, **named: Any) -> Commit | None:
        commit = prepared(journal, *arguments, **named)
        return partial(committed, journal, commit) if commit else None

    def committed(journal: Journal, commit: Commit) -> None:
        nonlocal written
        commit()
        written = written or journal.n >= lines
        if threading.current_thread() is threading.main_thread():
            hold()

    async def held(log: ReplayLog, *arguments: Any) -> None:
        await record(log, *arguments)
        hold()

    def hold() -> None:  # by the main thread, which signals come to; a reply is written by another
        nonlocal waited
        if written and not waited:  # once: of runs played at once, the others write on after the signal
            waited = True
            _wait()

    Journal.prepared, ReplayLog.record = watched, held  # type: ignore[method-assign]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["lw", *words]
    main()


def _wait() -> None:
    """Say so, and wait for Ctrl-C; one that comes before the waiting has begun is not lost."""
    came: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.signal(signal.SIGINT, before)
        signal.raise_signal(number)

    signal.signal(signal.SIGINT, note)
    print("held", flush=True)
    while not came:
        time.sleep(0.02)


if __name__ == "__main__":
    _run(int(sys.argv[1]), sys.argv[2:])
