"""How an actor is called in a problem, and where: as his author wrote him, at the place where he did."""

from __future__ import annotations

from typing import Final

from ..language.link.declarations import OPPONENT, TARGET
from ..model.actors import Actor, ChosenIn, Fellows, LoopPerson, Opponents, Related, RoleHolders, Target, VotersOf
from ..model.source import Span

FELLOW: Final = "fellows"


def written_at(actor: Actor, otherwise: Span) -> Span:
    """Where an actor is named; where nobody wrote him, that which he is named for."""
    return actor.written.span if actor.written is not None else otherwise


def arguments(*actors: Actor) -> tuple[Span, ...]:
    """Where the arguments are written for which parameters in the actors' words stand."""
    found = (actor.written.stands_for for actor in actors if actor.written is not None)
    return tuple(dict.fromkeys(span for span in found if span is not None))


def worded(actor: Actor) -> str:
    """An actor as his author wrote him, else in the words of the language: `lawyer of first`."""
    if actor.written is not None:
        return actor.written.text
    match actor:
        case RoleHolders(role):
            return role
        case Target():
            return TARGET
        case Related(kind, of):
            return f"{kind} of {worded(of)}"
        case Opponents(of):
            return f"{OPPONENT} of {worded(of)}"
        case VotersOf(faction, name):
            return f"{faction} of {name}"
        case ChosenIn(which, name):
            return f"{which} of {name}"
        case Fellows(of):
            return f"{FELLOW} of {worded(of)}"
        case LoopPerson(variable):
            return variable
