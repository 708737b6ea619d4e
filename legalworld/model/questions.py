"""The event of a question that not everybody could be asked whom it names, or that is open again."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .frozen import FrozenModel, left_out


class Questioned(FrozenModel):
    """An answer is asked for at a place.

    `absent`: those whom the question names and who are not in the room; they give no answer. `afresh`: what was
    answered before no longer counts, though perhaps nobody will be asked. `about`: the record in hand, `within`: those
    that the other loops around have come to; `rounds`: of the loops
    around, the outer first, each with a number of its own.
    """

    kind: Literal["questioned"] = "questioned"
    place: str
    name: str
    about: str
    within: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    absent: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    afresh: bool = Field(default=False, exclude_if=left_out)
    rounds: tuple[int, ...] = Field(default=(), exclude_if=left_out)
