"""Events: what may come in between, raised by somebody with a token or by a condition, with steps of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.conditions import AnyOf, Condition, TokenSaid
from ...model.procedure import EVENT_MARK, Interruption, Stage
from .. import diagnose
from ..schema import EventSurface, SpecSurface
from ..surface_reader import places_of, text_of, texts_of
from ..yaml.nodes import Scalar
from . import names, properties, steps
from .context import Context


def declare(context: Context, specs: list[SpecSurface]) -> None:
    """What the steps of all events ask for is known from now on; each event is declared once."""
    first: dict[str, EventSurface] = {}
    for name, surface in ((name, surface) for spec in specs for name, surface in spec.events.items()):
        if name in first:
            context.reader.report(diagnose.duplicate_name(surface.span, name=name, also=(first[name].span,)))
        first.setdefault(name, surface)
        properties.declare_answers(context, surface.steps)


def link(context: Context, specs: list[SpecSurface], stages: tuple[Stage, ...]) -> tuple[Interruption, ...]:
    """The events of all files with their names resolved."""
    surfaces = {name: surface for spec in reversed(specs) for name, surface in spec.events.items()}
    order = dict.fromkeys(name for spec in specs for name in spec.events)
    return tuple(_linked(context, name, surfaces[name], stages) for name in order)


def _linked(context: Context, name: str, surface: EventSurface, stages: tuple[Stage, ...]) -> Interruption:
    """One event with its names resolved."""
    raised, whenever = _raising(context, surface)
    inner = replace(context, ids={}, prefix=f"{EVENT_MARK}{name}.")
    return Interruption(
        id=name,
        title=text_of(surface.title) or name,
        basis=texts_of(surface.basis),
        raised=raised,
        whenever=whenever,
        when=names.when(context, surface.when),
        during=tuple(_places(context, surface.during, stages)),
        limit=properties.limit(context, surface.at_most) or 1,
        intended=context.reader.known(surface.intended_in, context.names.fields, diagnose.unknown_field),
        steps=steps.steps(inner, surface.steps),
        span=surface.span,
        places=places_of(surface),
    )


def _raising(context: Context, surface: EventSurface) -> tuple[tuple[TokenSaid, ...], Condition | None]:
    """`raised by` and `token`, or `whenever`; where that waits for tokens alone, it is another way to say the same."""
    by, token, whenever = surface.raised_by, surface.token, surface.whenever
    if (by is None) != (token is None) or (by is None) == (whenever is None):
        context.reader.report(diagnose.conflicting_event_keys((by or token or whenever or surface).span))
    if by is not None and token is not None:
        said = properties.token(context, token)
        return tuple(TokenSaid(actor, said, by.span) for actor in names.actors(context, by)), None
    if surface.intended_in is not None and token is None:
        context.reader.report(diagnose.conflicting_event_keys(surface.intended_in.span))
    condition = names.when(context, whenever)
    parts = condition.parts if isinstance(condition, AnyOf) else (condition,)
    tokens = tuple(part for part in parts if isinstance(part, TokenSaid))
    return (tokens, None) if tokens and len(tokens) == len(parts) else ((), condition)


def _places(context: Context, words: tuple[Scalar, ...], stages: tuple[Stage, ...]) -> Iterator[tuple[str, str]]:
    """Stages and phases by their places: STAGE, STAGE/PHASE."""
    known = [stage.id for stage in stages]
    known += [f"{stage.id}/{phase.id}" for stage in stages for phase in stage.phases if phase.id]
    for word in words:
        stage, _, phase = context.reader.known(word, known, diagnose.unknown_event_place, known=known).partition("/")
        yield stage, phase
