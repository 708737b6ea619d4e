"""A server that does not take what is sent is asked otherwise, once for each thing, whatever words it has for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from imitated import WRAPPINGS, Strict, at_most, error, not_both, refusing, streaming
from loopback import Call, Loopback, say
from places import ROOT
from typed import lw

from legalworld.evaluation.grader import Grader, GraderSettings
from legalworld.evaluation.grading import Question
from legalworld.model.events import Message, Reply
from legalworld.model.procedure import ModelDefaults
from legalworld.models.endpoint import Endpoint
from legalworld.models.failures import ModelFailed
from legalworld.models.habits import Adjustment
from legalworld.models.limits import UNLIMITED, Gate
from legalworld.models.litellm_client import Models

pytestmark = pytest.mark.usefixtures("no_keys")
THREAD = (Message(role="user", content="请开庭。"),)
SET = {"temperature": 0.7, "top_p": 0.9, "presence_penalty": 0.5, "max_tokens": 4096}


class Server(Loopback):
    """One server for many cases: the rules change."""

    def __init__(self) -> None:
        self.strict = Strict(())
        super().__init__(lambda call: self.strict(call))


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("OPENAI_API_BASE", running.url)
    running.calls.clear()
    return running


def ask(
    times: int = 1, parameters: Mapping[str, Any] = SET, *, schema: Mapping[str, Any] | None = None, **of: Any
) -> tuple[list[Reply], list[Adjustment]]:
    """The same call so many times, and what was told of it."""

    async def calls() -> tuple[list[Reply], list[Adjustment]]:
        told: list[Adjustment] = []
        endpoint = Endpoint("openai/clerk", parameters=parameters, **of)
        async with Models(delay=0) as models:
            models.notice = told.append
            return [
                await models.complete(endpoint, THREAD, ModelDefaults(), seed=1, schema=schema) for _ in range(times)
            ], told

    return asyncio.run(calls())


# ---- a parameter that is refused -------------------------------------------------------------------------------------

WORDS = (
    "Unsupported parameter: '{name}' is not supported with this model.",
    "`{name}` is deprecated for this model.",
    "Unsupported value: '{name}' does not support {value} with this model. Only the default (1) value is supported.",
    "{name}: Extra inputs are not permitted",
    "参数 {name} 不支持，请去掉后重试。",
    "该模型不接受“{name}”这一参数（当前值：{value}）",
    "Der Parameter {name} wird von diesem Modell nicht unterstützt",
    "このモデルでは {name} を指定できません。",
    "Unrecognized request argument supplied: {name}",
    "litellm does not support parameters: ['{name}'], for model=x. To drop it set drop_params",
)


@pytest.mark.parametrize("name", SET)
@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_a_parameter_that_is_refused_is_left_out_once_and_told(server: Server, wrapping: str, name: str) -> None:
    for words, status in product(WORDS, (400, 422)):
        server.strict = Strict((refusing(name, words, wrapping, status),))
        server.calls.clear()
        replies, told = ask(2)
        assert [reply.text for reply in replies] == ["好。"] * 2, words
        assert len(server.calls) == 3, words  # one refusal in all: the second call knows
        rest = {key: value for key, value in SET.items() if key != name}
        for call in server.calls[1:]:
            assert {key: call.body[key] for key in SET if key in call.body} == rest
        assert [(one.parameter, one.action) for one in told] == [(name, "left_out")]
        assert told[0].words


@pytest.mark.parametrize("name", SET)
@pytest.mark.parametrize("wrapping", ["openai", "flat", "fastapi", "relay", "repr", "router"])
def test_what_a_field_names_counts_and_not_what_the_words_mention(server: Server, wrapping: str, name: str) -> None:
    """The words speak of other parameters, or of none."""
    for words in ("bad request", "see temperature and top_p in the guide", "参数错误"):
        server.strict = Strict((refusing(name, words, wrapping, named=True),))
        server.calls.clear()
        _, told = ask()
        assert [one.parameter for one in told] == [name]
        assert len(server.calls) == 2


def test_several_are_left_out_one_after_the_other_and_never_for_ever(server: Server) -> None:
    server.strict = Strict([refusing(name, WORDS[0]) for name in SET])
    replies, told = ask()
    assert replies[0].text == "好。"
    assert {one.parameter for one in told} == set(SET)
    assert len(server.calls) == 1 + len(SET)


@pytest.mark.parametrize("words", WORDS)
def test_a_server_that_refuses_whatever_is_sent_is_asked_no_oftener_than_there_are_parameters(
    server: Server, words: str
) -> None:
    said = words.format(name="temperature", value=1)
    everything = said + " " + " ".join(SET)
    server.strict = Strict((lambda body: error(400, {"error": {"message": everything}}),))
    with pytest.raises(ModelFailed) as failed:
        ask()
    assert failed.value.problem.code == "LW169"
    assert len(server.calls) <= 2 + 2 * len(SET)
    server.strict = Strict(())
    server.calls.clear()
    _, told = ask()
    assert not told  # nothing of it is kept


def test_a_failure_of_the_service_that_mentions_a_parameter_changes_nothing(server: Server) -> None:
    """A 500 without words of a refusal is a 500."""
    failing = iter([True, False])
    server.strict = Strict((lambda body: error(500, "worker temperature 90") if next(failing, False) else None,))
    replies, told = ask()
    assert (replies[0].text, told) == ("好。", [])
    assert len(server.calls) == 2
    assert server.calls[0].body == server.calls[1].body


def test_a_500_that_refuses_a_parameter_is_met_at_once(server: Server) -> None:
    server.strict = Strict((refusing("top_p", "InternalError: unsupported parameter top_p", status=500),))
    _, told = ask()
    assert [one.parameter for one in told] == ["top_p"]
    assert len(server.calls) == 2


@pytest.mark.parametrize(
    "words",
    [
        "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
        "top_p 与 temperature 不能同时设置",
    ],
)
def test_of_two_that_exclude_each_other_the_temperature_stays(server: Server, words: str) -> None:
    server.strict = Strict((not_both("temperature", "top_p", words),))
    _, told = ask()
    assert [one.parameter for one in told] == ["top_p"]
    assert server.calls[-1].body["temperature"] == 0.7


RANGES = (
    "Invalid {name} value, the valid range of {name} is [1, {most}]",
    "{name} is too large: {value}. This model supports at most {most} completion tokens",
    "{name} must be less than or equal to {most}",
    "参数 {name} 不能超过 {most}，实际为 {value}",
    "{name} 取值范围：（1, {most}）",
    "{name}: {value} > {most}, which is the maximum allowed number of output tokens: max {name} is {most}",
)


@pytest.mark.parametrize("words", RANGES)
@pytest.mark.parametrize("wrapping", ["openai", "anthropic", "relay", "repr", "bare"])
def test_a_number_that_is_too_large_becomes_the_largest(server: Server, wrapping: str, words: str) -> None:
    server.strict = Strict((at_most("max_tokens", 2048, words, wrapping),))
    _, told = ask(2)
    assert [call.body["max_tokens"] for call in server.calls] == [4096, 2048, 2048]
    assert [(one.action, one.value) for one in told] == [("at_most", 2048)]


def test_a_smaller_number_stays_as_it_is(server: Server) -> None:
    server.strict = Strict((at_most("max_tokens", 2048, RANGES[0]),))
    gate = Gate(UNLIMITED)

    async def calls() -> None:
        for most in (4096, 100):
            async with Models(gate=gate) as models:
                await models.complete(Endpoint("openai/clerk"), THREAD, ModelDefaults(max_tokens=most), seed=1)

    asyncio.run(calls())
    assert [call.body["max_tokens"] for call in server.calls] == [4096, 2048, 100]


@pytest.mark.parametrize("named", [True, False])
def test_another_name_for_a_parameter_is_taken(server: Server, named: bool) -> None:
    words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    server.strict = Strict((refusing("max_tokens", words, named=named),))
    _, told = ask()
    assert "max_tokens" not in server.calls[-1].body
    assert server.calls[-1].body["max_completion_tokens"] == 4096
    assert [(one.action, one.value) for one in told] == [("renamed", "max_completion_tokens")]


def test_a_context_that_the_prompt_leaves_room_in_gives_that_room(server: Server) -> None:
    """Of vLLM: the words wanted are as many as the whole context."""
    words = (
        "'{name}' is too large: {value}. This model's maximum context length is 4096 tokens and your request has 1423 "
        "input tokens ({value} > 4096 - 1423)."
    )
    server.strict = Strict((at_most("max_tokens", 4096 - 1423, words),))
    _, told = ask()
    assert server.calls[-1].body["max_tokens"] == 4096 - 1423
    assert [(one.parameter, one.action) for one in told] == [("max_tokens", "at_most")]


def test_what_is_extra_in_the_body_is_left_out_as_any_other(server: Server) -> None:
    server.strict = Strict((refusing("enable_thinking", "unknown field enable_thinking"),))
    _, told = ask(extra={"enable_thinking": False, "kept": 1})
    assert (server.calls[-1].body.get("enable_thinking"), server.calls[-1].body["kept"]) == (None, 1)
    assert [one.parameter for one in told] == ["enable_thinking"]


def test_runs_of_a_batch_find_out_once_and_each_is_told(server: Server) -> None:
    server.strict = Strict((refusing("top_p", WORDS[0]),))
    gate = Gate(UNLIMITED)
    told: list[str] = []

    async def calls() -> None:
        for _ in range(3):
            async with Models(gate=gate) as models:
                models.notice = lambda one: told.append(one.parameter)
                await models.complete(Endpoint("openai/clerk", parameters=SET), THREAD, ModelDefaults(), seed=1)

    asyncio.run(calls())
    assert server.strict.refused == 1
    assert told == ["top_p"] * 3


# ---- streams and forms -----------------------------------------------------------------------------------------------

DEMANDS = (
    "This model only support stream mode, please enable the stream parameter to access the model. ",
    "parameter.enable_thinking must be set to false for non-streaming calls",
    "Non-streaming requests are not supported",
    "该模型仅支持流式输出",
    "Streaming is required for this model",
)


@pytest.mark.parametrize("words", DEMANDS)
@pytest.mark.parametrize("wrapping", ["openai", "text", "relay", "router", "bare"])
def test_a_server_that_demands_a_stream_gets_one_from_then_on(server: Server, wrapping: str, words: str) -> None:
    server.strict = Strict((streaming(True, words, wrapping),), lambda _: say("好。", thought="想。"))
    replies, told = ask(2, {"temperature": 0.7})
    assert [bool(call.body.get("stream")) for call in server.calls] == [False, True, True]
    assert [(reply.text, reply.thought, reply.prompt_tokens) for reply in replies] == [("好。", "想。", 7)] * 2
    assert not told


@pytest.mark.parametrize(("most", "stream", "streams"), [(8193, None, True), (8192, None, False), (9000, False, False)])
def test_long_answers_are_streamed_and_read_the_same(
    server: Server, most: int, stream: bool | None, streams: bool
) -> None:
    server.strict = Strict((), lambda _: say("本院认为" * 100))
    replies, _ = ask(parameters={"max_tokens": most}, stream=stream)
    assert bool(server.calls[0].body.get("stream")) == streams
    assert replies == [Reply(text="本院认为" * 100, model="clerk-1", prompt_tokens=7, completion_tokens=3)]


def test_a_server_without_streams_writes_long_answers_in_one_piece(server: Server) -> None:
    server.strict = Strict((streaming(False, "stream is not supported"),))
    ask(2, {"max_tokens": 9000})
    assert [bool(call.body.get("stream")) for call in server.calls] == [True, False, False]


@pytest.mark.parametrize(
    "words", ["response_format json_schema is not supported by this model", "unavailable: structured outputs"]
)
def test_a_form_that_is_refused_is_left_to_the_words(server: Server, words: str) -> None:
    server.strict = Strict((refusing("response_format", words),))
    ask(2, {"temperature": 0}, schema={"type": "object"})
    assert ["response_format" in call.body for call in server.calls] == [True, False, False]


def test_options_of_a_stream_are_left_out_where_they_are_refused(server: Server) -> None:
    server.strict = Strict((refusing("stream_options", "{name} is not permitted", named=True),))
    ask(parameters={"max_tokens": 9000})
    assert server.calls[-1].body["stream"]
    assert "stream_options" not in server.calls[-1].body


def test_each_call_has_a_body_of_its_own(server: Server) -> None:
    def script(call: Call) -> Any:
        return say("好。")

    server.strict = Strict((), script)
    ask(2)
    assert (
        server.calls[0].body
        == server.calls[1].body
        == {
            "model": "clerk",
            "messages": [{"role": "user", "content": "请开庭。"}],
            **SET,
        }
    )


# ---- what a run says of it -------------------------------------------------------------------------------------------


def test_a_run_says_what_was_not_sent_as_it_was_set(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    spec = (ROOT / "specs" / "civil.yaml").read_text(encoding="utf-8")
    assert "temperature: 0.7" in spec
    server = serve(Strict([refusing("temperature", "`{name}` is deprecated\x1b[2J for this model.")]))
    words = ("--model", "target=openai/clerk", "--tools", "text", "--option", "memory=no", "--until", "CD")
    ran = lw("run", "civil", *words, "--out", "run", "--json")
    assert ran.code == 0, ran.err
    assert [call.body.get("temperature") for call in server.calls[:3]] == [0.7, None, None]
    (told,) = ran.object()["adjusted"]
    assert (told["model"], told["parameter"], told["action"]) == ("openai/clerk", "temperature", "left_out")
    shown = lw("show", "run").out
    assert shown.count("Not sent to openai/clerk: temperature") == 1
    assert "\x1b" not in shown
    assert lw("show", "run", "--json").object()["adjusted"] == [told]
    assert lw("eval", "run", "--rubric", "longjud", "--grader", "offline").code == 0
    report = lw("report", "run", "--rubric", "longjud")
    assert report.out.count("Not sent to openai/clerk: temperature") == 1
    rows = lw("report", "run", "--rubric", "longjud", "--json").object()["adjusted"]
    assert [(row["model"], row["parameter"], row["runs"]) for row in rows] == [("openai/clerk", "temperature", 1)]
    assert lw("report", "run", "--rubric", "longjud", "--html", "page.html").code == 0
    assert "Not sent to openai/clerk: temperature" in (tmp_path / "page.html").read_text(encoding="utf-8")
    again = lw("resume", "run", "--until", "FIT", "--json")
    assert again.object().get("adjusted") == [told], again.out + again.err  # found out anew, told once
    journal = (tmp_path / "run" / "journal.jsonl").read_bytes()
    assert b"deprecated" not in journal
    with open(tmp_path / "run" / "times.jsonl", "a", encoding="utf-8") as times:
        times.write(
            '{"adjusted":{"model":1}}\n{"adjusted":[]}\n{"adjusted":{"model":"m","parameter":"p","action":"x"}}\n'
        )
        times.write('{"adjusted":')
    assert lw("show", "run", "--json").object()["adjusted"] == [told]


def test_a_grader_s_settings_are_told_as_they_were_sent(serve: Serve, tmp_path: Path) -> None:
    server = serve(Strict([refusing("temperature", "{name}: unsupported")], lambda _: say("[1]")))
    nobody: Any = None  # what is asked for does not matter here
    question = Question("q", nobody, (), (Message(role="user", content="评分"),), {"type": "object"}, {})
    settings = GraderSettings("openai/clerk")

    async def graded() -> list[str]:
        grader = Grader(settings, tmp_path / "grades")
        async with grader.models:
            await grader.reply(question)
        return sorted(grader.adjusted)

    assert asyncio.run(graded()) == ["temperature: left_out"]
    assert [call.body.get("temperature") for call in server.calls] == [0.0, None]
    assert asyncio.run(graded()) == ["temperature: left_out"]  # of a reply that was kept
    assert len(server.calls) == 2
