"""Fees of a decision and who bears them: each fee with its sum, and the share of each person or group."""

from __future__ import annotations

from ...model.decision import Amount, CostItem, PartOrigin, Share, Thin
from .decision_people import CaseFrame, mentions
from .lexicon import endings, pattern
from .money import Money, sums
from .numerals import fold


def read_costs(text: str, start: int, frame: CaseFrame, document: str) -> tuple[list[CostItem], list[Thin]]:
    """Every fee that is told behind a place, and what of it could not be read."""
    folded = fold(text)
    items: list[CostItem] = []
    thin: list[Thin] = []
    places = [found.start() for found in pattern("decision", "cost").finditer(folded, start)]
    for found in pattern("decision", "cost").finditer(folded, start):
        ends = [end.start() for end in pattern("decision", "cost_end").finditer(folded, found.end())]
        stop = min([*ends[:1], *(place for place in places if place > found.start()), len(folded)])
        origin = PartOrigin(hand="text", source=document, start=found.start(), end=stop)
        listed = [one for one in sums(folded[found.end() : stop]) if isinstance(one, Money)]
        if not listed or any(one.bound or one.approx for one in listed):
            continue
        amount, halved = _whole(folded[found.end() : stop], listed)
        shares, clear = _shares(folded, (found.end(), stop), frame, amount)
        if not clear:
            thin.append(Thin(part=f"costs/{len(items)}/shares", kind="unread", missing="shares", origin=origin))
        below = found["item"].startswith(endings("decision", "below"))
        items.append(
            CostItem(item=found["item"], amount=amount, halved=halved, below=below, shares=shares, origin=origin)
        )
    return _together(items, folded), [one for one in thin if _unread(one, items)]


def _together(items: list[CostItem], text: str) -> list[CostItem]:
    """The fees, those that are told together each with the shares of the last: "fee A 50, fee B 50, borne by X"."""
    for at in range(len(items) - 2, -1, -1):
        one, following = items[at], items[at + 1]
        assert one.origin is not None and following.origin is not None
        if one.shares or one.origin.end != following.origin.start:
            continue
        stop = following.origin.end
        each = pattern("decision", "each_bears").search(text, one.origin.start or 0, stop or len(text))
        alone = len(following.shares) == 1 and following.shares[0].amount == following.amount
        if alone:
            items[at] = one.model_copy(
                update={"shares": (Share(persons=following.shares[0].persons, amount=one.amount),)}
            )
        elif each is not None:
            items[at] = one.model_copy(update={"shares": following.shares})
    return items


def _unread(thin: Thin, items: list[CostItem]) -> bool:
    return not items[int(thin.part.split("/")[1])].shares or any(
        share.amount is None or not share.persons for share in items[int(thin.part.split("/")[1])].shares
    )


def _whole(text: str, listed: list[Money]) -> tuple[Amount, bool]:
    """The fee: where it is halved, the sum behind the word."""
    halved = pattern("decision", "halved").search(text)
    later = [one for one in listed if halved is not None and one.start >= halved.end()]
    one = later[0] if later else listed[0]
    return Amount(value=one.amount, currency=one.currency), halved is not None


def _shares(text: str, where: tuple[int, int], frame: CaseFrame, amount: Amount) -> tuple[tuple[Share, ...], bool]:
    """Who bears how much, and whether that is clear: each is known, and all but one bear a stated sum."""
    found: list[Share] = []
    clear = True
    borne = list(pattern("decision", "borne").finditer(text, *where))
    for number, one in enumerate(borne):
        people = mentions(text, frame, one.start("who"), one.end("who"))
        stop = borne[number + 1].start() if number + 1 < len(borne) else where[1]
        stated = [money for money in sums(text[one.end() : stop]) if isinstance(money, Money)]
        persons = tuple(dict.fromkeys(person for mention in people for person in mention.people))
        clear = clear and bool(persons) and all(mention.people for mention in people)
        sum_here = Amount(value=stated[0].amount, currency=stated[0].currency) if stated else None
        origin = PartOrigin(hand="text", start=one.start(), end=stop)
        found.append(Share(persons=persons, amount=sum_here, origin=origin))
    if len(found) == 1 and found[0].amount is None:
        found = [found[0].model_copy(update={"amount": amount})]
    return tuple(found), clear and bool(found) and all(one.amount is not None for one in found)
