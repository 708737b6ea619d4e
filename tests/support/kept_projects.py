"""Procedures that many tests open: linked and checked once in a process, while all that was read of them is the same.

Linking and checking are functions of the files alone, so a procedure is kept with every text and list of names that it
was made from; one of them that reads differently has it opened anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from legalworld.files.project_files import Disk, Snapshot
from legalworld.model.source import Sources
from legalworld.runs.project import Project

Reading = Callable[[Sources, str], Project]
MOST: Final = 12


class Noted(Snapshot):
    """A snapshot that notes which names it was asked for, and can be compared with what is there later."""

    def __init__(self, inner: Sources) -> None:
        super().__init__(inner)
        self.listed: dict[str, tuple[str, ...]] = {}

    def names(self, folder: str) -> tuple[str, ...]:
        return self.listed.setdefault(folder, super().names(folder))

    def still(self, now: Sources) -> bool:
        same = all(now.names(folder) == names for folder, names in self.listed.items())
        return same and all(now.read(path) == text for path, text in self._texts.items())


def keeping(read_project: Reading) -> Reading:
    """The same function, that remembers; what is not on the disk is read each time."""
    kept: OrderedDict[tuple[str, str], tuple[Noted, Project]] = OrderedDict()

    def read(sources: Sources, path: str) -> Project:
        disk = sources._inner if isinstance(sources, Snapshot) else None
        if not isinstance(disk, Disk):
            return read_project(sources, path)
        key = str(disk.root), path
        if key in kept and kept[key][0].still(disk):
            kept.move_to_end(key)
            return kept[key][1]
        noted = Noted(disk)
        kept[key] = noted, read_project(noted, path)
        if len(kept) > MOST:
            kept.popitem(last=False)
        return kept[key][1]

    return read
