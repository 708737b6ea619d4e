"""An order or judgment in English read as a decision: what must be paid, interest, deadlines, what is dismissed."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from ...model.decision import (
    Amount,
    Claim,
    CourtFinding,
    Deadline,
    Decision,
    InterestOrder,
    Liability,
    Part,
    PartOrigin,
    Proof,
    Relief,
    Thin,
)
from .decision_claims import nearest
from .decision_people import CaseFrame, mentions, nameless
from .english import EnglishSum, english_sums
from .english_head import english_claims, english_parties
from .judgment_head import Quote
from .lexicon import pattern, table

TABLE = "decision_english"
COSTS = "costs"
STOP, LEADER = ".", "\u2024"  # a full stop in a name, while sentences are told apart


def english_regions(text: str) -> tuple[int, int] | None:
    """Where the operative part stands; None where nothing opens one."""
    opened = list(pattern(TABLE, "operative").finditer(text))
    if not opened:
        return None
    end = pattern(TABLE, "end").search(text, opened[-1].end())
    return opened[-1].end(), end.start() if end is not None else len(text)


def read_english(text: str, frame: CaseFrame, document: str, instance: int) -> Decision:
    """The decision of a text, read against a case: persons by name or title, claims by their words."""
    where = english_regions(text)
    claims: tuple[Claim, ...] = ()
    if not frame.people:
        claims = frame.claims or english_claims(text, where[0] if where is not None else len(text), document)
        frame = CaseFrame(english_parties(text, document), claims, frame.exhibits)
    common = {"id": document, "instance": instance, "parties": frame.people, "claims": claims}
    text, frame = _without_stops(text, frame)
    if where is None:
        gap = Thin(part="reliefs", kind="unread", missing="operative", origin=_at(document, 0, len(text)))
        return Decision(**common, thin=(gap,))
    reliefs: list[Relief] = []
    thin: list[Thin] = []
    places = list(_items(text, *where))
    for number, place in enumerate(places, 1):
        found = list(_item(place, str(number), frame, document))
        reliefs += [one for one in found if isinstance(one, Relief)]
        thin += [one for one in found if isinstance(one, Thin)]
    findings = tuple(_answers(text, where[0], frame, document))
    whole = bool(places) and not thin
    return Decision(**common, reliefs=tuple(reliefs), findings=findings, thin=tuple(thin), whole=whole)


def read_english_orders(places: Sequence[Quote], frame: CaseFrame, document: str) -> Decision:
    """What orders say that stand alone, each in its place of a text."""
    held = [Quote(one.start, one.end, _without_stops(one.text, frame)[0]) for one in places]
    frame = _without_stops("", frame)[1]
    found = [one for number, place in enumerate(held, 1) for one in _item(place, str(number), frame, document)]
    reliefs = tuple(one for one in found if isinstance(one, Relief))
    return Decision(reliefs=reliefs, thin=tuple(one for one in found if isinstance(one, Thin)))


def _without_stops(text: str, frame: CaseFrame) -> tuple[str, CaseFrame]:
    """Return a text and a frame in whose names no full stop ends a sentence: J. Hart & Sons Ltd., Mr. O'Neill."""
    dotted = {one for party in frame.people for one in (party.name, *party.short) if STOP in one}
    if not dotted:
        return text, frame
    for one in sorted(dotted, key=len, reverse=True):
        text = text.replace(one, one.replace(STOP, LEADER))
    people = [
        party.model_copy(
            update={
                "name": party.name.replace(STOP, LEADER),
                "short": tuple(one.replace(STOP, LEADER) for one in party.short),
            }
        )
        for party in frame.people
    ]
    return text, CaseFrame(people, frame.claims, frame.exhibits)


def _at(document: str, start: int, end: int) -> PartOrigin:
    return PartOrigin(hand="text", source=document, start=start, end=end)


def _items(text: str, start: int, stop: int) -> Iterator[Quote]:
    """The numbered items between two places; all of it where none is numbered."""
    marks = list(pattern(TABLE, "item").finditer(text, start, stop))
    ends = [mark.start() for mark in marks[1:]] + [stop]
    bounds = [(mark.end(), end) for mark, end in zip(marks, ends, strict=True)] if marks else _lines(text, start, stop)
    for low, high in bounds:
        said = text[low:high].strip()
        if said:
            at = text.index(said, low)
            yield Quote(at, at + len(said), said)


def _lines(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """The lines between two places, where no item has a number."""
    found = re.compile(r"[^\n]+").finditer(text, start, stop)
    return [(one.start(), one.end()) for one in found] or [(start, stop)]


def _item(said: Quote, number: str, frame: CaseFrame, document: str) -> Iterator[Relief | Thin]:
    """What one item orders and dismisses; that it was not read."""
    origin = _at(document, said.start, said.end)
    found: list[Relief | Thin] = []
    pay = pattern(TABLE, "judgment_for").search(said.text) or pattern(TABLE, "pay").search(said.text)
    if pay is not None:
        found += _ordered(said, pay, number, frame, origin)
    for dismissed in pattern(TABLE, "dismissed").finditer(said.text):
        found.append(_dismissed(dismissed, number, frame, origin))
    if not found and pattern(TABLE, "known").search(said.text) is None:
        found.append(Thin(part=f"items/{number}", kind="unread", origin=origin))
    yield from found


def _ordered(said: Quote, pay: re.Match[str], number: str, frame: CaseFrame, origin: PartOrigin) -> list[Relief | Thin]:
    text = said.text
    sums = [one for one in english_sums(text) if one.start >= pay.end() and one.currency]
    payers, payees = _both(text, pay, sums, frame)
    unclear = any(one.high is not None or one.bound or one.approx or one.per for one in sums)
    total, so_far, parts = _sorted(text, sums)
    own = pattern(TABLE, "costs").search(nameless(text, frame)) is not None
    amount = total or (parts[0].amount if len(parts) == 1 else None)
    relief = Relief(
        id=number,
        item=number,
        ground="law" if own else "asked",
        result="granted",
        order="pay",
        claims=() if own else tuple(_claims(parts, frame.claims)),
        payers=payers,
        payees=payees,
        liability=_liability(payers, pay),
        object=COSTS if own else ", ".join(part.label for part in parts if part.label),
        amount=None if unclear else amount,
        parts=() if unclear or (len(parts) == 1 and total is None) else tuple(parts),
        interest=tuple(_interest(text, so_far)),
        within=_within(text),
        origin=origin,
    )
    gaps = [
        name for name, there in (("payers", payers), ("payees", payees), ("amount", sums and not unclear)) if not there
    ]
    return [relief, *(Thin(part=f"items/{number}/{gap}", kind="unread", missing=gap, origin=origin) for gap in gaps)]


def _liability(payers: tuple[str, ...], pay: re.Match[str]) -> Liability | None:
    if len(payers) > 1:
        return "jointly" if pay.groupdict().get("joint") else "open"
    return "one" if payers else None


def _both(
    text: str, pay: re.Match[str], sums: list[EnglishSum], frame: CaseFrame
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who pays and who is paid; where a case has two people, the other is meant of whom nothing is said."""
    payers = people_named(text, *pay.span("payers"), frame) if pay["payers"] else ()
    first = sums[0].start if sums else len(text)
    low, high = pay.span("payees") if "payees" in pay.groupdict() else (pay.end(), first)
    payees = people_named(text, low, high, frame)
    known = {*payers, *payees}
    others = tuple(party.id for party in frame.people if party.side and party.id not in known)
    silent = not pay["payers"] or pattern(TABLE, "interest_alone").match(text, pay.end()) is not None
    if len(known) == len(others) == 1 and silent:
        return payers or others, payees or others
    return payers, payees


def people_named(text: str, start: int, stop: int, frame: CaseFrame) -> tuple[str, ...]:
    """Return those named between two places: by name, by the title that one bears alone, or by that of several."""
    named = [person for one in mentions(text, frame, start, stop) for person in one.people]
    said = text[start:stop]
    for party in frame.people:
        bearers = [other for other in frame.people if set(other.titles) & set(party.titles)]
        if len(bearers) == 1 and any(re.search(rf"(?i:\b{re.escape(title)}s?\b)", said) for title in party.titles):
            named.append(party.id)
    for found in pattern(TABLE, "several_named").finditer(said):
        named += [party.id for party in frame.people if _one_of(party.titles, found)]
    return tuple(dict.fromkeys(named))


def _one_of(titles: Sequence[str], found: re.Match[str]) -> bool:
    """Whether somebody with these titles is one of several who are called by their title and, if so, by number."""
    which, title = found["which"].lower().replace(",", " ").split(), found["title"].lower()
    return any(one.lower().endswith(title) and (not which or one.lower().split()[0] in which) for one in titles)


def _sorted(text: str, sums: list[EnglishSum]) -> tuple[Amount | None, Amount | None, list[Part]]:
    """The stated total, the interest so far, and the sums that each are for something."""
    total: Amount | None = None
    so_far: Amount | None = None
    parts: list[Part] = []
    for one in sums:
        amount = Amount(value=one.amount, currency=one.currency)
        label = pattern(TABLE, "for_what").match(text[one.end :])
        if pattern(TABLE, "total").match(text[one.end :]) or pattern(TABLE, "total_before").search(text[: one.start]):
            total = amount
        elif pattern(TABLE, "so_far").search(text[: one.start]):
            so_far = amount
        else:
            parts.append(Part(label=_label(label), amount=amount))
    return total, so_far, parts


def _label(found: re.Match[str] | None) -> str:
    return found["label"].strip().replace(LEADER, STOP) if found is not None else ""


def _interest(text: str, so_far: Amount | None) -> Iterator[InterestOrder]:
    found = pattern(TABLE, "rate").search(text)
    if found is not None:
        since = _day(found["since"]) if found["since"] else ""
        yield InterestOrder(rate=Decimal(found["rate"]), per="year", since=since, so_far=so_far)
    elif so_far is not None:
        yield InterestOrder(so_far=so_far)


def _day(written: str) -> str:
    """A day as ISO says it; "" where the calendar has none such."""
    found = pattern(TABLE, "date").search(written)
    months = [one.lower() for one in table(TABLE)["words"]["months"]]
    if found is None:
        return ""
    try:
        return datetime.date(
            int(found["year"]), months.index(found["month"].lower()) + 1, int(found["day"])
        ).isoformat()
    except ValueError:
        return ""


def _within(text: str) -> Deadline | None:
    found = pattern(TABLE, "within").search(text)
    if found is not None:
        return Deadline(days=int(found["days"]), since=(found["event"] or "").lower())
    day = pattern(TABLE, "by_day").search(text)
    return Deadline(by=_day(day["date"])) if day is not None else None


def _dismissed(found: re.Match[str], number: str, frame: CaseFrame, origin: PartOrigin) -> Relief:
    """Claims that are dismissed: the one that is named, the rest, or all."""
    asked = [claim for claim in frame.claims if not claim.costs]
    chosen = tuple(claim.id for claim in asked if found["about"] and _same(found["about"], claim.text))
    rest = bool(found["rest"]) or not found["about"]
    whole = tuple(claim.id for claim in asked) if not found["rest"] and not found["about"] else chosen
    return Relief(id=number, item=number, result="dismissed", claims=whole, rest=rest, origin=origin)


def _same(label: str, claim: str) -> bool:
    one, other = (" ".join(words.lower().split()) for words in (label, claim))
    return bool(one) and bool(other) and (one in other or other in one)


def _claims(parts: list[Part], claims: tuple[Claim, ...]) -> Iterator[str]:
    """The claims that sums answer, each by the words for what it is; nothing where one of them answers none."""
    asked = [claim for claim in claims if not claim.costs]
    answered = [
        tuple(claim.id for claim in asked if _same(part.label, claim.text))[:1]
        or nearest(part.label, [part.amount], asked)
        for part in parts
    ]
    if answered and all(answered):
        yield from dict.fromkeys(claim for each in answered for claim in each)


def _issues(text: str, stop: int, frame: CaseFrame, document: str) -> Iterator[CourtFinding]:
    """How each claim was answered before the operative part."""
    for number, found in enumerate(pattern(TABLE, "issue").finditer(text, 0, stop), 1):
        about = tuple(claim.id for claim in frame.claims if _same(found["issue"], claim.text))
        yes = pattern(TABLE, "granted").search(found["answer"]) is not None
        no = pattern(TABLE, "denied").search(found["answer"]) is not None
        result: Proof = "open" if yes == no else "proved" if yes else "not_proved"
        origin = _at(document, *found.span())
        yield CourtFinding(
            id=f"issue/{number}", fact=found["issue"].replace(LEADER, STOP), result=result, about=about, origin=origin
        )


def _answers(text: str, stop: int, frame: CaseFrame, document: str) -> Iterator[CourtFinding]:
    """How each claim was answered: in sentences made for it, else wherever a paragraph is about one head alone."""
    found = list(_issues(text, stop, frame, document))
    yield from found
    answered = {claim for one in found for claim in one.about}
    asked = [claim for claim in frame.claims if not claim.costs]
    told: dict[str, list[tuple[Proof, int, int]]] = {}
    for paragraph in re.compile(r"[^\n]+").finditer(text, 0, stop):
        numbers = {int(one["n"]) for one in pattern(TABLE, "head").finditer(paragraph.group())}
        about = next((asked[one - 1].id for one in numbers if len(numbers) == 1 and 0 < one <= len(asked)), "")
        for sentence in pattern(TABLE, "sentence").finditer(text, *paragraph.span()):
            claim, result = _claim_in(sentence.group(), asked) or about, _said(sentence.group())
            if claim and claim not in answered and result != "open":
                told.setdefault(claim, []).append((result, *sentence.span()))
    for number, (claim, results) in enumerate(told.items(), len(found) + 1):
        same = len({result for result, _, _ in results}) == 1
        result, start, end = results[-1]
        origin = _at(document, start, end)
        fact = " ".join(text[start:end].replace(LEADER, STOP).split())
        yield CourtFinding(
            id=f"issue/{number}", fact=fact, result=result if same else "open", about=(claim,), origin=origin
        )


def _claim_in(sentence: str, asked: Sequence[Claim]) -> str:
    """The claim that a sentence names by what it is for: all the words of weight, of one claim alone."""
    named = pattern(TABLE, "claim_for").search(sentence)
    found = [claim.id for claim in asked if named is not None and _words(named["issue"]) & _words(claim.text)]
    return found[0] if len(found) == 1 else ""


def _words(said: str) -> set[str]:
    """The words of some weight, without the sign of a plural."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]{5,}", said.lower())}


def _said(sentence: str) -> Proof:
    """What a sentence says of a claim, where the court says it for itself and one way only."""
    if pattern(TABLE, "reported").search(sentence):
        return "open"
    rest, no = pattern(TABLE, "no").subn("", sentence)
    yes = pattern(TABLE, "yes").search(rest) is not None
    return "open" if yes == bool(no) else "proved" if yes else "not_proved"
