"""Who is in the room, and who hears: found anew when a phase or step says so, and when somebody comes or goes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ..model import plan, step_facts
from ..model import procedure as p
from ..model.actors import Actor, Fellows, LoopPerson, Opponents, Related, Room
from ..model.attendance import Attendance, Attended, Movement, PassedOver
from ..model.conditions import AllOf, AnyOf, Attends, Condition, Negation
from ..model.immutable import replace
from .conditions import LoopItem, holds, record_of
from .polls import step_of
from .scene import RoomSaid, Scene
from .state import CaseState, everyone, holders, in_hand


def begin(scene: Scene) -> None:
    """A stage begins: who does not come to it is absent, who is to come in later waits outside.

    Who stayed away before is absent here, too, where his absence goes on, even if nothing in the stage names him: what
    is written in it says so.
    """
    assert scene.stage is not None
    scene.rooms, scene.told_out, scene.told_guests = (), frozenset(), frozenset()
    scene.passed_over = frozenset()
    refresh(scene)
    named, away = expected(scene), scene.state.stayed_away
    move(scene, "absent", tuple(person for person in named if _absent(scene, person)))
    unnamed = (person for person in scene.state.persons if person in away and person not in named)
    if gone := tuple(person for person in unnamed if _absent(scene, person)):
        _tell(scene, "absent", gone, (), unnamed=True)
        refresh(scene)
    move(scene, "waits", everyone(scene.state, scene.stage.closed_to))


def joined(scene: Scene, before: tuple[str, ...]) -> None:
    """Find who of those who take part only now does not come. `before`: who was expected so far.

    An office given in the course of the stage, and an event, bring in persons whom nothing named when it began.
    """
    refresh(scene)
    new = [person for person in expected(scene) if person not in before and person not in scene.state.entered]
    away = tuple(person for person in new if _absent(scene, person))
    untold = tuple(person for person in away if person in scene.state.out)  # nothing named them when the stage began
    move(scene, "absent", away)
    if untold:
        _tell(scene, "absent", untold, set(scene.present) - set(untold))


def retitled(scene: Scene, before: Mapping[str, str]) -> None:
    """Tell those whom the new titles of an office concern: everybody who has them, or is there, and has been told the
    old ones in this stage. `before`: how each was called.

    Who has heard nothing and has not spoken yet is told who he is when he first does.
    """
    state, called = scene.state, {person: scene.label(person) for person in scene.state.persons}
    new = tuple(person for person in state.persons if called[person] != before[person])
    begun = {thread.partition("@")[0] for thread in state.threads} | {
        one for one, heard in state.heard.items() if heard
    }
    seen_by = begun & {*scene.present, *new}
    if new and seen_by:
        told = tuple(before[person] for person in new)
        _tell(scene, "titled", new, seen_by, speakers=told, titles=tuple(called[person] for person in new))


def expected(scene: Scene) -> tuple[str, ...]:
    """Those who are to take part in the stage, and in what has come in between, in the order of the case."""
    stage = scene.stage
    assert stage is not None
    actors: list[Actor] = [*stage.present, *stage.closed_to, *scene.joining]
    for step in p.steps_of(stage):
        actors += (*step_facts.actors_of(step), *step.moved_actors)
        for condition in (step.info.when, *step.conditions):
            actors += _asked_after(condition)
    meant = set(whoever(scene.state, tuple(actors)))
    return tuple(person for person in scene.state.persons if person in meant)


def _asked_after(condition: Condition | None) -> Iterator[Actor]:
    """Those of whom a condition asks whether they are there."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _asked_after(part)
        case Negation(part):
            yield from _asked_after(part)
        case Attends(actor):
            yield actor
        case _:
            return


def _absent(scene: Scene, person_id: str) -> bool:
    """Whether a role that a person holds says that he does not come."""
    state, record = scene.state, scene.state.persons[person_id].record
    for role in scene.procedure.roles.values():
        if role.absence is None or person_id not in state.role_holders.get(role.id, ()):
            continue
        if role.absence.stages and state.stage not in role.absence.stages:
            continue
        about = record_of(scene.procedure, state, person_id)
        items = (LoopItem(role.absence.variable, about, record, person_id),) if role.absence.variable else ()
        if holds(role.absence.condition, replace(scene.now, loop_items=items)):
            return True
    return False


def move(scene: Scene, how: Movement, persons: tuple[str, ...]) -> None:
    """Persons come or go, but for those who have done so; who is in the room while they do sees it."""
    state = scene.state
    if how == "enters":
        moved = tuple(person for person in persons if person in state.out or person not in scene.present)
    else:
        moved = tuple(person for person in persons if person not in state.out)
    if not moved:
        return
    seen_by = {"absent": set(scene.present) - set(moved), "waits": set()}.get(how, {*scene.present, *moved})
    _tell(scene, how, moved, seen_by)
    refresh(scene)


def _tell(
    scene: Scene,
    how: Attendance,
    persons: tuple[str, ...],
    seen_by: Collection[str],
    *,
    unnamed: bool = False,
    speakers: tuple[str, ...] = (),
    titles: tuple[str, ...] = (),
) -> None:
    scene.recorder.tell(
        Attended(
            place=scene.state.place,
            how=how,
            persons=persons,
            speakers=speakers or tuple(scene.label(person) for person in persons),
            heard_by=tuple(person for person in scene.state.persons if person in seen_by),
            unnamed=unnamed,
            titles=titles,
        )
    )


def pass_over(scene: Scene, how: PassedOver, persons: Collection[str], speaker: str) -> None:
    """Persons who are not there are passed over in what somebody says: he is told, once for each step."""
    step = step_of(scene.state.place)
    new = [one for one in scene.state.persons if one in persons and (how, one, speaker, step) not in scene.passed_over]
    if new:
        scene.passed_over |= {(how, one, speaker, step) for one in new}
        _tell(scene, how, tuple(new), {speaker})


def tell_kept_out(scene: Scene) -> None:
    """Somebody is about to speak: who is kept out of it or is back, and who is there for it alone or is gone again, is
    told where that has changed."""
    before, now = scene.told_out, scene.kept_out
    guests_before, guests = scene.told_guests, scene.guests
    scene.told_out, scene.told_guests = now, guests
    changes: tuple[tuple[Movement, frozenset[str]], ...] = (
        ("goes_again", guests_before - guests),
        ("let_in", before - now - scene.state.out),
        ("shut_out", now - before),
        ("comes_for", guests - guests_before),
    )
    for how, changed in changes:
        persons = tuple(person for person in scene.state.persons if person in changed)
        if persons:
            _tell(scene, how, persons, {*scene.present, *persons})


def refresh(scene: Scene) -> None:
    """Find anew who is in the room and who of them hears: those whom the stage names, or else all who act in it.

    A stage names everybody whom its loops can come to, whomever they have come to now.
    """
    stage, state = scene.stage, scene.state
    assert stage is not None
    steps = (step for phase in stage.phases for step in p.steps_in(phase))
    actors = stage.present or tuple(actor for step in steps for actor in step_facts.actors_of(step))
    there = {*whoever(state, (*actors, *scene.joining)), *state.entered}
    everybody, shut = frozenset(there), frozenset[str]()
    scene.confined = None
    for said in scene.rooms:
        room, then = said.room, in_hand(state, said.held)
        if room.present:
            there = set(everyone(then, room.present))
            shut -= there
        shut |= frozenset(everyone(then, room.closed_to))
        if room.heard_by:
            hear = frozenset(everyone(then, room.heard_by))
            scene.confined = hear if scene.confined is None else scene.confined & hear
    scene.shut = shut
    away = state.out | shut
    scene.present = tuple(person for person in state.persons if person in there and person not in away)
    scene.guests = frozenset(scene.present) - everybody
    scene.kept_out = everybody - state.out - frozenset(scene.present)
    closed = everyone(state, stage.closed_to)
    scene.barred = (everybody - (frozenset(there) - shut)) | shut | (frozenset(closed) - frozenset(scene.present))


def whoever(state: CaseState, actors: tuple[Actor, ...]) -> tuple[str, ...]:
    """All persons that the actors can mean, whomever the loops around have come to; each once, in order.

    What rests on the person of a loop (`fellows of one`, `opponent of one`) is asked of every person whom the loop
    goes over: asked of all at once, nobody would be the opponent of both sides.
    """
    meant: list[str] = []
    for actor in actors:
        loop = _loop_in(actor)
        if loop is None:
            meant += holders(state, actor)
            continue
        for person in whoever(state, loop.among):
            meant += holders(in_hand(state, {**state.in_hand, loop.variable: person}), actor)
    return tuple(dict.fromkeys(meant))


def _loop_in(actor: Actor) -> LoopPerson | None:
    """The person of a loop that an actor rests on; None where it rests on none."""
    match actor:
        case LoopPerson():
            return actor
        case Related(of=of) | Opponents(of=of) | Fellows(of=of):
            return _loop_in(of)
        case _:
            return None


def nobody_left(scene: Scene, step: plan.Step) -> bool:
    """Whether a step needs somebody in the room, and all who could be that are out of it."""
    if not (step.needs_presence and (scene.state.out or scene.shut)):
        return False
    slots = (slot.actors for slot in step.turn_slots)
    return any(everyone(scene.state, actors) and not scene.there(*actors) for actors in slots)


def unconfined(scene: Scene) -> tuple[RoomSaid, ...]:
    """The rooms that an event comes into: who is out stays out, but what a step lets some alone hear is that step."""
    of_phase = scene.phase.room if scene.phase is not None else None
    return tuple(
        said if said.room is of_phase else replace(said, room=replace(said.room, heard_by=())) for said in scene.rooms
    )


def enter(scene: Scene, room: Room | None) -> tuple[RoomSaid, ...]:
    """What a phase or step says about the room holds from here on, too; returns what is said around it."""
    outer = scene.rooms
    if room is not None:
        scene.rooms = (*outer, RoomSaid(room, scene.state.in_hand))
        refresh(scene)
    return outer


def leave(scene: Scene, outer: tuple[RoomSaid, ...]) -> None:
    """The phase or step is over: what is said around it holds alone again."""
    if scene.rooms is not outer:
        scene.rooms = outer
        refresh(scene)
