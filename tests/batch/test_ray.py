"""A batch on a real Ray cluster of two workers: the same runs, limits held for all, and a worker that is lost."""

from __future__ import annotations

import importlib.util
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Call, Loopback, say
from places import ROOT
from typed import lw

from legalworld.batch import ray_workers

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


def played(out: Path, *words: str, seeds: int = 4) -> Any:
    models = ("--model", "buyer=openai/clerk", "--seeds", str(seeds), "--concurrency", "4")
    return lw("batch", "bargain", *models, *words, "--out", out)


def journals(out: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in out.glob("*/journal.jsonl")}


def test_who_lacks_the_library_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for language, word in (("zh", "legalworld[ray]"), ("en", "Install it")):
        monkeypatch.setenv("LW_LANG", language)
        ran = lw("batch", "bargain", "--engine", "ray", "--out", tmp_path / "out")
        assert ran.code == 2 and "LW634" in ran.err and word in ran.err and not (tmp_path / "out").exists()


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
        if server.calls >= whole // 3 and not lost:
            lost.append(self._seats[0].name)
            assert self._seats[0].out  # in mid-case
            self._ray.kill(self._seats[0].actor)
        hear(self, *told)

    monkeypatch.setattr(ray_workers._Cluster, "_hear", hear_and_kill)
    ran = played(tmp_path / "ray", "--engine", "ray", "--workers", "2", "--limit", "calls:4")
    assert ran.code == 0 and lost == ["worker-1"]
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
