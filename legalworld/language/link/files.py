"""The files of one procedure: the spec, what it extends and includes, the personas and skill cards that it names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ...model.diagnostics import Diagnostic
from ...model.source import Sources, Span
from .. import diagnose
from ..cascades import folded
from ..front_matter import FrontMatter, split
from ..schema import SpecSurface
from ..surface_reader import SurfaceReader, read_node, read_surface
from ..surfaces import Model, load, load_as_meant
from ..yaml.nodes import MapNode, Node, Scalar
from ..yaml_keys import YAML_KEYS

MOST_GENERATIONS: Final = 16
"""The longest chain of procedures that extend one another."""


def named_case(node: object) -> Scalar | None:
    """The name of a case, where a file is one: it has `case: NAME` and is no procedure."""
    if not isinstance(node, MapNode):
        return None
    keys = {YAML_KEYS.get(entry.key.text, entry.key.text): entry.value for entry in node.entries}
    case = keys.get("case") if "procedure" not in keys else None
    return case if isinstance(case, Scalar) and case.text.strip() else None


class SpecFile(NamedTuple):
    """A spec file as read; `node` has the keys, with their places, that the surface has not."""

    node: MapNode
    surface: SpecSurface


Generation = list[SpecFile]
"""The files of a procedure without those of the one that it extends, in the order they were included, its own last."""


@dataclass(slots=True)
class SpecFiles:
    """`generations`: what is extended first. `paths` of every file read, `lines` of them all; `inherited`: the files of
    what is extended. `partial`: a file that has errors counts as far as it could be read. `guessed`: misspelt keys that
    were read as what was meant."""

    sources: Sources
    reader: SurfaceReader
    generations: list[Generation] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    inherited: set[str] = field(default_factory=set)
    lines: int = 0
    partial: bool = False
    guessed: set[Diagnostic] = field(default_factory=set)

    @property
    def lineage(self) -> tuple[str, ...]:
        """The procedures that are extended, the nearest first."""
        words = (generation[-1].surface.procedure for generation in reversed(self.generations[:-1]))
        return tuple(word.text for word in words if word is not None)

    def add(self, path: str, asked: Span, below: tuple[str, ...] = ()) -> None:
        """Read a procedure's file, what it extends and what it includes. `below`: the files that extend it."""
        generation: Generation = []
        main = self._spec(path, asked)
        if main is None:
            return
        if main.surface.extends is not None:
            self._extended(main.surface.extends, (*below, path))
        elif main.surface.changes is not None:
            self.reader.report(diagnose.changes_without_extends(main.surface.changes.span))
        self._include(main, path, generation, (path,))
        self.generations.append(generation)

    def _extended(self, name: Scalar, below: tuple[str, ...]) -> None:
        """The procedure of a name, `specs/NAME.yaml`."""
        place = self.beside("specs/", name)
        if place is None:
            return
        path = next((file for file in (f"{place}.yaml", f"{place}.yml") if self.sources.read(file) is not None), None)
        if path in below or len(below) > MOST_GENERATIONS:
            self.reader.report(diagnose.circular_extends(name.span, name=name.text, most=MOST_GENERATIONS))
        elif path is None or path in self.paths:
            self._no_procedure(name)
        else:
            own = frozenset(self.paths)
            self.add(path, name.span, below)
            self.inherited |= {*self.paths} - own
            if self.generations and self.generations[-1][-1].surface.procedure is None:
                self._no_procedure(name)

    def _no_procedure(self, name: Scalar) -> None:
        files = (file for file in self.sources.names("specs") if file.endswith((".yaml", ".yml")))
        known = [file.removeprefix("specs/").rpartition(".")[0] for file in files]
        known = [each for each in known if each != name.text and not each.endswith(".test")]
        listed = tuple(each for each in known if "/" not in each)
        self.reader.report(diagnose.unknown_extended_procedure(name.span, name=name.text, listed=listed, among=known))

    def _include(self, file: SpecFile, path: str, generation: Generation, above: tuple[str, ...]) -> None:
        """Add a file after those that it includes, depth first; a file included twice counts once."""
        for word in file.surface.include:
            place = self.beside(path, word)
            if place is None or (place in self.paths and place not in above):
                continue
            if place in above:
                self.reader.report(diagnose.circular_include(word.span, path=place))
                continue
            included = self._spec(place, word.span)
            if included is None:
                continue
            for key, written in (("extends", included.surface.extends), ("changes", included.surface.changes)):
                if written is not None:
                    self.reader.report(diagnose.misplaced_extends(written.span, key=key))
            self._include(included, place, generation, (*above, place))
        generation.append(file)

    def _spec(self, path: str, asked: Span) -> SpecFile | None:
        node, problems, source = read_node(self.sources, path, asked)
        self._note(path, source)
        case = named_case(node)
        if case is not None:  # one message for it: its keys are not misspelt keys of a procedure
            self.reader.problems += (*problems, diagnose.case_for_procedure(case.span, name=case.text, path=path))
            return None
        surface, more = self._loaded(node) if node is not None else (None, ())
        self.reader.problems += folded((*problems, *more))
        if surface is None or not isinstance(node, MapNode):
            return None
        if "lw" in surface.given:
            self.reader.version(surface.lw)
        return SpecFile(node, surface)

    def _loaded(self, node: Node) -> tuple[SpecSurface | None, tuple[Diagnostic, ...]]:
        if self.partial:
            return load(SpecSurface, node, partial=True)
        surface, problems, guessed = load_as_meant(SpecSurface, node)
        self.guessed |= set(problems) if guessed else set()
        return surface, problems

    @property
    def stopped(self) -> bool:
        """Whether anything keeps the files from being linked: every error but misspelt keys that are known to be such,
        and these too where a file is put together with another, in which they would be met again."""
        alone = len(self.generations) == 1
        found = (problem for problem in self.reader.problems if problem.severity == "error")
        return any(not alone or problem not in self.guessed for problem in found)

    def _note(self, path: str, source: str | None) -> None:
        if source is not None:
            self.paths.append(path)
            self.lines += source.count("\n") + 1

    def surface(self, model: type[Model], path: str, asked: Span) -> Model | None:
        """A file as a surface; what is wrong with it is noted."""
        surface, problems, source = read_surface(model, self.sources, path, asked, self.partial)
        self.reader.problems += problems
        self._note(path, source)
        return surface

    def page(self, model: type[Model], path: str, asked: Span) -> tuple[Model | None, str]:
        """A Markdown file: what stands in front as a surface, and the text below."""
        surface, problems, _ = read_surface(model, FrontMatter(self.sources), path, asked, self.partial)
        self.reader.problems += problems
        text = self.sources.read(path) or ""
        self._note(path, text)
        return surface, split(text)[1]

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
