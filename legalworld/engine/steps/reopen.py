"""The steps of an earlier phase once more."""

from __future__ import annotations

from ...model.steps.reopen import Reopen
from ..walk import Play, Walk


def play(walk: Walk, step: Reopen) -> Play:
    return (yield from walk.reopen(step, step.phase, step.limit))
