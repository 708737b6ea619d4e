"""The study of LegalWorld at small size, played to its end by models on loopback: two instances, profiles, forks.

The models say what the offline actors said to the same words, so that judgments decide and every stage is reached.
"""

from __future__ import annotations

import re
import statistics
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from loopback import Answer, Call, Loopback, fail, say
from places import ROOT
from studied import begun, cells, command, figures, killed_once, rows, said_in, thread_key, without_printed

PLAYERS = {"Kimi-K2.5": "m0", "Qwen3.5-Plus": "m1"}
GRADER = {"Claude-Sonnet-4.6": "offline"}
WAITING = {"sheets", "needs", "nothing", "score"}
"""Why a cell may be empty: what people fill in, what the study says it needs, a "-" of the paper itself, and what does
not apply (an appeal of one who does not appeal)."""


def small(text: str) -> str:
    """The study with the shipped case in the place of each split, and two models; the grader goes by rule."""
    text = re.sub(r"(?m)^  (full|medium|light): \{from: .*$", r"  \1: {from: jiedai}", text)
    text = re.sub(r"sample: (?:20|7) ", "sample: 1 ", text)
    text = re.sub(r"model: \[Kimi-K2\.5, Qwen3\.5-Plus, [^\]]*\]", "model: [Kimi-K2.5, Qwen3.5-Plus]", text)
    return without_printed(text.replace("grader: Claude-Sonnet-4.6, ", ""))


@pytest.fixture
def here(tmp_path: Path) -> Path:
    text = (ROOT / "studies" / "papers" / "legalworld.yaml").read_text("utf-8")
    (tmp_path / "s.yaml").write_text(small(text), "utf-8")
    return tmp_path


def offline(here: Path, server: Loopback) -> dict[str, str]:
    """What offline actors say in the whole study."""
    words, env = command(here, server, dict.fromkeys(PLAYERS, "offline") | GRADER)
    words[words.index("out")] = "said"
    subprocess.run(words, cwd=here, env=env, capture_output=True, timeout=600, check=True)
    return said_in(here / "said")


MEANS = {
    "Issue Spotting": "spotting",
    **{
        f"{title} {instance}": f"{name}_{instance}"
        for title, name in {
            "Party Identification": "party",
            "Claim Construction": "claim",
            "Fact Marshalling": "fact",
            "Evidence Marshalling": "proof",
            "Position Consistency": "position",
            "Evidentiary Advocacy": "advocacy",
            "Legal Reasoning": "reasoning",
        }.items()
        for instance in (1, 2)
    },
}


def table_3(here: Path) -> dict[tuple[str, str], float]:
    """Table 3 again: the mean over both lawyers of a model's figures, by plain arithmetic."""
    mine = [one for one in rows(here / "out" / "runs.csv") if one["condition"] == "bench"]
    found: dict[tuple[str, str], float] = {}
    for model in PLAYERS:
        runs = {one["target"]: figures(one["run"], "longjud") for one in mine if one["model"] == model}
        for column, name in MEANS.items():
            there = [told[name] for told in runs.values() if told[name] is not None]
            found[model, column] = statistics.fmean(one for one in there if one is not None)
    return found


def test_every_cell_is_filled_or_waits_for_what_it_names(here: Path) -> None:
    said: dict[str, str] = {}

    def answer(call: Call) -> Answer:
        key = thread_key([str(one["content"]) for one in call.body["messages"]])
        return say(said[key], tokens=(100, 10)) if key in said else fail(418, "nothing was said offline to this")

    with Loopback(answer) as server:
        said |= offline(here, server)
        told = killed_once(here, server, *command(here, server, PLAYERS | GRADER, tools="text"), 6)
    runs = rows(here / "out" / "runs.csv")
    assert {row["ended"] for row in runs} == {"True"} and len({row["run"] for row in runs}) == begun(here)
    assert f"to their end: {begun(here)}, of {begun(here)} wanted" in told
    every = cells(here)
    waiting = Counter(row["gap"] for _, row in every if not row["value"])
    assert set(waiting) <= WAITING, waiting
    assert {row["what"] for _, row in every if row["gap"] == "score"} <= {"not_applicable"}
    assert sum(bool(row["value"]) for _, row in every) >= 140
    shown = {(row["row"], row["column"]): row["value"] for table, row in every if table == "3"}
    by_hand = table_3(here)
    assert len(by_hand) == 30
    for place, value in by_hand.items():
        assert float(shown[place]) == pytest.approx(value, abs=1e-9), place
