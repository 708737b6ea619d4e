"""What the cases and procedures of a list are called: titles are read where they stand, and not kept in the index.

The title of a case stands at the beginning of its bound copy. That of a procedure is known once a run of it was opened;
that is done beside the answers, one run of each.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from ..files import regular
from ..files.regular import Stamp
from ..model.json_text import read_json
from ..model.text import clean
from .run_pages import RunPages
from .shelf import RunShelf

_BEGINS: Final = 4096  # bytes of a bound case that are read for its title
_TITLED: Final = re.compile(r'\{\s*"id":\s*"(?:[^"\\]|\\.)*",\s*"title":\s*("(?:[^"\\]|\\.)*")')


def case_title(folder: Path) -> str:
    """Return the title of the case that a run is bound to; "" where it has none, or none that is found at once."""
    return _case_title(folder / "case.json", Stamp.of(folder / "case.json"))


@lru_cache(1 << 15)
def _case_title(file: Path, stamp: Stamp) -> str:
    try:
        found = _TITLED.match(regular.start(file, file.parent, most=_BEGINS).decode("utf-8", "replace"))
        return clean(str(read_json(found[1]))) if found is not None and stamp.size else ""
    except (OSError, ValueError):
        return ""


class ProcedureTitles:
    """Safe to use from several threads."""

    def __init__(self, shelf: RunShelf) -> None:
        self._shelf = shelf
        self._known: dict[str, str] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def __call__(self, procedure: str) -> str:
        """The title of a procedure; "" until it is known."""
        return self._known.get(procedure, "")

    def learn(self, runs: Iterable[tuple[str, str]]) -> bool:
        """Begin to look up the titles that are not known. `runs`: (procedure, a run of it). Returns whether any is."""
        missing = {procedure: run for procedure, run in runs if procedure and procedure not in self._known}
        with self._lock:
            if missing and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._look, args=(missing,), daemon=True, name="studio-titles")
                self._thread.start()
        return bool(missing)

    def close(self) -> None:
        """Stop looking."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(5)

    def _look(self, missing: dict[str, str]) -> None:
        for procedure, run in missing.items():
            if self._stopped.is_set():
                return
            found = self._shelf.find(run)
            self._known[procedure] = found.run.procedure.title if isinstance(found, RunPages) else ""
