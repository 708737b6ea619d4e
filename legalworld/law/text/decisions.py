"""A decision read out of its text: judgment, ruling, award, of either instance.

Nothing is inferred. Every part says where in the text it stands; what has no known form is named as unread, and what
the text does not say is not there. A text without an operative part is no decision: everything about it is unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from ...model.decision import (
    ChargeVerdict,
    Claim,
    Decision,
    Fate,
    PartOrigin,
    Party,
    Relief,
    Remedy,
    Thin,
)
from ...model.immutable import immutable
from .decision_claims import claim_amount, claim_sum, costs_alone
from .decision_costs import read_costs
from .decision_english import english_regions, read_english, read_english_orders
from .decision_items import ItemPlace, ReadItem, read_item
from .decision_people import CaseFrame, Mention, mentions
from .decision_reasons import circumstances, cites, exhibit_rulings, facts_found, issues_answered
from .decision_verdicts import read_verdicts
from .judgment_head import HEAD, JudgmentHead, Quote
from .judgment_head import head as head_of
from .judgments import items, numbered_items
from .lexicon import endings, pattern, words
from .numerals import fold, read
from .verdicts import verdict

YUAN: Final = "CNY"
RARE: Final = 4
COMMAS: Final = "\uff0c,"
STOPS: Final = "\u3002\n"
SEMICOLON: Final = "\uff1b"


@lru_cache(maxsize=4)
def head(text: str) -> JudgmentHead:
    """The head of a text, which several parts of its decision are read from."""
    return head_of(pattern("decision", "laid_out").sub(lambda one: " " * len(one.group()), text))


@immutable
class Regions:
    """Where the parts of a decision stand: what is told before the reasons, the reasons, what is ordered, the rest."""

    told: Quote
    reasons: Quote | None
    basis: Quote | None
    ordered: Quote | None
    rest: Quote


def regions(text: str) -> Regions:
    """The parts of a text; None for a part that no words open."""
    if is_english(text):
        where = english_regions(text)
        low, high = where if where is not None else (len(text), len(text))
        ordered = _quote(text, low, high) if where is not None else None
        told = _quote(text, 0, low)
        return Regions(told, told if ordered is not None else None, None, ordered, _quote(text, high, len(text)))
    folded = fold(text)
    opened = list(pattern("decision", "operative").finditer(folded))
    if not opened:
        return Regions(_quote(text, 0, len(text)), None, None, None, _quote(text, len(text), len(text)))
    at = opened[-1]
    tail = pattern("decision", "tail").search(folded, at.end())
    end = tail.start() if tail is not None else len(text)
    held = [found.end() for found in pattern("decision", "opinion").finditer(folded, 0, at.start())]
    before = held[-1] if held else None
    split = max(folded.rfind(sign, 0, at.start()) for sign in STOPS) + 1
    reasons = _quote(text, before, max(before, split)) if before is not None else None
    return Regions(
        told=_quote(text, 0, before if before is not None else split),
        reasons=reasons,
        basis=_quote(text, max(split, before or 0), at.start()),
        ordered=_quote(text, at.end(), end),
        rest=_quote(text, end, len(text)),
    )


def is_english(text: str) -> bool:
    """Whether a text is written in English: hardly any of its signs are ideographs."""
    return len(pattern("decision", "ideograph").findall(text)) * RARE < len(text.replace(" ", ""))


def _quote(text: str, start: int, end: int) -> Quote:
    return Quote(start, end, text[start:end])


def read_decision(text: str, frame: CaseFrame | None = None, *, document: str = "", instance: int = 0) -> Decision:
    """The decision that a text tells, read against a case; without one, against its own head.

    `instance`: 1 or 2 where the caller knows, else what the head says.
    """
    if is_english(text):
        return read_english(text, frame or CaseFrame(), document, instance)
    top = head(text)
    known = frame is not None and bool(frame.people)
    parties = _called(frame.people, top) if frame is not None and known else _parties(text, document)
    parts = regions(text)
    claims = tuple(_claims(parts.told, document)) if instance != 2 else ()
    told = CaseFrame(parties, (frame.claims if frame is not None else ()) or claims, frame.exhibits if frame else ())
    number = top.number
    common = {
        "id": document,
        "instance": instance or top.instance,
        "court": top.court,
        "number": number,
        "day": top.date,
        "parties": tuple(_attending(text, told)),
        "claims": claims,
    }
    if parts.ordered is None:
        return Decision(**common, thin=(_no_orders(document, parts.told),))
    return _decided(text, parts, told, common)


def _at(document: str, said: Quote) -> PartOrigin:
    return PartOrigin(hand="text", source=document, start=said.start, end=said.end)


def _no_orders(document: str, said: Quote) -> Thin:
    """The gap of a text in which nothing is ordered: there is no operative part, or nothing stands in it."""
    return Thin(part="reliefs", kind="unread", missing="operative", origin=_at(document, said))


def _decided(text: str, parts: Regions, frame: CaseFrame, common: dict[str, object]) -> Decision:
    assert parts.ordered is not None
    document = str(common["id"])
    ordered = parts.ordered
    places = [ItemPlace(str(at), said, document) for at, said in numbered_items(text, ordered)]
    read = read_items(places, frame)
    verdicts, served, gaps = read_verdicts(text, frame, document) if _criminal(ordered.text) else ([], [], [])
    costs, unclear = read_costs(text, ordered.end, frame, document)
    below = _below(text, parts, frame, common["instance"] == 2)
    nothing = [] if places or verdicts else [_no_orders(document, parts.told)]
    reasons = parts.reasons
    findings = tuple(facts_found(_last_findings(parts.told), frame, document))
    answered = tuple(issues_answered(reasons, frame, frame.claims, document)) if reasons is not None else ()
    return Decision(
        **common,
        exhibits=tuple(exhibit_rulings(parts.told, frame, document)),
        findings=(*findings, *answered),
        reliefs=tuple(read.reliefs),
        verdicts=tuple(_with_circumstances(verdicts, reasons, frame, document)),
        sentences=tuple(served),
        costs=tuple(costs),
        below_court=head(text).appealed[0],
        below_number=head(text).appealed[1],
        below=below,
        fates=tuple(read.fates),
        remanded=read.remanded,
        remedy=_remedy(parts.rest, document),
        cites=(
            *(cites(parts.basis, document, "basis") if parts.basis is not None else ()),
            *(cites(reasons, document, "reasons") if reasons is not None else ()),
        ),
        thin=(*nothing, *read.thin, *gaps, *unclear),
        whole=bool(places) and not read.thin,
    )


def _with_circumstances(
    verdicts: Sequence[ChargeVerdict], reasons: Quote | None, frame: CaseFrame, document: str
) -> Iterator[ChargeVerdict]:
    """The verdicts with the circumstances that the reasons find."""
    for one in verdicts:
        found = tuple(circumstances(reasons, frame, document, one.person)) if reasons is not None else ()
        yield one.model_copy(update={"circumstances": found})


class ItemsRead:
    """What the items of an operative part say together."""

    def __init__(self) -> None:
        self.reliefs: list[Relief] = []
        self.fates: list[Fate] = []
        self.thin: list[Thin] = []
        self.remanded = False


def read_items(places: Sequence[ItemPlace], frame: CaseFrame) -> ItemsRead:
    """The items of an operative part; one of no known form is named as unread."""
    read = ItemsRead()
    for place in places:
        if _criminal(place.said.text):
            continue
        one = read_item(place, frame)
        settled = pattern("decision", "settled").search(fold(place.said.text)) is not None
        read.reliefs += one.reliefs if not settled or not one.thin else ()
        read.fates += one.fates
        read.thin += one.thin if not settled else ()
        read.remanded = read.remanded or one.remanded
        if not one.known and not settled:
            read.thin.append(Thin(part=f"items/{place.number}", kind="unread", origin=place.origin()))
    return read


def read_ordered(text: str, frame: CaseFrame, *, alone: bool = False) -> list[tuple[Quote, ReadItem]]:
    """The items of an operative part, each with what was read of it.

    `alone`: the text is an operative part, where nothing in it opens one; else it has none.
    """
    ordered = regions(text).ordered
    if ordered is None:
        ordered = _quote(text, 0, len(text)) if alone else _quote(text, 0, 0)
    places = [ItemPlace(str(at), said, "") for at, said in numbered_items(text, ordered)]
    return [(place.said, read_item(place, frame)) for place in places]


def read_orders(orders: Sequence[str], frame: CaseFrame, source: str) -> Decision:
    """What orders say that stand alone, before a document states them; places are those in the orders, line by line."""
    text = "\n".join(orders)
    starts = [sum(len(one) + 1 for one in orders[:number]) for number in range(len(orders))]
    quotes = [Quote(start, start + len(one), one) for start, one in zip(starts, orders, strict=True)]
    if is_english(text):
        return read_english_orders(quotes, frame, source)
    found = read_items([ItemPlace(str(number), said, source) for number, said in enumerate(quotes, 1)], frame)
    return Decision(
        reliefs=tuple(found.reliefs), fates=tuple(found.fates), remanded=found.remanded, thin=tuple(found.thin)
    )


def _criminal(item: str) -> bool:
    return pattern("decision", "criminal_item").search(fold(item)) is not None


def _last_findings(told: Quote) -> Quote:
    """What the court itself found: from the last words that open findings."""
    found = list(pattern("decision", "findings").finditer(fold(told.text)))
    start = found[-1].end() if found else len(told.text)
    return Quote(told.start + start, told.end, told.text[start:])


def _claims(told: Quote, document: str) -> Iterator[Claim]:
    """The claims as the text recites them."""
    found = pattern("decision", "recited").search(fold(told.text))
    if found is None:
        return
    start = told.start + found.start("claims")
    said = Quote(start, told.start + found.end("claims"), told.text[found.start("claims") : found.end("claims")])
    whole = told.text
    for number, one in enumerate(items(" " * told.start + whole, said)):
        costs = costs_alone(one.text)
        amount = claim_sum(one.text) or claim_amount(one.text, YUAN)
        yield Claim(
            id=str(number + 1), text=one.text, amount=amount, costs=costs and amount is None, origin=_at(document, one)
        )


def _below(text: str, parts: Regions, frame: CaseFrame, second: bool) -> Decision | None:
    """What the text says the first instance ordered."""
    found = pattern("decision", "below_ordered").search(fold(parts.told.text)) if second else None
    if found is None:
        return _below_sentenced(text, parts, frame) if second else None
    start = parts.told.start + found.start("items")
    said = Quote(start, parts.told.start + found.end("items"), found["items"])
    places = [ItemPlace(str(at), one, "") for at, one in numbered_items(text, said)]
    read = read_items(places, frame)
    verdicts, served, _ = read_verdicts(said.text, frame, "") if _criminal(said.text) else ([], [], [])
    return Decision(
        instance=1,
        number=head(text).appealed[1],
        reliefs=tuple(read.reliefs),
        verdicts=tuple(verdicts),
        sentences=tuple(served),
        thin=tuple(read.thin),
        whole=bool(places) and not read.thin,
    )


def _below_sentenced(text: str, parts: Regions, frame: CaseFrame) -> Decision | None:
    """What each accused was sentenced to below, where the text tells it in a sentence and no operative part; who is
    spoken of twice is left out."""
    found: dict[str, list[ChargeVerdict]] = {}
    for one in pattern("decision", "below_sentenced").finditer(fold(parts.told.text)):
        start = parts.told.start + one.start("said")
        verdicts, _, gaps = read_verdicts(one["said"], frame, "")
        unsure = {gap.part.partition("/")[2] for gap in gaps}
        for each in verdicts:
            if each.person and each.person not in unsure and each.punishment is not None:
                origin = PartOrigin(hand="text", start=start, end=start + len(one["said"]))
                found.setdefault(each.person, []).append(each.model_copy(update={"origin": origin}))
    sure = tuple(listed[0] for listed in found.values() if len(listed) == 1)
    return Decision(instance=1, number=head(text).appealed[1], verdicts=sure) if sure else None


# ---- head and end ----------------------------------------------------------------------------------------------------


def _parties(text: str, document: str) -> tuple[Party, ...]:
    """The parties that the head names, with ids by side and number; those accused, where the text convicts somebody."""
    ordered = regions(text).ordered
    if ordered is not None and _criminal(ordered.text):
        return tuple(_accused(text, document))
    found: list[Party] = []
    seen: dict[str, int] = {}
    if not (named := head(text).parties):
        return tuple(_of_award(text, document))
    for one in named:
        letter = words("decision", "letters").get(one.side, "T")
        seen[letter] = seen.get(letter, 0) + 1
        found.append(
            Party(
                id=f"{letter}{seen[letter]}",
                name=one.name.text,
                side=one.side,
                short=(one.short,) if one.short else (),
                appeals=one.appeals,
                origin=_at(document, one.name),
            )
        )
    order = [*dict.fromkeys(words("judgment", "sides").values())]
    ranked = sorted(found, key=lambda one: order.index(one.side) if one.side in order else len(order))
    return tuple(ranked)


def _called(people: Sequence[Party], top: JudgmentHead) -> tuple[Party, ...]:
    """Return the people of a case with what the head of the judgment calls them from there on, besides."""
    short = {one.name.text: one.short for one in top.parties if one.short}
    names = {one.name for one in people} | {name for one in people for name in one.short}
    return tuple(
        one.model_copy(update={"short": (*one.short, new)})
        if (new := short.get(one.name, "")) and new not in names
        else one
        for one in people
    )


def _of_award(text: str, document: str) -> Iterator[Party]:
    """Those whom the head of an award names, who claims first; nobody where one of the two is not named."""
    found = list(pattern("decision", "award_party").finditer(fold(text), 0, HEAD))
    names = [one["name"] for one in found]
    if {one["other"] or "" for one in found} != {"", words("decision", "award")["other"]} or len(set(names)) < len(
        names
    ):
        return
    sides = tuple(words("decision", "letters").items())
    for which, (side, letter) in zip((False, True), sides, strict=False):
        those = [one for one in found if bool(one["other"]) is which]
        for number, one in enumerate(those, 1):
            low, high = one.span("name")
            origin = _at(document, Quote(low, high, text[low:high]))
            yield Party(id=f"{letter}{number}", name=text[low:high], side=side, origin=origin)


def _accused(text: str, document: str) -> Iterator[Party]:
    """Those whom a criminal judgment decides about."""
    names = dict.fromkeys(one.who for one in verdict(text).defendants if one.who is not None)
    for number, name in enumerate(names):
        at = text.find(name)
        origin = _at(document, Quote(at, at + len(name), name))
        yield Party(id=f"D{number + 1}", name=name, titles=endings("decision", "accused"), origin=origin)


def _attending(text: str, frame: CaseFrame) -> Iterator[Party]:
    """The parties, and whether the text says that they came."""
    came, absent = attendance(text, frame)
    for party in frame.people:
        told = False if party.id in absent else True if party.id in came else None
        yield party.model_copy(update={"attended": told})


def attendance(text: str, frame: CaseFrame) -> tuple[dict[str, PartOrigin], dict[str, PartOrigin]]:
    """Those who came and those who did not, as the head of a text says, and where; somebody may be in both."""
    folded = fold(text)
    stop = min(len(folded), HEAD)
    return _people_of("attended", folded, frame, stop), _people_of("absent", folded, frame, stop)


def _people_of(name: str, text: str, frame: CaseFrame, stop: int) -> dict[str, PartOrigin]:
    """Those of whom a sentence says so; only sentences that speak of a hearing are looked at."""
    found: dict[str, PartOrigin] = {}
    behind = 0
    for word in pattern("decision", "came").finditer(text, 0, stop):
        if word.start() < behind:
            continue
        start = max(text.rfind(sign, 0, word.start()) for sign in (*STOPS, SEMICOLON)) + 1
        behind = min((at for sign in (*STOPS, SEMICOLON) if (at := text.find(sign, word.end())) >= 0), default=stop)
        for said in pattern("decision", name).finditer(text, start, behind):
            low, high = said.start("who"), said.end("who")
            told = [one.end() for one in pattern("decision", "came").finditer(text, low, high)]
            low = max([low, *told])  # those of whom something was said already are not meant again
            if name == "absent":
                low = _own_clause(text, low, high, frame)
            for one in _in_person(text, mentions(text, frame, low, high)):
                for person in one.people:
                    found[person] = PartOrigin(hand="text", start=max(said.start(), low), end=said.end())
    return found


def _own_clause(text: str, low: int, high: int, frame: CaseFrame) -> int:
    """Where the clause begins that stands nearest and names somebody."""
    cuts = [low, *(at + 1 for at in range(low, high) if text[at] in COMMAS)]
    return next((at for at in reversed(cuts) if mentions(text, frame, at, high)), low)


def _in_person(text: str, named: list[Mention]) -> Iterator[Mention]:
    """Those who are named themselves, and not only as somebody's client."""
    for one in named:
        if pattern("decision", "client_of").match(text, one.end) is None:
            yield one


def _remedy(rest: Quote, document: str) -> Remedy | None:
    text = fold(rest.text)
    final = pattern("decision", "final").search(text)
    appeal = pattern("decision", "appeal_days").search(text)
    if final is None and appeal is None:
        return None
    to = [found["court"] for found in pattern("decision", "appeal").finditer(text)]
    number = read(appeal["n"]) if appeal is not None else None
    days = int(number) if number is not None else None
    return Remedy(final=final is not None, to=to[-1] if to else "", days=days, origin=_at(document, rest))


def speakers(text: str, frame: CaseFrame) -> Iterator[tuple[str, PartOrigin]]:
    """Those who, as the text tells, answered: id and place."""
    folded = fold(text)
    for found in pattern("decision", "spoke").finditer(folded):
        for one in _in_person(folded, mentions(folded, frame, found.start("who"), found.end("who"))):
            for person in one.people:
                yield person, PartOrigin(hand="text", start=found.start(), end=found.end())
