"""Who the reasons hold liable, to whom and how, against those whom the orders name.

A clause counts that the court says for itself: that somebody who is sued has to pay or is liable, or that a request to
order it is granted. Where a clause names people in several places, where the rest of the reasons excuses somebody, or
an item was not read, nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

from ...law.text.decision_english import people_named
from ...law.text.decision_people import Mention, mentions
from ...law.text.decisions import is_english
from ...law.text.lexicon import endings, pattern
from ...model.decision import PartOrigin, PersonId, Relief
from ...model.immutable import immutable
from .audited import Audited
from .schema import Held, Node, NotRead
from .view_reasons import clauses, conditional, own, sentences, unsure, veiled

STOPS: Final = "\u3002\uff1b;\n"
LEAD: Final = 4  # signs before a verb that name nobody: by law, therefore
CENTS: Final = Decimal("0.01")
MOVES: Final = ("pay", "return", "deliver")
ENGLISH: Final = "decision_english"


@immutable
class Liable:
    """Some people whom a clause holds liable. `payees`: to whom, where it says so; `joint`: all for the whole."""

    payers: tuple[PersonId, ...]
    payees: tuple[PersonId, ...]
    joint: bool
    start: int
    end: int


def liabilities_view(audited: Audited) -> Iterator[Node]:
    """Yield a node for each clause that holds people liable, those that say the same once."""
    if audited.act_reviewed:
        return
    told: dict[tuple[object, ...], Liable] = {}
    for one in _in_english(audited) if is_english(audited.text) else _in_chinese(audited):
        told.setdefault((one.payers, one.payees, one.joint), one)
    for one in told.values():
        origin = audited.at(one.start, one.end)
        values: dict[str, Held | NotRead] = {
            "payers": Held(one.payers, origin),
            "payees": Held(one.payees, origin),
            "joint": Held(one.joint, origin),
            "payers_ordered": _ordered(one.payers, one, audited),
            "payees_ordered": _paid(one, audited),
            "kept_joint": _kept_joint(one, audited),
        }
        yield Node("liability", ", ".join(one.payers), values, {}, origin)


# ---- what the reasons say --------------------------------------------------------------------------------------------


def _in_chinese(audited: Audited) -> Iterator[Liable]:
    before = ""
    subject: tuple[PersonId, ...] = ()
    for said, at in clauses(audited):
        if _opens(at, audited):
            before, subject = "", ()
        subject = _subject(said, audited) or subject
        payers, verb = _payers(said, subject, audited)
        sure = not unsure(said, audited) and not conditional(before, audited)
        if payers and sure and not _limited(said, audited):
            joint = pattern("decision", "jointly").search(veiled(said, audited)) is not None
            yield Liable(payers, _payees(said, verb, audited), joint, at, at + len(said))
        before = said
    for sentence, at in sentences(audited):
        yield from _granted_request(sentence, at, audited)


def _opens(at: int, audited: Audited) -> bool:
    """Whether a clause is the first of its sentence."""
    return audited.folded[:at].rstrip()[-1:] in STOPS


def _subject(said: str, audited: Audited) -> tuple[PersonId, ...]:
    """Return the people whom a clause begins with: what follows is said of them, up to the next such clause."""
    named = mentions(said, audited.frame)
    if not named or pattern("decision", "leads").fullmatch(said, 0, named[0].start) is None:
        return ()
    return _group(said, 0, _end_of_list(said, named), audited)


def _end_of_list(said: str, named: Sequence[Mention]) -> int:
    """Where the list of names ends that begins with the first."""
    end = named[0].end
    for one, other in pairwise(named):
        if pattern("decision", "joint_of_names").fullmatch(said, one.end, other.start) is None:
            break
        end = other.end
    return end


def _limited(said: str, audited: Audited) -> bool:
    """Whether somebody is liable only for a part, or only where another does not pay."""
    return pattern("decision", "liable_partly").search(veiled(said, audited)) is not None


def _payers(said: str, subject: tuple[PersonId, ...], audited: Audited) -> tuple[tuple[PersonId, ...], int]:
    """Those who are sued and who have to pay by a clause, and where its verb stands; nobody where it is not clear."""
    bare = veiled(said, audited)
    borne = pattern("decision", "award_borne").search(bare)
    if borne is not None:
        return _sued(_group(said, *borne.span("who"), audited), audited), borne.start("what")
    back = pattern("decision", "owed_back").search(bare)
    if back is not None:
        named = _group(said, *back.span("who"), audited) or _group(said, 0, back.start(), audited)
        return _sued(named, audited), back.end()
    due = pattern("decision", "owed").search(bare) or pattern("decision", "award_due").search(bare)
    if due is None:
        return (), 0
    named = _group(said, 0, due.start(), audited)
    if not named and len(bare[: due.start()].strip()) <= LEAD and not mentions(said, audited.frame, 0, due.start()):
        named = subject
    beside = pattern("decision", "together_with").search(bare, due.start(), due.end())
    others = _group(said, *beside.span("who"), audited) if named and beside is not None else ()
    return _sued((*named, *others), audited), due.end()


def _group(said: str, start: int, stop: int, audited: Audited) -> tuple[PersonId, ...]:
    """Return the people named between two places where they stand in one list; nobody where they do not."""
    named = mentions(said, audited.frame, start, stop)
    if any(not one.people for one in named) or not _listed(said, named):
        return ()
    return tuple(dict.fromkeys(person for one in named for person in one.people))


def _listed(said: str, named: Sequence[Mention]) -> bool:
    pairs = pairwise(named)
    return all(pattern("decision", "joint_of_names").fullmatch(said, one.end, other.start) for one, other in pairs)


def _sued(people: tuple[PersonId, ...], audited: Audited) -> tuple[PersonId, ...]:
    """Return the people where none of them claims; of a criminal judgment, where all are accused."""
    accused = {one.person for one in audited.decision.verdicts}
    if accused:
        return people if {*people} <= accused else ()
    sides = audited.frame.sides
    return people if sides and all(audited.frame.side_of(one) not in ("", sides[0]) for one in people) else ()


def _claiming(people: tuple[PersonId, ...], audited: Audited) -> tuple[PersonId, ...]:
    sides = audited.frame.sides
    return people if sides and all(audited.frame.side_of(one) == sides[0] for one in people) else ()


def _payees(said: str, verb: int, audited: Audited) -> tuple[PersonId, ...]:
    """Those who claim and to whom a clause says something is to be paid, where it names them in one list."""
    led = pattern("decision", "paid_to").search(veiled(said, audited))
    start = min(led.start(), verb) if led is not None else verb
    return _claiming(_group(said, start, len(said), audited), audited)


def _granted_request(sentence: str, at: int, audited: Audited) -> Iterator[Liable]:
    """A request that people pay, which a sentence grants whole."""
    asks = pattern("decision", "asks").search(sentence)
    if asks is None or not own(sentence, audited) or _limited(sentence, audited):
        return
    bare = veiled(sentence, audited)
    rest = bare[asks.end() :]
    granted = any(word in rest for word in endings("decision", "granted"))
    doubtful = any(word in rest for name in ("denied", "in_part") for word in endings("decision", name))
    wanted = pattern("decision", "asked_to_pay").match(bare, asks.end())
    if not granted or doubtful or wanted is None or pattern("decision", "conditional").search(rest):
        return
    payers = _sued(_group(sentence, *wanted.span("who"), audited), audited)
    beside = pattern("decision", "together_with").search(bare, wanted.start(), wanted.end())
    others = _group(sentence, *beside.span("who"), audited) if payers and beside is not None else ()
    if payers:
        joint = pattern("decision", "jointly").search(wanted.group()) is not None
        payees = _claiming(_group(sentence, 0, asks.start(), audited), audited)
        yield Liable(tuple(dict.fromkeys((*payers, *others))), payees, joint, at, at + len(sentence))


def _in_english(audited: Audited) -> Iterator[Liable]:
    ordered = audited.regions.ordered
    for found in pattern(ENGLISH, "sentence").finditer(audited.text, 0, ordered.start if ordered is not None else 0):
        said = found.group()
        liable = pattern(ENGLISH, "liable").search(said)
        if liable is None or pattern(ENGLISH, "doubtful").search(said) or pattern(ENGLISH, "reported").search(said):
            continue
        payers = _sued(people_named(said, *liable.span("who"), audited.frame), audited)
        if payers:
            joint = liable["joint"] is not None or pattern(ENGLISH, "joint").search(said) is not None
            payees = _claiming(people_named(said, liable.end(), len(said), audited.frame), audited)
            yield Liable(payers, payees, joint, *found.span())


# ---- what is ordered -------------------------------------------------------------------------------------------------


def _granted(audited: Audited) -> list[Relief]:
    return [one for one in audited.decision.reliefs if one.result == "granted"]


def _readable(audited: Audited) -> bool:
    """Whether every order was read with whom it is for and against."""
    orders = [one for one in _granted(audited) if one.order in MOVES]
    return audited.decision.whole and bool(orders) and all(one.payers for one in orders)


def _spoken_of(people: set[PersonId], audited: Audited) -> bool:
    """Whether the operative part speaks of any of some people in another way than as who pays or is paid."""
    ordered = audited.regions.ordered
    if ordered is None:
        return True
    named = mentions(audited.folded, audited.frame, ordered.start, ordered.end)
    return any(not one.people or people & {*one.people} for one in named)


def _excused(person: PersonId, audited: Audited) -> bool:
    """Whether the court says of somebody that he is not liable after all, or has paid; or he is no longer sued."""
    if any(person in one.about for one in audited.decision.findings if one.id.startswith("free")):
        return True
    english = is_english(audited.text)
    told = _own_sentences(audited) if english else (said for said, _ in clauses(audited))
    excused = pattern(ENGLISH if english else "decision", "excused")
    said = [one for one in told if excused.search(one)]
    said += [one.group() for one in pattern("decision", "withdrawn").finditer(audited.folded)]
    return any(person in named for one in said for named in (_named(one, audited),))


def _named(said: str, audited: Audited) -> tuple[PersonId, ...]:
    if is_english(audited.text):
        return people_named(said, 0, len(said), audited.frame)
    return tuple(person for one in mentions(said, audited.frame) for person in one.people)


def _own_sentences(audited: Audited) -> Iterator[str]:
    for found in pattern(ENGLISH, "sentence").finditer(audited.before):
        if pattern(ENGLISH, "reported").search(found.group()) is None:
            yield found.group()


def _missing(people: tuple[PersonId, ...], there: set[PersonId], audited: Audited) -> set[PersonId] | None:
    """Those of some people who are not among others; None where that cannot be told."""
    missing = {*people} - there
    unclear = missing and (_spoken_of(missing, audited) or any(_excused(who, audited) for who in missing))
    return None if unclear else missing


def _ordered(people: tuple[PersonId, ...], one: Liable, audited: Audited) -> Held | NotRead:
    """Whether everybody whom a clause holds liable is ordered to do something."""
    if audited.decision.verdicts:
        return _restoring(people, audited)
    if audited.decision.instance > 1 or not _readable(audited):
        return NotRead("payers")
    orders = _granted(audited)
    missing = _missing(people, {person for each in orders for person in each.payers}, audited)
    if missing is None or not _claimed_of(missing, audited):
        return NotRead("payers")
    return Held(not missing, _place(people, orders))


def _restoring(people: tuple[PersonId, ...], audited: Audited) -> Held | NotRead:
    """Whether all of some accused are among those who are to make good what was taken."""
    ordered = audited.regions.ordered
    if ordered is None or audited.decision.instance > 1:
        return NotRead("payers")
    found = list(pattern("decision", "restitution").finditer(audited.folded, ordered.start, ordered.end))
    named = [each for one in found for each in mentions(audited.folded, audited.frame, *one.span())]
    there = {person for each in named for person in each.people}
    missing = {*people} - there
    if not there or any(not each.people for each in named) or any(_excused(who, audited) for who in missing):
        return NotRead("payers")
    return Held(not missing, audited.at(*found[0].span()))


def _place(people: Sequence[PersonId], orders: Sequence[Relief]) -> PartOrigin | None:
    """The order against one of some people, else the first."""
    first = next((each for each in orders if {*each.payers} & {*people}), orders[0] if orders else None)
    return first.origin if first is not None else None


def _claimed_of(people: set[PersonId], audited: Audited) -> bool:
    """Whether something is claimed of people, as far as the claims say of whom."""
    named = [one for claim in audited.claims for one in mentions(claim.text, audited.frame)]
    sides = audited.frame.sides
    asked = {who for one in named for who in one.people if not sides or audited.frame.side_of(who) != sides[0]}
    return not asked or any(not one.people for one in named) or people <= asked


def _paid(one: Liable, audited: Audited) -> Held | NotRead:
    """Whether everybody to whom a clause says something is due is paid something."""
    orders = [each for each in _granted(audited) if each.order in MOVES]
    if not one.payees or audited.decision.instance > 1 or not _readable(audited):
        return NotRead("payees")
    if not all(each.payees for each in orders):
        return NotRead("payees")
    there = {person for each in orders for person in each.payees}
    missing = _missing(one.payees, there, audited)
    if missing is None:
        return NotRead("payees")
    return Held(not missing, orders[0].origin)


def _kept_joint(one: Liable, audited: Audited) -> Held | NotRead:
    """Whether those whom a clause holds liable for the whole are ordered so; open where an order does not say how."""
    if not one.joint or audited.decision.instance > 1 or not _readable(audited):
        return NotRead("liability")
    alone_named = len(one.payers) == 1  # of him who is liable with others whom the clause does not name
    against = [each for each in _granted(audited) if alone_named or {*each.payers} & {*one.payers}]
    joint = [each for each in against if _says_joint(each, audited)]
    alone = [each for each in against if each not in joint and each.order in MOVES and each.ground == "asked"]
    cut = _cut(alone)
    if cut is not None and (not joint or _makes_whole(cut, audited)):
        return Held(False, cut[0].origin)
    shared = next((each for each in alone if each.liability == "shares"), None)
    if shared is not None and not joint:
        return Held(False, shared.origin)
    return Held(True, joint[0].origin) if joint else NotRead("liability")


def _says_joint(relief: Relief, audited: Audited) -> bool:
    """Whether an order says, besides its names, that people are liable together."""
    place = relief.origin
    english = is_english(audited.text)
    said = audited.folded[place.start : place.end] if place is not None else ""
    name = (ENGLISH, "joint") if english else ("decision", "jointly")
    return pattern(*name).search(said if english else veiled(said, audited)) is not None


def _cut(alone: Sequence[Relief]) -> list[Relief] | None:
    """Return orders that have several people each pay for the same thing; None where there are none."""
    for one in alone:
        like = [each for each in alone if each.object == one.object and each.amount is not None]
        payers = [each.payers for each in like]
        known = all(len(each.payers) == 1 and each.liability == "one" for each in like)
        if len(like) > 1 and known and len(set(payers)) == len(payers):
            return like
    return None


def _makes_whole(parts: Sequence[Relief], audited: Audited) -> bool:
    """Whether some orders come to a sum that the court tells, but for what is rounded."""
    come = sum((one.amount.value for one in parts if one.amount is not None), Decimal(0))
    return any(abs(come - told) <= CENTS * len(parts) for told in audited.held | audited.told)
