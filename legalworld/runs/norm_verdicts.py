"""What norms decided of one of the accused, as a record: by which text and tier, in which range, by which steps.

It says why a sentence is suspended, or why it is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from ..model.decision import Amount, ChargeVerdict, Decision, LawfulRange, ServedSentence, SuspendedWhy, Thin
from ..norms.definition import NormSet, SentencingRules
from ..norms.penal import JudgedCharge
from ..norms.penal_range import PenalRange
from .norm_charges import ASKED, JudgedPerson

FINE: Final = "fine"


def verdict_record(norms: NormSet, one: JudgedPerson) -> Mapping[str, Any]:
    """Return the decision about one of the accused as JSON, by what whoever accuses asks for."""
    found, rules = one.judged[ASKED[0]], norms.sentencing
    served = {sentence.person: sentence for sentence in found.sentences}
    alone = len(found.charges) == 1
    verdicts = tuple(_verdict(norms, each, served.get(one.party.id) if alone else None) for each in found.charges)
    thin = [
        Thin(part=f"verdicts/{each.verdict.charge}", kind=kind, missing=missing)
        for each in found.charges
        for kind, missing in each.thin
    ]
    thin += [Thin(part="sentences", kind=kind, missing=missing) for _, kind, missing in found.thin]
    record = Decision(
        verdicts=verdicts,
        sentences=found.sentences,
        reliefs=tuple(order.model_copy(update={"id": f"law/{number}"}) for number, order in enumerate(found.orders, 1)),
        findings=tuple(finding for each in found.charges for finding in each.findings),
        thin=tuple(dict.fromkeys(thin)),
    )
    return record.model_dump(mode="json", exclude_defaults=True) if rules is not None and verdicts else {}


def _verdict(norms: NormSet, judged: JudgedCharge, served: ServedSentence | None) -> ChargeVerdict:
    rules, found = norms.sentencing, judged.range
    assert rules is not None
    offence = norms.offences.get(judged.norm)
    titles = {one.name: one.title for one in (*rules.circumstances, *(offence.circumstances if offence else ()))}
    held = judged.verdict.circumstances
    why = _suspended(rules, judged, found, served) if found is not None else ""
    return judged.verdict.model_copy(
        update={
            "norm": judged.norm,
            "circumstances": tuple(one.model_copy(update={"name": titles.get(one.name, one.name)}) for one in held),
            "range": _range(found, norms.words.currency) if found is not None else None,
            "reckoning": judged.reckoning,
            "suspended": why,
            "cites": offence.cites if offence is not None else (),
        }
    )


def _range(found: PenalRange, currency: str) -> LawfulRange:
    def money(value: Decimal | None) -> Amount | None:
        return Amount(value=value, currency=currency) if value is not None else None

    return LawfulRange(
        main=found.main,
        least=found.least,
        most=found.most,
        extra=found.extra,
        fine_least=money(found.fine_least),
        fine_most=money(found.fine_most),
    )


def _suspended(
    rules: SentencingRules, judged: JudgedCharge, found: PenalRange, served: ServedSentence | None
) -> SuspendedWhy:
    """Why a sentence is suspended, or is not; "" where several sentences were combined, or none was imposed."""
    punishment = served.punishment if served is not None else None
    if punishment is None or punishment.term is None:
        return ""
    if punishment.probation is not None:
        return "must" if found.must else "asked"
    if any(circumstance.name in rules.barred for circumstance in judged.verdict.circumstances):
        return "barred"
    if not found.probation:
        return "unsuited"
    months = punishment.term.months
    return "too_long" if months is None or months > rules.probation_most else "unasked"
