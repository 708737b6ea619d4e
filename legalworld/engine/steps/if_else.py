"""One way or the other, by a condition."""

from __future__ import annotations

from ...model.steps.if_else import If
from ..conditions import holds
from ..walk import Play, Walk


def play(walk: Walk, step: If) -> Play:
    return (yield from walk.steps(step.body if holds(step.condition, walk.scene.now) else step.otherwise))
