"""A decision by norms as templates read it: orders, reasons, fees, what is missing; texts alone, nothing to reckon.

`decided` is there for scripted actors only, made from what the one who asks may see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..figures.sums import write_money, write_sum
from ..model.case import MISSING
from ..model.decision import (
    Amount,
    CostItem,
    CourtFinding,
    Decision,
    InterestOrder,
    Outcome,
    ReckonedLine,
    Relief,
    Thin,
)
from .appeal import ReviewedDecision
from .definition import Norm
from .findings import PLEA
from .material import Pleaded
from .told_argued import ArguedParts
from .told_words import Told, Wording

HALVES = 2
GRANTED: tuple[Outcome, ...] = ("granted", "in_part")


def told(
    decision: Decision,
    wording: Wording,
    raised: Sequence[Pleaded],
    *,
    here: str = "",
    review: ReviewedDecision | None = None,
) -> dict[str, Any]:
    """`decided`. `raised`: the defences that were; `here`: the claim in hand; `review`: what becomes of the decision
    below, where there is one."""
    by_claim = {claim: relief for relief in decision.reliefs for claim in relief.claims}
    thin = {relief.id: tuple(_of(decision.thin, place)) for place, relief in enumerate(decision.reliefs, 1)}
    argued = ArguedParts(decision, wording)
    reliefs = [_relief(relief, argued, thin[relief.id]) for relief in decision.reliefs]
    raised_pleas = tuple(_pleas(argued, raised))
    for place, one in enumerate((*raised_pleas, *reliefs), 1):
        one["number"] = str(place)
    by_id = {relief.id: shown for relief, shown in zip(decision.reliefs, reliefs, strict=True)}
    undecided = [one for one in decision.reliefs if one.result == "undecided"]
    return {
        "review": _review(review, wording, decision) if review is not None else MISSING,
        "there": bool(decision.reliefs),
        "walk_through": bool(undecided) and len(undecided) == len(decision.reliefs),
        "gaps": bool(undecided),
        "granted": any(one.result in GRANTED for one in decision.reliefs),
        "dismissed": any(one.result in ("dismissed", "in_part") or _spares(one, decision) for one in decision.reliefs),
        "results": tuple(_results(wording, by_claim, by_id, here)),
        "parts": tuple(reliefs),
        "facts": tuple(_facts(decision, argued)),
        "payers": wording.people(person for relief in decision.reliefs for person in relief.payers),
        "orders": tuple(one for one in reliefs if one["granted"]),
        "undecided": tuple(one for one in reliefs if one["outcome"] == "undecided"),
        "cites": wording.cited(decision.cites),
        "fees": tuple(_fee(item, wording) for item in decision.costs),
        "pleas": raised_pleas,
    }


def _spares(relief: Relief, decision: Decision) -> bool:
    """Whether a claim against several is granted against some of them only: against the others it is dismissed."""
    by = {claim.by for claim in decision.claims if claim.id in relief.claims}
    others = {party.id for party in decision.parties if party.side and party.side not in by}
    return relief.result in GRANTED and bool(relief.payers) and bool(others - {*relief.payers})


def _results(wording: Wording, by_claim: Mapping[str, Relief], by_id: Mapping[str, Told], here: str) -> Iterator[Told]:
    """What becomes of each claim of the case, of all its parts together."""
    for item, names in wording.items.items():
        ours = [by_claim[name] for name in names if name in by_claim]
        undecided = any(relief.result == "undecided" for relief in by_claim.values())
        outcome = "undecided" if not ours and undecided else _together(ours)  # who bears the costs turns on the rest
        shown = tuple(by_id[relief.id] for relief in ours)
        bars = (gap["missing"] for part in shown for gap in part["thin"] if gap["bars"])
        yield {
            "claim": item,
            "outcome": outcome,
            "word": wording.outcomes.get(outcome, outcome),
            "parts": shown,
            "costs": not ours,
            "here": item == here,
            "missing": tuple(dict.fromkeys(bars)),
        }


def _review(review: ReviewedDecision, wording: Wording, decision: Decision) -> Told:
    """What becomes of the decision below, item by item."""

    def order(relief: Relief) -> Told:
        return _relief(relief, ArguedParts(decision, wording), ())

    return {
        "disposition": review.disposition,
        "items": tuple(
            {
                "item": one.item,
                "fate": one.fate,
                "rest": one.rest,
                "untried": one.untried,
                "barred": one.barred,
                "order": order(one.order) if one.order is not None else MISSING,
            }
            for one in review.items
        ),
        "added": tuple(map(order, review.added)),
        "rest": review.rest,
        "won": tuple(sorted(review.won)),
        "fees": tuple(_fee(item, wording) for item in review.fees),
    }


def _together(reliefs: Sequence[Relief]) -> Outcome:
    """What becomes of a claim that several parts answer: it is granted where all are, open where none is decided."""
    found = {relief.result for relief in reliefs}
    if not found or found == {"granted"}:
        return "granted"
    if found & {*GRANTED}:
        return "in_part"
    return "undecided" if "undecided" in found else "dismissed"


def _of(thin: Sequence[Thin], place: int) -> Iterator[Thin]:
    return (one for one in thin if one.part == f"reliefs/{place}")


# ---- one relief ------------------------------------------------------------------------------------------------------


def _relief(relief: Relief, argued: ArguedParts, thin: Sequence[Thin]) -> dict[str, Any]:
    decision, wording = argued.decision, argued.wording
    claim = next((one for one in decision.claims if one.id in relief.claims), None)
    head = wording.norms.words.heads.get(claim.text) if claim is not None else None
    norm = wording.norms.norms.get(relief.norm) or wording.norms.reviews.get(relief.norm)
    item = next((name for name, parts in wording.items.items() if {*relief.claims} & {*parts}), "")
    known = norm if isinstance(norm, Norm) else None
    return {
        "claim": item,
        "apart": len(wording.items.get(item, ())) > 1,
        "outcome": relief.result,
        "granted": relief.result in GRANTED,
        "head": head.title if head is not None else "",
        "norm": norm.title if norm is not None else relief.norm,
        "residual": isinstance(norm, Norm) and norm.residual,
        "checked": norm is None or not norm.unchecked,
        "order": relief.order or "",
        "object": relief.object,
        "within": str(relief.within.days) if relief.within is not None and relief.within.days else "",
        "payers": wording.people(relief.payers),
        "payees": wording.people(relief.payees),
        "jointly": relief.liability == "jointly",
        "amount": _sum(relief.amount),
        "asked": _sum(claim.amount if claim is not None else None),
        "interest": tuple(_interest(one, wording) for one in relief.interest),
        "findings": tuple(_finding(one, argued, known) for one in _findings(decision, relief) if _tells(one, relief)),
        "argued": argued.argument(relief, known, _by_name(argued, relief, known)),
        "lines": tuple(_line(one) for place, one in enumerate(relief.reckoning) if not place or not _idle(one)),
        "cites": wording.cited(relief.cites),
        "thin": tuple(_gap(one, bars=relief.result == "undecided" and one is thin[-1]) for one in thin),
    }


def _findings(decision: Decision, relief: Relief) -> Iterator[CourtFinding]:
    return (one for one in decision.findings if {*relief.claims} & {*one.about})


def _by_name(argued: ArguedParts, relief: Relief, norm: Norm | None) -> dict[str, Told]:
    """The findings of a relief that are about no defence, by the names of their facts."""
    found = (one for one in _findings(argued.decision, relief) if not _is_plea(one))
    return {one.id.rpartition("/")[2]: _finding(one, argued, norm) for one in found}


def _gap(thin: Thin, *, bars: bool) -> Told:
    """What is missing. `bars`: it is why nothing is decided; else it is only told beside."""
    return {"kind": thin.kind, "missing": thin.missing, "bars": bars}


def _sum(amount: Amount | None) -> str:
    return write_money(amount.value) if amount is not None else ""


def _interest(order: InterestOrder, wording: Wording) -> Told:
    return {
        "base": _sum(order.base),
        "named": order.named,
        "times": "" if order.formula.endswith("*1") else order.formula.rpartition("*")[2],
        "rate": write_sum(order.rate) if order.rate is not None else "",
        "per": order.per,
        "since": wording.day(order.since),
        "until": wording.day(order.until),
        "so_far": _sum(order.so_far),
        "so_far_until": wording.day(order.so_far_until),
    }


def _finding(finding: CourtFinding, argued: ArguedParts, norm: Norm | None) -> Told:
    wording, name = argued.wording, finding.id.rpartition("/")[2]
    return {
        **argued.finding(finding, norm.needs.get(name) if norm is not None else None),
        "fact": finding.fact,
        "result": finding.result,
        "amount": _sum(finding.amount),
        "by": finding.by,
        "against": finding.against,
        "burden": wording.people(wording.beside(finding.burden)),
        "plea": _is_plea(finding),
        "in_words": finding.origin is not None and finding.origin.hand == "text",
    }


def _pleas(argued: ArguedParts, raised: Sequence[Pleaded]) -> Iterator[dict[str, Any]]:
    """Each defence that was raised and that a norm knows, once: who raised it, and whether it held anywhere."""
    decision, wording = argued.decision, argued.wording
    norms = wording.norms.norms
    findings = {one.id: _by_name(argued, one, norms.get(one.norm)) for one in decision.reliefs}
    titles = {plea.id: plea.title for norm in wording.norms.norms.values() for plea in norm.pleas}
    held = {one.fact for one in decision.findings if _is_plea(one) and one.result == "proved"}
    weighed = {one.fact for one in decision.findings if _is_plea(one)}
    for plea in dict.fromkeys((one.plea, one.side) for one in raised):
        title = titles.get(plea[0], "")
        if title:
            by = wording.people(party.id for party in wording.parties if party.side == plea[1])
            yield {
                **argued.plea(plea[0], norms, findings),
                **{"title": title, "by": by, "sustained": title in held, "weighed": title in weighed},
            }


def _is_plea(finding: CourtFinding) -> bool:
    return finding.origin is not None and finding.origin.detail == PLEA


def _facts(decision: Decision, argued: ArguedParts) -> Iterator[Told]:
    """Each fact that was found or that a norm needs, by its name: whether it was found for any claim, and who has to
    show it."""
    found: dict[str, bool] = {}
    for one in decision.findings:
        name = one.id.rpartition("/")[2]
        found[name] = found.get(name, False) or one.result not in ("not_proved", "open")
    burden: dict[str, tuple[str, ...]] = {}
    for relief in decision.reliefs:
        norm = argued.wording.norms.norms.get(relief.norm)
        sides = argued.sides(relief)
        burden |= {name: tuple(sides.get(need.burden, ())) for name, need in (norm.needs if norm else {}).items()}
    for name in dict.fromkeys((*found, *burden)):
        people = argued.wording.people(burden.get(name, ()))
        yield {"fact": name, "found": found.get(name, False), "burden": people}


def _tells(finding: CourtFinding, relief: Relief) -> bool:
    """Whether a finding says anything for this relief: that nobody showed what only the other side might is no news."""
    shown = bool(finding.by or finding.against) or finding.result not in ("not_proved", "open")
    others = bool(finding.burden) and finding.burden in relief.payers
    return shown or (relief.result not in GRANTED and not others)


def _idle(line: ReckonedLine) -> bool:
    """Whether a line changes nothing: nothing is added or taken away."""
    value = line.value.value if isinstance(line.value, Amount) else line.value
    return line.operation in ("plus", "minus") and not value


def _line(line: ReckonedLine) -> Told:
    """A line of a reckoning; `sum`: its value is money, else a plain number, which is no label of itself."""
    value = line.value
    money = isinstance(value, Amount)
    number = write_money(value.value) if isinstance(value, Amount) else write_sum(value)
    label = "" if line.label == number else line.label
    return {"label": label, "operation": line.operation, "value": number, "sum": money}


def _fee(item: CostItem, wording: Wording) -> Told:
    return {
        "item": item.item,
        "amount": _sum(item.amount),
        "halved": item.halved,
        "whole": write_money(item.amount.value * HALVES) if item.amount is not None else "",
        "shares": tuple(
            {"payers": wording.people(share.persons), "amount": _sum(share.amount)} for share in item.shares
        ),
    }
