"""The procedure of the how-to: an administrative trial, every end and branch; and the bindings for SimuCourt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT, Game, answering, changed_case, play, project

from legalworld.model import events as e
from legalworld.runs.coverage import coverage

DATA = ROOT.parent / "shared" / "data" / "simucourt"
WITHOUT = "the records of SimuCourt are not in the project: ../shared/data/simucourt"


def game(case: str = "chachao", **given: object) -> Game:
    return play(case, "plaintiff_agent", spec="administrative", **given)  # type: ignore[arg-type]


def without_evidence(folder: Path) -> str:
    """The shipped case with no evidence of the authority."""
    return changed_case(
        folder,
        "chachao",
        lambda data: data.update(evidence={"plaintiff": data["evidence"]["plaintiff"]}, norms={}),
        "bare",
    )


def outcome(found: Game) -> list[str]:
    return [event.outcome for event in found.of(e.Ended)]


def test_it_ends_with_a_judgment() -> None:
    found = game()
    assert outcome(found) == ["judged"]
    assert not found.of(e.Violated)
    assert all(event.missing == () for event in found.of(e.Drafted))


@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(manner: str) -> None:
    assert game(manner=manner).status == "ended"


def test_without_evidence_of_the_authority_its_act_is_quashed(tmp_path: Path) -> None:
    found = game(without_evidence(tmp_path))
    assert [event for event in found.of(e.Spoke) if "no_evidence" in event.place]
    assert "撤销被告作出的" in found.of(e.Drafted)[-1].text


@pytest.mark.parametrize(("case", "order"), [("chachao", "撤销被告"), ("xiaofang", "驳回原告")])
def test_what_the_authority_proves_decides(case: str, order: str) -> None:
    """One has no proof that the party was told and heard, the other has."""
    judgment = game(case).of(e.Drafted)[-1].text
    assert judgment.partition("判决如下：")[2].strip().startswith(order)
    assert ("由被告承担举证不能的后果" in judgment) == (case == "chachao")


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ("驳回诉讼请求", ("第六十九条的规定", "驳回原告")),
        ("撤销", ("第七十条第（三）项的规定", "撤销被告")),
        ("撤销并重新作出", ("第七十条第（三）项的规定", "六十日内重新作出行政行为")),
        ("限期履行", ("第七十二条的规定", "六十日内对原告")),
        ("给付", ("第七十三条的规定", "三十日内履行给付义务")),
        ("确认违法", ("第七十四条第一款第（二）项的规定", "违法")),
        ("确认无效", ("第七十五条的规定", "无效")),
        ("变更", ("第七十七条第一款的规定", "变更被告")),
    ],
)
def test_each_decision_has_its_article_and_its_operative_part(decision: str, words: tuple[str, str]) -> None:
    judgment = game(script=answering(decision=decision)).of(e.Drafted)[-1].text
    assert words[0] in judgment and words[1] in judgment.partition("判决如下：")[2]
    payer = "原告" if decision == "驳回诉讼请求" else "被告"
    assert f"案件受理费50元，由{payer}" in judgment


def test_an_order_to_act_again_names_its_article_and_a_fine_is_changed_to_a_sum(tmp_path: Path) -> None:
    again = game(script=answering(decision="撤销并重新作出")).of(e.Drafted)[-1].text
    assert "第七十一条" in again
    assert (
        "依照《中华人民共和国行政处罚法》第四十四条、第四十五条第一款、第六十二条，在本判决生效之日起六十日内" in again
    )
    duty = game(script=answering(decision="限期履行")).of(e.Drafted)[-1].text
    assert "依照《中华人民共和国食品安全法》第一百二十五条第一款，在本判决生效之日起六十日内" in duty
    changed = game("zhangyuan", script=answering(decision="变更")).of(e.Drafted)[-1].text
    assert "将罚款50000元变更为罚款5000元" in changed and "变更的内容待补充" not in changed


def untold(data: Any) -> None:
    """Nobody was told before the fine was imposed; `paid`: and what the plaintiff paid is proved."""
    for one in data["evidence"]["defendant"]:
        one["says"] = {key: said for key, said in one["says"].items() if key not in ("informed", "told_rights")}


def paid(data: Any) -> None:
    untold(data)
    data["evidence"]["plaintiff"][1].update(form="原件", content="律师费8000元已经付清", says={"direct_loss": "8000"})
    data["objections"]["defendant"][1].update(opinion="认可")


@pytest.mark.parametrize(
    ("change", "order"),
    [(untold, "二、驳回原告江澜市望潮区樟园旅舍的其他诉讼请求。"), (paid, "支付8000元。")],
)
def test_one_claim_may_be_granted_and_another_dismissed(
    change: Callable[[Any], None], order: str, tmp_path: Path
) -> None:
    text = game(changed_case(tmp_path, "zhangyuan", change)).of(e.Drafted)[-1].text.partition("判决如下：")[2]
    assert "一、撤销被告江澜市望潮区消防救援大队" in text and order in text


def test_the_authority_proves_first() -> None:
    shown = [request.role for request in game().requests if request.act == "present"]
    assert shown == sorted(shown)  # defendant_agent before plaintiff_agent


def test_what_the_judge_thinks_of_an_exhibit_reaches_nobody_else() -> None:
    seen = {
        r.role for r in game().requests for one in r.view.knowledge.shown if one.name in ("ruling", "decision", "real")
    }
    assert seen == {"judge"}


def endless(request: e.Request, text: str) -> str:
    """A judge who goes on asking."""
    return f"{request.form.leading[0]}还有呢？" if request.act == "moderate" else text


def test_a_finding_names_the_issue_that_it_is_about() -> None:
    """The issues are a list that was itself an answer: of what the judge notes on each he is told on which."""
    drafting = next(r for r in game().requests if r.act == "draft")
    proved = drafting.view.variables["known"]["proved"]
    issues = drafting.view.variables["known"]["issues"][-1]["value"]
    assert [one["item"] for one in proved] == list(issues) and len(issues) == 3
    sent = "".join(message.content for message in drafting.messages)
    assert f"“{issues[2]}”的待证事实" in sent  # he has before him what he was asked, and what he answered
    assert [message.content for message in drafting.messages].count("【待证事实：不能认定】") == 1


def broken_off(request: e.Request, text: str) -> str:
    """Whoever is asked to mediate will not."""
    return "请依法判决。【结束调解】" if "/mediation/" in request.id and request.act == "answer" else text


def games(tmp_path: Path) -> Iterator[Game]:
    yield game(script=endless)
    yield game()
    yield game(manner="noisy")
    yield game(options={"head_appears": "no", "mediable": "yes"})
    yield game(options={"mediable": "yes"}, fields={"attitude.defendant.settle": "是"})
    yield game(script=broken_off, options={"mediable": "yes"})
    yield game(script=answering(recusal="是"))
    yield game(script=answering(withdrawing="是"))
    yield game(fields={"attitude.plaintiff.withdraw": "是"})
    yield game(without_evidence(tmp_path))
    yield game(changed_case(tmp_path, "chachao", lambda data: data.update(claims=[]), "claimless"))
    yield game(changed_case(tmp_path, "chachao", lambda data: data.update(reply={}), "silent"))


def test_every_end_and_branch_is_reached(tmp_path: Path) -> None:
    procedure = project("administrative").procedure
    assert procedure is not None
    played = list(games(tmp_path))
    assert {one for found in played for one in outcome(found)} == {"judged", "mediated", "withdrawn", "not_filed"}
    found = coverage(procedure, [one.events for one in played])
    assert [(branch.place, branch.kind) for branch in found.missed] == []


# ---- records ---------------------------------------------------------------------------------------------------------


def records(file: str, kind: str) -> list[int]:
    path = DATA / file
    if not path.is_file():
        return []
    return [n for n, one in enumerate(json.loads(path.read_text(encoding="utf-8")), 1) if one["类别"] == kind]


RECORDS = [
    (spec, file, number)
    for file in ("first-instance.json", "second-instance.json")
    for spec, kind in (("civil", "民事"), ("administrative", "行政"))
    for number in records(file, kind)
]


APPEALED = {"upheld", "final_judgment", "remanded"}


@pytest.mark.parametrize(("spec", "file", "number"), RECORDS or [("", "", 0)])
def test_a_record_of_simucourt_runs_by_its_binding(spec: str, file: str, number: int) -> None:
    if not file:
        pytest.skip(WITHOUT)
    target = "plaintiff_lawyer" if spec == "civil" else "plaintiff_agent"
    options = {"appeal_by": "case"} if spec == "civil" else {}
    appealed = file.startswith("second")
    played = f"{spec}-appeal" if appealed and spec == "administrative" else spec
    found = play(f"{DATA / file}#{number}", target, options=options, spec=played)
    assert found.status == "ended"
    (end,) = outcome(found)
    if spec == "civil":
        assert end == ("final_judgment" if appealed else "first_judgment_effective")
    else:
        assert end in (APPEALED if appealed else {"judged"})
    assert not [one for r in found.requests for one in r.view.knowledge.shown if one.name == "real"]


def test_a_party_of_the_second_instance_is_on_the_side_he_was_on() -> None:
    """`（原审被告）：张某` appeals: he is the defendant, and the appellant."""
    if not RECORDS:
        pytest.skip(WITHOUT)
    numbers = records("second-instance.json", "民事")
    all_records = json.loads((DATA / "second-instance.json").read_text(encoding="utf-8"))
    number = next(n for n in numbers if "原审被告" in all_records[n - 1]["上诉人"])
    name = all_records[number - 1]["上诉人"].partition("）：")[2]
    found = play(f"{DATA / 'second-instance.json'}#{number}", "plaintiff_lawyer", options={"appeal_by": "case"})
    (appellant,) = [event.persons for event in found.of(e.Assigned) if event.role == "appellant"]
    assert appellant == ("defendant",)
    assert name in found.of(e.Drafted)[-1].text
