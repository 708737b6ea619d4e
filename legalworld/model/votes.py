"""The event of a vote: who voted for what, how many votes each value had, and what came of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .frozen import FrozenModel, left_out


class Ballot(FrozenModel):
    """One vote; `value` is "" where none was given that can be counted."""

    person: str
    speaker: str
    value: str


class Voted(FrozenModel):
    """A vote is over. `title`: what it was about, in the words of the step; `about`: the record in hand, `within`:
    those that the other loops around have come to, the outer first.

    `aside`: what those of these items are called that the title does not name, as everybody may be told it.

    `counts`: value -> votes. `result`: the value that was carried, "" for none; `by`: enough votes, the rule for ties,
    nothing, or somebody gave the answer without a vote (given), or it was put down: then `votes` is his alone.
    `chosen`: the person whom the result names, or whom the vote was about. `reveals`: what those of `heard_by`, and
    readers of the answer, are told beside the result.
    """

    kind: Literal["voted"] = "voted"
    place: str
    name: str
    title: str
    about: str
    votes: tuple[Ballot, ...]
    counts: dict[str, int]
    result: str
    by: Literal["votes", "tie", "nothing", "given"]
    reveals: Literal["nothing", "count", "names"]
    heard_by: tuple[str, ...]
    within: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    aside: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    chosen: tuple[str, ...] = Field(default=(), exclude_if=left_out)
