"""Whether a condition holds, and what stands at a reference: pure questions to the state and the case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import takewhile
from typing import assert_never

from ..language.sentences.keywords import truth
from ..language.values import number_in, one_currency, same
from ..model.actors import FieldRef
from ..model.calendar import DateIs
from ..model.case import MISSING, Case, Record, Sided, Typed, Value
from ..model.conditions import (
    AllOf,
    AlsoHolds,
    Answered,
    AnyOf,
    Attends,
    Condition,
    Given,
    HasValue,
    Measures,
    Negation,
    OptionIs,
    RoleAssigned,
    SameAnswers,
    TokenSaid,
    ValueIs,
    leaves,
)
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.votes import Voted
from .attendance import attendance
from .calendar import Calendar
from .polls import CapturedAnswer, Poll, last_question, latest, passage, standing, step_of, subject
from .state import CaseState, everyone, holders

_Number = tuple[float, str]
"""A number and its currency, "" where it has none."""


@immutable
class LoopItem:
    """The record that a loop is about; `about` = FIELD[.KEY]/SIDE/INDEX[/KEY/INDEX].

    `person`: where the loop goes through persons, whose record it is.
    """

    variable: str
    about: str
    record: Value
    person: str = ""


@immutable
class EvalContext:
    """All that a condition may look at. `loop_items`: of the loops around, the innermost last.

    `presented`: the records (FIELD/SIDE/INDEX) that were presented aloud; `rounds`: of the loops around, the outer
    first; `locale`: the language in which numbers are written.
    """

    state: CaseState
    case: Case
    options: Mapping[str, str]
    loop_items: tuple[LoopItem, ...] = ()
    presented: frozenset[str] = frozenset()
    calendar: Calendar = field(default_factory=Calendar)
    rounds: tuple[int, ...] = ()
    locale: str = "en"


def holds(condition: Condition | None, now: EvalContext) -> bool:
    """Whether a condition holds; no condition always does."""
    match condition:
        case None:
            return True
        case AllOf(parts):
            return all(holds(part, now) for part in parts)
        case AnyOf(parts):
            return any(holds(part, now) for part in parts)
        case Negation(part):
            return not holds(part, now)
        case TokenSaid():
            return False  # stands in the `until` of a conversation alone, where the loop itself listens for it
        case Answered("carried", answer, value):
            return (value or "yes") in outcomes(answer, now)
        case Answered(quantifier, answer, value, count):
            given, missing = polled(answer, now, last=quantifier == "last")
            said = sum(one.value == (value or "yes") for one in given)
            return bool(given or missing) and _enough(quantifier, count, said, len(given) + missing)
        case SameAnswers(answer):
            given, missing = polled(answer, now)
            return not missing and all(one.value for one in given) and len({one.value for one in given}) == 1
        case AlsoHolds(actor, other):
            return not set(everyone(now.state, (actor,))).isdisjoint(holders(now.state, other))
        case RoleAssigned(actor):
            return bool(holders(now.state, actor))
        case Given(held):
            return held
        case Attends(actor, how):
            return attendance(holders(now.state, actor), now.state) == how
        case OptionIs(option, value):
            return now.options.get(option) == value
        case ValueIs(where, value):
            return any(same(text, value, now.locale) for candidate in values(where, now) for text in _texts(candidate))
        case HasValue(where, bare):
            return any(bool(one) and not (bare and _says_no(one)) for one in values(where, now))
        case Measures():
            return _measured(condition, now)
        case DateIs():
            return now.calendar.holds(condition)
        case _:
            assert_never(condition)


def opens(condition: Condition | None, now: EvalContext) -> bool:
    """Whether a condition opens a cell of the matrix: it holds, and whose values it asks for is somebody by now.

    Of nobody there is no value, so `is empty` would hold before a role is given to anyone.
    """
    asked = (leaf.where for leaf in leaves(condition) if isinstance(leaf, HasValue | ValueIs))
    return all(where.of is None or holders(now.state, where.of) for where in asked) and holds(condition, now)


def _says_no(value: Value) -> bool:
    """Whether a value is the no of a yes or no, of a declared type or as everybody writes it."""
    return (isinstance(value, Typed) and value.no) or (isinstance(value, str) and truth(value) is False)


def _enough(quantifier: str, count: int, said: int, named: int) -> bool:
    """Whether that many of those who are counted are as many as a condition wants."""
    match quantifier:
        case "all" | "last":
            return said == named
        case "any":
            return said > 0
        case "most":
            return 2 * said > named
        case "at least":
            return said >= count
        case _:
            return said <= count


def _measured(condition: Measures, now: EvalContext) -> bool:
    """Two numbers compared, of several each; what is no number, or of another currency, compares as false.

    Where all are added, what is no number does not count, and sums of two currencies come to none.
    """
    left, right = condition.left, condition.right
    match condition.measure:
        case "count":
            one: list[_Number | None] = [(float(sum(1 for _ in records(left, now))), "")]
        case "sum":
            one = _added(_numbers(left, now, collected=True))
        case _:
            one = _numbers(left, now)
    two = _numbers(right, now) if isinstance(right, FieldRef) else [(right, "")]
    pairs = [(a, b) for a in one for b in two]
    return bool(pairs) and all(_compares(a, b, condition.comparison) for a, b in pairs)


def _compares(one: _Number | None, other: _Number | None, comparison: str) -> bool:
    if one is None or other is None or not one_currency(one[1], other[1]):
        return False
    return one[0] >= other[0] if comparison == "at least" else one[0] <= other[0]


def _added(found: list[_Number | None]) -> list[_Number | None]:
    """The sum of those that are numbers; none of sums in two currencies."""
    numbers = [one for one in found if one is not None]
    if _unlike(numbers):
        return []
    return [(sum(value for value, _ in numbers), next((currency for _, currency in numbers if currency), ""))]


def _unlike(numbers: list[_Number]) -> tuple[str, ...]:
    """The first currency and another that it cannot be added to; empty where all can."""
    currencies = [currency for _, currency in numbers if currency]
    return next(((currencies[0], other) for other in currencies if not one_currency(currencies[0], other)), ())


def two_currencies(added: Iterable[Value], locale: str) -> tuple[str, ...]:
    """Return two currencies in which values state their sums, so that these come to none; () where there is one."""
    found = (_number(text, locale) for value in added for text in _texts(value))
    return _unlike([one for one in found if one is not None])


def _numbers(where: FieldRef, now: EvalContext, *, collected: bool = False) -> list[_Number | None]:
    found = (text for value in values(where, now, collected=collected) for text in _texts(value))
    return [_number(text, now.locale) for text in found]


def _number(text: str, locale: str) -> _Number | None:
    number = number_in(text, locale)
    return (float(number.value), number.currency) if number is not None else None


def _texts(value: Value) -> Iterator[str]:
    """A text, or all texts of a list."""
    match value:
        case str():
            yield value
        case tuple():
            for each in value:
                yield from _texts(each)
        case _:
            return


def values(where: FieldRef, now: EvalContext, *, collected: bool = False) -> tuple[Value, ...]:
    """What stands at a reference: one value, one per side, or the answers of that name; empty where there is none.

    `collected`: of answers that one step asks for item by item, those about all items.
    """
    start: tuple[Value, ...]
    if (item := current_item(where.name, now.loop_items)) is not None:
        start = (item.record,)
    elif where.name in now.state.votes and where.of is None:
        start = _all_outcomes(where, now) if collected else outcomes(where, now)
    elif where.name in now.state.answers:
        gathered = _collected(where, now) if collected else answers(where, now)
        start = tuple(_given(given, where, now) for given in gathered)
    elif where.name in now.case.fields:
        start = _of_field(now.case.fields[where.name], where, now)
    else:
        start = tuple(version.text for version in now.state.documents if version.document == where.name)
    return tuple(held for value in start if (held := below(value, where.path)))


def _given(given: CapturedAnswer, where: FieldRef, now: EvalContext) -> Value:
    """What an answer says; below a sample stand the records that were drawn."""
    return tuple(record_at(now.case, about) for about in given.drawn) if where.path and given.drawn else given.value


def named(where: FieldRef, now: EvalContext) -> tuple[tuple[str, Value], ...]:
    """What stands at a reference, item by item, each with the record that it is ("" where it is none)."""
    item = current_item(where.name, now.loop_items)
    if item is not None and not where.path:
        return ((item.about, item.record),)
    return tuple(records(where, now)) or tuple(("", value) for value in values(where, now))


def record_of(procedure: Procedure, state: CaseState, person_id: str) -> str:
    """The record of the case that is about a person: FIELD/SIDE/INDEX; ROLE//INDEX of whom the case has none.

    No field has the name of a role: a person without a record is told apart from others and has nothing to be seen.
    """
    role = procedure.roles[state.persons[person_id].role]
    index = [other.id for other in state.persons.values() if other.role == role.id].index(person_id)
    return f"{role.each}/{role.side}/{index}" if role.each else f"{role.id}//{index}"


def answers(where: FieldRef, now: EvalContext) -> tuple[CapturedAnswer, ...]:
    """The answers of a name that are meant: those that the last step asked for, or the last of each person meant.

    On a record they are those that were last asked for on it; of a person whom a loop has in hand, his own come first.
    """
    given = standing(now.state.answers.get(where.name, ()), now.state.missing.get(where.name, ()))
    if where.of is not None:
        return _own(given, holders(now.state, where.of))
    item = current_item(where.about, now.loop_items) if where.about else None
    if item is not None:
        own = _own(given, (item.person,)) if item.person else ()
        return own or latest(tuple(one for one in given if _on(one, item, now)))
    return latest(given)


def _collected(where: FieldRef, now: EvalContext) -> tuple[CapturedAnswer, ...]:
    """The answers that the last step asked for in the passage, about whatever item a loop had come to."""
    if where.of is not None or (where.about and current_item(where.about, now.loop_items) is not None):
        return answers(where, now)
    given, missing = now.state.answers.get(where.name, ()), now.state.missing.get(where.name, ())
    counted, _ = passage(given, missing, now.state.stage, now.rounds)
    last = max(counted, key=lambda one: one.number, default=None)
    return tuple(one for one in counted if last is not None and step_of(one.place) == step_of(last.place))


def polled(where: FieldRef, now: EvalContext, *, last: bool = False) -> tuple[tuple[CapturedAnswer, ...], int]:
    """The answers that `all`, `most` and the like count, and how many more are counted who gave none.

    Of persons who are named all are counted; else all whom the questions of the passage name (`polls`), about the
    record in hand where one is named. `last`: all whom the last question names.
    """
    if where.of is not None:
        meant = holders(now.state, where.of)
        own = _own(now.state.answers.get(where.name, ()), meant)
        return own, len(meant) - len(own)
    given, missing = now.state.answers.get(where.name, ()), now.state.missing.get(where.name, ())
    item = current_item(where.about, now.loop_items) if where.about else None
    if item is not None:
        if item.person and (own := _own(given, (item.person,))):
            return own, 0
        given = tuple(one for one in given if _on(one, item, now))
        missing = tuple(one for one in missing if _on(one, item, now))
    if last:
        counted, away = last_question(given, missing)
    else:
        counted, away = passage(given, missing, now.state.stage, now.rounds if item is None else ())
    since = {(one.person, subject(one)): one.number for one in away}
    counted = tuple(one for one in counted if one.number > since.get((one.person, subject(one)), -1))
    answered = {(one.person, subject(one)) for one in counted}
    return counted, sum((one.person, subject(one)) not in answered for one in away)


def votes(where: FieldRef, now: EvalContext) -> tuple[Voted, ...]:
    """The last vote for an answer; of those about the record in hand, where one is named."""
    held = now.state.votes.get(where.name, ())
    item = current_item(where.about, now.loop_items) if where.about else None
    return tuple(one for one in held if _on(one, item, now))[-1:] if item is not None else held[-1:]


def outcomes(where: FieldRef, now: EvalContext) -> tuple[str, ...]:
    """How the last vote for an answer came out; of the one about the record in hand, where one is named.

    Where a loop has come to a person about whom there was no vote, what he voted himself: in the vote about what
    another loop has in hand, if there was one.
    """
    item = current_item(where.about, now.loop_items) if where.about else None
    about = votes(where, now)
    if about or item is None or not item.person:
        return tuple(one.result for one in about)
    held = now.state.votes.get(where.name, ())
    in_hand = {one.about for one in now.loop_items}
    last = (tuple(one for one in held if one.about in in_hand) or held)[-1:]
    return tuple(vote.value for one in last for vote in one.votes if vote.person == item.person)


def _on(one: Poll | Voted, item: LoopItem, now: EvalContext) -> bool:
    """Whether something was asked about the record in hand, and about no other record than the loops around have come
    to, of the lists that they go through."""
    if not item.about or one.about != item.about:
        return False
    in_hand = {other.about for other in now.loop_items}
    lists = {about.rpartition("/")[0] for about in in_hand}
    return all(about in in_hand or about.rpartition("/")[0] not in lists for about in one.within)


def _all_outcomes(where: FieldRef, now: EvalContext) -> tuple[str, ...]:
    """How all votes for an answer came out in the stage of the last one, where a loop took them item by item."""
    if where.about and current_item(where.about, now.loop_items) is not None:
        return outcomes(where, now)
    last = now.state.votes[where.name][-1]
    held = (one for one in now.state.votes[where.name] if bool(one.about) == bool(last.about))
    return tuple(one.result for one in held if one.place.partition("/")[0] == last.place.partition("/")[0])


def _own(given: tuple[CapturedAnswer, ...], persons: tuple[str, ...]) -> tuple[CapturedAnswer, ...]:
    """The last answer of each of these persons."""
    last = {one.person: one for one in given}
    return tuple(last[person] for person in persons if person in last)


def current_item(variable: str, loop_items: tuple[LoopItem, ...]) -> LoopItem | None:
    """The record of the loop with this variable ("" = of any loop), the innermost where there are several."""
    return next((item for item in reversed(loop_items) if variable in ("", item.variable)), None)


def about_of(item: LoopItem | None, person: str, loop_items: tuple[LoopItem, ...]) -> str:
    """Which record the answer of a person is about, the loops having come to an item; "" outside of all loops.

    Where it is he himself to whom the loop has come, that says whose the answer is: it is about the record that another
    loop has in hand, if there is one, the innermost first.
    """
    if item is None:
        return ""
    himself = bool(item.person) and item.person == person
    return next((one for one in reversed(loop_items) if one.person != person), item).about if himself else item.about


def within_of(about: str, person: str, loop_items: tuple[LoopItem, ...]) -> tuple[str, ...]:
    """What the loops around that of a record have come to when a person is asked about it, the outer first: not he
    himself, and not a record in which that one stands."""
    outside = takewhile(lambda one: one.about != about, loop_items)
    others = (one for one in outside if not (person and one.person == person))
    return tuple(one.about for one in others if not about.startswith(f"{one.about}/"))


def records(where: FieldRef, now: EvalContext) -> Iterator[tuple[str, Value]]:
    """The records at a reference with what they are called: FIELD/SIDE/INDEX.

    Side by side in the order of the persons meant; of the record in hand; of a sample; or the items of a list that was
    answered.
    """
    item = current_item(where.name, now.loop_items)
    held = now.case.fields.get(where.name)
    drawn = () if where.path else tuple(about for given in answers(where, now) for about in given.drawn)
    key = ".".join(where.path)
    name = f"{where.name}.{key}" if key else where.name
    if item is not None:
        yield from _numbered(f"{item.about}/{key}", below(item.record, where.path))
    elif drawn:
        yield from ((about, record_at(now.case, about)) for about in drawn)
    elif isinstance(held, Sided):
        for side in _sides(held, where, now):
            yield from _numbered(f"{name}/{side}", below(held.values.get(side, MISSING), where.path))
    else:
        found = values(where, now, collected=True)
        items = (each for value in found if isinstance(value, tuple) for each in value)
        yield from _numbered(f"{name}/", tuple(items))


def record_at(case: Case, about: str) -> Value:
    """The record that FIELD[.KEY]/SIDE/INDEX[/KEY/INDEX] names; MISSING for "" and for what no field holds."""
    if not about:
        return MISSING
    name, *rest = about.split("/")
    name, _, path = name.partition(".")
    value = case.fields.get(name, MISSING)
    if isinstance(value, Sided):
        value = value.values.get(rest[0], MISSING)
    for key, index in zip((path, *rest[2::2]), rest[1::2], strict=True):
        reached = below(value, tuple(key.split(".")) if key else ())
        value = reached[int(index)] if isinstance(reached, tuple) and int(index) < len(reached) else MISSING
    return value


def _numbered(name: str, value: Value) -> Iterator[tuple[str, Value]]:
    for index, record in enumerate(value if isinstance(value, tuple) else ()):
        yield f"{name}/{index}", record


def _sides(field: Sided, where: FieldRef, now: EvalContext) -> tuple[str, ...]:
    """The sides of the persons meant, in their order; all sides where nobody is named."""
    if where.of is None:
        return tuple(field.values)
    return tuple(dict.fromkeys(now.state.persons[person].side for person in holders(now.state, where.of)))


def _of_field(value: Value | Sided, where: FieldRef, now: EvalContext) -> tuple[Value, ...]:
    if not isinstance(value, Sided):
        return (value,)
    return tuple(value.values.get(side, MISSING) for side in _sides(value, where, now))


def below(value: Value, path: tuple[str, ...]) -> Value:
    """What stands at a path below a value; of a list, what stands there in each of its items."""
    if not path:
        return value
    match value:
        case Record():
            return below(value.get(path[0], MISSING), path[1:])
        case tuple():
            return tuple(deeper for each in value if (deeper := below(each, path)))
        case _:
            return MISSING
