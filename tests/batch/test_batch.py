"""Many runs at once: `lw batch`, from files of many cases, one loop, and folders that are gone on with."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, fail, say
from typed import lw

from legalworld.batch.identity import folder_name
from legalworld.batch.jobs import BatchRequest, Lineup, plan_batch
from legalworld.batch.play import Batch, BatchOutcome, Job, Unplayable, play_jobs
from legalworld.batch.results import JobResult
from legalworld.runs.journal import standing
from legalworld.runs.lifecycle import start


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def case(number: int, **other: Any) -> str:
    """One line of a file of cases."""
    limits = {"sell": str(80 + number), "buy": "120"}
    return json.dumps({"lw": "1", "case": f"deal{number}", "goods": f"第{number}把椅子", "limit": limits, **other})


def cases(path: Path, numbers: range) -> Path:
    path.write_text("".join(case(n) + "\n" for n in numbers), "utf-8")
    return path


def asked(here: Path, words: tuple[str, ...], *models: str, seeds: int = 1) -> Iterator[Job | Unplayable]:
    made = plan_batch(BatchRequest("bargain", words, "", (Lineup(models),), "", {}, (), seeds, Path("out")), here)
    assert not isinstance(made, tuple), made
    return made


def played(jobs: Iterator[Job | Unplayable], at_once: int = 4) -> BatchOutcome:
    return play_jobs(jobs, Batch(at_once, 60.0), lambda _: None)


def files(folder: Path) -> dict[str, bytes]:
    """All that a batch wrote, but for what is no part of a run: durations and locks."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name not in ("times.jsonl", "lock"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


# ---- cases -----------------------------------------------------------------------------------------------------------


def test_a_line_that_is_no_case_is_named_and_the_rest_goes_on(here: Path) -> None:
    lines = [case(1), "{no json", "", case(2), '["no record"]', case(3, goods=None), case(4)]
    (here / "many.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    ran = lw("batch", "bargain", "--cases", "many.jsonl.gz", "--out", "out", "--json")
    told = [json.loads(line) for line in ran.out.splitlines()]
    found = sorted((one for one in told if one["event"] == "result"), key=lambda one: one["case"])
    assert [one["run"] for one in told if one["event"] == "begun"] == ["out/deal1-0", "out/deal2-0", "out/deal4-0"]
    assert [(one["case"], one["status"]) for one in found] == [
        ("many.jsonl.gz:1", "ended"),
        ("many.jsonl.gz:2", "refused"),
        ("many.jsonl.gz:4", "ended"),
        ("many.jsonl.gz:5", "refused"),
        ("many.jsonl.gz:6", "refused"),
        ("many.jsonl.gz:7", "ended"),
    ]
    assert {problem["line"] for one in found for problem in one["problems"]} == {2, 5, 6}
    assert ran.code == 2
    assert sorted(path.parent.name for path in (here / "out").glob("*/run.yaml")) == ["deal1-0", "deal2-0", "deal4-0"]


def test_an_archive_that_breaks_off_gives_what_it_holds(here: Path) -> None:
    whole = gzip.compress("".join(case(n) + "\n" for n in range(400)).encode(), compresslevel=0)
    (here / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    *good, cut = asked(here, ("cut.jsonl.gz",))
    assert len(good) > 100 and all(isinstance(job, Job) for job in good)
    assert isinstance(cut, Unplayable) and [problem.code for problem in cut.problems] == ["LW504"]


def test_a_folder_a_file_of_many_and_one_record(here: Path) -> None:
    (here / "some").mkdir()
    cases(here / "some" / "b.jsonl", range(2, 4))
    (here / "some" / "a.json").write_text(f"[{case(0)}, {case(1)}]", "utf-8")
    jobs = [job for job in asked(here, ("some", "some/a.json#2")) if isinstance(job, Job)]
    assert [job.where for job in jobs] == [
        "some/a.json#1",
        "some/a.json#2",
        "some/b.jsonl:1",
        "some/b.jsonl:2",
        "some/a.json#2",
    ]
    assert [job.plan.matter.case.id for job in jobs] == ["deal0", "deal1", "deal2", "deal3", "deal1"]


def test_cases_are_read_as_they_are_played(here: Path) -> None:
    """A file of a million lines is not held: of 40 cases, none is read before it is somebody's turn."""
    jobs = asked(here, (cases(here / "many.jsonl", range(40)).name,))
    read: list[str] = []
    waiting: list[int] = []

    def counted() -> Iterator[Job | Unplayable]:
        for job in jobs:
            read.append(job.where)
            yield job

    def tell(result: JobResult) -> None:
        waiting.append(len(read))

    play_jobs(counted(), Batch(4, 60.0), tell)
    assert len(waiting) == 40 and all(count <= done + 4 for done, count in enumerate(waiting, 1))


def test_two_cases_of_one_id_are_refused_naming_both(here: Path) -> None:
    cases(here / "first.jsonl", range(2))
    cases(here / "second.jsonl", range(1, 3))
    outcome = played(asked(here, ("first.jsonl", "second.jsonl")))
    assert [one.status for one in outcome.results] == ["ended", "ended", "refused", "ended"]
    (problem,) = outcome.problems
    assert (problem.code, problem.values["other"], problem.values["id"]) == ("LW501", "first.jsonl:2", "deal1")


# ---- what a run is made of -------------------------------------------------------------------------------------------


def test_names_that_look_alike_have_folders_of_their_own() -> None:
    names = [
        "openai/m:1",
        "openai/m-1",
        "openai-m-1",
        "a" * 60,
        "a" * 61,
        "a" * 61 + "b",
        "案件",
        "案件 ",
        "x/y",
        "x:y",
    ]
    assert len({folder_name(name) for name in names}) == len(names)
    assert folder_name("jiedai") == "jiedai" and folder_name("案件") == "案件"
    assert all(len(folder_name(name)) <= 60 for name in names)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--model", "offline:noisy"), "models"),
        (("--cases", "other.jsonl"), "case.json"),
    ],
)
def test_another_run_in_the_folder_is_told_and_left(here: Path, words: tuple[str, ...], what: str) -> None:
    cases(here / "one.jsonl", range(1))
    (here / "other.jsonl").write_text(case(0, goods="一张桌子"), "utf-8")
    assert lw("batch", "bargain", "--cases", "one.jsonl", "--out", "out").code == 0
    before = {name: text for name, text in files(here / "out").items() if not name.startswith("batch.")}
    given = words if "--cases" in words else ("--cases", "one.jsonl", *words)
    ran = lw("batch", "bargain", *given, "--out", "out")
    assert ran.code == 2 and "LW500" in ran.err and what in ran.err
    after = {name: text for name, text in files(here / "out").items() if not name.startswith("batch.")}
    assert after == before


def test_what_is_finished_is_not_played_again(here: Path) -> None:
    words = ("batch", "bargain", "--cases", cases(here / "many.jsonl", range(5)).name, "--out", "out")
    assert lw(*words).code == 0
    runs = [path for path in (here / "out").glob("deal*/**/*") if path.is_file()]
    before = {path: path.stat().st_mtime_ns for path in runs}
    ran = lw(*words)
    assert ran.code == 0 and "已完成 5（其中 5 个此前已完成，没有重做）" in ran.out
    assert {path: path.stat().st_mtime_ns for path in runs} == before


def test_an_end_is_known_by_the_last_line_alone(here: Path) -> None:
    outcome = played(asked(here, (cases(here / "one.jsonl", range(1)).name,)))
    (folder,) = outcome.folders
    journal = folder / "journal.jsonl"
    whole = journal.read_bytes()
    assert standing(journal).ended
    journal.write_bytes(whole[:-1])
    assert not standing(journal).ended
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    assert not standing(journal).ended
    assert not standing(folder / "nothing").ended


# ---- at once ---------------------------------------------------------------------------------------------------------


def test_as_many_runs_as_asked_for_wait_at_the_same_time(serve: Serve, here: Path) -> None:
    """The first four calls are answered only when all four are there: fewer at once would hang."""
    server = serve(lambda _: replace(say("好。【price：100】"), when=lambda: len(server.calls) >= 4))
    cases(here / "many.jsonl", range(4))
    outcome = played(asked(here, ("many.jsonl",), "openai/clerk"), 4)
    assert [one.status for one in outcome.results] == ["ended"] * 4
    assert len({str(call.body["messages"]) for call in server.calls[:4]}) == 4


def test_runs_played_at_once_are_those_played_alone(here: Path) -> None:
    words = (cases(here / "many.jsonl", range(6)).name,)
    played(asked(here, words, "offline:noisy", seeds=2), 5)
    (here / "out").rename(here / "together")
    for job in asked(here, words, "offline:noisy", seeds=2):
        assert isinstance(job, Job) and not isinstance(start(job.plan), tuple)
    assert files(here / "together") == files(here / "out")


def test_a_run_that_fails_touches_no_other(serve: Serve, here: Path) -> None:
    def script(call: Call) -> Answer:
        poisoned = "毒椅子" in json.dumps(call.body, ensure_ascii=False)
        return fail(401) if poisoned else say("好。【price：100】")

    serve(script)
    lines = [case(0), case(1, goods="毒椅子"), case(2)]
    (here / "many.jsonl").write_text("\n".join(lines), "utf-8")
    outcome = played(asked(here, ("many.jsonl",), "openai/clerk"), 3)
    assert [one.status for one in outcome.results] == ["ended", "stopped", "ended"]
    assert [one.problems == () for one in outcome.results] == [True, False, True]


def test_a_bug_in_one_run_is_told_and_touches_no_other(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from legalworld.runs import lifecycle

    finish = lifecycle._finish

    def failing(opened: Any, *rest: Any) -> Any:
        if opened.case.id == "deal1":
            raise ZeroDivisionError("nobody saw this coming")
        return finish(opened, *rest)

    monkeypatch.setattr(lifecycle, "_finish", failing)
    outcome = played(asked(here, (cases(here / "many.jsonl", range(3)).name,)))
    assert [one.status for one in outcome.results] == ["ended", "refused", "ended"]
    (problem,) = outcome.problems
    assert problem.code == "LW502" and "nobody saw this coming" in str(problem.values["error"])


def test_a_full_disk_is_told_of_the_run_that_met_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from legalworld.runs import folder as folders

    appear = folders._appear

    def full(place: Path, *rest: Any) -> None:
        if place.name == "deal1-0":
            raise OSError(28, "No space left on device", str(place))
        appear(place, *rest)

    monkeypatch.setattr(folders, "_appear", full)
    outcome = played(asked(here, (cases(here / "many.jsonl", range(3)).name,)))
    assert [one.status for one in outcome.results] == ["ended", "refused", "ended"]
    assert [problem.code for problem in outcome.problems] == ["LW150"]


# ---- interrupted -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_a_batch_that_goes_on(here: Path) -> None:
    words = (cases(here / "many.jsonl", range(8)).name,)
    played(asked(here, words, "offline:noisy"))
    (here / "out").rename(here / "whole")
    done: list[JobResult] = []

    def tell(result: JobResult) -> None:
        done.append(result)
        if len(done) == 3:
            signal.raise_signal(signal.SIGINT)

    outcome = play_jobs(asked(here, words, "offline:noisy"), Batch(2, 60.0), tell)
    assert outcome.interrupted and len(outcome.results) < 8
    assert {one.status for one in outcome.results} <= {"ended", "interrupted"}
    again = played(asked(here, words, "offline:noisy"))
    assert not again.interrupted and [one.status for one in again.results] == ["ended"] * 8
    assert sum(one.before for one in again.results) == sum(one.status == "ended" for one in outcome.results)
    assert files(here / "out") == files(here / "whole")


def test_a_run_that_another_process_plays_is_left_to_it(here: Path) -> None:
    words = (cases(here / "many.jsonl", range(2)).name,)
    played(asked(here, words))
    journal = here / "out" / "deal1-0" / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:5]))
    from legalworld.runs.folder import RunFolder

    folder = RunFolder.open(journal.parent)
    assert isinstance(folder, RunFolder)
    lock = folder.lock()
    assert not isinstance(lock, tuple) and hasattr(lock, "__enter__")
    with lock:
        outcome = played(asked(here, words))
    assert [one.status for one in outcome.results] == ["ended", "refused"]
    assert [problem.code for problem in outcome.problems] == ["LW142"]


def test_a_damaged_run_leaves_the_others(here: Path) -> None:
    words = (cases(here / "many.jsonl", range(3)).name,)
    played(asked(here, words))
    (here / "out" / "deal1-0" / "run.yaml").write_text("nothing of ours", "utf-8")
    shutil.rmtree(here / "out" / "deal2-0")
    outcome = played(asked(here, words))
    assert [(one.status, one.before) for one in outcome.results] == [
        ("ended", True),
        ("damaged", False),
        ("ended", False),
    ]
