"""The names that the procedures of a project declare, as a JSON Schema asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..language.link.verbs import KNOWN_ACTS
from ..language.schema import SpecSurface
from ..language.surface_reader import read_surface
from ..language.value_words import Declared
from ..model.procedure import Procedure
from .picture import Picture

_YAML: Final = (".yaml", ".yml")


def declared_names(picture: Picture) -> dict[Declared, frozenset[str]]:
    """What may be named, of all procedures of a project together: a file cannot tell in which of them it stands."""
    found: dict[Declared, set[str]] = {"acts": {*KNOWN_ACTS}}
    for main in picture.procedures():
        procedure = picture.linked(main).procedure
        if procedure is not None:
            for what, name in _declared(picture, procedure):
                found.setdefault(what, set()).add(name)
    for what, name in _files(picture):
        found.setdefault(what, set()).add(name)
    return {what: frozenset(names) for what, names in found.items()}


def _declared(picture: Picture, procedure: Procedure) -> Iterator[tuple[Declared, str]]:
    yield "procedures", procedure.name
    values = (*procedure.fields, *procedure.documents, *procedure.answers)
    sections: tuple[tuple[Declared, tuple[str, ...]], ...] = (
        ("kinds", tuple(procedure.kinds)),
        ("roles", tuple(procedure.roles)),
        ("kinds or roles", (*procedure.kinds, *procedure.roles)),
        ("fields", tuple(procedure.fields)),
        ("documents", tuple(procedure.documents)),
        ("documents or parameters", (*procedure.documents, *_parameters(picture, procedure))),
        ("answers", tuple(procedure.answers)),
        ("values", values),
        ("stages", tuple(stage.id for stage in procedure.stages)),
        ("personas", tuple(procedure.personas)),
        ("checklists", tuple(procedure.checklists)),
        ("decisions", tuple(procedure.decisions)),
    )
    for what, names in sections:
        yield from ((what, name) for name in names)
    for stage in procedure.stages:
        yield "stages or phases", stage.id
        yield from (("stages or phases", f"{stage.id}/{phase.id}") for phase in stage.phases)


def _parameters(picture: Picture, procedure: Procedure) -> Iterator[str]:
    for path in procedure.files:
        surface = read_surface(SpecSurface, picture, path, partial=True)[0] if path.endswith(_YAML) else None
        for part in surface.parts.values() if surface is not None else ():
            yield from (word.text for word in part.needs)
            yield from part.defaults


def _files(picture: Picture) -> Iterator[tuple[Declared, str]]:
    for path in picture.names("specs"):
        while path.endswith(_YAML) and path:  # from whichever folder it is included
            yield "spec files", path
            path = path.partition("/")[2]
    yield from (("cases", path) for path in picture.names("cases"))
    for path in picture.names("skills"):
        yield "skills", path.removeprefix("skills/").rpartition(".")[0]
        yield "skills", path.removeprefix("skills/")
