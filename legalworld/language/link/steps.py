"""Stages, phases and steps with their names resolved; parts expanded where they are performed."""

from __future__ import annotations

from dataclasses import replace

from ...model import plan
from ...model import procedure as p
from ...model.ast import Head
from ...model.conditions import AllOf, Condition
from ...model.source import Span
from ...model.steps.if_else import If
from .. import diagnose
from ..schema import PartSurface, PhaseSurface, StageSurface, StepSurface
from ..sentences.keywords import truth
from ..surface_reader import places_of, text_of, texts_of
from ..yaml.nodes import Scalar, misspelt_entry
from . import dates, names, parts, properties
from .context import Context
from .verbs import VERBS, WrittenStep

_PROPERTIES = frozenset[str]().union(*(verb.keys for verb in VERBS.values()))
_OF_PHASES = frozenset({"before_each_phase", "after_each_phase"})
_Hooks = tuple[tuple[StepSurface, ...], tuple[StepSurface, ...]]  # steps before and after each phase


# ---- stages and phases -----------------------------------------------------------------------------------------------
def stages(
    context: Context, surfaces: tuple[StageSurface, ...], elsewhere: tuple[StepSurface, ...] = ()
) -> tuple[p.Stage, ...]:
    """All stages in order. `context.performed` then holds the parts that were performed.

    `elsewhere`: the steps that stand in no stage and no part, but in events.
    """
    parts: tuple[StageSurface | PartSurface, ...] = (*surfaces, *context.names.parts.values())
    written: list[StepSurface] = []
    for part in parts:
        phases = (phase.steps for phase in part.phases)
        for block in (part.steps, *phases, part.before_each_phase, part.after_each_phase):
            written += block
        if isinstance(part, PartSurface) and part.steps and (part.phases or part.given & _OF_PHASES):
            context.reader.report(diagnose.part_of_steps_and_phases(part.span))
    properties.declare_answers(context, written)
    properties.declare_recorded(context, (*written, *elsewhere))
    return tuple(_stage(context, surface) for surface in surfaces)


def _stage(context: Context, surface: StageSurface) -> p.Stage:
    hooks = (surface.before_each_phase, surface.after_each_phase)
    phases = [*_direct(replace(context, ids={}), surface)]
    phases += [_phase(context, phase, hooks) for phase in surface.phases]
    first: dict[str, Span] = {}
    for phase in phases:
        if first.get(phase.id, phase.span) != phase.span:  # the same: its part was performed twice, and that is told
            context.reader.problems.append(diagnose.duplicate_name(phase.span, name=phase.id, also=(first[phase.id],)))
        if phase.id:
            first.setdefault(phase.id, phase.span)
    return p.Stage(
        id=surface.stage.text,
        title=surface.title.text if surface.title else surface.stage.text,
        basis=texts_of(surface.basis),
        when=names.when(context, surface.when),
        present=names.actors(context, surface.present),
        closed_to=names.actors(context, surface.closed_to),
        minutes=names.actors(context, surface.minutes),
        budget=properties.limit(context, surface.budget),
        phases=tuple(phases),
        span=surface.stage.span,
        on=dates.day_of(context, surface.on),
        places=places_of(surface),
    )


def _direct(context: Context, surface: StageSurface) -> list[p.Phase]:
    """The steps of a stage: runs of ordinary steps are phases without a name, a performed part gives its own."""
    phases: list[p.Phase] = []
    run: list[StepSurface] = []
    performed: dict[str, Span] = {}

    def end_run() -> None:
        if run:
            phases.append(p.Phase("", "", (), None, None, steps(context, tuple(run)), (), surface.span))
            run.clear()

    for step in surface.steps:
        head = _head(context, step)
        part = context.names.parts.get(head.parts["part"].text) if head is not None and head.verb == "perform" else None
        if head is not None and head.verb == "perform" and (part is None or not part.steps):
            end_run()
            phases += _part(context, step, head, performed)
        else:
            run.append(step)
    end_run()
    return phases


def _part(context: Context, step: StepSurface, head: Head, performed: dict[str, Span]) -> list[p.Phase]:
    """The phases of a part with its parameters bound to the arguments of this step. `performed`: in this stage."""
    name = head.parts["part"]
    _check_properties(context, step, head)
    part = context.names.parts.get(name.text)
    if part is None:
        context.reader.report(diagnose.unknown_part(name.span, name=name.text, among=context.names.parts))
        return []
    for key, word in (("id", step.id), ("prompt", step.prompt), ("basis", next(iter(step.basis), None))):
        if word is not None:
            context.reader.report(diagnose.unexpected_step_key(word.span, key=key))
    if name.text in performed and part.phases:
        context.reader.report(diagnose.repeated_part(name.span, name=name.text, also=(performed[name.text],)))
    performed.setdefault(name.text, name.span)
    inner = parts.entered(context, step, name, part)
    if inner is None:
        return []
    only = names.when(context, step.when)
    hooks = (part.before_each_phase, part.after_each_phase)
    phases = [_held_to(only, _phase(inner, phase, hooks)) for phase in part.phases]
    day = dates.day_of(context, step.on)
    return [replace(phase, on=phase.on or day) for phase in phases]


def _phase(context: Context, surface: PhaseSurface, hooks: _Hooks) -> p.Phase:
    context = replace(context, ids={})
    hooked = truth(surface.hooks.text) if surface.hooks is not None else True
    before, after = hooks if hooked else ((), ())
    own = steps(context, (*before, *surface.steps))
    closing = steps(context, after, len(before) + len(surface.steps) + 1)
    return p.Phase(
        id=surface.phase.text,
        title=surface.title.text if surface.title else surface.phase.text,
        basis=texts_of(surface.basis),
        when=names.when(context, surface.when),
        off_record=_off_record(context, surface.off_the_record),
        steps=own,
        closing=closing,
        span=surface.phase.span,
        room=properties.room(context, surface),
        on=dates.day_of(context, surface.on),
        recalls=texts_of(surface.recalls) if surface.recalls is not None else None,
        places=places_of(surface),
    )


def _off_record(context: Context, word: Scalar | None) -> p.OffRecord | None:
    """`bench, clerk if mediation_shielded`."""
    node = context.reader.kept(context.parser.off_the_record(word.text, word.span)) if word is not None else None
    if node is None:
        return None
    actors, condition = node
    when = names.condition(context, condition) if condition is not None else None
    return p.OffRecord(tuple(names.actor(context, actor) for actor in actors), when)


def _held_to(only: Condition | None, phase: p.Phase) -> p.Phase:
    """The phase, held to one more condition."""
    if only is None:
        return phase
    return replace(phase, when=only if phase.when is None else AllOf((only, phase.when)))


# ---- steps -----------------------------------------------------------------------------------------------------------
def steps(context: Context, surfaces: tuple[StepSurface, ...], first: int = 1) -> tuple[plan.Step, ...]:
    """Steps in order; an `else` is joined to the `if` before it. Those without an id are numbered from `first`."""
    linked: list[plan.Step] = []
    for number, surface in enumerate(surfaces, first):
        head = _head(context, surface)
        if head is None:
            continue
        _check_properties(context, surface, head)
        if head.verb == "else":
            if linked and isinstance(linked[-1], If) and not linked[-1].otherwise:
                inner = replace(context, prefix=linked[-1].info.id + ".else.")
                linked[-1] = replace(linked[-1], otherwise=steps(inner, surface.body or ()))
            else:
                context.reader.report(diagnose.else_without_if(head.span))
            continue
        written = WrittenStep(surface, head, _info(context, surface, number), context, steps)
        step = VERBS[head.verb].link(written, **head.parts)
        if step is not None:
            linked.append(step)
    return tuple(linked)


def _head(context: Context, surface: StepSurface) -> Head | None:
    """What a step says."""
    lost = misspelt_entry(surface.head) if not surface.given - {"head"} else None
    read = context.parser.head(surface.head.text, surface.head.span) if lost is None else (None, (lost,))
    return context.reader.kept(read)


def _check_properties(context: Context, surface: StepSurface, head: Head) -> None:
    """Refuse properties that mean nothing on this kind of step, and a body or cue where none belongs."""
    verb, report = VERBS[head.verb], context.reader.report
    for name in surface.given & (_PROPERTIES - verb.keys):
        value = getattr(surface, name)
        value = value[0] if isinstance(value, tuple) and value else value
        if isinstance(value, Scalar):
            report(diagnose.unexpected_step_key(value.span, key=name.strip("_").replace("_", " ")))
    if verb.block != (surface.body is not None):
        report(diagnose.mismatched_step_content(head.span))
    if surface.arguments is not None and head.verb != "perform":
        report(diagnose.mismatched_step_content(head.span))


def _info(context: Context, surface: StepSurface, number: int) -> plan.StepInfo:
    own = surface.id.text if surface.id is not None else str(number)
    name, ids = context.prefix + own, context.ids
    if name in ids:
        context.reader.problems.append(diagnose.duplicate_name(surface.head.span, name=own, also=(ids[name],)))
    ids.setdefault(name, surface.head.span)
    return plan.StepInfo(
        id=name,
        prompt=text_of(surface.prompt or surface.id),
        cue=text_of(surface.cue),
        basis=texts_of(surface.basis),
        when=names.when(context, surface.when),
        span=surface.head.span,
        review=properties.review(context, surface),
        room=properties.room(context, surface),
        objection=properties.objection(context, surface),
        on=dates.day_of(context, surface.on),
        places=places_of(surface),
    )
