"""Procedures that many tests open: linked and checked once in a process, while all that was read of them is the same.

Linking and checking are functions of the files alone, so a procedure is kept with every text and list of names that it
was made from; one of them that reads differently has it opened anew.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from legalworld.files.project_files import PACKAGE, Disk, Snapshot
from legalworld.model.source import Sources
from legalworld.runs.project import Project

Reading = Callable[[Sources, str], Project]
MOST: Final = 32  # of those that come with the package
ELSEWHERE: Final = 4  # of those of a test's own project, which the next test has not


class Noted(Snapshot):
    """A snapshot that can be compared with what is there later."""

    def still(self, now: Sources) -> bool:
        same = all(now.names(folder) == names for folder, names in self._names.items())
        return same and all(now.read(path) == text for path, text in self._texts.items())


class Shelf:
    """Projects of one kind: (root, path) -> what was read there; of too many, the one that was asked for longest ago
    goes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], tuple[Noted, Project]] = OrderedDict()

    def read(self, root: str, disk: Disk, path: str, reading: Reading) -> Project:
        key = root, path
        if key in self._kept and self._kept[key][0].still(disk):
            self._kept.move_to_end(key)
            return self._kept[key][1]
        noted = Noted(disk)
        self._kept[key] = noted, reading(noted, path)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[key][1]


def keeping(read_project: Reading) -> Reading:
    """The same function, that remembers; what is not on the disk is read each time."""
    package = os.path.realpath(PACKAGE)
    shipped, others = Shelf(MOST), Shelf(ELSEWHERE)

    def read(sources: Sources, path: str) -> Project:
        disk = sources._inner if isinstance(sources, Snapshot) else None
        if not isinstance(disk, Disk):
            return read_project(sources, path)
        root = os.path.realpath(disk.root or PACKAGE)  # without a project of one's own, the package's
        return (shipped if root == package else others).read(root, disk, path, read_project)

    return read
