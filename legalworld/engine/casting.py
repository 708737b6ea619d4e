"""Who takes part: the persons of a case, from its procedure's roles."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.actors import FieldRef
from ..model.case import MISSING, Case, Person, Record, Sided, Value
from ..model.immutable import replace
from ..model.procedure import Procedure, Role, all_steps
from ..model.steps.assign import Assign
from .conditions import EvalContext, holds
from .state import CaseState


def cast(procedure: Procedure, case: Case, options: Mapping[str, str] | None = None) -> tuple[Person, ...]:
    """One person per record of a role's `each` field, else one per role; assigned roles are held by these later.

    Nobody holds a role whose condition does not hold with these options; without options, everybody who could be.
    """
    persons: list[Person] = []
    now = EvalContext(CaseState({}, {}, ""), completed(procedure, case), options or {}, locale=procedure.locale)
    for role in procedure.roles.values():
        if role.assigned or (options is not None and not holds(role.when, now)):
            continue
        if role.each:
            records = _records(case, role)
            persons += [_party(role, record, number, len(records)) for number, record in enumerate(records, 1)]
        elif role.persons > 1:
            persons += [replace(_single(role, case), id=f"{role.id}-{number}") for number in range(1, role.persons + 1)]
        else:
            persons.append(_single(role, case))
    clients = {role: tuple(p.id for p in persons if p.role == role) for role in procedure.roles}
    return tuple(_with_clients(person, clients.get(procedure.roles[person.role].represents, ())) for person in persons)


def completed(procedure: Procedure, case: Case) -> Case:
    """A case with the lists that its procedure gives itself."""
    lists = {name: field.items for name, field in procedure.fields.items() if field.items}
    return replace(case, fields={**case.fields, **lists}) if lists else case


def first_holders(procedure: Procedure, persons: tuple[Person, ...]) -> Mapping[str, tuple[str, ...]]:
    """Who holds which role when the first stage begins."""
    return {role: tuple(p.id for p in persons if p.role == role) for role in procedure.roles}


def _with_clients(person: Person, clients: tuple[str, ...]) -> Person:
    if not clients:
        return person
    return Person(person.id, person.name, person.role, person.kind, person.side, person.record, person.persona, clients)


def _records(case: Case, role: Role) -> tuple[Record, ...]:
    value = _of_side(case, role.each, role.side)
    candidates = value if isinstance(value, tuple) else (value,)
    return tuple(record for record in candidates if isinstance(record, Record))


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
    own = record if isinstance(record, Record) else Record({})
    if role.named_key:
        own = Record({"name": own.get(role.named_key, MISSING)}, ("name",))
    return Person(role.id, _word(own, "name"), role.id, role.kind, role.side, own, {}, ())


def _word(record: Record, key: str) -> str:
    return str(record[key]) if key in record else ""


def called(procedure: Procedure, person: Person) -> frozenset[str]:
    """The words by which a case may name a person: id, name, side, title and id of his first role."""
    role = procedure.roles[person.role]
    own = person.record.get("id", "")
    return frozenset({person.id, person.name, person.side, role.title, role.id, str(own)}) - {""}


def unknown_names(procedure: Procedure, case: Case) -> tuple[tuple[str, str], ...]:
    """(field, word) for every word of a field that names persons (`parties named in FIELD`) and names nobody."""
    persons = cast(procedure, case)
    known = {word for person in persons for word in called(procedure, person)}
    names: dict[tuple[str, str], None] = {}
    for step in all_steps(procedure):
        for where in step.references if isinstance(step, Assign) else ():
            for word in _named(case, where):
                if word not in known:
                    names[(where.name, word)] = None
    return tuple(names)


def _named(case: Case, where: FieldRef) -> tuple[str, ...]:
    value = case.fields.get(where.name, MISSING)
    values = tuple(value.values.values()) if isinstance(value, Sided) else (value,)
    for key in where.path:
        values = tuple(each.get(key, MISSING) for each in values if isinstance(each, Record))
    words = (word for each in values for word in (each if isinstance(each, tuple) else (each,)))
    return tuple(word for word in words if isinstance(word, str))
