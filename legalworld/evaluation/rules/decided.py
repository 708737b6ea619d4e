"""What was decided against what the reference decided: who, whom, what, how much, how long; not in which words.

Both are read as records. An item counts where all that the reference says of it is the same; one of either side that
no reader takes apart is compared by its words, as `entries` does.
"""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal
from typing import Final

from ...law.text.case_frame import case_frame
from ...law.text.decision_items import ReadItem
from ...law.text.decision_people import CaseFrame
from ...law.text.decisions import read_ordered
from ...model.decision import Fate, InterestOrder, Relief
from ...model.decision_frame import decision_stated
from ...model.immutable import immutable
from ..metrics.matching import counted
from ..metrics.values import MissingScore, Reason
from .rule import RuleInput, RuleResult
from .sets import alike, compared

MONEY: Final = ("pay", "return")


@immutable
class Item:
    """An item of an operative part: its words, and what was read of it, None where something of it was not."""

    words: str
    read: ReadItem | None


def decided(case: RuleInput) -> RuleResult | MissingScore:
    """The items of an operative part that decide as an item of the reference does, one to one: F1 and its parts.

    Of an item of the reference all must be the same that it says: the order, who is to perform it, for whom, the sum,
    jointly or not, base, rate and first day of interest, the period; a dismissal of the same claims; the fate of the
    same items below. A text without an operative part decides nothing and is no evidence.
    """
    frame = _frame(case)
    expected = [one for text in ("\n".join(case.expected),) for one in _items(text, frame, alone=True)]
    if not expected:
        return MissingScore(Reason.NO_REFERENCE)
    given = [one for piece in case.evidence for one in _items(piece.text, frame, alone=False)]
    if not given:
        return MissingScore(Reason.MISSING)
    free = list(range(len(given)))
    lacking: list[str] = []
    for truth in expected:
        found = next((at for at in free if _same(truth, given[at])), None)
        if found is None:
            lacking.append(truth.words)
        else:
            free.remove(found)
    result = compared(counted(len(expected) - len(lacking), len(given), len(expected)))
    if isinstance(result, MissingScore):
        return result
    return RuleResult(result.value, "; ".join((result.reason, *lacking))[:400], result.parts)


def _frame(case: RuleInput) -> CaseFrame:
    """The case of the decision that the evidence states; of the first decision where it states none."""
    procedure = case.stored.procedure
    documents = [piece.document for piece in case.evidence if piece.document]
    stated = (decision_stated(procedure, document) for document in documents)
    parts = next((one for one in stated if one is not None), next(iter(procedure.decisions.values()), None))
    if parts is None:
        return CaseFrame()
    return case_frame(procedure, case.stored.case, parts, case.stored.persons.values())


def _items(text: str, frame: CaseFrame, *, alone: bool) -> list[Item]:
    return [
        Item(said.text, read if read.known and not read.thin else None)
        for said, read in read_ordered(text, frame, alone=alone)
    ]


def _same(truth: Item, guess: Item) -> bool:
    """Whether two items decide the same."""
    if truth.read is None or guess.read is None:
        return alike(truth.words, guess.words)
    fates = [{_fate(one) for one in item.fates} for item in (truth.read, guess.read)]
    pairs = list(zip(truth.read.reliefs, guess.read.reliefs, strict=False))
    return (
        fates[0] == fates[1]
        and truth.read.remanded == guess.read.remanded
        and len(truth.read.reliefs) == len(guess.read.reliefs)
        and all(_same_relief(one, other) for one, other in pairs)
    )


def _fate(fate: Fate) -> Hashable:
    return fate.item, fate.result


def _same_relief(truth: Relief, guess: Relief) -> bool:
    """Whether an order or dismissal is the same in all that the reference says."""
    if truth.result != guess.result or _kind(truth) != _kind(guess):
        return False
    if truth.result == "dismissed":
        said = (set(truth.claims), truth.rest, truth.object) == (set(guess.claims), guess.rest, guess.object)
        return said and _people(truth.payees, guess.payees)
    return (
        _people(truth.payers, guess.payers)
        and _people(truth.payees, guess.payees)
        and _sum(truth) == _sum(guess)
        and (truth.liability is None or truth.liability == guess.liability)
        and [_interest(one) for one in truth.interest] == [_interest(one) for one in guess.interest]
        and (truth.within is None or guess.within is None or truth.within == guess.within)
        and (_sum(truth) is not None or bool(truth.interest) or alike(truth.object, guess.object))
    )


def _kind(relief: Relief) -> str:
    return "money" if relief.order in MONEY else relief.order or ""


def _people(truth: tuple[str, ...], guess: tuple[str, ...]) -> bool:
    """Whether the same people are meant; whoever the reference does not name may be anybody."""
    return not truth or set(truth) == set(guess)


def _sum(relief: Relief) -> tuple[Decimal, str] | None:
    """The sum of an order, its parts together where nobody added them up."""
    sums = [relief.amount] if relief.amount is not None else [part.amount for part in relief.parts]
    if len({one.currency for one in sums}) != 1:
        return None
    return sum((one.value for one in sums), Decimal(0)), sums[0].currency


def _interest(interest: InterestOrder) -> Hashable:
    return interest.base, interest.rate, interest.per, interest.formula, interest.since
