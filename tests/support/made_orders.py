"""Decisions in English that are made up for tests of the round trip."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st

from legalworld.law.text.decision_people import CaseFrame
from legalworld.model.decision import Amount, Claim, Deadline, Decision, InterestOrder, Part, Party, Relief

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
