"""Who is counted where a condition asks what all, most or any of those answered whom questions name.

Counted are those whom the questions of one passage name: of the round of a loop that the condition stands in, or of the
whole stage where it stands outside; each with the last answer that he gave about each item. Who was not in the room
when he was to be asked is counted, and has given no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Final, Protocol, TypeVar

from ..model.case import TitledChoice, Typed
from ..model.immutable import immutable
from ..model.plan import Answer
from ..model.questions import Questioned
from ..model.votes import Voted


class Poll(Protocol):
    """Where and when somebody was asked, or was to be."""

    @property
    def place(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def within(self) -> tuple[str, ...]: ...
    @property
    def number(self) -> int: ...
    @property
    def rounds(self) -> tuple[int, ...]: ...


_Poll = TypeVar("_Poll", bound=Poll)
_TIMES: Final = re.compile(r"#\d+")
_Given = TypeVar("_Given")


@immutable
class CapturedAnswer:
    """A captured answer; `place` groups those that one step asked for. `within`: of the other loops around, what they
    had come to: one who is asked about each pair of two lists has an answer about each pair.

    For a sample `person` is "", and `drawn` its records, as FIELD/SIDE/INDEX. `silent`: nobody said so; `value` is what
    silence counts as, "" or () for nothing. `number`: of questions and answers, in the order in which they came;
    `rounds`: of the loops around; `chosen`: the persons whom it names, where it is a choice of persons.
    """

    person: str
    speaker: str
    value: str | tuple[str, ...]
    about: str
    place: str
    drawn: tuple[str, ...] = ()
    silent: bool = False
    number: int = 0
    rounds: tuple[int, ...] = ()
    within: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()


@immutable
class AbsentAnswer:
    """Somebody who was to be asked and was not in the room; `person` is "" where a question was only opened again."""

    person: str
    about: str
    place: str
    number: int
    rounds: tuple[int, ...]
    afresh: bool = False
    within: tuple[str, ...] = ()


def absent_answers(event: Questioned, number: int) -> tuple[AbsentAnswer, ...]:
    """What a question leaves of those who could not be asked."""
    where = (event.about, event.place, number, event.rounds, event.afresh, event.within)
    return tuple(AbsentAnswer(person, *where) for person in event.absent or ("",))


def subject(one: Poll | Voted) -> tuple[str, ...]:
    """Return what an answer, a question or a vote is about: the record in hand, and those of the other loops around."""
    return (one.about, *one.within)


def passage(
    given: Iterable[_Poll], missing: Iterable[AbsentAnswer], stage: str, rounds: tuple[int, ...]
) -> tuple[tuple[_Poll, ...], tuple[AbsentAnswer, ...]]:
    """Those answers, and those that are missing, that belong to the passage of the last question.

    `stage`, `rounds`: where the condition stands.
    """
    missing = tuple(missing)
    given = standing(given, missing)
    asked: list[Poll] = [*given, *missing]
    last = max(asked, key=lambda one: one.number, default=None)
    if last is None:
        return (), ()
    here = _stage(last) == stage
    around = rounds if here and last.rounds[: len(rounds)] == rounds else last.rounds if here else ()

    def counts(one: Poll) -> bool:
        return _stage(one) == _stage(last) and one.rounds[: len(around)] == around

    answered = tuple(one for one in given if counts(one))
    away = tuple(one for one in missing if one.person and counts(one))
    return answered, away


def last_question(
    given: Iterable[_Poll], missing: Iterable[AbsentAnswer]
) -> tuple[tuple[_Poll, ...], tuple[AbsentAnswer, ...]]:
    """Those answers, and those that are missing, that belong to the last question alone."""
    missing = tuple(missing)
    given = standing(given, missing)
    asked: list[Poll] = [*given, *missing]
    last = max(asked, key=lambda one: one.number, default=None)
    if last is None:
        return (), ()
    answered = tuple(one for one in given if one.place == last.place)
    return answered, tuple(one for one in missing if one.person and one.place == last.place)


def standing(given: Iterable[_Poll], missing: Iterable[AbsentAnswer]) -> tuple[_Poll, ...]:
    """The answers that were given since the question was opened again, if it was."""
    since = max((one.number for one in missing if one.afresh), default=0)
    return tuple(one for one in given if one.number >= since)


def lists_for(listed: Iterable[CapturedAnswer], given: CapturedAnswer | Voted) -> tuple[tuple[str, ...], ...]:
    """The lists from which an answer took its item: those that the last step of its stage asked for, of the round of
    the loops around in which it was given; else all."""
    found = [one for one in listed if isinstance(one.value, tuple)]
    here = [one for one in found if _stage(one) == given.place.partition("/")[0]] or found
    if not here:
        return ()
    rounds = given.rounds if isinstance(given, CapturedAnswer) else ()
    shared = {one.number: _shared(one.rounds, rounds) for one in here}
    here = [one for one in here if shared[one.number] == max(shared.values())]
    step = step_of(max(here, key=lambda one: one.number).place)
    return tuple(one.value for one in here if step_of(one.place) == step and isinstance(one.value, tuple))


def _shared(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many of the loops around are the same round of the same loop."""
    return len(tuple(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


def step_of(place: str) -> str:
    """The step of a place, however often it has been come to."""
    return _TIMES.sub("", place)


def _stage(asked: Poll) -> str:
    return asked.place.partition("/")[0]


# ---- what votes reveal -----------------------------------------------------------------------------------------------
def titled(value: str | tuple[str, ...], answer: Answer | None) -> str | tuple[str, ...]:
    """A value of an answer, which knows its title if it has one."""
    if answer is None or not isinstance(value, str) or isinstance(value, Typed):
        return value
    return value if (said := answer.said(value)) == value else TitledChoice(value, said)


def counts_of(voted: Voted, answer: Answer | None = None) -> tuple[Mapping[str, object], ...]:
    """How many votes each value had, where that was revealed."""
    told = voted.reveals != "nothing"
    return tuple({"value": titled(value, answer), "count": count} for value, count in voted.counts.items() if told)


def votes_of(voted: Voted, answer: Answer | None = None) -> tuple[Mapping[str, object], ...]:
    """Who voted for what, where that was revealed."""
    told = voted.reveals == "names"
    return tuple({"by": vote.speaker, "value": titled(vote.value, answer)} for vote in voted.votes if told)


def without(given: Mapping[str, tuple[_Given, ...]], names: Iterable[str]) -> dict[str, tuple[_Given, ...]]:
    """What was given for all other names."""
    gone = set(names)
    return {name: entries for name, entries in given.items() if name not in gone}


def latest(given: tuple[CapturedAnswer, ...]) -> tuple[CapturedAnswer, ...]:
    """Those answers that the same, last step asked for."""
    return tuple(one for one in given if one.place == given[-1].place) if given else ()


# ---- whom votes and choices mean -------------------------------------------------------------------------------------
def faction(votes: tuple[Voted, ...], which: str) -> tuple[str, ...]:
    """Those who voted for the result of the last vote, or for something else; nobody where there was no result."""
    return tuple(
        vote.person
        for voted in votes[-1:]
        for vote in voted.votes
        if voted.result and vote.value and (vote.value == voted.result) == (which == "majority")
    )


def picked(
    given: tuple[CapturedAnswer, ...], votes: tuple[Voted, ...], *, each: bool
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Those persons whom an answer has chosen, and all whom it was about, each once.

    What was voted on has chosen whom the last vote has; else all are chosen whom the last answers of the stage name.
    `each`: a yes or no about one person after the other chooses each of whom a vote, or all who answered, say yes.
    """
    said = [(one.place, str(one.result), one.chosen) for one in votes]
    said = said or [(one.place, str(one.value), one.chosen) for one in given]
    stage = said[-1][0].partition("/")[0] if said else ""
    here = [(value, chosen) for place, value, chosen in said if place.partition("/")[0] == stage]
    known = tuple(dict.fromkeys(person for _, chosen in here for person in chosen))
    if not each:
        last = here[-1:] if votes else here
        return frozenset(person for _, chosen in last for person in chosen), known
    refused = {person for value, chosen in here for person in chosen if value != "yes"}
    return frozenset(known) - refused, known
