"""Two runs of a case, compared: what needs nobody, what the grader is asked, and how its words are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..evaluation.grading import LONGEST_EVIDENCE, Question, evidence_shown, metrics_shown, schema
from ..evaluation.metrics.agreement import Preference, by_presence
from ..evaluation.rubric.definition import Ask, Rubric
from ..evaluation.stored_run import Stored, Unit
from ..model.events import Message
from ..templates.template_set import TemplateSet

LABELS = ("A", "B")
_WHOLE = Unit("", "")


def decided(ask: Ask, first: Stored, second: Stored) -> Preference | None:
    """What is clear without comparing: only one of the runs has anything to look at, or neither."""
    one, two = (any(piece.text.strip() for piece in run.evidence(ask.item, _WHOLE)) for run in (first, second))
    return by_presence(one, two)


def preference(value: float, turned: bool) -> Preference:
    """A choice's value as preference, seen from the first run whichever was shown as the first."""
    found = Preference.TIE if value == 0 else Preference.WIN if value > 0 else Preference.LOSE
    return found.turned() if turned else found


def question(rubric: Rubric, runs: tuple[Stored, Stored], ask: Ask, templates: TemplateSet, turned: bool) -> Question:
    """What the grader is asked of two runs for one ask; `turned`: the second is shown as the first."""
    shown = {
        "rubric": rubric.title,
        "item": ask.item.title,
        "procedure": runs[0].procedure.title,
        "target": (),
        "others": False,
        "together": False,
        "metrics": metrics_shown(ask.metrics),
        "units": (),
        "records": tuple(
            {"label": label, "evidence": tuple(_record(ask, run))}
            for label, run in zip(LABELS, reversed(runs) if turned else runs, strict=True)
        ),
    }
    home, who = templates.find((f"ask/{ask.prompt}", "ask/pair")), templates.find(("who/pair",))
    told = [templates.render(one, {"grading": shown}).strip() if one else "" for one in (who, home)]
    messages = (Message(role="system", content=told[0]), Message(role="user", content=told[1]))
    name = f"{runs[0].name}/{runs[1].name}/{ask.item.name}"
    return Question(name, ask, (_WHOLE,), messages, schema(ask, ("",)), shown)


def _record(ask: Ask, run: Stored) -> Iterator[Mapping[str, Any]]:
    """All that was said where the compared words were said; those are marked."""
    compared = run.evidence(ask.item, _WHOLE)
    around = replace(ask.item, evidence=tuple(replace(one, who=()) for one in ask.item.evidence))
    pieces = run.evidence(around, _WHOLE)
    yield from evidence_shown(pieces, compared, LONGEST_EVIDENCE // 2)
