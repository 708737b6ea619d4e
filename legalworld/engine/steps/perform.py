"""The steps of a part."""

from __future__ import annotations

from ...model.steps.perform import Perform
from ..walk import Play, Walk


def play(walk: Walk, step: Perform) -> Play:
    return (yield from walk.steps(step.body))
