"""Who takes part: the persons of a case, from its procedure's roles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..model.actors import FieldRef
from ..model.case import MISSING, Case, Person, Record, Sided, Value
from ..model.immutable import immutable, replace
from ..model.procedure import Procedure, Role, all_steps
from ..model.steps.assign import Assign
from ..model.steps.for_each import ForEach
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


def party_words(procedure: Procedure, persons: Iterable[Person]) -> frozenset[str]:
    """Return the words by which a party may be named."""
    parties = (person for person in persons if procedure.roles[person.role].party)
    return frozenset(word for person in parties for word in called(procedure, person))


@immutable
class StrangeName:
    """A word of a field that was to name a party: it names nobody, or somebody who is none (`person`)."""

    field: str
    word: str
    person: str = ""


def strange_names(procedure: Procedure, case: Case) -> tuple[StrangeName, ...]:
    """Return every word in a field that is to name parties (`parties named in FIELD`), loops too, and names none.

    What is named in a sample or in an answer, only a run can tell. While a record of a person has no name, another word
    may be his: only those who are known to be no party are told.
    """
    persons = cast(procedure, case)
    nameless = any("name" in person.record and not person.name for person in persons)
    parties = party_words(procedure, persons)
    others = {word: person.name or person.id for person in persons for word in called(procedure, person)}
    fields = completed(procedure, case).fields
    loops = {step.variable: step.within for step in all_steps(procedure) if isinstance(step, ForEach)}
    names: dict[StrangeName, None] = {}
    for step in all_steps(procedure):
        for where in step.references if isinstance(step, Assign) else ():
            field, path = _source(where, loops)
            words = (word for word in _named(fields.get(field, MISSING), path) if word not in parties)
            strange = (StrangeName(field, word, others.get(word, "")) for word in words)
            names |= dict.fromkeys(one for one in strange if one.person or not nameless)
    return tuple(names)


def _source(where: FieldRef, loops: Mapping[str, FieldRef | None]) -> tuple[str, tuple[str, ...]]:
    """The field that a reference leads to, and the path below it; a variable of a loop stands for what it goes over."""
    name, path, seen = where.name, where.path, {""}
    while (within := loops.get(name)) is not None and name not in seen:
        seen.add(name)
        name, path = within.name, (*within.path, *path)
    return name, path


def _named(value: Value | Sided, path: tuple[str, ...]) -> Iterator[str]:
    """The texts that stand at a path below a value, of every side and every record."""
    match value:
        case Sided(values=values):
            for one in values.values():
                yield from _named(one, path)
        case tuple():
            for one in value:
                yield from _named(one, path)
        case Record() if path:
            yield from _named(value.get(path[0], MISSING), path[1:])
        case str() if not path:
            yield value
        case _:
            return
