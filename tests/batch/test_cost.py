"""What runs will take and what they took: a forecast against runs on a model on loopback, prices that nobody knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, say
from typed import lw

from legalworld.models.prices import likely_tokens

PRICE = ("--price", "openai/clerk=1/0.1/2")
MODEL = ("--model", "openai/clerk")
MORE = "这把椅子的来历我再说两句，木料是老榆木，榫卯都还紧，只有一处补过，"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def recorded(run: Path) -> list[str]:
    lines = [json.loads(line) for line in (run / "journal.jsonl").open(encoding="utf-8")]
    return [line["reply"]["text"] for line in lines if "answer" in line]


def clerk(replies: list[str]) -> Callable[[Call], Answer]:
    """Gives these replies one after another, and counts tokens as a provider does: of all that it was sent."""

    def answer(call: Call) -> Answer:
        text = replies[call.number - 1]
        sent = sum(likely_tokens(str(one["content"])) for one in call.body["messages"])
        return say(text, tokens=(round(sent), round(likely_tokens(text))))

    return answer


def played(serve: Serve, here: Path, longer: Callable[[str], str]) -> Path:
    """A bargain on loopback: what the offline actors say, said at greater length."""
    assert lw("run", "bargain", "--out", "offline", "--json").code == 0
    serve(clerk([longer(text) for text in recorded(here / "offline")]))
    ran = lw("run", "bargain", *MODEL, "--out", "deal", "--json")
    assert ran.code == 0 and ran.object()["status"] == "ended"
    return here / "deal"


def test_a_forecast_is_what_a_run_takes_whose_replies_are_as_long(serve: Serve, here: Path) -> None:
    run = played(serve, here, lambda text: text)
    told = lw("cost", run, "--forecast", *PRICE, "--reply", "speech:0", "--reply", "document:0", "--json").object()
    then, now = told["expected"]["total"], told["total"]
    assert then["calls"] == now["calls"] == 10
    for name in ("prompt", "completion"):
        assert abs(then[name] - now[name]) <= then["calls"]  # each call is rounded
    assert now["cached"] == 0 and abs(then["uncached"] - now["dollars"]) < 1e-4


def test_a_forecast_is_near_to_a_run_of_a_talkative_model(serve: Serve, here: Path) -> None:
    """It says between 150 and 250 characters a speech, which the forecast takes to be 200."""
    counted = iter(range(1000))

    def longer(text: str) -> str:
        words, mark, token = text.partition("【")
        wanted = 150 + 25 * (next(counted) % 5)
        return (words.rstrip() + MORE * 9)[:wanted] + ("\n" + mark + token if mark else "")

    run = played(serve, here, longer)

    told = lw("cost", run, "--forecast", *PRICE, "--reply", "document:200", "--json").object()
    then, now = told["expected"]["total"], told["total"]
    for name in ("calls", "prompt", "completion"):
        assert 0.85 < now[name] / then[name] < 1.15, name


def test_the_same_is_forecast_of_a_spec_and_of_its_run(serve: Serve, here: Path) -> None:
    run = played(serve, here, lambda text: text)
    again = lw("cost", run, "--forecast", *PRICE, "--json").object()["expected"]
    before = lw("cost", "bargain", *MODEL, *PRICE, "--json").object()
    assert {name: before[name] for name in ("total", "by_role", "by_stage")} == {
        name: again[name] for name in ("total", "by_role", "by_stage")
    }


def test_nothing_is_asked_and_nothing_is_written(serve: Serve, here: Path) -> None:
    server = serve(lambda _: say("好"))
    assert lw("cost", "bargain", *MODEL).code == 0
    assert not server.calls and not list(here.iterdir())


def test_a_price_that_nobody_knows_is_not_nothing(serve: Serve, here: Path) -> None:
    run = played(serve, here, lambda text: text)
    for words in (("bargain", *MODEL), (run,)):
        found = lw("cost", *words, "--json").object()
        assert found["total"]["dollars"] is None and found["without_price"] == ["openai/clerk"]
        assert found["total"]["unpriced"] == found["total"]["calls"] == 10
        shown = lw("cost", *words).out
        assert "不知道价格的模型：openai/clerk" in shown and "0.0000" not in shown
    mixed = ("--model", "openai/clerk", "--model", "buyer=openai/other", *PRICE)
    found = lw("cost", "bargain", *mixed, "--json").object()
    assert found["by_role"]["buyer"]["dollars"] is None and found["by_role"]["seller"]["dollars"] > 0
    assert found["total"]["dollars"] == found["by_role"]["seller"]["dollars"]
    assert f"至少 {found['total']['dollars']:.4f}" in lw("cost", "bargain", *mixed).out


def test_the_sums_are_those_of_the_calls(serve: Serve, here: Path) -> None:
    run = played(serve, here, lambda text: text)
    found = lw("cost", run, *PRICE, "--json").object()
    lines = [json.loads(line) for line in (run / "journal.jsonl").open(encoding="utf-8")]
    replies = [line["reply"] for line in lines if "answer" in line]
    for name, key in (("prompt", "prompt_tokens"), ("completion", "completion_tokens")):
        total = sum(reply[key] for reply in replies)
        assert found["total"][name] == total
        for group in ("by_role", "by_stage", "by_model"):
            assert sum(one[name] for one in found[group].values()) == total
    took = found["total"]
    assert took["dollars"] == pytest.approx((took["prompt"] + 2 * took["completion"]) / 1e6)


def test_tokens_of_which_nobody_told_are_told_of(serve: Serve, here: Path) -> None:
    serve(lambda _: say("好。【price：100】", tokens=None))
    lw("run", "bargain", *MODEL, "--out", "deal", "--json")
    found = lw("cost", "deal", *PRICE, "--json").object()
    assert found["total"]["silent"] == found["total"]["calls"] > 0
    assert "提供方没有说用了多少词元" in lw("cost", "deal", *PRICE).out


def cases(path: Path, count: int) -> str:
    rows: list[dict[str, Any]] = [
        {"lw": "1", "case": f"deal{n}", "goods": "椅子" * (n + 1), "limit": {"sell": "90", "buy": "120"}}
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path.name


def test_of_many_cases_some_are_played_and_the_others_reckoned(here: Path) -> None:
    words = ("cost", "bargain", "--cases", cases(here / "many.jsonl", 12), *MODEL, *PRICE, "--json")
    found = lw(*words, "--sample", "3").object()
    assert (found["runs"], found["played"], len(found["each"])) == (12, 3, 3)
    assert found["total"]["prompt"] == pytest.approx(4 * sum(one["prompt"] for one in found["each"]), abs=2)
    assert found == lw(*words, "--sample", "3").object()
    assert any("12" in line and "3" in line for line in found["assumed"])
    whole = lw(*words, "--sample", "50").object()
    assert whole["played"] == 12
    assert whole["total"]["prompt"] == pytest.approx(sum(one["prompt"] for one in whole["each"]), abs=2)


def test_offline_actors_are_free_and_counted_apart(here: Path) -> None:
    whole = lw("cost", "bargain", *MODEL, *PRICE, "--json").object()
    half = lw("cost", "bargain", "--model", "buyer=openai/clerk", *PRICE, "--json").object()
    assert set(half["by_role"]) == {"buyer"} and 0 < half["total"]["calls"] < whole["total"]["calls"]
    assert "离线演员" in half["assumed"][-1]
    assert lw("run", "bargain", "--out", "offline", "--json").code == 0
    found = lw("cost", "offline", "--json").object()
    assert found["total"]["calls"] == 0 and found["free"] == 10


def test_a_bad_case_is_told_and_the_others_are_forecast(here: Path) -> None:
    name = cases(here / "many.jsonl", 2)
    with open(here / name, "a", encoding="utf-8") as file:
        file.write("{broken\n")
    ran = lw("cost", "bargain", "--cases", name, *MODEL, *PRICE)
    assert ran.code == 2 and "many.jsonl:3" in ran.err and "合计" in ran.out
