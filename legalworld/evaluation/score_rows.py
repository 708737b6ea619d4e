"""The scores beside a run as rows of a data set: figures and items.

The reasons are left out: a grader wrote them who has read what is sealed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..export.dataset_tables import DatasetRequest, source_of
from ..runs.open_run import OpenRun
from .results import Evaluation
from .score_files import all_kept


def score_rows(opened: OpenRun, _: DatasetRequest) -> Iterator[dict[str, Any]]:
    """Every figure, then every item, of every evaluation beside a run; `gap` says why there is no value."""
    for evaluation in all_kept(opened.folder.path):
        if not isinstance(evaluation, Evaluation):
            continue
        head = source_of(opened) | {"rubric": evaluation.rubric, "grader": evaluation.graded_by}
        head |= {"given": "yes" if evaluation.given else ""}
        for figure in evaluation.figures:
            named = {"kind": "figure", "name": figure.formula, "key": ""}
            yield head | named | {"value": figure.value, "gap": str(figure.gap or "")}
        for score in evaluation.scores:
            named = {"kind": "item", "name": score.item, "key": score.key}
            yield head | named | {"value": score.value, "gap": str(score.gap or "")}
