"""Cases played through the door: however a run is stopped, it goes on to the very record of one that was not."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from places import HANG

import legalworld as lw
from legalworld.language import diagnose


def buyer(request: lw.Request) -> str:
    """Says how much it has heard; as deterministic as a journal needs."""
    return f"我听了 {len(request.messages)} 段，出六百。"


async def slow_buyer(request: lw.Request) -> lw.Reply:
    await asyncio.sleep(0)
    return lw.Reply(text=buyer(request))


buyer_async = slow_buyer
buyer_async.__name__ = "buyer"


def bargain(folder: Path) -> lw.Procedure:
    return lw.open_project(folder).procedure("bargain")


def journal(run: lw.Run) -> bytes:
    return (run.folder / "journal.jsonl").read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> lw.Run:
    """A run that nothing disturbed."""
    return bargain(tmp_path_factory.mktemp("whole")).play(actors={"buyer": buyer})


def asked(run: lw.Run) -> int:
    return sum(row["role"] == "buyer" for row in run.calls())


def test_a_callable_is_recorded_by_its_name(whole: lw.Run) -> None:
    assert whole.models == {"seller": "offline", "buyer": "python:buyer"}
    said = [row["text"] for row in whole.turns() if row["role"] == "buyer"]
    assert said and all(text.startswith("我听了") for text in said)
    assert whole.folder.parent.name == "runs" and whole.status == "ended"
    whole.replay()


@pytest.mark.parametrize("actor", [buyer, buyer_async], ids=["sync", "async"])
def test_callables_of_both_kinds_make_one_record(actor: lw.Actor, whole: lw.Run, tmp_path: Path) -> None:
    assert journal(bargain(tmp_path).play(actors={"buyer": actor})) == journal(whole)


class Failing:
    """Answers as `buyer` until its `at`th question, which it takes badly, once."""

    def __init__(self, at: int, how: Callable[[], object]) -> None:
        self.__name__ = "buyer"
        self._left, self._how = at, how

    def __call__(self, request: lw.Request) -> str:
        self._left -= 1
        if self._left == 0:
            return self._how()  # type: ignore[return-value]
        return buyer(request)


def raising(error: BaseException) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


BADLY = {
    "raises": (raising(ValueError("no idea")), "LW879"),
    "raises without a word": (raising(RuntimeError()), "LW879"),
    "times out": (raising(TimeoutError("late")), "LW879"),
    "returns nothing": (lambda: None, "LW880"),
    "returns a list": (lambda: ["六百"], "LW880"),
    "returns bytes": (lambda: b"600", "LW880"),
}


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("badly", BADLY)
def test_an_actor_that_fails_leaves_a_run_that_goes_on(badly: str, at: int, whole: lw.Run, tmp_path: Path) -> None:
    how, code = BADLY[badly]
    failing = Failing(at, how)
    with pytest.raises(lw.RunStopped) as raised:
        bargain(tmp_path).play(actors={"buyer": failing})
    stopped = raised.value
    assert [one.code for one in stopped.problems] == [code]
    assert stopped.problems[0].span.file == "actors"
    assert (stopped.__cause__ is not None) == (code == "LW879")
    assert stopped.run.status == "open" and asked(stopped.run) == at - 1
    assert (stopped.run.folder / "transcript.md").is_file()
    with pytest.raises(lw.LegalWorldError) as unseated:
        stopped.run.resume()
    assert [one.code for one in unseated.value.problems] == ["LW878"]
    assert journal(stopped.run.resume(actors={"buyer": failing})) == journal(whole)


@pytest.mark.parametrize("at", [1, 3])
def test_ctrl_c_within_an_actor_leaves_a_run_that_goes_on(at: int, whole: lw.Run, tmp_path: Path) -> None:
    failing = Failing(at, raising(KeyboardInterrupt()))
    with pytest.raises(lw.RunInterrupted) as raised:
        bargain(tmp_path).play(actors={"buyer": failing})
    assert asked(raised.value.run) == at - 1
    assert journal(raised.value.run.resume(actors={"buyer": failing})) == journal(whole)


WAITING = """
import sys, time, asyncio
import legalworld as lw
def buyer(request):
    if len(request.messages) > 3 and len(sys.argv) > 1:
        print("waiting", flush=True)
        time.sleep(300)
    return f"我听了 {len(request.messages)} 段，出六百。"
async def waits(request):
    if len(request.messages) > 3:
        print("waiting", flush=True)
        await asyncio.sleep(300)
    return f"我听了 {len(request.messages)} 段，出六百。"
waits.__name__ = "buyer"
try:
    lw.open_project().procedure("bargain").play(actors={"buyer": buyer if len(sys.argv) > 1 else waits})
except lw.RunInterrupted as stopped:
    print(stopped.run.folder, flush=True)
    sys.exit(7)
"""


@pytest.mark.skipif(os.name == "nt", reason="there Ctrl-C is no signal that one process sends another")
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_real_ctrl_c_while_an_actor_waits(kind: str, whole: lw.Run, tmp_path: Path) -> None:
    words = [sys.executable, "-c", WAITING, *(["sync"] if kind == "sync" else [])]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        time.sleep(0.2)  # it has to be asleep; where it is not yet, the signal is heard all the same
        process.send_signal(signal.SIGINT)
        folder = process.stdout.readline().strip()
        assert process.wait(HANG) == 7
    assert journal(lw.Run(folder).resume(actors={"buyer": buyer})) == journal(whole)


# ---- event by event --------------------------------------------------------------------------------------------------


def test_a_stream_has_every_event_once(whole: lw.Run, tmp_path: Path) -> None:
    stream = bargain(tmp_path).stream(actors={"buyer": buyer})
    assert tuple(stream) == whole.events
    assert journal(stream.run) == journal(whole)


@pytest.mark.parametrize("many", [1, 2, 7, 12, 20])
def test_who_leaves_a_stream_stops_the_run_there(many: int, whole: lw.Run, tmp_path: Path) -> None:
    heard = []

    def noting(request: lw.Request) -> str:
        heard.append(request.id)
        return buyer(request)

    noting.__name__ = "buyer"
    stream = bargain(tmp_path).stream(actors={"buyer": noting})
    seen = []
    for event in stream:
        seen.append(event)
        if len(seen) == many:
            break
    assert tuple(seen) == whole.events[:many]
    before = [one for one in seen if one.kind == "asked" and one.role == "buyer"]
    assert len(heard) <= len(before), "nobody is asked before the reader wants the next event"
    assert stream.run.status == "open"
    assert journal(stream.run.resume(actors={"buyer": buyer})) == journal(whole)


def test_a_stream_with_async(whole: lw.Run, tmp_path: Path) -> None:
    async def read() -> tuple[list[lw.Event], lw.Run]:
        stream = bargain(tmp_path).stream(actors={"buyer": buyer_async})
        return [event async for event in stream], stream.run

    events, run = asyncio.run(read())
    assert tuple(events) == whole.events and journal(run) == journal(whole)


def test_a_stream_tells_of_its_stop_at_its_end(tmp_path: Path) -> None:
    stream = bargain(tmp_path).stream(actors={"buyer": Failing(2, raising(ValueError("no")))})
    seen = []
    with pytest.raises(lw.RunStopped):
        for event in stream:
            seen.append(event)
    assert seen and stream.run.status == "open"


# ---- with an event loop ----------------------------------------------------------------------------------------------


def test_a_play_that_is_cancelled_stops_in_order(whole: lw.Run, tmp_path: Path) -> None:
    async def waiting(request: lw.Request) -> str:
        if len(request.messages) > 3:
            await asyncio.sleep(HANG)
        return buyer(request)

    waiting.__name__ = "buyer"

    async def play() -> None:
        await bargain(tmp_path).play_async(actors={"buyer": waiting}, out="cut")

    async def cancelled() -> None:
        task = asyncio.create_task(play())
        while not (tmp_path / "cut" / "journal.jsonl").exists() or b'"buyer' not in journal(lw.Run(tmp_path / "cut")):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    run = lw.Run(tmp_path / "cut")
    assert (run.folder / "transcript.md").is_file() and run.status == "open"
    assert journal(run.resume(actors={"buyer": buyer})) == journal(whole)


def test_all_of_it_works_where_a_loop_runs_already(whole: lw.Run, tmp_path: Path) -> None:
    """As in a notebook: nothing of it may need a thread without a loop."""

    async def cell() -> None:
        run = bargain(tmp_path).play(actors={"buyer": buyer}, until="settle")
        run.replay()
        run = run.resume(actors={"buyer": buyer})
        assert journal(run) == journal(whole)
        assert tuple(bargain(tmp_path).stream(actors={"buyer": buyer})) == whole.events
        with pytest.raises(lw.RunStopped):
            bargain(tmp_path).play(actors={"buyer": Failing(1, raising(ValueError("no")))})
        with pytest.raises(lw.RunInterrupted):
            bargain(tmp_path).play(actors={"buyer": Failing(2, raising(KeyboardInterrupt()))})

    asyncio.run(cell())


# ---- who plays -------------------------------------------------------------------------------------------------------


def test_one_callable_may_play_everybody_and_names_are_told_apart(tmp_path: Path) -> None:
    def one(_: lw.Request) -> str:
        return "好。"

    other = lambda _: "不。"  # noqa: E731
    other.__name__ = "one"
    run = bargain(tmp_path).play(actors=one, until="settle")
    assert set(run.models.values()) == {"python:one"}
    run = bargain(tmp_path).play(actors={"others": one, "buyer": other}, until="settle")
    assert run.models == {"seller": "python:one", "buyer": "python:one-2"}
    run = bargain(tmp_path).play(actors={"seller": one, "buyer": one}, until="settle")
    assert set(run.models.values()) == {"python:one"}


def test_others_may_go_on_with_a_run(tmp_path: Path) -> None:
    with pytest.raises(lw.RunStopped) as stopped:
        bargain(tmp_path).play(actors={"buyer": Failing(2, raising(ValueError("no")))})
    ended = stopped.value.run.resume(actors={"buyer": "offline"})
    assert ended.models["buyer"] == "python:buyer + offline"
    with pytest.raises(lw.LegalWorldError) as raised:
        ended.resume(actors={"buyer": "offline:noisy"})
    assert [one.code for one in raised.value.problems] == [diagnose.code_of(diagnose.change_of_ended_run)]


def test_a_fork_goes_its_own_way(whole: lw.Run, tmp_path: Path) -> None:
    fork = whole.fork("settle", out=tmp_path / "fork")
    assert fork.status == "open" and whole.status == "ended"
    assert fork.events == whole.events[: len(fork.events)]
    assert fork.resume(actors={"buyer": buyer}).events == whole.events
    with pytest.raises(lw.LegalWorldError):
        whole.fork("haggel")
