"""How each verb is played: one module a verb, beside its description in `model.steps`. Pure."""

from __future__ import annotations

from typing import Final

from ...model import steps
from ..walk import Verbs
from . import (
    assign,
    converse,
    draft,
    drive,
    end,
    for_each,
    if_else,
    moderate,
    remember,
    reopen,
    repeat,
    sample,
    speak,
    take,
)

VERBS: Final[Verbs] = {
    steps.Speak: speak.play,
    steps.Moderate: moderate.play,
    steps.Drive: drive.play,
    steps.Converse: converse.play,
    steps.Draft: draft.play,
    steps.Take: take.play,
    steps.Assign: assign.play,
    steps.Sample: sample.play,
    steps.Remember: remember.play,
    steps.If: if_else.play,
    steps.ForEach: for_each.play,
    steps.Repeat: repeat.play,
    steps.Reopen: reopen.play,
    steps.End: end.play,
}
