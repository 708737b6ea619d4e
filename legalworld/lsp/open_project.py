"""A project of which files are open in an editor: the disk with the unsaved texts laid over it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pygls.uris import from_fs_path, to_fs_path

from ..authoring.picture import Picture
from ..authoring.watch import Stamps, stamps
from ..files.project_files import EXPERT_FOLDERS, FILE_CAP, Disk, Snapshot, canonical, find_root
from .positions import Ruler

_READ: Final = (".yaml", ".yml", ".j2", ".md")
MOST_PROJECTS: Final = 4
"""So many are kept; of the others, those of which no file is open are read again when one is."""


@dataclass(slots=True)
class Buffer:
    """A file as an editor shows it. `version`: as the editor counts; `uri`: as it calls the file."""

    uri: str
    text: str
    version: int | None


@dataclass(slots=True, eq=False)
class OpenProject:
    """`recent`: the procedure that was looked at last; a shared part is checked in that one first."""

    root: Path
    disk: Disk
    picture: Picture
    known: Stamps
    buffers: dict[str, Buffer] = field(default_factory=dict)
    recent: str = ""
    rulers: dict[str, Ruler] = field(default_factory=dict)

    @classmethod
    def at(cls, root: Path) -> OpenProject:
        disk = Disk(root)
        return cls(root, disk, Picture(Snapshot(disk)), stamps(root))

    # ---- texts

    def put(self, path: str, uri: str, text: str, version: int | None) -> None:
        """A file says something else in the editor."""
        self.buffers[path] = Buffer(uri, text, version)
        self.picture = self.picture.replaced(path, text)

    def closed(self, path: str) -> None:
        """A file is no longer open: what stands on the disk counts again."""
        if self.buffers.pop(path, None) is not None:
            self.picture = self.picture.replaced(path, self.disk.read(path))

    def refreshed(self) -> bool:
        """Whether files that are not open were written, made or taken away since; they are read again."""
        now = stamps(self.root)
        changed = {file for file in {*now, *self.known} if now.get(file) != self.known.get(file)}
        self.known = now
        before = self.picture
        for file in sorted(changed):
            path = os.path.relpath(file, self.root).replace(os.sep, "/")
            if path not in self.buffers and path.endswith(_READ):
                self.picture = self.picture.replaced(path, self.disk.read(path))
        return self.picture is not before

    @staticmethod
    def measure(text: str, encoding: str) -> Ruler:
        """What measures a text that is being edited."""
        return Ruler(text, encoding)

    def ruler(self, path: str, encoding: str) -> Ruler:
        """What measures a file's text as it is now."""
        text = self.picture.read(path) or ""
        kept = self.rulers.get(path)
        if kept is None or kept.text is not text:
            if len(self.rulers) > 100:
                self.rulers.clear()
            kept = self.rulers[path] = Ruler(text, encoding)
        return kept

    # ---- files and procedures

    def uri(self, path: str) -> str:
        """How editors call a file of this project, or one that came with the package."""
        if (buffer := self.buffers.get(path)) is not None:
            return buffer.uri
        found = self.disk.find(path)
        return from_fs_path(found if isinstance(found, str) else str(self.root / path)) or ""

    def home(self, path: str) -> str | None:
        """The procedure in which a file is checked first: the one looked at last, if it is made of the file."""
        if path in self.picture.procedures():
            self.recent = path
        elif not (self.recent in self.picture.procedures() and self.picture.made_of(self.recent, path)):
            self.recent = self.picture.home(path) or ""
        return self.recent or None


@dataclass(slots=True)
class OpenProjects:
    """All projects of which files are open; files that lie in none are nobody's."""

    projects: dict[Path, OpenProject] = field(default_factory=dict)

    def find(self, uri: str) -> tuple[OpenProject, str] | None:
        """The project and the path in it of a file as editors call it; None for what is no expert's file."""
        file = to_fs_path(uri)
        if file is None or "\0" in file or not os.path.isabs(file):
            return None
        file = os.path.normpath(file)
        root = find_root(Path(file).parent)
        if root is None:
            return None
        path = os.path.relpath(file, root).replace(os.sep, "/")
        if not canonical(path) or path.split("/")[0] not in EXPERT_FOLDERS or not path.endswith(_READ):
            return None
        project = self.projects.get(root)
        if project is None:
            project = self.projects[root] = OpenProject.at(root)
            self._shed(project)
        if project.disk.find(path) is not None and not isinstance(project.disk.find(path, own=True), str | None):
            return None  # a link that leads out of the project, or no file at all
        return project, path

    def open(self, uri: str, text: str, version: int | None) -> OpenProject | None:
        """The project in which a file says something else; None where it is nobody's, or too long to be read."""
        found = self.find(uri)
        if found is None or len(text) > FILE_CAP:
            return None
        found[0].put(found[1], uri, text, version)
        return found[0]

    def _shed(self, kept: OpenProject) -> None:
        for root in [root for root, one in self.projects.items() if not one.buffers and one is not kept]:
            if len(self.projects) <= MOST_PROJECTS:
                return
            del self.projects[root]
