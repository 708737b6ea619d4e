"""A report to publish over 600 runs: seconds, memory, and the size of the page.

Two kinds of actors play four cases of the shipped ones with three seeds; the runs are linked to six hundred under the
names of three models and a hundred cases, their scores moved at random, with reasons as long as a grader's.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from legalworld.evaluation.results import Evaluation
from legalworld.evaluation.score_files import keep

ROOT = Path(__file__).resolve().parent.parent
CASES, SEEDS, RUNS = ("jiedai", "laodong", "wuye"), 3, 600
MODELS = ("openai/first-72b-instruct", "openai/second-8b", "deepseek/third")
REASON = 120  # characters of a reason


def _lw(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "legalworld", *words], cwd=ROOT, check=True, capture_output=True)


def _played(folder: Path) -> list[Path]:
    cases, seeds = ",".join(CASES), str(SEEDS)
    words = ("--cases", cases, "--models", "offline,offline:noisy", "--seeds", seeds, "--rubric", "longjud")
    _lw("bench", "civil", *words, "--out", str(folder))
    return sorted(one.parent for one in folder.rglob("run.yaml"))


def _linked(run: Path, copy: Path) -> None:
    """A run folder under another name, that takes no room; but its scores are its own."""
    shutil.copytree(run, copy, copy_function=os.link, ignore=shutil.ignore_patterns("scores"))


def _scored(run: Path, copy: Path, number: int, draw: random.Random) -> None:
    """The scores of a run as those of another model and case, no two alike."""
    (file,) = (run / "scores").glob("*.json")
    scores: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    model, case = MODELS[number % len(MODELS)], number // len(MODELS) % 100
    scores |= {"run": str(copy), "case": f"case-{case:03}", "model": model}
    for one in scores["scores"]:
        one["reason"] = "".join(chr(draw.randrange(0x4E00, 0x5200)) for _ in range(REASON))
    for figure in scores["figures"]:
        if figure["value"] is not None:
            figure["value"] = min(1.0, max(0.0, figure["value"] + draw.uniform(-0.2, 0.2)))
    del scores["sum"]
    keep(copy, Evaluation.model_validate(scores))


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    draw = random.Random(600)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played = _played(folder / "played")
        for number in range(RUNS):
            run, copy = played[number % len(played)], folder / "runs" / f"{number:03}"
            copy.parent.mkdir(exist_ok=True)
            _linked(run, copy)
            _scored(run, copy, number, draw)
        page = folder / "report.html"
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        _lw("report", str(folder / "runs"), "--rubric", "longjud", "--html", str(page))
        seconds = perf_counter() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        busy, memory = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1024
        size = page.stat().st_size / 1e6
        yield f"report of {RUNS} runs as a page, wall", f"{seconds:.1f} s", "< 20 s", seconds < 20
        yield "the same by processor time", f"{busy:.1f} s", "", None
        yield "the same, memory", f"{memory:.0f} MB", "< 1024 MB", memory < 1024
        yield "the same, size of the page", f"{size:.1f} MB", "< 10 MB", size < 10
        if keep := os.environ.get("LW_KEEP"):
            shutil.copy(page, keep)
