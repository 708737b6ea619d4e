"""When the answers of a run came, as its `times.jsonl` says: the clock that the journal does not have.

Nothing in the file is trusted: lines that say nothing are left out, and time never goes back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..model.immutable import immutable
from ..model.json_text import read_json

LONGEST: Final = 366 * 86_400.0  # seconds that anything in one session may be said to have taken
_KIND: Final = 40  # characters


@immutable
class TimeSpan:
    """From when to when, in seconds since 1970 (UTC)."""

    start: float
    end: float


@immutable
class FailedCall:
    """A call that nobody answered. `role`: "" for an errand; `kind`: of the failure, as `ModelFailed` has it."""

    request: str
    role: str
    kind: str
    when: TimeSpan


@immutable
class RunTimes:
    """`begun`: when the run was first played; `answers`: number of an answer's line -> when it was waited for."""

    begun: float
    answers: Mapping[int, TimeSpan]
    failures: tuple[FailedCall, ...]


def timeline(path: Path) -> RunTimes | None:
    """What a times file says; None where it does not say when anything began.

    Where it does not say when an answer was there, as files of earlier versions do not, each follows the one before.
    """
    first: float | None = None
    base = now = 0.0
    answers: dict[int, TimeSpan] = {}
    failures: list[FailedCall] = []
    for told in filter(None, map(_object, regular.lines(path, path.parent))):
        if "begun" in told:
            begun = _moment(told["begun"])
            if begun is not None:
                base = now = max(now, begun)
                first = base if first is None else first
            continue
        seconds, at = _seconds(told.get("seconds")), _seconds(told.get("at"))
        if first is None or seconds is None:
            continue
        end = max(now, base + at) if at is not None else now + seconds
        when = TimeSpan(max(end - seconds, base), end)
        if isinstance(told.get("n"), int):
            answers[told["n"]], now = when, end
        elif isinstance(told.get("failed"), str):
            failures.append(FailedCall(told["failed"], str(told.get("role")), str(told.get("kind"))[:_KIND], when))
            now = end
    return RunTimes(first, answers, tuple(failures)) if first is not None else None


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        told = read_json(line)
    except ValueError:
        return None  # torn, or not ours
    return told if isinstance(told, dict) else None


def _moment(value: Any) -> float | None:
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _seconds(value: Any) -> float | None:
    fine = isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= LONGEST
    return float(value) if fine else None
