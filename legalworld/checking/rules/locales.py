"""The rule about the language of the prompts that a procedure is played with, where its file does not say it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ...language import diagnose
from ...model import procedure as p
from ...model.diagnostics import Diagnostic
from ...model.plan import walk
from ..template_readers import CheckContext


def unsaid_locale(context: CheckContext) -> Iterator[Diagnostic]:
    """LW293: no locale is named, and no word that people read is in the language that is then taken.

    Names count where there is no title: they are what people read then.
    """
    procedure = context.procedure
    letters = [sign for word in _read_by_people(procedure) for sign in word if sign.isalpha()]
    chinese = any(unicodedata.name(sign, "").startswith("CJK") for sign in letters)
    if not procedure.locale_said and letters and not chinese:
        yield diagnose.unsaid_locale(procedure.span, locale=procedure.locale)


def _read_by_people(procedure: p.Procedure) -> Iterator[str]:
    """Titles of the procedure, its people, papers, material and stages, and the cues of its steps."""
    yield procedure.title
    for declared in (procedure.roles, procedure.documents, procedure.fields):
        yield from (one.title for one in declared.values())
    for stage in procedure.stages:
        yield from (stage.title, *(phase.title for phase in stage.phases))
        yield from (step.info.cue for step in p.steps_of(stage))
    for event in procedure.interruptions:
        yield from (event.title, *(step.info.cue for step in walk(event.steps)))


RULES = (unsaid_locale,)
