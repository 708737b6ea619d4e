"""The decisions of a run as records: what is read in the document that states one, and what was decided before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ...engine.casting import cast
from ...language import diagnose
from ...law.text.case_frame import case_frame
from ...law.text.decision_people import CaseFrame
from ...law.text.decisions import read_decision
from ...model.case import Case, Person
from ...model.decision import ChargeVerdict, Decision, PartOrigin, Relief
from ...model.decision_frame import claim_records, field_records, instance_of, tendered_for, within_claim
from ...model.decision_parts import DecisionParts, PartDecided, Superseded
from ...model.events import Asked, Drafted, Event, Reply, Started
from ...model.immutable import immutable, replace
from ..open_run import OpenRun
from ..project import Problems

LISTS: Final = ("findings", "reliefs", "verdicts", "sentences", "costs", "exhibits", "fates", "thin", "cites")
CLAIMS, VERDICTS, COSTS = "claims", "verdicts", "costs"


@immutable
class DecidedPart:
    """A part that was decided: in which call (0: by a vote), what it is about, and what could be read in it.

    `reckoned`: what norms decided, by which it was formulated; None where whoever decided it went by none. `said`: the
    answer in which it was decided, "" for a vote.
    """

    turn: int
    part: str
    about: str
    filled: Decision
    reckoned: Decision | None = None
    said: str = ""


@immutable
class ShownDecision:
    """A decision of a run. `record`: what its document says, else what the parts decided so far come to.

    `text`: the document in force, None where none is written. `claims`: what an answer about a claim is kept under ->
    the id of the claim. `tendered`: the exhibits, each with the claims that the case offers it for. `attacks`: what an
    answer about a ground of an appeal is kept under -> the words of the ground.
    """

    parts: DecisionParts
    record: Decision
    frame: CaseFrame
    decided: tuple[DecidedPart, ...]
    claims: dict[str, str]
    document: str = ""
    text: str | None = None
    tendered: tuple[tuple[str, tuple[str, ...]], ...] = ()
    attacks: tuple[tuple[str, str], ...] = ()

    def name_of(self, person: str) -> str:
        """The name of somebody; his id where nobody bears it."""
        known = (*self.record.parties, *self.frame.people)
        return next((party.name for party in known if party.id == person and party.name), person)


def decisions_of(opened: OpenRun) -> tuple[ShownDecision, ...]:
    """The decisions of which anything is there, in the order of the procedure; each reads the one it reviews."""
    events = opened.events
    options = next((event.options for event in events if isinstance(event, Started)), None)
    persons = cast(opened.procedure, opened.case, options)
    shown = (_shown(opened, parts, persons, events) for parts in opened.procedure.decisions.values())
    return tuple(one for one in shown if one is not None)


def _shown(
    opened: OpenRun, parts: DecisionParts, persons: tuple[Person, ...], events: tuple[Event, ...]
) -> ShownDecision | None:
    drafts = [event for event in events if isinstance(event, Drafted) and event.document in parts.documents]
    decided = tuple(_decided(parts.name, events, opened.answers))
    if not drafts and not decided:
        return None
    frame = case_frame(opened.procedure, opened.last_case, parts, persons)
    claims = {one.about: one.id for one in claim_records(opened.procedure, opened.last_case, parts)}
    tendered = tendered_for(opened.procedure, opened.last_case, parts)
    attacks = tuple(_attacks(opened.last_case, decided, {*claims, *frame.accused})) if parts.below else ()
    if not drafts:
        together = _together(decided, frame)
        return ShownDecision(parts, together, frame, decided, claims, tendered=tendered, attacks=attacks)
    last = drafts[-1]
    instance = instance_of(opened.procedure, parts)
    record = read_decision(last.text, frame, document=last.document, instance=instance)
    return ShownDecision(parts, record, frame, decided, claims, last.document, last.text, tendered, attacks)


def _attacks(case: Case, decided: tuple[DecidedPart, ...], others: set[str]) -> Iterator[tuple[str, str]]:
    """The grounds of an appeal: what something was decided about, and is no claim and nobody accused, in its words."""
    abouts = {one.about for one in decided if one.about and one.about not in others}
    for field in sorted({one.partition("/")[0] for one in abouts}):
        for about, _, record in field_records(case, field):
            if about in abouts:
                said = record.values() if isinstance(record, Mapping) else (record,)
                yield about, " ".join(one for one in said if isinstance(one, str))


def _decided(name: str, events: tuple[Event, ...], replies: Mapping[str, Reply]) -> Iterator[DecidedPart]:
    """The parts of a decision that hold; those before a document that was put in the place of another do not."""
    found: list[DecidedPart] = []
    turn, asked = 0, ""
    for event in events:
        if isinstance(event, Asked):
            turn, asked = turn + 1, event.id
        elif isinstance(event, Superseded) and event.decision == name:
            found.clear()
        elif isinstance(event, PartDecided) and event.decision == name:
            number = 0 if event.by == "vote" else turn
            reply = replies.get(asked)
            reckoned = Decision.model_validate(reply.reckoned) if reply is not None and reply.reckoned else None
            if not number and reckoned is not None and not reckoned.verdicts:
                reckoned = None  # of the last vote: what norms decided of a person, and not what another call did
            filled = Decision.model_validate(event.filled)
            said = reply.text if reply is not None and number else ""
            found.append(DecidedPart(number, event.part, event.about, filled, reckoned, said))
    return iter(found)


def _together(decided: tuple[DecidedPart, ...], frame: CaseFrame) -> Decision:
    """What the parts say together, while no document states it."""
    lists: dict[str, Any] = {
        name: tuple(item for one in decided for item in getattr(one.filled, name)) for name in LISTS
    }
    return Decision(**lists, parties=frame.people, claims=frame.claims)


# ---- as data ---------------------------------------------------------------------------------------------------------


def record_data(shown: ShownDecision) -> dict[str, Any]:
    """A decision as JSON: the record, and the parts that were decided, each with the number of its call."""
    row: dict[str, Any] = {"name": shown.parts.name}
    row |= {"document": shown.document} if shown.document else {}
    row["record"] = _plain(shown.record)
    row["decided"] = [
        {
            "turn": one.turn,
            "part": one.part,
            "about": shown.claims.get(one.about, one.about),
            "filled": _plain(one.filled),
            **({"reckoned": _plain(one.reckoned)} if one.reckoned is not None else {}),
        }
        for one in shown.decided
    ]
    return row


def _plain(record: Decision) -> dict[str, Any]:
    return record.model_dump(mode="json", exclude_defaults=True)


# ---- why -------------------------------------------------------------------------------------------------------------


@immutable
class Why:
    """One part of a decision with what it rests on. `path`: as it was asked for.

    `reckoned`: what norms decided of it: elements, burden, what showed them, the reckoning of a sum. `below`: what was
    decided of it by the decision that an appeal attacks; the record has what became of each item. `attacked`: the
    grounds of the appeal with what was decided of each.
    """

    shown: ShownDecision
    path: str
    record: Decision
    decided: tuple[DecidedPart, ...]
    reckoned: Decision = Decision()
    below: tuple[Relief | ChargeVerdict, ...] = ()
    attacked: tuple[tuple[str, DecidedPart], ...] = ()


def paths_of(shown: ShownDecision) -> tuple[str, ...]:
    """What can be asked of a decision: its claims, its verdicts, its costs."""
    claims = [f"{CLAIMS}/{one.id}" for one in shown.frame.claims]
    verdicts = dict.fromkeys(f"{VERDICTS}/{shown.name_of(one.person)}" for one in shown.record.verdicts if one.person)
    return (*claims, *verdicts, *((COSTS,) if shown.record.costs else ()))


def why_of(decisions: tuple[ShownDecision, ...], path: str) -> tuple[tuple[Why, ...] | None, Problems]:
    """What a path asks for, of every decision that has it; a path that none has names those that there are."""
    named = {one.parts.name: one for one in decisions}
    found = tuple(_with_below(_why(one, path), named, path) for one in decisions if path in paths_of(one))
    if found or not decisions:
        return found, ()
    known = tuple(dict.fromkeys(each for one in decisions for each in paths_of(one)))
    return None, (diagnose.unknown_decided_part("--why", part=path, known=known),)


def _with_below(why: Why, named: Mapping[str, ShownDecision], path: str) -> Why:
    """What was decided below of a part, as that decision says it where the run has it, else as the later one does."""
    first = named.get(why.shown.parts.below)
    if first is None or path not in paths_of(first):
        return why
    below = _why(first, path).record
    return replace(why, below=(*below.reliefs, *below.verdicts))


def _why(shown: ShownDecision, path: str) -> Why:
    kind, _, key = path.partition("/")
    if kind == VERDICTS:
        return _of_person(shown, path, key)
    if kind == COSTS:
        kept = {"costs": shown.record.costs}
        return Why(shown, path, _part(shown.record, kept, COSTS), _with(shown, lambda one: one.part == COSTS))
    return _of_claim(shown, path, key)


def _with(shown: ShownDecision, wanted: Callable[[DecidedPart], bool]) -> tuple[DecidedPart, ...]:
    return tuple(one for one in shown.decided if wanted(one))


def _of_claim(shown: ShownDecision, path: str, claim: str) -> Why:
    """A claim: what becomes of it, the findings about it and by its exhibits, what was decided of it before."""
    record = shown.record
    own = {one for one, claims in shown.tendered if claim in claims}
    named = [one for one in record.reliefs if claim in one.claims]
    reliefs = named or [one for one in record.reliefs if one.rest]
    spoken = {why for one in reliefs for why in one.why}
    findings = [
        one for one in record.findings if claim in one.about or one.id in spoken or own & {*one.by, *one.against}
    ]
    exhibits = own | {each for one in findings for each in (*one.by, *one.against)}
    kept = {
        "claims": tuple(one for one in shown.frame.claims if one.id == claim),
        "reliefs": tuple(reliefs),
        "findings": tuple(findings),
        "exhibits": tuple(one for one in record.exhibits if one.id in exhibits),
    }
    items = {f"items/{one.item}" for one in reliefs if one.item}

    def about(one: DecidedPart) -> bool:
        return shown.claims.get(one.about, one.about) == claim or any(
            claim in each.claims for each in one.filled.reliefs
        )

    decided = _with(shown, about)
    before = record.below.reliefs if record.below is not None else ()
    below = tuple(one for one in before if claim in one.claims) or tuple(one for one in before if one.rest)
    kept["fates"] = record.fates
    found = _reckoned_of(decided, claim)
    return Why(shown, path, _part(record, kept, *items), decided, found, below, _attacked(shown))


def _attacked(shown: ShownDecision) -> tuple[tuple[str, DecidedPart], ...]:
    """The grounds of an appeal, each with the part in which it was decided."""
    words = dict(shown.attacks)
    return tuple((words[one.about], one) for one in shown.decided if one.about in words)


def _reckoned_of(decided: tuple[DecidedPart, ...], claim: str) -> Decision:
    """What norms decided of a claim when it was last decided, and of the parts that it was taken apart into."""
    for one in reversed(decided):
        found = one.reckoned
        ours = {each.id for each in found.claims if within_claim(each.id, claim)} if found is not None else set()
        if found is not None and ours:
            reliefs = {f"{each.id}": each for each in found.reliefs if ours & {*each.claims}}
            return Decision(
                claims=tuple(each for each in found.claims if each.id in ours),
                findings=tuple(each for each in found.findings if ours & {*each.about}),
                reliefs=tuple(reliefs.values()),
                act=found.act,
                thin=tuple(each for each in found.thin if each.part.partition("/")[2] in reliefs),
            )
    return Decision()


def _of_person(shown: ShownDecision, path: str, name: str) -> Why:
    """One accused: his verdicts, what is served, the articles that are applied."""
    record = shown.record
    people = {party.id for party in shown.frame.people or record.parties if name in (party.name, party.id)}
    kept = {
        "verdicts": tuple(one for one in record.verdicts if one.person in people),
        "sentences": tuple(one for one in record.sentences if one.person in people),
        "cites": tuple(one for one in record.cites if one.where == "basis"),
        "fates": record.fates,
    }
    abouts = {about for about, person in shown.frame.accused.items() if person in people}
    decided = _with(shown, lambda one: one.about in abouts)
    told = [one.reckoned for one in decided if one.reckoned is not None and one.reckoned.verdicts]
    ours = [one for one in told if people & {each.person for each in one.verdicts}]
    before = record.below.verdicts if record.below is not None else ()
    below = tuple(one for one in before if one.person in people)
    part = _part(record, kept, VERDICTS)
    return Why(shown, path, part, decided, ours[-1] if ours else Decision(), below, _attacked(shown))


def _part(record: Decision, kept: dict[str, Any], *places: str) -> Decision:
    """The parts of a record that are kept, with the gaps that are theirs."""
    gaps = tuple(one for one in record.thin if any(f"{one.part}/".startswith(f"{place}/") for place in places))
    return Decision(id=record.id, parties=record.parties, thin=gaps, **kept)


def why_data(why: Why) -> dict[str, Any]:
    """A part as JSON, with the words of the document that each of its parts was read in."""
    row: dict[str, Any] = {"name": why.shown.parts.name, "why": why.path}
    row |= {"document": why.shown.document} if why.shown.document else {}
    row["record"] = _plain(why.record)
    row["words"] = [
        {"start": place.start, "end": place.end, "text": words_at(why.shown, place)} for place in places_of(why)
    ]
    row["decided"] = [{"turn": one.turn, "part": one.part, "filled": _plain(one.filled)} for one in why.decided]
    below = [one.model_dump(mode="json", exclude_defaults=True) for one in why.below]
    row |= {"below": below} if below else {}
    attacked = [{"ground": ground, "turn": one.turn, "said": one.said} for ground, one in why.attacked]
    row |= {"attacked": attacked} if attacked else {}
    row |= {"reckoned": _plain(why.reckoned)} if why.reckoned != Decision() else {}
    return row


def places_of(why: Why) -> tuple[PartOrigin, ...]:
    """Where in the document the parts stand, each once, in the order of the text."""
    record = why.record
    origins: list[PartOrigin | None] = [one.origin for one in record.findings]
    origins += [one.origin for one in record.exhibits]
    origins += [one.origin for one in record.reliefs]
    origins += [one.origin for one in record.verdicts]
    origins += [one.origin for one in record.costs]
    read = [one for one in origins if one is not None and why.shown.text is not None]
    here = {(one.start or 0, one.end or 0): one for one in read if one.hand == "text" and one.start is not None}
    return tuple(here[place] for place in sorted(here))


def words_at(shown: ShownDecision, place: PartOrigin) -> str:
    """The words at a place of the document."""
    return (shown.text or "")[place.start or 0 : place.end or 0]
