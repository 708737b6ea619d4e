"""What goes out of a study to train on: dialogues, preferences and the like, kept apart from what is tested.

OUT/training/NAME/chat.jsonl and the like, with a card
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..evaluation.score_rows import score_rows
from ..export.dataset import write_dataset
from ..export.dataset_tables import DatasetRequest
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..runs.project import Problems
from .case_sets import StudyCase
from .definition import StudyTraining
from .report import StudyReport

FOLDER: Final = "training"


@immutable
class TrainingData:
    """What was written under a name: form -> lines, of so many `runs`. `problems`: why nothing was, or what is left
    out."""

    name: str
    lines: dict[str, int]
    runs: int = 0
    problems: Problems = ()


def write_training(report: StudyReport, out: Path) -> Iterator[TrainingData]:
    """Write what a study has to train on, of the runs that came to their end. Raises OSError."""
    for one in report.plan.opened.study.training.values():
        runs = [
            run for run in report.runs if run.point.condition in one.of and (one.only is None or run.passes(one.only))
        ]
        if shared := _shared(one, [run.case for run in runs], report):
            yield TrainingData(one.name, {}, problems=(shared,))
            continue
        wanted = DatasetRequest(roles=frozenset(word.text for word in one.roles))
        folders = dict.fromkeys(run.folder for run in runs)
        found = write_dataset(folders, one.forms, wanted, out / FOLDER / one.name, scores=score_rows)
        if isinstance(found, Diagnostic):
            yield TrainingData(one.name, {}, problems=(found,))
        else:
            yield TrainingData(one.name, found.lines, found.runs, tuple(found.problems))


def _shared(one: StudyTraining, cases: list[StudyCase], report: StudyReport) -> Diagnostic | None:
    """Why nothing can be trained on: cases, or disputes of which they are, are of the set that is to be tested."""
    if not one.apart_from:
        return None
    held = report.plan.sets(one.apart_from).cases
    tested = {case.cluster or case.case.id for case in held} | {case.case.id for case in held}
    both = sorted({case.case.id for case in cases if tested & {case.case.id, case.cluster or case.case.id}})
    if not both:
        return None
    count, first = str(len(both)), both[0]
    return diagnose.trained_and_tested(one.span, name=one.name, other=one.apart_from, count=count, first=first)
