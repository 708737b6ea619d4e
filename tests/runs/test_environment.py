"""The disk, the folder and its files are told of as what they are: which file, why, and whether one may go on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from forged import resummed
from typed import Ran, lw

from legalworld.files import regular
from legalworld.runs import folder as folders
from legalworld.runs import journal as journals

Fail = Callable[[str, int], None]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


class Disk:
    """A disk that has no room, or may not be written: for the journal after so many lines, or for other files."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines = 10_000
        self.files = ""
        self.number = errno.ENOSPC
        append, whole = journals.Journal._append, regular.write_whole

        def appended(journal: Any, data: bytes, n: int, chain: bytes) -> None:
            if n > self.lines:
                raise OSError(self.number, os.strerror(self.number))
            append(journal, data, n, chain)

        def written(path: Path, data: bytes, root: Path | None = None) -> None:
            if self.files and path.name == self.files:
                raise OSError(self.number, os.strerror(self.number), str(path))
            whole(path, data, root)

        monkeypatch.setattr(journals.Journal, "_append", appended)
        monkeypatch.setattr(regular, "write_whole", written)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def goes_on(ran: Ran, *named: str) -> None:
    assert ran.code == 3 and "LW150" in ran.err and "LW199" not in ran.err
    assert all(name in ran.err for name in named) and "lw resume run" in ran.said


def test_a_disk_that_fills_up_stops_the_run_that_can_be_gone_on_with(here: Path, disk: Disk) -> None:
    assert lw("run", "bargain", "--out", "whole").code == 0
    disk.lines = 12
    goes_on(lw("run", "bargain", "--out", "run"), "run/journal.jsonl", "No space left on device")
    goes_on(lw("resume", "run"), "run/journal.jsonl")
    disk.lines = 10_000
    assert lw("resume", "run").code == 0
    assert (here / "run/journal.jsonl").read_bytes() == (here / "whole/journal.jsonl").read_bytes()


def test_a_transcript_that_finds_no_room_is_made_later(here: Path, disk: Disk) -> None:
    disk.files = "transcript.md"
    goes_on(lw("run", "bargain", "--out", "run"), "run/transcript.md")
    replayed = lw("replay", "run")
    assert replayed.code == 3 and "LW150" in replayed.err and "run/transcript.md" in replayed.err
    disk.files = ""
    assert lw("resume", "run").code == 0
    assert (here / "run/transcript.md").is_file()


def test_a_folder_that_may_not_be_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, *_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    assert lw("run", "bargain", "--until", "settle", "--out", "run").code == 0
    before = (here / "run/journal.jsonl").read_bytes()
    monkeypatch.setattr(folders, "_appear", refused)
    new = lw("run", "bargain", "--out", "locked/new")
    assert new.code == 2 and "LW150" in new.err and "locked/new" in new.err and "Permission denied" in new.err
    monkeypatch.setattr(regular, "appended", refused)
    old = lw("resume", "run")
    assert old.code == 2 and "LW150" in old.err and "run/journal.jsonl" in old.err
    assert (here / "run/journal.jsonl").read_bytes() == before


@pytest.mark.parametrize("words", [("replay", "run"), ("resume", "run"), ("show", "run")], ids=lambda words: words[0])
@pytest.mark.parametrize(
    ("name", "change", "code", "said"),
    [
        ("run.yaml", lambda text: resummed(text, lambda info: replace(info, models={})), "LW181", "“buyer”"),
        ("run.yaml", lambda text: text.replace("\nsum: ", "\nsums: "), "LW147", "sums"),
        ("run.yaml", lambda text: text.replace("  buyer: offline\n", ""), "LW159", "sum"),
        ("case.json", lambda text: text[: len(text) // 2], "LW700", "case.json"),
        ("case.json", lambda _: "{}", "LW700", "case.json"),
        ("case.json", lambda _: "[" * 9000, "LW700", "case.json"),
        ("journal.jsonl", lambda text: text.replace('"kind":"entered"', '"kind":"left"', 1), "LW140", "journal.jsonl"),
    ],
    ids=["role missing", "no sum", "role missing, summed", "case cut", "case empty", "case deep", "journal changed"],
)
def test_a_damaged_file_is_named(
    here: Path, words: tuple[str, ...], name: str, change: Callable[[str], str], code: str, said: str
) -> None:
    assert lw("run", "bargain", "--until", "settle", "--out", "run").code == 0
    file = here / "run" / name
    file.write_text(change(file.read_text("utf-8")), "utf-8")
    told = lw(*words)
    assert told.code == 2 and code in told.err and "LW199" not in told.err
    assert f"run/{name}" in told.err and said in told.err


def test_one_damaged_run_leaves_the_others_their_table(here: Path) -> None:
    for seed in "012":
        assert lw("run", "bargain", "--seed", seed, "--out", f"runs/{seed}").code == 0
    (here / "runs/1/case.json").write_text("{", "utf-8")
    (here / "runs/2/run.yaml").write_text("lw: 1\n", "utf-8")
    listed = lw("runs", "runs")
    assert listed.code == 0 and listed.out.count("bargain") >= 2
    covered = lw("coverage", "runs/0", "runs/1")
    assert "LW700" in covered.err and "LW199" not in covered.err
    dataset = lw("dataset", "runs", "--out", "data")
    assert "LW700" in dataset.err and "runs/2" in dataset.err and "LW199" not in dataset.err
    assert (here / "data").is_dir() and any((here / "data").glob("*.jsonl"))
