"""An order in English that is written of a decision and read back is that decision, but for where its parts stand."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_decisions import said
from made_orders import decisions, frames
from playing import matter, project

from legalworld.law.text.case_frame import case_frame
from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.law.text.operative import Unwritable
from legalworld.law.text.operative_english import operative_english
from legalworld.model.decision import (
    Amount,
    Deadline,
    Decision,
    Fate,
    InterestOrder,
    Relief,
)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_an_order_comes_back(data: st.DataObject) -> None:
    frame = data.draw(frames())
    decision = data.draw(decisions(frame))
    text = f"Judgment\n\nReasons\n\nI accept the evidence.\n\n{operative_english(decision, frame)}\nDistrict Judge\n"
    again = read_decision(text, frame, document="x")
    assert said(again, "reliefs") == said(decision, "reliefs")
    assert again.whole and again.thin == ()


@cache
def shipped() -> CaseFrame:
    procedure = project("smallclaims").procedure
    assert procedure is not None
    case = matter("smallclaims-worktop", spec="smallclaims").case
    return case_frame(procedure, case, procedure.decisions["judgment"])


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_an_order_comes_back_in_the_shipped_small_claim(data: st.DataObject) -> None:
    frame = shipped()
    decision = data.draw(decisions(frame))
    again = read_decision(operative_english(decision, frame), frame, document="order")
    assert said(again, "reliefs") == said(decision, "reliefs") and again.whole


UNSAID = {
    "nobody pays": {"payers": ()},
    "a stranger pays": {"payers": ("X9",)},
    "how they are liable is open": {"liability": "open"},
    "a currency without a sign": {"amount": Amount(value=Decimal(1), currency="JPY")},
    "part of a cent": {"amount": Amount(value=Decimal("0.001"), currency="GBP")},
    "words that end a label": {"object": "rent, rates, a door"},
    "an order that is no payment": {"order": "deliver"},
    "no result": {"result": "undecided"},
    "interest on a base": {
        "interest": (InterestOrder(base=Amount(value=Decimal(5), currency="GBP"), rate=Decimal(8), per="year"),)
    },
    "working days": {"within": Deadline(days=3, since="today", business=True)},
    "from an event that has no words": {"within": Deadline(days=3, since="effect")},
}


@pytest.mark.parametrize("change", UNSAID.values(), ids=UNSAID)
def test_what_has_no_sentence_is_refused(change: dict[str, object]) -> None:
    frame = shipped()
    amount = Amount(value=Decimal(20), currency="GBP")
    who = {"payers": ("defendant",), "payees": ("claimant",), "liability": "one"}
    sound = Relief(id="1", item="1", result="granted", order="pay", object="a deposit", amount=amount, **who)
    assert operative_english(Decision(reliefs=(sound,)), frame)
    with pytest.raises(Unwritable):
        operative_english(Decision(reliefs=(sound.model_copy(update=change),)), frame)


@pytest.mark.parametrize("part", [{}, {"fates": (Fate(item="1", result="kept"),)}, {"remanded": True}])
def test_a_decision_without_an_order_to_write_is_refused(part: dict[str, object]) -> None:
    with pytest.raises(Unwritable):
        operative_english(Decision(**part), CaseFrame())
