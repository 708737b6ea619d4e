"""`lw` in a process that stops at a place to be killed or interrupted there, however busy the machine is.

    python tests/support/held.py LINES WORD...

It says "held" on a line of its own as soon as a journal has so many lines, and goes on when a signal lets it. Ctrl-C
interrupts it even where whoever started the tests ignores that.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from legalworld.cli.main import main
from legalworld.runs.journal import Journal

NEVER = 1 << 40  # lines


def command(lines: int, *words: str | Path) -> list[str]:
    return [sys.executable, __file__, str(lines), *map(str, words)]


def until_held(process: subprocess.Popen[str]) -> None:
    """Until the process stands where it was to stop; what it says before is left out."""
    assert process.stdout
    assert any(line == "held\n" for line in process.stdout), "it ended before"


def _run(lines: int, words: list[str]) -> None:
    write = Journal.write

    def held(journal: Journal, *arguments: Any, **named: Any) -> None:
        write(journal, *arguments, **named)
        if journal.n >= lines:
            print("held", flush=True)
            signal.pause()

    Journal.write = held  # type: ignore[method-assign]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["lw", *words]
    main()


if __name__ == "__main__":
    _run(int(sys.argv[1]), sys.argv[2:])
