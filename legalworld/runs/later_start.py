"""Where a run begins that leaves out what came before: which stages are left out, and what later ones would lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.reach import never
from ..engine.settings import Settings
from ..language import diagnose
from ..model.case import Case
from ..model.plan import Step, walk
from ..model.procedure import Procedure, Stage, places
from ..model.steps.assign import Assign
from .project import Problems


def known_start(procedure: Procedure, start: str) -> Problems:
    """Nothing where a run may begin at a stage of this name, or is not asked to."""
    stages = tuple(stage.id for stage in procedure.stages)
    if not start or start in stages:
        return ()
    return (diagnose.unknown_stage_or_phase("--from", name=start, known=stages),)


def left_out(procedure: Procedure, start: str) -> tuple[str, ...]:
    """The stages that a run which begins at a stage leaves out: those before it, but for the ones that say who takes
    which part from then on, without which nobody would have it."""
    stages = [stage.id for stage in procedure.stages]
    before = procedure.stages[: stages.index(start)] if start in stages else ()
    return tuple(stage.id for stage in before if not any(isinstance(step, Assign) for step in _steps_of(stage)))


def lacking_documents(procedure: Procedure, case: Case, settings: Settings) -> Problems:
    """A problem for each document that somebody is to read in what is played and that is written in what is left out
    alone; what an earlier document says as well is not missed."""
    skipped = [stage for stage in procedure.stages if stage.id in settings.skip]
    if not skipped:
        return ()
    played = [stage for stage in procedure.stages if stage.id not in settings.skip]
    made = {name for stage in skipped for step in _steps_of(stage) for name in step.document_names}
    there = set(_made(procedure, case, settings, played))
    there |= {held for name in there for held in procedure.documents[name].holds}
    read = {grant.what for grant in procedure.grants if grant.stage in {stage.id for stage in played}}
    return tuple(
        diagnose.lacking_document("--from", title=procedure.documents[name].title, stage=played[0].title)
        for name in procedure.documents
        if name in made & read and name not in there
    )


def _steps_of(stage: Stage) -> Iterator[Step]:
    for phase in stage.phases:
        yield from (*walk(phase.steps), *walk(phase.closing))


def _made(procedure: Procedure, case: Case, settings: Settings, played: Sequence[Stage]) -> Iterator[str]:
    """The documents that can come to be in the stages that are played."""
    stages = {stage.id for stage in played}
    for place, part in places(procedure):
        names = getattr(part, "document_names", ())
        if names and place.partition("/")[0] in stages and never(procedure, case, settings, place) is None:
            yield from names
