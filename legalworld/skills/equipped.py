"""A procedure with one more skill card: another procedure that extends it, of which only the card is new."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..language import diagnose
from ..model.immutable import immutable
from ..model.source import Sources, Span
from ..runs.project import Problems, Project, read_project

_SPECS = "specs/"
_ENDINGS = (".yaml", ".yml")


@immutable
class Overlaid:
    """Sources with some files in front of those that they have."""

    inner: Sources
    texts: Mapping[str, str]

    def read(self, path: str) -> str | None:
        return self.texts.get(path) or self.inner.read(path)

    def names(self, folder: str) -> tuple[str, ...]:
        own = (path for path in self.texts if path.startswith(f"{folder.rstrip('/')}/"))
        return tuple(sorted({*self.inner.names(folder), *own}))


def extendable(project: Project) -> Problems:
    """Why no procedure can extend that of a project: it does not lie in a folder `specs`."""
    if project.path.startswith(_SPECS) and project.path.endswith(_ENDINGS):
        return ()
    return (diagnose.spec_outside_specs(project.path, path=project.path),)


@lru_cache(maxsize=4)
def equipped(project: Project, name: str, text: str) -> Project | Problems:
    """The project with a card; or what is wrong with the card, which is linked and checked like any other.

    Kept for the cards that are at hand: each is looked through when it is written, and played with afterwards.
    """
    procedure = project.procedure
    assert procedure is not None
    word = project.path.removeprefix(_SPECS).rpartition(".")[0]
    path = f"{_SPECS}{word}-{name}.yaml"
    spec = f"lw: 1\nprocedure: {procedure.name}-{name}\nextends: {word}\nskills: [{name}]\n"
    if project.sources.read(path) is not None or project.sources.read(f"skills/{name}.yaml") is not None:
        return (diagnose.taken_card_name(Span("--card", 0, 0), name=name),)
    made = read_project(Overlaid(project.sources, {path: spec, f"skills/{name}.md": text}), path)
    return made if made.procedure is not None else made.problems
