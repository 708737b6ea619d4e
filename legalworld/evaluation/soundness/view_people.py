"""Persons as checks see them: who came, who is judged; and everybody whom the operative part names."""

from __future__ import annotations

from collections.abc import Iterator

from ...law.text.decision_people import mentions
from ...law.text.decisions import speakers
from ...law.text.judgment_head import Quote
from ...law.text.lexicon import endings, pattern
from ...law.text.numerals import fold
from ...model.decision import PartOrigin, Party
from .audited import Audited
from .schema import Held, Node, NotRead


def persons_view(audited: Audited) -> tuple[Node, ...]:
    return (*_persons(audited), *_strange_accused(audited))


def _persons(audited: Audited) -> Iterator[Node]:
    came, absent = audited.attendance
    spoke: dict[str, PartOrigin] = dict(speakers(audited.text, audited.frame))
    decision = audited.decision
    judged = {one.person for one in decision.verdicts}
    for party in decision.parties:
        accused = _is_accused(party, audited)
        ruled = bool(decision.verdicts) and all(one.person for one in decision.verdicts)
        here, away = came.get(party.id), absent.get(party.id)
        at = audited.person_at(party.id) or party.origin
        values: dict[str, Held | NotRead] = {
            "accused": Held(accused),
            "judged": Held(party.id in judged, decision.verdicts[0].origin)
            if ruled or _passed_over(party, audited)
            else NotRead("verdicts"),
            "absent": Held(away is not None, away),
            "present": Held(here is not None, here),
            "spoke": Held(party.id in spoke, spoke.get(party.id)),
        }
        yield Node("person", party.name, values, {}, at)


def _passed_over(party: Party, audited: Audited) -> bool:
    """Whether a verdict names one accused after the other, and this one not at all."""
    return not _spoken_of((party.name, *party.short), audited)


def _spoken_of(names: tuple[str, ...], audited: Audited) -> bool:
    """Whether the operative part names somebody, or speaks of all, or names nobody whom it judges."""
    ordered = audited.regions.ordered
    if ordered is None or not audited.decision.verdicts:
        return True
    said = fold(ordered.text)
    many = any(one["many"] for one in pattern("decision", "title").finditer(said))
    known = (*audited.frame.by_name, *audited.head_accused)
    return many or any(name and name in said for name in names) or not any(name in said for name in known)


def _strange_accused(audited: Audited) -> Iterator[Node]:
    """Those whom the head calls accused and the case does not know: each is to be judged, too."""
    for name, place in audited.head_accused.items():
        if any(name in known or known in name for known in audited.frame.by_name) or not audited.decision.verdicts:
            continue
        judged = _spoken_of((name,), audited)
        values: dict[str, Held | NotRead] = {
            "accused": Held(True, place),
            "judged": Held(judged, audited.decision.verdicts[0].origin),
            "absent": Held(False),
            "present": Held(False),
            "spoke": Held(False),
        }
        yield Node("person", name, values, {}, place)


def _is_accused(party: Party, audited: Audited) -> bool:
    """Whether the case lists somebody among the accused; where it lists nobody, whether he is called so."""
    listed = audited.case.accused.values() if audited.case is not None else ()
    return party.id in listed if listed else bool(set(party.titles) & set(endings("decision", "accused")))


def mentions_view(audited: Audited) -> Iterator[Node]:
    """Everybody whom the operative part and the costs name behind a title."""
    ordered = audited.regions.ordered
    if ordered is None or not audited.frame.people:
        return
    places = (audited.person_at(party.id) for party in audited.frame.people)
    head = next((place for place in places if place is not None), audited.at(0, ordered.start))
    strange = dict(_strangers(audited, ordered.start))
    strange |= {start: end for start, end in _strange_payers(audited, ordered) if not _within(start, strange)}
    for start, end in sorted(strange.items()):
        name = audited.folded[start:end]
        values: dict[str, Held | NotRead] = {"name": Held(name), "known": Held(False, head), "fits": Held(True)}
        yield Node("mention", name, values, {}, audited.at(start, end))
    for one in mentions(audited.folded, audited.frame, ordered.start, ordered.end):
        if one.title and one.name:
            place = next((at for person in one.people if (at := audited.person_at(person)) is not None), None)
            values = {"name": Held(one.name), "known": Held(True), "fits": Held(not one.misfit, place)}
            yield Node("mention", one.name, values, {}, audited.at(one.start, one.end))


def _strangers(audited: Audited, low: int) -> Iterator[tuple[int, int]]:
    """Titles with a name behind them that is no party's: a whole name, or a party's with one sign wrong."""
    names = audited.frame.by_name
    seen: set[int] = set()
    for found in pattern("decision", "stranger").finditer(audited.folded, low):
        if not any(name in audited.folded[found.start("name") : found.end("name") + len(name) - 1] for name in names):
            seen.add(found.start())
            typo = next((n for n in names if _mistyped(audited.folded[found.start("name") :][: len(n)], n)), "")
            yield found.start(), max(found.end(), found.start("name") + len(typo))
    for found in pattern("decision", "title").finditer(audited.folded, low):
        at = found.end()
        if found.start() in seen or any(audited.folded.startswith(name, at) for name in names):
            continue
        for name in names:
            if _mistyped(audited.folded[at : at + len(name)], name):
                yield found.start(), at + len(name)
                break


def _within(at: int, spans: dict[int, int]) -> bool:
    return any(start <= at < end for start, end in spans.items())


def _strange_payers(audited: Audited, ordered: Quote) -> Iterator[tuple[int, int]]:
    """Names where an order says who is to pay, or whom, that are no party's and stand nowhere before the orders."""
    for slot in pattern("decision", "payer_slot").finditer(audited.folded, ordered.start, ordered.end):
        low, high = slot.span("who")
        known = [(one.start, one.end) for one in mentions(audited.folded, audited.frame, low, high)]
        for start, end in _between(low, high, known):
            for first, last in _names_left(start, end, audited):
                if _nowhere(audited.folded[first:last], audited):
                    yield first, last
    for paid in pattern("decision", "paid_to").finditer(audited.folded, ordered.start, ordered.end):
        at = paid.end()
        for known_name in audited.frame.by_name:
            written = audited.folded[at : at + len(known_name)]
            if _mistyped(written, known_name) and _nowhere(written, audited):
                yield at, at + len(written)
                break


def _between(low: int, high: int, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What is left of a stretch without some spans of it."""
    for start, end in sorted(taken):
        if low < start:
            yield low, start
        low = max(low, end)
    if low < high:
        yield low, high


def _names_left(low: int, high: int, audited: Audited) -> Iterator[tuple[int, int]]:
    """Names between two places: a party's with a sign wrong, wherever it stands; then those of organisations.

    Last, two to four signs between commas and conjunctions that are no words of an order.
    """
    text = audited.folded
    wrong = list(_nearly_names(low, high, audited))
    yield from wrong
    cuts = [one.span() for one in pattern("decision", "slot_filling").finditer(text, low, high)]
    for start, end in _between(low, high, [*wrong, *cuts]):
        short = pattern("decision", "short_name").fullmatch(text, start, end) is not None
        phrase = pattern("decision", "unnamed").search(text, start, end) is not None
        if (short and not phrase) or pattern("decision", "organisation").fullmatch(text, start, end) is not None:
            yield start, end


def _nearly_names(low: int, high: int, audited: Audited) -> Iterator[tuple[int, int]]:
    """Where the name of a party stands with a sign wrong, the longest first; none inside another."""
    taken: dict[int, int] = {}
    for name in sorted(audited.frame.by_name, key=len, reverse=True):
        for at in range(low, high - len(name) + 1):
            if not _within(at, taken) and _mistyped(audited.folded[at : at + len(name)], name):
                taken[at] = at + len(name)
                yield at, at + len(name)


def _nowhere(name: str, audited: Audited) -> bool:
    """Whether nobody of that name is spoken of before the orders, by the text or the case."""
    return name not in audited.before and not any(name in one or one in name for one in audited.frame.by_name)


def _mistyped(written: str, name: str) -> bool:
    """Whether some words are a name with one sign, or a few of a long one, wrong."""
    same = sum(1 for one, other in zip(written, name, strict=False) if one == other)
    return len(name) > 2 and len(written) == len(name) and same >= max(2, len(name) - max(1, len(name) // 6))
