"""Two people bargain over a chair: the engine knows no law, and needs none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from places import ROOT
from scripted import Construct, Played, Script, listing, play

from legalworld.engine.settings import Settings
from legalworld.model.events import Asked, Captured, Closed, Drafted, Ended, Reply, Violated
from legalworld.runs import lifecycle
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.lifecycle import RunPlan, RunResult
from legalworld.runs.plan import chosen_models, chosen_options
from legalworld.runs.project import Project, open_project

BEFORE = {  # what both say before the bid
    "seller": ["一把好椅子，一百五。", "让不了。", "最多让五块。"],
    "buyer": ["便宜点？", "再便宜点？"],
}


def opened() -> tuple[Project, OpenedCase]:
    project = open_project("bargain", ROOT)
    assert isinstance(project, Project) and project.procedure is not None
    matter = open_case(project, project.procedure.example, "", {}, ROOT)
    assert isinstance(matter, OpenedCase)
    return project, matter


def scripted(seller: Sequence[str], buyer: Sequence[str]) -> Played:
    project, matter = opened()
    said = {"seller": [*BEFORE["seller"], *seller], "buyer": [*BEFORE["buyer"], *buyer]}
    replies = {person: [Reply(text=words) for words in spoken] for person, spoken in said.items()}
    settings = Settings("", 0, {})
    played = play(Construct(project, matter.case, Script(replies, {}, "", False, frozenset()), settings))
    assert not any(played.left.values())
    return played


def run_offline(out: Path, seed: int = 0) -> RunResult:
    project, matter = opened()
    assert project.procedure is not None
    models, _ = chosen_models(project.procedure, "", ())
    options, _ = chosen_options(project.procedure, {})
    result = lifecycle.start(RunPlan(project, matter, "", models, options, seed, "", out))
    assert isinstance(result, RunResult)
    return result


def test_offline_bargain_is_struck(tmp_path: Path) -> None:
    result = run_offline(tmp_path / "run")
    assert (result.status, result.outcome, result.violations) == ("ended", "sold", 0)
    assert result.documents == ("documents/receipt.md",)
    receipt = (tmp_path / "run/documents/receipt.md").read_text(encoding="utf-8")
    assert "一把八成新的榆木圈椅" in receipt and "120元" in receipt
    record = (tmp_path / "run/transcript.md").read_text(encoding="utf-8")
    assert record.startswith("# 笔录：一把旧椅子\n")
    assert "没有语言模型参与" in record
    assert [line.removeprefix("## ") for line in record.splitlines() if line.startswith("## ")] == [
        "参加人",
        "还价",
        "成交",
    ]


def test_what_is_for_evaluation_only_lies_in_one_file(tmp_path: Path) -> None:
    run_offline(tmp_path / "run")
    files = [file for file in (tmp_path / "run").rglob("*") if file.is_file()]
    told = [file.name for file in files if "市价一百元".encode() in file.read_bytes()]  # `spec.zip` is not compressed
    assert told == ["sealed.json"]


def test_a_limit_is_seen_by_its_own_side(tmp_path: Path) -> None:
    played = scripted(["不卖。【不卖】"], ["六十？", "【price：0】"])
    sent = {"seller": "", "buyer": ""}
    for event in played.events:
        if isinstance(event, Asked):
            sent[event.person] += "".join(message.content for message in event.added)
    assert "80（只有你自己知道）" in sent["seller"] and "80（" not in sent["buyer"]
    assert "120（只有你自己知道）" in sent["buyer"] and "120（" not in sent["seller"]


def test_sold() -> None:
    played = scripted(
        ["一百二，不能再少。", "收据\n货物：圈椅\n价款：100元"], ["九十。", "一百，行不行？【成交】", "【price：100】"]
    )
    ended = [event for event in played.events if isinstance(event, Ended)]
    assert [(event.outcome, event.document) for event in ended] == [("sold", "receipt")]
    drafted = [event for event in played.events if isinstance(event, Drafted)]
    assert [(event.text, event.missing) for event in drafted] == [("收据\n货物：圈椅\n价款：100元", ())]
    assert not any(isinstance(event, Violated) for event in played.events)


@pytest.mark.parametrize(
    ("bids", "value", "source"),
    [
        (["不买了。【price：0】"], "0", "reply"),
        (["不买了。", "真不买了。"], "0", "default"),
        (["【price：一百上下】", "【price：100或者90】"], "0", "default"),
    ],
    ids=["bids nothing", "says no number", "says no clear number"],
)
def test_unsold(bids: list[str], value: str, source: str) -> None:
    played = scripted(["一百二，不能再少。", "【不卖】不卖了。"], ["九十。", "九十五。", *bids])
    assert "      ended, unsold" in listing(played.events)
    captured = [event for event in played.events if isinstance(event, Captured)]
    assert [(event.value, event.source) for event in captured] == [(value, source)]
    assert not any(isinstance(event, Drafted) for event in played.events)


def test_a_talk_that_nobody_ends_is_ended_by_its_limit() -> None:
    played = scripted(["一百二。", "一百一十五。", "一百一。"], ["九十。", "九十五。", "九十八。", "【price：0】"])
    (closed,) = (event for event in played.events if isinstance(event, Closed))
    assert (closed.reason, closed.by, closed.turns) == ("budget", "", 6)


def test_a_token_counts_from_whom_the_spec_lets_say_it() -> None:
    played = scripted(["不卖。【成交】", "不卖。【成交】"], ["九十。【不卖】", "九十五。", "【成交】", "【price：0】"])
    forged = [(event.person, event.detail) for event in played.events if isinstance(event, Violated)]
    assert forged == [("buyer", "不卖"), ("seller", "成交"), ("seller", "成交")]
