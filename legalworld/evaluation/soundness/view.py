"""A decision as checks see it: every part with its properties, from the record and from the text that it was read in.

What only the text can tell - whether a sum that is ordered is told anywhere else - is looked for here. A property that
was not read, or that nothing in the text decides, is a `NotRead`, and whatever rests on it is not held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from ...law.text.decision_people import mentions
from ...law.text.decision_reasons import sums_told
from ...law.text.decisions import is_english
from ...law.text.lexicon import pattern
from ...law.text.numerals import fold
from ...law.text.times import Date, times
from ...model.decision import Amount, Claim, CourtFinding, Decision, InterestOrder, PartOrigin, Relief, total
from .audited import Audited, multiple
from .schema import Held, Node, NotRead
from .view_acts import granted_acts_view
from .view_awards import awards_view, reasons_award
from .view_costs import costs_view
from .view_decided import admissions_view, charges_view, decided_view
from .view_english import told_in_english
from .view_law import cites_view, within_cap
from .view_liable import liabilities_view
from .view_penal import sentences_view, verdicts_view
from .view_people import mentions_view, persons_view
from .view_reasons import beside_dismissal, denied, grants, limitation

ROUNDED: Final = 1  # below this a claim asks for what the court finds, without the change

TWO: Final = 2
MOST_SUMS = 60  # that are tried in pairs; a text with more tells too many for a pair to mean anything


def view(audited: Audited) -> Node:
    """The whole decision as a node of kind `decision`."""
    decision = audited.decision
    lists = {
        "claims": tuple(_claim(one, audited) for one in audited.claims),
        "reliefs": tuple(_relief(one, audited) for one in decision.reliefs),
        "interests": tuple(_interest(one, relief, audited) for relief in decision.reliefs for one in relief.interest),
        "findings": tuple(_finding(one, audited) for one in decision.findings),
        "costs": costs_view(audited),
        "verdicts": verdicts_view(audited),
        "sentences": sentences_view(audited),
        "persons": persons_view(audited),
        "mentions": tuple(mentions_view(audited)),
        "items_below": tuple(_items_below(audited)),
        "fates": tuple(_fates(audited)),
        "cites": tuple(cites_view(audited)),
        "awards": tuple(awards_view(audited)),
        "decided": tuple(decided_view(audited)),
        "charges": tuple(charges_view(audited)),
        "admissions": tuple(admissions_view(audited)),
        "liabilities": tuple(liabilities_view(audited)),
        "granted_acts": tuple(granted_acts_view(audited)),
    }
    origin = audited.at(0, min(len(audited.text), 40))
    return Node("decision", "", _whole(audited), lists, origin)


# ---- the whole -------------------------------------------------------------------------------------------------------


def _whole(audited: Audited) -> dict[str, Held | NotRead]:
    decision = audited.decision
    remedy = decision.remedy
    one_instance = pattern("decision", "one_instance").search(audited.folded) is not None
    return {
        "instance": Held(Decimal(decision.instance)),
        "filed": _day("filed", audited),
        "heard": _day("heard", audited),
        "day": Held(audited.judged, audited.at(max(0, len(audited.text) - 60), len(audited.text)))
        if audited.judged
        else NotRead("day"),
        "granted": _granted(decision),
        "claimed": NotRead("counterclaim") if _one_sided(audited) else _claimed(audited.claims),
        "final": Held(remedy.final, remedy.origin) if remedy is not None else NotRead("remedy"),
        "appealable": Held(remedy.days is not None, remedy.origin) if remedy is not None else NotRead("remedy"),
        "one_instance": Held(one_instance),
        "read_whole": Held(decision.whole),
        "reasons_grant": reasons_award(audited),
        "grants": grants(audited),
        **limitation(audited),
    }


def _day(name: str, audited: Audited) -> Held | NotRead:
    """The one day on which a matter was filed or heard; several hearings are no day."""
    found = list(pattern("decision", name).finditer(audited.folded, 0, min(len(audited.folded), 8_000)))
    days = [(day, one) for one in found for day in times(one["day"]) if isinstance(day, Date) and not day.wrong]
    if len(days) != 1:
        return NotRead(name)
    return Held(days[0][0].iso, audited.at(*days[0][1].span()))


def _granted(decision: Decision) -> Held | NotRead:
    """All that is ordered to be paid but interest; open where an item was not read, or has no total."""
    orders = [one for one in decision.reliefs if one.order in ("pay", "return") and one.ground == "asked"]
    orders = [one for one in orders if one.amount is not None or one.parts or not one.interest]
    sums = [amount for one in orders if (amount := _but_interest(one)) is not None]
    if not decision.whole or len(sums) != len(orders) or any(one.liability is None for one in orders):
        return NotRead("granted")
    if not orders:
        return Held(None)
    whole = total(sums)
    return Held(whole, orders[0].origin) if whole is not None else NotRead("granted")


def _but_interest(relief: Relief) -> Amount | None:
    """What is ordered without the interest that its total holds; None where no total is stated."""
    if relief.parts and any(one.so_far is not None for one in relief.interest):
        return total(part.amount for part in relief.parts)
    return relief.amount


def _claimed(claims: Iterable[Claim]) -> Held | NotRead:
    asked = [one for one in claims if not one.costs]
    sums = [one.amount for one in asked if one.amount is not None and not accrues(one)]
    whole = total(sums) if len(sums) == len(asked) else None
    return Held(whole, asked[0].origin) if whole is not None else NotRead("claimed")


def _one_sided(audited: Audited) -> bool:
    """Whether there is a counterclaim, and the claims that are known are those of one side."""
    sides = {one.by for one in audited.claims}
    return len(sides) < TWO and pattern("decision", "counterclaim").search(audited.folded) is not None


def accrues(claim: Claim) -> bool:
    """Whether what is claimed grows with time, so that its sum is no limit."""
    return pattern("decision", "accrues").search(fold(claim.text)) is not None


# ---- claims and reliefs ----------------------------------------------------------------------------------------------


def _claim(claim: Claim, audited: Audited) -> Node:
    decision = audited.decision
    granted = [one for one in decision.reliefs if claim.id in one.claims]
    caught = [one for one in decision.reliefs if one.rest]
    unclear = [one for one in decision.reliefs if one.result == "granted" and one.ground == "asked" and _more(one)]
    decided: Held | NotRead = NotRead("decided")
    if granted or caught:
        decided = Held(True, (granted or caught)[0].origin)
    elif pattern("decision", "elsewhere").search(audited.folded):
        decided = NotRead("elsewhere")
    elif decision.whole and not unclear and decision.reliefs:
        decided = Held(False, decision.reliefs[0].origin)
    case = next((one for one in audited.case.claims if one.id == claim.id), None) if audited.case else None
    values: dict[str, Held | NotRead] = {
        "amount": Held(claim.amount, claim.origin) if claim.amount is not None else NotRead("amount"),
        "in_case": Held(case.amount, case.origin) if case is not None else Held(None),
        "text": Held(claim.text, claim.origin),
        "costs": Held(claim.costs),
        "decided": decided,
    }
    return Node("claim", claim.id, values, {}, claim.origin)


def _relief(relief: Relief, audited: Audited) -> Node:
    at = relief.origin
    orders_money = relief.order in ("pay", "return") and relief.result == "granted"
    running = [one.so_far for one in relief.interest if one.so_far is not None]
    parts = total([*(part.amount for part in relief.parts), *(running if relief.parts else ())])
    principal = total(part.amount for part in relief.parts) if relief.parts else relief.amount
    sided = [share.percent for share in relief.shares if share.percent is not None]
    values: dict[str, Held | NotRead] = {
        "result": Held(relief.result, at),
        "order": Held(relief.order, at),
        "liability": NotRead("liability") if relief.liability == "open" else Held(relief.liability, at),
        "amount": Held(relief.amount, at) if relief.amount is not None else NotRead("amount"),
        "claimed": _claimed_of(relief, audited),
        "parts": Held(parts, at) if parts is not None else NotRead("parts"),
        "several_parts": Held(len(relief.parts) + len(running) > 1),
        "principal": Held(principal, at) if principal is not None else NotRead("amount"),
        "payers": Held(relief.payers, at) if relief.payers else NotRead("payers"),
        "payees": Held(relief.payees, at) if relief.payees else NotRead("payees"),
        "freed": _freed(audited),
        "shares": Held(sum(sided, Decimal(0)), at) if sided else NotRead("shares"),
        "asked": Held(relief.ground == "asked" and not audited.decision.verdicts),
        "told": _told(relief, audited) if relief.amount is not None else NotRead("amount"),
        "found": _found(relief, audited),
        "reversed": _reversed(relief, audited) if orders_money else Held(False),
        "nameless": _nameless(relief, audited) if orders_money else Held(False),
        "timed": Held(relief.within is not None, audited.enforced_at()) if _owes(relief) else NotRead("amount"),
        "denied": denied(relief, audited),
        "beside_dismissal": beside_dismissal(relief, audited),
        "same_currency": _same_currency(relief, audited),
        "numbered": _numbered(relief, audited),
        "numbers_known": _numbers_known(relief, audited),
    }
    return Node("relief", relief.item, values, {}, at)


def _told(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether a sum is told before it is ordered, or reckoned from sums that are; so much a month, times the months."""
    if is_english(audited.text):
        return told_in_english(relief, audited)
    return Held(_told_or_reckoned(relief, audited), audited.reasons_at)


def _told_or_reckoned(relief: Relief, audited: Audited) -> bool:
    assert relief.amount is not None and relief.origin is not None
    item = audited.folded[relief.origin.start : relief.origin.end]
    if pattern("decision", "periodic").search(item):
        rates = frozenset(sums_told(item)) & audited.told
        if audited.found_or_reckoned(relief.amount.value) or multiple(relief.amount.value, rates):
            return True
    return audited.reckoned(relief.amount.value)


def _found(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether the court tells the sum that it orders, or one it is reckoned from; or the claim is it but for cents."""
    found = audited.found_or_reckoned(relief.amount.value) if relief.amount is not None else None
    if found is False and relief.amount is not None and _asked_for(relief, audited):
        found = any(0 <= one - relief.amount.value < ROUNDED for one in audited.held)
    return Held(found, audited.reasons_at) if found is not None else NotRead("found")


def _asked_for(relief: Relief, audited: Audited) -> bool:
    """Whether what is ordered is just what the claims ask that it answers."""
    asked = total(one.amount for one in audited.claims if one.id in relief.claims and one.amount is not None)
    return asked is not None and asked == relief.amount


def _owes(relief: Relief) -> bool:
    """Whether an order says what is to be paid, and does not only make somebody liable for what another order says."""
    return relief.amount is not None or bool(relief.parts) or bool(relief.interest)


def _more(relief: Relief) -> bool:
    """Whether an order may answer a claim that it is not known to answer: it has more sums or names than claims."""
    named = len([one for one in pattern("decision", "nouns").split(relief.object) if one.strip()])
    return len(relief.claims) < max(1, len(relief.parts), named)


def _claimed_of(relief: Relief, audited: Audited) -> Held | NotRead:
    """What was claimed of all that is ordered; open where one of its sums may answer a claim that nothing else does."""
    claims = audited.claims
    answered = {claim for one in audited.decision.reliefs for claim in one.claims}
    if _more(relief) and any(not one.costs and one.id not in answered for one in claims):
        return NotRead("claimed")
    chosen = [one for one in claims if one.id in relief.claims]
    sums = [one.amount for one in chosen if one.amount is not None and not accrues(one)]
    whole = total(sums) if chosen and len(sums) == len(chosen) else None
    return Held(whole, chosen[0].origin) if whole is not None else NotRead("claimed")


def _freed(audited: Audited) -> Held | NotRead:
    """Those of whom the court says in its reasons that they are not liable; open where it never says so."""
    alone = {one.payers[0] for one in audited.decision.reliefs if len(one.payers) == 1 and one.liability == "one"}
    found = audited.decision.findings
    freed = [one for one in found if one.id.startswith("free/")]
    freed += [one for one in found if one.id.startswith("freed/") and not alone & set(one.about)]
    people = tuple(person for one in freed for person in one.about)
    if freed:
        return Held(people, freed[0].origin)
    return Held(()) if audited.regions.reasons is not None else NotRead("reasons")


def _reversed(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether those who claim are to pay those who are sued; open with a counterclaim, or a claim to owe nothing.

    Open too where it is asked to change an earlier decision: whoever asks for that may ask to pay less.
    """
    frame = audited.frame
    told = "".join(one.text for one in audited.claims)
    if pattern("decision", "counterclaim").search(audited.folded) or pattern("decision", "negative_claim").search(told):
        return NotRead("counterclaim")
    if pattern("decision", "asks_review").search(told):
        return NotRead("sides")
    payers, payees = ({frame.side_of(one) for one in people} for people in (relief.payers, relief.payees))
    unread = not told and not (is_english(audited.text) and relief.ground == "asked")
    if len(frame.sides) != TWO or len(payers) != 1 or len(payees) != 1 or unread:
        return NotRead("sides")
    first = audited.claims[0].origin if audited.claims else frame.people[0].origin
    return Held(payers == {frame.sides[0]} and payees == {frame.sides[1]}, first)


def _nameless(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether an order names nobody at all who is to pay, by name or title."""
    if relief.payers:
        return Held(False)
    if not audited.frame.people:
        return NotRead("people")
    assert relief.origin is not None
    item = audited.folded[relief.origin.start : relief.origin.end]
    named = pattern("decision", "title").search(item) or mentions(item, audited.frame)
    return NotRead("payers") if named else Held(True, relief.origin)


def _same_currency(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether a sum is ordered in the currency of the claims that it answers, else of all of them; open where a rate of
    exchange is told, or several are."""
    answered = [one for one in audited.claims if one.id in relief.claims and one.amount is not None]
    asked = answered or [one for one in audited.claims if one.amount is not None]
    told = {one.amount.currency for one in asked if one.amount is not None}
    stated = relief.amount is not None or relief.parts
    if not stated or len(told) != 1 or pattern("decision", "exchange").search(audited.folded):
        return NotRead("currency")
    first = asked[0].origin
    sums: list[Amount | None] = [relief.amount, *(part.amount for part in relief.parts)]
    sums += [one for interest in relief.interest for one in (interest.base, interest.so_far)]
    return Held({one.currency for one in sums if one is not None} <= told, first)


def _numbered(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether an item gives the number of a document."""
    assert relief.origin is not None
    item = audited.folded[relief.origin.start : relief.origin.end]
    return Held(pattern("decision", "document_number").search(item) is not None)


def _numbers_known(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether every number of a document in an item is one that is told elsewhere."""
    assert relief.origin is not None
    return audited.numbers_told(relief.origin.start or 0, relief.origin.end or 0)


def _interest(interest: InterestOrder, relief: Relief, audited: Audited) -> Node:
    base, rate = interest.base, interest.rate
    ordered = {one.amount.value for one in audited.decision.reliefs if one.amount is not None}
    reasons = audited.reasons_at
    base_told = base is not None and (base.value in ordered or audited.reckoned(base.value))
    values: dict[str, Held | NotRead] = {
        "base": Held(base, relief.origin) if base is not None else NotRead("base"),
        "rate": Held(rate, relief.origin) if rate is not None else NotRead("rate"),
        "base_told": Held(base_told, reasons) if base is not None else NotRead("base"),
        "within_cap": within_cap(interest, audited),
        "rate_told": Held(rate in audited.rates_told, reasons) if rate is not None else NotRead("rate"),
        "start_told": Held(interest.since in audited.days_told, reasons)
        if interest.since[:1].isdigit()
        else NotRead("since"),
    }
    return Node("interest", relief.item, values, {}, relief.origin)


def _in_orders(finding: CourtFinding, audited: Audited) -> bool:
    """Whether the sum of a claim that a finding is about is told in an item that grants something."""
    claimed = {one.amount.value for one in audited.claims if one.id in finding.about and one.amount is not None}
    granted = [one.origin for one in audited.decision.reliefs if one.result == "granted" and one.origin is not None]
    told = {each for place in granted for each in sums_told(audited.folded[place.start : place.end])}
    return bool(claimed & told)


def _keeps(audited: Audited) -> bool:
    """Whether orders of the judgment below may stand, which this text does not tell."""
    return any(one.result != "annulled" for one in audited.decision.fates)


def _finding(finding: CourtFinding, audited: Audited) -> Node:
    reliefs = [one for one in audited.decision.reliefs if set(one.claims) & set(finding.about)]
    granted = [one for one in reliefs if one.result == "granted"]
    of_claim = finding.id.startswith("issue/") and bool(finding.about)
    ordered: Held | NotRead = NotRead("ordered")
    unclear = any(one.result == "granted" and _more(one) for one in audited.decision.reliefs)
    swallowed = _swallowing(finding, audited) if not reliefs else None
    if granted:
        ordered = Held(True, granted[0].origin)
    elif swallowed is not None:
        ordered = Held(True, swallowed.origin)
    elif audited.decision.whole and not (unclear or _keeps(audited)) and not _in_orders(finding, audited):
        ordered = Held(False, audited.decision.reliefs[-1].origin) if audited.decision.reliefs else NotRead("ordered")
    rejected = {one.id for one in audited.decision.exhibits if one.ruling == "rejected"}
    admitted = {one.id for one in audited.decision.exhibits if one.ruling != "rejected"}
    ruled = rejected - admitted
    by = set(finding.by)
    refusing = next((one.origin for one in audited.decision.exhibits if one.id in by & ruled), None)
    values: dict[str, Held | NotRead] = {
        "result": Held(finding.result, finding.origin),
        "of_claim": Held(of_claim),
        "ordered": ordered,
        "all_rejected": Held(by <= ruled, refusing) if by and audited.decision.exhibits else NotRead("exhibits"),
    }
    return Node("finding", finding.id, values, {}, finding.origin)


def _swallowing(finding: CourtFinding, audited: Audited) -> Relief | None:
    """An order whose sum holds that of a refused claim: without it, it is one that is told; with it, it is not."""
    sums = [one.amount.value for one in audited.claims if one.id in finding.about and one.amount is not None]
    if finding.result != "not_proved" or len(sums) != 1:
        return None
    told = audited.told | {one.amount.value for one in audited.claims if one.amount is not None}
    for one in audited.decision.reliefs:
        value = one.amount.value if one.amount is not None and one.ground == "asked" else None
        if value is not None and value not in told and value - sums[0] in told:
            return one
    return None


# ---- what was decided below ------------------------------------------------------------------------------------------


def _items_below(audited: Audited) -> Iterator[Node]:
    """Every item decided below: has it a fate, and is it recited as it was?"""
    decision, below = audited.decision, audited.below
    if below is None or decision.instance != 2:
        return
    whole_fate = any(not fate.item for fate in decision.fates) or decision.remanded
    fated = {fate.item for fate in decision.fates}
    recited = {one.item: one for one in decision.below.reliefs} if decision.below is not None else {}
    for relief in below.reliefs:
        # what says that nothing was decided is neither kept nor changed
        has = whole_fate or relief.item in fated or relief.result == "undecided"
        fate: Held | NotRead = Held(has, relief.origin) if decision.whole and below.whole else NotRead("fate")
        values: dict[str, Held | NotRead] = {
            "has_fate": fate,
            "recited": _recited(relief, recited, audited),
            "number": Held(relief.item),
        }
        yield Node("below", relief.item, values, {}, relief.origin)


def _recited(relief: Relief, recited: Mapping[str, Relief], audited: Audited) -> Held | NotRead:
    """Whether the second instance tells an item of the first judgment as it was: the same sum, the same people."""
    if audited.known_below is None or relief.item not in recited:
        return NotRead("recital")
    told = recited[relief.item]
    same = (told.amount, set(told.payers), set(told.payees)) == (relief.amount, set(relief.payers), set(relief.payees))
    return Held(same, told.origin)


def _fates(audited: Audited) -> Iterator[Node]:
    decision, below = audited.decision, audited.below
    for fate in decision.fates:
        numbers = {one.item for one in below.reliefs} if below is not None else set()
        if below is not None:
            numbers |= {str(at + 1) for at, _ in enumerate(below.verdicts)}
        exists: Held | NotRead = NotRead("below")
        if below is not None and below.whole and not below.verdicts:
            exists = Held(not fate.item or fate.item in numbers, below.reliefs[-1].origin if below.reliefs else None)
        values: dict[str, Held | NotRead] = {"exists": exists, "number_known": _fate_number(fate.origin, audited)}
        yield Node("fate", fate.item, values, {}, fate.origin)


def _fate_number(origin: PartOrigin | None, audited: Audited) -> Held | NotRead:
    """Whether the judgment that an item is about was spoken of before; None where the item gives no number."""
    assert origin is not None
    if pattern("decision", "document_number").search(audited.folded, origin.start or 0, origin.end or 0) is None:
        return Held(None)
    return audited.numbers_told(origin.start or 0, origin.end or 0)
