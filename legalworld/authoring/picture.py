"""An immutable picture of a project of expert files, from which editors, commands and pages ask everything.

A picture never changes: `replaced` gives another one in which one file says something else. What was linked and proved
without that file is shared by both. A picture does no I/O; it reads `Sources` that stay as they are, such as a
`Snapshot` of a disk, with texts laid over them (the unsaved buffers of an editor).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from ..checking.check import check
from ..language.link.linker import Linked, link
from ..language.surface_reader import read_node
from ..language.surfaces import canonical
from ..language.yaml.nodes import MapNode
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import MemorySources, Sources
from ..templates.template_set import TemplateSet
from .kept_proof import KeptProof, moved
from .names_reader import NamesReader

Made = TypeVar("Made")
_SPECS, _SUFFIXES = "specs", (".yaml", ".yml")
_WORDING = ("prompts/", "documents/")


Signature = tuple[object, ...]


def signature(problem: Diagnostic) -> Signature:
    """A problem without its line, which moves while somebody types."""
    return problem.code, problem.span.file, problem.span.length, *sorted(map(str, problem.values.items()))


@immutable
class Kept(Generic[Made]):
    """Something made of files. `files`: all that were asked for, also those that are not there; `folders`: listed."""

    value: Made
    files: frozenset[str]
    folders: frozenset[str]

    def holds_without(self, path: str, appears: bool) -> bool:
        """Whether it is the same where a file says something else; `appears`: the file comes or goes."""
        return path not in self.files and not (
            appears and any(path.startswith(f"{folder.rstrip('/')}/") for folder in self.folders)
        )


@dataclass(frozen=True, slots=True)
class WatchedSources:
    """Sources that note which files are read and which folders are listed."""

    inner: Sources
    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)

    def read(self, path: str) -> str | None:
        self.files.add(path)
        return self.inner.read(path)

    def names(self, folder: str) -> tuple[str, ...]:
        self.folders.add(folder)
        return self.inner.names(folder)

    def kept(self, value: Made) -> Kept[Made]:
        """The value with what was read so far."""
        return Kept(value, frozenset(self.files), frozenset(self.folders))


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The texts of a project. `laid`: path -> the text that stands there instead (None: the file is gone).

    `_made` holds what was asked for, so that it is made once; `_sound`: by main file, what was wrong when all of its
    files could last be read; `_proofs`: what was proved of it last. Nobody sees these change.
    """

    below: Sources
    laid: Mapping[str, str | None] = field(default_factory=dict)
    _made: dict[tuple[str, str], Kept[Any]] = field(default_factory=dict)
    _sound: dict[str, frozenset[Signature]] = field(default_factory=dict)
    _proofs: dict[str, KeptProof] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Self:
        """A picture of texts in memory, by their paths in the project."""
        return cls(MemorySources(dict(texts)))

    # ---- its files

    def read(self, path: str) -> str | None:
        """The text of a file; None where there is none, and for a path that leads out of the project."""
        if _leads_out(path):
            return None
        return self.laid[path] if path in self.laid else self.below.read(path)

    def names(self, folder: str) -> tuple[str, ...]:
        """Paths of all files below a folder, sorted."""
        prefix = folder.rstrip("/") + "/"
        found = {path for path in self.below.names(folder) if self.laid.get(path, "") is not None}
        return tuple(
            sorted(found | {path for path, text in self.laid.items() if text is not None and path.startswith(prefix)})
        )

    def replaced(self, path: str, text: str | None) -> Picture:
        """The picture in which this file says something else, or is gone; this one stays as it is."""
        if _leads_out(path) or text == (before := self.read(path)):
            return self
        appears = (text is None) != (before is None)
        made = {key: kept for key, kept in self._made.items() if _holds(key, kept, path, appears)}
        return Picture(self.below, {**self.laid, path: text}, made, dict(self._sound), dict(self._proofs))

    # ---- its procedures

    def procedures(self) -> tuple[str, ...]:
        """The main files of all procedures: those in `specs/` that say `procedure`."""
        return self.once("procedures", "", lambda sources: tuple(p for p in _specs(sources) if _is_main(sources, p)))

    def homes(self, path: str) -> tuple[str, ...]:
        """The main files of the procedures that are made of a file: by `extends`, `include`, as persona, card, wording.

        A procedure's own main file is its only home, unless others extend it.
        """
        return tuple(main for main in self.procedures() if self.made_of(main, path))

    def made_of(self, main: str, path: str) -> bool:
        """Whether a procedure is made of a file."""
        linked = self.linked(main).procedure
        if linked is None or not path.startswith(_WORDING):
            return path in self._kept("link", main, lambda sources: _linked(sources, main)).files
        return path in self.templates(main).homes or path in self.templates(main).tables

    def linked(self, main: str) -> Linked:
        """The procedure of a main file, as far as it could be made, and what was found wrong on the way."""
        linked = self.read_names(main)[0]
        if not linked.follow and linked.procedure is not None:
            self._sound[main] = frozenset(map(signature, linked.problems))
        return linked

    def read_names(self, main: str) -> tuple[Linked, NamesReader]:
        """The same, with the sentences that were read on the way."""
        return self.once("link", main, lambda sources: _linked(sources, main))

    def home(self, path: str) -> str | None:
        """The first of the procedures that are made of a file, without asking the others."""
        return next((main for main in self.procedures() if self.made_of(main, path)), None)

    def stood_before(self, main: str) -> frozenset[Signature]:
        """What was wrong with a procedure when all of its files could last be read, wherever it stands by now."""
        return self._sound.get(main, frozenset())

    def templates(self, main: str) -> TemplateSet:
        """The templates of a procedure; none of its own where it could not be made."""
        procedure = self.linked(main).procedure
        key = f"{procedure.locale} {' '.join(procedure.folders)}" if procedure is not None else ""
        made: TemplateSet = self.once(
            "templates", key, lambda _: TemplateSet.of(self, procedure) if procedure is not None else TemplateSet(self)
        )
        return made

    def proof(self, main: str) -> tuple[Diagnostic, ...] | None:
        """What the rules of `checking` find in a procedure; None while it has errors that keep it from being linked."""
        linked = self.linked(main)
        procedure = linked.procedure
        if procedure is None or not linked.usable:
            return None
        return self.once("proved", main, lambda _: self._proved(main, procedure), like=("link", main))

    def _proved(self, main: str, procedure: Procedure) -> tuple[Diagnostic, ...]:
        """What was found before, where only words have changed that no rule reads; else what the rules find."""
        templates, kept = self.templates(main), self._proofs.get(main)
        found = moved(kept, procedure, templates, self.read) if kept is not None else None
        if found is None:
            found = check(procedure, templates)
        texts = {path: self.read(path) for path in self._made["link", main].files}
        self._proofs[main] = KeptProof(procedure, templates, texts, found)
        return found

    # ---- what is made once

    def once(self, what: str, of: str, make: Callable[[Sources], Made], like: tuple[str, str] | None = None) -> Made:
        """What somebody makes of a file, made once as long as nothing that it was made of changes."""
        return self._kept(what, of, make, like).value

    def _kept(
        self, what: str, of: str, make: Callable[[Sources], Made], like: tuple[str, str] | None = None
    ) -> Kept[Made]:
        """What was made before of the same files, else made now. `like`: what it rests on, it goes with that."""
        kept = self._made.get((what, of))
        if kept is None:
            watched = WatchedSources(self)
            kept = watched.kept(make(watched))
            if like is not None:
                rests = self._made[like]
                kept = Kept(kept.value, kept.files | rests.files, kept.folders | rests.folders)
            self._made[what, of] = kept
        return kept


def _linked(sources: Sources, main: str) -> tuple[Linked, NamesReader]:
    reader = NamesReader()
    return link(sources, main, partial=True, reader=reader), reader


def _holds(key: tuple[str, str], kept: Kept[Any], path: str, appears: bool) -> bool:
    """Whether something is the same when a file changes. Templates are read when they are asked for: any may be."""
    if key[0] in ("templates", "proved") and path.startswith(_WORDING):
        return False
    return kept.holds_without(path, appears)


def _leads_out(path: str) -> bool:
    return "\\" in path or not {"", ".", ".."}.isdisjoint(path.split("/"))


def _specs(sources: Sources) -> tuple[str, ...]:
    return tuple(path for path in sources.names(_SPECS) if path.endswith(_SUFFIXES))


def _is_main(sources: Sources, path: str) -> bool:
    node = read_node(sources, path)[0]
    return isinstance(node, MapNode) and any(canonical(entry.key.text) == "procedure" for entry in node.entries)
