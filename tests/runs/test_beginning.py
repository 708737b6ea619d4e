"""Runs that begin at a later stage, with what a record gives of the stages before; and the papers that go with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT
from typed import lw

RECORD: dict[str, Any] = json.loads(
    (ROOT / "tests" / "binding" / "cases" / "foreign" / "simucourt-civil-appeal.json").read_text(encoding="utf-8")
)[0]
BOUND = ("--case", "one.json", "--binding", "simucourt-civil-appeal")
RECORDED = "一审判决说的是记录里的数额壹拾贰万叁仟"  # in the papers of the appeal alone
RULED = "判令云汀企业返还记录里的一笔款"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    record = {**RECORD, "一审法院审判结果": f"{RULED}。"}
    record["上诉请求"] = f"云汀企业上诉请求：1.改判不付利息。事实和理由：{RECORDED}，不应支付。"
    (tmp_path / "one.json").write_text(json.dumps([record], ensure_ascii=False), encoding="utf-8")
    return tmp_path


def said(run: Path) -> str:
    """Everything that anybody was sent or wrote."""
    return (run / "journal.jsonl").read_text("utf-8")


@pytest.mark.parametrize("target", ["plaintiff_lawyer", "defendant_lawyer"])
def test_a_recorded_paper_goes_with_the_recorded_judgment_alone(here: Path, target: str) -> None:
    words = ("run", "civil", *BOUND, "--target", target, "--option", "appeal_by=case")
    assert lw(*words, "--out", "whole").code == 0
    assert RECORDED not in said(here / "whole") and RULED not in said(here / "whole")
    assert (here / "whole" / "documents" / "appeal_petition-defendant.md").is_file()  # drafted by whoever appeals
    for start in ("appeal", "AD" if target == "defendant_lawyer" else "AR"):
        ran = lw(*words, "--from", start, "--out", start)
        assert ran.code == 0, ran.err
        told = said(here / start)
        assert RULED in told and RECORDED in told and '"place":"FIT/' not in told
        assert RULED in (here / start / "documents" / "first_judgment.md").read_text("utf-8")


def test_what_a_later_stage_lacks_is_told_before_the_run(here: Path) -> None:
    ran = lw("run", "civil", "--from", "appeal", "--out", "none", "--json")  # the example has no recorded judgment
    problems = json.loads(ran.out)["problems"]
    assert ran.code == 2 and {one["code"] for one in problems} == {"LW804"} and not (here / "none").exists()
    ran = lw("run", "civil", *BOUND, "--from", "SIT", "--option", "appeal_by=case", "--out", "none", "--json")
    assert {one["code"] for one in json.loads(ran.out)["problems"]} == {"LW804"}  # the answer to the appeal
    [problem] = json.loads(lw("run", "civil", "--from", "appael", "--out", "none", "--json").out)["problems"]
    assert problem["nearest"] == "appeal" and not (here / "none").exists()


def test_a_batch_begins_where_it_is_told_and_goes_on(here: Path) -> None:
    words = ("batch", "civil", "--cases", "one.json", "--binding", "simucourt-civil-appeal", "--from", "appeal")
    assert lw(*words, "--out", "out", "--json").code == 0
    again = [json.loads(line) for line in lw(*words, "--out", "out", "--json").out.splitlines()]
    assert [one["before"] for one in again if one["event"] == "result"] == [True]
    [run] = (path for path in (here / "out").iterdir() if (path / "run.yaml").is_file())
    assert RULED in said(run)
    refused = lw("batch", "civil", "--from", "appeal", "--out", "other", "--json")
    assert refused.code == 2 and "LW804" in refused.out
