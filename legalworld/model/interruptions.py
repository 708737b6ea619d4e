"""What comes in between, as journals keep it: events, and objections."""

from __future__ import annotations

from typing import Literal

from .frozen import FrozenModel


class Interrupted(FrozenModel):
    """An event of the procedure comes in between, for the `number`th time in the case.

    `place`: STAGE[/PHASE]/@EVENT[#N]; `person`: who raised it, "" where a condition did.
    """

    kind: Literal["interrupted"] = "interrupted"
    place: str
    event: str
    title: str
    person: str
    speaker: str
    number: int


class Resumed(FrozenModel):
    """An event is over, and the step at `place` goes on."""

    kind: Literal["resumed"] = "resumed"
    place: str
    event: str


class Objected(FrozenModel):
    """Somebody objected to what was about to be heard, and the bench ruled.

    `request`: that of the words; `speaker` was to say `text`, of which `heard` was heard by then. Sustained, that is
    struck and the rest is never heard; else the rest is heard now.
    """

    kind: Literal["objected"] = "objected"
    request: str
    place: str
    person: str
    speaker: str
    by: str
    ruler: str
    text: str
    heard: str
    sustained: bool
