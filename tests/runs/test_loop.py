"""The driver: replies come from the log first, then from whoever is asked."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest
from conftest import Serve
from loopback import say
from places import HANG
from typed import lw

from legalworld.model.events import Entered, Errand, Event, Outcome, Reply, Turn
from legalworld.runs.group_commit import SHARE, THREADS, Commit, GroupCommit
from legalworld.runs.journal import AnswerLine, EventLine, Journal, load
from legalworld.runs.loop import Diverged, Game, ReplayLog, ignore, play_through

ERRANDS = tuple(Errand(f"two/{n}", "judge", "find article", {}, "") for n in (1, 2))


def two_at_once() -> Game:
    replies = yield Turn((), ERRANDS)
    return Outcome((), "ended", "two", lambda _: [reply.text for reply in replies])


@pytest.mark.parametrize("answered", [(), (1,), (2,), (2, 1)])
def test_of_requests_made_at_once_those_without_an_answer_are_asked_again(answered: Sequence[int]) -> None:
    asked: list[str] = []

    async def carry(errand: Errand) -> Reply:
        asked.append(errand.id)
        return Reply(text=errand.id)

    async def nobody(_: object) -> Reply:
        raise AssertionError

    log = ReplayLog([AnswerLine(n, f"two/{which}", Reply(text=f"two/{which}")) for n, which in enumerate(answered, 1)])
    finished = asyncio.run(play_through(two_at_once(), log, nobody, ignore, carry))
    assert finished.look("") == ["two/1", "two/2"]
    assert asked == [f"two/{which}" for which in (1, 2) if which not in answered]


def test_an_answer_to_another_request_is_refused() -> None:
    log = ReplayLog([AnswerLine(1, "two/1", Reply(text="")), AnswerLine(2, "two/3", Reply(text=""))])
    with pytest.raises(Diverged, match="line 2"):
        asyncio.run(play_through(two_at_once(), log, None, ignore))


def test_what_was_answered_is_kept_by_who_is_cancelled_while_the_disk_is_busy(tmp_path: Path) -> None:
    """The first of two replies is being written, the other waits for that: both are in the journal, in one order."""
    begun, free = threading.Event(), threading.Event()

    class Busy(Journal):
        def prepared(self, events: Sequence[Event], answer: tuple[str, Reply] | None = None) -> Commit | None:
            commit = super().prepared(events, answer)
            return partial(self.held, commit) if commit else None

        def held(self, commit: Commit) -> None:
            begun.set()
            assert free.wait(HANG)
            commit()

    async def cancelled(log: ReplayLog) -> None:
        log.tell([Entered(level="stage", place="two", title="")])
        records = [asyncio.create_task(log.record(errand, Reply(text=errand.id), 0.0)) for errand in ERRANDS]
        await asyncio.to_thread(begun.wait)
        for record in records:
            record.cancel()
            record.cancel()  # twice is no other than once
        await asyncio.sleep(0)
        assert not any(record.done() for record in records)
        free.set()
        await asyncio.wait(records)
        assert all(record.cancelled() for record in records)

    with Busy(tmp_path / "journal.jsonl") as journal:
        log = ReplayLog((), journal, aside=True)
        asyncio.run(cancelled(log))
    assert list(load(tmp_path / "journal.jsonl").lines) == log.lines
    assert [type(line) for line in log.lines] == [EventLine, AnswerLine, AnswerLine]


def test_who_answers_at_once_has_it_written_at_once(tmp_path: Path) -> None:
    """Nothing is handed over: the answer is on the disk before anybody else could go on."""
    with Journal(tmp_path / "journal.jsonl") as journal:
        log = ReplayLog((), journal)
        log.tell([Entered(level="stage", place="two", title="")])
        with pytest.raises(StopIteration):
            log.record(ERRANDS[0], Reply(text="one"), 0.0).send(None)
        assert list(load(tmp_path / "journal.jsonl").lines) == log.lines


@pytest.mark.parametrize(("model", "in_threads"), [("openai/clerk", True), ("offline", False)])
def test_only_runs_that_wait_for_models_are_written_in_threads(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None, model: str, in_threads: bool
) -> None:
    serve(lambda _: say("好。【price：100】"))
    prepared, threads = Journal.prepared, set()

    def watched(journal: Journal, events: Sequence[Event], answer: tuple[str, Reply] | None = None) -> Commit | None:
        commit = prepared(journal, events, answer)
        return partial(committed, commit) if commit and answer is not None else commit

    def committed(commit: Commit) -> None:
        threads.add(threading.current_thread() is not threading.main_thread())
        commit()

    monkeypatch.setattr(Journal, "prepared", watched)
    assert lw("run", "bargain", "--model", f"buyer={model}", "--out", tmp_path / "run").code == 0
    assert threads == {in_threads}


def test_appends_of_many_runs_go_to_the_disk_in_one_thread_and_one_that_fails_fails_alone() -> None:
    """While the first is on its way the others gather; what one raises, nobody else hears."""
    begun, free, threads, done = threading.Event(), threading.Event(), set[int](), list[int]()

    def append(number: int) -> None:
        begun.set()
        assert free.wait(HANG)
        threads.add(threading.get_ident())
        if number == 5:
            raise OSError(28, "full")
        done.append(number)

    async def many() -> list[BaseException | None]:
        first = GroupCommit.here().carry(partial(append, 0))
        await asyncio.to_thread(begun.wait)
        others = [GroupCommit.here().carry(partial(append, number)) for number in range(1, 9)]
        free.set()
        return list(await asyncio.gather(first, *others, return_exceptions=True))

    outcomes = asyncio.run(many())
    assert [number for number, outcome in enumerate(outcomes) if outcome is not None] == [5]
    assert isinstance(outcomes[5], OSError)
    assert done == [0, 1, 2, 3, 4, 6, 7, 8]
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_more_threads_help_while_much_waits_for_a_slow_disk() -> None:
    all_at_once, met = threading.Barrier(THREADS), threading.Event()

    def append() -> None:
        if not met.is_set():  # once: a thread that finds nothing waiting goes, and those that stay are fewer
            all_at_once.wait(HANG)  # broken, unless so many are under way at once
            met.set()

    async def many() -> None:
        await asyncio.gather(*(GroupCommit.here().carry(append) for _ in range(SHARE * THREADS)))

    asyncio.run(many())
    assert met.is_set()


def test_where_no_thread_is_to_be_had_nobody_waits_for_ever() -> None:
    """Once for an append that is refused a thread, and again for the one behind it."""
    done: list[int] = []

    async def refused() -> None:
        loop = asyncio.get_running_loop()

        def none_left(*_: object) -> NoReturn:
            raise RuntimeError("can't start new thread")

        loop.run_in_executor = none_left  # type: ignore[method-assign]
        for number in range(2):
            await asyncio.wait_for(GroupCommit.here().carry(partial(done.append, number)), HANG)

    asyncio.run(refused())
    assert done == [0, 1]
