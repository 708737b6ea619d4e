"""What the reasons of a decision come to, as far as they say so in plain words, against what it orders.

A sentence counts that the court says for itself: what it quotes, or reports of others, does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from ...law.text.decision_people import mentions
from ...law.text.decision_reasons import sums_told
from ...law.text.lexicon import endings, pattern
from ...model.decision import ChargeVerdict, PartOrigin, Relief
from .audited import Audited
from .schema import Held, NotRead

COMMAS: Final = "\uff0c,"
TWO: Final = 2


def sentences(audited: Audited, *, findings: bool = False) -> Iterator[tuple[str, int]]:
    """The sentences of the reasons, quotations blotted out, each with its place; of the findings before, too."""
    said = audited.regions.reasons
    if said is None:
        return
    opened = [one.end() for one in pattern("decision", "findings").finditer(audited.folded, 0, said.start)]
    opening = [one.start() for one in pattern("decision", "opinion").finditer(audited.folded, 0, said.start)]
    before = [(opened[-1], opening[-1])] if findings and opened and opening else []
    for start, end in (*before, (said.start, said.end)):
        for found in pattern("decision", "clause").finditer(audited.folded, start, end):
            yield pattern("decision", "quoted").sub(lambda one: " " * len(one.group()), found.group()), found.start()


def veiled(said: str, audited: Audited) -> str:
    """Words without the names and titles in them, of people and of laws, which may hold what are words elsewhere, and
    without what only looks like a report."""
    blank = pattern("decision", "law_title").sub(lambda one: " " * len(one.group()), said)
    found = list(pattern("decision", "no_report").sub(lambda one: " " * len(one.group()), blank))
    for one in mentions(said, audited.frame):
        found[one.start : one.end] = " " * (one.end - one.start)
    return "".join(found)


def own(sentence: str, audited: Audited) -> bool:
    """Whether a sentence is the court's own: it reports nothing that a party holds."""
    bare = veiled(sentence, audited)
    return not any(word in bare for word in endings("decision", "reported"))


def reasons_of_guilt(verdict: ChargeVerdict, audited: Audited) -> dict[str, Held | NotRead]:
    """Whether the reasons find the crime of somebody, and whether that there is none; open where they say both.

    Where several are accused, a sentence counts that names him alone.
    """
    counts = [one for one in audited.decision.verdicts if one.person == verdict.person]
    innocent = next(iter(_said_of("innocent", verdict, audited)), None)
    guilty = list(_said_of("guilty", verdict, audited))
    guilty = [one for one in guilty if innocent is None or not innocent[0] <= one[0] < innocent[1]]
    plainly = [one for one in guilty if one[2]]
    if audited.regions.reasons is None or len(counts) != 1 or (innocent is not None and plainly):
        return {"reasons_convict": NotRead("reasons"), "reasons_acquit": NotRead("reasons")}
    acquits = Held(innocent is not None, audited.at(*innocent[:2]) if innocent is not None else None)
    if innocent is not None and guilty:  # that the charge is made out says of which act it is true, and of which not
        return {"reasons_convict": NotRead("reasons"), "reasons_acquit": acquits}
    return {
        "reasons_convict": Held(bool(guilty), audited.at(*guilty[0][:2]) if guilty else None),
        "reasons_acquit": acquits,
    }


def _said_of(name: str, verdict: ChargeVerdict, audited: Audited) -> Iterator[tuple[int, int, str]]:
    """Where the reasons find somebody guilty, or not, each with the charge that is named. Where several are accused,
    a sentence counts that names him alone, or all of them."""
    people = {one.person for one in audited.decision.verdicts}
    for sentence, at in _told_of(name, audited):
        if len(people) > 1 and _named(sentence, audited) not in ({verdict.person}, people):
            continue
        for hit in pattern("decision", name).finditer(sentence):
            if _of(hit, verdict.charge) and (name == "innocent" or not _charged(sentence, hit.start())):
                yield at + hit.start(), at + hit.end(), hit["charge"] or ""


def _told_of(name: str, audited: Audited) -> Iterator[tuple[str, int]]:
    """Where the court says that somebody is guilty, or is not: in its reasons; that he is not, in its findings, too,
    up to a word that reports."""
    if name == "guilty":
        yield from ((sentence, at) for sentence, at in sentences(audited) if own(sentence, audited))
        return
    for sentence, at in sentences(audited, findings=True):
        bare = veiled(sentence, audited)
        places = [bare.find(word) for word in endings("decision", "reported")]
        yield sentence[: min((place for place in places if place >= 0), default=len(sentence))], at


def _named(sentence: str, audited: Audited) -> set[str]:
    """Those whom a sentence names."""
    return {person for one in mentions(sentence, audited.frame) for person in one.people}


def _charged(sentence: str, at: int) -> bool:
    """Whether the clause up to a place says what the prosecution charges."""
    clause = sentence[max(sentence.rfind(sign, 0, at) for sign in COMMAS) + 1 : at]
    return any(word in clause for word in endings("decision", "charging"))


def _of(found: re.Match[str], charge: str) -> bool:
    """Whether words are about a charge, or about whatever is charged."""
    named = found["charge"]
    return not named or not charge or named == charge


def denied(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether the reasons deny the very sum that is ordered, in the end; open where they grant it after that, or deny
    it of somebody else."""
    sums = {one.value for one in (relief.amount, *(part.amount for part in relief.parts)) if one is not None}
    if not sums or audited.regions.reasons is None:
        return NotRead("amount")
    refused: PartOrigin | None = None
    granted = False
    for sentence, at in sentences(audited):
        if not _asks(sentence, sums, audited):
            continue
        if any(word in sentence for word in endings("decision", "denied")):
            refused = audited.at(at, at + len(sentence))
            granted = granted and not _against(sentence, relief.payers, audited)
        elif any(word in sentence for word in endings("decision", "granted")):
            granted = True
    return NotRead("reasons") if refused is not None and granted else Held(refused is not None, refused)


def _against(sentence: str, payers: tuple[str, ...], audited: Audited) -> bool:
    """Whether a sentence speaks, besides those who claim, of nobody but those who are to pay."""
    frame = audited.frame
    others = {one for one in _named(sentence, audited) if not frame.sides or frame.side_of(one) != frame.sides[0]}
    return others <= set(payers)


def _asks(sentence: str, sums: set[Decimal], audited: Audited) -> bool:
    """Whether a sentence is about a request for one of these sums, of those who claim, and not for a part of it."""
    told = sums_told(sentence)
    if len(told) != 1 or not told <= sums or not pattern("decision", "requested").search(sentence):
        return False
    return own(sentence, audited) and _of_claimants(sentence, audited) and not _partial(sentence)


def _partial(sentence: str) -> bool:
    return any(word in sentence for word in endings("decision", "in_part"))


def _of_claimants(sentence: str, audited: Audited) -> bool:
    """Whether who requests is one of those who claim: who is named just before, else first; a request of nobody is
    theirs, too."""
    named = [one for one in mentions(sentence, audited.frame) if one.people]
    asks = pattern("decision", "asks").search(sentence)
    before = [one for one in named if asks is not None and one.end <= asks.start()]
    named = before[-1:] or named
    if not named and pattern("decision", "the_request").search(sentence):
        return True
    sides = {audited.frame.side_of(person) for person in named[0].people} if named else set()
    return bool(audited.frame.sides) and sides == {audited.frame.sides[0]}


def clauses(audited: Audited) -> Iterator[tuple[str, int]]:
    """The clauses of the reasons that the court says for itself, each with its place.

    What follows a word that reports is reported, up to a word with which the court speaks again.
    """
    for sentence, at in sentences(audited):
        reported = False
        bare = veiled(sentence, audited)
        for found in pattern("decision", "part").finditer(sentence):
            said, plain = found.group(), bare[found.start() : found.end()]
            others = any(word in plain for word in endings("decision", "reported"))
            again = any(word in plain for word in endings("decision", "own_again"))
            reported = others or (reported and not again)
            if not reported:
                yield said, at + found.start()
            reported = reported and not again


def reasons_grant(audited: Audited) -> Held | NotRead:
    """Whether the reasons say that a request of those who claim is granted, that somebody who is sued owes something,
    or that the act of an authority cannot stand."""
    if audited.regions.reasons is None:
        return NotRead("reasons")
    for sentence, at in sentences(audited):
        asks = pattern("decision", "requested").search(sentence)
        if asks and own(sentence, audited) and _of_claimants(sentence, audited):
            granted = any(word in sentence for word in endings("decision", "granted"))
            if granted and not any(word in sentence for word in endings("decision", "denied")):
                return Held(True, audited.at(at, at + len(sentence)))
    before = ""
    for said, at in clauses(audited):
        if owing(said, before, audited) or _falls(said, audited):
            return Held(True, audited.at(at, at + len(said)))
        before = said
    return _granted_clause(audited)


def _granted_clause(audited: Audited) -> Held:
    """Whether a clause grants a request, or a sum that was claimed in it or just before it."""
    before = ""
    for said, at in clauses(audited):
        told, before = sums_told(f"{before},{said}"), said
        refused = any(word in veiled(said, audited) for word in endings("decision", "negation"))
        if not refused and any(word in said for word in endings("decision", "granted")):
            asked = pattern("decision", "the_request").search(said) is not None
            if asked or claimed(audited) & told:
                return Held(True, audited.at(at, at + len(said)))
    return Held(False)


def claimed(audited: Audited) -> set[Decimal]:
    """The sums that are claimed, and what they come to."""
    sums = [one.amount.value for one in audited.claims if one.amount is not None]
    return {*sums, sum(sums, Decimal(0))}


def owing(said: str, before: str, audited: Audited) -> bool:
    """Whether a clause says of somebody who is sued that he has to pay or is liable; where it names nobody, of him
    whom the clause before begins with."""
    owed = pattern("decision", "owed").search(said)
    if owed is None or unsure(said, audited) or audited.act_reviewed:
        return False
    if not [one for one in mentions(said, audited.frame, 0, owed.end()) if one.people]:
        return bool(claimed(audited) & set(sums_told(said))) or (owed.start() == 0 and of_sued(before, audited))
    return of_sued(said[: owed.end()], audited)


def unsure(said: str, audited: Audited) -> bool:
    """Whether a clause says something only on a condition, or says what somebody wants, or what a contract says."""
    bare = veiled(said, audited)
    return any(word in bare for word in endings("decision", "unsure"))


def conditional(said: str, audited: Audited) -> bool:
    """Whether a clause is a condition of the next."""
    return pattern("decision", "conditional").search(veiled(said, audited)) is not None


def of_sued(said: str, audited: Audited) -> bool:
    """Whether whoever is named first in some words is one of those who are sued."""
    named = [one for one in mentions(said, audited.frame) if one.people]
    sides = {audited.frame.side_of(person) for person in named[0].people} if named else set()
    return len(audited.frame.sides) == TWO and sides == {audited.frame.sides[1]}


def _falls(said: str, audited: Audited) -> bool:
    """Whether a clause says that the act of an authority cannot stand."""
    named = pattern("decision", "named_act").sub("", said)
    if not audited.act_reviewed or pattern("decision", "act_talk").search(named) is not None:
        return False
    return pattern("decision", "act_falls").search(said) is not None


def grants(audited: Audited) -> Held | NotRead:
    """Whether anything that was asked is granted; open where an item was not read."""
    decision = audited.decision
    granted = [one for one in decision.reliefs if one.result != "dismissed"]
    if granted:
        return Held(True, granted[0].origin)
    if not decision.whole or not decision.reliefs or any(one.object for one in decision.reliefs):
        return NotRead("reliefs")
    return Held(False, decision.reliefs[0].origin)


def beside_dismissal(relief: Relief, audited: Audited) -> Held | NotRead:
    """Whether an order in somebody's favour stands beside a dismissal of all that he claims."""
    if relief.result != "granted" or not relief.payees or relief.order not in ("pay", "return", "deliver"):
        return NotRead("payees")
    whole = [one for one in audited.decision.reliefs if _dismisses_all(one, audited)]
    sides = {audited.frame.side_of(person) for person in relief.payees}
    for one in whole:
        if one.payees and {audited.frame.side_of(person) for person in one.payees} == sides:
            return Held(True, one.origin)
    return Held(False)


def _dismisses_all(relief: Relief, audited: Audited) -> bool:
    """Whether an item dismisses all that one side claims, by that very word."""
    origin = relief.origin
    if relief.result != "dismissed" or relief.object or origin is None:
        return False
    item = audited.folded[origin.start : origin.end]
    sides = {audited.frame.side_of(person) for person in relief.payees}
    return len(sides) == 1 and pattern("decision", "dismisses_all").search(item) is not None


def limitation(audited: Audited) -> dict[str, Held | NotRead]:
    """Whether a claim fails for want of time, and whether those who are sued said that it does."""
    applied = next(
        (
            audited.at(at, at + len(sentence))
            for sentence, at in sentences(audited)
            if own(sentence, audited)
            and pattern("decision", "out_of_time").search(sentence)
            and any(word in sentence for word in endings("decision", "denied"))
        ),
        None,
    )
    said = list(pattern("decision", "answered").finditer(audited.before))
    pleaded = next((one for one in said if pattern("decision", "pleads_time").search(one.group())), None)
    place = audited.at(*(pleaded or said[0]).span()) if said else None
    return {
        "out_of_time": Held(applied is not None, applied),
        "time_pleaded": Held(pleaded is not None, place) if said else NotRead("answer"),
    }
