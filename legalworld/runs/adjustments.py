"""What was not sent to a model as it was set, because its server does not take it: kept with the times of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ..files import regular
from ..model.json_text import read_json
from ..model.text import clean
from ..models.habits import Adjustment
from ..wording import say


def adjustments(times: Path) -> tuple[Adjustment, ...]:
    """Of each parameter of a model what was done last, as the times file says; lines that say nothing are left out."""
    found: dict[tuple[str, str], Adjustment] = {}
    for line in regular.lines(times, times.parent):
        if line.startswith(b'{"adjusted":') and (one := _read(line)) is not None:
            found[one.model, one.parameter] = one
    return tuple(found.values())


def _read(line: bytes) -> Adjustment | None:
    try:
        told = {
            name: clean(value) if isinstance(value, str) else value
            for name, value in read_json(line)["adjusted"].items()
        }
        return TypeAdapter(Adjustment).validate_python(told)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None  # torn, or not ours


def adjustments_text(found: Iterable[Adjustment]) -> Iterator[str]:
    """A line for each."""
    for one in found:
        told = {"model": one.model, "parameter": one.parameter, "value": one.value, "words": one.words}
        yield say(f"run.adjusted_{one.action}", **told)


def adjustments_data(found: Iterable[Adjustment]) -> list[dict[str, Any]]:
    return [asdict(one) for one in found]


# ---- of several runs -------------------------------------------------------------------------------------------------


def counted_text(found: Mapping[Adjustment, int], runs: int) -> Iterator[str]:
    """A line for each, with in how many of the runs it was so where that is not all of them."""
    for one, count in found.items():
        for text in adjustments_text((one,)):
            yield text if count == runs else say("run.adjusted_in", text=text, count=count)


def counted_data(found: Mapping[Adjustment, int]) -> dict[str, list[dict[str, Any]]]:
    """`adjusted`: each with the number of its runs; nothing where everything was sent as it was set."""
    rows = [asdict(one) | {"runs": count} for one, count in found.items()]
    return {"adjusted": rows} if rows else {}
