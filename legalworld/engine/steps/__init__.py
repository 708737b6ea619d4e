"""How each verb is played: one module a verb, beside its description in `model.steps`. Pure."""

from __future__ import annotations

from typing import Final

from ...model.steps.assign import Assign
from ...model.steps.converse import Converse
from ...model.steps.decide import Decide
from ...model.steps.draft import Draft
from ...model.steps.drive import Drive
from ...model.steps.end import End
from ...model.steps.for_each import ForEach
from ...model.steps.go_on import Continue
from ...model.steps.if_else import If
from ...model.steps.moderate import Moderate
from ...model.steps.move import Move
from ...model.steps.perform import Perform
from ...model.steps.read_out import ReadMinutes
from ...model.steps.record import RecordAnswer
from ...model.steps.remember import Remember
from ...model.steps.reopen import Reopen
from ...model.steps.repeat import Repeat
from ...model.steps.sample import Sample
from ...model.steps.speak import Speak
from ...model.steps.take import Take
from ...model.steps.vote import Vote
from ..walk import Verbs
from . import (
    assign,
    converse,
    decide,
    draft,
    drive,
    end,
    for_each,
    go_on,
    if_else,
    moderate,
    move,
    perform,
    read_out,
    record,
    remember,
    reopen,
    repeat,
    sample,
    speak,
    take,
    vote,
)

VERBS: Final[Verbs] = {
    Speak: speak.play,
    Moderate: moderate.play,
    Drive: drive.play,
    Converse: converse.play,
    Draft: draft.play,
    Take: take.play,
    Vote: vote.play,
    Decide: decide.play,
    Move: move.play,
    ReadMinutes: read_out.play,
    Assign: assign.play,
    Sample: sample.play,
    RecordAnswer: record.play,
    Remember: remember.play,
    If: if_else.play,
    ForEach: for_each.play,
    Repeat: repeat.play,
    Perform: perform.play,
    Reopen: reopen.play,
    Continue: go_on.play,
    End: end.play,
}
