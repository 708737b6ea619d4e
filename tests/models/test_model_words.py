"""Whole runs with models that think aloud and call in words: nothing of it is heard, shown or lost, streamed or not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, say, streamed
from typed import Ran, lw

from legalworld.models.litellm_client import Models
from legalworld.runs import actors

SECRET = "秘密底价是77"
HABITS: dict[str, str] = {
    "a pair of tags": "<think>{secret}</think>\n\n{words}",
    "capital letters": "<Think>\n{secret}\n</Think>\n\n{words}",
    "another name": "<thought>{secret}</thought>{words}",
    "square brackets": "[THINK]{secret}[/THINK]{words}",
    "channels": "<|channel|>analysis<|message|>{secret}<|end|><|start|>assistant<|channel|>final<|message|>{words}",
    "channels without their tokens": "analysis{secret}assistantfinal{words}",
    "begun in the prompt": "{secret}\n</think>\n\n{words}",
    "late and without an end": "{words}\n<think>{secret}，再想",
    "twice": "<think>甲</think>我方先说一句。\n<think>{secret}</think>\n{words}",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.setattr(actors, "Models", partial(Models, delay=0.0))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def words_of(call: Call) -> str:
    """Either side of the bargain, as it should speak."""
    task = str(call.body["messages"][-1]["content"])
    if "愿付价钱：" in task:
        return "我出100元。\n【愿付价钱：100】"
    return "收据\n\n货物：一把椅子\n价款：100元" if "收据" in task else f"好，第{call.number}句。"


def thinking(habit: str) -> Callable[[Call], Answer]:
    def script(call: Call) -> Answer:
        answer = say(HABITS[habit].format(secret=SECRET, words=words_of(call)))
        return streamed(answer, piece=2) if call.body.get("stream") else answer

    return script


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]


def replies(folder: Path) -> list[dict[str, Any]]:
    return [line["reply"] for line in lines(folder) if "answer" in line]


def happened(folder: Path, kind: str) -> list[dict[str, Any]]:
    return [line["event"] for line in lines(folder) if line.get("event", {}).get("kind") == kind]


def sent(calls: list[Call]) -> str:
    """All that the models were sent, but for their own words."""
    messages = [one for call in calls for one in call.body["messages"] if one["role"] != "assistant"]
    return "\n".join(str(one["content"]) for one in messages)


@pytest.mark.parametrize("habit", HABITS)
def test_thoughts_are_kept_apart_and_following_changes_nothing(serve: Serve, here: Path, habit: str) -> None:
    ran: dict[str, Ran] = {}
    for name, more in (("whole", ()), ("streamed", ("--follow",))):
        server = serve(thinking(habit))
        ran[name] = lw("run", "bargain", "--model", "openai/clerk", "--out", name, *more)
        assert (ran[name].code, SECRET in sent(server.calls)) == (0, False)
        assert all(bool(call.body.get("stream")) == (name == "streamed") for call in server.calls)
    for file in ("journal.jsonl", "transcript.md"):
        assert (here / "whole" / file).read_bytes() == (here / "streamed" / file).read_bytes()
    assert SECRET not in (here / "whole" / "transcript.md").read_text(encoding="utf-8")
    assert not any(SECRET in file.read_text(encoding="utf-8") for file in (here / "whole").rglob("*.md"))
    for reply in replies(here / "whole"):
        assert SECRET in reply["thought"] and SECRET not in reply["text"] and reply["text"].strip()
    assert not {event["rule"] for event in happened(here / "whole", "violated")} - {"words_before_title"}
    assert SECRET not in ran["streamed"].out
    assert ran["streamed"].out.count("我出100元。") == 1
    assert lw("replay", "streamed").code == 0


UNKNOWN = {
    "tags": "<musing>{secret}</musing>\n{words}",
    "a Chinese name": "<内心戏 语气='急'>{secret}</内心戏>{words}",
    "square brackets": "[MUSE]{secret}[/MUSE]{words}",
    "Chinese brackets": "【沉思】{secret}【/沉思】{words}",
    "triangles": "◁muse▷{secret}◁/muse▷{words}",
    "control tokens": "<|muse|>{secret}<|/muse|>{words}",
    "no beginning": "{secret}</musing>{words}",
    "no end": "{words}<musing>{secret}",
    "a comment": "<!-- {secret} -->{words}",
    "an unread call": "<|tool_call>{secret}<tool_call|>{words}",
}


def strange(pattern: str, times: int) -> Callable[[Call], Answer]:
    """The first so many replies are in marks that nobody knows."""

    def script(call: Call) -> Answer:
        words = words_of(call)
        answer = say(pattern.format(secret=SECRET, words=words) if call.number <= times else words)
        return streamed(answer, piece=3) if call.body.get("stream") else answer

    return script


@pytest.mark.parametrize("more", [(), ("--follow",)], ids=["whole", "followed"])
@pytest.mark.parametrize("pattern", UNKNOWN.values(), ids=UNKNOWN)
def test_what_no_table_knows_is_asked_for_again(serve: Serve, here: Path, pattern: str, more: tuple[str, ...]) -> None:
    server = serve(strange(pattern, 1))
    ran = lw("run", "bargain", "--model", "openai/clerk", "--out", "deal", *more)
    assert (ran.code, SECRET in sent(server.calls), SECRET in ran.out) == (0, False, False)
    (fault,) = [event for event in happened(here / "deal", "violated") if event["rule"] == "unknown_marks"]
    assert SECRET not in fault["detail"]
    assert "标记" in str(server.calls[1].body["messages"][-1]["content"])
    assert SECRET not in json.dumps(happened(here / "deal", "spoke"), ensure_ascii=False)
    assert happened(here / "deal", "spoke")[0]["text"] == "好，第2句。"
    assert lw("replay", "deal").code == 0


@pytest.mark.parametrize("pattern", UNKNOWN.values(), ids=UNKNOWN)
def test_a_model_that_goes_on_so_stops_the_run_and_resuming_asks_that_once(
    serve: Serve, here: Path, pattern: str
) -> None:
    server = serve(strange(pattern, 10_000))
    ran = lw("run", "bargain", "--model", "openai/clerk", "--out", "deal")
    assert (ran.code, len(server.calls)) == (3, 2)
    assert "LW640" in ran.err and "thoughts" in ran.err and SECRET not in ran.err
    assert len(replies(here / "deal")) == 1
    server = serve(strange(pattern, 0))
    again = lw("resume", "deal")
    assert again.code == 0
    assert SECRET not in sent(server.calls)
    (first,) = [
        line["event"]["rule"] for line in lines(here / "deal") if line.get("event", {}).get("kind") == "violated"
    ]
    assert first == "unknown_marks"


CALLS = {
    "Hermes": '<tool_call>\n{{"name": "{name}", "arguments": {given}}}\n</tool_call>',
    "bare JSON": '{{"name": "{name}", "arguments": {given}}}',
    "JSON in a fence": '先看一看。\n```json\n{{"name": "{name}", "parameters": {given}}}\n```',
    "Mistral": '[TOOL_CALLS][{{"name": "{name}", "arguments": {given}}}]',
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{given}"
    "<|tool_call_end|><|tool_calls_section_end|>",
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{given}"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "Qwen Coder": "<function={name}>\n<parameter=field>\nnotes\n</parameter>\n</function>\n</tool_call>",
    "DSML": '<｜DSML｜function_calls><｜DSML｜invoke name="{name}"><｜DSML｜parameter name="field" string="true">notes'
    "</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>",
    "GLM": "<tool_call>{name}\n<arg_key>field</arg_key>\n<arg_value>notes</arg_value>\n</tool_call>",
    "a program": '[{name}(field="notes")]',
}
CIVIL = ("--until", "CD", "--out", "run")


@pytest.mark.parametrize("more", [(), ("--follow",)], ids=["whole", "followed"])
@pytest.mark.parametrize("protocol", ["native", "text"])
@pytest.mark.parametrize("way", CALLS)
def test_a_call_in_words_is_made_and_not_said(
    serve: Serve, here: Path, way: str, protocol: str, more: tuple[str, ...]
) -> None:
    def script(call: Call) -> Answer:
        words = CALLS[way].format(name="read_memory", given='{"field": "notes"}')
        answer = say(words if call.number == 1 else f"请您把经过说一说（{call.number}）。")
        return streamed(answer, piece=3) if call.body.get("stream") else answer

    serve(script)
    named = ("--model", "target=openai/clerk", "--tools", f"target={protocol}")
    ran = lw("run", "civil", *named, *CIVIL, *more)
    assert ran.code == 0
    called, *later = happened(here / "run", "called")
    assert not [one for one in later if one["refused"] or one["tool"] == "read_memory"]
    assert (called["tool"], called["refused"], json.loads(called["arguments"])) == (
        "read_memory",
        "",
        {"field": "notes"},
    )
    heard = " ".join(event["text"] for event in happened(here / "run", "spoke"))
    assert "read_memory" not in heard and "read_memory" not in ran.out
    assert not [event for event in happened(here / "run", "violated") if event["rule"] == "unknown_marks"]
    assert any(re.search("<tool_call>.*read_memory", one["text"], re.DOTALL) for one in replies(here / "run"))


@pytest.mark.parametrize("name", ["fly", "Read_Memory"])
def test_a_name_that_was_not_offered_is_refused(serve: Serve, here: Path, name: str) -> None:
    given = json.dumps({"name": name, "arguments": {}})
    serve(lambda call: say(given if call.number == 1 else "请您把经过说一说。"))
    assert lw("run", "civil", "--model", "target=openai/clerk", "--tools", "target=text", *CIVIL).code == 0
    assert [event["refused"] for event in happened(here / "run", "called")][:1] == ["unknown"]


def test_a_call_where_there_are_no_tools_is_no_speech(serve: Serve, here: Path) -> None:
    given = json.dumps({"name": "read_memory", "arguments": {"field": "notes"}})
    serve(lambda call: say(given if call.number == 1 else words_of(call)))
    assert lw("run", "bargain", "--model", "openai/clerk", "--out", "deal").code == 0
    assert [event["rule"] for event in happened(here / "deal", "violated")] == ["unknown_marks"]
    assert "read_memory" not in json.dumps(happened(here / "deal", "spoke"))


@pytest.mark.parametrize("bad", [1, 2])
def test_marks_in_what_a_tool_is_given_are_refused_and_then_stop_the_run(serve: Serve, here: Path, bad: int) -> None:
    """A note for oneself comes back in later prompts, a document is handed to others; signs may be escaped in JSON."""
    given = json.dumps({"field": f"<musing>{SECRET}</musing>"}).replace("<", "\\u003c")

    def script(call: Call) -> Answer:
        return say(None, calls=[("read_memory", given)]) if call.number <= bad else say(f"请说一说（{call.number}）。")

    server = serve(script)
    ran = lw("run", "civil", "--model", "target=openai/clerk", "--tools", "target=native", *CIVIL)
    if bad == 1:  # a run that stops writes the events behind its last answer when it is gone on with
        assert [event["refused"] for event in happened(here / "run", "called")][:1] == ["unknown_marks"]
    assert SECRET not in sent(server.calls)
    assert (ran.code, "LW640" in ran.err) == ((3, True) if bad == 2 else (0, False))


def test_marks_in_the_models_file_are_known(serve: Serve, here: Path) -> None:
    """What the message of a stopped run advises helps."""
    serve(strange(UNKNOWN["tags"], 10_000))
    entry = "lw: 1\nmodels:\n  clerk:\n    model: openai/clerk\n"
    (here / "models.yaml").write_text(entry, encoding="utf-8")
    assert lw("run", "bargain", "--model", "clerk", "--out", "deal").code == 3
    marks = "    thoughts:\n      - {opening: <musing>, closing: </musing>}\n"
    (here / "models.yaml").write_text(entry + marks, encoding="utf-8")
    server = serve(strange(UNKNOWN["tags"], 10_000))
    assert lw("run", "bargain", "--model", "clerk", "--out", "again").code == 0
    assert SECRET not in sent(server.calls)
    assert all(SECRET in reply["thought"] for reply in replies(here / "again"))


# ---- calls in a notation of its own ----------------------------------------------------------------------------------

NOTATIONS = {
    "words and JSON": ('"<<do>>{name} {arguments}<<done>>"', '<<do>>{name} {{"field": "{field}"}}<<done>>'),
    "JSON alone": ('{form: "⟦run⟧{calls}"}', '⟦run⟧{{"name": "{name}", "arguments": {{"field": "{field}"}}}}'),
    "tags": (
        '{form: "<use name={name}>{parameters}</use>", parameter: "<arg={key}>{value}</arg>"}',
        "<use name={name}>\n<arg=field>{field}</arg>\n</use>",
    ),
    "a program": ('"%%call {python} %%"', '%%call {name}(field="{field}") %%'),
}
MINE = """lw: 1
models:
  mine:
    model: openai/clerk
    address: {url}
    tools: text
    call forms:
      - {form}
"""


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("streams", [False, True])
def test_a_call_in_a_notation_of_the_models_file_is_made(
    notation: str, streams: bool, here: Path, serve: Serve
) -> None:
    form, written = NOTATIONS[notation]
    field = "facts"

    def script(call: Call) -> Answer:
        sent = "".join(str(one["content"]) for one in call.body["messages"])
        asked = "整理这一段新得到的情况" in str(call.body["messages"][-1]["content"])
        words = "好。【咨询结束】" if not asked else written.format(name="load_skill", field=field)
        if asked and "load_skill" in sent and "lawyer-memory-writing" not in sent:
            words = "无"
        answer = say(words.replace('"field": "facts"', '"name": "lawyer-memory-writing"').replace(
            "=field>facts", "=name>lawyer-memory-writing").replace('field="facts"', 'name="lawyer-memory-writing"')
        )  # fmt: skip
        return streamed(answer, piece=2) if call.body.get("stream") else answer

    server = serve(script)
    (here / "models.yaml").write_text(MINE.format(url=server.url, form=form), encoding="utf-8")
    more = ("--follow",) if streams else ()
    ran = lw("run", "civil", "--model", "target=mine", "--until", "CD", "--out", "run", *more)
    assert ran.code == 0, ran.said
    called = [one["event"] for one in lines(here / "run") if one.get("event", {}).get("kind") == "called"]
    mine = [one for one in called if one["person"] == "plaintiff_lawyer"]
    assert mine and {(one["tool"], one["refused"]) for one in mine} == {("load_skill", "")}
    sent = [str(one["content"]) for call in server.calls for one in call.body["messages"] if one["role"] == "assistant"]
    mark = written.split("{name}")[0].split("{{")[0].strip()
    assert not any(mark in text for text in sent)  # in its history it reads the notation that it was asked for
    assert any('<tool_call>{"name": "load_skill"' in text for text in sent)
    assert mark not in ran.out


@pytest.mark.parametrize(
    "form",
    [
        '"{name}{arguments}"', '"do {name} {arguments}"', '"<<do>>{name}"', '"<<do>>"', '"<<do>>{name}{parameters}"',
        '{form: "<<do>>{name}{parameters}", parameter: "{key}"}', '"<<do>>{calls}{other}"', '""', '"x{calls}"',
    ],
)  # fmt: skip
def test_a_notation_that_cannot_be_read_is_told_of_with_its_place(form: str, here: Path) -> None:
    (here / "models.yaml").write_text(MINE.format(url="http://127.0.0.1:9/v1", form=form), encoding="utf-8")
    ran = lw("models")
    assert ran.code == 2 and "LW641" in ran.err and "models.yaml:8:" in ran.err, ran.said
