"""Sums that the reasons award, and whether the orders have them.

A sum counts that the court says for itself that somebody who is sued has to pay, or that it grants. Where something is
set off, or an order states a total that may hold it, nothing is told of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from ...law.text.decision_people import mentions
from ...law.text.decision_reasons import sums_told
from ...law.text.lexicon import endings, pattern
from ...law.text.money import Money, sums
from ...law.text.numerals import fold
from ...model.decision import Amount, PartOrigin
from .audited import Audited
from .schema import Held, Node, NotRead
from .view_reasons import claimed, clauses, of_sued, reasons_grant, unsure, veiled

MOST_ADDED: Final = 12


def awards_view(audited: Audited) -> Iterator[Node]:
    """Each sum that the reasons award, once."""
    awarded = dict(awards(audited))
    for value, origin in awarded.items():
        values: dict[str, Held | NotRead] = {
            "amount": Held(Amount(value=value, currency="CNY"), origin),
            "ordered": _ordered(value, origin, frozenset(awarded), audited),
        }
        yield Node("award", f"{value:f}", values, {}, origin)


def reasons_award(audited: Audited) -> Held | NotRead:
    """Whether the reasons grant anything of what was asked, in words or by a sum."""
    granted = reasons_grant(audited)
    first = next(awards(audited), None)
    return Held(True, first[1]) if first is not None and granted == Held(False) else granted


def awards(audited: Audited) -> Iterator[tuple[Decimal, PartOrigin]]:
    """The sums that the court says are to be paid, each with the clause that says so."""
    before = ""
    for said, at in clauses(audited):
        for value in _awarded(said, before, audited):
            yield value, audited.at(at, at + len(said))
        before = said


def _awarded(said: str, before: str, audited: Audited) -> list[Decimal]:
    bare = veiled(said, audited)
    if unsure(said, audited) or pattern("decision", "award_partly").search(bare) or audited.act_reviewed:
        return []
    if pattern("decision", "periodic").search(bare):
        return []
    due = pattern("decision", "award_due").search(said)
    if due is not None and _by_sued(said, due.start("what"), before, audited):
        return _sums(said, due.start("what"))
    supported = pattern("decision", "award_supported").search(said)
    if supported is not None and not any(word in bare for word in endings("decision", "negation")):
        return _sums(said, supported.start("what"))
    borne = pattern("decision", "award_borne").search(said)
    if borne is not None and of_sued(borne["who"], audited):
        return _sums(said, borne.start("what"))
    granted = any(word in bare for word in endings("decision", "granted"))
    told = _sums(before, 0)
    if granted and not sums_told(said) and not any(word in bare for word in endings("decision", "negation")):
        return told if len(told) == 1 and told[0] in claimed(audited) else []
    return []


def _by_sued(said: str, verb: int, before: str, audited: Audited) -> bool:
    """Whether those who are sued are to pay: they are named first, or nobody is and nobody else was just before."""
    if [one for one in mentions(said, audited.frame, 0, verb) if one.people]:
        return of_sued(said[:verb], audited)
    return of_sued(before, audited) or not mentions(before, audited.frame)


def _sums(said: str, start: int) -> list[Decimal]:
    """The sums behind a place of a clause; of a reckoning what it comes to."""
    found = [one.amount for one in sums(fold(said)) if isinstance(one, Money) and one.start >= start]
    return found[-1:] if pattern("decision", "equals").search(said) else found


def _totals(told: set[Decimal]) -> set[Decimal]:
    """What any of some sums come to together; of many, all of them alone."""
    if len(told) > MOST_ADDED:
        return {sum(told, Decimal(0))}
    found = {Decimal(0)}
    for one in told:
        found |= {one + other for other in found}
    return found


def _ordered(value: Decimal, said: PartOrigin, awarded: frozenset[Decimal], audited: Audited) -> Held | NotRead:
    """Whether the orders have a sum, by itself or in a total; open where it may have been set off or added up."""
    ordered = audited.regions.ordered
    if ordered is None or not audited.decision.whole:
        return NotRead("reliefs")
    place = audited.at(ordered.start, ordered.end)
    words = pattern("decision", "as_base").sub("", fold(ordered.text))
    told = sums_told(words)
    if value in told or sum(awarded, Decimal(0)) in told or value in _totals(told):
        return Held(True, place)
    offset = pattern("decision", "award_offset")
    reasons = audited.regions.reasons
    later = offset.search(audited.folded, said.start or 0, reasons.end) if reasons is not None else None
    if later is not None or offset.search(words):
        return NotRead("set_off")
    if any(one > value and one not in awarded for one in told) or _added_up(value, said, awarded | told, audited):
        return NotRead("sums")
    return Held(False, place)


def _added_up(value: Decimal, said: PartOrigin, known: frozenset[Decimal] | set[Decimal], audited: Audited) -> bool:
    """Whether the reasons go on from a sum to a total that is neither awarded nor ordered: what is reckoned with it
    further is told nowhere."""
    reasons = audited.regions.reasons
    if reasons is None:
        return False
    for found in pattern("decision", "summed_up").finditer(audited.folded, said.start or 0, reasons.end):
        if any(one > value and one not in known for one in sums_told(found["sum"])):
            return True
    return False
