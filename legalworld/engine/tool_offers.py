"""Which tools somebody is offered in a stage, which of them can do something at a step, and with which arguments.

What models are offered natively is the same at every step of a stage: tools stand before the messages in what providers
cache, so a list that changes from call to call has all that follows read anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..model.actors import Actor, ChosenIn, Fellows, LoopPerson, Opponents, Related, RoleHolders, Target, VotersOf
from ..model.case import Person
from ..model.equipment import Memory, MemoryField, Parameter, Tool
from ..model.events import Offer
from ..model.immutable import immutable
from ..model.plan import walk
from ..model.procedure import Document, Procedure, steps_of
from ..model.step_facts import turn_slots
from .presence import whoever
from .state import CaseState
from .tools import REMEMBERING, ToolSession, of_step, readable
from .view import Knowledge

_PAPERS: Final = {"read document": 1, "compare documents": 2}  # how many there must be


def usable(tool: Tool, session: ToolSession, kept: Memory | None) -> bool:
    """Whether a tool can ever do something for a person: there is a skill to open, or a field of memory to write in."""
    if tool.operation == "load skill":
        return bool(session.skills)
    if tool.operation in REMEMBERING:
        return kept is not None and any(_takes(one, tool.operation) for one in kept.fields.values())
    return True


@immutable
class Stint:
    """What somebody can be asked in a stage: (act, document that is written or ""); how many papers he may come to
    see."""

    asked: frozenset[tuple[str, str]]
    papers: int


def stint_of(person: Person, procedure: Procedure, state: CaseState) -> Stint:
    """Return what the stage that is being played, and the events that come into it, can ask of a person.

    Generous: whom an actor means only as the stage goes on counts as everybody who could be; whatever may have been
    written by its end counts as a paper. So it is the same all through the stage.
    """
    steps = [step for one in procedure.stages if one.id == state.stage for step in steps_of(one)]
    steps += [step for event in procedure.interruptions if event.comes_into(state.stage) for step in walk(event.steps)]
    moving = {role for step in steps for role in step.assigned_roles}
    asked = frozenset(
        (slot.act, slot.document)
        for step in steps
        for slot in turn_slots(step)
        if any(_may_mean(actor, person, state, moving) for actor in slot.actors)
    )
    return Stint(asked, len(_written_by(procedure, state.stage, person.kind)))


def _may_mean(actor: Actor, person: Person, state: CaseState, moving: Collection[str]) -> bool:
    """Whether an actor may mean a person in a stage; `moving`: roles that are given to others in it."""
    if _steady(actor, state.target, moving):
        return person.id in whoever(state, (actor,))
    return actor.kind == person.kind if isinstance(actor, Related) else True


def _steady(actor: Actor, target: str, moving: Collection[str]) -> bool:
    """Whether an actor means the same persons all through a stage."""
    match actor:
        case RoleHolders(role=role):
            return role not in moving
        case Target():
            return target not in moving
        case Related(of=of) | Opponents(of=of) | Fellows(of=of):
            return _steady(of, target, moving)
        case LoopPerson(among=among):
            return all(_steady(one, target, moving) for one in among)
        case VotersOf() | ChosenIn():
            return False


def _written_by(procedure: Procedure, stage: str, kind: str) -> set[str]:
    """The documents that may have been written by the end of a stage and are open to a kind in it."""
    ids = [one.id for one in procedure.stages]
    steps = [step for one in procedure.stages[: ids.index(stage) + 1] for step in steps_of(one)]
    steps += [step for event in procedure.interruptions for step in walk(event.steps)]
    written = {name for step in steps for name in step.document_names}
    return written & {grant.what for grant in procedure.grants if (grant.stage, grant.kind) == (stage, kind)}


def of_use(tool: Tool, stint: Stint, procedure: Procedure) -> bool:
    """Whether a call of a tool can succeed somewhere in a stage of which somebody has this stint."""
    if stint.papers < _PAPERS.get(tool.operation, 0):
        return False
    return any(of_step(tool, act, procedure.documents.get(document)) for act, document in stint.asked)


@immutable
class Moment:
    """What somebody is doing when he may call: as what he speaks, which document he writes, what he sees."""

    act: str
    document: Document | None
    knowledge: Knowledge


def serves(tool: Tool, procedure: Procedure, session: ToolSession, moment: Moment) -> bool:
    """Whether a call of a tool can succeed now: only then is somebody told in words that he may call it."""
    if not of_step(tool, moment.act, moment.document):
        return False
    if session.made >= procedure.tool_calls or session.used[tool.name] >= tool.limit:
        return False
    papers = _PAPERS.get(tool.operation, 0)
    return not papers or len(readable(procedure, moment.knowledge)) >= papers


def described(procedure: Procedure, session: ToolSession, person: Person) -> tuple[Mapping[str, Any], ...]:
    """The tools as templates read them."""
    return tuple(
        {
            "name": tool.name,
            "title": tool.title,
            "does": tool.does,
            "limit": tool.limit,
            "acts": tool.acts,
            "parameters": tuple(
                {
                    "name": one.name,
                    "says": tool.says.get(one.name, one.name),
                    "required": one.required,
                    "choices": _choices(tool, one, procedure, session, person),
                }
                for one in tool.what.parameters
            ),
        }
        for tool in session.tools
    )


def offer(tool: Tool, procedure: Procedure, session: ToolSession, person: Person, *, says: str) -> Offer:
    """A tool as models with native tool calling are offered it; `says`: what it does."""
    parameters = tool.what.parameters
    properties: dict[str, Any] = {}
    for one in parameters:
        told = tool.says.get(one.name, one.name)
        said: dict[str, Any] = {"type": "string", **({"description": told} if told != one.name else {})}
        if one.form == "items":
            said["type"] = ["string", "array"]
            said["items"] = {"type": "object"}
        if choices := _choices(tool, one, procedure, session, person):
            said["enum"] = list(choices)
        properties[one.name] = said
    schema = {
        "type": "object",
        "properties": properties,
        "required": [one.name for one in parameters if one.required],
    }  # not "additionalProperties": sent with each tool of each call; what is not a parameter is refused anyway
    return Offer(tool.name, says, schema)


def _choices(tool: Tool, one: Parameter, procedure: Procedure, session: ToolSession, person: Person) -> tuple[str, ...]:
    """The only values that an argument may have; empty where any will do."""
    if tool.operation == "load skill":
        return tuple(card.name for card in session.skills)
    if tool.operation in REMEMBERING and one.name == "field":
        kept = procedure.memory.get(person.kind)
        fields = kept.fields if kept is not None else {}
        return tuple(name for name, field in fields.items() if _takes(field, tool.operation))
    return ()


def _takes(field: MemoryField, operation: str) -> bool:
    """Whether an operation on memory can do anything with a field: what would be refused is not offered."""
    return {"revise memory": field.revise, "expand memory": field.expand}.get(operation, True)
