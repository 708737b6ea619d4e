"""Every procedure that a person can name here: those of his project, and those that come with the package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..files.project_files import Disk, find_root
from ..language.link.linker import link
from ..language.surfaces import canonical
from ..language.yaml.nodes import MapNode
from ..language.yaml.reader import read
from ..model.procedure import Procedure
from ..model.source import Sources
from .project import full_title


@dataclass(frozen=True, slots=True)
class ProcedureEntry:
    """A file that declares a procedure; without one when it cannot be linked (`lw check` says why).

    `name` is what commands take, `file` the file as a person names it from where he is.
    """

    name: str
    file: str
    procedure: Procedure | None


def catalogue(cwd: Path) -> tuple[ProcedureEntry, ...]:
    """All procedures, in the order of their files."""
    disk = Disk(find_root(cwd))
    return tuple(
        ProcedureEntry(
            path.removeprefix("specs/").rpartition(".")[0], disk.shown(path, cwd), link(disk, path).procedure
        )
        for path in _procedures(disk)
    )


def _procedures(sources: Sources) -> Iterator[str]:
    """The files of `specs/` that declare a procedure; the others are parts of them."""
    for path in sources.names("specs"):
        text = sources.read(path) if path.endswith((".yaml", ".yml")) else None
        node = read(path, text)[0] if text is not None else None
        if isinstance(node, MapNode) and any(canonical(entry.key.text) == "procedure" for entry in node.entries):
            yield path


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
