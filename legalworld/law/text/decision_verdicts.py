"""Verdicts of a criminal judgment as parts of a decision: one for each person and charge, and what he serves."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from ...model.decision import (
    Amount,
    ChargeVerdict,
    Judged,
    Length,
    PartOrigin,
    Penalty,
    PenaltyKind,
    ServedSentence,
    Term,
    Thin,
)
from .decision_people import CaseFrame
from .lexicon import pattern, words
from .numerals import fold
from .punishments import ALL, LIFE, PART, UNSAID, Defendant, Sentence
from .verdicts import YUAN, verdict

_KINDS: Final[dict[str, PenaltyKind]] = {
    "life": "life",
    "death": "death",
    "death_suspended": "death_suspended",
    "additional_only": "none",
}
_RESULTS: Final[dict[str, Judged]] = {
    "exempt": "exempt",
    "acquitted": "acquitted",
    "not_responsible": "not_responsible",
}


def read_verdicts(
    text: str, frame: CaseFrame, document: str
) -> tuple[list[ChargeVerdict], list[ServedSentence], list[Thin]]:
    """The verdicts of a judgment, what each person serves, and what could not be read."""
    verdicts: list[ChargeVerdict] = []
    served: list[ServedSentence] = []
    thin: list[Thin] = []
    for defendant in verdict(text).defendants:
        origin = PartOrigin(hand="text", source=document, start=defendant.start, end=defendant.end)
        person = _person(defendant.who, frame)
        if not person:
            thin.append(Thin(part="verdicts/person", kind="unread", missing=defendant.who or "", origin=origin))
        for warning in defendant.warnings:
            thin.append(Thin(part=f"verdicts/{person}", kind="unread", missing=warning, origin=origin))
        verdicts += _charges(defendant, person, origin)
        final = defendant.final
        served.append(
            ServedSentence(
                person=person,
                punishment=_penalty(final),
                since=final.term_from or "",
                until=final.term_to or "",
                origin=_with_days(text, origin) if final.term_to else origin,
            )
        )
    return verdicts, served, thin


def _with_days(text: str, origin: PartOrigin) -> PartOrigin:
    """The place of a sentence up to the bracket that tells its days."""
    found = pattern("decision", "dates_end").match(fold(text), origin.end or 0)
    return origin.model_copy(update={"end": found.end()}) if found is not None else origin


def _person(name: str | None, frame: CaseFrame) -> str:
    """The id of somebody named; where nobody is named, of the only one who is accused."""
    if name is not None:
        bearers = frame.by_name.get(name, ())
        return bearers[0].id if len(bearers) == 1 else ""
    return frame.people[0].id if len(frame.people) == 1 else ""


def _charges(defendant: Defendant, person: str, origin: PartOrigin) -> list[ChargeVerdict]:
    result = _result(defendant.final.penalty)
    counts = [count for count in defendant.counts if count.charge is not None]
    if not counts:
        return [ChargeVerdict(person=person, charge="", result=result, punishment=_own(defendant), origin=origin)]
    return [
        ChargeVerdict(
            person=person,
            charge=count.charge or "",
            result=_result(count.sentence.penalty) if count.sentence is not None else result,
            prior=count.prior,
            punishment=_penalty(count.sentence) if count.sentence is not None else _own(defendant, len(counts)),
            origin=origin,
        )
        for count in counts
    ]


def _own(defendant: Defendant, counts: int = 1) -> Penalty | None:
    """The final punishment is that of the charge where there is one."""
    return _penalty(defendant.final) if counts == 1 else None


def _key(penalty: str | None) -> str:
    return next((key for key, name in words("verdict", "penalty").items() if name == penalty), "")


def acquits(penalty: str) -> bool:
    """Whether what a verdict says in the place of a penalty is that somebody is not guilty, or not answerable."""
    return _RESULTS.get(_key(penalty)) in ("acquitted", "not_responsible")


def _result(penalty: str | None) -> Judged:
    return _RESULTS.get(_key(penalty), "convicted" if penalty is not None else "open")


def _penalty(said: Sentence) -> Penalty:
    key = _key(said.penalty)
    term = None
    if said.penalty is not None and key not in _RESULTS:
        term = Term(kind=_KINDS.get(key, "months"), name=said.penalty, months=said.months, days=said.days)
    return Penalty(
        term=term,
        probation=_length(said.probation_months, said.probation_days),
        fine=_yuan(said.fine),
        rights=Length(life=True) if said.political_rights == LIFE else _length(said.political_rights_months, None),
        confiscation=_confiscation(said.confiscation),
    )


def _length(months: int | None, days: int | None) -> Length | None:
    return Length(months=months, days=days) if months is not None or days is not None else None


def _yuan(value: Decimal | None) -> Amount | None:
    return Amount(value=value, currency=YUAN) if value is not None else None


def _confiscation(said: Decimal | str | None) -> Any:
    if isinstance(said, Decimal):
        return _yuan(said)
    return said if said in (ALL, PART, UNSAID) else None
