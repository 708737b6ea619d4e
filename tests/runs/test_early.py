"""Requests that do not hear each other go out together; the journal is that of a run that asked one after the other."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import Serve
from loopback import Answer, Call, Loopback, fail, say, streamed
from places import TESTS
from typed import lw

from legalworld.model.events import Message, Reply, Request
from legalworld.model.procedure import ModelDefaults
from legalworld.model.reply_form import ReplyForm
from legalworld.runs.actors import Backbones
from legalworld.runs.early import EarlyAnswers

FAIR = TESTS / "runs" / "early"
PEOPLE = ("磨坊主", "织匠", "陶匠", "铁匠")
RUN = ("run", "specs/fair.yaml", "--case", "fair", "--model", "openai/clerk", "--deadline", "60")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    shutil.copytree(FAIR, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def who(call: Call) -> int:
    """Which of the four was asked."""
    system = call.body["messages"][0]["content"]
    (number,) = (number for number, name in enumerate(PEOPLE) if f"你是{name}。" in system)
    return number


def remembers(call: Call) -> bool:
    return "记下这一段" in call.body["messages"][-1]["content"]


def votes(call: Call) -> bool:
    return "现在表决：明年还办不办" in call.body["messages"][-1]["content"]


def answer(call: Call) -> Answer:
    """What depends on all that was asked: who got another's answer, or was asked otherwise, has another journal."""
    mark = sha256(json.dumps(call.body["messages"], ensure_ascii=False).encode()).hexdigest()[:8]
    if remembers(call):
        arguments = json.dumps({"field": "notes", "content": f"记{mark}"}, ensure_ascii=False)
        return say(f'<tool_call>{{"name": "add", "arguments": {arguments}}}</tool_call>')
    return say(f"{mark}【again：{'yes' if int(mark, 16) % 2 else 'no'}】" if votes(call) else f"说{mark}。")


def journal(out: Path) -> bytes:
    return (out / "journal.jsonl").read_bytes()


@pytest.fixture
def one_by_one(here: Path) -> bytes:
    return asked_one_by_one()


@lru_cache(maxsize=1)
def asked_one_by_one() -> bytes:
    """The journal of a run that asks nobody before his turn."""
    with pytest.MonkeyPatch.context() as alone, Loopback(answer) as server:
        alone.setattr(Backbones, "asks_models", False)
        alone.setenv("OPENAI_API_BASE", server.url)
        assert lw(*RUN, "--out", "alone").code == 0
    assert [who(call) for call in server.calls] == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 3]
    return journal(Path("alone"))


@pytest.mark.parametrize("kind", [remembers, votes])
def test_four_are_asked_at_once_and_answer_in_any_order(
    serve: Serve, here: Path, one_by_one: bytes, kind: Callable[[Call], bool]
) -> None:
    done: list[int] = []

    def script(call: Call) -> Answer:
        if not kind(call):
            return answer(call)
        number = who(call)

        def turn_has_come() -> bool:  # when all are there, from the last to the first
            there = sum(map(kind, server.calls)) == len(PEOPLE)
            if there and len(done) == len(PEOPLE) - 1 - number:
                done.append(number)
                return True
            return False

        return replace(answer(call), when=turn_has_come)

    server = serve(script)
    assert lw(*RUN, "--out", "at-once").code == 0
    assert done == [3, 2, 1, 0]
    assert journal(here / "at-once") == one_by_one
    assert lw("replay", "at-once").code == 0
    assert not (here / "at-once" / "early.jsonl").exists()


@pytest.mark.parametrize("kind", [remembers, votes])
def test_limits_hold_for_them_too(serve: Serve, here: Path, one_by_one: bytes, kind: Callable[[Call], bool]) -> None:
    """Of two calls that may be out at once none is answered before the other is there, and no third comes."""
    most: list[int] = []

    def script(call: Call) -> Answer:
        if not kind(call):
            return answer(call)

        def another_is_there() -> bool:
            there = sum(map(kind, server.calls))
            if there < len(PEOPLE) and there - len(most) < 2:
                return False
            most.append(there - len(most))
            return True

        return replace(answer(call), when=another_is_there)

    server = serve(script)
    lines = json.dumps({"lw": "1", "case": "fair"}) + "\n"
    (here / "many.jsonl").write_text(lines, "utf-8")
    words = ("batch", "specs/fair.yaml", "--cases", "many.jsonl", *RUN[4:], "--out", "out")
    assert lw(*words, "--limit", "calls:2").code == 0
    assert len(most) == len(PEOPLE) and max(most) == 2
    assert journal(next((here / "out").glob("fair-*"))) == one_by_one


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("kind", [remembers, votes])
def test_killed_between_the_answers_only_what_is_missing_is_asked_again(
    serve: Serve, here: Path, one_by_one: bytes, kind: Callable[[Call], bool], torn: bool
) -> None:
    """The first and the third have answered: the journal has the one, and the other waits for the second.

    What a process that is killed then leaves are its files as they stand; they are copied while it waits.
    """
    answered = (0, 2)
    early, written = here / "whole" / "early.jsonl", here / "whole" / "journal.jsonl"
    before, third = (4, b'"day/memory.party/potter/1"') if kind is remembers else (8, b'"night/vote/potter/1"')
    left = here / "cut"

    def waits() -> bool:
        try:
            early_answers = early.read_bytes()
        except FileNotFoundError:  # it goes whenever all of it is in the journal
            return False
        there = third in early_answers and early_answers.endswith(b"\n")
        return there and written.read_bytes().count(b'"answer":') == before + 1

    def killed() -> bool:
        if not left.exists() and waits():
            shutil.copytree(here / "whole", left)
        return left.exists()

    def script(call: Call) -> Answer:
        holding = not left.exists() and kind(call) and who(call) not in answered
        return replace(answer(call), when=killed if holding else None)

    server = serve(script)
    assert lw(*RUN, "--out", "whole").code == 0
    if torn:
        (left / "early.jsonl").write_bytes((left / "early.jsonl").read_bytes() + b'{"answer": "ni')
    asked = len(server.calls)
    assert lw("resume", "cut").code == 0
    again = [who(call) for call in server.calls[asked:] if kind(call)]
    assert again == [1, 3]
    assert journal(left) == one_by_one
    assert not (left / "early.jsonl").exists()


def test_where_one_gives_no_answer_those_of_the_others_are_kept(serve: Serve, here: Path, one_by_one: bytes) -> None:
    failing = True

    def script(call: Call) -> Answer:
        return fail(401) if failing and remembers(call) and who(call) == 0 else answer(call)

    server = serve(script)
    stopped = lw(*RUN, "--out", "out")
    assert stopped.code == 3 and "LW165" in stopped.err
    asked, failing = len(server.calls), False
    assert lw("resume", "out").code == 0
    assert [who(call) for call in server.calls[asked:] if remembers(call)] == [0]
    assert journal(here / "out") == one_by_one


def test_followed_the_words_of_each_stay_together(serve: Serve, here: Path) -> None:
    def script(call: Call) -> Answer:
        late = votes(call) and who(call) == 0
        there = (lambda: sum(map(votes, server.calls)) == len(PEOPLE)) if late else None
        return replace(streamed(answer(call)), when=there, drip=0.0002, piece=100)

    server = serve(script)
    ran = lw(*RUN, "--out", "out", "--follow")
    assert ran.code == 0
    told = [line for line in ran.out.splitlines() if "again" in line]
    assert [next(name for name in PEOPLE if name in line) for line in told] == list(PEOPLE), ran.out


# ---- what is asked early and then otherwise --------------------------------------------------------------------------


def request(number: int, text: str) -> Request:
    form = ReplyForm("text", None, (), (), frozenset(), "", frozenset(), 100)
    asked = (Message(role="user", content=text),)
    return Request(f"stall/{number}", "p", "r", "R", "state", "p@stall", asked, asked, None, form, (), ModelDefaults())


def test_who_is_to_be_asked_otherwise_is_asked_otherwise(here: Path) -> None:
    async def reply(asked: Request) -> Reply:
        return Reply(text=asked.messages[0].content)

    async def taken() -> list[str | None]:
        async with EarlyAnswers(reply, lambda _: True, here / "early.jsonl") as early:
            early.begin(lambda: (request(1, "one"), request(2, "two"), request(3, "three")))
            found = [await early.take(each) for each in (request(1, "one"), request(2, "another"), request(4, "four"))]
            return [one.reply.text if one is not None else None for one in found]

    assert asyncio.run(taken()) == ["one", None, None]
    assert not (here / "early.jsonl").exists()


def test_what_no_model_answers_is_not_asked_early(here: Path) -> None:
    async def nobody(_: Request) -> Reply:
        raise AssertionError

    async def taken() -> object:
        async with EarlyAnswers(nobody, lambda _: False) as early:
            early.begin(lambda: (request(1, "one"),))
            return await early.take(request(1, "one"))

    assert asyncio.run(taken()) is None


@pytest.mark.parametrize(
    "line", [b"[]", b"{}", b'{"answer":"stall/1","asked":"","reply":{"text":1},"seconds":0}', b"\xff"]
)
def test_a_file_that_is_not_ours_is_not_believed(here: Path, line: bytes) -> None:
    (here / "early.jsonl").write_bytes(line + b"\n")

    async def reply(_: Request) -> Reply:
        return Reply(text="asked")

    async def taken() -> object:
        async with EarlyAnswers(reply, lambda _: True, here / "early.jsonl") as early:
            return await early.take(request(1, "one"))

    assert asyncio.run(taken()) is None
