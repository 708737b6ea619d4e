"""What a grader was asked is kept beside its scores, word for word, and shown with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, say
from places import TESTS
from typed import lw

pytestmark = pytest.mark.usefixtures("no_keys")


def told(call: Call) -> Answer:
    """A reply of the wanted form."""
    if "response_format" not in call.body:
        return say("OK")
    return say(json.dumps(filled(call.body["response_format"]["json_schema"]["schema"]), ensure_ascii=False))


def filled(shape: dict[str, Any]) -> dict[str, Any]:
    properties = shape["properties"]
    if "scores" in properties:
        item = properties["scores"]["items"]
        rest = {"properties": {name: one for name, one in item["properties"].items() if name != "key"}}
        return {"scores": [{"key": key, **filled(rest)} for key in item["properties"]["key"]["enum"]]}
    return {name: {"score": 7, "reason": "qualmish reason", "turns": []} for name in properties}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert lw("run", "civil", "--case", "jiedai", "--until", "CD", "--out", "run").code == 0
    return tmp_path


def evaluated(*more: str) -> Any:
    ran = lw("eval", "run", "--rubric", "longjud", *more, "--json")
    assert ran.code == 0, ran.said
    return ran.object()


def shown(*more: str) -> Any:
    ran = lw("show", "run", "--scores", *more, "--json")
    assert ran.code == 0, ran.said
    return ran.object()


@pytest.mark.parametrize("repeat", ["1", "2"])
def test_every_question_is_kept_as_it_was_sent(here: Path, serve: Serve, repeat: str) -> None:
    server = serve(told)
    evaluated("--grader", "openai/judge", "--repeat", repeat)
    (asked,) = shown("--prompt")["asked"]
    sent = [[(one["role"], one["content"]) for one in call.body["messages"]] for call in server.calls
            if "response_format" in call.body]  # fmt: skip
    kept = [[(role, content) for role, content in one["messages"]] for one in asked]
    assert sorted(map(str, kept)) == sorted(map(str, sent)) and kept
    assert all("qualmish reason" in one["reply"] for one in asked)
    (evaluation,) = shown()["evaluations"]
    graded = {(one["item"], one["key"]) for one in evaluation["scores"] if one["by"] == "openai/judge"}
    assert graded and graded <= {(item, unit) for one in asked for item in one["items"] for unit in one["units"]}
    said = lw("show", "run", "--scores", "--prompt").said
    assert said.count("qualmish reason") >= len(asked) and all(one["messages"][-1][1] in said for one in asked[:3])
    again = len(server.calls)
    evaluated("--grader", "openai/judge", "--repeat", repeat)  # from the replies that are kept
    assert shown("--prompt")["asked"] == [asked] and len(server.calls) - again <= 1


def test_nothing_is_told_that_was_not_asked_of_this_record(here: Path, serve: Serve) -> None:
    serve(told)
    evaluated()
    assert shown("--prompt")["asked"] == [[]]
    assert "asked" not in shown() and "asked" not in lw("show", "run", "--scores").out
    evaluated("--grader", "openai/judge")
    (place,) = (here / "run" / "scores").glob("*.asked.jsonl.gz")
    whole = place.read_bytes()
    for harm in (whole[:40], b"", b"\0" * 99, (TESTS / "__init__.py").name.encode(), whole[::-1]):
        place.write_bytes(harm)
        assert all(one == [] for one in shown("--prompt")["asked"])
    place.write_bytes(whole)
    assert any(shown("--prompt")["asked"])
