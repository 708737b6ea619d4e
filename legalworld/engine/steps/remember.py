"""Those who took part in the stage write down what they keep of it, by tools alone.

Nobody is asked who neither heard nor said anything in it; and nobody when the case is over: no stage follows in which
he could read it.
"""

from __future__ import annotations

from ...model.steps.remember import Remember
from ..speech import give, nobody
from ..state import CaseState, everyone
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Remember) -> Play:
    state = walk.scene.state
    if walk.ending is not None:
        return nobody(walk)
    took_part = [person for person in everyone(state, step.actors) if _took_part(state, person)]
    spec = TurnSpec("remember", step.info, aloud=False, wordless=True)
    for number, person in enumerate(took_part, 1):
        yield from give(walk, person, spec, [(other, spec) for other in took_part[number:]])
    return "" if took_part else nobody(walk)


def _took_part(state: CaseState, person: str) -> bool:
    """Whether somebody heard something in the stage, or thought or wrote something himself."""
    thread = state.threads.get(f"{person}@{state.stage}")
    return thread is not None and (
        bool(state.heard.get(person)) or any(message.role == "assistant" for message in thread.messages)
    )
