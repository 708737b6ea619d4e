"""What was decided against what the reference decided: who, whom, what, how much, how long; not in which words.

Both are read as records. An item counts where all that the reference says of it is the same; one of either side that
no reader takes apart is compared by its words, as `entries` does.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Final

from ...law.text.case_frame import case_frame
from ...law.text.decision_items import ReadItem
from ...law.text.decision_people import CaseFrame
from ...law.text.decisions import read_ordered
from ...law.text.lexicon import pattern
from ...model.decision import Fate, InterestOrder, Relief
from ...model.decision_frame import decision_stated
from ...model.immutable import immutable
from ..metrics.matching import counted
from ..metrics.values import MissingScore, Reason
from .rule import RuleInput, RuleResult
from .sets import alike, compared, letter_pairs

_SENTENCE: Final = re.compile(r"(?<=[\u3002\uff1b;])\s*\n\s*(?=\S)")
_WITHIN: Final = re.compile(r"[(\uff08\d]")
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
        others = [one for one in expected if one is not truth]
        found = next((at for at in free if _same(truth, given[at]) and not _meant(given[at], truth, others)), None)
        if found is None:
            lacking.append(truth.words)
        else:
            free.remove(found)
    result = compared(counted(len(expected) - len(lacking), len(given), len(expected)))
    if isinstance(result, MissingScore):
        return result
    return RuleResult(result.value, "; ".join((result.reason, *lacking))[:400], result.parts, truth=_common(expected))


def _common(expected: Sequence[Item]) -> str:
    """What a reference decides, where nothing of it is this case's own: it orders nothing, and all of it was read."""
    read = [one.read for one in expected]
    if any(one is None or any(relief.result != "dismissed" for relief in one.reliefs) for one in read):
        return ""
    return "; ".join(sorted(one.words.strip(" 。；;") for one in expected))


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
    found: list[Item] = []
    for said, read in read_ordered(text, frame, alone=alone):
        first, *more = _lines(said.text)
        every = [(said.text, read)]
        if more:
            every = [(one.text, read) for line in (first, *more) for one, read in read_ordered(line, frame, alone=True)]
        found += [Item(words, read if read.known and not read.thin else None) for words, read in every]
    return found


def _lines(text: str) -> list[str]:
    """The sentences of an item that stand on lines of their own, each an item: one whose number goes astray, or that
    has none, is not what the item before it says. What is numbered within an item stays with it."""
    lines: list[str] = []
    for line in _SENTENCE.split(text):
        if lines and _WITHIN.match(line):
            lines[-1] += f"\n{line}"
        else:
            lines.append(line)
    return lines or [text]


def _same(truth: Item, guess: Item) -> bool:
    """Whether two items decide the same."""
    if truth.read is None or guess.read is None:
        return alike(truth.words, guess.words) and _denied(truth.words) == _denied(guess.words)
    fates = [{_fate(one) for one in item.fates} for item in (truth.read, guess.read)]
    pairs = list(zip(truth.read.reliefs, guess.read.reliefs, strict=False))
    return (
        fates[0] == fates[1]
        and truth.read.remanded == guess.read.remanded
        and len(truth.read.reliefs) == len(guess.read.reliefs)
        and all(_same_relief(one, other) for one, other in pairs)
    )


def _denied(words: str) -> int:
    """How often words say that something is not to be done: of two texts that differ in that, one says the contrary."""
    return sum(1 for _ in pattern("decision", "negative_claim").finditer(words))


def _meant(guess: Item, truth: Item, others: Sequence[Item]) -> bool:
    """Whether an item is for what another item of the reference is for, and not for what this one is: of two sums that
    are exchanged neither is right."""
    mine, wanted = _purposes(guess), _purposes(truth)
    if not mine or not wanted or mine & wanted:
        return False
    return any(mine & _purposes(one) for one in others)


def _purposes(item: Item) -> frozenset[str]:
    """What the sums of an item are for, as pairs of letters."""
    reliefs = () if item.read is None else item.read.reliefs
    return frozenset(pair for one in reliefs if _sum(one) is not None for pair in letter_pairs(one.object))


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
