"""`lw models try` against servers that imitate habits of models: each habit is found, written down, and kept to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Call, Loopback, fail, say, streamed
from typed import lw

from legalworld.models.named.catalogue import open_catalogue
from legalworld.models.named.probes import PROBES
from legalworld.wording import say as worded

pytestmark = pytest.mark.usefixtures("no_keys")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own, no settings of the user's."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LW_LANG", "zh")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    return tmp_path


def reply_to(words: str) -> str:
    """What a good model says to a probe."""
    for probe, text in {
        "plain": "1",
        "system_asked": "收到",
        "chinese": "谁主张，谁举证。",
        "document": "借条\n今借到王芳五万元。\n起草结束",
        "schema": '{"score": 3, "reason": "清楚"}',
        "limit": "一、二、三",
        "refusal": "我不能写。",
    }.items():
        if words == worded(f"probe.{probe}", "zh"):
            return text
    if words.startswith(worded("probe.long_first", "zh")):
        return "甲七四二"
    return '{"name": "find_article", "arguments": {"law": "民法典", "article": "675"}}'


def good(call: Call) -> Answer:
    """A model without oddities, OpenAI's way."""
    body = call.body
    last = body["messages"][-1]
    if body.get("tools"):
        arguments = '{"law": "民法典", "article": "675"}'
        return say("", calls=[("find_article", arguments)], thought=thought_of(body))
    finish = "length" if body.get("max_tokens", 99) < 20 else "stop"
    return say(reply_to(last["content"]), finish=finish, thought=thought_of(body))


def thought_of(body: Mapping[str, Any]) -> str:
    return "先想一想。" if body["model"].startswith("thinks") else ""


def answered(script: Callable[[Call], Answer]) -> Callable[[Call], Answer]:
    """The same, in pieces where pieces are asked for."""
    return lambda call: streamed(script(call)) if call.body.get("stream") else script(call)


# ---- four habits -----------------------------------------------------------------------------------------------------


def wants_thoughts_back(call: Call) -> Answer:
    """DeepSeek V4: in thinking mode a call goes back with its thought, else 400."""
    for message in call.body["messages"]:
        if message.get("tool_calls") and "reasoning_content" not in message:
            return fail(400, "Missing `reasoning_content` field in the assistant message")
    return good(call)


def streams_only(call: Call) -> Answer:
    """Qwen3 on DashScope: no answer in one piece."""
    if not call.body.get("stream"):
        return fail(400, "parameter.enable_thinking must be set to false for non-streaming calls")
    return good(call)


def one_of_two(call: Call) -> Answer:
    """Claude: `temperature` and `top_p` are not taken together, a seed not at all."""
    if {"temperature", "top_p"} <= set(call.body):
        return fail(400, "`temperature` and `top_p` cannot both be specified for this model.")
    return fail(400, "Unsupported parameter: 'seed'") if "seed" in call.body else good(call)


def thinks_aloud(call: Call) -> Answer:
    """An open model behind a server that has no parser: thoughts between marks, no tools, no system message."""
    if call.body.get("tools"):
        return fail(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')
    if call.body["messages"][0]["role"] == "system":
        return fail(400, "System role not supported")
    text = json.loads(good(call).body)["choices"][0]["message"]["content"]
    return say(f"<Mull>秘密底价是77</Mull>\n{text}", tokens=None)


def thinking_between(opening: str, closing: str) -> Callable[[Call], Answer]:
    """A server that leaves the thoughts where the model writes them: among the words."""

    def answer(call: Call) -> Answer:
        said = good(call)
        message = json.loads(said.body)["choices"][0]["message"]
        if message.get("tool_calls"):
            return said
        return say(f"{opening}秘密底价是77{closing}\n{message['content']}")

    return answer


@dataclass(frozen=True)
class Habit:
    script: Callable[[Call], Answer]
    found: Mapping[str, Any]


HABITS = {
    "good": Habit(good, {"tools": "native", "rounds": True, "system": True, "refused": (), "stream": "yes"}),
    "wants thoughts back": Habit(wants_thoughts_back, {"tools": "native", "rounds": True, "thought_apart": True}),
    "streams only": Habit(streams_only, {"stream": "needed", "system": True, "tools": "native"}),
    "one of two": Habit(one_of_two, {"refused": ("seed",), "apart": ("temperature", "top_p"), "tools": "native"}),
    "thinks aloud": Habit(
        thinks_aloud,
        {
            "tools": "text",
            "system": False,
            "counted": False,
            "thoughts": ({"opening": "<Mull>", "closing": "</Mull>", "case": "any"},),
        },
    ),
}


MARKS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<seed:think>", "</seed:think>"),
)


@pytest.mark.parametrize(("opening", "closing"), MARKS)
@pytest.mark.parametrize("streams", [False, True])
def test_thoughts_among_the_words_are_not_in_a_field_of_their_own(
    opening: str, closing: str, streams: bool, here: Path
) -> None:
    """Whatever a library on the way makes of them."""

    def script(call: Call) -> Answer:
        if streams and not call.body.get("stream"):
            return fail(400, "This model only support stream mode, please enable the stream parameter.")
        return thinking_between(opening, closing)(call)

    with Loopback(answered(script)) as server:
        project(here, server)
        ran = lw("models", "try", "mine")
    assert ran.code == 0, ran.said
    assert open_catalogue(here).habits["mine"].thought_apart is False
    assert worded("models.thought_apart", "zh") not in ran.out


def project(here: Path, server: Loopback, *, model: str = "openai/clerk", more: str = "") -> None:
    text = f"# 我的模型\nlw: 1\nmodels:\n  mine:\n    model: {model}\n    address: {server.url}\n{more}"
    (here / "models.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("habit", HABITS.values(), ids=HABITS)
def test_each_habit_is_found_and_kept(habit: Habit, here: Path) -> None:
    with Loopback(answered(habit.script)) as server:
        model = "openai/thinks-clerk" if "thought_apart" in habit.found else "openai/clerk"
        project(here, server, model=model)
        before = (here / "models.yaml").read_bytes()
        ran = lw("models", "try", "mine")
    assert ran.code == 0, ran.said
    assert (here / "models.yaml").read_bytes() == before
    habits = open_catalogue(here).habits["mine"]
    assert {name: getattr(habits, name) for name in habit.found} == dict(habit.found)
    assert habits.answered == "clerk-1"
    assert habits.chinese is True
    for probe in ("plain", "thought", "tokens", *PROBES):
        assert worded(f"models.probe_{probe}", "zh") in ran.out
    assert "models." not in ran.out.replace("models.yaml", "").replace("models.habits.yaml", "")
