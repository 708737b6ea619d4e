"""All benchmarks, one table. Ratios are taken within one run: absolute times do not travel between machines.

make bench            (or: python -m bench start load authoring turn models library text index score binding corpus
                       report growth scale studio)
`python -m bench scale-long flat-long storm-long` takes some minutes: they are run
when they are named, and not otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from . import (
    authoring,
    binding,
    corpus,
    growth,
    index,
    library,
    load,
    models,
    report,
    scale,
    score,
    start,
    storm,
    studio,
    text,
    turn,
)


class Row(NamedTuple):
    """One line of the table; `passed` is None where there is nothing to hold the figure against."""

    what: str
    figure: str
    target: str
    passed: bool | None


def _models() -> Iterator[Row]:
    from statistics import median

    times = {side: median(values) for side, values in models.measure().items()}
    ratio = times["ours"] / times["bare"]
    yield Row("60 turns through litellm / bare acompletion loop", f"{ratio:.2f}x", "<= 0.5x", ratio <= 0.5)


def _rows(module_rows: Iterator[tuple[str, str, str, bool | None]]) -> Iterator[Row]:
    return (Row(*row) for row in module_rows)


SUITES: dict[str, Callable[[], Iterator[Row]]] = {
    "start": lambda: _rows(start.rows()),
    "load": lambda: _rows(load.rows()),
    "authoring": lambda: _rows(authoring.rows()),
    "turn": lambda: _rows(turn.rows()),
    "models": _models,
    "library": lambda: _rows(library.rows()),
    "text": lambda: _rows(text.rows()),
    "index": lambda: _rows(index.rows()),
    "score": lambda: _rows(score.rows()),
    "binding": lambda: _rows(binding.rows()),
    "corpus": lambda: _rows(corpus.rows()),
    "report": lambda: _rows(report.rows()),
    "growth": lambda: _rows(growth.rows()),
    "scale": lambda: _rows(scale.rows()),
    "studio": lambda: _rows(studio.rows()),
    "scale-long": lambda: _rows(scale.long_rows()),
    "flat-long": lambda: _rows(scale.flat_rows()),
    "storm-long": lambda: _rows(storm.rows()),
}


def main() -> None:
    chosen = sys.argv[1:] or [name for name in SUITES if not name.endswith("-long")]
    print(f"{'what':<62}{'measured':>14}{'target':>16}")
    for name in chosen:
        for row in SUITES[name]():
            mark = {True: "", False: "   MISSED", None: ""}[row.passed]
            print(f"{row.what:<62}{row.figure:>14}{row.target:>16}{mark}", flush=True)


if __name__ == "__main__":
    main()
