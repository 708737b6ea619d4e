"""A run that is not what was written is damaged, wherever runs are listed or counted; no shortcut says otherwise."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from forged import resummed
from places import TESTS
from typed import Ran, lw

from legalworld.runs.damage import DAMAGED, damage_of, is_damaged
from legalworld.runs.journal import load, standing
from legalworld.runs.run_info import RunInfo, sum_of

Damage = Callable[[Path], None]


def _lines(change: Callable[[list[bytes]], list[bytes]]) -> Damage:
    def damage(run: Path) -> None:
        file = run / "journal.jsonl"
        file.write_bytes(b"".join(change(file.read_bytes().splitlines(keepends=True))))

    return damage


def _without(at: float, count: int) -> Damage:
    def change(lines: list[bytes]) -> list[bytes]:
        start = int(at * (len(lines) - count - 1))
        return lines[:start] + lines[start + count :]

    return _lines(change)


def _edited(at: float) -> Damage:
    """One character of a line is another one of the same length."""

    def change(lines: list[bytes]) -> list[bytes]:
        n = min(int(at * len(lines)), len(lines) - 1)
        middle = len(lines[n]) // 2
        lines[n] = lines[n][:middle] + bytes([lines[n][middle] ^ 1]) + lines[n][middle + 1 :]
        return lines

    return _lines(change)


def _file(name: str, change: Callable[[str], str]) -> Damage:
    def damage(run: Path) -> None:
        text = (run / name).read_text("utf-8")
        assert change(text) != text
        (run / name).write_text(change(text), "utf-8")

    return damage


def _linked(name: str) -> Damage:
    """The same content behind a link."""

    def damage(run: Path) -> None:
        (run / name).rename(run.parent.parent / name)
        (run / name).symlink_to(run.parent.parent / name)

    return damage


def _piped(name: str) -> Damage:
    def damage(run: Path) -> None:
        (run / name).unlink()
        os.mkfifo(run / name)

    return damage


def _gone(name: str) -> Damage:
    return lambda run: (run / name).unlink()


JOURNAL: Mapping[str, Damage] = {
    **{f"{count} lines gone at {at}": _without(at, count) for count in (1, 2, 20) for at in (0, 0.3, 0.9)},
    **{f"a line edited at {at}": _edited(at) for at in (0, 0.25, 0.5, 1)},
    "two lines exchanged": _lines(lambda lines: [*lines[:9], lines[10], lines[9], *lines[11:]]),
    "a line twice": _lines(lambda lines: [*lines[:9], *lines[8:]]),
    "the last line twice": _lines(lambda lines: [*lines, lines[-1]]),
    "nothing but the last line": _lines(lambda lines: lines[-1:]),
    "the beginning is another run's": _lines(lambda lines: [lines[0].replace(b'"n":1', b'"n":1 '), *lines[1:]]),
    "lines of its own": _lines(lambda lines: [b"{}\n", *lines]),
}
BOUND = ("case.json", "sealed.json")
FILES: Mapping[str, Damage] = {
    **{
        f"{name} edited": _file(name, lambda text: text.replace("某", "甲", 1)) for name in ("case.json", "sealed.json")
    },
    **{f"{name} cut": _file(name, lambda text: text[:-9]) for name in ("case.json", "sealed.json", "run.yaml")},
    **{f"{name} longer": _file(name, lambda text: text + " ") for name in ("case.json", "sealed.json")},
    "seed edited": _file("run.yaml", lambda text: text.replace("seed: 0", "seed: 1")),
    "sum left out": _file("run.yaml", lambda text: text[: text.rindex("sum: ")]),
    "case unbound": _file("run.yaml", lambda text: resummed(text, _unbound)),
    **{f"{name} behind a link": _linked(name) for name in ("run.yaml", "case.json", "sealed.json", "journal.jsonl")},
    **{f"{name} a pipe": _piped(name) for name in ("run.yaml", "case.json", "sealed.json", "journal.jsonl")},
    **{f"{name} gone": _gone(name) for name in ("case.json", "sealed.json", "journal.jsonl")},
}


def _unbound(info: RunInfo) -> RunInfo:
    return replace(info, case_sum="")


ALL = {**JOURNAL, **FILES}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch of two runs, scored."""
    root = tmp_path_factory.mktemp("played")
    with contextlib.chdir(root):
        shutil.copytree(TESTS / "study" / "project", root, dirs_exist_ok=True)
        case = Path("cases/one.yaml").read_text("utf-8")
        for name in ("good", "bad"):
            Path(f"cases/{name}.yaml").write_text(case.replace("case: one", f"case: {name}"), "utf-8")
        assert lw(*BATCH).code == 0
        assert lw("eval", "runs", "--rubric", "spoken").code == 0
    return root


BATCH = ("batch", "debt", "--cases", "cases/good.yaml,cases/bad.yaml", "--out", "runs")


@pytest.fixture
def root(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LW_LANG", "en")
    copy = shutil.copytree(played, tmp_path / "project")
    monkeypatch.chdir(copy)
    return Path(copy)


def statuses() -> dict[str, str]:
    listed = lw("runs", "--json")
    assert listed.code == 0
    return {Path(row["run"]).name[:3]: row["status"] for row in map(json.loads, listed.out.splitlines())}


def last(ran: Ran) -> Any:
    return json.loads(ran.out.splitlines()[-1])


@pytest.mark.parametrize("name", ALL)
def test_damage_is_told_wherever_a_run_is_shown_or_counted(root: Path, name: str) -> None:
    bad = root / "runs" / "bad-0"
    assert statuses() == {"goo": "ended", "bad": "ended"} and damage_of(bad) == ()
    ALL[name](bad)
    assert damage_of(bad) and is_damaged(damage_of(bad))
    assert statuses() == {"goo": "ended", "bad": "damaged"}
    played_again = lw(*BATCH, "--json")
    assert played_again.code == 2
    results = [json.loads(line) for line in played_again.out.splitlines()]
    assert sorted(one["status"] for one in results if one["event"] == "result") == ["damaged", "ended"]
    scored = lw("eval", "runs", "--rubric", "spoken", "--json")
    assert scored.code == 2 and [one["status"] for one in last(scored)["failed"]] == ["damaged"]
    reported = lw("report", "runs", "--rubric", "spoken", "--json")
    assert last(reported)["damaged"] == 1 and len(last(reported)["models"]) == 1
    dataset = lw("dataset", "runs", "--out", "data", "--json")
    assert dataset.code == 2 and (last(dataset)["runs"], last(dataset)["damaged"]) == (1, 1)
    packed = lw("archive", "pack", "runs", "--out", "runs.zip", "--json")
    assert packed.code == 2 and (len(last(packed)["runs"]), last(packed)["damaged"]) == (1, 1)
    for words in (("show", bad), ("replay", bad), ("resume", bad), ("export", bad, "--to", "papers")):
        told = lw(*words)
        assert told.code == 2 and "LW199" not in told.err and set(re.findall(r"LW\d{3}", told.err)) & DAMAGED, (
            words,
            told,
        )


@pytest.mark.parametrize("name", ["a line edited at 0.5", "case.json edited", "seed edited"])
def test_what_was_verified_is_believed_while_its_files_are_the_same(root: Path, name: str) -> None:
    """Size and times are put back: the system still says that the file was changed."""
    bad = root / "runs" / "bad-0"
    for file in bad.iterdir():
        os.utime(file, (1_000_000_000, 1_000_000_000))
    assert statuses()["bad"] == "ended"
    time.sleep(0.02)
    ALL[name](bad)
    for file in bad.iterdir():
        os.utime(file, (1_000_000_000, 1_000_000_000))
    assert statuses()["bad"] == "damaged"
    assert lw("runs", "--verify", "--json").code == 0


def test_a_record_without_its_last_lines_is_one_that_is_not_over(root: Path) -> None:
    """Nobody can tell it from one whose process was stopped there; it is never told to be finished."""
    _lines(lambda lines: lines[:-7])(root / "runs" / "bad-0")
    assert statuses() == {"goo": "ended", "bad": "unfinished"}
    assert lw(*BATCH).code == 0 and statuses()["bad"] == "ended"


def test_nothing_sealed_can_be_guessed_by_what_an_archive_holds(root: Path) -> None:
    run = root / "runs" / "bad-0"
    assert lw("archive", "pack", run, "--out", "one.zip").code == 0
    assert lw("archive", "unpack", "one.zip", "--out", "there").code == 0
    sums = [sum_of((run / "sealed.json").read_text("utf-8"))]
    assert sums[0] in (run / "run.yaml").read_text("utf-8")
    texts = {file: file.read_text("utf-8", "replace") for file in (root / "there").rglob("*") if file.is_file()}
    assert texts and not [file for file, text in texts.items() if sums[0] in text]
    assert damage_of(root / "there" / "bad-0") == ()
    (root / "there" / "bad-0" / "sealed.json").write_text("{}")  # put beside it by somebody
    assert lw("eval", "there/bad-0", "--rubric", "spoken").code == 2


def test_a_journal_of_zeros_is_read_line_by_line(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    with open(journal, "wb") as file:
        file.truncate(1 << 30)
    assert standing(journal).problem is not None and load(journal).lines == ()
