"""Conditions: what a procedure can ask of its record, its answers, its calendar and those who are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from .actors import Actor, FieldRef
from .calendar import DateIs
from .immutable import immutable
from .source import Span


@immutable
class AllOf:
    parts: tuple[Condition, ...]


@immutable
class AnyOf:
    parts: tuple[Condition, ...]


@immutable
class Negation:
    part: Condition


@immutable
class TokenSaid:
    """A token said by a holder of `actor` in the loop now running."""

    actor: Actor
    token: str
    span: Span


@immutable
class Answered:
    """All (any, most, at least or most `count`) of those meant gave `value` ("" = yes) for an answer.

    `last`: all whom the last question names; `carried`: it is the result of the last vote instead.

    Those meant are the persons of `answer`, or those who were last asked about the record that it names; else all whom
    the questions of the passage name. Who was not in the room is meant, and gave no answer. False where nobody is
    meant. `most`: more than half of them.
    """

    quantifier: Literal["all", "any", "most", "at least", "at most", "last", "carried"]
    answer: FieldRef
    value: str
    count: int = 0

    @property
    def name(self) -> str:
        return self.answer.name


@immutable
class SameAnswers:
    """All of those meant gave one and the same answer; false where none of them was asked."""

    answer: FieldRef


@immutable
class AlsoHolds:
    """Some person of `actor` is also a person of `other`."""

    actor: Actor
    other: Actor


@immutable
class RoleAssigned:
    """Somebody holds the role."""

    actor: Actor


@immutable
class Attends:
    """Whether those whom `actor` means are there. Of several exactly one of the three holds; of nobody, none.

    `present`: somebody of them is in the room, or waits outside; `absent`: none of them has come to this stage;
    `left`: somebody of them has come, and nobody is there any more.
    """

    actor: Actor
    how: Literal["present", "absent", "left"]


@immutable
class OptionIs:
    option: str
    value: str


@immutable
class ValueIs:
    """The text at a field path equals `value`."""

    where: FieldRef
    value: str


@immutable
class Measures:
    """A number at a field path or answer compared with another: itself, how many there are, or what all come to."""

    left: FieldRef
    comparison: Literal["at least", "at most"]
    right: float | FieldRef
    measure: Literal["value", "count", "sum"] = "value"


@immutable
class Given:
    """Settled where the procedure was put together: by the number or text that a part was given."""

    holds: bool


@immutable
class HasValue:
    """Something stands at a reference. `bare`: its name alone is the condition, and a no of a yes or no is none."""

    where: FieldRef
    bare: bool = False


Condition = (
    AllOf
    | AnyOf
    | Negation
    | TokenSaid
    | Answered
    | SameAnswers
    | AlsoHolds
    | RoleAssigned
    | Attends
    | OptionIs
    | ValueIs
    | Measures
    | HasValue
    | Given
    | DateIs
)


def leaves(condition: Condition | None) -> Iterator[Condition]:
    """The parts of a condition that are not made of others."""
    match condition:
        case None:
            return
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from leaves(part)
        case Negation(part):
            yield from leaves(part)
        case _:
            yield condition
