"""Whom a sentence of a spec means, who is in the room with them, and the value that it reads."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Final, Literal

from .immutable import immutable
from .source import Span


@immutable
class ActorWords:
    """How an actor is written and where; `stands_for`: the argument, where the word is a parameter of a part."""

    text: str
    span: Span
    stands_for: Span | None = None


def _written() -> Any:
    """The words by which an author names an actor; None where nobody wrote him. It makes no other actor of him."""
    return field(default=None, compare=False, kw_only=True)


@immutable
class RoleHolders:
    """All persons who hold a role now."""

    role: str
    written: ActorWords | None = _written()


@immutable
class Target:
    """The persons under test, chosen by the run (`target`)."""

    written: ActorWords | None = _written()


@immutable
class Related:
    """Persons of a kind who represent, or are represented by, the persons of `of` (`lawyer of first`)."""

    kind: str
    of: Actor
    written: ActorWords | None = _written()


@immutable
class Opponents:
    """Persons of the same kind on another side than those of `of`."""

    of: Actor
    written: ActorWords | None = _written()


@immutable
class VotersOf:
    """Those whose vote was the result of the last vote for the answer `name`, or those whose vote was another."""

    faction: Literal["majority", "minority"]
    name: str
    written: ActorWords | None = _written()


@immutable
class ChosenIn:
    """Those persons whom the answer `name` has chosen (choice), or the others who could have been (rest).

    `among`: the persons to choose from, as the answer says; () where a yes says so of each whom a loop comes to.
    """

    which: Literal["choice", "rest"]
    name: str
    among: tuple[Actor, ...]
    written: ActorWords | None = _written()


@immutable
class Fellows:
    """Persons who hold the first role of those of `of` and are none of them (`fellows of wit`)."""

    of: Actor
    written: ActorWords | None = _written()


@immutable
class LoopPerson:
    """The person that a loop has come to; he is one of those of `among`."""

    variable: str
    among: tuple[Actor, ...]
    written: ActorWords | None = _written()


Actor = RoleHolders | Target | Related | Opponents | Fellows | LoopPerson | VotersOf | ChosenIn


@immutable
class Room:
    """Who is in the room: `present`, these and those who act; `closed_to`, not these; `heard_by`, who of them hears."""

    present: tuple[Actor, ...]
    closed_to: tuple[Actor, ...]
    heard_by: tuple[Actor, ...]
    span: Span

    @property
    def actors(self) -> tuple[Actor, ...]:
        return (*self.present, *self.closed_to, *self.heard_by)


@immutable
class FieldRef:
    """A field, document or answer by name, a dotted path below it, and whose (None: unsided, or the reader's own).

    `about`: of an answer, that which was given on the record of the loop with this variable ("" = no matter on which).
    """

    name: str
    path: tuple[str, ...]
    of: Actor | None
    span: Span
    about: str = ""


ROW: Final = "row"
"""The variable by which the condition of a row of the matrix knows the record that it is asked of."""
