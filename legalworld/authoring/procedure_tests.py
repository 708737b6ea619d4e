"""Tests of a procedure, as an expert writes them: how a case is played, and what is to come of it.

tests = read_tests(surfaces, procedure, reader)      # names that are not there are problems of the reader
played = play(test, matter)                          # play_tests
tuple(failures(test, played))                        # verdicts
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.events import Entered, Event, Request
from ..model.immutable import immutable
from ..model.outcome import Ended
from ..model.procedure import Procedure, places
from ..model.source import Span

Whose = Literal["own", "other", "all", "minutes", ""]


@immutable
class PlacedWord:
    """A word of a test, and where it stands."""

    text: str
    span: Span


@immutable
class Where:
    """A place as a test names it, and the places of the procedure that it stands for: more than one where a step is
    named without the numbers of the steps around it."""

    word: str
    span: Span
    places: tuple[str, ...]

    def is_at(self, place: str) -> bool:
        """Whether a place, without the number of its occurrence, is this one."""
        return place in self.places

    def holds(self, place: str) -> bool:
        """Whether a place is this one or lies within it."""
        return any(f"{place}/".startswith(f"{one}/") for one in self.places)


@immutable
class ScriptedReply:
    """What is said where it applies: each of `texts` in turn, or the only one each time; or the usual words with some
    `answers` given otherwise. `roles`, `at`: everybody, everywhere where none is named."""

    roles: frozenset[str]
    at: tuple[Where, ...]
    texts: tuple[str, ...]
    answers: Mapping[str, str]
    span: Span


# ---- what is expected ------------------------------------------------------------------------------------------------


@immutable
class InOrder:
    """These places are come to one after the other, perhaps with others between."""

    places: tuple[Where, ...]
    span: Span


@immutable
class NeverReached:
    place: Where
    span: Span


@immutable
class EndsAs:
    outcome: str
    span: Span


@immutable
class Made:
    """A document is made (`never`: it is not). `side`: its author's; "" for any."""

    document: str
    side: str
    span: Span
    never: bool = False


@immutable
class Contains:
    """A document holds some words (`never`: no such document does)."""

    document: str
    side: str
    text: str
    span: Span
    never: bool = False


@immutable
class Seen:
    """People of these roles (none named = everybody) are shown a field, or words (`never`: none of them ever is).

    `what`, `whose`: the field as the matrix names it, `sealed` where no matrix may; "" where `text` is looked for.
    `at`: places, everywhere if none; `since`: from there on.
    """

    roles: frozenset[str]
    what: str
    whose: Whose
    text: str
    at: tuple[Where, ...]
    since: Where | None
    span: Span
    never: bool = False
    sealed: bool = False
    called: str = ""


@immutable
class AnswerGiven:
    """An answer is captured with these values, one after the other."""

    name: str
    values: tuple[str, ...]
    span: Span


@immutable
class Broken:
    """A rule of conduct or of form is broken (`never`: it is kept; "" stands for every rule)."""

    rule: str
    span: Span
    never: bool = False


@immutable
class AtMost:
    turns: int
    span: Span


Expectation = InOrder | NeverReached | EndsAs | Made | Contains | Seen | AnswerGiven | Broken | AtMost


@immutable
class ProcedureTest:
    """One test. `fields` of the case that are set to a text; those that it is played `without`."""

    name: str
    span: Span
    case: PlacedWord | None
    target: PlacedWord | None
    options: tuple[tuple[str, PlacedWord], ...]
    fields: tuple[tuple[str, PlacedWord], ...]
    without: tuple[str, ...]
    seed: int
    model: str
    until: Where | None
    replies: tuple[ScriptedReply, ...]
    expected: tuple[Expectation, ...]


@immutable
class FailedExpectation:
    """What came otherwise than a test expects. `span`: the line of the test; `spec`: that of the procedure, where one
    is to blame. `kind` names the sentence that `values` fill; `shown`: lines to show below it."""

    kind: str
    span: Span
    values: Mapping[str, object] = field(default_factory=dict)
    spec: Span | None = None
    shown: tuple[str, ...] = ()


def all_places(test: ProcedureTest) -> Iterable[str]:
    """The places that a test names."""
    for reply in test.replies:
        yield from (place for where in reply.at for place in where.places)
    for expected in test.expected:
        match expected:
            case InOrder(places=several):
                yield from (place for where in several for place in where.places)
            case NeverReached(place=where):
                yield from where.places
            case Seen(at=at, since=since):
                yield from (place for where in (*at, *filter(None, (since,))) for place in where.places)
            case _:
                continue


# ---- what happened ---------------------------------------------------------------------------------------------------

MOST_CALLS: Final = 2_000
"""After how many calls a test is given up."""

_OCCURRENCE: Final = re.compile(r"#\d+")


@immutable
class PlayedCall:
    """A request that was made, at a place without the number of its occurrence, and the words that came back."""

    request: Request
    place: str
    text: str


@dataclass(slots=True)
class Played:
    """What happened, in order. `unused`: the scripted replies that nobody had a use for; `stopped`: why it did not go
    on to its end, `given_up` where it went on too long."""

    procedure: Procedure
    case: Case
    wording: str = ""
    events: list[Event] = field(default_factory=list)
    calls: list[PlayedCall] = field(default_factory=list)
    unused: list[ScriptedReply] = field(default_factory=list)
    status: str = ""
    stopped: Diagnostic | None = None
    given_up: bool = False

    @property
    def outcome(self) -> str:
        return next((event.outcome for event in reversed(self.events) if isinstance(event, Ended)), "")

    @property
    def last(self) -> str:
        """The last place that was come to."""
        return next((plain(event.place) for event in reversed(self.events) if isinstance(event, Entered)), "")

    def spec(self, place: str) -> Span | None:
        """Where a place is written."""
        return spans_of(self.procedure).get(plain(place))


def spans_of(procedure: Procedure) -> Mapping[str, Span]:
    """Place -> where it is written."""
    return {place: what.info.span if hasattr(what, "info") else what.span for place, what in places(procedure)}


def plain(place: str) -> str:
    """A place, or that of a request, without the numbers of occurrences."""
    return _OCCURRENCE.sub("", place)
