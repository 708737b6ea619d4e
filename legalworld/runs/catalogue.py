"""Every procedure that a person can name here: those of his project, and those that come with the package."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any, Final

from ..files.project_files import Disk, Snapshot, find, find_root
from ..language.link.expanded import expanded
from ..language.link.linker import link
from ..language.surfaces import canonical
from ..language.yaml.nodes import MapNode, Scalar
from ..language.yaml.reader import read
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Sources
from ..wording.columns import width
from .project import Problems, full_title, located


@immutable
class ProcedureEntry:
    """A file that declares a procedure; without one when it cannot be linked (`lw check` says why).

    `name` is what commands take, `file` the file as a person names it from where he is.
    """

    name: str
    file: str
    procedure: Procedure | None


def catalogue(cwd: Path, names: Container[str] | None = None) -> tuple[ProcedureEntry, ...]:
    """All procedures, in the order of their files; on demand only those that go by one of some names."""
    disk = Disk(find_root(cwd))
    found = ((path, name) for path, name in _procedures(disk) if names is None or name in names)
    return tuple(_entry(disk, path, cwd) for path, _ in found)


def named(word: str, cwd: Path) -> ProcedureEntry | Diagnostic:
    """The one that a word names."""
    place = find("specs", word, cwd)
    return place if isinstance(place, Diagnostic) else _entry(*place, cwd)


def _entry(disk: Disk, path: str, cwd: Path) -> ProcedureEntry:
    name = path.removeprefix("specs/").rpartition(".")[0]
    return ProcedureEntry(name, disk.shown(path, cwd), link(disk, path).procedure)


def _procedures(sources: Sources) -> Iterator[tuple[str, str]]:
    """The files of `specs/` that declare a procedure, and what they call it; the others are parts of them."""
    for path in sources.names("specs"):
        text = sources.read(path) if path.endswith((".yaml", ".yml")) else None
        node = read(path, text)[0] if text is not None else None
        for entry in node.entries if isinstance(node, MapNode) else ():
            if canonical(entry.key.text) == "procedure":
                yield path, entry.value.text if isinstance(entry.value, Scalar) else ""
                break


MOST_COLUMNS: Final = 100
"""How far to the right the origins of lines stand, where the lines leave them room."""


def expanded_text(word: str, cwd: Path) -> str | Problems:
    """A procedure with all that it extends and includes as one spec, the origin of each line behind it."""
    place = find("specs", word, cwd)
    if isinstance(place, Diagnostic):
        return (place,)
    disk, path = place
    sources = Snapshot(disk)
    linked = link(sources, path)
    if not linked.usable:
        return located((*linked.problems, *disk.problems), disk, cwd)
    lines = expanded(sources, path)
    edge = min(max((width(line.text) for line in lines if line.origins), default=0), MOST_COLUMNS)
    shown = []
    for line in lines:
        origins = (f"{disk.shown(span.file, cwd)}:{span.line}" for span in line.origins)
        note = ", ".join(dict.fromkeys(origins))
        shown.append(f"{line.text}{' ' * (edge - width(line.text))}  # {note}" if note else line.text)
    return "\n".join(shown) + "\n"


def as_json(entry: ProcedureEntry) -> dict[str, Any]:
    """One procedure for programs: roles as they are called, what its cases must hold, what can be chosen."""
    procedure = entry.procedure
    if procedure is None:
        return {"name": entry.name, "file": entry.file, "usable": False}
    return {
        "name": entry.name,
        "file": entry.file,
        "usable": True,
        "procedure": procedure.name,
        "title": procedure.title,
        "source": procedure.source,
        "law": list(procedure.law),
        "roles": [
            {"id": role.id, "title": full_title(procedure, role.id), "kind": role.kind, "side": role.side}
            for role in procedure.roles.values()
            if not role.assigned
        ],
        "targets": list(procedure.targets),
        "stages": [{"id": stage.id, "title": stage.title} for stage in procedure.stages],
        "needs": [
            {"field": field.name, "title": field.title, "path": field.path}
            for field in procedure.fields.values()
            if field.required
        ],
        "options": [
            {"name": option.name, "title": option.title, "choices": list(option.choices), "default": option.default}
            for option in procedure.options.values()
        ],
        "documents": [{"name": form.name, "title": form.title} for form in procedure.documents.values()],
        "example": procedure.example,
    }
