"""A batch on a real Ray cluster of two workers: the same runs, limits held for all, a worker that is lost, Ctrl-C.

What needs no cluster is tested without one.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from loopback import Answer, Call, Loopback, say
from places import HANG, ROOT
from typed import lw

from legalworld import __version__
from legalworld.batch import ray_workers
from legalworld.batch.jobs import BatchRequest, Lineup
from legalworld.batch.play import Batch, Begun
from legalworld.batch.ray_limits import Board
from legalworld.batch.ray_workers import RayPlayer
from legalworld.runs.folder import RunFolder

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="the optional extra `ray` is not installed"
)


class Server:
    """Counts its calls, and how many are under way at once; `pause`: seconds before each answer."""

    def __init__(self) -> None:
        self.pause = 0.02
        self.calls = self.most = self.now = 0
        self.lock = threading.Lock()

    def __call__(self, _: Call) -> Answer:
        with self.lock:
            self.calls += 1
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.pause)
        with self.lock:
            self.now -= 1
        return say("好，再便宜一点。", tokens=(70, 30))

    def reset(self, pause: float) -> None:
        self.pause, self.calls, self.most = pause, 0, 0


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A model, and a cluster whose workers find it."""
    behaviour = Server()
    with Loopback(behaviour) as model, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_BASE", model.url)
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.delenv("OPENAI_API_KEY", raising=False)
        ray = import_module("ray")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
        yield behaviour
        ray.shutdown()


def command(out: Path, *words: str, seeds: int = 4) -> tuple[str, ...]:
    models = ("--model", "buyer=openai/clerk", "--seeds", str(seeds), "--concurrency", "4")
    return ("batch", "bargain", *models, *words, "--out", str(out))


def played(out: Path, *words: str, seeds: int = 4) -> Any:
    return lw(*command(out, *words, seeds=seeds))


def journals(out: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in out.glob("*/journal.jsonl")}


def test_who_lacks_the_library_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for language, word in (("zh", "legalworld[ray]"), ("en", "Install it")):
        monkeypatch.setenv("LW_LANG", language)
        ran = lw("batch", "bargain", "--engine", "ray", "--out", tmp_path / "out")
        assert ran.code == 2 and "LW634" in ran.err and word in ran.err and not (tmp_path / "out").exists()


@pytest.mark.parametrize(("address", "said"), [("127.0.0.1:{port}", "refused"), ("nowhere", "HOST:PORT")])
def test_an_address_where_nothing_answers_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, said: str
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = address.format(port=free.getsockname()[1])
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    monkeypatch.setenv("RAY_ADDRESS", address)
    for language, word in (("zh", "连不上"), ("en", "cannot be reached")):
        monkeypatch.setenv("LW_LANG", language)
        ran = lw("batch", "bargain", "--engine", "ray", "--out", tmp_path / "out")
        assert ran.code == 2 and "LW543" in ran.err and word in ran.err and address in ran.err and said in ran.err


def test_why_a_cluster_turns_us_away_is_told_in_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ray that asks for a token answers at once, and is not to be taken for no Ray."""
    scripts = tmp_path / "library" / "ray" / "scripts"
    scripts.mkdir(parents=True)
    for package in (scripts.parent, scripts):
        (package / "__init__.py").touch()
    (scripts / "scripts.py").write_text("import sys\nsys.exit('Trace\\nAuthenticationError: the token is missing')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "library"))
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    with socket.create_server(("127.0.0.1", 0)) as cluster:
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{cluster.getsockname()[1]}")
        ran = lw("batch", "bargain", "--engine", "ray", "--out", tmp_path / "out")
    assert ran.code == 2 and "LW543" in ran.err and "no Ray: AuthenticationError: the token is missing\n" in ran.err


# ---- a worker, without a cluster -------------------------------------------------------------------------------------


class Here:
    """A board that hears at once; `when_begun`: called whenever a run is told to begin."""

    def __init__(self, when_begun: Any = lambda: None) -> None:
        self.begun = 0
        self.when_begun = when_begun
        self.tell = SimpleNamespace(remote=self._tell)

    def _tell(self, event: Any) -> None:
        if isinstance(event, Begun):
            self.begun += 1
            self.when_begun()


def player(out: Path, board: Here) -> RayPlayer:
    asked = BatchRequest("bargain", (), "", (Lineup(()),), "", {}, (), 1, out)
    return RayPlayer(asked, ROOT, Batch(), board, "worker-1")


def test_a_folder_that_a_lost_worker_still_holds_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found lost may take a moment to die, and holds the folders of its runs till then."""
    monkeypatch.setattr(ray_workers, "LOOK", 0)
    first = asyncio.run(player(tmp_path, Here()).play(0))
    assert first is not None and first.status == "ended" and first.folder is not None
    journal = first.folder / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:9]))
    folder = RunFolder.open(first.folder)
    assert isinstance(folder, RunFolder)
    lock: Any = folder.lock()
    refused = asyncio.run(player(tmp_path, Here()).play(0))
    assert refused is not None and [problem.code for problem in refused.problems] == ["LW142"]

    board: Here = Here(lambda: lock.lock.release() if board.begun == 3 else None)
    again = asyncio.run(player(tmp_path, board).play(0, True))
    assert again is not None and again.status == "ended" and board.begun == 3
    assert journal.read_bytes() == whole


def test_a_worker_that_was_stopped_plays_nothing_more_and_another_version_nothing(tmp_path: Path) -> None:
    async def late() -> Any:
        one = player(tmp_path, Here())
        assert await one.begin("0.0.1") and not await one.begin(__version__)
        await one.stop()
        return await one.play(0)

    result = asyncio.run(late())
    assert result.status == "interrupted" and not result.folder.exists()
    assert asyncio.run(may_call_without("worker-1")) == [False, True]


async def may_call_without(lost: str) -> list[bool]:
    """Whether the lost worker, and another, may call."""
    board = Board(Batch())
    await board.forget(lost)
    return [await board.enter("a", lost, "openai/clerk", 1), await board.enter("b", "worker-2", "openai/clerk", 1)]


# ---- a cluster -------------------------------------------------------------------------------------------------------


@needs_ray
def test_a_cluster_plays_the_same_runs(server: Server, tmp_path: Path) -> None:
    server.reset(0.0)
    assert played(tmp_path / "local").code == 0
    calls = server.calls
    ran = played(tmp_path / "ray", "--engine", "ray", "--workers", "2")
    assert ran.code == 0 and len(journals(tmp_path / "ray")) == 4
    assert journals(tmp_path / "ray") == journals(tmp_path / "local") and server.calls == 2 * calls
    again = played(tmp_path / "ray", "--engine", "ray", "--workers", "2")
    assert again.code == 0 and server.calls == 2 * calls  # nothing finished is played twice
    assert lw("batch", "status", tmp_path / "ray", "--json").object()["counts"] == {"ended": 4}


@needs_ray
def test_limits_hold_for_all_workers_together(server: Server, tmp_path: Path) -> None:
    server.reset(0.02)
    assert played(tmp_path / "one", "--engine", "ray", "--workers", "2", "--limit", "calls:1").code == 0
    assert server.most == 1
    server.reset(0.02)
    ran = played(tmp_path / "poor", "--engine", "ray", "--workers", "2", "--budget", "tokens:1000")
    assert ran.code == 3 and 10 <= server.calls <= 14  # a hundred tokens each; those under way are finished
    assert lw("batch", "status", tmp_path / "poor", "--json").object()["tokens"] == 100 * server.calls


@needs_ray
def test_a_lost_worker_costs_only_the_calls_under_way(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.reset(0.0)
    assert played(tmp_path / "local").code == 0
    whole = server.calls
    server.reset(0.3)
    lost: list[str] = []
    hear = ray_workers._Cluster._hear

    def hear_and_kill(self: Any, *told: Any) -> None:
        at_work = [seat for seat in self._seats if seat.out]
        if server.calls >= whole // 3 and at_work and not lost:
            lost.append(at_work[0].name)
            self._ray.kill(at_work[0].actor)
        hear(self, *told)

    monkeypatch.setattr(ray_workers._Cluster, "_hear", hear_and_kill)
    ran = played(tmp_path / "ray", "--engine", "ray", "--workers", "2", "--limit", "calls:4")
    assert ran.code == 0 and len(lost) == 1, ran.err
    assert journals(tmp_path / "ray") == journals(tmp_path / "local")
    assert whole <= server.calls <= whole + 2  # two runs were under way on it, a call each


@needs_ray
def test_a_run_that_always_loses_its_worker_is_given_up(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.reset(0.2)
    hear = ray_workers._Cluster._hear

    def hear_and_kill(self: Any, *told: Any) -> None:
        for seat in self._seats:
            if 0 in seat.out.values():
                self._ray.kill(seat.actor)
        hear(self, *told)

    monkeypatch.setattr(ray_workers._Cluster, "_hear", hear_and_kill)
    ran = played(tmp_path / "ray", "--engine", "ray", "--workers", "2", "--json", seeds=3)
    assert ran.code == 2 and "LW506" in ran.out
    assert lw("batch", "status", tmp_path / "ray", "--json").object()["counts"]["ended"] == 2


@needs_ray
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupted_on_the_cluster_of_an_address_it_goes_on_anywhere(server: Server, tmp_path: Path) -> None:
    server.reset(0.0)
    assert played(tmp_path / "local").code == 0
    whole = server.calls
    server.reset(0.3)
    address = import_module("ray").get_runtime_context().gcs_address
    words = command(tmp_path / "ray", "--engine", "ray", "--workers", "2")
    process = subprocess.Popen(
        [sys.executable, "-m", "legalworld", *words],
        env={**os.environ, "RAY_ADDRESS": address},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while process.poll() is None and server.calls < whole // 2:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=HANG)
    assert process.returncode == 130, told.decode()
    assert lw("batch", "status", tmp_path / "ray", "--json").object()["counts"] == {"interrupted": 4}
    server.pause = 0.0
    assert lw("batch", "retry", tmp_path / "ray", "--engine", "local").code == 0
    assert journals(tmp_path / "ray") == journals(tmp_path / "local")
    assert server.calls <= whole + 4  # those under way are given up


@needs_ray
@pytest.mark.parametrize("first", ["the board", "a worker"])
def test_a_cluster_that_is_lost_stops_the_batch_and_it_goes_on_anywhere(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """Whoever is found lost first, every run that was under way is told as stopped."""
    server.reset(0.0)
    assert played(tmp_path / "local").code == 0
    whole = server.calls
    server.reset(0.3)
    hear, gone = ray_workers._Cluster._hear, ray_workers._Cluster._gone

    def hear_and_kill(self: Any, *told: Any) -> None:
        if server.calls >= whole // 3:
            for actor in [self._board] if first == "the board" else [seat.actor for seat in self._seats]:
                self._ray.kill(actor)
        hear(self, *told)

    def gone_and_kill(self: Any, *told: Any) -> None:
        self._ray.kill(self._board)
        gone(self, *told)

    monkeypatch.setattr(ray_workers._Cluster, "_hear", hear_and_kill)
    monkeypatch.setattr(ray_workers._Cluster, "_gone", gone_and_kill)
    ran = played(tmp_path / "ray", "--engine", "ray", "--workers", "2", "--json")
    told = [json.loads(line) for line in ran.out.splitlines()]
    results = [one for one in told if one["event"] == "result"]
    assert ran.code == 3 and [one["status"] for one in results] == ["stopped"] * 4, ran.out
    assert "LW544" in ran.out + ran.err
    server.pause = 0.0
    until = time.monotonic() + HANG
    while lw("batch", "retry", tmp_path / "ray", "--engine", "local").code != 0:  # workers let go of their folders
        assert time.monotonic() < until
    assert journals(tmp_path / "ray") == journals(tmp_path / "local")


@needs_ray
def test_a_cluster_without_a_free_processor_is_waited_for_and_told(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.reset(0.0)
    ray = import_module("ray")
    other = ray.remote(Board).options(num_cpus=2).remote(Batch())  # somebody else's work
    assert ray.get(other.enter.remote("a", "worker-1", "openai/clerk", 1))
    monkeypatch.setattr(ray_workers, "START", 1.0)
    for language, word in (("zh", "等了 1 秒"), ("en", "within 1 second")):
        monkeypatch.setenv("LW_LANG", language)
        ran = played(tmp_path / "ray", "--engine", "ray", "--workers", "2")
        assert ran.code == 2 and "LW546" in ran.err and word in ran.err and not journals(tmp_path / "ray")
    ray.kill(other)
    monkeypatch.undo()
    assert played(tmp_path / "ray", "--engine", "ray", "--workers", "2").code == 0
    assert len(journals(tmp_path / "ray")) == 4 and server.calls > 0
