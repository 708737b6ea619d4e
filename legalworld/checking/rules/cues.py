"""Rules about what tells one call from the next: holes in cues, and prompts of loops that do not name the item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...language import diagnose
from ...language.spelling import nearest
from ...model import plan
from ...model.actors import Actor, Fellows, LoopPerson, Opponents, Related
from ...model.diagnostics import Diagnostic
from ...model.holes import holes
from ...model.procedure import all_steps
from ...model.source import Span
from ...model.steps.for_each import ForEach
from ...templates import lookups
from ...templates.lookups import Speaker
from ..abstract_walk import LoopRecord, Visit
from ..template_readers import CheckContext

_TELLS: Final = frozenset({"concerning", "item", "item_label", "item_owner", "about", "draft", "topics", "checklist"})
"""What of `step` tells one round of a loop from the next."""
_ANSWERS: Final = frozenset({"answer", "reply", "object", "rule", "review", "revise", "remember"})
"""Acts that go by words that the reader has just been told, or by his own."""


def unknown_holes(context: CheckContext) -> Iterator[Diagnostic]:
    """LW725: a hole in a cue that nothing fills: no loop around has this variable, or its records not this key."""
    told: set[tuple[Span, str]] = set()
    for visit, step in context.step_visits:
        for name, path in holes(step.info.cue) if step.turn_slots else ():
            hole = ".".join((name, *path))
            known = tuple(visit.loop_records)
            wrong = name if name not in known else ""
            if not wrong and path and (keys := _keys(context, visit.loop_records[name])):
                known, wrong = keys, path[0] if path[0] not in keys else ""
            if wrong and (visit.span, hole) not in told:
                told.add((visit.span, hole))
                yield diagnose.unknown_hole(visit.span, hole=hole, known=known, nearest=nearest(wrong, known))


def _keys(context: CheckContext, record: LoopRecord) -> tuple[str, ...]:
    """The keys that a record in hand may have; none where that is not known."""
    field = context.procedure.fields.get(record.field)
    return field.keys if field is not None and not record.deep else ()


def prompts_alike(context: CheckContext) -> Iterator[Diagnostic]:
    """LW726: a prompt in a loop that does not hold what tells this call from the next: which item has been reached.

    Who speaks behind somebody else has heard that; what is decided in silence must say so itself.
    """
    told: set[tuple[Span, str]] = set()
    behind = _behind_words(context)
    for visit, step in context.step_visits:
        if visit.stopped is not None or not visit.loop_records:
            continue
        for home, role, aloud in _homes(context, visit, step):
            for name in visit.loop_records:
                heard = aloud and (visit.span, name) in behind
                if (visit.span, home) not in told and not heard and not _tells(context, home, step, name):
                    told.add((visit.span, home))
                    yield diagnose.prompts_alike(visit.span, path=home, role=role, item=name)


def _behind_words(context: CheckContext) -> frozenset[tuple[Span, str]]:
    """The steps, with the variable of a loop around, before which something is said aloud in every round of it."""
    behind: set[tuple[Span, str]] = set()
    for loop in (step for step in all_steps(context.procedure) if isinstance(step, ForEach)):
        said = False
        for step in plan.walk(loop.body):
            if said:
                behind.add((step.info.span, loop.variable))
            said = said or any(slot.aloud and slot.actors for slot in step.turn_slots)
    return frozenset(behind)


def _homes(context: CheckContext, visit: Visit, step: plan.Step) -> Iterator[tuple[str, str, bool]]:
    """The prompts of those who have the word in a step of themselves, each with a role that reads it, and whether what
    it says is heard."""
    stage = context.procedure.stages[visit.stage].id
    for slot in step.turn_slots:
        for role in sorted(visit.cast.all(slot.actors)) if slot.act not in _ANSWERS else ():
            speaker = Speaker(role, context.procedure.roles[role].kind, stage, visit.phase)
            home = context.templates.find(lookups.act("act", slot.act, step.info.prompt, speaker))
            if home is not None:
                yield home, role, slot.aloud


def _tells(context: CheckContext, home: str, step: plan.Step, name: str) -> bool:
    """Whether a prompt says what the loop with a variable has come to, or is given to another person each time."""
    if any(_rests_on(actor, name) for actor in step.all_speakers):
        return True
    cued = any(variable == name for variable, _ in holes(step.info.cue))
    reads = {read.path[1] for read in context.reads(home) if read.path[0] == "step" and len(read.path) > 1}
    return bool(reads & _TELLS) or (cued and "cue" in reads)


def _rests_on(actor: Actor, name: str) -> bool:
    match actor:
        case LoopPerson(variable):
            return variable == name
        case Related(of=of) | Opponents(of=of) | Fellows(of=of):
            return _rests_on(of, name)
        case _:
            return False


RULES = (unknown_holes, prompts_alike)
