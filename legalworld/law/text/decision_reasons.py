"""What stands before the operative part of a decision: exhibits taken or not, issues and how they were answered.

An issue is answered where its paragraph says so in words of the table, and all of them say the same; else it is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from ...model.decision import (
    Admission,
    Amount,
    Circumstance,
    Cite,
    Claim,
    CourtFinding,
    ExhibitRuling,
    PartOrigin,
    Proof,
)
from .citations import citations
from .decision_claims import nearest
from .decision_people import CaseFrame, mentions
from .judgment_head import Quote
from .lexicon import alternation, endings, pattern, words
from .money import Money, sums
from .numerals import fold, ordinal

COMMA: Final = "\uff0c,"


def exhibit_rulings(said: Quote, frame: CaseFrame, document: str) -> Iterator[ExhibitRuling]:
    """Whether each exhibit was taken as evidence: what the paragraph that begins with it says at its end."""
    text = fold(said.text)
    names = _exhibit_names(frame)
    if names is None:
        return
    for line in re.finditer(r"[^\n]+", text):
        ids = list(dict.fromkeys(names.findall(re.split(f"[{COMMA}]", line.group())[0])))
        if len(ids) != 1:
            continue
        bare = pattern("decision", "quoted").sub(lambda one: " " * len(one.group()), line.group())
        ruling = _ruling(bare)
        if ruling is None:
            continue
        start = said.start + line.start()
        origin = PartOrigin(hand="text", source=document, start=start, end=said.start + line.end())
        yield ExhibitRuling(id=ids[0], ruling=ruling, origin=origin)


def _exhibit_names(frame: CaseFrame) -> re.Pattern[str] | None:
    return re.compile(alternation(frame.exhibits) + r"(?!\d)") if frame.exhibits else None


def _ruling(line: str) -> Admission | None:
    """The last words of a paragraph that take or refuse an exhibit; None where none do."""
    said: list[tuple[int, Admission]] = []
    for name, ruling in (("exhibit_no", "rejected"), ("exhibit_yes", "admitted")):
        said += [(found.start(), ruling) for found in pattern("decision", name).finditer(line)]  # type: ignore[misc]
    return max(said)[1] if said else None


def facts_found(said: Quote, frame: CaseFrame, document: str) -> Iterator[CourtFinding]:
    """The findings of fact, by the exhibit that shows each: "P1 shows: ..."."""
    text = fold(said.text)
    names = _exhibit_names(frame)
    if names is None:
        return
    shown = [found for found in names.finditer(text) if text.startswith(endings("decision", "shows"), found.end())]
    for number, found in enumerate(shown):
        stop = shown[number + 1].start() if number + 1 < len(shown) else len(text)
        line = text.find("\n", found.end(), stop)
        stop = line if line >= 0 else stop
        origin = PartOrigin(hand="text", source=document, start=said.start + found.start(), end=said.start + stop)
        yield CourtFinding(
            id=f"fact/{number + 1}",
            fact=text[found.start() : stop],
            result="proved",
            by=(found.group(),),
            origin=origin,
        )


def issues_answered(said: Quote, frame: CaseFrame, claims: tuple[Claim, ...], document: str) -> Iterator[CourtFinding]:
    """The issues that the reasons go through: which claim each is about, and whether it was answered for or against."""
    text = fold(said.text)
    heads = list(pattern("decision", "issue").finditer(text))
    for number, found in enumerate(heads):
        stop = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        stop = (
            min(stop, *(place for place in [text.find("\n", found.end())] if place >= 0))
            if "\n" in text[found.end() : stop]
            else stop
        )
        block = text[found.start() : stop]
        asked = found["issue"] or found["asked"] or ""
        bare = pattern("decision", "quoted").sub(lambda one: " " * len(one.group()), block)
        origin = PartOrigin(hand="text", source=document, start=said.start + found.start(), end=said.start + stop)
        listed = [
            Amount(value=one.amount, currency=one.currency)
            for one in sums(asked)
            if isinstance(one, Money) and one.currency
        ]
        about = _claims_asked(asked, listed, claims)
        result = _answer(bare) if about else "open"  # of what is no claim, the words do not tell who is right
        if not listed and not about and (about := _claim_numbered(asked, claims) or _claim_told(asked, bare, claims)):
            result = _answer(bare, plainly=True)
        head = pattern("decision", "clause").match(bare)
        if not about and head is not None and pattern("decision", "plea_asked").search(head.group()):
            result = _plea_answer(bare[head.end() :])
        yield CourtFinding(id=f"issue/{number + 1}", fact=asked, result=result, about=about, origin=origin)
    yield from _not_liable(text, said, frame, document)
    yield from _refused_of(text, said, frame, document)


def _claims_asked(asked: str, listed: list[Amount], claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """The claim whose words and sum an issue repeats; an issue that repeats no sum of a claim is about none."""
    return nearest(asked, listed, claims) if any(claim.amount in listed for claim in claims if claim.amount) else ()


def _claim_numbered(asked: str, claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """The one claim that an issue names by its number; none where it names several."""
    numbers = {str(ordinal(found["number"])) for found in pattern("decision", "claim_number").finditer(asked)}
    named = [claim.id for claim in claims if claim.id in numbers]
    return tuple(named) if len(numbers) == len(named) == 1 else ()


def _plea_answer(block: str) -> Proof:
    """Whether a defence is held good, where all that the court says of it is the same."""
    said = set()
    for clause in pattern("decision", "clause").finditer(block):
        for found in pattern("decision", "plea_answer").finditer(clause.group()):
            before = clause.group()[: found.start()]
            starts = [before.rfind(word) for word in endings("decision", "own_again")]
            if not any(word in before[max(0, *starts) :] for word in endings("decision", "said_by_others")):
                said.add("not_proved" if found["no"] else "proved")
    result: dict[frozenset[str], Proof] = {frozenset({"proved"}): "proved", frozenset({"not_proved"}): "not_proved"}
    return result.get(frozenset(said), "open")


def _claim_told(asked: str, block: str, claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """The one claim whose sum an issue's paragraph tells, where the issue has its words, too."""
    told = sums_told(block)
    named = [one for one in claims if one.amount is not None and one.amount.value in told]
    return nearest(asked, [], [*named, *(one for one in claims if one not in named)]) if len(named) == 1 else ()


def _answer(block: str, *, plainly: bool = False) -> Proof:
    """Whether what is asked was granted: the words of the table, where they do not contradict each other.

    Words that only ever decide a request go before those that may be about a plea; `plainly`: no others count.
    """
    yes, no = (_said(name, block) for name in ("granted", "denied"))
    sure = endings("decision", "decides_request")
    decides = [[one for one in words if any(word in one for word in sure)] for words in (yes, no)]
    if plainly or any(decides):
        yes, no = decides
    granted, denied = bool(yes) or bool(pattern("decision", "granted_sum").search(block)), bool(no)
    if any(word in block for word in endings("decision", "in_part")):
        return "in_part" if granted else "open"
    if granted == denied:
        return "open"
    return "proved" if granted else "not_proved"


def _said(name: str, block: str) -> list[str]:
    """The words of a list that a paragraph uses, not those that stand behind a denial."""
    denials = endings("decision", "negation")
    found = []
    for word in endings("decision", name):
        places = [at for at in range(len(block)) if block.startswith(word, at)]
        if any(not block.endswith(denials, 0, at) for at in places):
            found.append(word)
    return found


def _not_liable(text: str, said: Quote, frame: CaseFrame, document: str) -> Iterator[CourtFinding]:
    """Persons who, as the court says in its own words, are not liable."""
    for sentence in pattern("decision", "clause").finditer(text):
        bare = pattern("decision", "quoted").sub(lambda one: " " * len(one.group()), sentence.group())
        found = pattern("decision", "no_liability").search(bare)
        if found is None:
            continue
        ends = [place for sign in COMMA if (place := bare.find(sign, found.end())) >= 0]
        if any(word in bare[: min(ends, default=len(bare))] for word in endings("decision", "said_by_others")):
            continue
        clause = max(bare.rfind(sign, 0, found.start()) for sign in COMMA) + 1
        if not bare[clause : found.start()].strip() and clause:  # it says so of whom the clause before speaks
            clause = max(bare.rfind(sign, 0, clause - 1) for sign in COMMA) + 1
        people = [person for one in mentions(bare, frame, clause, found.start()) for person in one.people]
        if len(set(people)) == 1 and bare[clause : found.start()].strip():
            start = said.start + sentence.start()
            origin = PartOrigin(hand="text", source=document, start=start, end=said.start + sentence.end())
            yield CourtFinding(
                id=f"free/{people[0]}", fact=sentence.group(), result="not_proved", about=(people[0],), origin=origin
            )


def _refused_of(text: str, said: Quote, frame: CaseFrame, document: str) -> Iterator[CourtFinding]:
    """Persons who are sued and of whom the court says that a request that they be liable is refused."""
    for sentence in pattern("decision", "clause").finditer(text):
        bare = pattern("decision", "quoted").sub(lambda one: " " * len(one.group()), sentence.group())
        found = pattern("decision", "freed_of").search(bare)
        if found is None or not _said("denied", bare[found.end() :]) or _said("granted", bare):
            continue
        if any(word in bare for word in (*endings("decision", "in_part"), *endings("decision", "reported"))):
            continue
        people = {person for one in mentions(bare, frame, *found.span("who")) for person in one.people}
        if len(people) == 1 and len(frame.sides) > 1 and frame.side_of(next(iter(people))) == frame.sides[1]:
            person = people.pop()
            start, end = said.start + sentence.start(), said.start + sentence.end()
            origin = PartOrigin(hand="text", source=document, start=start, end=end)
            fact = sentence.group()
            yield CourtFinding(id=f"freed/{person}", fact=fact, result="not_proved", about=(person,), origin=origin)


def circumstances(said: Quote, frame: CaseFrame, document: str, person: str) -> Iterator[Circumstance]:
    """What the reasons find that makes the sentence of a person lighter or heavier, and how it is applied.

    A sentence counts that names him or nobody and says it for the court; how, where the same sentence says so.
    """
    text = fold(said.text)
    seen: set[str] = set()
    for sentence in pattern("decision", "clause").finditer(text):
        bare = pattern("decision", "quoted").sub(lambda one: " " * len(one.group()), sentence.group())
        people = {one for mention in mentions(bare, frame) for one in mention.people}
        if (people and person not in people) or any(word in bare for word in endings("decision", "reported")):
            continue
        effects = {effect for word, effect in words("verdict", "effects").items() if word in bare}
        for name, duty in words("verdict", "circumstances").items():
            found = re.search(pattern("decision", "found_to_be").pattern + re.escape(name), bare, re.VERBOSE)
            if found is None or name in seen:
                continue
            seen.add(name)
            start = said.start + sentence.start()
            yield Circumstance(
                name=name,
                duty=duty,
                applied=effects.pop() if len(effects) == 1 else "",
                origin=PartOrigin(hand="text", source=document, start=start, end=start + len(bare)),
            )


def sums_told(text: str) -> set[Decimal]:
    """Every sum that a text tells."""
    return {one.amount for one in sums(fold(text)) if isinstance(one, Money)}


def cites(said: Quote, document: str, where: str) -> Iterator[Cite]:
    """The articles that a text cites, each with its law."""
    for one in citations(said.text):
        if one.law is None or one.article is None:
            continue
        yield Cite(
            law=one.law,
            article=str(one.article),
            paragraph=str(one.paragraph or ""),
            item=str(one.item or ""),
            where="basis" if where == "basis" else "reasons",
            origin=PartOrigin(hand="text", source=document, start=said.start + one.start, end=said.start + one.end),
        )
