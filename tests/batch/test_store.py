"""A batch that is kept on a store: the same runs as in a folder, whatever fails, is killed, changed or gone."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from conftest import Serve
from fsspec.implementations.local import LocalFileSystem
from loopback import fail, say
from places import HANG, ROOT
from stores import TrialStore
from typed import Ran, lw
from warm import Warm

from legalworld.batch import store_lock
from legalworld.batch.depot import StoreDepot
from legalworld.batch.jobs import BatchRequest, Lineup
from legalworld.batch.marks import marks_on
from legalworld.batch.play import Batch
from legalworld.batch.ray_workers import RayPlayer
from legalworld.cli.main import main
from legalworld.files import store as stores
from legalworld.files.store import RemoteStore, StoreFailed, open_store, shown

posix = pytest.mark.skipif(os.name != "posix", reason="signals")
OWN = ("times.jsonl", "lock")  # of one machine: hours, and who writes
TRIAL = "trial://bucket/batch"
BENCH = ("bench", "j1/kq", "--rubric", "j1-kq", "--models", "offline")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Iterator[Path]:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("LW_LANG", "zh")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(stores, "GAPS", (0.0, 0.0, 0.0))
    yield work
    TrialStore.reset()
    fsspec.filesystem("memory").store.clear()


def cases(number: int, first: int = 0) -> str:
    lines = (
        {"lw": "1", "case": f"deal{n}", "goods": f"第{n}把椅子", "limit": {"sell": str(80 + n), "buy": "120"}}
        for n in range(first, first + number)
    )
    Path("many.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return "many.jsonl"


def played(out: str | Path, *words: str, number: int = 3) -> Ran:
    return lw("batch", "bargain", "--cases", cases(number), "--out", out, *words)


def files(folder: Path) -> dict[str, bytes]:
    """All that runs consist of, by the path below their batch."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if "/" in name and not name.startswith((".", "batch.")) and path.name not in OWN
    }


def on(address: str) -> dict[str, bytes]:
    """The same of what lies on a store."""
    system, root = fsspec.core.url_to_fs(address)
    found = {path.removeprefix(root).lstrip("/"): path for path in system.find(root)}
    return {
        name: system.cat_file(path)
        for name, path in found.items()
        if "/" in name and not name.startswith("batch.") and name.rpartition("/")[2] not in OWN
    }


def scratch(here: Path) -> Path:
    (place,) = (here.parent / "cache" / "legalworld" / "batches").iterdir()
    return place


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The three runs as they are in a folder."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert played("local").code == 0
    return files(folder / "local")


def there(address: str) -> RemoteStore:
    found = open_store(address, "--out")
    assert isinstance(found, RemoteStore)
    return found


def statuses(ran: Ran) -> list[tuple[str, bool]]:
    told = [json.loads(line) for line in ran.out.splitlines()]
    return [(one["status"], one["before"]) for one in told if one["event"] == "result"]


# ---- end to end ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "workers"),
    [
        ("memory://box/batch", "1"),
        ("objects://bucket/batch", "1"),
        ("file://{}/store/batch", "1"),
        ("file://{}/store", "2"),
    ],
)
def test_runs_on_a_store_are_those_of_a_folder(here: Path, address: str, workers: str, whole: dict[str, bytes]) -> None:
    address = address.format(here.parent.as_posix())
    ran = played(address, "--workers", workers)
    assert ran.code == 0 and f"{address}/deal1-0" in ran.err and "3 已完成" in ran.out.replace("已完成 3", "3 已完成")
    assert on(address) == whole
    assert not list(scratch(here).glob("deal*"))  # what is there need not be here
    assert {mark.state for mark in marks_on(there(address)).values()} == {"ended"}
    again = played(address, "--json")
    assert again.code == 0 and statuses(again) == [("ended", True)] * 3
    assert there(address).read("batch.lock") is None

    fetched = lw("batch", "fetch", address, "here", "--json")
    assert fetched.object() == {"brought": 3, "same": 0, "problems": []}
    assert files(here / "here") == whole
    assert lw("batch", "fetch", address, "here", "--json").object()["same"] == 3
    for place in (address, "here"):
        stands = lw("batch", "status", place, "--json").object()
        assert stands["counts"] == {"ended": 3} and stands["unfinished"] == []
        assert lw("batch", "retry", place, "--json").code == 0
    assert lw("batch", "retry", "here", "--keep-scratch").code == 0
    assert files(here / "here") == whole


def test_what_is_there_is_known_by_one_listing(here: Path) -> None:
    assert played(TRIAL).code == 0
    TrialStore.asked.clear()
    assert statuses(played(TRIAL, "--json")) == [("ended", True)] * 3
    assert [path for what, path in TrialStore.asked if what == "list"] == ["/bucket/batch/batch.marks"]
    assert not [path for what, path in TrialStore.asked if "deal" in path]


def test_runs_may_stay_on_this_machine_too(here: Path) -> None:
    assert played(TRIAL, "--keep-scratch", "--scratch", "near").code == 0
    assert files(here / "near") == on(TRIAL) and not (here.parent / "cache").exists()
    assert played(TRIAL, "--scratch", "near").code == 0
    assert not list((here / "near").glob("deal*"))


def test_a_bench_keeps_its_scores_and_report_there(here: Path) -> None:
    words = (*BENCH, "--seeds", "2")
    ran = lw(*words, "--out", TRIAL)
    assert ran.code == 0 and f"{TRIAL}/report.html" in ran.out
    assert lw(*words, "--out", "local").code == 0
    assert set(on(TRIAL)) == set(files(here / "local")) and any("/scores/" in name for name in on(TRIAL))
    assert not list(scratch(here).glob("offline/*"))
    shutil.rmtree(here.parent / "cache")
    TrialStore.asked.clear()
    again = lw(*words, "--out", TRIAL)  # the runs are brought to where they are scored
    assert again.code == 0 and again.out == ran.out
    assert not [path for what, path in TrialStore.asked if what == "put" and "spec.zip" in path]
    assert lw("batch", "fetch", TRIAL, "here").code == 0
    names = {path.name for path in (here / "here").iterdir() if path.is_file()}
    assert names >= {"report.csv", "report.html", "report.md", "report.tex", "batch.json"}


def test_workers_of_a_cluster_find_the_store_by_themselves(here: Path) -> None:
    """What Ray does with a batch: everything is pickled, and nothing is shared but the store."""
    assert played("local", number=1).code == 0
    for machine in ("one", "two"):
        store = there(f"file://{here.parent.as_posix()}/store")
        place = here / machine
        depot = pickle.loads(pickle.dumps(StoreDepot(store, place, False, machine == "two", marks_on(store))))
        board: Any = type("Board", (), {"tell": type("Tell", (), {"remote": lambda self, event: None})()})()
        asked = BatchRequest("bargain", (cases(1),), "", (Lineup(()),), "", {}, (), 1, place)
        result = asyncio.run(RayPlayer(asked, here, Batch(depot=depot), board, "worker-1").play(0))
        assert result is not None and (result.status, result.before) == ("ended", machine == "two")
        assert on(store.address) == files(here / "local") and not list(place.glob("deal*"))


# ---- killed ----------------------------------------------------------------------------------------------------------


def dying(what: str, number: int, words: list[str]) -> None:
    """`lw` in a process that dies at the so manieth file of that name, in the midst of it."""
    copy, move, seen = LocalFileSystem.cp_file, LocalFileSystem.mv, 0

    def dies(path: object) -> bool:
        nonlocal seen
        seen += what in str(path)
        return what in str(path) and seen == number

    def cp_file(self: LocalFileSystem, source: str, target: str, **how: Any) -> None:
        if dies(target):
            whole = Path(source).read_bytes()
            Path(self._strip_protocol(target)).write_bytes(whole[: len(whole) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        copy(self, source, target, **how)

    def mv(self: LocalFileSystem, source: str, target: str, **how: Any) -> None:
        if dies(target):
            os.kill(os.getpid(), signal.SIGKILL)
        move(self, source, target, **how)

    LocalFileSystem.cp_file, LocalFileSystem.mv = cp_file, mv
    main(words)


def put_there(folder: Path) -> None:
    """What comes after it imports, reads and checks nothing anew."""
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    os.chdir(folder)
    assert played(f"file://{folder.as_posix()}/store").code == 0


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    with Warm(put_there, tmp_path_factory.mktemp("warm")) as begun:
        yield begun


@posix
@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("batch.marks/", 2),
        ("deal1-0/journal.jsonl", 1),
        ("deal1-0/case.json", 1),
        ("deal1-0/run.yaml", 1),
        ("deal1-0/spec.zip", 1),
    ],
)
def test_killed_while_a_run_is_put_there(
    here: Path, what: str, number: int, warm: Warm, whole: dict[str, bytes]
) -> None:
    """Whatever half of a run lies there: it is not taken for one, and the same command makes it whole; also where
    nothing is left of what that machine had."""
    address = f"file://{here.parent.as_posix()}/store"
    words = ["batch", "bargain", "--cases", cases(3), "--out", address, "--concurrency", "1"]
    killed = warm.begin(dying, what, number, words)
    assert killed.ended(HANG) and killed.code == -signal.SIGKILL
    assert lw("batch", "fetch", address, "half").code == 0
    half = files(here / "half")
    assert len({name.partition("/")[0] for name in half}) < 3 and half.items() <= whole.items()
    shutil.copytree(here.parent / "store", here.parent / "kept")
    for machine in ("same", "another"):
        if machine == "another":
            shutil.rmtree(here.parent / "store")
            (here.parent / "kept").rename(here.parent / "store")
            shutil.rmtree(here.parent / "cache")
        ran = lw(*words)
        assert ran.code == 0, ran.err
        assert on(address) == whole and len(marks_on(there(address))) == 3
    assert lw("batch", "fetch", address, "half").code == 0 and files(here / "half") == whole


@posix
def test_ctrl_c_among_attempts_waits_for_none(
    here: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, bytes]
) -> None:
    def interrupted(what: str, path: str) -> None:
        if what == "put" and path.endswith("deal1-0/journal.jsonl"):
            time.sleep(1)  # a signal that comes just before the loop waits does not wake it
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # as from a terminal
            raise ConnectionError("reset")

    monkeypatch.setattr(stores, "GAPS", (10.0 * HANG,))
    TrialStore.before = staticmethod(interrupted)
    ran = played(TRIAL, "--concurrency", "1")
    assert ran.code == 130 and there(TRIAL).read("batch.lock") is None
    assert list(marks_on(there(TRIAL))) == ["deal0-0"] and (scratch(here) / "deal1-0" / "run.yaml").is_file()
    TrialStore.before = staticmethod(lambda what, path: None)
    again = played(TRIAL, "--json", "--concurrency", "1")
    assert statuses(again) == [("ended", True), ("ended", True), ("ended", False)]
    assert on(TRIAL) == whole


def test_what_stopped_goes_on_elsewhere(serve: Serve, here: Path) -> None:
    """A run that stopped is there with what was answered: nothing is asked twice when this machine is gone."""
    server = serve(lambda _: say("好。【price：100】"))
    model = ("--model", "openai/clerk", "--concurrency", "1")
    assert played("local", *model, number=2).code == 0
    whole = len(server.calls)
    broken = serve(lambda call: say("好。【price：100】") if call.number < whole - 2 else fail(400))
    assert played(TRIAL, *model, number=2).code == 3
    assert {mark.state for mark in marks_on(there(TRIAL)).values()} == {"ended", "open"}
    answered = sum(
        b'"answer":' in line for name, data in on(TRIAL).items() if "journal" in name for line in data.split(b"\n")
    )
    assert 0 < answered < whole and len(broken.calls) > answered
    shutil.rmtree(here.parent / "cache")
    server = serve(lambda _: say("好。【price：100】"))
    assert played(TRIAL, *model, number=2).code == 0
    assert len(server.calls) == whole - answered
    assert on(TRIAL) == files(here / "local")
    assert {mark.state for mark in marks_on(there(TRIAL)).values()} == {"ended"}


def test_the_further_of_two_states_is_gone_on_with(serve: Serve, here: Path) -> None:
    server = serve(lambda call: say("好。【price：100】") if call.number < 3 else fail(400))
    model = ("--model", "openai/clerk", "--concurrency", "1")
    assert played(TRIAL, *model, "--scratch", "old", number=1).code == 3
    server = serve(lambda call: say("好。【price：100】") if call.number < 3 else fail(400))
    assert played(TRIAL, *model, "--scratch", "new", number=1).code == 3
    server = serve(lambda _: say("好。【price：100】"))
    assert played(TRIAL, *model, "--scratch", "old", number=1).code == 0
    first = len(server.calls)
    server = serve(lambda _: say("好。【price：100】"))
    assert played("local", *model, number=1).code == 0
    assert on(TRIAL) == files(here / "local") and first == len(server.calls) - 4


# ---- failures of the store -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [TRIAL, TRIAL.replace("trial", "objects")])
def test_what_fails_is_tried_again(
    here: Path, address: str, monkeypatch: pytest.MonkeyPatch, whole: dict[str, bytes]
) -> None:
    failed: set[tuple[str, str]] = set()

    def once(what: str, path: str) -> None:
        act = what, re.sub(r"\.[0-9a-f]{8}\.part$", "", path)
        if act not in failed:
            failed.add(act)
            raise ConnectionError("reset")

    monkeypatch.setattr(stores, "GAPS", (0.0,) * 100)  # of what is handed over together, one after the other fails
    TrialStore.before = staticmethod(once)
    assert played(address).code == 0 and len(failed) > 30
    TrialStore.before = staticmethod(lambda what, path: None)
    assert on(TRIAL) == whole


def test_what_cannot_be_put_there_waits_here(here: Path, whole: dict[str, bytes]) -> None:
    def full(what: str, path: str) -> None:
        if what == "put" and "deal1" in path:
            raise OSError("no room")

    TrialStore.before = staticmethod(full)
    ran = played(TRIAL)
    assert ran.code == 3 and "LW550" in ran.err and f"{TRIAL}/deal1-0" in ran.err and "no room" in ran.err
    assert str(scratch(here) / "deal1-0") in ran.err
    stands = lw("batch", "status", TRIAL, "--json").object()
    assert stands["counts"] == {"ended": 2, "stopped": 1} and stands["unfinished"][0]["problem"] == "LW550"
    TrialStore.before = staticmethod(lambda what, path: None)
    again = played(TRIAL, "--json")
    assert again.code == 0 and statuses(again) == [("ended", True)] * 3  # nothing was played again
    assert on(TRIAL) == whole
    assert lw("batch", "status", TRIAL, "--json").object()["counts"] == {"ended": 3}
    assert lw("batch", "fetch", TRIAL, "here").code == 0
    assert lw("batch", "status", "here", "--json").object()["counts"] == {"ended": 3}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_store_that_is_gone_ends_the_batch(here: Path, workers: str) -> None:
    """Three in a row: to go on would only fill the disk."""
    place = here.parent / "store"
    assert played(f"file://{place.as_posix()}", "--workers", workers, number=1).code == 0
    for number in range(1, 12):  # where runs are to lie, there is something else
        (place / f"deal{number}-0").write_text("in the way")
    ran = played(f"file://{place.as_posix()}", "--workers", workers, "--concurrency", workers, number=12)
    assert ran.code == 3 and 3 <= ran.err.count("LW550") <= 4
    assert 3 <= len(list(scratch(here).glob("deal*"))) <= 6


def test_a_record_that_cannot_be_put_there_is_told(here: Path) -> None:
    def full(what: str, path: str) -> None:
        if what == "write" and "jsonl" in path:
            raise PermissionError("not you")

    TrialStore.before = staticmethod(full)
    ran = played(TRIAL)
    assert ran.code == 3 and "LW550" in ran.err and "batch.jsonl" in ran.err and "not you" in ran.err
    assert len(marks_on(there(TRIAL))) == 3


@pytest.mark.parametrize("what", ["write", "read", "list"])
def test_a_store_out_of_reach_is_told_before_anything_is_played(here: Path, what: str) -> None:
    def unreachable(asked: str, path: str) -> None:
        if asked == what:
            raise TimeoutError("nobody there")

    TrialStore.before = staticmethod(unreachable)
    for language, word in (("zh", "读不到或者写不进去"), ("en", "cannot be read or written")):
        os.environ["LW_LANG"] = language
        ran = played(TRIAL)
        assert ran.code == 2 and "LW551" in ran.err and word in ran.err and "TimeoutError: nobody there" in ran.err
    assert not list((here.parent / "cache").rglob("deal*"))


# ---- one batch at a time ---------------------------------------------------------------------------------------------


def locked(**other: Any) -> None:
    sign = {"host": platform.node(), "pid": os.getppid(), "begun": "2026-01-02T03:04:05+00:00", "token": "t", **other}
    there(TRIAL).write("batch.lock", json.dumps(sign).encode())


def test_a_second_batch_is_told_who_has_it(here: Path) -> None:
    for other in ({}, {"host": "another", "pid": 7}):
        locked(**other)
        ran = played(TRIAL)
        assert ran.code == 2 and "LW552" in ran.err and "--break-lock" in ran.err and "2026-01-02" in ran.err
        assert f"{other.get('host', platform.node())}, pid {other.get('pid', os.getppid())}" in ran.err
    assert not marks_on(there(TRIAL)) and there(TRIAL).read("batch.json") is None
    assert played(TRIAL, "--break-lock").code == 0
    assert there(TRIAL).read("batch.lock") is None


@posix
def test_the_lock_of_a_dead_process_holds_nobody_up(here: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for pid in (dead.pid, os.getpid()):  # also one of our own number, from before this machine was started anew
        locked(pid=pid)
        assert played(TRIAL).code == 0


def test_whoever_was_shut_out_leaves_the_others_record_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(what: str, path: str) -> None:
        if what == "put" and path.endswith("deal2-0/run.yaml"):
            locked(host="another")

    TrialStore.before = staticmethod(taken)
    ran = played(TRIAL)
    assert ran.code == 3 and "LW552" in ran.err
    assert json.loads(there(TRIAL).read("batch.lock") or b"")["host"] == "another"


def test_a_batch_gives_signs_of_life(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_lock, "BEAT", 0.01)
    store, beats = there(TRIAL), []
    lock = store_lock.StoreLock.taken(store, lambda: beats.append(store.read("batch.lock")), by_force=False)
    assert isinstance(lock, store_lock.StoreLock)
    with lock:
        while len(beats) < 2:
            lock._over.wait(0.01)
        sign = json.loads(beats[-1] or b"")
    assert sign["pid"] == os.getpid() and sign["begun"] <= sign["seen"]


# ---- another batch, other files --------------------------------------------------------------------------------------


def test_another_run_at_the_address_is_told_and_left(here: Path) -> None:
    assert played(TRIAL).code == 0
    before = on(TRIAL)
    lines = [json.loads(line) for line in Path("many.jsonl").read_text("utf-8").splitlines()]
    lines[1]["goods"] = "一张桌子"
    Path("other.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    ran = lw("batch", "bargain", "--cases", "other.jsonl", "--out", TRIAL)
    assert ran.code == 2 and ran.err.count("LW500") == 1 and f"“{TRIAL}/deal1-0”" in ran.err and "case.json" in ran.err
    ran = played(TRIAL, "--model", "offline:noisy")
    assert ran.code == 2 and ran.err.count("LW500") == 3 and "models" in ran.err
    assert on(TRIAL) == before


def test_records_of_two_machines_are_put_together(here: Path) -> None:
    for machine, number in (("one", 1), ("two", 2), ("one", 3)):
        assert played(TRIAL, "--scratch", machine, number=number).code == 0
    lines = (there(TRIAL).read("batch.jsonl") or b"").splitlines()
    ended = [entry["run"] for entry in map(json.loads, lines) if entry["status"] == "ended"]
    assert ended == ["deal0-0", "deal1-0", "deal2-0"] and len(lines) == 6


def test_a_file_that_was_changed_there_is_not_fetched(here: Path) -> None:
    assert played(TRIAL).code == 0
    system = fsspec.filesystem("trial")
    system.store["/bucket/batch/deal0-0/transcript.md"].write(b"changed")
    system.rm_file("/bucket/batch/deal1-0/sealed.json")
    system.rm_file(next(path for path in system.store if path.startswith("/bucket/batch/batch.marks/deal2-0")))
    ran = lw("batch", "fetch", TRIAL, "here")
    assert ran.code == 2 and ran.err.count("LW553") == 2 and "deal0-0/transcript.md" in ran.err
    assert not list((here / "here").glob("*/*"))


def test_a_run_that_is_here_and_another_is_left(here: Path) -> None:
    assert played(TRIAL).code == 0
    assert lw("batch", "bargain", "--cases", "many.jsonl", "--model", "offline:noisy", "--out", "here").code == 0
    before = files(here / "here")
    ran = lw("batch", "fetch", TRIAL, "here", "--json")
    assert ran.code == 2 and [one["code"] for one in ran.object()["problems"]] == ["LW500"] * 3
    assert files(here / "here") == before


def test_a_mark_leads_nowhere_else(here: Path) -> None:
    """What lies on a store was perhaps not put there by us."""
    assert played(TRIAL, number=1).code == 0
    (mark,) = marks_on(there(TRIAL)).values()
    there(TRIAL).write(mark.name, json.dumps({"files": {"../../out.txt": [3, "0"], "run.yaml": [1, "0"]}}).encode())
    there(TRIAL).write(f"batch.marks/x/../../evil.{'0' * 16}.ended", b"{}")
    ran = lw("batch", "fetch", TRIAL, "here")
    assert ran.code == 2 and "LW553" in ran.err and not list(here.rglob("out.txt"))


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("runs", "{}"),
        ("eval", "{}"),
        ("report", "{}"),
        ("show", "{}"),
        ("resume", "{}"),
        ("run", "bargain", "--out", "{}"),
        ("batch", "gc", "{}"),
        ("export", "{}"),
    ],
)
def test_who_needs_a_folder_says_how_to_get_it(here: Path, words: tuple[str, ...]) -> None:
    ran = lw(*(word.format("s3://me:hunter2@bucket/batch") for word in words))
    assert ran.code == 2 and "LW547" in ran.err and "lw batch fetch s3://bucket/batch" in ran.err
    assert "hunter2" not in ran.err and not list(here.iterdir())


def test_what_is_not_installed_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    for command in (("batch", "bargain"), BENCH):
        ran = lw(*command, "--out", "s3://bucket/batch")
        assert ran.code == 2 and "LW549" in ran.err and "pip install 'legalworld[fsspec]' s3fs" in ran.err
    monkeypatch.setitem(sys.modules, "fsspec", None)
    ran = played(TRIAL)
    assert ran.code == 2 and "LW634" in ran.err and "pip install 'legalworld[fsspec]'" in ran.err
    assert not (here.parent / "cache").exists()


@pytest.mark.parametrize("address", ["nowhere://bucket", "s 3://bucket", "://", "zip://a::file:///b", "memory://"])
def test_an_address_that_is_none_is_told(here: Path, address: str) -> None:
    for command in (
        ("batch", "bargain", "--out", address),
        ("batch", "fetch", address, "x"),
        ("batch", "status", address),
    ):
        ran = lw(*command)
        assert ran.code == 2 and "LW548" in ran.err and [path.name for path in here.iterdir()] == []


def test_memory_is_of_one_process(here: Path) -> None:
    for words in (("--workers", "2"), ("--engine", "ray")):
        ran = played("memory://box/batch", *words)
        assert ran.code == 2 and "LW554" in ran.err


def test_where_no_batch_is(here: Path) -> None:
    for words in (("status", TRIAL), ("retry", TRIAL), ("fetch", TRIAL, "here")):
        ran = lw("batch", *words)
        assert ran.code == 2 and "LW541" in ran.err and TRIAL in ran.err


def test_a_folder_needs_none_of_it(here: Path) -> None:
    code = "import sys; from legalworld.cli.main import main\n"
    code += "try: main(sys.argv[1:])\nfinally: print('fsspec' in sys.modules)"
    command = [sys.executable, "-c", code, "batch", "bargain", "--cases", cases(1), "--out", "local"]
    ran = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=HANG, check=True
    )
    assert ran.stdout.decode().splitlines()[-1] == "False"


# ---- keys ------------------------------------------------------------------------------------------------------------

SECRETS = ("hunter2", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI", "c2lnbmF0dXJl")


def test_keys_are_shown_and_kept_nowhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = "trial://me:hunter2@bucket/batch?sig=c2lnbmF0dXJl"
    monkeypatch.setattr(
        fsspec.config, "conf", {"trial": {"key": "AKIAIOSFODNN7EXAMPLE", "client": {"secret": "wJalrXUtnFEMI"}}}
    )
    told = f"at {address}: AKIAIOSFODNN7EXAMPLE/wJalrXUtnFEMI denied, password=hunter2&x, https://h/x?c2lnbmF0dXJl"

    def fails(what: str, path: str) -> None:
        if (what == "put" and "deal1" in path) or (failing and what == "list"):
            raise RuntimeError(told)

    failing = False
    TrialStore.before = staticmethod(fails)
    said = ""
    for words in (("--json",), (), ("--json", "--workers", "1")):
        ran = lw("batch", "bargain", "--cases", cases(3), "--out", address, *words)
        assert ran.code == 3 and "LW550" in ran.out + ran.err
        said += ran.out + ran.err
    failing = True
    for words in (("fetch", address, "here"), ("status", address), ("retry", address)):
        ran = lw("batch", *words)
        assert ran.code == 2 and "LW551" in ran.err
        said += ran.out + ran.err
    kept = [path.read_bytes() for path in here.parent.rglob("*") if path.is_file()]
    everything = said.encode() + b"".join([*kept, *TrialStore.files().values()])
    everything += "".join(str(path) for path in here.parent.rglob("*")).encode()
    assert "RuntimeError" in said and "denied" in said
    assert not [secret for secret in SECRETS if secret.encode() in everything]
    assert "hunter2" not in repr(there(address))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("The key 'x' at s3://me:p%40ss@bucket/x is not for p@ss", "The key 'x' at s3://bucket/x is not for ***"),
        ("{'secret': 'abc def', 'endpoint': 'http://h:9000'}", "{'secret': ***, 'endpoint': 'http://h:9000'}"),
        ("Authorization: Bearer abc.def\nX: y", "Authorization: Bearer *** X: y"),
        ("GET https://u:p@h/x?X-Amz-Signature=zzz (403)", "GET https://h/x (403)"),
        ("aws_secret_access_key=wJalr/x", "aws_secret_access_key=***"),
        ("NoSuchKey: The specified key does not exist", "NoSuchKey: The specified key does not exist"),
    ],
)
def test_what_a_library_says_of_keys_is_left_out(error: str, said: str) -> None:
    store = RemoteStore("trial://me:p%40ss@bucket/x", "trial")

    def fails(what: str, path: str) -> None:
        raise RuntimeError(error)

    TrialStore.before = staticmethod(fails)
    with pytest.raises(StoreFailed) as failed:
        store.read("x")
    assert failed.value.reason == f"RuntimeError: {said}"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("s3://bucket/x", "s3://bucket/x"),
        ("s3://key:secret@bucket/x/", "s3://bucket/x"),
        ("sftp://me:p@ss@host:22/x?a=b#c", "sftp://host:22/x"),
        ("abfs://box@account.dfs.core.windows.net/x", "abfs://box@account.dfs.core.windows.net/x"),
        ("abfs://box:key@account/x?sig=1", "abfs://box@account/x"),
        ("file:///share/批次", "file:///share/批次"),
    ],
)
def test_an_address_as_it_is_shown(address: str, said: str) -> None:
    assert shown(address) == said
