"""Orders and judgments in English: read against the case, and contradictions planted in them."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from legalworld.evaluation.soundness.audit import audit_text
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.soundness.definition import CheckFile
from legalworld.files.project_files import Disk
from legalworld.law.text.case_frame import case_frame
from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.model.decision import Amount, Claim, Party
from legalworld.model.diagnostics import Diagnostic
from legalworld.runs.case_file import open_case
from legalworld.runs.project import open_project

JUDGMENTS = Path(__file__).parent / "judgments"
ORDER, JUDGMENT = ((JUDGMENTS / f"smallclaims.{name}.txt").read_text("utf-8") for name in ("order", "judgment"))

ONE_PLACE = ("adds_up", "nobody_pays_himself")  # both sides of the contradiction stand in one sentence


@cache
def english() -> CheckFile:
    return next(file for file in check_files(Disk(ROOT)).files if file.locale == "en")


@cache
def frame() -> CaseFrame:
    project = open_project("smallclaims", ROOT)
    assert not isinstance(project, Diagnostic) and project.procedure is not None
    case = open_case(project, project.procedure.example, "", {}, ROOT)
    assert not isinstance(case, tuple)
    return case_frame(project.procedure, case.case, project.procedure.decisions["judgment"])


def alarms(text: str) -> set[str]:
    found = audit_text(text, "x", (english(),), frame())
    assert not isinstance(found, Diagnostic)
    assert all(len(one.places) > 1 for one in found.alarms if one.check.id not in ONE_PLACE)
    return {one.check.id for one in found.alarms}


@pytest.mark.parametrize("text", [ORDER, JUDGMENT], ids=["order", "judgment"])
def test_what_the_offline_judge_writes_is_read_whole_and_raises_no_alarm(text: str) -> None:
    decision = read_decision(text, frame(), document="x")
    assert decision.whole and decision.thin == ()
    paid = decision.reliefs[0]
    assert [str(part.amount.value) for part in paid.parts] == ["1480", "220"] and paid.claims == ("1", "2")
    assert paid.amount is not None and (paid.amount.value, paid.amount.currency) == (Decimal("1780.48"), "GBP")
    assert alarms(text) == set()


def replaced(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


PLUMBER = "for the cost of a plumber to stop the leak under the sink"
PLANTS = {
    "within_claim": (ORDER, ("£1,480.00", "£2,480.00"), ("£1,780.48", "£2,780.48")),
    "within_claim in a judgment": (JUDGMENT, (f"and £220.00 {PLUMBER}. I award", f"and £920.00 {PLUMBER}. I award")),
    "adds_up": (ORDER, ("£1,780.48 in all", "£1,880.48 in all")),
    "adds_up with interest": (JUDGMENT, ("That is £80.48", "That is £8.48")),
    "right_direction": (ORDER, ("Defendant must pay the Claimant £1,480", "Claimant must pay the Defendant £1,480")),
    "nobody_pays_himself": (ORDER, ("must pay the Claimant £1,480", "must pay the Defendant £1,480")),
    "denied_in_reasons": (
        JUDGMENT,
        ("I find it more likely than not that £220.00 is due", "I do not find that made out"),
    ),
    "every_claim": (ORDER, (f" and £220.00 {PLUMBER}", ""), ("£1,780.48", "£1,560.48")),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_contradiction_that_is_planted_is_found(name: str) -> None:
    text, *changes = PLANTS[name]
    assert name.partition(" ")[0] in alarms(replaced(text, *changes))


NOUNS = ("the price of a bicycle", "the repair of a roof", "a deposit", "the hire of a van")


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_an_order_says_who_whom_how_much_and_when(data: st.DataObject) -> None:
    people = (
        Party(id="C", name="Ms Hannah Osei", side="claimant", titles=("Claimant",)),
        Party(id="D", name="Brightline Kitchens Ltd", side="defendant", titles=("Defendant",)),
    )
    nouns = data.draw(st.lists(st.sampled_from(NOUNS), min_size=1, max_size=3, unique=True))
    sums = [data.draw(st.decimals(min_value=1, max_value=10**6, places=2)) for _ in nouns]
    claims = tuple(Claim(id=str(at), text=noun) for at, noun in enumerate(nouns, 1))
    days = data.draw(st.integers(1, 90))
    payer = data.draw(st.sampled_from(["the Defendant", "Brightline Kitchens Ltd"]))
    payee = data.draw(st.sampled_from(["the Claimant", "Ms Hannah Osei"]))
    owed = " and ".join(f"£{value:,.2f} for {noun}" for value, noun in zip(sums, nouns, strict=True))
    total = f", £{sum(sums):,.2f} in all" if len(sums) > 1 else ""
    text = f"IT IS ORDERED that\n\n1. Within {days} days of today {payer} must pay {payee} {owed}{total}.\n"
    decision = read_decision(text, CaseFrame(people, claims), document="x")
    paid = decision.reliefs[0]
    assert decision.whole and (paid.payers, paid.payees) == (("D",), ("C",))
    assert paid.amount is not None and paid.amount.value == sum(sums)
    assert set(paid.claims) == {claim.id for claim in claims}
    assert paid.within is not None and (paid.within.days, paid.within.since) == (days, "today")


@pytest.mark.parametrize("text", ["", "Dear Sir, I write about the worktop.", "IT IS ORDERED that\n\n1. Be kind.\n"])
def test_what_orders_nothing_is_unread(text: str) -> None:
    decision = read_decision(text, frame(), document="x")
    assert not decision.whole and decision.reliefs == ()
    assert [one.kind for one in decision.thin] == ["unread"]


HEADS = (
    "On head {n} I heard both sides. {answer}",
    "Head {n}. I have read the papers. {answer}",
    "As to claim {n}, the burden was on the Claimant. {answer}",
)
YES = ("That head succeeds.", "The sum of £{sum} is recoverable.", "I award £{sum}.", "£{sum} is due.")
NO = ("That head fails.", "I dismiss it.", "This claim is not made out.", "Nothing is recoverable.")
HEARSAY = (
    "The Defendant says that this head fails.",
    "The Claimant asks whether £{sum} is due.",
    "If it rained, nothing is due.",
)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_reasons_in_any_words_answer_a_claim_and_what_others_say_does_not(data: st.DataObject) -> None:
    """A paragraph about one head answers it; a refused head that the sum ordered holds all the same is told."""
    first, second = data.draw(st.integers(300, 5_000)), data.draw(st.integers(100, 290))
    people = (
        Party(id="P", name="Ann Lee", side="claimant", titles=("Claimant",)),
        Party(id="D", name="Fix Ltd", side="defendant", titles=("Defendant",)),
    )
    amounts = (Amount(value=Decimal(first), currency="GBP"), Amount(value=Decimal(second), currency="GBP"))
    texts = ("the cost of a new worktop", "the bill of a plumber")
    claims = tuple(Claim(id=str(n), text=texts[n - 1], amount=amounts[n - 1]) for n in (1, 2))
    framed = CaseFrame(people, claims)
    heads = [data.draw(st.sampled_from(HEADS)) for _ in claims]
    yes, no, heard = (data.draw(st.sampled_from(these)) for these in (YES, NO, HEARSAY))
    said = [heads[0].format(n=1, answer=yes.format(sum=first)), heads[1].format(n=2, answer=no)]
    text = "Judgment\n\n{}\n\nORDER\n\n1. The Defendant must pay the Claimant £{} within 14 days.\n"
    decision = read_decision(text.format("\n\n".join(said), first), framed, document="x")
    assert {one.about: one.result for one in decision.findings} == {("1",): "proved", ("2",): "not_proved"}
    hearsay = heads[1].format(n=2, answer=heard.format(sum=second))
    assert not read_decision(text.format(hearsay, first), framed, document="x").findings
    raised = [
        {one.check.id for one in audit_text(text.format("\n\n".join(said), paid), "x", (english(),), framed).alarms}  # type: ignore[union-attr]
        for paid in (first, first + second)
    ]
    assert "denied_in_reasons" not in raised[0] and "denied_in_reasons" in raised[1]
