"""The names a procedure declares, and what each may mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ...model.procedure import Document, Field, Option, Role, Task
from ..schema import PartSurface

TARGET = "target"
NOBODY = "nobody"
OPPONENT = "opponent"
ASSIGNED = "assigned"
EMPTY = "empty"


@dataclass(frozen=True)
class DeclaredNames:
    """`letters`: letter of the matrix -> kind. Everything else: id -> declaration."""

    letters: Mapping[str, str]
    roles: Mapping[str, Role]
    fields: Mapping[str, Field]
    documents: Mapping[str, Document]
    options: Mapping[str, Option]
    parts: Mapping[str, PartSurface]
    stages: tuple[str, ...]
    checklists: Mapping[str, tuple[Task, ...]] = field(default_factory=dict)

    @cached_property
    def titles(self) -> Mapping[str, tuple[str, ...]]:
        """Title -> the roles that bear it; a lawyer's own and with the title of whom he represents (原告代理律师)."""
        found: dict[str, list[str]] = {}
        for role in self.roles.values():
            above = self.roles.get(role.represents)
            for title in {role.title, (above.title if above else "") + role.title} - {""}:
                found.setdefault(title, []).append(role.id)
        return {title: tuple(roles) for title, roles in found.items()}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.letters.values())

    def words(self) -> frozenset[str]:
        """Every word the lexer must know to be one name."""
        needs = {need.text for part in self.parts.values() for need in part.needs}
        return frozenset(
            {TARGET, NOBODY, OPPONENT, *self.letters, *self.kinds, *self.roles, *self.titles, *self.fields}
            | {*self.documents, *self.options, *self.parts, *self.stages, *needs}
            | {choice for option in self.options.values() for choice in option.choices}
        )
