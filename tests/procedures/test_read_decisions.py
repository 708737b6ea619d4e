"""What is read in a judgment of the offline bench is what the bench had decided: nothing else, and nearly all of it."""

from __future__ import annotations

import pytest
from playing import Game, matter, play, project

from legalworld.engine.conditions import record_at
from legalworld.law.text.decision_claims import costs_alone
from legalworld.model.case import texts
from legalworld.model.decision_frame import decision_stated
from legalworld.model.events import Captured, Drafted
from legalworld.runs.read_decisions import read_answers

CASES = [
    ("civil", "jiedai", "plaintiff_lawyer"),
    ("civil", "cases/legalworld-sample.json#1", "plaintiff_lawyer"),
    ("civil", "cases/legalworld-sample.json#2", "plaintiff_lawyer"),
    ("quexi", "quexi-huokuan", ""),
    ("criminal", "kuaijian", "judge"),
    ("criminal-appeal", "dianlan", "judge"),
    ("administrative", "chachao", "plaintiff_agent"),
    ("administrative", "xiaofang", "plaintiff_agent"),
]


def decided(game: Game) -> dict[tuple[str, str], object]:
    """The last answer of each name about each record, up to the document that states the decision."""
    return {(event.name, event.about): event.value for event in game.of(Captured)}


@pytest.mark.parametrize(("spec", "case", "target"), CASES)
def test_what_is_read_is_what_was_decided(spec: str, case: str, target: str) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    game = play(case, target, spec=spec)
    stated = next(event for event in game.of(Drafted) if decision_stated(procedure, event.document) is not None)
    parts = decision_stated(procedure, stated.document)
    assert parts is not None
    opened = matter(case, spec=spec)
    read = {
        (one.name, one.about): one.value for one in read_answers(procedure, opened.case, stated.document, stated.text)
    }
    said = decided(game)
    for (name, about), value in read.items():
        if name in (parts.findings, parts.reasons):
            continue  # texts: the form joins them with what it says itself
        if name == parts.results and costs_alone(" ".join(texts(record_at(opened.case, about)))):
            continue  # by the text they are granted in part where both sides bear some; the bench allows the claim
        expected = said[name, about]
        assert value == (expected if isinstance(expected, str) else tuple(expected)), (name, about)
    wanted = {key for key in said if key[0] in (parts.results, parts.verdicts, parts.sentences, parts.orders)}
    undecided = {key for key in wanted if said[key] == parts.outcomes.get("undecided")}
    if undecided:  # then nobody says who bears the costs
        undecided |= {key for key in wanted if key[1] and costs_alone(" ".join(texts(record_at(opened.case, key[1]))))}
    assert wanted - read.keys() - undecided == set()


REST = "驳回原告林启川的其他诉讼请求"
PAYS = "被告郑若虹、云汀餐饮管理有限公司于本判决生效之日起十日内"


def outcomes(*items: str) -> dict[str, object]:
    """What is read of each claim where the judgment of a shipped case orders these items instead."""
    opened = project("civil")
    assert opened.procedure is not None
    drafts = play("jiedai", "plaintiff_lawyer").of(Drafted)
    text = next(event.text for event in drafts if event.document == "first_judgment")
    head, _, tail = text.partition("判决如下：")
    listed = "；\n\n".join(f"{number}、{item}" for number, item in zip("一二三四", items, strict=False))
    changed = f"{head}判决如下：\n\n{listed}。\n\n{tail[tail.index('如果未按本判决') :]}"
    read = read_answers(opened.procedure, matter("jiedai").case, "first_judgment", changed)
    return {one.about: one.value for one in read if one.name == "decision"}


@pytest.mark.parametrize("rest", [True, False])
@pytest.mark.parametrize(
    ("sum_", "outcome"),
    [("1000000元", "支持"), ("1000000.00元", "支持"), ("100万元", "支持"), ("1200000元", "支持")]
    + [(f"{value}元", "部分支持") for value in ("999999.99", "1", "500000", "937569.91", "100000")],
)
def test_a_claim_is_granted_as_far_as_its_sum(sum_: str, outcome: str, rest: bool) -> None:
    found = outcomes(f"{PAYS}共同返还原告林启川借款本金{sum_}", *([REST] if rest else []))
    assert found["claims//0"] == outcome
    assert found.get("claims//1") == ("不予支持" if rest else None)  # nothing is said of it: nobody knows


@pytest.mark.parametrize(
    ("base", "rest", "outcome"),
    [("937569.91元", True, "部分支持"), ("1000000元", True, None), ("1000000元", False, "支持")],
)
def test_interest_is_compared_by_its_base_and_not_guessed(base: str, rest: bool, outcome: str | None) -> None:
    interest = f"支付原告林启川利息（以{base}为基数，自2022年9月13日起至实际清偿之日止，按年利率10%计算）"
    found = outcomes(f"{PAYS}共同返还原告林启川借款本金1000000元", f"{PAYS}共同{interest}", *([REST] if rest else []))
    assert found.get("claims//1") == outcome


@pytest.mark.parametrize("odd", ["按双方另行商定的办理", "其余事项见附表", "郑若虹应当反省"])
def test_nothing_is_said_of_claims_where_an_item_is_not_read(odd: str) -> None:
    found = outcomes(f"{PAYS}共同返还原告林启川借款本金1000000元", odd, REST)
    assert {about for about in found if about != "claims//2"} == set()
