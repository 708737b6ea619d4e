"""Files as they are while somebody types: each line of a procedure's files cut at three places, one at a time.

python -m half_typed [SPEC ...]: the share of such files that still leave a procedure, how much of it, what is told.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from places import ROOT

from legalworld.authoring.picture import Picture
from legalworld.authoring.told import diagnostics
from legalworld.files.project_files import Disk, Snapshot
from legalworld.model.procedure import all_steps

CUTS = ("three characters", "half", "no colon", "word begun below")


class HalfTyped(NamedTuple):
    """One file with one line as it is while it is typed. `cut`: of `CUTS`, how it was cut."""

    path: str
    line: int
    cut: str
    text: str


def half_typed(path: str, text: str) -> Iterator[HalfTyped]:
    """Every line that says something, cut; lines of tables and of blocks too."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        bare = line.lstrip()
        if not bare or bare.startswith("#"):
            continue
        indent = line[: len(line) - len(bare)]
        whole = bare[:2] if bare.startswith("- ") else ""
        rest = bare[len(whole) :]
        for cut, new in (
            (CUTS[0], [indent + whole + rest[:3]]),
            (CUTS[1], [line[: len(indent + whole) + len(rest) // 2]]),
            (CUTS[2], [line.replace(":", "", 1)]),
            (CUTS[3], [line, indent + rest[: len(rest) // 3 + 1].split(":")[0]]),
        ):
            if "\n".join(new) != line:
                yield HalfTyped(path, at + 1, cut, "\n".join([*lines[:at], *new, *lines[at + 1 :]]))


class Outcome(NamedTuple):
    """What was left: whether a procedure was, the share of its steps, how many problems were told."""

    left: bool
    steps: float
    told: int


def outcome(picture: Picture, main: str, half: HalfTyped) -> Outcome:
    whole = picture.linked(main).procedure
    assert whole is not None
    now = picture.replaced(half.path, half.text)
    left = now.linked(main).procedure
    count = sum(1 for _ in all_steps(left)) if left is not None else 0
    return Outcome(left is not None, count / sum(1 for _ in all_steps(whole)), len(diagnostics(now, main).problems))


def shipped() -> Picture:
    return Picture(Snapshot(Disk(ROOT)))


def main() -> None:
    picture = shipped()
    for spec in sys.argv[1:] or ["specs/civil.yaml"]:
        procedure = picture.linked(spec).procedure
        assert procedure is not None
        for path in procedure.files:
            text = picture.read(path) or ""
            found = [(half.cut, outcome(picture, spec, half), half) for half in half_typed(path, text)]
            for cut in CUTS:
                mine = [(one, half) for name, one, half in found if name == cut]
                if not mine:
                    continue
                outcomes = [one for one, _ in mine]
                most = max(mine, key=lambda pair: pair[0].told)
                print(
                    f"{path:32} {cut:18} {len(mine):5}  procedure {sum(o.left for o in outcomes) / len(mine):6.1%}"
                    f"  nine tenths of it {sum(o.steps >= 0.9 for o in outcomes) / len(mine):6.1%}"
                    f"  told median {median(o.told for o in outcomes):3.0f} most {most[0].told:3} (line {most[1].line})"
                    f"  over 5: {sum(o.told > 5 for o in outcomes) / len(mine):5.1%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
