"""What an evaluation found: every score with its reason and the turns it rests on, every figure, every gap."""

from __future__ import annotations

import json
from typing import Any, Final

from pydantic import Field

from ..model.condition import SHARED
from ..model.frozen import FrozenModel
from .metrics.values import MissingScore, Reason, Value

_OBSERVED: Final = ("model", "versions", "adjusted")  # of a grader: its name, and what its servers said


class Score(FrozenModel):
    """One item for one unit (`key`, "" where there is one only). `value` is None where there is a `gap`.

    `raw`: what was read before a cap or a choice made it a number; `capped`: by which rule it was lowered; `turns`,
    `documents`: what it rests on; `by`: rule, or the grader's name; `parts`: further figures of a rule; `left_out`: how
    many characters of the material the grader was not shown, because it was too long; `repeats`: every score that was
    given, where the grader was asked several times and `value` is the median; `truth`: what the
    reference is, where it is one of a few things.
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
    left_out: int = 0
    repeats: tuple[float, ...] = ()
    truth: str = ""

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
    """One run under one rubric. `rubric_digest` and `run_digest` say of which wordings; `grader` as recorded.

    `made`, `own`, `case_text`, `run_id`, `seed`: what made the run, see `runs.condition`; `given`: whether what was put
    in place of what was written was scored too; `grading`: replies of the grader and their tokens.
    """

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
    made: dict[str, str] = Field(default_factory=dict)
    own: dict[str, str] = Field(default_factory=dict)
    case_text: str = ""
    run_id: str = ""
    seed: int = 0
    given: bool = False
    grading: dict[str, int] = Field(default_factory=dict)

    def figure(self, name: str) -> Figure | None:
        return next((figure for figure in self.figures if figure.formula == name), None)

    @property
    def graded_by(self) -> str:
        """The name of the grader; "" where nobody was asked."""
        return str(self.grader.get("model", ""))

    @property
    def condition(self) -> dict[str, str]:
        """What two evaluations must have in common to be averaged or compared: who graded and how, all that made the
        run but the model under test, and whether what was put in was scored too."""
        how = {name: value for name, value in self.grader.items() if name not in _OBSERVED}
        return {
            "grader": self.graded_by,
            "grading": json.dumps(how, ensure_ascii=False, sort_keys=True) if how else "",
            **dict.fromkeys(SHARED, ""),
            **self.made,
            "given": "yes" if self.given else "",
        }

    @property
    def excluded(self) -> tuple[Score, ...]:
        """The scores to be looked at by a person: those that could have been made, and were not."""
        told = (None, Reason.NOT_APPLICABLE, Reason.UNDECIDED)
        return tuple(one for one in self.scores if one.value is None and one.gap not in told)

    @property
    def undecided(self) -> tuple[Score, ...]:
        """The scores that are none because they rest on a decision that leaves claims undecided."""
        return tuple(one for one in self.scores if one.gap is Reason.UNDECIDED)

    @property
    def due(self) -> tuple[Score, ...]:
        """The scores that apply to the run, with a value or without."""
        return tuple(one for one in self.scores if one.gap is not Reason.NOT_APPLICABLE)
