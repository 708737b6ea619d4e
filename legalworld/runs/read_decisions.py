"""What a document that is put in place of another says of the decision that it states: read in its text.

Values are stretches of the text, or the outcome that the text gives a claim or a person. What cannot be told is not
there: later stages find nothing in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..engine.settings import ReadAnswer
from ..law.text.case_frame import case_frame
from ..law.text.decision_outcomes import outcome_of
from ..law.text.decision_people import CaseFrame
from ..law.text.decisions import read_decision
from ..law.text.judgments import judgment
from ..law.text.lexicon import pattern
from ..model.case import Case
from ..model.decision import ChargeVerdict, Claim, Decision
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
