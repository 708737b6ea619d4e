"""A grader's questions handed to a provider's batch interface, on a server that keeps files as OpenAI's does."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, fail, raw, say
from typed import Ran, lw

from legalworld.models import provider_batch
from legalworld.models.provider_batch import LARGEST, MOST, _files


class Provider:
    """Keeps what is uploaded; a batch is answered when `answered` says so. `spoilt`: requests that it fails on."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.answered = False
        self.spoilt = 0
        self.ended = "completed"

    def __call__(self, call: Call) -> Answer:
        path = call.path.removeprefix("/v1")
        if path == "/files":
            name = f"file-{len(self.files)}"
            lines = [line for line in bytes(call.body).splitlines() if line.startswith(b'{"custom_id"')]
            self.files[name] = b"\n".join(lines)
            return raw(json.dumps(self._file(name)))
        if path == "/batches":
            name = f"batch-{len(self.batches)}"
            self.batches[name] = call.body
            return raw(json.dumps(self._batch(name)))
        if found := re.fullmatch(r"/batches/([^/?]+)", path):
            return raw(json.dumps(self._batch(found[1])))
        if found := re.fullmatch(r"/files/results-([^/?]+)/content", path):
            return raw("\n".join(self._results(found[1])), content_type="application/octet-stream")
        return kind(call)

    def _file(self, name: str) -> dict[str, Any]:
        size = len(self.files[name])
        more = {"filename": "questions.jsonl", "purpose": "batch", "status": "processed"}
        return {"id": name, "object": "file", "bytes": size, "created_at": 1, **more}

    def _batch(self, name: str) -> dict[str, Any]:
        asked = self.batches[name]
        total = len(self.files[asked["input_file_id"]].splitlines())
        told = {"id": name, "object": "batch", "created_at": 1, **asked}
        if not self.answered:
            return {**told, "status": "in_progress", "request_counts": {"total": total, "completed": 1, "failed": 0}}
        counts = {"total": total, "completed": total - self.spoilt, "failed": self.spoilt}
        return {**told, "status": self.ended, "output_file_id": f"results-{name}", "request_counts": counts}

    def _results(self, name: str) -> list[str]:
        lines = []
        for number, line in enumerate(self.files[self.batches[name]["input_file_id"]].splitlines()):
            asked = json.loads(line)
            answer = json.loads(kind(Call(number, "", {}, asked["body"])).body)
            response: dict[str, Any] | None = {"status_code": 200, "request_id": "r", "body": answer}
            response = None if number < self.spoilt else response
            lines.append(json.dumps({"id": f"r{number}", "custom_id": asked["custom_id"], "response": response}))
        return lines[::-1]  # in no order, as OpenAI says


def kind(call: Call) -> Answer:
    shape = call.body["response_format"]["json_schema"]["schema"]
    return say(json.dumps(filled(shape), ensure_ascii=False))


def filled(shape: dict[str, Any]) -> dict[str, Any]:
    properties = shape["properties"]
    if "scores" in properties:
        item = properties["scores"]["items"]["properties"]
        rest = {"properties": {name: one for name, one in item.items() if name != "key"}}
        return {"scores": [{"key": key, **filled(rest)} for key in item["key"]["enum"]]}
    return {name: {"score": 7, "reason": "说得清楚", "turns": []} for name in properties}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batched")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert lw("run", "civil", "--case", "jiedai", "--until", "CD", "--out", "run").code == 0
    finally:
        os.chdir(before)
    return folder / "run"


@pytest.fixture
def here(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return played


def graded(run: Path, *more: str) -> Ran:
    return lw("eval", str(run), "--rubric", "longjud", "--grader", "openai/judge", "--json", *more)


def asked_directly(server: Any) -> int:
    return sum(call.path.endswith("/chat/completions") for call in server.calls)


def test_questions_go_up_in_one_file_and_the_same_command_scores_when_they_are_answered(
    here: Path, serve: Serve
) -> None:
    provider = Provider()
    server = serve(provider)
    handed_in = graded(here, "--batch")
    assert handed_in.code == 3
    (told,) = handed_in.object()["batches"]
    assert (told["handed_in"], told["waiting"]) == (len(provider.files["file-0"].splitlines()), {})
    for line in provider.files["file-0"].splitlines():
        asked = json.loads(line)
        assert (asked["method"], asked["url"], asked["body"]["model"]) == ("POST", "/v1/chat/completions", "judge")
        assert asked["body"]["temperature"] == 0
        assert asked["body"]["messages"][0]["content"]
    early = graded(here, "--batch")
    assert early.code == 3
    assert early.object()["batches"][0]["waiting"]["batch-0"]["done"] == 1
    assert len(provider.batches) == 1  # nobody is asked twice
    provider.answered = True
    done = graded(here, "--batch")
    assert done.code == 0
    assert asked_directly(server) == 0
    assert 7 in [one["value"] for one in done.object()["evaluations"][0]["scores"]]
    directly = graded(here)  # the replies are there: nothing is asked, and nothing is different
    assert directly.object() == done.object()
    assert asked_directly(server) == 0


def test_what_a_batch_leaves_unanswered_is_asked_directly(here: Path, serve: Serve) -> None:
    provider = Provider()
    provider.spoilt = 2
    server = serve(provider)
    assert graded(here, "--batch").code == 3
    provider.answered = True
    done = graded(here, "--batch")
    assert done.code == 0
    assert asked_directly(server) == 2
    assert len(provider.batches) == 1


def test_a_batch_that_expired_is_not_waited_for(here: Path, serve: Serve) -> None:
    provider = Provider()
    server = serve(provider)
    assert graded(here, "--batch").code == 3
    provider.answered, provider.ended = True, "expired"
    provider.spoilt = len(provider.files["file-0"].splitlines())
    assert graded(here, "--batch").code == 0
    assert asked_directly(server) == provider.spoilt


def test_a_server_without_batches_says_so_and_nothing_is_kept(here: Path, serve: Serve) -> None:
    serve([fail(404, "no such route")])
    ran = graded(here, "--batch")
    assert ran.code == 2
    assert not list(Path(".lw").rglob("batches/*.json"))


def test_a_provider_without_batches_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    ran = lw("eval", str(here), "--rubric", "longjud", "--grader", "anthropic/claude-3-5-haiku-latest", "--batch")
    assert ran.code == 2
    assert "LW301" in ran.err


def test_no_file_is_larger_than_a_provider_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    many = _files({f"q{number}": {} for number in range(MOST + 1)})
    assert [len(lines) for lines in many] == [MOST, 1]
    assert _files({}) == []
    assert LARGEST == 100 * 2**20
    monkeypatch.setattr(provider_batch, "LARGEST", 9_000)  # a hundred MB would be as many of the memory of every test
    assert [len(lines) for lines in _files({name: {"content": "长" * 1_000} for name in "abcd"})] == [2, 2]
