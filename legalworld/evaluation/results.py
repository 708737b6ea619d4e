"""What an evaluation found: every score with its reason and the turns it rests on; kept beside the run.

RUN/scores/RUBRIC.GRADER.json                   # one Evaluation; `lw report` reads nothing else
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from ..files.project_files import write_whole
from ..model.diagnostics import Diagnostic
from ..model.events import FrozenModel
from ..model.source import Span
from ..runs.folder import plain_name
from .metrics.values import MissingScore, Reason, Value
from .rubric.definition import Rubric

SCORES: Final = "scores"


class Score(FrozenModel):
    """One item for one unit (`key`, "" where there is one only). `value` is None where there is a `gap`.

    `raw`: what was read before a cap or a choice made it a number; `capped`: by which rule it was lowered; `turns`,
    `documents`: what it rests on; `by`: rule, or the grader's name; `parts`: further figures of a rule.
    """

    item: str
    key: str
    title: str
    value: float | None
    gap: Reason | None = None
    detail: str = ""
    reason: str = ""
    raw: str = ""
    capped: str = ""
    turns: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()
    by: str = ""
    parts: dict[str, float] = Field(default_factory=dict)

    @property
    def outcome(self) -> Value:
        return _outcome(self.value, self.gap, self.detail)


class Figure(FrozenModel):
    """A formula for one run; None where there is a gap."""

    formula: str
    value: float | None
    gap: Reason | None = None
    detail: str = ""

    @property
    def outcome(self) -> Value:
        return _outcome(self.value, self.gap, self.detail)


def _outcome(value: float | None, gap: Reason | None, detail: str) -> Value:
    return value if value is not None else MissingScore(gap or Reason.EMPTY, detail)


class Evaluation(FrozenModel):
    """One run under one rubric. `rubric_digest` and `run_digest` say of which wordings; `grader` as recorded."""

    run: str
    procedure: str
    case: str
    target: str
    model: str
    outcome: str
    finished: bool
    rubric: str
    rubric_digest: str
    run_digest: str
    grader: dict[str, Any]
    figures: tuple[Figure, ...]
    passes: dict[str, bool | None]
    scores: tuple[Score, ...]

    def figure(self, name: str) -> Figure | None:
        return next((figure for figure in self.figures if figure.formula == name), None)

    @property
    def graded_by(self) -> str:
        """The name of the grader; "" where nobody was asked."""
        return str(self.grader.get("model", ""))

    @property
    def excluded(self) -> tuple[Score, ...]:
        """The scores to be looked at by a person: those that could have been made, and were not."""
        return tuple(one for one in self.scores if one.value is None and one.gap not in (None, Reason.NOT_APPLICABLE))


# ---- files -----------------------------------------------------------------------------------------------------------


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
            yield Diagnostic("LW333", Span(str(path), 0, 0), {"rubric": rubric.name}, severity="warning")


def all_kept(path: Path) -> Iterator[Evaluation | Diagnostic]:
    """The evaluations beside a run, whatever wording of their rubrics made them."""
    for file in sorted((path / SCORES).glob("*.json")):
        yield read_evaluation(file)


def read_evaluation(file: Path) -> Evaluation | Diagnostic:
    """What `lw eval` wrote; a file that holds something else is a problem."""
    try:
        return Evaluation.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return Diagnostic("LW328", Span(str(file), 0, 0), {"path": str(file)})
