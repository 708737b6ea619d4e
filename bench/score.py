"""Scoring by rule: stored life cycles a second, on two processors, from opening a run to the file of its scores.

Runs of noisy actors with different seeds, so that hardly a text is read twice, copied to a thousand.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from legalworld.evaluation.evaluate import evaluate
from legalworld.evaluation.grader import GraderSettings
from legalworld.evaluation.rubric.open import OpenRubric, open_rubric

ROOT = Path(__file__).resolve().parent.parent
CASES, SEEDS, RUNS = ("jiedai", "laodong", "wuye"), 12, 1000


def _played(folder: Path) -> list[Path]:
    words = ["--cases", ",".join(CASES), "--models", "offline:noisy", "--seeds", str(SEEDS), "--rubric", "alignment"]
    command = [sys.executable, "-m", "legalworld", "bench", "civil", *words, "--out", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return sorted(one.parent for one in folder.rglob("run.yaml"))


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    with tempfile.TemporaryDirectory() as name:
        played = _played(Path(name) / "played")
        runs = [Path(name) / "runs" / str(n) for n in range(RUNS)]
        for n, run in enumerate(runs):
            shutil.copytree(played[n % len(played)], run, ignore=shutil.ignore_patterns("scores"))
        opened = open_rubric("alignment", ROOT)
        assert isinstance(opened, OpenRubric)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = perf_counter()
        done = evaluate(runs, opened, GraderSettings(), cwd=Path(name))
        seconds = perf_counter() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert sum(one.evaluation is not None for one in done) == RUNS
        busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        yield f"{RUNS:,} stored life cycles scored by rule, wall", f"{RUNS / seconds:.0f} /s", "", None
        speed = 2 * RUNS / busy
        yield "the same by processor time, two processors", f"{speed:.0f} /s", "> 200 /s", speed > 200
