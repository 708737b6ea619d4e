"""Looking again whenever a file of a project is saved, and what has changed in what is shown."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final, Literal

from ..files.project_files import EXPERT_FOLDERS, LITTER

Mark = Literal[" ", "+", "-", "…"]
Stamps = Mapping[str, tuple[int, int]]
"""File -> the time of its last change, and its size."""

MOST_FILES: Final = 20_000
PAUSE: Final = 0.3  # seconds between two looks
_SETTLED: Final = 0.1  # seconds in which nothing more is saved: editors write a file in several steps
_AROUND: Final = 3  # unchanged lines that are shown beside a changed one


def marked(before: str, now: str) -> Iterator[tuple[Mark, str]]:
    """The lines of a text with those that are new (+) and gone (-); where many are as they were, how many (…)."""
    old, new = before.splitlines(), now.splitlines()
    pieces = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for at, (kind, start, end, first, last) in enumerate(pieces):
        if kind == "equal":
            yield from _unchanged(new[first:last], begins=at == 0, ends=at == len(pieces) - 1)
        else:
            yield from (("-", line) for line in old[start:end])
            yield from (("+", line) for line in new[first:last])


def _unchanged(lines: Sequence[str], *, begins: bool, ends: bool) -> Iterator[tuple[Mark, str]]:
    """What stands between changes: no more than a few lines beside each."""
    head, tail = (0 if begins else _AROUND), (0 if ends else _AROUND)
    if len(lines) <= head + tail + 1:
        yield from ((" ", line) for line in lines)
        return
    yield from ((" ", line) for line in lines[:head])
    yield "…", str(len(lines) - head - tail)
    yield from ((" ", line) for line in lines[len(lines) - tail :])


def stamps(root: Path) -> Stamps:
    """The files of a project's folders as they are now; hidden ones and those that Python writes are none."""
    found: dict[str, tuple[int, int]] = {}
    for folder in EXPERT_FOLDERS:
        for at, folders, files in os.walk(root / folder):
            folders[:] = [name for name in folders if name not in LITTER and not name.startswith(".")]
            for name in files:
                if name.startswith(".") or name.endswith("~"):
                    continue
                path = os.path.join(at, name)
                try:
                    status = os.stat(path)
                except OSError:
                    continue
                found[path] = status.st_mtime_ns, status.st_size
                if len(found) >= MOST_FILES:
                    return found
    return found


def saved(root: Path, known: Stamps, pause: float = PAUSE) -> Iterator[tuple[str, ...]]:
    """The files that were written, made or taken away since `known`, then each time that some were; without end."""
    while True:
        time.sleep(pause)
        now = stamps(root)
        if now == known:
            continue
        while (later := _later(root)) != now:
            now = later
        changed = {path for path in {*known, *now} if known.get(path) != now.get(path)}
        known = now
        if changed:
            yield tuple(sorted(os.path.relpath(path, root) for path in changed))


def _later(root: Path) -> Stamps:
    time.sleep(_SETTLED)
    return stamps(root)
