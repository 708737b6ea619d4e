"""A batch under limits and among faults: storms, a spent budget, several processes, kills, files that are damaged."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, Loopback, fail, say
from places import HANG, ROOT
from typed import lw
from warm import Warm

from legalworld.batch import workers
from legalworld.batch.record import BatchRecord, RunEntry, held, recorded
from legalworld.cli.main import main
from legalworld.evaluation.run_store import runs_in
from legalworld.models.litellm_client import Models
from legalworld.runs.journal import standing

posix = pytest.mark.skipif(os.name != "posix", reason="signals")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def cases(path: Path, numbers: range, **other: Any) -> str:
    lines = (
        {"lw": "1", "case": f"deal{n}", "goods": f"第{n}把椅子", "limit": {"sell": str(80 + n), "buy": "120"}, **other}
        for n in numbers
    )
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return path.name


def journals(out: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in sorted(out.glob("*/journal.jsonl"))}


def statuses(ran_out: str) -> Counter[str]:
    told = map(json.loads, ran_out.splitlines())
    return Counter(one["status"] for one in told if one["event"] == "result")


# ---- storms and limits -----------------------------------------------------------------------------------------------


def test_a_storm_of_faults_costs_no_run_and_changes_no_journal(
    serve: Serve, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer in four is a 429, a 503, a reset or an empty body; the runs are those of a quiet server."""
    monkeypatch.setitem(Models.__init__.__kwdefaults__, "delay", 0.02)
    many = cases(here / "many.jsonl", range(4))
    words = ("batch", "bargain", "--cases", many, "--model", "openai/clerk", "--json")
    quiet = serve(lambda _: say("好。【price：100】"))
    assert lw(*words, "--out", "quiet").code == 0
    faults = (fail(429, headers={"Retry-After": "0.01"}), fail(503), Answer(cut=-1), say(""))

    def storm(call: Call) -> Answer:
        return faults[call.number // 4 % 4] if call.number % 4 == 0 else say("好。【price：100】")

    server = serve(storm)
    ran = lw(*words, "--out", "storm", "--limit", "calls:5")
    assert ran.code == 0 and statuses(ran.out) == {"ended": 4}
    assert journals(here / "storm") == journals(here / "quiet")
    assert len(quiet.calls) < len(server.calls) <= 2 * len(quiet.calls)


def test_no_more_calls_at_once_than_allowed(serve: Serve, here: Path) -> None:
    out: list[int] = []

    def script(call: Call) -> Answer:
        out.append(len(server.calls) - sum(answered))
        return replace(say("好。【price：100】"), when=lambda: bool(answered.append(1)) or True)

    answered: list[int] = []
    server = serve(script)
    many = cases(here / "many.jsonl", range(4))
    words = ("batch", "bargain", "--cases", many, "--model", "openai/clerk", "--limit", "openai=calls:2")
    assert lw(*words, "--out", "out").code == 0
    assert max(out) <= 2


def test_a_spent_budget_stops_and_a_larger_one_goes_on(serve: Serve, here: Path) -> None:
    server = serve(lambda _: say("好。【price：100】", tokens=(90, 10)))
    many = cases(here / "many.jsonl", range(5))
    words = ("batch", "bargain", "--cases", many, "--model", "openai/clerk", "--out", "out", "--concurrency", "2")
    assert lw(*words[:-4], "--out", "whole").code == 0
    whole = len(server.calls)
    budget = lw(*words, "--budget", f"tokens:{whole * 50}")
    assert budget.code == 3 and "LW178" in budget.err and "预算已经用完" in budget.err
    assert whole // 2 <= len(server.calls) - whole <= whole // 2 + 2
    spent = recorded(here / "out").spent
    assert spent.tokens == (len(server.calls) - whole) * 100

    assert lw(*words, "--budget", f"tokens:{whole * 50}").code == 3  # what was spent before counts
    assert recorded(here / "out").spent == spent
    assert lw(*words, "--budget", "tokens:1M").code == 0
    assert len(server.calls) == 2 * whole  # nothing was asked twice
    assert journals(here / "out") == journals(here / "whole")


def test_a_case_that_stalls_is_stopped_and_gone_on_with(
    serve: Serve, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others have time, however busy the machine is."""
    stalling, timeout, given = False, asyncio.timeout, iter((HANG, 2.0, HANG))
    monkeypatch.setattr(asyncio, "timeout", lambda seconds: timeout(next(given, HANG) if seconds == 2.0 else seconds))

    def script(call: Call) -> Answer:
        stalls = stalling and "第1把" in json.dumps(call.body, ensure_ascii=False) and len(call.body["messages"]) > 2
        return replace(say("好。【price：100】"), when=lambda: not stalls)

    serve(script)
    many = cases(here / "many.jsonl", range(3))
    words = ("batch", "bargain", "--cases", many, "--model", "openai/clerk", "--out", "out")
    lw(*words[:-1], "warm")  # litellm is imported: what comes now is the runs' own time
    stalling = True
    stopped = lw(*words, "--case-deadline", "2", "--json")
    assert stopped.code == 3 and statuses(stopped.out) == {"ended": 2, "stopped": 1}
    assert "LW505" in stopped.out
    assert [name for name, entry in recorded(here / "out").entries.items() if entry.problem] == ["deal1-0"]
    stalling = False
    assert lw("batch", "retry", "out").code == 0
    assert all(standing(journal).ended for journal in (here / "out").glob("*/journal.jsonl"))


# ---- one folder ------------------------------------------------------------------------------------------------------


def test_a_second_batch_on_a_folder_is_told_who_has_it(here: Path) -> None:
    many = cases(here / "many.jsonl", range(1))
    lock = held(here / "out")
    assert hasattr(lock, "__enter__")
    with lock:
        ran = lw("batch", "bargain", "--cases", many, "--out", "out")
        assert ran.code == 2 and "LW509" in ran.err and f"pid {os.getpid()}" in ran.err
        assert lw("batch", "gc", "out").code == 2
    assert lw("batch", "bargain", "--cases", many, "--out", "out").code == 0


def test_what_a_killed_process_leaves_is_not_scored_and_cleared(here: Path) -> None:
    many = cases(here / "many.jsonl", range(2))
    assert lw("batch", "bargain", "--cases", many, "--out", "out").code == 0
    half = here / "out" / ".deal1-0.0a1b2c3d"
    (half / "spec").mkdir(parents=True)
    (half / "run.yaml").write_bytes((here / "out" / "deal1-0" / "run.yaml").read_bytes())
    assert [path.name for path in runs_in([here / "out"])] == ["deal0-0", "deal1-0"]
    assert lw("batch", "gc", "out").code == 0
    assert not half.exists() and (here / "out" / ".copies").is_dir()
    assert [path.name for path in runs_in([here / "out"])] == ["deal0-0", "deal1-0"]


def test_runs_of_a_batch_share_the_copies_of_their_spec(here: Path) -> None:
    many = cases(here / "many.jsonl", range(2))
    assert lw("batch", "bargain", "--cases", many, "--out", "out").code == 0
    spec = "spec.zip"
    first, second = (here / "out" / f"deal{n}-0" / spec for n in range(2))
    assert first.read_bytes() == second.read_bytes()
    if os.name == "posix":
        assert first.stat().st_ino == second.stat().st_ino
    assert lw("replay", here / "out" / "deal1-0").code == 0


def test_a_run_whose_process_died_after_its_end_is_finished_in_the_record(here: Path) -> None:
    many = cases(here / "many.jsonl", range(2))
    assert lw("batch", "bargain", "--cases", many, "--out", "out").code == 0
    spent = recorded(here / "out").entries["deal0-0"].spent
    record = BatchRecord(here / "out", recorded(here / "out"))
    record.note(RunEntry("deal0-0", "many.jsonl#deal0", "begun"))
    record.close()
    assert lw("batch", "bargain", "--cases", many, "--out", "out").code == 0
    entry = recorded(here / "out").entries["deal0-0"]
    assert (entry.status, entry.spent) == ("ended", spent)


def test_how_a_batch_stands(serve: Serve, here: Path) -> None:
    def script(call: Call) -> Answer:
        return fail(401) if "第1把" in json.dumps(call.body, ensure_ascii=False) else say("好。【price：100】")

    serve(script)
    many = cases(here / "many.jsonl", range(3))
    words = ("batch", "bargain", "--cases", many, "--model", "openai/clerk", "--out", "out")
    assert lw(*words, "--price", "openai/clerk=1/2").code == 3
    ran = lw("batch", "status", "out")
    assert ran.code == 0 and "3 个运行，已完成 2 · 已停下 1" in ran.out and "deal1-0  已停下" in ran.out
    told = lw("batch", "status", "out", "--json").object()
    assert told["counts"] == {"ended": 2, "stopped": 1} and told["tokens"] == 10 * told["calls"] and told["dollars"] > 0
    assert lw("batch", "status", "nowhere").code == 2
    (here / "out" / "batch.json").write_text("[", "utf-8")
    damaged = lw("batch", "retry", "out")
    assert damaged.code == 2 and "LW542" in damaged.err


# ---- several processes -----------------------------------------------------------------------------------------------


def test_processes_share_a_batch_and_its_limits(serve: Serve, here: Path) -> None:
    serve(lambda _: say("好。【price：100】"))
    many = cases(here / "many.jsonl", range(5))
    words = ("batch", "bargain", "--cases", many, "--model", "openai/clerk", "--json")
    assert lw(*words, "--out", "one").code == 0
    ran = lw(*words, "--out", "two", "--workers", "2", "--limit", "calls:3")
    assert ran.code == 0 and statuses(ran.out) == {"ended": 5}
    assert journals(here / "two") == journals(here / "one")
    again = lw(*words, "--out", "two", "--workers", "2")
    assert all(one["before"] for one in map(json.loads, again.out.splitlines()) if one["event"] == "result")
    spent = recorded(here / "two").spent
    assert (spent.calls, spent.tokens) == (recorded(here / "one").spent.calls, recorded(here / "one").spent.tokens)


def test_processes_have_the_environment_as_it_is_now(serve: Serve, here: Path) -> None:
    """They are forks of one that began with the first batch, when the key and the address were others."""
    many = cases(here / "many.jsonl", range(2))
    words = ("batch", "bargain", "--cases", many, "--workers", "2", "--json")
    assert lw(*words, "--out", "offline").code == 0
    for out in ("first", "second"):
        server = serve(lambda _: say("好。【price：100】"))
        ran = lw(*words, "--out", out, "--model", "openai/clerk")
        assert ran.code == 0 and statuses(ran.out) == {"ended": 2}
        assert server.calls


POISON = """
import os, signal, sys
from legalworld.runs import lifecycle
played = lifecycle._play
async def _play(opened, *rest):
    if opened.case.id == "deal2":
        os.kill(os.getpid(), signal.SIGKILL)
    return await played(opened, *rest)
lifecycle._play = _play
"""


@posix
def test_a_case_that_kills_its_process_is_recorded_and_the_others_are_played(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = cases(here / "many.jsonl", range(6))
    (here / "site").mkdir()
    (here / "site" / "sitecustomize.py").write_text(POISON, "utf-8")
    path = os.pathsep.join(map(str, (here / "site", ROOT)))
    words = ["batch", "bargain", "--cases", many, "--out", "out", "--workers", "2", "--concurrency", "4", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "legalworld", *words],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert done.returncode == 2, done.stderr
    assert statuses(done.stdout) == {"ended": 5, "refused": 1}
    told = [one for one in map(json.loads, done.stdout.splitlines()) if one.get("status") == "refused"]
    assert [problem["code"] for problem in told[0]["problems"]] == ["LW506"] and "SIGKILL" in done.stdout
    assert told[0]["run"] == "out/deal2-0"
    assert lw("batch", "bargain", "--cases", many, "--out", "out").code == 0  # in a process that it does not kill


# ---- killed at any moment --------------------------------------------------------------------------------------------


def played_once(folder: Path) -> None:
    """What comes after it imports, reads and checks nothing anew; the workers of a batch begin as it does."""
    workers._context = lambda live: multiprocessing.get_context("fork")
    os.environ.pop("OPENAI_BASE_URL", None)  # of the person who runs the tests: it would come first
    with Loopback([say("好。【price：100】")]) as server:
        os.environ["OPENAI_API_BASE"] = server.url
        assert lw("run", "bargain", "--model", "openai/clerk", "--out", folder / "run").code == 0


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    with Warm(played_once, tmp_path_factory.mktemp("warm")) as begun:
        yield begun


@posix
@pytest.mark.parametrize("at_once", ["1", "2"])
def test_killed_again_and_again_nothing_finished_is_played_again(
    serve: Serve, here: Path, at_once: str, warm: Warm
) -> None:
    """A batch is killed whenever so many calls more were answered, until it comes to its end. What a journal holds when
    a process is killed is never asked for again, and at the end the runs are those of a batch that nobody killed."""
    most = [sys.maxsize]  # calls that are answered: whoever asks more waits to be killed

    def script(call: Call) -> Answer:
        return replace(say("好。【price：100】"), when=lambda: call.number <= most[0])

    server = serve(script)
    many = cases(here / "many.jsonl", range(5))
    words = ("batch", "bargain", "--cases", many, "--model", "openai/clerk", "--concurrency", "3")
    assert lw(*words, "--out", "whole").code == 0
    whole = len(server.calls)
    pace = whole * 2 // 5  # twice as many do not make the whole: it is killed twice, however little is lost
    kills, kept = 0, Counter[str]()
    for _ in range(40):
        most[0] = len(server.calls) + pace + kills % 5
        process = warm.begin(main, [*words, "--out", "out", "--workers", at_once])
        while not process.ended(0.002) and len(server.calls) <= most[0]:
            pass
        if process.ended():
            break
        process.kill()
        kills += 1
        for name, journal in journals(here / "out").items():
            answers = journal.count(b'"answer":')
            assert answers >= kept[name]  # nothing that was there is gone
            kept[name] = answers
    assert process.code == 0 and kills >= 2
    assert journals(here / "out") == journals(here / "whole")
    lost = len(server.calls) - 2 * whole  # calls under way when the process was killed
    assert 0 <= lost <= kills * 3
    assert lw("batch", "gc", "out").code == 0


# ---- the disk --------------------------------------------------------------------------------------------------------


def test_a_disk_that_fills_up_stops_the_run_and_leaves_the_others(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from legalworld.runs import journal as journals_of_runs

    append = journals_of_runs.Journal._append
    full = True

    def failing(self: Any, data: bytes, n: int, chain: bytes) -> None:
        if full and n > 8 and "deal1-0" in str(self._file.name):
            raise OSError(28, "No space left on device", str(self._file.name))
        append(self, data, n, chain)

    monkeypatch.setattr(journals_of_runs.Journal, "_append", failing)
    many = cases(here / "many.jsonl", range(3))
    words = ("batch", "bargain", "--cases", many, "--out", "out")
    ran = lw(*words)
    assert ran.code == 3 and "LW150" in ran.err and "deal1-0" in ran.err and "No space left" in ran.err
    full = False
    assert lw(*words).code == 0


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("case.json", "{", "LW700"),
        ("sealed.json", "{}", "LW700"),
        ("run.yaml", "lw: 1\n", "LW"),
        ("journal.jsonl", "{}\n{}\n", "LW14"),
    ],
)
def test_a_damaged_run_is_named_with_its_file_and_leaves_the_others(
    here: Path, name: str, text: str, code: str
) -> None:
    many = cases(here / "many.jsonl", range(3))
    words = ("batch", "bargain", "--cases", many, "--out", "out")
    assert lw(*words).code == 0
    (here / "out" / "deal1-0" / name).write_text(text, "utf-8")
    ran = lw(*words)
    assert ran.code == 2 and name in ran.err and code in ran.err
    assert "已完成 2" in ran.out


@pytest.fixture
def read_only(here: Path) -> Iterator[Path]:
    folder = here / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_named(here: Path, read_only: Path) -> None:
    ran = lw("batch", "bargain", "--cases", cases(here / "many.jsonl", range(1)), "--out", read_only / "out")
    assert ran.code == 2 and "LW150" in ran.err and "locked" in ran.err
