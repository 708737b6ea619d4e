"""What a document that is put in place of another says of the decision that it states: read in its text.

Values are stretches of the text, or the outcome that the text gives a claim or a person. What cannot be told is not
there: later stages find nothing in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..engine.settings import ReadAnswer
from ..law.text.case_frame import case_frame
from ..law.text.decision_people import CaseFrame
from ..law.text.decisions import read_decision
from ..law.text.judgments import judgment
from ..law.text.lexicon import pattern
from ..law.text.money import Money, sums
from ..law.text.numerals import fold
from ..model.case import Case
from ..model.decision import ChargeVerdict, Claim, Decision, Outcome, Relief
from ..model.decision_frame import claim_records, decision_stated, instance_of
from ..model.decision_parts import DecisionParts
from ..model.procedure import Procedure


def read_answers(procedure: Procedure, case: Case, document: str, text: str) -> tuple[ReadAnswer, ...]:
    """The answers that hold the parts of a decision, as a document says them."""
    parts = decision_stated(procedure, document)
    if parts is None:
        return ()
    frame = case_frame(procedure, case, parts)
    decision = read_decision(text, frame, document=document, instance=instance_of(procedure, parts))
    abouts = {record.id: record.about for record in claim_records(procedure, case, parts)}
    found = (
        *_stretches(procedure, parts, text),
        *_results(parts, {abouts[claim.id]: claim for claim in frame.claims}, decision),
        *_persons(parts, frame, (decision, text)),
    )
    return tuple(one for one in found if one.name in procedure.answers)


def _stretches(procedure: Procedure, parts: DecisionParts, text: str) -> Iterator[ReadAnswer]:
    """Findings, reasons and orders: a list where the answer is one."""
    found = judgment(text)
    for name, quotes in (
        (parts.findings, (found.findings,)),
        (parts.reasons, (found.opinion,)),
        (parts.orders, found.disposition),
    ):
        said = tuple(quote.text for quote in quotes if quote is not None)
        if said and name in procedure.answers:
            yield ReadAnswer(name, "", said if procedure.answers[name].form == "list" else "\n".join(said))


# ---- claims ----------------------------------------------------------------------------------------------------------


def _results(parts: DecisionParts, claims: Mapping[str, Claim], decision: Decision) -> Iterator[ReadAnswer]:
    for about, claim in claims.items():
        outcome = outcome_of(claim, decision)
        if parts.results and outcome is not None and outcome in parts.outcomes:
            yield ReadAnswer(parts.results, about, parts.outcomes[outcome])


def outcome_of(claim: Claim, decision: Decision) -> Outcome | None:
    """What becomes of a claim; None where that cannot be told, as where an item was not read."""
    if claim.costs:
        return _of_costs(claim, decision)
    if not decision.whole:
        return None
    named = [relief for relief in decision.reliefs if claim.id in relief.claims]
    rest = any(relief.rest and relief.result == "dismissed" for relief in decision.reliefs)
    granted = [relief for relief in named if relief.result in ("granted", "in_part")]
    if not granted:
        refused = rest or any(relief.result == "dismissed" for relief in named)
        return "dismissed" if refused else None
    if any(relief.result == "in_part" for relief in granted):
        return "in_part"
    whole = _as_asked(claim, granted[0]) if len(granted) == 1 else None
    if whole is None:  # where nothing is dismissed, all that is ordered is all that was asked for
        return None if rest else "granted"
    return "granted" if whole else "in_part"


def _as_asked(claim: Claim, relief: Relief) -> bool | None:
    """Whether an item gives all that a claim asks for: its sum, or the base and the rate of its interest; None where
    the two cannot be compared."""
    if claim.amount is not None and relief.amount is not None:
        same = claim.amount.currency == relief.amount.currency
        return relief.amount.value >= claim.amount.value if same else None
    bases = {one.base.value for one in relief.interest if one.base is not None}
    if relief.amount is None and bases:
        asked = {one.amount for one in sums(fold(claim.text)) if isinstance(one, Money)}
        return False if asked and not bases <= asked else None  # of the same base, the rate and the days may differ
    return None


def _of_costs(claim: Claim, decision: Decision) -> Outcome | None:
    """Costs are granted to whoever bears none of them. Who asks: the side whose claim it is, else the first."""
    side = {party.id: party.side for party in decision.parties}
    asks = claim.by or next((party.side for party in decision.parties if party.side), "")
    bear = {side.get(person, "") for item in decision.costs for share in item.shares for person in share.persons}
    if not bear or "" in bear:
        return None
    return "granted" if asks not in bear else "dismissed" if bear == {asks} else "in_part"


# ---- persons ---------------------------------------------------------------------------------------------------------


def _persons(parts: DecisionParts, frame: CaseFrame, read: tuple[Decision, str]) -> Iterator[ReadAnswer]:
    """What becomes of each accused, and the punishment in the words of the text. `read`: the decision and its text."""
    decision, text = read
    for about, person in frame.accused.items():
        verdicts = [one for one in decision.verdicts if one.person == person]
        if not verdicts or any(gap.part == f"verdicts/{person}" for gap in decision.thin):
            continue
        results = {one.result for one in verdicts}
        outcome = results.pop() if len(results) == 1 else ""
        if parts.verdicts and outcome in parts.outcomes:
            yield ReadAnswer(parts.verdicts, about, parts.outcomes[outcome])
        if parts.sentences and outcome == "convicted" and (said := _imposed(verdicts, text)):
            yield ReadAnswer(parts.sentences, about, said)


def _imposed(verdicts: list[ChargeVerdict], text: str) -> str:
    """The punishment that is to be executed, in the words of the text, up to what stands in brackets behind it."""
    places = [one.origin for one in verdicts if one.origin is not None]
    start, end = min(one.start or 0 for one in places), max(one.end or 0 for one in places)
    found = list(pattern("verdict", "imposed").finditer(text, start, end))
    return text[found[-1].end() : end].strip() if found else ""
