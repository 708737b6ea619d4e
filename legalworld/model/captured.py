"""The event of an answer that is kept: what somebody said when he was asked, or what counts as said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from .case import Typed
from .frozen import FrozenModel, left_out


def kept(value: str | tuple[str, ...]) -> Mapping[str, Any]:
    """Return the fields of the event in which a value is kept, with how it was written and its unit."""
    if not isinstance(value, Typed):
        return {"value": value}
    written = value.written if value.written != value else ""
    return {"value": str(value), "read": True, "written": written, "unit": value.unit}


class Captured(FrozenModel):
    """An answer's value. `about`: the record in hand, as FIELD/SIDE/INDEX ("" for none); `within`: those that the other
    loops around have come to, the outer first.

    A sample that was drawn is kept as one that nobody gave (`drawn`: its records), and so is what the procedure put
    down itself (record), unless it says whose it is. Where none was given, `value` is what silence counts as in the
    procedure (default), else nothing (unanswered). `rounds`: of the loops around, the outer first, each with a number
    of its own. `chosen`: the persons whom it names, where it is a choice of persons; of a yes or no, the person of a
    loop whom it is about. `written`: the words of an answer whose value is read (a number, a day, a sum), where they
    are others; `unit`: the declared currency or unit of that value; `read`: it is such a value.
    """

    kind: Literal["captured"] = "captured"
    request: str
    place: str
    person: str
    speaker: str
    name: str
    value: str | tuple[str, ...]
    about: str
    source: Literal["reply", "default", "unanswered", "sample", "record", "read"]
    within: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    drawn: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    rounds: tuple[int, ...] = Field(default=(), exclude_if=left_out)
    chosen: tuple[str, ...] = Field(default=(), exclude_if=left_out)
    read: bool = Field(default=False, exclude_if=left_out)
    written: str = Field(default="", exclude_if=left_out)
    unit: str = Field(default="", exclude_if=left_out)

    @property
    def said(self) -> str | tuple[str, ...]:
        """Return the value; one that was read knows how it was written and of what it is a sum."""
        if not self.read or not isinstance(self.value, str):
            return self.value
        return Typed(self.value, self.written or self.value, self.unit)
