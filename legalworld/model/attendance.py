"""Events about who is in the room, and by which title; and what was missed is read out."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .frozen import FrozenModel, left_out

Movement = Literal["absent", "waits", "leaves", "enters", "shut_out", "let_in", "comes_for", "goes_again"]
PassedOver = Literal["unreviewed", "unobjected", "unruled"]
Attendance = Movement | PassedOver | Literal["titled"]


class Attended(FrozenModel):
    """Persons are in the room from now on, or are not.

    `absent`: they do not come to this stage; `waits`: they wait outside until they are called; `leaves`, `enters`: they
    go and come; `shut_out`, `let_in`: the phase or step is closed to them, or they are back from one that was;
    `comes_for`, `goes_again`: they are in the room for the phase or step alone that names them, and gone behind it.
    `unreviewed`, `unobjected`, `unruled`: they were to read what somebody is about to say, might have objected to
    it, or were to rule on that, and are not there; who speaks (`heard_by`) is told.
    `titled`: an office has given them other titles (`titles`) in the course of the stage.
    `speakers`: how they are called; `heard_by`: who sees it. `unnamed`: nothing in the stage names them, and only what
    is written in it says that they stayed away.
    """

    kind: Literal["attended"] = "attended"
    place: str
    how: Attendance
    persons: tuple[str, ...]
    speakers: tuple[str, ...]
    heard_by: tuple[str, ...]
    unnamed: bool = Field(default=False, exclude_if=left_out)
    titles: tuple[str, ...] = Field(default=(), exclude_if=left_out)


class ReadOut(FrozenModel):
    """The record of a phase is read to persons. `lines`: (speaker, words); `omitted`: earlier ones left out for length;
    `struck`: the numbers of the lines, from 0, that are struck.

    What was kept from a listener is not read to him: listeners who are read different words have an event each.
    """

    kind: Literal["read_out"] = "read_out"
    place: str
    person: str
    speaker: str
    phase: str
    title: str
    to: tuple[str, ...]
    heard_by: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    omitted: int
    struck: tuple[int, ...] = Field(default=(), exclude_if=left_out)
