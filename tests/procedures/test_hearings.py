"""Labour arbitration, retrial, objections to enforcement: every end and branch, and what their tests cannot say.

They share the parts in `specs/parts/issue-hearing.yaml` and the wording in `prompts/zh/hearing`. What is done, said and
decided in each shipped case, in which order, the tests of the procedures tell (`specs/*.test.yaml`). Here stands what
those cannot say: that no placeholder comes up among all words, that every branch is taken, what comes of another case
file, and of actors that misbehave.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playing import Game, answering, changed_case, matter, play, project

from legalworld.model import events as e
from legalworld.model.case import Record
from legalworld.runs.coverage import coverage

CASES = (
    ("administrative", "chachao"),
    ("administrative", "xiaofang"),
    ("administrative-appeal", "zhangyuan"),
    ("labour-arbitration", "fenjian"),
    ("retrial", "zaishen-huokuan"),
    ("retrial", "zaishen-zhuangxiu"),
    ("enforcement-objection", "chuzu-jichuang"),
    ("enforcement-objection", "chaobiaodi"),
)
NEW = ("labour-arbitration", "retrial", "enforcement-objection")
ENDS = {
    "labour-arbitration": {"not_accepted", "settled", "decided", "decided_finally"},
    "retrial": {"not_accepted", "out_of_time", "refused", "settled", "judged"},
    "enforcement-objection": {"not_accepted", "ruling_stands", "ruling_left", "reconsidered", "judged"},
}


def game(spec: str, case: str, **given: object) -> Game:
    return play(case, "plaintiff_agent", spec=spec, **given)  # type: ignore[arg-type]


def outcome(found: Game) -> list[str]:
    return [event.outcome for event in found.of(e.Ended)]


def endless(request: e.Request, text: str) -> str:
    """Whoever asks the questions goes on asking."""
    return f"{request.form.leading[0]}还有呢？" if request.act == "moderate" else text


def written(found: Game, document: str) -> str:
    return next(one.text for one in reversed(found.of(e.Drafted)) if one.document == document)


# ---- how a case reads ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("spec", "case"), CASES)
def test_nobody_is_at_a_loss_or_says_where_he_would_settle(spec: str, case: str) -> None:
    """No placeholder is spoken or written, and what somebody keeps to himself stays with him."""
    found, told = game(spec, case), matter(case, spec=spec).case.fields.get("attitude")
    kept = [str(one["limit"]) for one in getattr(told, "values", {}).values() if isinstance(one, Record)]
    assert [one.document for one in found.of(e.Drafted) if one.missing] == []
    for text in (*(one.text for one in found.of(e.Spoke)), *(one.text for one in found.of(e.Drafted))):
        assert not [
            word for word in ("待补充", "以已经提交的材料为准", "关于“核对", "我的回答是否定的", *kept) if word in text
        ], text


@pytest.mark.parametrize("manner", ["noisy", "silent"])
@pytest.mark.parametrize(("spec", "case"), [(spec, case) for spec, case in CASES if spec in NEW])
def test_actors_that_misbehave_come_to_an_end_too(spec: str, case: str, manner: str) -> None:
    assert game(spec, case, manner=manner).status == "ended"


# ---- every end and branch --------------------------------------------------------------------------------------------
def broken_off(request: e.Request, text: str) -> str:
    """Whoever is asked to mediate will not."""
    return "请依法判决。【结束调解】" if "/mediation/" in request.id and request.act == "answer" else text


def labour(folder: Path) -> Iterator[Game]:
    def played(case: str = "fenjian", **given: object) -> Game:
        return game("labour-arbitration", case, **given)

    yield played()
    yield played(script=answering(recusal="是"))
    yield played(script=endless)
    yield played(script=broken_off)
    yield played(options={"answered": "no"})
    yield played(fields={"attitude.defendant.settle": "是"})
    yield played(fields={"matter.minimum_wage": "6500"})
    yield played(fields={"matter.minimum_wage": ""})
    yield played(changed_case(folder, "fenjian", lambda data: data.update(claims=[]), "claimless"))
    yield played(changed_case(folder, "fenjian", lambda data: data.update(evidence={}), "bare"))
    yield played(script=answering(issues=""))


def retrials(folder: Path) -> Iterator[Game]:
    def played(case: str = "zaishen-huokuan", **given: object) -> Game:
        return game("retrial", case, **given)

    yield played()
    yield played("zaishen-zhuangxiu")
    yield played(script=broken_off)
    yield played(script=answering(recusal="是"))
    yield played(script=endless)
    yield played(fields={"attitude.defendant.settle": "是"})
    yield played(fields={"original.known": ""})
    yield played(changed_case(folder, "zaishen-huokuan", lambda data: data.update(causes=[]), "causeless"))
    yield played(changed_case(folder, "zaishen-huokuan", lambda data: data.update(reply={}), "unanswered"))
    yield played(
        changed_case(folder, "zaishen-huokuan", lambda data: data.update(evidence={}, claims=[]), "bare"),
        script=answering(granted="是", issues=""),
    )


def enforcement(folder: Path) -> Iterator[Game]:
    def played(case: str, **given: object) -> Game:
        return game("enforcement-objection", case, **given)

    suit, act = "chuzu-jichuang", "chaobiaodi"
    yield played(suit)
    yield played(suit, script=answering(upheld="是"))
    yield played(suit, script=answering(recusal="是"))
    yield played(suit, script=endless)
    yield played(suit, options={"pursued_by": "nobody"})
    yield played(suit, fields={"resolve.plaintiff": "服从"})
    yield played(suit, script=answering(issues=""))
    yield played(changed_case(folder, suit, lambda data: data.update(claims=[]), "claimless"))
    yield played(changed_case(folder, suit, lambda data: data.update(evidence={}), "bare"))
    yield played(
        changed_case(folder, suit, lambda data: [one.pop("evidence", 0) for one in data["next"].values()], "one")
    )
    yield played(act)
    yield played(act, script=answering(upheld="否"))
    yield played(changed_case(folder, act, with_news, "news"))


def with_news(data: dict[str, dict[str, dict[str, object]]]) -> None:
    """The creditor has an exhibit for the court above."""
    data["next"]["defendant"]["evidence"] = [
        {
            "id": "复证1",
            "name": "拍卖结果",
            "form": "原件",
            "source": "法院",
            "content": "成交价100万元",
            "purpose": "价值",
        }
    ]


PLAYED = {"labour-arbitration": labour, "retrial": retrials, "enforcement-objection": enforcement}


@pytest.mark.parametrize("spec", NEW)
def test_every_end_and_branch_is_reached(spec: str, tmp_path: Path) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    played = list(PLAYED[spec](tmp_path))
    assert {one for found in played for one in outcome(found)} == ENDS[spec]
    missed = coverage(procedure, [one.events for one in played]).missed
    assert [(branch.place, branch.kind) for branch in missed] == []


# ---- what is decided -------------------------------------------------------------------------------------------------
def test_one_cause_of_several_is_enough_for_a_retrial(tmp_path: Path) -> None:
    second = {"item": "第六项", "text": "适用法律确有错误", "on": "没有", "reason": "没有写明"}
    case = changed_case(tmp_path, "zaishen-huokuan", lambda data: data["causes"].append(second), "two")
    found = game("retrial", case)
    assert [event.value for event in found.of(e.Captured) if event.name == "made_out"] == ["yes", "no"]
    assert outcome(found) != ["refused"]


def test_the_court_above_sets_the_ruling_aside_upon_new_evidence(tmp_path: Path) -> None:
    found = game("enforcement-objection", changed_case(tmp_path, "chaobiaodi", with_news, "news"))
    ruling = written(found, "reconsideration_ruling")
    assert "一、撤销江澜市云屏区人民法院（2025）虚0106执异33号执行裁定；" in ruling
    assert "二、驳回异议人江澜市林岚置业有限公司的异议请求。" in ruling
