"""A part of a decision read where it is decided, before a document states it: who is ordered to pay whom how much.

What cannot be told is a gap of the part. Values are as the words give them; places are those in the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from ..language.values import number_in, one_currency
from ..law.text.case_frame import case_frame
from ..law.text.decision_people import CaseFrame
from ..law.text.decision_reasons import cites, facts_found
from ..law.text.decision_verdicts import read_verdicts
from ..law.text.decisions import read_orders
from ..law.text.judgment_head import Quote
from ..model.amendments import in_force
from ..model.case import Case, Typed
from ..model.decision import (
    Amount,
    ChargeVerdict,
    Claim,
    CostItem,
    CourtFinding,
    Decision,
    Outcome,
    PartOrigin,
    Relief,
    Thin,
)
from ..model.decision_frame import claim_records
from ..model.decision_parts import PartRead, PartReader, PartToRead
from ..model.numbers import SIGNS, WrittenNumber
from ..model.procedure import Procedure

PAYS: Final = ("payers", "payees", "amount")
MOVES: Final = ("pay", "return", "deliver")
GRANTED: Final = ("granted", "in_part")
UNDECIDED: Final[Outcome] = "undecided"


def part_reader(procedure: Procedure, case: Case) -> PartReader:
    """Who reads what a court decides in a case of a procedure."""
    reading = _PartReading(procedure, case)
    return reading.read


class _PartReading:
    """The parts of decisions, read against one case."""

    def __init__(self, procedure: Procedure, case: Case) -> None:
        self.procedure = procedure
        self.case = case
        self._of: dict[tuple[str, tuple[str, ...]], tuple[CaseFrame, Mapping[str, Claim]]] = {}

    def read(self, part: PartToRead) -> PartRead:
        frame, _ = self._frame(part)
        readers: Mapping[str, Callable[[PartToRead, CaseFrame], PartRead]] = {
            "findings": _findings,
            "reasons": _reasons,
            "orders": _orders,
            "results": self._result,
            "verdicts": _verdict,
            "sentences": _sentence,
            "costs": _costs,
            "also": _also,
        }
        reader = readers.get(part.part)
        return _answered(reader(part, frame)) if reader is not None else PartRead()

    def _frame(self, part: PartToRead) -> tuple[CaseFrame, Mapping[str, Claim]]:
        """The frame of a decision, and its claims by what an answer about them is kept under."""
        key, parts = (part.decision.name, part.amended), part.decision
        if key not in self._of:
            case = in_force(self.procedure, self.case, part.amended)
            frame = case_frame(self.procedure, case, parts)
            claims = {claim.id: claim for claim in frame.claims}
            records = claim_records(self.procedure, case, parts)
            self._of[key] = frame, {one.about: claims[one.id] for one in records}
        return self._of[key]

    def _result(self, part: PartToRead, frame: CaseFrame) -> PartRead:
        """What becomes of one claim. Where no orders are decided beside it, the sentence itself must tell what is
        granted: who is to pay whom how much."""
        claim = self._frame(part)[1].get(part.about)
        allowed = _number(part) if not part.decision.outcomes else None
        outcome: Any = part.decision.outcome(_text(part)) if allowed is None else _by_sum(allowed, claim)
        of = (claim.id,) if claim is not None else ()
        relief = Relief(id=part.about, claims=of, result=outcome or "open", amount=_allowed(allowed, claim))
        thin = () if outcome else (_gap(part, f"reliefs/{part.about}/result"),)
        owed = claim is not None and claim.amount is not None and outcome in GRANTED and allowed is None
        if not owed or part.decision.orders or claim is None:
            return PartRead(Decision(reliefs=(relief,), thin=thin))
        return _granted(part, claim, frame, relief)


# ---- one part --------------------------------------------------------------------------------------------------------


def _verdict(part: PartToRead, frame: CaseFrame) -> PartRead:
    """Whether one of the accused is convicted; of whom that is said is open where several bear his name."""
    said = part.decision.outcome(_text(part))
    result: Any = "open" if said in ("", UNDECIDED) else said
    person = frame.accused.get(part.about, "")
    verdict = ChargeVerdict(person=person, charge="", result=result)
    gaps = [_gap(part, f"verdicts/{part.about}/person")] if not person else []
    gaps += [_gap(part, f"verdicts/{part.about}/result")] if not said else []
    return PartRead(Decision(verdicts=(verdict,), thin=tuple(gaps)))


def _sentence(part: PartToRead, frame: CaseFrame) -> PartRead:
    """What one of the accused is sentenced to."""
    person = frame.accused.get(part.about, "")
    alone = CaseFrame(tuple(one for one in frame.people if one.id == person))
    _, served, thin = read_verdicts(_text(part), alone, part.source)
    found = tuple(one for one in served if one.person == person) if person else ()
    gaps = tuple(thin) if found else (_gap(part, f"sentences/{part.about}"),)
    return PartRead(Decision(sentences=found[:1], thin=gaps))


def _also(part: PartToRead, frame: CaseFrame) -> PartRead:
    """What is decided of all claims together says no more of any of them than that nothing is decided."""
    if part.decision.outcome(_text(part)) != UNDECIDED:
        return PartRead()
    claims = tuple(claim.id for claim in frame.claims if not claim.costs)
    return PartRead(Decision(reliefs=(Relief(id=part.about, claims=claims, result=UNDECIDED),)))


def _findings(part: PartToRead, frame: CaseFrame) -> PartRead:
    """What was found, by the exhibit that shows it; else as one finding, of which is not told how it was proved."""
    text = _text(part)
    found = tuple(facts_found(Quote(0, len(text), text), frame, part.source))
    whole = CourtFinding(id=part.about or "1", fact=text, result="open", origin=_place(part, text))
    return PartRead(Decision(findings=found or (whole,)))


def _reasons(part: PartToRead, frame: CaseFrame) -> PartRead:
    del frame
    text = _text(part)
    return PartRead(Decision(cites=tuple(cites(Quote(0, len(text), text), part.source, "reasons"))))


def _orders(part: PartToRead, frame: CaseFrame) -> PartRead:
    orders = (part.value,) if isinstance(part.value, str) else part.value
    found = read_orders(orders, frame, part.source)
    return PartRead(found, tuple(_lacking(found)))


def _lacking(found: Decision) -> Iterator[tuple[str, str]]:
    """What orders to pay or to hand over do not say. What is handed over and is no money need not be a sum."""
    owing = {one.item for one in found.reliefs if one.order in MOVES}
    yield from ((item, what) for item, what in _gaps(found) if item in owing and what in PAYS)
    told = {(item, what) for item, what in _gaps(found) if what in ("amount", "periodic")}
    for one in found.reliefs:
        known = one.amount is not None or one.parts or one.interest or {item for item, _ in told} & {one.item}
        if one.order == "pay" and not known:
            yield one.item, "amount"


def _is_payment(relief: Relief) -> bool:
    money = relief.amount is not None or bool(relief.parts) or bool(relief.interest)
    return relief.order == "pay" or (relief.order == "return" and money)


def _gaps(found: Decision) -> Iterator[tuple[str, str]]:
    """The gaps of items, each as the number of its item and what is missing."""
    for gap in found.thin:
        place, _, rest = gap.part.partition("/")
        item, _, what = rest.partition("/")
        if place == "items" and what:
            yield item, what


def _granted(part: PartToRead, claim: Claim, frame: CaseFrame, relief: Relief) -> PartRead:
    """A claim for money that is granted: what its sentence orders. What it does not say stays open."""
    found = read_orders((part.words,), frame, part.source)
    paid = [one for one in found.reliefs if _is_payment(one)]
    if len(paid) != 1:
        gaps = tuple(_gap(part, f"reliefs/{claim.id}/{what}", what) for what in PAYS)
        return PartRead(Decision(reliefs=(relief,), thin=gaps), tuple(("", what) for what in PAYS))
    filled = paid[0].model_copy(update={"id": relief.id, "item": "", "claims": relief.claims, "result": relief.result})
    open_ = [what for _, what in _lacking(found)]
    gaps = tuple(_gap(part, f"reliefs/{claim.id}/{what}", what) for what in open_)
    return PartRead(Decision(reliefs=(filled,), thin=gaps), tuple(("", what) for what in open_))


def _costs(part: PartToRead, frame: CaseFrame) -> PartRead:
    """Costs fixed as a number, in its own currency, else in that of what is claimed; who bears them it does not say."""
    stated = _number(part)
    claimed = {claim.amount.currency for claim in frame.claims if claim.amount is not None}
    currencies = claimed if stated is None or not stated.currency else _codes(stated.currency)
    known = stated is not None and len(currencies) == 1
    fixed = Amount(value=Decimal(stated.value), currency=next(iter(currencies))) if known and stated else None
    open_ = ("shares",) if fixed is not None else ("amount", "shares")
    gaps = tuple(_gap(part, f"costs/1/{what}", what) for what in open_)
    return PartRead(Decision(costs=(CostItem(item=part.source, amount=fixed),), thin=gaps))


def _by_sum(allowed: WrittenNumber, claim: Claim | None) -> str:
    """What becomes of a claim of which so much is allowed; "" where what was claimed is not known, or is of another
    currency."""
    value = Decimal(allowed.value)
    if not value:
        return "dismissed"
    if claim is None or claim.amount is None or not one_currency(allowed.currency, claim.amount.currency):
        return ""
    return "granted" if value >= claim.amount.value else "in_part"


def _allowed(allowed: WrittenNumber | None, claim: Claim | None) -> Amount | None:
    """The sum that is allowed, in the currency of the claim unless it has another one of its own."""
    if allowed is None or not Decimal(allowed.value):
        return None
    if claim is not None and claim.amount is not None and one_currency(allowed.currency, claim.amount.currency):
        return claim.amount.model_copy(update={"value": Decimal(allowed.value)})
    codes = _codes(allowed.currency) if allowed.currency else frozenset()
    return Amount(value=Decimal(allowed.value), currency=next(iter(codes))) if len(codes) == 1 else None


def _codes(currency: str) -> frozenset[str]:
    """The codes that a currency, as it is written, may have."""
    return SIGNS.get(currency, frozenset({currency}))


def _number(part: PartToRead) -> WrittenNumber | None:
    """A number as answers keep it, with its currency."""
    if not isinstance(part.value, str):
        return None
    return number_in(part.value if isinstance(part.value, Typed) else Typed(part.value, part.value), "en")


def _text(part: PartToRead) -> str:
    return part.value if isinstance(part.value, str) else "\n".join(part.value)


def _place(part: PartToRead, text: str) -> PartOrigin:
    return PartOrigin(hand="answer", source=part.source, start=0, end=len(text))


def _gap(part: PartToRead, path: str, missing: str = "") -> Thin:
    return Thin(part=path, kind="unread", missing=missing, origin=PartOrigin(hand="answer", source=part.source))


def _answered(read: PartRead) -> PartRead:
    """What was read with the hand that wrote it: an answer, not the text of a document."""
    filled = Decision.model_validate(_by_answer(read.filled.model_dump(mode="json", exclude_defaults=True)))
    return PartRead(filled, read.lacking)


def _by_answer(value: Any) -> Any:
    if isinstance(value, dict):
        same = {key: _by_answer(one) for key, one in value.items()}
        return {**same, "hand": "answer"} if same.get("hand") == "text" else same
    return [_by_answer(one) for one in value] if isinstance(value, list) else value
