"""Evaluations kept beside their runs, written and read.

RUN/scores/RUBRIC.GRADER.json                   # one Evaluation; `lw report` reads nothing else
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..files.project_files import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..runs.folder import plain_name
from .results import Evaluation
from .rubric.definition import Rubric

SCORES: Final = "scores"


def keep(path: Path, evaluation: Evaluation) -> None:
    """Write an evaluation beside its run, whole or not at all. Raises OSError."""
    grader = evaluation.graded_by or "rules"
    file = path / SCORES / f"{plain_name(evaluation.rubric)}.{plain_name(grader)}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, (evaluation.model_dump_json(indent=1) + "\n").encode("utf-8"))


def kept(path: Path, rubric: Rubric) -> Iterator[Evaluation | Diagnostic]:
    """The evaluations beside a run, of one rubric; a file that is none, or of an older wording, is a problem."""
    for evaluation in all_kept(path):
        if isinstance(evaluation, Diagnostic) or (evaluation.rubric, evaluation.rubric_digest) == (
            rubric.name,
            rubric.digest,
        ):
            yield evaluation
        elif evaluation.rubric == rubric.name:
            yield diagnose.outdated_scores(str(path), rubric=rubric.name)


def all_kept(path: Path) -> Iterator[Evaluation | Diagnostic]:
    """The evaluations beside a run, whatever wording of their rubrics made them."""
    for file in sorted((path / SCORES).glob("*.json")):
        yield read_evaluation(file)


def read_evaluation(file: Path) -> Evaluation | Diagnostic:
    """What `lw eval` wrote; a file that holds something else is a problem."""
    try:
        return Evaluation.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return diagnose.unreadable_scores(str(file), path=str(file))
