"""Figures of a release, kept in `figures.json` and set beside those of today.

A time says little on another machine, so the file has the processor seconds of one fixed piece of work too, and times
are scaled by how long that takes now. Of two figures the worse is told by the row's aim: "< 5 s" wants less, "> 200 /s"
more. Rows without an aim, and those whose figure is no number, are not compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

FILE: Final = Path(__file__).with_name("figures.json")
WORSE: Final = 0.1
"""By which share a figure may be worse than the release's before it is told first."""
SMALL: Final = 0.02
"""Of exponents and other figures near nothing, a difference that is none."""

_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_TIME: Final = re.compile(r"\s*(?:ms|µs|us|s)\b")
_RATE: Final = re.compile(r"\s*/ ?s\b|\s*a second")


class Figure(NamedTuple):
    """A figure as a number. `scales`: 1 for a time, -1 for a rate, 0 for what is the same on every machine."""

    value: float
    scales: int


def read(figure: str) -> Figure | None:
    """Return the number that a figure begins with; None for words."""
    found = _NUMBER.match(figure.strip())
    if found is None:
        return None
    behind = figure.strip()[found.end() :]
    scales = 1 if _TIME.match(behind) else -1 if _RATE.match(behind) else 0
    return Figure(float(found[0].replace(",", "")), scales)


def yardstick() -> float:
    """Return the processor seconds of a fixed piece of work, the least of five: text, JSON, dicts, calls."""
    best = float("inf")
    for _ in range(5):
        begun, data = process_time(), {str(n): ["甲乙丙丁" * 20, n, None] for n in range(4000)}
        for _ in range(4):
            data = json.loads(json.dumps(data, ensure_ascii=False))
        sorted((len(json.dumps(value)) * hash(key) % 7, key) for key, value in data.items())
        best = min(best, process_time() - begun)
    return best


class Release(NamedTuple):
    """What was measured for a release: row -> figure, and the yardstick of that machine."""

    version: str
    yardstick: float
    figures: Mapping[str, str]


def release(file: Path = FILE) -> Release | None:
    """Return what is kept; None where nothing is, or it cannot be read."""
    try:
        told = json.loads(file.read_text("utf-8"))
        return Release(str(told["version"]), float(told["yardstick"]), dict(told["figures"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(version: str, now: float, figures: Mapping[str, str], file: Path = FILE) -> None:
    """Keep figures as those of a release; rows not measured stay as they were, where it is the same machine."""
    before = release(file)
    near = before is not None and abs(before.yardstick / now - 1) < WORSE
    kept = {**(before.figures if before is not None and near else {}), **figures}
    told: dict[str, Any] = {"version": version, "yardstick": round(now, 5), "figures": kept}
    file.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")


def change(figure: str, aim: str, before: str, machine: float) -> float | None:
    """Return by which share a figure is worse than before (negative: better); None where that cannot be said.

    `machine`: the yardstick of today over that of then.
    """
    new, old = read(figure), read(before)
    wanted = aim.strip()[:1]
    if new is None or old is None or wanted not in ("<", ">") or new.scales != old.scales:
        return None
    then = old.value * machine**new.scales
    if abs(new.value - then) <= SMALL or then == 0:
        return 0.0
    return (new.value / then - 1) if wanted == "<" else (then / new.value - 1 if new.value > 0 else float("inf"))


def regressions(rows: Iterable[tuple[str, str, str]], kept: Release, now: float) -> list[str]:
    """Return a line for each row (what, figure, aim) that is worse by more than a tenth than it was."""
    lines = []
    for what, figure, aim in rows:
        before = kept.figures.get(what)
        worse = change(figure, aim, before, now / kept.yardstick) if before is not None else None
        if before is not None and worse is not None and worse > WORSE:
            lines.append(f"WORSE by {worse:.0%}: {what}: {figure}, in {kept.version} {before}")
    return lines
