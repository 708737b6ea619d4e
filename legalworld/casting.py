"""Who takes part: the persons of a case, from its procedure's roles."""

from __future__ import annotations

from collections.abc import Mapping

from .case import MISSING, Case, Person, Record, Sided, Value
from .procedure import Procedure, Role


def cast(procedure: Procedure, case: Case) -> tuple[Person, ...]:
    """One person per record of a role's `each` field, else one per role; assigned roles are worn by these later."""
    persons: list[Person] = []
    for role in procedure.roles.values():
        if role.assigned:
            continue
        if role.each:
            records = _records(case, role)
            persons += [_party(role, record, number, len(records)) for number, record in enumerate(records, 1)]
        else:
            persons.append(_single(role, case))
    clients = {role: tuple(p.id for p in persons if p.role == role) for role in procedure.roles}
    return tuple(_with_clients(person, clients.get(procedure.roles[person.role].represents, ())) for person in persons)


def first_worn(procedure: Procedure, persons: tuple[Person, ...]) -> Mapping[str, tuple[str, ...]]:
    """Who wears which role when the first stage begins."""
    return {role: tuple(p.id for p in persons if p.role == role) for role in procedure.roles}


def _with_clients(person: Person, clients: tuple[str, ...]) -> Person:
    if not clients:
        return person
    return Person(person.id, person.name, person.role, person.kind, person.side, person.record, person.persona, clients)


def _records(case: Case, role: Role) -> tuple[Record, ...]:
    value = _of_side(case, role.each, role.side)
    found = value if isinstance(value, tuple) else (value,)
    return tuple(record for record in found if isinstance(record, Record))


def _of_side(case: Case, name: str, side: str) -> Value:
    value = case.fields.get(name, MISSING)
    return value.values.get(side, MISSING) if isinstance(value, Sided) else value


def _party(role: Role, record: Record, number: int, count: int) -> Person:
    name = _word(record, "name")
    levels = record.get("persona", MISSING)
    persona = {key: str(levels[key]) for key in levels if levels[key]} if isinstance(levels, Record) else {}
    person = role.id if count == 1 else f"{role.id}-{number}"
    return Person(person, name, role.id, role.kind, role.side, record, persona, ())


def _single(role: Role, case: Case) -> Person:
    record = _of_side(case, role.named, role.side) if role.named else MISSING
    found = record if isinstance(record, Record) else Record({})
    return Person(role.id, _word(found, "name"), role.id, role.kind, role.side, found, {}, ())


def _word(record: Record, key: str) -> str:
    return str(record[key]) if key in record else ""
