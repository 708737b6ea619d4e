"""What an editor waits for after one changed line of civil, against linking and checking it whole with empty caches.

Processor time of one process each, medians; the changed line is another one each time.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
MAIN, PART = "specs/civil.yaml", "specs/parts/civil-trial.yaml"
TIMES = 9


def _whole() -> float:
    """Seconds for a whole link and check in a process that has read nothing yet, its imports apart."""
    code = (
        "from time import process_time as now\n"
        "from pathlib import Path\n"
        "from legalworld.files.project_files import Disk\n"
        "from legalworld.runs.project import read_project\n"
        "import legalworld.checking.check, ruamel.yaml.cyaml\n"
        f"begun = now()\nfound = read_project(Disk(Path({str(ROOT)!r})), {MAIN!r})\n"
        "assert found.procedure is not None\nprint(now() - begun)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout)


def measured() -> dict[str, float]:
    """Medians in seconds: diagnostics after a changed cue, a changed limit, a half-typed line, completion there."""
    from time import process_time as now

    from legalworld.authoring.completion import completion
    from legalworld.authoring.edits import Cursor
    from legalworld.authoring.picture import Picture
    from legalworld.authoring.told import diagnostics
    from legalworld.files.project_files import Disk, Snapshot

    picture = Picture(Snapshot(Disk(ROOT)))
    picture.homes(PART)
    diagnostics(picture, MAIN)
    lines = (picture.read(PART) or "").split("\n")
    steps = [at for at, line in enumerate(lines) if " asks " in line and line.lstrip().startswith("- ")][:TIMES]
    times: dict[str, list[float]] = {"changed": [], "limit": [], "half": [], "completion": []}
    limits = [at for at, line in enumerate(lines) if "at most: 12" in line]
    for number in range(TIMES):
        at, turns = limits[number % len(limits)], f"at most: {13 + number}"
        limit = picture.replaced(
            PART, "\n".join([*lines[:at], lines[at].replace("at most: 12", turns), *lines[at + 1 :]])
        )
        begun = now()
        assert diagnostics(limit, MAIN).proved
        times["limit"].append(now() - begun)
    for at in steps:
        cue = picture.replaced(PART, "\n".join([*lines[:at], lines[at] + "请说。", *lines[at + 1 :]]))
        begun = now()
        assert diagnostics(cue, MAIN).proved
        times["changed"].append(now() - begun)
        typed = lines[at][: lines[at].index(" asks ") + 4]
        half = picture.replaced(PART, "\n".join([*lines[:at], typed, *lines[at + 1 :]]))
        begun = now()
        diagnostics(half, MAIN)
        times["half"].append(now() - begun)
        half = picture.replaced(PART, "\n".join([*lines[:at], typed, *lines[at + 1 :]]))
        begun = now()
        assert completion(half, Cursor(PART, at + 1, len(typed) + 1))
        times["completion"].append(now() - begun)
    return {what: median(found) for what, found in times.items()}


def _formatted() -> tuple[float, float]:
    """Seconds for the layout of the two longest files of civil, proof included, and for a ruamel round trip of them."""
    from io import StringIO
    from time import process_time as now

    from ruamel.yaml import YAML

    from legalworld.authoring.format import formatted

    ours, theirs = [], []
    for _ in range(TIMES):
        for path in (MAIN, PART):
            text = (ROOT / path).read_text("utf-8")
            begun = now()
            assert isinstance(formatted(path, text), str)
            middle = now()
            yaml = YAML()
            yaml.dump(yaml.load(text), StringIO())
            ours.append(middle - begun)
            theirs.append(now() - middle)
    return sum(ours), sum(theirs)


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    whole = median(_whole() for _ in range(3))
    code = "import json; from bench.authoring import measured; print(json.dumps(measured()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    times = json.loads(done.stdout)
    shown = f"of {whole * 1000:.0f} ms"
    for what, name, most in (
        ("changed", "diagnostics of civil after a changed cue / whole, cold", 0.2),
        ("limit", "the same, a limit changed", 0.3),
        ("half", "the same, the line half typed", 0.2),
        ("completion", "completion there / whole, cold", 0.1),
    ):
        share = times[what] / whole
        yield name, f"{share:.2f} {shown}", f"<= {most}", share <= most
    ours, theirs = _formatted()
    yield "lw fmt, proof included / ruamel round trip", f"{ours / theirs:.2f}x", "<= 2x", ours <= 2 * theirs
