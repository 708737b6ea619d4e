"""Which model answered, where it is another one than was asked for: told once, recorded with every reply."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Serve
from loopback import say
from typed import lw

from legalworld.models.prices import Spent
from legalworld.runs.costs import answered_otherwise

SAME = (
    ("openai/gpt-4o", "gpt-4o-2024-08-06"),
    ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
    ("mistral/mistral-large-latest", "mistral-large-2411"),
    ("hosted_vllm/Qwen/Qwen3-8B", "qwen3-8b"),
    ("openai/clerk", "models/clerk-1"),
    ("openai/clerk", ""),
)
OTHER = (
    ("openai/gpt-4o", "gpt-4o-mini"),
    ("deepseek/deepseek-chat", "deepseek-v4-flash"),
    ("openai/gpt-4o-mini", "gpt-4o"),
    ("openai/a.c", "abc"),
    ("openai/m", "model"),
)


@pytest.mark.parametrize(("asked", "answered"), SAME)
def test_a_version_of_what_was_asked_for_is_not_told(asked: str, answered: str) -> None:
    assert answered_otherwise({(asked, answered): Spent()}, str) == {}


@pytest.mark.parametrize(("asked", "answered"), OTHER)
def test_another_model_is_told(asked: str, answered: str) -> None:
    assert answered_otherwise({(asked, answered): Spent()}, str) == {asked: (answered,)}


def test_a_name_of_the_users_is_what_it_stood_for() -> None:
    spent = {("careful", "deepseek-v4-pro"): Spent(), ("careful", "other"): Spent()}
    assert answered_otherwise(spent, {"careful": "deepseek/deepseek-v4-pro"}.__getitem__) == {"careful": ("other",)}


def test_it_is_told_once_and_recorded(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    serve(lambda call: say("我出100元。\n【愿付价钱：100】", model="changeling"))
    ran = lw("run", "bargain", "--model", "openai/clerk", "--out", "deal")
    assert ran.code == 0
    assert ran.out.count("Asked for openai/clerk; the server says that changeling answered") == 1
    journal = (tmp_path / "deal" / "journal.jsonl").read_text(encoding="utf-8")
    assert journal.count('"answer":') == journal.count('"model":"changeling"') > 1
    data = lw("replay", "deal", "--json").object()
    assert data["answered_as"] == {"openai/clerk": ["changeling"]}
