"""The files of one procedure: the spec and what it includes, the personas and skill cards that it names."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.source import Sources, Span
from .. import diagnose
from ..schema import SpecSurface
from ..surface_reader import SurfaceReader, read_surface
from ..surfaces import Model
from ..yaml.nodes import Scalar


@dataclass(slots=True)
class SpecFiles:
    """`specs` in the order they were included, the main one last; `paths` of every file read; `lines` of them all."""

    sources: Sources
    reader: SurfaceReader
    specs: list[SpecSurface] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    lines: int = 0

    def add(self, path: str, asked: Span, above: tuple[str, ...] = ()) -> None:
        """Read a spec file and what it includes, depth first; a file included twice counts once."""
        if path in above:
            self.reader.report(diagnose.circular_include(asked, path=path))
            return
        if path in self.paths:
            return
        surface = self.surface(SpecSurface, path, asked)
        if surface is None:
            return
        self.reader.version(surface.lw)
        for included in surface.include:
            place = self.beside(path, included)
            if place is not None:
                self.add(place, included.span, (*above, path))
        self.specs.append(surface)

    def surface(self, model: type[Model], path: str, asked: Span) -> Model | None:
        """A file as a surface; what is wrong with it is noted."""
        surface, problems, source = read_surface(model, self.sources, path, asked)
        self.reader.problems += problems
        if source is not None:
            self.paths.append(path)
            self.lines += source.count("\n") + 1
        return surface

    def beside(self, path: str, relative: Scalar) -> str | None:
        """A path as seen from the folder of another; one that leaves the project is a problem."""
        place = beside(path, relative.text)
        if place is None:
            self.reader.report(diagnose.file_outside_project(relative.span, path=relative.text))
        return place


def beside(path: str, relative: str) -> str | None:
    """`relative` as seen from the folder of `path`; None when it leaves the project."""
    parts = path.split("/")[:-1]
    for word in relative.split("/"):
        match word:
            case "" if not relative.startswith("/"):
                continue
            case ".":
                continue
            case ".." if parts:
                parts.pop()
            case "" | "..":
                return None
            case _:
                parts.append(word)
    return None if "\\" in relative else "/".join(parts)
