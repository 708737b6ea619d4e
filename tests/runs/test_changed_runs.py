"""Runs that are gone on with otherwise: other models, other settings, tools called in another way, from a call on."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, fail, say
from typed import Ran, lw

from legalworld.evaluation.run_store import open_stored
from legalworld.evaluation.stored_run import Stored
from legalworld.models.litellm_client import Models
from legalworld.runs import actors
from legalworld.runs.journal import AnswerLine, ChangeLine, EventLine, load
from legalworld.runs.open_run import OpenRun, open_run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.setattr(actors, "Models", partial(Models, delay=0.0))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    return tmp_path


def haggler(call: Call) -> Answer:
    """Plays either side of the bargain, in whatever model's name."""
    last = str(call.body["messages"][-1]["content"])
    model = call.body["model"]
    if "愿付价钱：" in last:
        return say("我出100元。\n【愿付价钱：100】", model=model)
    words = "收据\n\n货物：一把椅子\n价款：100元" if "收据" in last else f"好，第{call.number}句。"
    return say(words, model=model)


def steady(call: Call) -> Answer:
    """The haggler, who says the same whichever call it is."""
    last = str(call.body["messages"][-1]["content"])
    return haggler(call) if "愿付价钱：" in last or "收据" in last else say("好，再说。", model=call.body["model"])


def but(wrong: Callable[[Call], Answer | None]) -> Callable[[Call], Answer]:
    """The haggler, but for what a server does otherwise."""
    return lambda call: wrong(call) or haggler(call)


def run(*more: str) -> Ran:
    return lw("run", "bargain", "--model", "openai/clerk", "--out", "deal", *more)


def journal() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("deal/journal.jsonl").read_text("utf-8").splitlines()]


def opened(path: str = "deal") -> OpenRun:
    found = open_run(Path(path))
    assert isinstance(found, OpenRun), found
    return found


def refuses_from(number: int, model: str = "clerk") -> Callable[[Call], Answer | None]:
    """A server that finds the words of the case objectionable, from some call on."""
    said = "The response was filtered due to the content management policy"

    def wrong(call: Call) -> Answer | None:
        objected = call.body["model"] == model and call.number >= number
        return fail(400, said, code="content_filter") if objected else None

    return wrong


# ---- the advice that is given can be followed ------------------------------------------------------------------------


def test_another_model_goes_on_from_the_call_that_was_refused(serve: Serve) -> None:
    server = serve(but(refuses_from(3)))
    ran = run()
    assert ran.code == 3 and "LW168" in ran.err and "lw resume" in ran.err and "--model" in ran.err
    before = journal()
    ran = lw("resume", "deal", "--model", "openai/other")
    assert ran.code == 0, ran.err
    lines = journal()
    assert lines[: len(before)] == before
    (at,) = (n for n, line in enumerate(lines) if "change" in line)
    assert lines[at]["change"]["models"] == {"seller": "openai/other", "buyer": "openai/other"}
    answers = [(n, line["reply"]) for n, line in enumerate(lines) if "answer" in line]
    assert {reply.get("by", "") for n, reply in answers if n < at} == {""}
    assert {reply.get("by", "") for n, reply in answers if n > at} == {"openai/other"}
    assert {call.body["model"] for call in server.calls[3:]} == {"other"}
    assert lw("replay", "deal").code == 0


def _no_model(call: Call) -> Answer | None:
    return fail(404, "The model `clerk` does not exist", code="model_not_found")


def _too_long(call: Call) -> Answer | None:
    return fail(400, "This model's maximum context length is 99 tokens", code="context_length_exceeded")


def _objects(call: Call) -> Answer | None:
    return fail(400, "filtered due to the content management policy", code="content_filter")


def _refuses(call: Call) -> Answer | None:
    return None if call.body.get("temperature") == 0.5 else fail(422, "something in it is not well")


def _is_slow(call: Call) -> Answer | None:
    return replace(haggler(call), pause=2.0) if call.number == 3 else None


def _is_silent(call: Call) -> Answer | None:
    return None if call.body["max_tokens"] > 4096 else say("", finish="length")


ADVICE = {
    "LW166": _no_model,
    "LW167": _too_long,
    "LW168": _objects,
    "LW169": _refuses,
    "LW173": _is_slow,
    "LW176": _is_silent,
}
FOLLOWED = {
    "--model": ("--model", "buyer=openai/other", "--model", "seller=openai/other"),
    "--set-model KEY=VALUE": ("--set-model", "temperature=0.5"),
    "--set-model thought_tokens=4096": ("--set-model", "thought_tokens=4096"),
    "--deadline": ("--deadline", "60"),
}


@pytest.mark.parametrize("code", ADVICE)
def test_every_advice_is_followed_to_the_letter(serve: Serve, here: Path, code: str) -> None:
    """Each option that the message names is tried on a copy of the run that stopped, and leads on."""
    odd = ADVICE[code]
    serve(but(lambda call: odd(call) if call.body["model"] == "clerk" and call.number >= 3 else None))
    ran = run("--deadline", "0.9" if code == "LW173" else "60")
    assert ran.code == 3 and code in ran.err, ran.err
    help_ = next(line for line in ran.err.splitlines() if line.startswith("Fix:"))
    named = [option for option in FOLLOWED if option in help_]
    assert named and set(re.findall("--[a-z-]+", help_)) == {option.split()[0] for option in named}
    for number, option in enumerate(named):
        shutil.copytree("deal", f"copy-{number}")
        again = lw("resume", f"copy-{number}", *FOLLOWED[option])
        assert again.code == 0, (option, again.err)
        assert lw("replay", f"copy-{number}").code == 0


def test_one_role_is_played_by_another_and_all_that_is_told_says_so(serve: Serve, here: Path) -> None:
    serve(but(refuses_from(3)))
    run()
    assert lw("resume", "deal", "--model", "buyer=openai/other").code == 3  # the seller is still refused
    assert lw("resume", "deal", "--model", "seller=openai/third").code == 0
    mixed = {"seller": "openai/clerk + openai/third", "buyer": "openai/clerk + openai/other"}
    assert opened().played == mixed
    stored = open_stored(Path("deal"))
    assert isinstance(stored, Stored) and stored.models == mixed  # by which scores are put into rows
    assert "buyer openai/clerk + openai/other" in Path("deal/transcript.md").read_text("utf-8")
    shown = lw("show", "deal").out
    assert "buyer: openai/clerk → openai/other" in shown and "seller: openai/clerk → openai/third" in shown
    changes = lw("show", "deal", "--json").object()["changes"]
    assert [row["models"] for row in changes] == [
        {"buyer": ["openai/clerk", "openai/other"]},
        {"seller": ["openai/clerk", "openai/third"]},
    ]
    assert mixed["seller"] in lw("runs", "list", ".", "--json").out or mixed["seller"] in lw("runs", ".", "--json").out
    assert lw("dataset", "deal", "--out", "data", "--form", "calls").code == 0
    assert lw("archive", "pack", "deal", "--out", "deal.zip").code == 0 and lw("archive", "check", "deal.zip").code == 0
    assert lw("cost", "deal", "--price", "openai/clerk=1/1", "--price", "openai/other=1/1").code == 0
    rows = [json.loads(line) for line in Path("data/calls.jsonl").read_text("utf-8").splitlines()]
    assert {row["model"] for row in rows} == {"openai/clerk", "openai/other", "openai/third"}
    assert all(row["model"] == f"openai/{row['answered']}" for row in rows)  # what each call took is on who took it


def test_a_run_of_offline_actors_goes_on_with_a_model_and_back(serve: Serve) -> None:
    server = serve(haggler)
    lw("run", "bargain", "--until", "haggle/bid", "--out", "deal")
    assert lw("resume", "deal", "--model", "openai/clerk", "--until", "settle").code == 0
    asked = len(server.calls)
    assert asked and lw("resume", "deal", "--model", "offline").code == 0
    assert len(server.calls) == asked and lw("replay", "deal").code == 0
    assert {reply.by for reply in opened().answers.values()} == {"", "openai/clerk"}


SETTINGS = [
    (("temperature=0",), {"temperature": 0}, "openai/clerk [temperature=0]"),
    (("temperature=", "top_p=0.5"), {"top_p": 0.5}, "openai/clerk [temperature=null, top_p=0.5]"),
    (("max_tokens=99",), {"max_tokens": 99}, "openai/clerk [max_tokens=99]"),
    (("extra.top_k=7",), {"top_k": 7}, "openai/clerk [top_k=7]"),
]


@pytest.mark.parametrize(("words", "sent", "name"), SETTINGS, ids=lambda value: str(value)[:30])
def test_a_parameter_is_set_or_unset_from_here_on(
    serve: Serve, words: tuple[str, ...], sent: dict[str, Any], name: str
) -> None:
    server = serve(but(lambda call: fail(400, "no") if call.number == 3 else None))
    run()
    told = [part for word in words for part in ("--set-model", word)]
    assert lw("resume", "deal", *told).code == 0
    for call in server.calls[3:]:
        assert {key: call.body.get(key) for key in sent} == sent
        assert "temperature" not in call.body or "temperature" in sent
    assert {reply.by for reply in opened().answers.values()} == {"", name}
    assert opened().played["buyer"] == f"openai/clerk + {name}"


def test_a_new_run_may_set_a_parameter_and_stands_apart(serve: Serve) -> None:
    server = serve(haggler)
    assert run("--set-model", "temperature=0.1").code == 0
    assert {call.body["temperature"] for call in server.calls} == {0.1}
    assert opened().played["buyer"] == "openai/clerk [temperature=0.1]"
    assert "change" not in "".join(map(str, (line.keys() for line in journal())))
    assert run().code == 2  # the folder holds another run


@pytest.mark.parametrize(
    "words", ["temprature=1", "temperature=hot", "max_tokens=-1", "temperature", "model=x/y", "extra.messages=1"]
)
def test_a_setting_that_is_none_is_told_before_anything_changes(serve: Serve, words: str) -> None:
    server = serve(but(lambda call: fail(400, "no") if call.number == 3 else None))
    run()
    before = journal()
    ran = lw("resume", "deal", "--set-model", words)
    assert ran.code == 2 and "--set-model: LW" in ran.err and "Fix:" in ran.err
    assert journal() == before and len(server.calls) == 3


def test_a_value_that_the_provider_refuses_leaves_the_run_resumable(serve: Serve) -> None:
    def wrong(call: Call) -> Answer | None:
        if call.number == 2:
            return fail(400, "no")
        return fail(422, "temperature must be at most 1") if call.body.get("temperature", 0) > 1 else None

    serve(but(wrong))
    run()
    ran = lw("resume", "deal", "--set-model", "temperature=1.9")
    assert (ran.code == 3 and "LW" in ran.err and "at most 1" in ran.err) or ran.code == 0
    if ran.code:
        assert lw("resume", "deal", "--set-model", "temperature=0.9").code == 0
    assert lw("replay", "deal").code == 0


def test_a_run_that_is_over_is_forked_instead(serve: Serve, here: Path) -> None:
    server = serve(steady)
    assert run().code == 0
    ran = lw("resume", "deal", "--model", "openai/other")
    assert ran.code == 2 and "LW687" in ran.err and "lw fork" in ran.err
    assert lw("fork", "deal", "--at", "settle", "--out", "again").code == 0  # once more from there
    assert Path("again/journal.jsonl").read_bytes() == Path("deal/journal.jsonl").read_bytes()
    asked = len(server.calls)
    ran = lw("fork", "deal", "--at", "settle", "--model", "openai/other", "--out", "other")
    assert ran.code == 0, ran.err
    assert {call.body["model"] for call in server.calls[asked:]} == {"other"}
    assert opened("other").played["buyer"] in ("openai/clerk + openai/other", "openai/clerk")
    assert lw("replay", "other").code == 0


# ---- tools -----------------------------------------------------------------------------------------------------------


def lawyer(refuses: int) -> Callable[[Call], Answer]:
    """One who calls a tool first, on a server that takes no tools from some call on, nor anything native."""

    def script(call: Call) -> Answer:
        messages = call.body["messages"]
        natively = [one for one in messages if one["role"] == "tool" or one.get("tool_calls")]
        if call.number >= refuses and (natively or "tools" in call.body):
            return fail(400, "This model does not support tools.")
        if call.number == 1:
            return say(None, calls=[("find_article", json.dumps({"law": "民法典", "article": "675"}))])
        turns = [one["role"] for one in messages if one["role"] != "system"]
        if call.number >= refuses and any(one == two for one, two in itertools.pairwise(turns)):
            return fail(400, "Conversation roles must alternate user/assistant/user/assistant/...")
        return say("您好，请把借款的经过讲一讲。")

    return script


def test_tools_are_called_in_words_from_here_on_and_what_was_native_is_sent_in_words(serve: Serve, here: Path) -> None:
    server = serve(lawyer(refuses=4))
    words = ("run", "civil", "--model", "plaintiff_lawyer=openai/clerk", "--tools", "native", "--until", "CD")
    ran = lw(*words, "--out", "deal")
    assert ran.code == 3 and "LW175" in ran.err and "lw resume" in ran.err and "--tools text" in ran.err
    assert any("tools" in call.body for call in server.calls)
    assert lw("resume", "deal").code == 3  # as it is, it cannot go on
    ran = lw("resume", "deal", "--tools", "plaintiff_lawyer=text", "--until", "CD")
    assert ran.code == 0, ran.err
    last = server.calls[-1].body
    sent = json.dumps(last["messages"], ensure_ascii=False)
    assert "tools" not in last and "<tool_call>" in sent and "find_article" in sent and "<tool_result>" in sent
    found = opened()
    assert set(found.protocols.values()) == {"native", "text"}
    assert found.played["plaintiff_lawyer"] == "openai/clerk + openai/clerk [tools=text]"
    assert lw("replay", "deal").code == 0
    assert lw("show", "deal", "--json").object()["changes"][0]["tools"] == {"plaintiff_lawyer": ["native", "text"]}
    assert lw("resume", "deal", "--tools", "plaintiff_lawyer=native").code in (
        0,
        3,
    )  # and back again, where it is taken
    assert lw("replay", "deal").code == 0


def test_a_model_that_is_not_known_to_call_tools_is_told_of(serve: Serve, here: Path) -> None:
    serve(lawyer(refuses=4))
    words = ("run", "civil", "--model", "plaintiff_lawyer=openai/clerk", "--tools", "native", "--until", "CD")
    assert lw(*words, "--out", "deal").code == 3
    ran = lw("resume", "deal", "--model", "plaintiff_lawyer=offline", "--until", "CD")
    assert ran.code == 0 and "LW685" in ran.err and "--tools plaintiff_lawyer=native" in ran.err
    assert lw("replay", "deal").code == 0


# ---- the journal -----------------------------------------------------------------------------------------------------


def test_a_journal_with_changes_may_be_cut_at_every_line_and_is_gone_on_with_to_the_same_end(
    serve: Serve, here: Path
) -> None:
    serve(steady)
    words = ("run", "bargain", "--model", "openai/clerk", "--until", "haggle/2.press#2", "--out", "deal")
    assert lw(*words).code == 0
    assert lw("resume", "deal", "--model", "seller=openai/other", "--until", "haggle/bid").code == 0
    assert lw("resume", "deal", "--set-model", "temperature=0").code == 0
    whole = Path("deal/journal.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    last = max(n for n, line in enumerate(lines) if b'"change":' in line)
    for number in range(last + 1, len(lines)):
        for torn in (b"", lines[number][: len(lines[number]) // 2]):
            Path("deal/journal.jsonl").write_bytes(b"".join(lines[:number]) + torn)
            assert lw("resume", "deal").code == 0
            assert Path("deal/journal.jsonl").read_bytes() == whole
    for number in range(last + 1):  # before the last change: it stands, and holds, wherever the run was cut
        Path("deal/journal.jsonl").write_bytes(b"".join(lines[:number]))
        assert lw("resume", "deal", "--set-model", "temperature=0").code == 0
        assert lw("replay", "deal").code == 0
        found = load(Path("deal/journal.jsonl"))
        places = [n for n, line in enumerate(found.lines) if isinstance(line, ChangeLine)]
        assert places and all(n == 0 or not isinstance(found.lines[n - 1], EventLine) for n in places)
        assert sum(isinstance(line, AnswerLine) for line in found.lines) == len({*opened().answers})


def test_a_change_that_was_tampered_with_is_no_change(serve: Serve) -> None:
    serve(but(refuses_from(3)))
    run()
    lw("resume", "deal", "--model", "openai/other")
    data = Path("deal/journal.jsonl").read_bytes()
    Path("deal/journal.jsonl").write_bytes(data.replace(b'"buyer":"openai/other"', b'"buyer":"openai/third"', 1))
    ran = lw("replay", "deal")
    assert ran.code == 2 and "Traceback" not in ran.err


# ---- batches and graders ---------------------------------------------------------------------------------------------


def test_a_batch_sets_parameters_too_and_is_gone_on_with_as_it_was(serve: Serve, here: Path) -> None:
    server = serve(haggler)
    words = ("batch", "bargain", "--model", "openai/clerk", "--out", "many", "--set-model")
    assert lw(*words, "temperature=0.3").code == 0
    assert {call.body["temperature"] for call in server.calls} == {0.3}
    asked = len(server.calls)
    assert lw(*words, "temperature=0.3").code == 0 and lw("batch", "retry", "many").code == 0
    assert len(server.calls) == asked  # it is there
    assert lw(*words, "hotness=1").code == 2
    (one,) = (path.parent for path in Path("many").glob("*/run.yaml"))
    assert opened(str(one)).played["buyer"] == "openai/clerk [temperature=0.3]"
