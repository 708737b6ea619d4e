"""A decision made up, written in place of the one that a shipped procedure made, is read there as that decision."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_decisions import NOUNS, costs, judged, orders, said
from playing import matter, play, project

from legalworld.law.text.case_frame import case_frame
from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.law.text.operative import operative
from legalworld.model.decision import Decision, Fate, Relief
from legalworld.model.decision_frame import decision_stated, instance_of
from legalworld.model.events import Drafted

HEADING = re.compile(r"(?:判决|裁定)如下：\n+")
AFTER = re.compile(r"^(?:如果未按|未按本|如不服|本(?:判决|裁定)|[^\n]{0,4}案件受理费|审判长)", re.MULTILINE)
FEES = re.compile(r"^[^\n]*案件受理费[^\n]*\n+", re.MULTILINE)
CIVIL = [
    ("retrial", "zaishen-huokuan", "plaintiff_agent", "retrial_judgment"),
    ("enforcement-objection", "chuzu-jichuang", "plaintiff_agent", "objection_ruling"),
    ("enforcement-objection", "chuzu-jichuang", "plaintiff_agent", "suit_judgment"),
    ("enforcement-objection", "chaobiaodi", "plaintiff_agent", "reconsideration_ruling"),
    ("j1/civil-court", "j1-yajin", "judge", "j1_civil_judgment"),
]
CRIMINAL = ("j1/criminal-court", "j1-daoqie", "judge", "j1_criminal_judgment")


@cache
def paper(spec: str, case: str, target: str, document: str) -> tuple[str, str, CaseFrame, int]:
    """What stands before and behind the orders of a document that was played; the frame of its case; its instance."""
    procedure = project(spec).procedure
    assert procedure is not None
    parts = decision_stated(procedure, document)
    assert parts is not None
    text = next(one.text for one in play(case, target, spec=spec).of(Drafted) if one.document == document)
    heading = list(HEADING.finditer(text))[-1]
    after = AFTER.search(text, heading.end())
    assert after is not None
    frame = case_frame(procedure, matter(case, spec=spec).case, parts)
    return text[: heading.end()], FEES.sub("", text[after.start() :]), frame, instance_of(procedure, parts)


def read_there(decision: Decision, made: tuple[str, str, str, str]) -> Decision:
    head, tail, frame, instance = paper(*made)
    text = f"{head}{operative(decision, frame)}\n{tail}"
    return read_decision(text, frame, document=made[3], instance=instance)


def unbound(decision: Decision, *parts: str) -> dict[str, Any]:
    """Parts of a decision without the claims that they answer: a made-up order answers none of this case."""
    free = tuple(one.model_copy(update={"claims": ()}) for one in decision.reliefs)
    return said(decision.model_copy(update={"reliefs": free}), *parts)


@pytest.mark.parametrize("made", CIVIL, ids=lambda made: f"{made[0]}-{made[3]}")
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_orders_come_back_in_the_papers_of_a_procedure(made: tuple[str, str, str, str], data: st.DataObject) -> None:
    _, _, frame, _ = paper(*made)
    parties = CaseFrame([party for party in frame.people if party.side])
    nouns = data.draw(st.lists(st.sampled_from(NOUNS), min_size=1, max_size=3, unique=True))
    reliefs = [data.draw(orders(parties, at, noun)) for at, noun in enumerate(nouns, 1)]
    if data.draw(st.booleans()):
        at = str(len(reliefs) + 1)
        asks = (parties.people[0].id,)
        reliefs.append(Relief(id=at, item=at, result="dismissed", rest=True, payees=asks))
    if "ruling" in made[3]:  # a ruling sets no day by its own effect in the words of a judgment
        reliefs = [one.model_copy(update={"within": None}) for one in reliefs]
    reliefs = [one.model_copy(update={"payees": (parties.people[0].id,)}) for one in reliefs]
    decision = Decision(reliefs=tuple(reliefs), costs=(data.draw(costs(parties)),))
    again = read_there(decision, made)
    assert unbound(again, "reliefs", "costs") == unbound(decision, "reliefs", "costs")
    assert again.whole and again.thin == ()


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_what_a_retrial_makes_of_each_item_comes_back(data: st.DataObject) -> None:
    made = CIVIL[0]
    _, _, frame, _ = paper(*made)
    parties = CaseFrame([party for party in frame.people if party.side])
    kinds = data.draw(st.lists(st.sampled_from(["kept", "annulled", "changed"]), min_size=1, max_size=4))
    fates, reliefs = [], []
    for at, kind in enumerate(kinds, 1):
        fates.append(Fate(item=str(at), result=kind, by=str(at) if kind == "changed" else ""))
        if kind == "changed":
            order = data.draw(orders(parties, at, NOUNS[at]))
            reliefs.append(order.model_copy(update={"payees": (parties.people[0].id,)}))
    if data.draw(st.booleans()):
        fates, reliefs = [Fate(item="", result=data.draw(st.sampled_from(["kept", "annulled"])))], []
    number = next(iter(re.findall(r"（20\d\d）虚\d*民终\d+号", paper(*made)[0])))
    decision = Decision(fates=tuple(fates), reliefs=tuple(reliefs), below_number=number)
    again = read_there(decision, made)
    assert unbound(again, "reliefs", "fates") == unbound(decision, "reliefs", "fates") and again.whole


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_verdicts_come_back_in_the_papers_of_a_procedure(data: st.DataObject) -> None:
    _, _, frame, _ = paper(*CRIMINAL)
    decision = data.draw(judged(tuple(frame.accused.values())))
    again = read_there(decision, CRIMINAL)
    assert said(again, "verdicts", "sentences") == said(decision, "verdicts", "sentences")
