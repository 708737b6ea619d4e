"""How long commands take to start: whole processes, in turns with what they are compared to, medians of wall time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
MINIMAL = "import click\n@click.command()\ndef main(): pass\nmain()"
STACK = "import click, jinja2, lark, pydantic, ruamel.yaml"
TINY = """lw: 1
procedure: tiny
kinds: {P: person}
roles: {host: {title: 主人, kind: person}, guest: {title: 客人, kind: person}}
stages:
  - stage: visit
    steps:
      - host asks guest: 喝什么
        id: offer
"""


# As on a user's machine: compiled modules are kept.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
STARTED = "import legalworld.cli.main, legalworld.runs.project"


def _seconds(command: Sequence[str]) -> float:
    begun = perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=ENVIRONMENT)
    return perf_counter() - begun


def paired(one: Sequence[str], two: Sequence[str], rounds: int = 15) -> tuple[float, float]:
    """Median seconds of two commands run in turns, after one warm-up each."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        for index, command in enumerate((one, two)):
            seconds = _seconds(command)
            if number:
                times[index].append(seconds)
    return median(times[0]), median(times[1])


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    lw = [sys.executable, "-m", "legalworld"]
    ours, bare = paired([*lw, "--help"], [sys.executable, "-c", MINIMAL, "--help"])
    yield "lw --help / minimal click program", f"{ours / bare:.2f}x", "<= 1.5x", ours / bare <= 1.5
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "specs" / "tiny.yaml"
        spec.parent.mkdir()
        spec.write_text(TINY, encoding="utf-8")
        started, bare = paired([sys.executable, "-c", STARTED], [sys.executable, "-c", STACK])
        yield (
            "start of lw check / importing the parse stack",
            f"{started / bare:.2f}x",
            "<= 1.5x",
            started / bare <= 1.5,
        )
        ours, bare = paired([*lw, "check", str(spec)], [sys.executable, "-c", STACK])
    yield "a whole lw check of ten lines / the same", f"{ours / bare:.2f}x", "", None
    yield from _kept(lw)
    code = "import sys; from legalworld.cli.main import main; sys.argv=['lw','check','civil']\ntry: main()\n"
    code += "except SystemExit: pass\nprint('litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    absent = done.stdout.strip().endswith("False")
    yield "litellm imported by lw check", "no" if absent else "yes", "no", absent


def _kept(lw: Sequence[str]) -> Iterator[tuple[str, str, str, bool | None]]:
    """Commands that find their templates compiled, against the same that compile them. Seconds of a processor."""
    with tempfile.TemporaryDirectory() as folder:
        warm = {**ENVIRONMENT, "LW_CACHE": f"{folder}/cache"}
        cold = {**ENVIRONMENT, "LW_CACHE": ""}
        for words in (("check", "civil"), ("run", "civil", "--out")):
            times: tuple[list[float], list[float]] = ([], [])
            for number in range(6):
                for index, environment in enumerate((warm, cold)):
                    out = [f"{folder}/{number}-{index}"] if words[-1] == "--out" else []
                    before = os.times()
                    subprocess.run([*lw, *words, *out], cwd=ROOT, check=True, capture_output=True, env=environment)
                    after = os.times()
                    if number:
                        times[index].append(
                            after.children_user + after.children_system - before.children_user - before.children_system
                        )
            ours, anew = map(median, times)
            what = f"lw {' '.join(words[:2])}, templates kept / compiled anew"
            yield what, f"{ours:.2f} s / {anew:.2f} s = {ours / anew:.2f}x", "<= 0.9x", ours / anew <= 0.9
