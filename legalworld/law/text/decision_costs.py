"""Fees of a decision and who bears them: each fee with its sum, and the share of each person or group."""

from __future__ import annotations

import re
from typing import Final

from ...model.decision import Amount, CostItem, PartOrigin, Share, Thin
from ...model.immutable import replace
from .decision_people import CaseFrame, mentions
from .lexicon import endings, pattern
from .money import Money, sums
from .numerals import fold

SUMS: Final = "sums"  # what is missing where a sum behind a fee is nobody's


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
        shares, gap = _shares(folded, (found.end(), stop), frame, amount)
        if gap:
            thin.append(Thin(part=f"costs/{len(items)}/shares", kind="unread", missing=gap, origin=origin))
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
    return (
        thin.missing == SUMS
        or not items[int(thin.part.split("/")[1])].shares
        or any(share.amount is None or not share.persons for share in items[int(thin.part.split("/")[1])].shares)
    )


def _whole(text: str, listed: list[Money]) -> tuple[Amount, bool]:
    """The fee: where it is halved, the sum behind the word."""
    halved = pattern("decision", "halved").search(text)
    later = [one for one in listed if halved is not None and one.start >= halved.end()]
    one = later[0] if later else listed[0]
    return Amount(value=one.amount, currency=one.currency), halved is not None


def _shares(text: str, where: tuple[int, int], frame: CaseFrame, amount: Amount) -> tuple[tuple[Share, ...], str]:
    """Who bears how much, and what of that is not clear: who it is, how much, or what a sum is for."""
    found: list[Share] = []
    clear, low, used = True, where[0], 0
    bearing = [
        one for one in pattern("decision", "borne").finditer(text, *where) if one["by"] or _names(text, one, frame)
    ]
    for number, one in enumerate(bearing):
        named = mentions(text, frame, one.start("who"), one.end("who"))
        persons = tuple(dict.fromkeys(person for mention in named for person in mention.people))
        clear = clear and bool(persons) and all(mention.people for mention in named)
        stop = bearing[number + 1].start() if number + 1 < len(bearing) else where[1]
        stated = _stated(text, (low if found else one.start(), one.start(), one.end(), stop))
        low = max(one.end(), stated.end if stated is not None else 0)
        used += stated is not None
        times = len(persons) if one["each"] and persons else 1
        share = Amount(value=stated.amount * times, currency=stated.currency) if stated is not None else None
        origin = PartOrigin(hand="text", start=one.start(), end=stop)
        found.append(Share(persons=persons, amount=share, origin=origin))
    if len(found) == 1 and found[0].amount is None:
        found = [found[0].model_copy(update={"amount": amount})]
    if bearing and len(_sums(text, bearing[0].start(), where[1])) > used:
        return tuple(found), SUMS
    if bearing and any(one.amount != amount.value for one in _before(text, where[0], bearing[0].start())):
        return tuple(found), SUMS  # of several fees together, or what was paid in advance
    whole = clear and bool(found) and all(one.amount is not None for one in found)
    return tuple(found), "" if whole else "shares"


def _before(text: str, low: int, high: int) -> list[Money]:
    """The sums between a fee and whoever bears it; of one that is halved, what stands behind that word."""
    halved = pattern("decision", "halved").search(text, low, high)
    return _sums(text, halved.end() if halved is not None else low, high)


def _stated(text: str, places: tuple[int, int, int, int]) -> Money | None:
    """The sum that somebody bears: behind the verb, or in front of him, as in "the other 5 are borne by B".

    `places`: from where one may stand in front, where he begins, where the verb ends, where the next begins.
    """
    low, start, end, stop = places
    behind = _sums(text, end, stop)
    return next(iter(behind or _sums(text, low, start)[-1:]), None)


def _names(text: str, borne: re.Match[str], frame: CaseFrame) -> bool:
    """Whether somebody is named in front of a verb."""
    return bool(mentions(text, frame, borne.start("who"), borne.end("who")))


def _sums(text: str, low: int, high: int) -> list[Money]:
    """The sums between two places, what stands in brackets apart."""
    said = pattern("decision", "bracket").sub(lambda one: " " * len(one.group()), text[low:high])
    return [replace(one, start=low + one.start, end=low + one.end) for one in sums(said) if isinstance(one, Money)]
