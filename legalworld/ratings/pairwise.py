"""Two runs of a case, compared: what a grader is asked of a pair, and how a verdict is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ..evaluation.grading import LONGEST_EVIDENCE, Question, evidence_shown, fence, metrics_shown, worded
from ..evaluation.metrics.agreement import Preference
from ..evaluation.metrics.values import MissingScore
from ..evaluation.rubric.definition import Ask, Rubric
from ..evaluation.stored_run import WHOLE, Stored
from ..templates.template_set import TemplateSet

LABELS: Final = ("A", "B")

RunPair = tuple[Stored, Stored]
Verdicts = Mapping[str, Preference | MissingScore]
"""Item of the key -> which run is better, seen from the first; or why nobody can say."""


def preference(value: float, turned: bool) -> Preference:
    """A choice's value as preference, seen from the first run whichever was shown as the first."""
    shown = Preference.TIE if value == 0 else Preference.WIN if value > 0 else Preference.LOSE
    return shown.turned() if turned else shown


def question(rubric: Rubric, runs: RunPair, ask: Ask, templates: TemplateSet, turned: bool) -> Question:
    """What the grader is asked of two runs for one ask; `turned`: the second is shown as the first."""
    records: tuple[Mapping[str, Any], ...] = tuple(
        {"label": label, "evidence": tuple(_record(ask, run))}
        for label, run in zip(LABELS, reversed(runs) if turned else runs, strict=True)
    )
    material = (piece["text"] for record in records for piece in record["evidence"])
    shown = {
        "fence": fence(material),
        "rubric": rubric.title,
        "item": ask.item.title,
        "procedure": runs[0].procedure.title,
        "target": (),
        "others": False,
        "together": False,
        "metrics": metrics_shown(ask.metrics),
        "units": (),
        "wrong": (),
        "records": records,
    }
    name = f"{runs[0].name}/{runs[1].name}/{ask.item.name}"
    return worded(name, ask, (WHOLE,), shown, templates, pair=True)


def _record(ask: Ask, run: Stored) -> Iterator[Mapping[str, Any]]:
    """All that was said where the compared words were said; those are marked."""
    compared = run.evidence(ask.item, WHOLE)
    around = replace(ask.item, evidence=tuple(replace(each, who=()) for each in ask.item.evidence))
    yield from evidence_shown(run.procedure, run.evidence(around, WHOLE), compared, LONGEST_EVIDENCE // 2)
