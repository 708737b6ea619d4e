"""What of a procedure some runs came to: its steps, and every branch that a step can take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from ..checking.abstract_walk import Visit, holds, walk_procedure
from ..model import events as e
from ..model import plan
from ..model import procedure as p
from ..model.actors import Actor, LoopPerson
from ..model.branches import BranchKind
from ..model.immutable import immutable
from ..model.source import Span
from ..model.steps.if_else import If
from ..model.steps.move import Move
from ..model.votes import Voted

Kind = (
    BranchKind
    | Literal["reached", "condition failed", "approved", "not approved", "raised", "sustained", "overruled"]
    | Literal["closed as left"]
)
_CLOSED: dict[e.Reason, Kind] = {
    "token": "closed by token",
    "budget": "closed by budget",
    "condition": "closed by condition",
    "covered": "closed as covered",
    "empty": "closed as empty",
    "left": "closed as left",
}


@immutable
class Branch:
    """Something that can happen at a place (without the number of its occurrence), and where it is written."""

    place: str
    kind: Kind
    span: Span


@immutable
class Coverage:
    """All branches of a procedure, and those that no run came to, in the order of the procedure."""

    procedure: p.Procedure
    runs: int
    branches: tuple[Branch, ...]
    missed: tuple[Branch, ...]


def coverage(procedure: p.Procedure, runs: Sequence[Sequence[e.Event]]) -> Coverage:
    """What the events of some runs of one procedure leave unreached."""
    branches = tuple(_branches(procedure))
    there = {kind for run in runs for kind in _reached(procedure, run)}
    missed = tuple(branch for branch in branches if (branch.place, branch.kind) not in there)
    return Coverage(procedure, len(runs), branches, missed)


@immutable
class Passages:
    """(place, kind) of all that happened -> in how many of the runs.

    `stands`: where those that are not over are; `elsewhere`: places that they came to and the procedure does not have.
    """

    runs: int
    came: Mapping[tuple[str, str], int]
    stands: frozenset[str]
    elsewhere: tuple[str, ...]

    def at(self, place: str) -> int:
        """How many of the runs came to a place."""
        return max(self.came.get((place, kind), 0) for kind in ("reached", "raised"))


def passages(procedure: p.Procedure, runs: Sequence[Sequence[e.Event]]) -> Passages:
    """The ways that some runs took through a procedure; they may have been played with an older text of it."""
    there = {_plain(place) for place, _ in p.places(procedure)}
    came: Counter[tuple[str, str]] = Counter()
    stands: set[str] = set()
    elsewhere: dict[str, None] = {}
    for run in runs:
        reached = dict.fromkeys(_reached(procedure, run))
        came.update((place, kind) for place, kind in reached if place in there)
        elsewhere.update(dict.fromkeys(place for place, _ in reached if place not in there))
        last = _last(run)
        if last in there and not any(isinstance(event, e.Ended) for event in run[-1:]):
            stands.add(last)
    return Passages(len(runs), came, frozenset(stands), tuple(elsewhere))


# ---- what there is ---------------------------------------------------------------------------------------------------


def _branches(procedure: p.Procedure) -> Iterator[Branch]:
    """Every stage, phase and step, and what may happen there; but not what can happen in no case whatever."""
    visits: dict[int, list[Visit]] = {}
    for visit in walk_procedure(procedure):
        visits.setdefault(id(visit.what), []).append(visit)
    for place, what in {_plain(place): what for place, what in p.places(procedure)}.items():
        here = visits.get(id(what), [])
        if isinstance(what, p.Interruption):
            if any(visit.stopped is None for visit in here):
                yield Branch(place, "raised", what.span)
            continue
        yield from (Branch(place, kind, _span(what)) for kind in _coming(here))
        if isinstance(what, plan.Step) and any(visit.stopped is None for visit in here):
            yield from (Branch(place, kind, _span(what)) for kind in _kinds(what, here))


def _span(what: p.Stage | p.Phase | plan.Step) -> Span:
    return what.span if isinstance(what, p.Stage | p.Phase) else what.info.span


def _coming(visits: list[Visit]) -> Iterator[Kind]:
    """Whether some case comes to a place, and whether in some case its condition fails."""
    if any(visit.stopped is None for visit in visits):
        yield "reached"
    come_to = [visit for visit in visits if visit.stopped in (None, visit.span)]
    if any(holds(visit.when, visit.cast, visit.made) is not True for visit in come_to):
        yield "condition failed"


def _kinds(step: plan.Step, visits: list[Visit]) -> Iterator[Kind]:
    """What may happen in a step itself."""
    if isinstance(step, If):
        truths = {holds(step.condition, visit.cast, visit.made) for visit in visits if visit.stopped is None}
        if truths != {False}:
            yield "then"
        if truths != {True}:
            yield "else"
    yield from step.branch_kinds
    if step.needs_presence and any(_may_be_away(visit, step) for visit in visits if visit.stopped is None):
        yield "absent"
    if step.info.review is not None and step.info.review.approve:
        yield from ("approved", "not approved")
    if step.info.objection is not None:
        yield from ("sustained", "overruled")


def _may_be_away(visit: Visit, step: plan.Step) -> bool:
    """Whether some case keeps everybody away who could act here: by his absence, or because he left or waits."""
    procedure = visit.cast.procedure
    stage = procedure.stages[visit.stage]
    moved = (actor for one in p.steps_of(stage) for actor in one.moved_actors)
    away = visit.cast.all((*stage.closed_to, *moved))
    away |= {role.id for role in procedure.roles.values() if role.absence is not None}
    if not away:
        return False
    inside = _come_in(stage).get(id(step), frozenset())
    slots = (tuple(actor for actor in slot.actors if not _is_in(actor, inside)) for slot in step.turn_slots)
    asked = (visit.cast.all(actors) for actors in slots)
    return any(roles and roles <= away for roles in asked)


def _is_in(actor: Actor, inside: frozenset[Actor]) -> bool:
    """Whether those whom an actor means have come in, by his own name or as one of those whom a loop goes over."""
    return actor in inside or (isinstance(actor, LoopPerson) and all(one in inside for one in actor.among))


def _come_in(stage: p.Stage) -> dict[int, frozenset[Actor]]:
    """For every step of a stage, by identity, who has come in by then in every case and not left since."""
    found: dict[int, frozenset[Actor]] = {}
    inside: frozenset[Actor] = frozenset()
    for phase in stage.phases:
        after = _followed(phase.steps, inside, found)
        inside = after if phase.when is None else inside & after
    return found


def _followed(
    steps: Iterable[plan.Step], inside: frozenset[Actor], found: dict[int, frozenset[Actor]]
) -> frozenset[Actor]:
    """Those who are in when some steps are over; what is only done in some cases brings nobody in for sure."""
    for step in steps:
        found[id(step)] = inside
        for block in step.blocks:
            inside &= _followed(block, inside, found)
        if isinstance(step, Move):
            inside = inside | set(step.actors) if step.inwards and step.info.when is None else inside - set(step.actors)
    return inside


# ---- what was reached ------------------------------------------------------------------------------------------------


def _reached(procedure: p.Procedure, run: Sequence[e.Event]) -> Iterator[tuple[str, Kind]]:
    """(place, kind) of all that happened in one run, some of it more than once."""
    visits: Counter[str] = Counter()
    for event in run:
        match event:
            case e.Entered(place=place):
                visits[_plain(place)] += 1
                yield _plain(place), "reached"
            case e.Interrupted(place=place):
                yield _plain(place), "raised"
            case e.Skipped(place=place, reason="condition"):
                visits[_plain(place)] += 1
                yield _plain(place), "condition failed"
            case e.Skipped(place=place, reason="passed" | "absent" as reason):
                yield _plain(place), reason
            case e.Spoke(place=place) | e.Captured(place=place):
                yield _plain(place), "spoken"
            case e.Closed(place=place, reason=reason):
                yield _plain(place), _CLOSED[reason]
            case Voted(place=place, by=by, result=result) if by != "given":
                yield _plain(place), "undecided" if by != "votes" else "rejected" if result == "no" else "carried"
            case e.Reviewed(place=place, heard=True, verdict=verdict):
                yield _plain(place), "approved" if verdict == "approved" else "not approved"
            case e.Objected(place=place, sustained=sustained):
                yield _plain(place), "sustained" if sustained else "overruled"
            case _:
                continue
    last = _last(run)
    stopped = not any(isinstance(event, e.Ended) for event in run[-1:])
    for place, what in {_plain(place): what for place, what in p.places(procedure)}.items():
        if isinstance(what, If):
            yield from ((place, kind) for kind in _ways(place, what, visits, last if stopped else ""))


def _last(run: Sequence[e.Event]) -> str:
    """The place that a run entered last; "" for none."""
    return _plain(next((event.place for event in reversed(run) if isinstance(event, e.Entered)), ""))


def _ways(place: str, step: If, visits: Counter[str], last: str) -> Iterator[Kind]:
    """Which ways an `if` was left: into its body as often as its first step was come to, else past it."""
    base = place.removesuffix(step.info.id)
    inside = visits[f"{base}{step.body[0].info.id}"] if step.body else 0
    if inside:
        yield "then"
    if visits[place] - (place == last) > inside:
        yield "else"


def _plain(place: str) -> str:
    """A place without the number of its occurrence; of an event that may come in many phases, without the phase."""
    place = place.partition("#")[0]
    return place[place.index(p.EVENT_MARK) :] if p.EVENT_MARK in place else place


def grouped(runs: Iterable[tuple[str, p.Procedure, Sequence[e.Event]]]) -> list[tuple[list[str], Coverage]]:
    """Runs of one procedure together, as it was when they were made: their names, and what they leave unreached."""
    groups: list[tuple[p.Procedure, list[str], list[Sequence[e.Event]]]] = []
    for name, procedure, events in runs:
        group = next((group for group in groups if group[0].stages == procedure.stages), None)
        if group is None:
            groups.append(group := (procedure, [], []))
        group[1].append(name)
        group[2].append(events)
    return [(names, coverage(procedure, events)) for procedure, names, events in groups]
