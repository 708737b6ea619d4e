"""All benchmarks, one table. Ratios are taken within one run: absolute times do not travel between machines.

make bench            (or: python -m bench start load authoring turn models library text index score binding corpus
                       editor report growth scale studio)
`python -m bench scale-long flat-long storm-long` takes some minutes: they are run
when they are named, and not otherwise.

Beside each figure stands that of the last release (`figures.json`); what is worse by more than a tenth is told first.
`make bench ARGS=--keep` keeps the figures of today as those of a release.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from legalworld.model.version import __version__

from . import (
    authoring,
    binding,
    compare,
    corpus,
    editor,
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

KEEP = "--keep"


class Row(NamedTuple):
    """One line of the table; `passed` is None where there is nothing to hold the figure against."""

    what: str
    figure: str
    target: str
    passed: bool | None


def _rows(module_rows: Iterator[tuple[str, str, str, bool | None]]) -> Iterator[Row]:
    return (Row(*row) for row in module_rows)


SUITES: dict[str, Callable[[], Iterator[Row]]] = {
    "start": lambda: _rows(start.rows()),
    "load": lambda: _rows(load.rows()),
    "authoring": lambda: _rows(authoring.rows()),
    "editor": lambda: _rows(editor.rows()),
    "turn": lambda: _rows(turn.rows()),
    "models": lambda: _rows(models.rows()),
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
    keep = KEEP in sys.argv
    chosen = [word for word in sys.argv[1:] if word != KEEP]
    chosen = chosen or [name for name in SUITES if not name.endswith("-long")]
    kept, now, rows = compare.release(), compare.yardstick(), dict[str, Row]()
    for name in chosen:
        for row in SUITES[name]():
            rows[f"{name}: {row.what}"] = row
            print(_line(row, ""), file=sys.stderr, flush=True)  # as it comes; the table follows
    before = kept.figures if kept is not None else {}
    if kept is not None:
        for line in compare.regressions(((what, row.figure, row.target) for what, row in rows.items()), kept, now):
            print(line)
        print(f"the machine by its yardstick: {now / kept.yardstick:.2f} times the seconds of {kept.version}")
    print(_line(Row("what", "measured", "target", None), "release"))
    for what, row in rows.items():
        print(_line(row, before.get(what, "")))
    if keep:
        compare.keep(__version__, now, {what: row.figure for what, row in rows.items()})


def _line(row: Row, before: str) -> str:
    mark = {True: "", False: "   MISSED", None: ""}[row.passed]
    return f"{row.what:<68}{row.figure:>26}{before:>26}{row.target:>12}{mark}"


if __name__ == "__main__":
    main()
