"""The words by which people may name whom a question goes to, and what it is about."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.case import Person, Record, Value, called
from ..model.procedure import Procedure
from .scene import Scene


def words_for(scene: Scene, person: Person) -> frozenset[str]:
    """Return, in lower case, all words that name a person or an item that the loops have come to."""
    words = {*_in_the_room(scene, person)}
    for item in scene.loop_items:
        keys = keys_that_identify(scene.procedure, item.about.partition("/")[0])
        words |= {item.about, *words_of_item(item.record, keys)}
        words |= {*_in_the_room(scene, scene.state.persons[item.person])} if item.person else set()
    return frozenset(word.casefold() for word in words if word)


def _in_the_room(scene: Scene, person: Person) -> Iterator[str]:
    """Yield what a person is called, now and in the case, and the roles that he holds himself."""
    yield from words_of_person(scene.procedure, person)
    yield from scene.names()[person.id]
    yield from (role for role, persons in scene.state.role_holders.items() if person.id in persons)


def words_of_person(procedure: Procedure, person: Person) -> Iterator[str]:
    """Yield the words by which a case names a person: not his side, which his lawyer shares."""
    yield from (person.id, person.name, person.role, procedure.roles[person.role].title)
    yield str(person.record.get("id", ""))


def keys_that_identify(procedure: Procedure, field: str) -> tuple[str, ...]:
    """Return the keys of a field's records that tell one from another: `id`, `name`, and those declared unique."""
    types = procedure.fields[field].types if field in procedure.fields else {}
    return tuple(dict.fromkeys(("id", "name", *(key for key, kind in types.items() if kind.unique))))


def words_of_item(record: Value, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the words by which an item of a list is known: what its `keys` say, or the text that it is."""
    yield called(record)
    if isinstance(record, Record):
        yield from (str(record.get(key, "")) for key in keys)
