"""What a careful author also wants told: steps that rest on no law, and branches that no case can take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..language import diagnose
from ..model.conditions import AllOf, AnyOf, Condition, Given, Negation, OptionIs
from ..model.diagnostics import Diagnostic
from ..model.plan import Step
from ..model.procedure import Procedure, Stage
from ..model.source import Span
from ..model.steps.end import End
from ..model.steps.if_else import If

Chosen = Mapping[str, frozenset[str]]
"""Option -> what it can still be, where the procedure has come to."""


def strict(procedure: Procedure) -> tuple[Diagnostic, ...]:
    """LW736, LW737, in the order of the stages; what a part says is told once, a branch where it is never taken."""
    found: list[Diagnostic] = []
    for stage in procedure.stages:
        for phase in stage.phases:
            based = bool(stage.basis or phase.basis)
            found += _unfounded((*phase.steps, *phase.closing), based)
    dead, alive = _branches(procedure)
    found += (diagnose.dead_branch(span) for span in dead if span not in alive)
    return tuple(dict.fromkeys(found))


def _unfounded(steps: tuple[Step, ...], based: bool) -> Iterator[Diagnostic]:
    """Steps in which somebody speaks or writes and that say no basis, nor does anything around them."""
    for step in steps:
        here = based or bool(step.info.basis)
        if not here and step.turn_slots:
            yield diagnose.step_without_basis(step.info.span)
        for block in step.blocks:
            yield from _unfounded(block, here)


# ---- branches --------------------------------------------------------------------------------------------------------


def _branches(procedure: Procedure) -> tuple[dict[Span, None], set[Span]]:
    """Where steps stand that are never come to, and where those stand that may be."""
    dead: dict[Span, None] = {}
    alive: set[Span] = set()
    every = {name: frozenset(option.choices) for name, option in procedure.options.items()}
    for stage in procedure.stages:
        _stage(stage, every, dead, alive)
    return dead, alive


def _stage(stage: Stage, every: Chosen, dead: dict[Span, None], alive: set[Span]) -> None:
    entered = _narrowed(every, stage.when)
    for phase in stage.phases:
        here = _narrowed(entered, phase.when) if entered is not None else None
        _look((*phase.steps, *phase.closing), here, dead, alive)


def _look(steps: tuple[Step, ...], here: Chosen | None, dead: dict[Span, None], alive: set[Span]) -> None:
    """Note the steps of a block; of those that are never come to the first."""
    for step in steps:
        inside = _narrowed(here, step.info.when) if here is not None else None
        if inside is None:
            dead[step.info.span] = None
            if here is None:
                return
            continue
        alive.add(step.info.span)
        if isinstance(step, If):
            _look(step.body, _narrowed(inside, step.condition), dead, alive)
            _look(step.otherwise, _narrowed(inside, Negation(step.condition)), dead, alive)
        else:
            for block in step.blocks:
                _look(block, inside, dead, alive)
        if isinstance(step, End) and step.info.when is None:
            here = None


def _narrowed(chosen: Chosen, condition: Condition | None) -> Chosen | None:
    """What options can still be where a condition holds; None where it cannot."""
    match condition:
        case Given(holds):
            return chosen if holds else None
        case Negation(Given(holds)):
            return None if holds else chosen
        case Negation(Negation(part)):
            return _narrowed(chosen, part)
        case Negation(AnyOf(parts)):
            return _narrowed(chosen, AllOf(tuple(map(Negation, parts))))
        case Negation(AllOf(parts)):
            return _narrowed(chosen, AnyOf(tuple(map(Negation, parts))))
        case OptionIs(option, value):
            return _left(chosen, option, chosen.get(option, frozenset()) & {value})
        case Negation(OptionIs(option, value)):
            return _left(chosen, option, chosen.get(option, frozenset()) - {value})
        case AllOf(parts):
            for part in parts:
                narrower = _narrowed(chosen, part)
                if narrower is None:
                    return None
                chosen = narrower
        case AnyOf(parts) if all(_narrowed(chosen, part) is None for part in parts):
            return None
    return chosen


def _left(chosen: Chosen, option: str, values: frozenset[str]) -> Chosen | None:
    return {**chosen, option: values} if values else None
