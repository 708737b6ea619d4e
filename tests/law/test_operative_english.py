"""An order in English that is written of a decision and read back is that decision, but for where its parts stand."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_decisions import said
from playing import matter, project

from legalworld.law.text.case_frame import case_frame
from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.law.text.operative import Unwritable
from legalworld.law.text.operative_english import operative_english
from legalworld.model.decision import (
    Amount,
    Claim,
    Deadline,
    Decision,
    Fate,
    InterestOrder,
    Part,
    Party,
    Relief,
)

NAMES = (
    "Ms Hannah Osei",
    "Brightline Kitchens Ltd",
    "J. Hart & Sons Ltd.",
    "St. Mary's Hospital Trust",
    "Mr. T. O'Neill",
    "The Order of the Garter Inn",
    "Judge & Pay plc",
    "Zoë Müller-Costs",
)
LABELS = ("the price of a bicycle", "the repair of a roof", "a deposit", "hire of a van at 8 per day", "the plumber")
SUMS = st.decimals(min_value=Decimal("0.01"), max_value=10**7, places=2)
DAYS = st.dates().filter(lambda day: 1990 < day.year < 2100).map(lambda day: day.isoformat())
TITLES = st.sampled_from([("Claimant", "Defendant"), ("Applicant", "Respondent")])
CURRENCIES = st.sampled_from(["GBP", "EUR", "USD"])


@st.composite
def frames(draw: st.DrawFn) -> CaseFrame:
    first, second = draw(TITLES)
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    people = [Party(id="P1", name=names[0], side="plaintiff", titles=(first,))]
    people += [Party(id=f"D{at}", name=name, side="defendant", titles=(second,)) for at, name in enumerate(names[1:])]
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=3, unique=True))
    return CaseFrame(people, tuple(Claim(id=str(at), text=label) for at, label in enumerate(labels, 1)))


@st.composite
def orders(draw: st.DrawFn, frame: CaseFrame, item: str) -> Relief:
    """An order to pay: one sum, or several with or without a total; costs; interest so far, and from a day."""
    currency = draw(CURRENCIES)

    def money() -> Amount:
        return Amount(value=draw(SUMS), currency=currency)

    others = [party.id for party in frame.people[1:]]
    payers = tuple(others[: draw(st.integers(1, len(others)))])
    within = draw(
        st.none()
        | st.builds(Deadline, days=st.integers(1, 365), since=st.sampled_from(["today", "service", "this order"]))
        | st.builds(Deadline, by=DAYS)
    )
    whom = {
        "payers": payers,
        "payees": (frame.people[0].id,),
        "liability": "jointly" if payers[1:] else "one",
        "within": within,
    }
    if draw(st.booleans()):
        return Relief(
            id=item, item=item, result="granted", order="pay", ground="law", object="costs", amount=money(), **whom
        )
    claims = draw(st.lists(st.sampled_from(frame.claims), min_size=1, max_size=3, unique=True))
    rate = st.decimals(min_value=Decimal("0.1"), max_value=24, places=1)
    interest = draw(st.none() | st.builds(InterestOrder, rate=rate, per=st.just("year"), since=st.just("") | DAYS))
    if interest is not None and draw(st.booleans()):
        interest = interest.model_copy(update={"so_far": money()})
    stated = bool(claims[1:]) and draw(st.booleans())
    parts = tuple(Part(label=one.text, amount=money()) for one in claims) if claims[1:] or stated else ()
    return Relief(
        id=item,
        item=item,
        result="granted",
        order="pay",
        claims=tuple(one.id for one in claims),
        object=", ".join(one.text for one in claims),
        amount=money() if stated or not parts else None,
        parts=parts,
        interest=() if interest is None else (interest,),
        **whom,
    )


def dismissals(frame: CaseFrame, item: str) -> st.SearchStrategy[Relief]:
    every = tuple(one.id for one in frame.claims)
    given_up = [((), True), (every, True), *(((one,), False) for one in every)]
    return st.sampled_from(given_up).map(
        lambda one: Relief(id=item, item=item, result="dismissed", claims=one[0], rest=one[1])
    )


@st.composite
def decisions(draw: st.DrawFn, frame: CaseFrame) -> Decision:
    reliefs = [draw(orders(frame, str(at))) for at in range(1, draw(st.integers(1, 4)))]
    if not reliefs or draw(st.booleans()):
        reliefs.append(draw(dismissals(frame, str(len(reliefs) + 1))))
    return Decision(reliefs=tuple(reliefs))


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
