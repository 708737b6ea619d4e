"""How persons are called now: the title of the role they wear, as the procedure words it."""

from __future__ import annotations

from .case import Person
from .procedure import Procedure, Role
from .state import CaseState


def title(procedure: Procedure, state: CaseState, person: str) -> str:
    """The title as now worn: 原告, 上诉人, 原审被告, 上诉人代理律师.

    Where two sides wear one title at once, the original one stands behind it in brackets, so that it stays a name.
    """
    found = state.persons[person]
    if found.represents:
        return title(procedure, state, found.represents[0]) + procedure.roles[found.role].title
    return _worn(procedure, state, found, shared=True)


def full_title(procedure: Procedure, state: CaseState, person: str) -> str:
    """The title with the original one behind it, as documents want it: 上诉人（原审被告）."""
    found = state.persons[person]
    role = _assigned(procedure, state, found)
    original = procedure.roles[found.role].title
    if role is None or not role.title or not role.formerly:
        return title(procedure, state, person)
    return f"{role.title}（{role.formerly}{original}）"


def label(procedure: Procedure, state: CaseState, person: str) -> str:
    """The title, with the name where several persons bear the title: 被告郑若虹."""
    word = title(procedure, state, person)
    same = [p for p in state.persons if p != person and title(procedure, state, p) == word]
    together = [p for p in same if state.persons[p].side == state.persons[person].side and state.persons[p].side]
    return word + state.persons[person].name if together else word


def _assigned(procedure: Procedure, state: CaseState, person: Person) -> Role | None:
    """The last assigned role with words of its own that the person wears."""
    roles = [
        procedure.roles[name]
        for name, persons in state.worn.items()
        if person.id in persons and procedure.roles[name].assigned
    ]
    spoken = [role for role in roles if role.title or role.formerly]
    return spoken[-1] if spoken else None


def _worn(procedure: Procedure, state: CaseState, person: Person, shared: bool) -> str:
    original = procedure.roles[person.role].title
    role = _assigned(procedure, state, person)
    if role is None:
        return original
    if not role.title:
        return role.formerly + original
    sides = {state.persons[other].side for other in state.worn[role.id]}
    return f"{role.title}（{role.formerly}{original}）" if shared and len(sides) > 1 else role.title
