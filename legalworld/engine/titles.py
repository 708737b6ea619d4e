"""How persons are called now: the title of the role they hold, as the procedure words it."""

from __future__ import annotations

import re
from typing import Final

from ..model.case import Person
from ..model.procedure import Procedure, Role
from ..model.punctuation import joined
from .conditions import record_of
from .state import CaseState

_NOWHERE: Final[frozenset[str]] = frozenset()


def title(procedure: Procedure, state: CaseState, person: str) -> str:
    """The title as it is now: 原告, 上诉人, 原审被告, 上诉人代理律师, 原告（反诉被告）.

    Where two sides hold one title at once, the original one stands behind it in brackets, so that it stays a name.
    """
    holder = state.persons[person]
    if holder.represents:
        above = title(procedure, state, _foremost(procedure, state, holder))
        return procedure.marks.of(above, procedure.roles[holder.role].title)
    role = _assigned(procedure, state, holder)
    shared = role is not None and len({state.persons[other].side for other in state.role_holders[role.id]}) > 1
    return _worded(procedure, state, holder, role, full=shared)


def full_title(procedure: Procedure, state: CaseState, person: str) -> str:
    """The title with the original one behind it, as documents want it: 上诉人（原审被告，反诉原告）."""
    holder = state.persons[person]
    role = _assigned(procedure, state, holder)
    full = role is not None and bool(role.formerly)
    return _worded(procedure, state, holder, role, full=True) if full else title(procedure, state, person)


def side_title(procedure: Procedure, state: CaseState, side: str) -> str:
    """The full title of the first party of a side; "" where nobody is on it."""
    party = _party_of(procedure, state, side)
    return full_title(procedure, state, party.id) if party is not None else ""


def other_sides(procedure: Procedure, state: CaseState, person: str) -> int:
    """How many sides have parties beside the side of a person."""
    parties = (one for one in state.persons.values() if procedure.roles[one.role].party)
    return len({one.side for one in parties} - {state.persons[person].side, ""})


def _party_of(procedure: Procedure, state: CaseState, side: str) -> Person | None:
    """The first party of a side; None where nobody of it is one."""
    persons = (person for person in state.persons.values() if person.side == side)
    return next((person for person in persons if procedure.roles[person.role].party), None)


def label(procedure: Procedure, state: CaseState, person: str) -> str:
    """The title; where several bear it, with what tells them apart: whose they are, then the name, then a number.

    原告代理人 beside 被告代理人, 被告郑若虹 beside 被告云汀公司; no two who meet in a stage are called alike.
    """
    word = title(procedure, state, person)
    holder = state.persons[person]
    namesakes = [
        other
        for other in state.persons.values()
        if _meet(procedure, holder, other) and title(procedure, state, other.id) == word
    ]
    parties = [_with_party(procedure, state, other, word) for other in namesakes]
    if len(set(parties)) > 1:
        word = _with_party(procedure, state, holder, word)
        namesakes = [other for other, called in zip(namesakes, parties, strict=True) if called == word]
    role = _assigned(procedure, state, holder)  # a name or number stays with him, whatever others are called now
    if role is None:
        namesakes = [one for one in state.persons.values() if one.role == holder.role or one in namesakes]
    elif word == role.title:
        held = [state.persons[one] for one in state.role_holders[role.id]]
        alike = [one for one in held if one.side == holder.side and not one.represents]
        fellows = [one for one in alike if _assigned(procedure, state, one) is role]
        namesakes = [one for one in state.persons.values() if one in fellows or one in namesakes]
    if len(namesakes) == 1:
        return word
    named = joined(word, holder.name)
    alone = holder.name and [other.name for other in namesakes].count(holder.name) == 1
    return named if alone else joined(named, str(namesakes.index(holder) + 1))


def _meet(procedure: Procedure, one: Person, other: Person) -> bool:
    """Whether two persons can be in one room; judges of two instances, who have no side, are not."""
    acting = procedure.acting
    together = not acting.get(one.role, _NOWHERE).isdisjoint(acting.get(other.role, _NOWHERE))
    return one.role == other.role or bool(one.side and other.side) or together


def _with_party(procedure: Procedure, state: CaseState, person: Person, word: str) -> str:
    """A title with the party that its bearer belongs to before it: he represents it, or is on its side; with his own
    former title behind it where the party bears the same."""
    if person.represents:
        client = label(procedure, state, _foremost(procedure, state, person))
        return joined(client, procedure.roles[person.role].title)
    party = _party_of(procedure, state, person.side) if person.side else None
    if party is None or party.role == person.role:
        return word
    called, role = title(procedure, state, party.id), _assigned(procedure, state, person)
    if called != word:
        return joined(called, word)
    return word if role is None else _worded(procedure, state, person, role, full=True)


def _foremost(procedure: Procedure, state: CaseState, lawyer: Person) -> str:
    """Of those a lawyer represents, the one he is called after: who holds an assigned title, else the first."""
    for client in lawyer.represents:
        role = _assigned(procedure, state, state.persons[client])
        if role is not None and role.title:
            return client
    return lawyer.represents[0]


def _assigned(procedure: Procedure, state: CaseState, person: Person) -> Role | None:
    """The last assigned role whose words take the place of the person's title."""
    spoken = [role for role in _held(procedure, state, person) if not role.alongside and (role.title or role.formerly)]
    return spoken[-1] if spoken else None


def _held(procedure: Procedure, state: CaseState, person: Person) -> list[Role]:
    """The assigned roles that a person holds, in the order in which they were given."""
    return [procedure.roles[name] for name in state.given if person.id in state.role_holders[name]]


def _worded(procedure: Procedure, state: CaseState, person: Person, role: Role | None, full: bool) -> str:
    """The title of a party who holds `role`, with what stands in brackets behind it; `full`: his former title too.

    Titles held alongside before `role` belong to the one that he had then, where `role` keeps it: 上诉人, in full
    上诉人（原审被告，反诉原告）. All others stand behind the title that he has now.
    """
    original, held = procedure.roles[person.role].title, _held(procedure, state, person)
    if role is None or not role.title:
        word = joined(role.formerly, original) if role is not None else original
        beside = [other.title for other in held if other.alongside]
    else:
        since = held.index(role) if role.formerly else 0
        earlier, later = ([one.title for one in part if one.alongside] for part in (held[:since], held[since:]))
        word, beside = role.title, [joined(role.formerly, original), *earlier, *later] if full else later
    marks = procedure.marks
    return marks.bracketed(word, marks.comma.join(beside)) if beside else word


def numbered(procedure: Procedure, about: str) -> str:
    """What an item is called by its place alone: the title of its list and its number there, from 1."""
    title, number = title_of_list(procedure, about), about.rpartition("/")[2]
    return joined(title, str(int(number) + 1)) if number.isdecimal() else title


def title_of_list(procedure: Procedure, about: str) -> str:
    """Return the title of the field, answer or role that an item belongs to; "" where it is of none."""
    name = about.partition("/")[0].partition(".")[0]
    field, answer, role = procedure.fields.get(name), procedure.answers.get(name), procedure.roles.get(name)
    return field.title if field else answer.called if answer else role.title if role else ""


def said_once(procedure: Procedure, about: str, words: str, before: str) -> str:
    """Return what an item is called without the title of its list, where that stands right before it already.

    `before`: the words that it follows. "Is claim " and "Claims 1" make "1"; "请求" and "诉讼请求1" make "1".
    """
    title, said = title_of_list(procedure, about), before.rstrip()
    rest = words[len(title) :].lstrip()
    if not title or not rest or rest[0].isalpha() or not words.casefold().startswith(title.casefold()):
        return words
    return rest if _ends_with(said.casefold(), title.casefold()) else words


def _ends_with(said: str, title: str) -> bool:
    """Whether words end with a title, but for the ending of its plural; of a Chinese one with what it is at least."""
    if not title.isascii():
        return any(said.endswith(title[at:]) for at in range(len(title) - 1))
    forms = {title, *(title[:-cut] for cut in (1, 2) if len(title) - cut > cut + 1)}
    return any(re.search(rf"(?<!\w){re.escape(form)}$", said) is not None for form in forms)


def unseen(procedure: Procedure, state: CaseState, about: str) -> str:
    """What a record is called for who may not see it: a person by his title, anything else by its number."""
    persons = (person for person in state.persons if about and record_of(procedure, state, person) == about)
    return next((label(procedure, state, person) for person in persons), "") or numbered(procedure, about)
