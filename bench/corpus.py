"""Duplicates and pairs of 100,000 judgments, made from fictional ones: seconds, and memory at its highest."""

from __future__ import annotations

import json
import multiprocessing
import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from legalworld.corpus.clean import cleaned
from legalworld.corpus.duplicates import once
from legalworld.corpus.pairs import paired
from legalworld.corpus.records import Records, StepNotes, line_of
from legalworld.corpus.step_files import StepFiles

ROOT = Path(__file__).resolve().parent.parent
JUDGMENTS = 100_000
MOST_SECONDS, MOST_MEMORY = 600.0, 2048.0
NEAR, TWICE, ALONE = 0.85, 0.1, 0.1  # shares of judgments that are there twice, or have no counterpart
LENGTH = 3_000  # characters, about that of a judgment


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    with tempfile.TemporaryDirectory() as folder:
        made(Path(folder) / "given.jsonl", JUDGMENTS)
        for step in ("dedupe", "pair"):
            seconds, memory, found = _in_a_process(Path(folder), step)
            what = f"{JUDGMENTS:,} judgments, {step}: {found:,} left"
            yield what, f"{seconds:.0f} s", f"< {MOST_SECONDS:.0f} s", seconds < MOST_SECONDS
            yield f"{what}, memory", f"{memory:.0f} MB", f"< {MOST_MEMORY:.0f} MB", memory < MOST_MEMORY


def _in_a_process(folder: Path, step: str) -> tuple[float, float, int]:
    """Seconds and megabytes of a step, in a process that does nothing else."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    worker = context.Process(target=_work, args=(str(folder), step, theirs))
    worker.start()
    found: tuple[float, float, int] = ours.recv()
    worker.join()
    return found


def _work(folder: str, step: str, pipe: Any) -> None:
    notes, begun = StepNotes(), perf_counter()
    if step == "dedupe":
        files = StepFiles(Path(folder), 1, step)
        done = files.write(once(Records(Path(folder) / "given.jsonl"), NEAR, notes), "", notes)
    else:
        files = StepFiles(Path(folder), 2, step)
        done = files.write(paired(Records(StepFiles(Path(folder), 1, "dedupe").kept), notes), "", notes)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
    pipe.send((perf_counter() - begun, peak, done.kept))


def made(file: Path, count: int) -> None:
    """So many judgments that are known already by court, number and parties: pairs, some twice, some alone."""
    lines = (ROOT / "tests" / "corpus" / "judgments.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [cleaned(json.loads(line)["文书内容"]) for line in lines[:3]]
    sentences = sorted({sentence for text in texts for sentence in text.split("。") if len(sentence) > 15})
    draw = random.Random(0)
    with open(file, "w", encoding="utf-8", newline="\n") as on:
        number = 0
        while number < count:
            case = number
            for instance in (1, 2) if draw.random() > ALONE else (1,):
                row = _judgment(case, instance, sentences, draw)
                for _ in range(1 + (draw.random() < TWICE)):
                    on.write(line_of({**row, "id": f"j{number}"}))
                    row = row | {"text": row["text"].replace("，", "", 1), "date": ""}
                    number += 1


def _judgment(case: int, instance: int, sentences: list[str], draw: random.Random) -> dict[str, Any]:
    text = ""
    while len(text) < LENGTH:
        text += f"{draw.choice(sentences)}{draw.randrange(10**6)}元。"
    number = f"（2024）虚{case % 97:04}民{'初' if instance == 1 else '终'}{case}号"
    return {
        "kind": "text",
        "where": "",
        "text": text,
        "number": number,
        "court": "江澜市青塘区人民法院" if instance == 1 else "江澜市第一中级人民法院",
        "date": f"2024-0{3 * instance}-01",
        "cause": "民间借贷纠纷",
        "instance": instance,
        "appealed": ["江澜市青塘区人民法院", number.replace("终", "初")] if instance == 2 else ["", ""],
        "named": [["plaintiff", f"甲{case}"], ["defendant", f"乙{case}"]],
        "notes": [],
    }
