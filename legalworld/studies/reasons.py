"""Why a cell of a study has no figure although its runs were scored: the reasons of the scores it would rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..evaluation.figures import items_behind
from ..evaluation.metrics.values import MissingScore, Reason
from ..evaluation.rubric.definition import Expression, FormulaName, Rubric
from ..evaluation.rubric.formulas import names_in
from .figures import StudyRun
from .words import meant


def reasons_of(runs: Sequence[StudyRun], expression: Expression, rubrics: Mapping[str, Rubric]) -> str:
    """Return the reasons of the scores that are missing, the most frequent first, joined by commas; those that do not
    apply are told only where there is no other."""
    found = Counter(
        reason for run in runs for name in names_in(expression) for reason in _of_run(run, name, rubrics.get(name.name))
    )
    told = [reason for reason, _ in found.most_common() if reason is not Reason.NOT_APPLICABLE]
    return ",".join(told or found or (Reason.EMPTY,))


def _of_run(run: StudyRun, name: FormulaName, rubric: Rubric | None) -> Iterator[Reason]:
    if meant("runs", name.name):
        yield Reason.EMPTY
        return
    told = run.evaluations.get(name.name)
    if told is None:
        yield Reason.MISSING
        return
    figure = told.figure(name.part)
    if figure is not None and isinstance(figure.outcome, MissingScore) and figure.outcome.why is not Reason.EMPTY:
        yield figure.outcome.why
        return
    behind = {name.part} if rubric is None else items_behind(rubric).get(name.part, {name.part})
    outcomes = [one.outcome for one in told.scores if one.item in behind]
    yield from [one.why for one in outcomes if isinstance(one, MissingScore)]
