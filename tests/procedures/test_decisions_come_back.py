"""A decision made up, written in place of the one that a shipped procedure made, is read there as that decision.

Every document that states a decision in a shipped procedure stands in `PAPERS`; a procedure that is added without its
documents fails here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_decisions import NOUNS, acts, costs, judged, orders, said
from made_orders import decisions as english_decisions
from places import ROOT, SPEC_FILES
from playing import matter, play, project

from legalworld.law.text.case_frame import case_frame
from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.law.text.operative import operative
from legalworld.law.text.operative_english import operative_english
from legalworld.model.decision import Decision, Fate, Relief
from legalworld.model.decision_frame import decision_stated, instance_of
from legalworld.model.events import Drafted
from legalworld.model.procedure import all_steps

HEADING = re.compile(r"(?:判决|裁定|裁决)如下：\n+|裁判结果：\n+")
AFTER = re.compile(
    r"^(?:如果未按|未按本|如不服|本(?:判决|裁定)|[^\n]{0,8}案件受理费|告知：|仲裁不收费|审判长)", re.MULTILINE
)
FEES = re.compile(r"^[^\n]*(?:案件受理费|仲裁不收费)[^\n]*\n+", re.MULTILINE)
ENGLISH_HEADING = re.compile(r"^(?:Order|Decision|IT IS ORDERED.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Paper:
    """Which document of which procedure, the case and the fields with which it comes to be, and what it decides."""

    spec: str
    document: str
    case: str
    decides: str
    target: str = "plaintiff_agent"
    appeal: str = ""

    def __str__(self) -> str:
        return f"{self.spec}-{self.document}"


PAPERS = (
    Paper("civil", "first_judgment", "jiedai", "orders", "plaintiff_lawyer"),
    Paper("civil", "final_judgment", "jiedai", "fates", "plaintiff_lawyer", "被告"),
    Paper("quexi", "first_judgment", "quexi-huokuan", "orders", "plaintiff_lawyer"),
    Paper("xiaoe", "first_judgment", "xiaoe-zujin", "orders", "plaintiff_lawyer"),
    Paper("labour-arbitration", "arbitration_award", "fenjian", "orders"),
    Paper("labour-arbitration", "final_award", "fenjian", "orders"),
    Paper("enforcement-objection", "objection_ruling", "chuzu-jichuang", "orders"),
    Paper("enforcement-objection", "suit_judgment", "chuzu-jichuang", "orders"),
    Paper("enforcement-objection", "reconsideration_ruling", "chaobiaodi", "orders"),
    Paper("retrial", "review_ruling", "zaishen-huokuan", "review"),
    Paper("retrial", "retrial_judgment", "zaishen-huokuan", "fates"),
    Paper("administrative", "administrative_judgment", "chachao", "acts"),
    Paper("administrative-appeal", "administrative_judgment", "zhangyuan", "acts"),
    Paper("administrative-appeal", "second_judgment", "zhangyuan", "fates"),
    Paper("criminal", "criminal_judgment", "kuaijian", "verdicts", "judge"),
    Paper("criminal", "joint_judgment", "tingche", "verdicts", "judge"),
    Paper("criminal-appeal", "criminal_judgment", "kuaijian", "verdicts", "judge"),
    Paper("criminal-appeal", "joint_judgment", "tingche", "verdicts", "judge"),
    Paper("criminal-appeal", "appeal_judgment", "jiuyi", "verdicts", "judge"),
    Paper("criminal-appeal", "appeal_ruling", "kuaijian", "upheld", "judge"),
    Paper("asp2lj", "decision", "asp2lj-civil", "orders", "claimant"),
    Paper("asp2lj", "decision", "asp2lj-criminal", "verdicts", "claimant"),
    Paper("asp2lj", "decision", "asp2lj-administrative", "acts", "claimant"),
    Paper("j1/civil-court", "j1_civil_judgment", "j1-yajin", "orders", "judge"),
    Paper("j1/criminal-court", "j1_criminal_judgment", "j1-daoqie", "verdicts", "judge"),
    Paper("smallclaims", "judgment", "smallclaims-worktop", "english", "claimant"),
    Paper("smallclaims", "order", "smallclaims-worktop", "english", "claimant"),
)


@dataclass(frozen=True)
class Opened:
    """What stands before and behind the orders of a document that was played; its frame, instance, number below."""

    before: str
    behind: str
    frame: CaseFrame
    instance: int
    below: str


def deciding(made: str) -> list[Paper]:
    return [paper for paper in PAPERS if paper.decides == made]


@cache
def opened(paper: Paper) -> Opened:
    procedure = project(paper.spec).procedure
    assert procedure is not None
    parts = decision_stated(procedure, paper.document)
    assert parts is not None
    fields = {"appellants": paper.appeal} if paper.appeal else None
    played = play(paper.case, paper.target, fields=fields, spec=paper.spec)
    text = next(one.text for one in played.of(Drafted) if one.document == paper.document)
    frame = case_frame(procedure, matter(paper.case, fields, paper.spec).case, parts)
    instance = instance_of(procedure, parts)
    below = read_decision(text, frame, document=paper.document, instance=instance).below_number
    if paper.decides == "english":
        found = list(ENGLISH_HEADING.finditer(text))
        return Opened(text[: found[-1].start()] if found else "", "District Judge\n", frame, instance, below)
    heading = list(HEADING.finditer(text))[-1]
    after = AFTER.search(text, heading.end())
    assert after is not None
    return Opened(text[: heading.end()], FEES.sub("", text[after.start() :]), frame, instance, below)


def read_there(decision: Decision, paper: Paper, write: Callable[..., str] = operative) -> Decision:
    there = opened(paper)
    wording = ("award",) if "award" in paper.document else ()
    text = f"{there.before}{write(decision, there.frame, *wording)}\n{there.behind}"
    return read_decision(text, there.frame, document=paper.document, instance=there.instance)


def sides(paper: Paper) -> CaseFrame:
    """Those who are parties, and nobody else of the case."""
    return CaseFrame([party for party in opened(paper).frame.people if party.side in SIDES])


SIDES = ("plaintiff", "defendant", "claimant", "respondent")


def unbound(decision: Decision, *parts: str) -> dict[str, Any]:
    """Parts of a decision without the claims that they answer: a made-up order answers none of this case."""
    free = tuple(one.model_copy(update={"claims": ()}) for one in decision.reliefs)
    return said(decision.model_copy(update={"reliefs": free}), *parts)


def each(made: str) -> Any:
    return pytest.mark.parametrize("paper", deciding(made), ids=str)


def test_every_document_of_a_shipped_procedure_that_states_a_decision_is_read_back() -> None:
    specs = [file.relative_to(ROOT / "specs").with_suffix("").as_posix() for file in SPEC_FILES]
    stated = set()
    for spec in (one for one in specs if "parts" not in one.split("/")):
        procedure = project(spec).procedure
        assert procedure is not None
        drawn_up = {name for step in all_steps(procedure) for name in step.document_names}  # none of removed stages
        stated |= {
            (spec, document)
            for parts in procedure.decisions.values()
            for document in parts.documents
            if document in drawn_up
        }
    assert {(paper.spec, paper.document) for paper in PAPERS} == stated
    tried = {"orders", "fates", "review", "acts", "verdicts", "upheld", "english"}
    assert {paper.decides for paper in PAPERS} == tried


def paid(data: st.DataObject, paper: Paper) -> list[Relief]:
    """Orders to pay whoever claims, and as a rule a dismissal of the rest."""
    parties = sides(paper)
    nouns = data.draw(st.lists(st.sampled_from(NOUNS), min_size=1, max_size=3, unique=True))
    first = (parties.people[0].id,)
    reliefs = [data.draw(orders(parties, at, noun)) for at, noun in enumerate(nouns, 1)]
    if data.draw(st.booleans()):
        at = str(len(reliefs) + 1)
        reliefs.append(Relief(id=at, item=at, result="dismissed", rest=True, payees=first))
    if "ruling" in paper.document:  # a ruling sets no day by its own effect in the words of a judgment
        reliefs = [one.model_copy(update={"within": None}) for one in reliefs]
    return [one.model_copy(update={"payees": first}) for one in reliefs]


@each("orders")
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_orders_come_back_in_the_papers_of_a_procedure(paper: Paper, data: st.DataObject) -> None:
    fees = () if "award" in paper.document else (data.draw(costs(sides(paper))),)
    decision = Decision(reliefs=tuple(paid(data, paper)), costs=fees)
    again = read_there(decision, paper)
    assert unbound(again, "reliefs", "costs") == unbound(decision, "reliefs", "costs")
    assert again.whole and again.thin == ()


@each("fates")
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_what_a_higher_court_makes_of_each_item_comes_back(paper: Paper, data: st.DataObject) -> None:
    parties, below = sides(paper), opened(paper).below
    assert below
    kinds = data.draw(st.lists(st.sampled_from(["kept", "annulled", "changed"]), min_size=1, max_size=4))
    fates, reliefs = [], []
    for at, kind in enumerate(kinds, 1):
        fates.append(Fate(item=str(at), result=kind, by=str(at) if kind == "changed" else ""))
        if kind == "changed":
            order = data.draw(orders(parties, at, NOUNS[at]))
            reliefs.append(order.model_copy(update={"payees": (parties.people[0].id,)}))
    if data.draw(st.booleans()):
        fates, reliefs = [Fate(item="", result=data.draw(st.sampled_from(["kept", "annulled"])))], []
    decision = Decision(fates=tuple(fates), reliefs=tuple(reliefs), below_number=below)
    again = read_there(decision, paper)
    assert unbound(again, "reliefs", "fates") == unbound(decision, "reliefs", "fates") and again.whole


@each("acts")
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_what_becomes_of_an_act_comes_back(paper: Paper, data: st.DataObject) -> None:
    parties = sides(paper).people
    reliefs = data.draw(acts(parties[1]))
    if data.draw(st.booleans()):
        at = str(len(reliefs) + 1)
        reliefs.append(Relief(id=at, item=at, result="dismissed", rest=True, payees=(parties[0].id,)))
    decision = Decision(reliefs=tuple(reliefs))
    again = read_there(decision, paper)
    assert unbound(again, "reliefs") == unbound(decision, "reliefs") and again.whole and again.thin == ()


@each("verdicts")
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_verdicts_come_back_in_the_papers_of_a_procedure(paper: Paper, data: st.DataObject) -> None:
    frame = opened(paper).frame
    accused = tuple(frame.accused.values()) or (frame.people[1].id,)
    decision = data.draw(judged(accused))
    again = read_there(decision, paper)
    bare = [one.model_copy(update={"circumstances": ()}) for one in again.verdicts]  # those the reasons there find
    again = again.model_copy(update={"verdicts": tuple(bare)})
    assert said(again, "verdicts", "sentences") == said(decision, "verdicts", "sentences")
    assert again.thin == ()


@each("upheld")
@pytest.mark.parametrize("result", ["kept", "annulled"])
def test_a_ruling_upon_a_judgment_comes_back(paper: Paper, result: str) -> None:
    decision = Decision(fates=(Fate(item="", result=result),), below_number="（2024）虚0302刑初9号")
    again = read_there(decision, paper)
    assert said(again, "fates", "reliefs") == said(decision, "fates", "reliefs") and again.whole


@each("review")
@pytest.mark.parametrize("act", ["本案由本院提审", "指令江澜市中级人民法院再审本案", "本案由本院再审"])
@pytest.mark.parametrize("stay", [True, False])
def test_whether_there_is_a_retrial_comes_back(paper: Paper, act: str, stay: bool) -> None:
    there = opened(paper)
    items = [act, *(["再审期间，中止原判决的执行"] if stay else [])]
    text = "；\n".join(f"{'一二'[at]}、{one}" for at, one in enumerate(items)) + "。\n"
    again = read_decision(f"{there.before}{text}\n{there.behind}", there.frame, document=paper.document)
    assert [one.order for one in again.reliefs] == ["redo", "refrain"][: len(items)]
    assert again.whole and again.thin == ()


@each("english")
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_orders_in_english_come_back_in_the_papers_of_a_procedure(paper: Paper, data: st.DataObject) -> None:
    decision = data.draw(english_decisions(opened(paper).frame))
    again = read_there(decision, paper, operative_english)
    assert said(again, "reliefs") == said(decision, "reliefs") and again.whole
