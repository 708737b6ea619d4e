"""A model on loopback that misuses its tools, in both ways of calling: nothing crashes, all of it is on record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from library_texts import CASES, STATUTES, made
from loopback import Answer, Call, Loopback, fail, say
from playing import play
from typed import Ran, lw

from legalworld.model import events as e
from legalworld.models import tool_calls
from legalworld.runs.folder import RunFolder

UNKNOWN = ("fly", "{}")
MALFORMED = ("read_memory", '{"field": "notes"')
WRONG_TYPE = ("read_memory", '{"field": [1], "page": 2}')
NOT_MINE = ("revise_memory", '{"field": "notes", "content": "先写上"}')  # only when memory is written
GOOD = ("read_memory", '{"field": "notes"}')
FIFTY = (GOOD,) * 50
TOO_MANY = (GOOD,) * 10
PROTOCOLS = ("native", "text")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return tmp_path


class Scripted:
    """Calls what it is told to, reply by reply, in a protocol; then it speaks."""

    def __init__(self, protocol: str, batches: Sequence[Sequence[tuple[str, str]]]) -> None:
        self.protocol = protocol
        self.batches = list(batches)

    def __call__(self, call: Call) -> Answer:
        if call.number > len(self.batches):
            return say(f"请您把经过说一说（{call.number}）。")
        calls = self.batches[call.number - 1]
        if self.protocol == "native":
            return say(None, calls=calls)
        return say(
            "\n".join(f'<tool_call>{{"name": "{name}", "arguments": {given}}}</tool_call>' for name, given in calls)
        )


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Loopback]]:
    servers: list[Loopback] = []
    yield servers
    for server in servers:
        server.__exit__()


def playing(
    served: list[Loopback], monkeypatch: pytest.MonkeyPatch, protocol: str, *batches: Sequence[tuple[str, str]]
) -> tuple[Loopback, Ran]:
    """The consultation of the civil procedure with the plaintiff's lawyer on loopback."""
    server = Loopback(Scripted(protocol, batches)).__enter__()
    served.append(server)
    monkeypatch.setenv("OPENAI_API_BASE", server.url)
    words = ("--model", "target=openai/clerk", "--tools", f"target={protocol}")
    return server, lw("run", "civil", *words, "--until", "CD", "--out", "run", "--json")


def called(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    events = [line["event"] for line in lines if line.get("event", {}).get("kind") == "called"]
    return [event for event in events if event["place"] == "LC/consult"]


def seen(call: Call) -> str:
    """All that a model was sent since its last reply."""
    messages = call.body["messages"]
    last = max(number for number, one in enumerate(messages) if one["role"] == "assistant")
    return "\n".join(str(one["content"]) for one in messages[last + 1 :])


# ---- misuse ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_misuse_is_refused_in_words_and_counted(
    protocol: str, served: list[Loopback], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    server, ran = playing(served, monkeypatch, protocol, [UNKNOWN, MALFORMED, WRONG_TYPE, NOT_MINE, GOOD])
    assert (ran.code, ran.object()["status"]) == (0, "paused")
    found = called(here / "run")
    assert [event["refused"] for event in found] == ["unknown", "malformed", "malformed", "not_now", ""]
    for event in found:
        assert event["result"] in seen(server.calls[1]).replace("\\n", "\n")
    assert "fly" in found[0]["result"]
    shown = lw("show", "run", "--tools").out
    assert all(word in shown for word in ("fly", "read_memory", "revise_memory"))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_of_fifty_calls_in_one_reply_eight_are_made_and_the_others_refused(
    protocol: str, served: list[Loopback], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    server, ran = playing(served, monkeypatch, protocol, FIFTY)
    assert ran.object()["status"] == "paused"
    found = called(here / "run")
    assert [event["refused"] for event in found] == [""] * 8 + ["too_many"] * 42
    ninth = found[8]["result"]
    assert "8" in ninth
    assert seen(server.calls[1]).count(ninth) >= 1  # whoever calls reads the refusal


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_that_does_nothing_but_call_comes_to_an_end(
    protocol: str, served: list[Loopback], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    _, ran = playing(served, monkeypatch, protocol, *([TOO_MANY] * 400))
    assert ran.object()["status"] == "paused"
    turns: dict[str, int] = {}
    for event in called(here / "run"):
        turn = event["request"].partition("+")[0]
        turns[turn] = turns.get(turn, 0) + (not event["refused"])
    assert turns
    assert max(turns.values()) <= 8


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_recorded_run_with_calls_replays_to_the_same_events(
    protocol: str, served: list[Loopback], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    server, _ = playing(served, monkeypatch, protocol, [UNKNOWN, GOOD], FIFTY)
    asked = len(server.calls)
    words = ("--model", "replay:run", "--until", "CD", "--out", "again", "--json")
    again = lw("run", "civil", *words)
    assert (again.code, again.object()["status"]) == (0, "paused")
    assert called(here / "again") == called(here / "run")
    assert len(server.calls) == asked


def test_native_calls_are_answered_one_message_each_in_the_next_request(
    served: list[Loopback], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, _ = playing(served, monkeypatch, "native", [UNKNOWN, MALFORMED, GOOD])
    offered = {tool["function"]["name"] for tool in server.calls[0].body["tools"]}
    assert {"read_memory", "check_citations", "load_skill"} <= offered
    *_, said, first, second, third = server.calls[1].body["messages"]
    assert [one["id"] for one in said["tool_calls"]] == [one["tool_call_id"] for one in (first, second, third)]
    assert [one["role"] for one in (first, second, third)] == ["tool"] * 3
    arguments = [one["function"]["arguments"] for one in said["tool_calls"]]
    assert arguments == ["{}", "{}", GOOD[1]]  # a thread with malformed arguments would be refused by the server


SEARCHES = {"search_articles", "search_cases"}


@pytest.mark.parametrize(
    ("protocol", "held", "left"),
    [
        ("native", (), set()),
        ("native", (STATUTES,), {"search_articles"}),
        ("native", (STATUTES, CASES), SEARCHES),
        ("text", (STATUTES,), {"search_articles"}),
    ],
)
def test_searches_are_offered_where_the_library_holds_what_they_would_find(
    protocol: str,
    held: tuple[Path, ...],
    left: set[str],
    served: list[Loopback],
    monkeypatch: pytest.MonkeyPatch,
    here: Path,
) -> None:
    """`run.yaml` says what is not offered, so that a library filled in the meantime changes nothing of the run."""
    if held:
        library = made(here / "library", None)
        library.add_laws(STATUTES)
        for folder in held[1:]:
            library.add_cases(folder)
        library.close()
    server, _ = playing(served, monkeypatch, protocol, [GOOD])
    sent = json.dumps([call.body for call in server.calls], ensure_ascii=False)
    assert {name for name in SEARCHES if name in sent} == left
    folder = RunFolder.open(here / "run")
    assert isinstance(folder, RunFolder)
    assert {word.replace(" ", "_") for word in folder.info.without} == SEARCHES - left
    made(here / "library", STATUTES).close()
    assert lw("replay", "run").code == 0
    again = lw("run", "civil", "--model", "replay:run", "--until", "CD", "--out", "again")
    assert again.code == 0
    assert called(here / "again") == called(here / "run")


def test_in_the_text_protocol_no_tool_is_sent_but_all_are_described(
    served: list[Loopback], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, _ = playing(served, monkeypatch, "text", [GOOD])
    first = server.calls[0].body
    assert "tools" not in first
    prompt = "\n".join(message["content"] for message in first["messages"])
    assert "<tool_call>" in prompt
    assert "read_memory" in prompt


def test_a_server_that_takes_no_tools_says_so_in_the_lawyers_words(
    served: list[Loopback], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    server = Loopback([fail(400, "this model does not support tools")]).__enter__()
    served.append(server)
    monkeypatch.setenv("OPENAI_API_BASE", server.url)
    ran = lw("run", "civil", "--model", "target=openai/clerk", "--tools", "native", "--out", "run")
    assert ran.code != 0
    assert "LW175" in ran.err + ran.out
    assert "--tools" in ran.err + ran.out


# ---- who calls how ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), {}),
        (("--tools", "native"), "all"),
        (("--tools", "judge=native"), {"judge": "native"}),
        (("--tools", "native", "--tools", "judge=text"), "all but judge"),
        (("--tools", "target=native"), {"plaintiff_lawyer": "native"}),
    ],
)
def test_how_each_role_calls_tools_is_recorded(words: tuple[str, ...], expected: Any, here: Path) -> None:
    ran = lw("run", "civil", *words, "--until", "LC", "--out", "run", "--json")
    assert ran.code == 0
    text = (here / "run" / "run.yaml").read_text(encoding="utf-8")
    natives = {line.split(":")[0].strip() for line in text.splitlines() if line.strip().endswith(": native")}
    if expected == "all":
        assert {"judge", "plaintiff_lawyer", "plaintiff"} <= natives
    elif expected == "all but judge":
        assert "judge" not in natives
        assert "plaintiff_lawyer" in natives
    else:
        assert natives == set(expected)


@pytest.mark.parametrize("word", ["by hand", "judge=offline", "nobody=native"])
def test_a_way_that_there_is_not_is_a_problem(word: str) -> None:
    ran = lw("run", "civil", "--tools", word)
    assert ran.code == 2
    assert "--tools" in ran.err + ran.out


# ---- what a server writes --------------------------------------------------------------------------------------------


class _Part:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def _message(*calls: tuple[Any, Any, Any]) -> Any:
    return _Part(tool_calls=[_Part(id=one, function=_Part(name=name, arguments=given)) for one, name, given in calls])


def test_calls_are_taken_with_ids_of_their_own() -> None:
    taken = tool_calls.taken(_message(("a", "x", "{}"), ("a", "y", "{}"), (None, None, None), ("", "z", 7)), set())
    assert len({call.id for call in taken}) == 4
    assert [(call.name, call.arguments) for call in taken] == [("x", "{}"), ("y", "{}"), ("", ""), ("z", "7")]


def test_no_more_is_taken_than_there_is_room_for() -> None:
    many = tool_calls.taken(_message(*((str(n), "x", "y" * 100_000) for n in range(200))), set())
    assert len(many) == tool_calls.MOST_CALLS
    assert sum(len(call.arguments) for call in many) <= tool_calls.ALL_ARGUMENTS_LIMIT
    assert max(len(call.arguments) for call in many) == tool_calls.ARGUMENTS_LIMIT


def test_an_unanswered_call_is_answered_before_it_is_sent() -> None:
    call = e.Call(id="1", name="检索 法条", arguments="NaN")
    sent = tool_calls.sent(
        (e.Message(role="assistant", content="", calls=(call,)), e.Message(role="user", content="好"))
    )
    assert [one["role"] for one in sent] == ["assistant", "tool", "user"]
    assert sent[0]["tool_calls"][0]["function"] == {"name": "_", "arguments": "{}"}


# ---- offline ---------------------------------------------------------------------------------------------------------


def test_noisy_actors_misuse_tools_and_the_run_goes_on() -> None:
    game = play("wuye", manner="noisy")
    refused = {event.refused for event in game.of(e.Called)}
    assert {"unknown", "malformed", "too_many"} <= refused
    assert game.of(e.Ended)


# ---- what is shown of them -------------------------------------------------------------------------------------------


def test_calls_are_shown_as_data_and_in_the_prompt(
    served: list[Loopback], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    playing(served, monkeypatch, "native", [UNKNOWN, GOOD])
    data = lw("show", "run", "--tools", "--json").object()
    assert len(data["calls"]) == len(called(here / "run")) + 4  # four of clients who keep a memory
    assert (len(called(here / "run")), data["refused"]) == (2, 1)
    rows = lw("show", "run", "--json").object()["turns"]
    assert [row["turn"] for row in rows] == list(range(1, len(rows) + 1))
    calling = next(row["turn"] for row in rows if row.get("calls"))
    sent = lw("show", "run", "--turn", str(calling + 1), "--prompt", "--json").object()["prompt"]
    assert [call["name"] for one in sent for call in one.get("calls", ())] == ["fly", "read_memory"]
    assert "→ fly {}" in lw("show", "run", "--turn", str(calling + 1), "--prompt").out
    seen_then = lw("show", "run", "--turn", str(calling), "--view", "--json").object()["view"]
    assert seen_then
    assert all(one["entries"] for one in seen_then)
    assert lw("show", "run", "--violations", "--json").object() == {"violations": []}
    assert lw("show", "run", "--tokens", "--json").object()["total"]["calls"] == len(rows)
    assert lw("show", "run", "--turn", "999", "--json").code == 2


HALF = '{"field": "notes", "content": "\\ud83d\\u001b[2J借条"}'


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_half_a_character_in_an_argument_harms_neither_run_nor_resume(
    protocol: str, served: list[Loopback], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    """A memory is written with what no file can hold, and with what a terminal would obey: both are U+FFFD."""
    calling = Scripted(protocol, [[("expand_memory", HALF)]] * 1_000)
    server = Loopback(
        lambda call: say("请说。【起草结束】") if "没有执行" in call.body["messages"][-1]["content"] else calling(call)
    )
    served.append(server.__enter__())
    monkeypatch.setenv("OPENAI_API_BASE", server.url)
    words = ("--model", "target=openai/clerk", "--tools", f"target={protocol}", "--until", "CD", "--out", "run")
    assert lw("run", "civil", *words).code == 0
    kept = [line for line in lw("show", "run", "--memory", "plaintiff_lawyer").out.splitlines() if "借条" in line]
    assert kept
    assert all("\ufffd\ufffd[2J借条" in line for line in kept)
    assert lw("resume", "run", "--until", "FIT", "--json").code == 0
    assert lw("replay", "run").code == 0
