"""A text against what is known besides it: what was decided before, what is charged, what is admitted."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from ...law.text.decision_outcomes import outcome_of
from ...law.text.decision_people import mentions
from ...law.text.decision_reasons import sums_told
from ...law.text.lexicon import endings, pattern
from ...model.decision import ChargeVerdict, PartOrigin, Penalty, Relief, ServedSentence
from .audited import Audited
from .schema import Held, Node, NotRead
from .view_reasons import conditional, own, sentences, veiled

GRANTED: Final = ("granted", "in_part")
DECIDED: Final = (*GRANTED, "dismissed")


# ---- what was decided before -----------------------------------------------------------------------------------------


def decided_view(audited: Audited) -> Iterator[Node]:
    """Each part that was decided, and whether the text states it."""
    for part, decision in audited.decided:
        match part:
            case "results":
                yield from (_node(part, one.id, _result(one, audited)) for one in decision.reliefs)
            case "orders":
                sums = (one for one in decision.reliefs if one.amount is not None and one.result in GRANTED)
                yield from (_node(part, one.id, _order(one, audited)) for one in sums)
            case "verdicts":
                yield from (_node(part, one.person, _verdict(one, audited)) for one in decision.verdicts)
            case "sentences":
                yield from (_node(part, one.person, _sentence(one, audited)) for one in decision.sentences)


def _node(part: str, name: str, stated: Held | NotRead) -> Node:
    origin = PartOrigin(hand="answer", source=part, detail=name)
    return Node("decided", f"{part} {name}", {"stated": stated}, {}, origin)


def _result(decided: Relief, audited: Audited) -> Held | NotRead:
    """Whether what was granted is not dismissed, and what was dismissed not granted; costs are shared out otherwise."""
    claim = next((one for one in audited.frame_claims if one.id in decided.claims), None)
    said = outcome_of(claim, audited.decision) if claim is not None and not claim.costs else None
    if decided.result not in DECIDED or said not in DECIDED:
        return NotRead("claims")
    place = next((one.origin for one in audited.decision.reliefs if {*one.claims} & {*decided.claims}), None)
    rest = next((one.origin for one in audited.decision.reliefs if one.rest), None)
    return Held((decided.result in GRANTED) is (said in GRANTED), place or rest)


def _order(decided: Relief, audited: Audited) -> Held | NotRead:
    """Whether a sum that was decided is ordered of the same persons."""
    assert decided.amount is not None
    for one in audited.decision.reliefs:
        said = {one.amount.value if one.amount is not None else None, *(part.amount.value for part in one.parts)}
        if decided.amount.value in said:
            known = bool(one.payers) and bool(decided.payers)
            return Held(not known or {*one.payers} == {*decided.payers}, one.origin)
    ordered = audited.regions.ordered
    if ordered is None or not audited.decision.whole or decided.amount.value in sums_told(ordered.text):
        return NotRead("reliefs")
    return Held(False, audited.at(ordered.start, ordered.end))


def _verdict(decided: ChargeVerdict, audited: Audited) -> Held | NotRead:
    said = [one for one in audited.decision.verdicts if one.person == decided.person]
    results = {one.result for one in said}
    if not decided.person or decided.result == "open" or not results or "open" in results:
        return NotRead("verdicts")
    return Held(decided.result in results, said[0].origin)


def _sentence(decided: ServedSentence, audited: Audited) -> Held | NotRead:
    """Whether the punishment that was decided is the one that is imposed: how long, and which fine."""
    found: list[tuple[Penalty, PartOrigin | None]] = [
        (one.punishment, one.origin) for one in audited.decision.sentences if one.person == decided.person
    ]
    if not decided.person or len(found) != 1:
        return NotRead("sentences")
    said, place = found[0]
    return Held(_length(said) == _length(decided.punishment) and said.fine == decided.punishment.fine, place)


def _length(imposed: Penalty) -> tuple[str, int, int]:
    term = imposed.term
    return (term.kind, term.months or 0, term.days or 0) if term is not None else ("none", 0, 0)


# ---- what is charged -------------------------------------------------------------------------------------------------


def charges_view(audited: Audited) -> Iterator[Node]:
    """Each charge of the case, and whether anything is said of it: a verdict on it, or why it is another."""
    decision = audited.decision
    for person, charge in audited.case.charges if audited.case is not None else ():
        whose = [one for one in decision.verdicts if not person or one.person == person]
        of_it = next((one for one in whose if not one.charge or _same(one.charge, charge)), None)
        judged: Held | NotRead = NotRead("verdicts")
        if of_it is not None or (changed := _changed(audited)) is not None:
            judged = Held(True, of_it.origin if of_it is not None else changed)
        elif whose and decision.whole and all(one.charge for one in whose):
            judged = Held(False, whose[0].origin)
        origin = PartOrigin(hand="field", source="charge", detail=charge)
        yield Node("charge", f"{person} {charge}".strip(), {"judged": judged}, {}, origin)


def indicted(verdict: ChargeVerdict, audited: Audited) -> Held | NotRead:
    """Whether a conviction is of what the case charges, or the reasons say why it is of something else."""
    charges = audited.case.charges if audited.case is not None else ()
    if not charges or not verdict.charge:
        return NotRead("charges")
    if any(_same(charge, verdict.charge) for person, charge in charges if not person or person == verdict.person):
        return Held(True, verdict.origin)
    changed = _changed(audited)
    return Held(changed is not None, changed or audited.reasons_at)


def _changed(audited: Audited) -> PartOrigin | None:
    """Where the court says that what was done is another crime than the one that is charged."""
    said = audited.regions.reasons
    return audited.found(pattern("decision", "charge_changed"), said.start, said.end) if said is not None else None


def _same(one: str, other: str) -> bool:
    """Whether two names are of one charge: the word for a crime at the end may be left out."""
    bare = pattern("decision", "crime_word")
    return bare.sub("", one) == bare.sub("", other)


# ---- what is admitted ------------------------------------------------------------------------------------------------


def admissions_view(audited: Audited) -> Iterator[Node]:
    """Each sum that a side admits, in the case or in its answer, and whether the court finds that it is not shown."""
    told = dict(_told(audited))
    known = audited.case.admitted if audited.case is not None else ()
    for side, value in dict.fromkeys((*known, *told)):
        origin = told.get((side, value), PartOrigin(hand="field", source="admits", detail=f"{value:f}"))
        values: dict[str, Held | NotRead] = {"denied": _denied(value, side, audited)}
        yield Node("admission", f"{side} {value:f}", values, {}, origin)


def _told(audited: Audited) -> Iterator[tuple[tuple[str, Decimal], PartOrigin]]:
    """The sums that those who are sued admit in their answer, as the text reports it."""
    sides = audited.frame.sides
    for answer in pattern("decision", "answered").finditer(audited.before) if len(sides) > 1 else ():
        before = ""
        for found in pattern("decision", "part").finditer(answer.group()):
            said, at = found.group(), answer.start() + found.start()
            held_back = pattern("decision", "no_admission").search(veiled(said, audited)) or conditional(
                before, audited
            )
            if pattern("decision", "admits").search(said) and not held_back:
                sums = sums_told(said) or sums_told(before)
                if len(sums) == 1:
                    yield (sides[1], sums.pop()), audited.at(at, at + len(said))
            before = said


def _denied(value: Decimal, side: str, audited: Audited) -> Held | NotRead:
    """Whether the court says of a sum, in its own words, that it is not shown, though who must bear it admits it."""
    if audited.regions.reasons is None:
        return NotRead("reasons")
    for sentence, at in sentences(audited, findings=True):
        unproved = pattern("decision", "unproved").search(sentence)
        if unproved is None or sums_told(sentence) != {value} or not own(sentence, audited):
            continue
        named = [person for one in mentions(sentence, audited.frame) for person in one.people]
        if named and audited.frame.side_of(named[0]) != side and not _partly(sentence):
            return Held(True, audited.at(at, at + len(sentence)))
    return Held(False, audited.reasons_at)


def _partly(sentence: str) -> bool:
    return any(word in sentence for word in endings("decision", "in_part"))
