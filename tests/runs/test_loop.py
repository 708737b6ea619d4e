"""The driver: replies come from the log first, then from whoever is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from legalworld.model.events import Errand, Outcome, Reply, Turn
from legalworld.runs.journal import AnswerLine
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
