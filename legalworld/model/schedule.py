"""Events of the calendar as they are recorded: what was reckoned when the case began, and each day that was reached."""

from __future__ import annotations

from typing import Literal

from .frozen import FrozenModel


class Scheduled(FrozenModel):
    """The calendar of the case, reckoned when it begins: date -> its day as YYYY-MM-DD, "" where there is none."""

    kind: Literal["scheduled"] = "scheduled"
    dates: dict[str, str]


class Dated(FrozenModel):
    """A stage, phase or step is on a day of its own. `day`: YYYY-MM-DD, "" where the calendar has none.

    `reason` it did not become this day: there is none, or it is earlier than the day that has been reached.
    """

    kind: Literal["dated"] = "dated"
    place: str
    name: str
    day: str
    reason: Literal["", "missing", "past"] = ""
