"""One item of an operative part: who is ordered to do what, how much, by when; and what is dismissed.

An item is a `Relief`, the fate of something decided below, or both. What stands in brackets says more of a sum and
names nobody. What an item leaves open is a `Thin` of the relief; an item of no known form is unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ...model.decision import (
    Amount,
    Claim,
    Fate,
    Liability,
    OrderKind,
    Part,
    PartOrigin,
    Relief,
    Share,
    Thin,
)
from ...model.immutable import immutable, replace
from .amounts import Interest, amounts
from .decision_claims import nearest
from .decision_people import CaseFrame, Mention, mentions, nameless
from .decision_sums import OrderClause, deadline, interest_order, ordered_sums, what_for
from .judgment_head import Quote
from .lexicon import alternation, endings, pattern, words
from .numerals import fold, ordinal, read

LONG_BRACKET: Final = 24  # code points from which a bracket says more than a title does
NEAR: Final = 3  # code points between a verb and whoever is paid
APPEAL: Final = "appeal"


@immutable
class ReadItem:
    """What an item of an operative part says. `known`: its form was recognised."""

    reliefs: tuple[Relief, ...] = ()
    fates: tuple[Fate, ...] = ()
    thin: tuple[Thin, ...] = ()
    remanded: bool = False
    known: bool = True


@immutable
class ItemPlace:
    """An item with its number, in the text it stands in, and the document that this is."""

    number: str
    said: Quote
    document: str

    def origin(self) -> PartOrigin:
        return PartOrigin(hand="text", source=self.document, start=self.said.start, end=self.said.end)


def read_item(place: ItemPlace, frame: CaseFrame) -> ReadItem:
    """One item, as far as it can be read."""
    text = fold(place.said.text)
    fated = _fates(text, place)
    changed = pattern("decision", "changed").match(text) or pattern("decision", "changed_all").match(text)
    if changed is not None:
        inner = _ordered(text, changed.end(), place, frame)
        return replace(inner, fates=fated.fates)
    if fated.known:
        return fated
    dismissed = pattern("decision", "dismissed").search(text)
    if dismissed is not None and not any(verb in text[: dismissed.start()] for verb in words("decision", "order")):
        return _dismissed(text, dismissed, place, frame)
    for reader in (_undecided, _of_act, _liable_for):
        if (found := reader(text, place, frame)) is not None:
            return found
    return _ordered(text, 0, place, frame)


# ---- what was decided below ------------------------------------------------------------------------------------------


def _fates(text: str, place: ItemPlace) -> ReadItem:
    """What an item makes of what was decided below; unknown where it speaks of nothing below."""
    fates: list[Fate] = []
    for name, result in (("kept", "kept"), ("annulled", "annulled"), ("changed", "changed")):
        for found in pattern("decision", name).finditer(text):
            numbers = _numbers(found["items"])
            by = place.number if result == "changed" else ""
            fates += [Fate(item=one, result=result, by=by, origin=place.origin()) for one in numbers]
    if not fates and pattern("decision", "changed_all").match(text):
        fates = [Fate(item="", result="changed", by=place.number, origin=place.origin())]
    remanded = pattern("decision", "remanded").search(text) is not None
    if not fates and pattern("decision", "kept_all").search(text):
        fates = [Fate(item="", result="kept", origin=place.origin())]
    elif not fates and pattern("decision", "kept_part").search(text):
        fates = [Fate(item="", result="open", origin=place.origin())]
    elif not fates and pattern("decision", "annulled_all").match(text):
        fates = [Fate(item="", result="annulled", origin=place.origin())]
    return ReadItem(fates=tuple(fates), remanded=remanded, known=bool(fates) or remanded)


def _numbers(written: str) -> list[str]:
    """The numbers of a list of items: "items one and two", "items one to three"."""
    found = [(ordinal(one), at) for one, at in _numerals(written)]
    numbers = [one for one, _ in found if one is not None]
    if len(numbers) == 2 and pattern("decision", "reach").search(written):
        numbers = list(range(numbers[0], numbers[1] + 1))
    return [str(one) for one in numbers]


def _numerals(written: str) -> Iterator[tuple[str, int]]:
    for piece in pattern("decision", "numeral").finditer(written):
        yield piece.group(), piece.start()


# ---- dismissed -------------------------------------------------------------------------------------------------------


def _undecided(text: str, place: ItemPlace, frame: CaseFrame) -> ReadItem | None:
    """A claim that is expressly left undecided, by its number."""
    found = pattern("decision", "undecided").search(text)
    if found is None:
        return None
    number = read(found["number"])
    claims = tuple(claim.id for claim in frame.claims if number is not None and claim.id == str(int(number)))
    relief = Relief(id=place.number, item=place.number, result="undecided", claims=claims, origin=place.origin())
    return ReadItem(reliefs=(relief,), thin=() if claims else (_thin(place, "claims"),))


def _dismissed(text: str, found: re.Match[str], place: ItemPlace, frame: CaseFrame) -> ReadItem:
    """Claims that are dismissed: those spoken of, or whatever else the side claims."""
    named = mentions(text, frame, found.start("who"), found.end())
    sides = {frame.side_of(person) for one in named for person in one.people}
    on_appeal = found["higher"] is not None or found["kind"] in words("decision", "higher")
    asked = [claim for claim in frame.claims if not claim.costs and (not sides or not claim.by or claim.by in sides)]
    about = found["about"] or ""
    chosen = nearest(about, [], asked) if about else ()
    whole = found["rest"] in (None, words("decision", "whole")["all"]) and not about
    thin: tuple[Thin, ...] = ()
    if about and not chosen and asked:
        thin = (_thin(place, "claims"),)
    if whole and not on_appeal:
        chosen = tuple(claim.id for claim in asked)
    relief = Relief(
        id=place.number,
        item=place.number,
        result="dismissed",
        claims=() if on_appeal else chosen,
        rest=not on_appeal and not about,
        payees=tuple(dict.fromkeys(person for one in named for person in one.people)),
        object=APPEAL if on_appeal else "",
        origin=place.origin(),
    )
    return ReadItem(reliefs=(relief,), thin=thin)


# ---- acts of an authority --------------------------------------------------------------------------------------------


def _of_act(text: str, place: ItemPlace, frame: CaseFrame) -> ReadItem | None:
    """An act that is annulled, confirmed unlawful, or to be done again."""
    kinds: tuple[tuple[str, OrderKind], ...] = (
        ("redo", "redo"),
        ("annul", "annul"),
        ("unlawful", "confirm"),
        ("change", "change"),
    )
    orders = [(kind, found) for name, kind in kinds if (found := pattern("decision", name).search(text)) is not None]
    if not orders:
        return None
    people = [person for one in mentions(text, frame) for person in one.people]
    reliefs = tuple(
        Relief(
            id=place.number if not index else f"{place.number}.{index}",
            item=place.number,
            result="granted",
            order=kind,
            payers=tuple(dict.fromkeys(people)),
            object=found.group(),
            claims=nearest(found.group(), [], [claim for claim in frame.claims if not claim.costs]),
            within=deadline(text),
            origin=place.origin(),
        )
        for index, (kind, found) in enumerate(orders)
    )
    return ReadItem(reliefs=reliefs)


def _liable_for(text: str, place: ItemPlace, frame: CaseFrame) -> ReadItem | None:
    """Somebody who is liable for another's debt: who, and for what."""
    found = pattern("decision", "liable_for").search(text)
    if found is None:
        return None
    payers = [person for one in mentions(text, frame, 0, found.start()) for person in one.people]
    joint = found["kind"] in endings("decision", "joint")
    relief = Relief(
        id=place.number,
        item=place.number,
        result="granted",
        order="pay",
        payers=tuple(dict.fromkeys(payers)),
        liability="jointly" if joint else "open",
        object=found["debt"],
        origin=place.origin(),
    )
    return ReadItem(reliefs=(relief,), thin=() if payers else (_thin(place, "payers"),))


# ---- orders ----------------------------------------------------------------------------------------------------------


def _ordered(text: str, start: int, place: ItemPlace, frame: CaseFrame) -> ReadItem:
    """Somebody is to pay, give, do or suffer something."""
    outer = pattern("decision", "bracket").sub(_blotted, text)
    bare = nameless(outer, frame)
    verb = _verb(bare, start)
    declared = pattern("decision", "declare").search(bare, start)
    if verb is None and declared is None:
        return ReadItem(known=False)
    if verb is None or (declared is not None and declared.start() < verb.start()):
        return _declared(text, start, place, frame)
    named = tuple(mentions(outer, frame, start))
    return _relief(OrderClause(text, outer, verb, start, named), place, frame)


def _blotted(found: re.Match[str]) -> str:
    """A bracket as blanks, unless it is part of a title or name."""
    said = found.group()
    title = len(said) <= LONG_BRACKET and not any(sign.isdigit() for sign in said)
    return said if title else " " * len(said)


def _verb(outer: str, start: int) -> re.Match[str] | None:
    """The first word that orders something, and not what is not to be done or was done already."""
    for found in re.compile(alternation(words("decision", "order"))).finditer(outer, start):
        if pattern("decision", "not_ordered").search(outer, start, found.start()):
            continue
        if not outer.endswith(endings("decision", "no_order_before"), start, found.start()) and not outer.startswith(
            endings("decision", "no_order_after"), found.end()
        ):
            return found
    return None


def _declared(text: str, start: int, place: ItemPlace, frame: CaseFrame) -> ReadItem:
    people = [person for one in mentions(text, frame, start) for person in one.people]
    relief = Relief(
        id=place.number,
        item=place.number,
        result="granted",
        order="declare",
        payees=tuple(dict.fromkeys(people)),
        object=text[start:],
        claims=nearest(text[start:], [], [claim for claim in frame.claims if not claim.costs]),
        origin=place.origin(),
    )
    return ReadItem(reliefs=(relief,))


def _relief(clause: OrderClause, place: ItemPlace, frame: CaseFrame) -> ReadItem:
    payers, payees = _sides(clause)
    order: OrderKind = words("decision", "order")[clause.verb.group()]  # type: ignore[assignment]
    values = amounts(clause.text)
    amount, parts, gaps = ordered_sums(clause, values)
    label = what_for(clause, parts)
    interest = tuple(interest_order(one) for one in values if isinstance(one, Interest) and one.start >= clause.start)
    asked = [claim for claim in frame.claims if not claim.costs]
    claims = _answered(label, amount, parts, asked)
    named_twice = _unknown(clause, payers, payees)
    liability = _liability(clause, payers, frame)
    relief = Relief(
        id=place.number,
        item=place.number,
        result="granted",
        order=order,
        claims=claims,
        payers=payers,
        payees=payees,
        liability=liability,
        shares=_shares(clause, payers) if liability == "shares" else (),
        object=label,
        amount=amount,
        parts=parts,
        interest=interest,
        within=deadline(clause.text),
        origin=place.origin(),
    )
    return ReadItem(reliefs=(relief,), thin=tuple(_thin(place, one) for one in (*gaps, *named_twice)))


def _answered(label: str, amount: Amount | None, parts: Sequence[Part], asked: Sequence[Claim]) -> tuple[str, ...]:
    """The claims that an order answers: those of its parts, or of what it lists; else the one of all its words."""
    each = [nearest(part.label, [part.amount], asked) for part in parts]
    if not parts and len(asked) > 1:
        each = [nearest(noun, [], asked) for noun in pattern("decision", "nouns").split(label) if noun.strip()]
    found = dict.fromkeys(claim for one in each for claim in one)
    if len(found) > 1:
        return tuple(found)
    return nearest(label, [amount, *(part.amount for part in parts)], asked)


def _sides(clause: OrderClause) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who pays and who is paid: those before the verb pay, but for whoever stands behind "to"."""
    payers: list[str] = []
    payees: list[str] = []
    target: list[str] = payers
    last: Mention | None = None
    for one in clause.named:
        before = clause.outer[clause.start : one.start]
        if pattern("decision", "to").search(before):
            target = payees
        elif one.start >= clause.verb.end():
            gap = clause.outer[clause.verb.end() : one.start].strip()
            joined = last is not None and last.start >= clause.verb.end() and _joined(clause.outer, last, one)
            if len(gap) > NEAR and not joined:
                last = one
                continue
            target = payees
        elif last is not None and target is payees and not _joined(clause.outer, last, one):
            target = payers
        target += one.people
        last = one
    return tuple(dict.fromkeys(payers)), tuple(dict.fromkeys(payees))


def _joined(text: str, one: Mention, other: Mention) -> bool:
    return pattern("decision", "joint_of_names").fullmatch(text[one.end : other.start]) is not None


def _unknown(clause: OrderClause, payers: Sequence[str], payees: Sequence[str]) -> Iterator[str]:
    """The parts that stay empty because nobody, or nobody certain, is named."""
    unclear = [one for one in clause.named if not one.people]
    moves = words("decision", "order")[clause.verb.group()] in ("pay", "return", "deliver")
    if not payers and moves:
        yield "payers"
    if not payees and moves:
        yield "payees"
    if unclear and payers and payees:
        yield "people"


def _liability(clause: OrderClause, payers: Sequence[str], frame: CaseFrame) -> Liability | None:
    between = nameless(clause.outer[clause.start : clause.verb.end()], frame)
    if len(payers) == 1:
        return "one"
    if not payers:
        return None
    if pattern("decision", "jointly").search(between):
        return "jointly"
    return "shares" if _shares(clause, payers) else "open"


def _shares(clause: OrderClause, payers: Sequence[str]) -> tuple[Share, ...]:
    """A percentage behind each name, where there is one for each."""
    found: list[Share] = []
    for one in clause.named:
        percent = pattern("decision", "share").match(clause.outer, one.end)
        if percent is not None and set(one.people) <= set(payers):
            found.append(Share(persons=one.people, percent=read(percent["percent"])))
    return tuple(found) if len(found) == len(payers) else ()


def _thin(place: ItemPlace, part: str) -> Thin:
    return Thin(part=f"items/{place.number}/{part}", kind="unread", missing=part, origin=place.origin())
