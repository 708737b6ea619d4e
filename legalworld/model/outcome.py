"""The event by which a case ends."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .frozen import FrozenModel, left_out


class Ended(FrozenModel):
    """The case is over. `outcome` is the spec's word for how, `title` what the step that ended it says of it.

    `document`: with which it ends, "" for none; `lacking`: the one with which it was to end, where nobody had made it.
    """

    kind: Literal["ended"] = "ended"
    outcome: str
    document: str
    title: str = Field(default="", exclude_if=left_out)
    lacking: str = Field(default="", exclude_if=left_out)
