"""Studies of papers at small size, played by a model on loopback that is killed once: what their tests share."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loopback import Loopback

from legalworld.runs.open_run import OpenRun, open_run
from legalworld.runs.show.prompts import messages_of
from legalworld.runs.show.views import calls_of


def without_printed(text: str) -> str:
    """A study without the values that a paper prints."""
    text = re.sub(r"(?ms)^    printed:\n.*?(?=^  \"|\Z)", "", text)
    text = re.sub(r"(?m)^    printed: .*\n", "", text)
    return re.sub(r"(?ms)^      values:\n(?:        .*\n)+", "", text)


def command(here: Path, server: Loopback, models: Mapping[str, str], **model: str) -> tuple[list[str], dict[str, str]]:
    """`lw study run s.yaml` and its environment. `models`: name in the study -> name to bind it to, `m1` and the like
    being the server's; `model`: further keys of the models file."""
    own = "".join(f", {key}: {value}" for key, value in model.items())
    served = dict.fromkeys(name for name in models.values() if name.startswith("m"))
    lines = [f'  {one}: {{model: openai/{one}, address: "{server.url}"{own}}}' for one in served]
    (here / "models.yaml").write_text("lw: 1\nmodels:\n" + "\n".join(lines) + "\n", "utf-8")
    bound = [word for name, one in models.items() for word in ("--model", f"{name}={one}")]
    words = [sys.executable, "-m", "legalworld", "study", "run", "s.yaml", "--out", "out", "--small", "1", *bound]
    return words, {**os.environ, "OPENAI_API_KEY": "none", "LW_LANG": "en"}


def begun(here: Path) -> int:
    return len([*(here / "out").rglob("run.yaml")])


def killed_once(here: Path, server: Loopback, words: Sequence[str], env: Mapping[str, str], at: int) -> str:
    """What is printed at the end of a study that was killed when `at` runs had begun, gone on with by the same command,
    and done again: then nobody is asked any more."""
    first = subprocess.Popen(
        words, cwd=here, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    until = time.monotonic() + 240
    while begun(here) < at and first.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    assert first.poll() is None, "it was to be killed in mid-run"
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    there = begun(here)
    again = subprocess.run(words, cwd=here, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert again.returncode == 0, again.stderr[-2000:]
    assert there < begun(here)
    asked = len(server.calls)
    third = subprocess.run(words, cwd=here, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert third.returncode == 0 and len(server.calls) == asked, "the same again asks nobody"
    return again.stdout


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as text:
        return [*csv.DictReader(text)]


def cells(here: Path) -> list[tuple[str, dict[str, str]]]:
    """Every cell of every table, with the name of the table's file."""
    return [(file.stem, row) for file in sorted((here / "out" / "tables").glob("*.csv")) for row in rows(file)]


def figures(run: str, rubric: str) -> dict[str, float | None]:
    """The figures of a run, from the file beside it."""
    (file,) = (Path(run) / "scores").glob(f"{rubric}.*.json")
    told: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return {one["formula"]: one["value"] for one in told["figures"]}


def thread_key(messages: Sequence[str]) -> str:
    """The words of a thread, whatever the blanks between them."""
    return "".join("".join(messages).split())


def said_in(folder: Path) -> dict[str, str]:
    """What was answered to each thread in all runs below a folder."""
    said: dict[str, str] = {}
    for place in folder.rglob("run.yaml"):
        opened = open_run(place.parent)
        assert isinstance(opened, OpenRun)
        for call in calls_of(opened):
            if call.id in opened.kept:
                key = thread_key([message.content for message in messages_of(opened, call)])
                assert said.setdefault(key, opened.kept[call.id].content) == opened.kept[call.id].content
    return said
