"""The record of a batch, held against what it was and against the runs: what was changed is told and not counted."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir
from pathlib import Path

import pytest
from typed import lw

from legalworld.batch.record import (
    ASIDE,
    ASKED,
    LINES,
    BatchRecord,
    RecordHead,
    RunEntry,
    keep_command,
    merged,
    recorded,
)
from legalworld.models.prices import Spent

RUNS = 3
Change = Callable[[Path], None]


def cases(path: Path, numbers: range) -> str:
    lines = (
        {"lw": "1", "case": f"deal{n}", "goods": f"第{n}把椅子", "limit": {"sell": str(80 + n), "buy": "120"}}
        for n in numbers
    )
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return path.name


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("batch")
    with pytest.MonkeyPatch.context() as patch, chdir(place):
        patch.setenv("LW_LANG", "zh")
        for out, numbers in (("out", range(RUNS)), ("other", range(RUNS, RUNS + 2))):
            words = ("batch", "bargain", "--cases", cases(place / f"{out}.jsonl", numbers), "--out", out)
            assert lw(*words).code == 0
        yield place


@pytest.fixture
def here(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = Path(shutil.copytree(played, tmp_path / "here"))
    monkeypatch.chdir(place)
    monkeypatch.setenv("LW_LANG", "zh")
    return place


def again() -> tuple[int, str]:
    ran = lw("batch", "bargain", "--cases", "out.jsonl", "--out", "out")
    return ran.code, ran.said


# ---- what may be done to a record ------------------------------------------------------------------------------------


def _lines(change: Callable[[list[bytes]], list[bytes]]) -> Change:
    def done(out: Path) -> None:
        lines = (out / LINES).read_bytes().splitlines(keepends=True)
        (out / LINES).write_bytes(b"".join(change(lines)))

    return done


def _swapped(lines: list[bytes], n: int) -> list[bytes]:
    return [*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]]


def _byte(lines: list[bytes], n: int, at: int) -> list[bytes]:
    line = bytearray(lines[n])
    line[at % (len(line) - 1)] ^= 0x11
    return [*lines[:n], bytes(line), *lines[n + 1 :]]


def _words(change: Callable[[dict[str, object]], object]) -> Change:
    def done(out: Path) -> None:
        words = json.loads((out / ASKED).read_text("utf-8"))
        change(words)
        (out / ASKED).write_text(json.dumps(words), "utf-8")

    return done


def of_the_record() -> Mapping[str, Change]:
    """Each line edited, taken out, doubled, exchanged with the next; the record cut at each line, and within."""
    dice, made = random.Random(7), {}
    for n in range(2 * RUNS):
        at = dice.randrange(999)
        made |= {
            f"byte of {n}": _lines(lambda lines, n=n, at=at: _byte(lines, n, at)),
            f"without {n}": _lines(lambda lines, n=n: [*lines[:n], *lines[n + 1 :]]),
            f"twice {n}": _lines(lambda lines, n=n: [*lines[: n + 1], *lines[n:]]),
            f"cut before {n}": _lines(lambda lines, n=n: lines[:n]),
            f"cut in {n}": _lines(lambda lines, n=n: [*lines[:n], lines[n][: len(lines[n]) // 2]]),
            f"one put in before {n}": _lines(
                lambda lines, n=n: [*lines[:n], b'{"run":"deal0-0","case":"","status":"ended"}\n', *lines[n:]]
            ),
        }
    for n in range(2 * RUNS - 1):
        made[f"swapped {n}"] = _lines(lambda lines, n=n: _swapped(lines, n))
    made["of another batch"] = lambda out: (
        (out / LINES).write_bytes((out.parent / "other" / LINES).read_bytes()) and None
    )
    made["gone"] = lambda out: (out / LINES).unlink()
    made["empty"] = lambda out: (out / LINES).write_bytes(b"") and None
    made["noise"] = lambda out: (out / LINES).write_bytes(dice.randbytes(3000)) and None
    made["without sums"] = _lines(lambda lines: [line.partition(b',"sum"')[0] + b"}\n" for line in lines])
    return made


def of_the_command() -> Mapping[str, Change]:
    """Each word of `batch.json` changed, taken out, and one added; the file of another batch, cut, and gone."""
    keys = ("spec", "lineups", "cases", "seeds", "options", "out", "cwd", "limits", "record", "sum")
    made: dict[str, Change] = {}
    for key in keys:
        made[f"{key} changed"] = _words(lambda words, key=key: words.update({key: [words.get(key), "x"]}))
        made[f"{key} gone"] = _words(lambda words, key=key: words.pop(key))
    made["more"] = _words(lambda words: words.update(more=1))
    made["fewer lines"] = _words(lambda words: words.update(record={"lines": 0, "sum": ""}))
    made["cut"] = lambda out: (out / ASKED).write_bytes((out / ASKED).read_bytes()[:50]) and None
    made["gone"] = lambda out: (out / ASKED).unlink()
    return made


@pytest.mark.parametrize("name", of_the_record())
def test_a_record_that_was_changed_is_told_and_counts_nothing(here: Path, name: str) -> None:
    of_the_record()[name](here / "out")
    found = recorded(here / "out")
    assert found.problems and not found.entries and found.spent == Spent()
    ran = lw("batch", "status", "out", "--json")
    told = ran.object()
    assert ran.code == 2 and told["counts"] == {"ended": RUNS} and told["unrecorded"] == RUNS
    assert told["tokens"] is None and told["problems"]


@pytest.mark.parametrize("name", of_the_command())
def test_a_command_that_was_changed_is_not_gone_on_with(here: Path, name: str) -> None:
    of_the_command()[name](here / "out")
    assert recorded(here / "out").problems
    for words in (("status", "out"), ("retry", "out")):
        assert lw("batch", *words).code == 2


@pytest.mark.parametrize("name", ["byte of 2", "cut before 3", "gone", "without sums", "noise", "batch.json"])
def test_the_same_command_writes_a_record_anew_that_can_be_believed(here: Path, name: str) -> None:
    before = {path: path.read_bytes() for path in (here / "out").glob("*/journal.jsonl")}
    change = {**of_the_record(), "batch.json": of_the_command()["seeds changed"]}[name]
    change(here / "out")
    code, said = again()
    assert code == 0 and "LW70" in said
    assert (here / "out" / ASIDE).exists() == (name != "gone")
    told = lw("batch", "status", "out", "--json")
    assert told.code == 0 and told.object()["counts"] == {"ended": RUNS} and not told.object()["unrecorded"]
    assert {path: path.read_bytes() for path in before} == before


def test_what_a_killed_process_leaves_is_no_damage(here: Path) -> None:
    """Behind what `batch.json` tells a record may end anywhere; what is noted next stands behind its last line."""
    out = here / "out"
    record = BatchRecord(out, recorded(out))
    for n in range(3):
        record.note(RunEntry(f"deal{n}-0", "", "begun", spent=Spent(1, n)))
    record.close()
    whole = (out / LINES).read_bytes()
    known = len(b"".join(whole.splitlines(keepends=True)[: 2 * RUNS]))
    for size in range(known, len(whole) + 1):
        (out / LINES).write_bytes(whole[:size])
        before = recorded(out)
        assert not before.problems, size
        record = BatchRecord(out, before)
        record.note(RunEntry("more", "", "ended"))
        record.close()
        assert "more" in recorded(out).entries and not recorded(out).problems


# ---- records that went apart -----------------------------------------------------------------------------------------


def written(folder: Path, entries: tuple[str, ...]) -> bytes:
    folder.mkdir()
    keep_command(folder, {}, RecordHead())
    record = BatchRecord(folder, recorded(folder))
    for name in entries:
        record.note(RunEntry(name, "", "ended"))
    record.close()
    return (folder / LINES).read_bytes()


@pytest.mark.parametrize("same", range(4))
@pytest.mark.parametrize("ours", range(3))
@pytest.mark.parametrize("theirs", range(3))
def test_records_that_went_apart_become_one(tmp_path: Path, same: int, ours: int, theirs: int) -> None:
    names = tuple(f"s{n}" for n in range(same))
    mine = written(tmp_path / "mine", names + tuple(f"a{n}" for n in range(ours)))
    other = written(tmp_path / "other", names + tuple(f"b{n}" for n in range(theirs)))
    whole = merged(other, mine)
    assert whole.startswith(other) or whole == mine
    (tmp_path / "mine" / LINES).write_bytes(whole)
    found = recorded(tmp_path / "mine")
    assert not found.problems and len(found.entries) == same + ours + theirs
    if ours:
        (tmp_path / "mine" / LINES).write_bytes(merged(other, mine.replace(b"ended", b"ENDED")))
        assert recorded(tmp_path / "mine").problems


# ---- runs that were changed ------------------------------------------------------------------------------------------


def _journal(change: Callable[[list[bytes]], list[bytes]]) -> Change:
    def done(run: Path) -> None:
        lines = (run / "journal.jsonl").read_bytes().splitlines(keepends=True)
        (run / "journal.jsonl").write_bytes(b"".join(change(lines)))

    return done


RUN_CHANGES: Mapping[str, tuple[Change, str]] = {
    "a line gone": (_journal(lambda lines: lines[:3] + lines[4:]), "damaged"),
    "a line edited": (_journal(lambda lines: _byte(lines, len(lines) // 2, 40)), "damaged"),
    "fifty lines gone": (_journal(lambda lines: lines[:2] + lines[-2:]), "damaged"),
    "cut at a line": (_journal(lambda lines: lines[:-2]), "damaged"),
    "cut within": (_journal(lambda lines: [*lines[:-2], lines[-2][:20]]), "damaged"),
    "emptied": (_journal(lambda lines: []), "damaged"),
    "case edited": (lambda run: (run / "case.json").write_text("{}") and None, "damaged"),
    "sealed edited": (lambda run: (run / "sealed.json").write_text("{}") and None, "damaged"),
    "run.yaml gone": (lambda run: (run / "run.yaml").unlink(), "missing"),
    "all gone": (lambda run: shutil.rmtree(run), "missing"),
}


@pytest.mark.parametrize("name", RUN_CHANGES)
def test_a_batch_counts_its_runs_as_they_are(here: Path, name: str) -> None:
    """Looked at twice: what was verified before does not hide what was changed since."""
    assert lw("batch", "status", "out", "--json").object()["counts"] == {"ended": RUNS}
    change, status = RUN_CHANGES[name]
    change(here / "out" / "deal1-0")
    ran = lw("batch", "status", "out", "--json")
    told = ran.object()
    assert told["counts"] == {"ended": RUNS - 1, status: 1}
    assert [one["run"] for one in told["unfinished"]] == ["deal1-0"]
    whole_lines = name in ("cut at a line", "cut within", "emptied")  # as if it had never been over, but for the record
    assert [one["code"] for one in told["problems"]] == (["LW706"] if whole_lines or status == "missing" else [])
    assert ran.code == (2 if told["problems"] else 0)
    assert lw("batch", "status", "out", "--verify", "--json").object()["counts"] == told["counts"]


def test_a_change_that_shows_by_nothing_is_found_when_all_is_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from legalworld.files.regular import Stamp
    from legalworld.index import run_row

    same = Stamp(1, 1, 1, 1)
    monkeypatch.setattr(run_row.Stamp, "of", classmethod(lambda cls, path: same))
    assert lw("batch", "status", "out", "--json").object()["counts"] == {"ended": RUNS}
    RUN_CHANGES["a line edited"][0](here / "out" / "deal1-0")
    assert lw("batch", "status", "out", "--json").object()["counts"] == {"ended": RUNS}  # as an index believes
    assert lw("batch", "status", "out", "--verify", "--json").object()["counts"] == {"ended": RUNS - 1, "damaged": 1}


def test_runs_of_which_the_record_says_nothing_are_counted_and_told(here: Path) -> None:
    shutil.copytree(here / "other" / "deal3-0", here / "out" / "deal3-0")
    ran = lw("batch", "status", "out")
    assert ran.code == 0 and f"{RUNS + 1} 个运行" in ran.out and "1 个运行，批次的记录里没有" in ran.out


# ---- what is made from a run -----------------------------------------------------------------------------------------


def made(run: Path) -> dict[str, bytes]:
    names = ("transcript.md", "citations.json", *sorted(f"documents/{file.name}" for file in run.glob("documents/*")))
    return {name: (run / name).read_bytes() for name in names}


@pytest.mark.parametrize("left", range(4))
@pytest.mark.parametrize("stale", [False, True])
def test_what_a_killed_process_did_not_write_of_a_run_that_was_over_is_written(
    here: Path, left: int, stale: bool
) -> None:
    """However much of it was there: nothing, some, all but the last, or what an earlier stop had left."""
    run = here / "out" / "deal1-0"
    whole = made(run)
    order = [*sorted(name for name in whole if name.startswith("documents/")), "transcript.md", "citations.json"]
    for name in order[left:]:
        if stale:
            (run / name).write_text("earlier", "utf-8")
            os.utime(run / name, ns=(0, (run / "journal.jsonl").stat().st_mtime_ns - 10**9))
        else:
            (run / name).unlink()
    journal = (run / "journal.jsonl").read_bytes()
    code, said = again()
    assert code == 0 and "LW" not in said
    kept = made(run)
    assert (run / "journal.jsonl").read_bytes() == journal
    assert kept == whole
