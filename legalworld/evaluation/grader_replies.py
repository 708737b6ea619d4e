"""How the replies of a grader are read. What cannot be read is never a score; each score is read by itself.

replies = yield from ask_for(questions, templates)
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..model.events import Message
from ..model.immutable import immutable
from ..model.text import parse_json
from ..templates.template_set import TemplateSet
from .grading import Question, rendered
from .rubric.definition import Metric, Scale

LONGEST_REASON: Final = 600
LONGEST_FOUND: Final = 40  # characters of what stands in the place of a score
_FENCE: Final = re.compile(r"```(?:json)?(.*?)```", re.DOTALL)


@immutable
class Graded:
    """What was read of one metric for one unit: the word or number, its value, the reason and the turns named."""

    raw: str
    value: float
    reason: str
    turns: tuple[int, ...]


@immutable
class Unread:
    """Why there is no score: `form` is `json` (no object), `unit` (nothing for it), `score` (none) or `scale`."""

    form: str
    found: str = ""

    @property
    def detail(self) -> str:
        return f"{self.form}: {self.found}" if self.found else self.form


Grades = Mapping[tuple[str, str], Graded | Unread]
"""(metric, key of the unit) -> what was read of it, for every metric of every unit that was asked for."""


@immutable
class GradedReply:
    """A reply to a question; where it was asked twice, `text` is the last and `grades` are those of both."""

    question: Question
    text: str
    grades: Grades


def ask_for(
    questions: Sequence[Question], templates: TemplateSet
) -> Generator[tuple[Question, ...], tuple[str, ...], list[GradedReply]]:
    """Yield questions, all at once, and be sent the replies. A reply of which something cannot be read is asked for
    once more, with what was wrong; the scores that were good the first time stand."""
    texts = (yield tuple(questions)) if questions else ()
    replies = [GradedReply(asked, text, graded(asked, text)) for asked, text in zip(questions, texts, strict=True)]
    again = {place: _stricter(reply, templates) for place, reply in enumerate(replies) if _unread(reply.grades)}
    texts = (yield tuple(again.values())) if again else ()
    for (place, asked), text in zip(again.items(), texts, strict=True):
        first, second = replies[place].grades, graded(asked, text)
        both = {name: grade if isinstance(grade, Graded) else second[name] for name, grade in first.items()}
        replies[place] = GradedReply(asked, text, both)
    return replies


def _unread(grades: Grades) -> dict[tuple[str, str], Unread]:
    return {name: grade for name, grade in grades.items() if isinstance(grade, Unread)}


def _stricter(reply: GradedReply, templates: TemplateSet) -> Question:
    """The question as it is asked the second time: JSON only, and what was wrong with the first reply."""
    asked = reply.question
    wrong = tuple(
        {"metric": metric, "key": key if asked.ask.together else "", "form": each.form, "found": each.found}
        for (metric, key), each in _unread(reply.grades).items()
    )
    text = rendered(templates, ("again/strict",), {**asked.shown, "wrong": wrong})
    system, user = asked.messages
    return replace(asked, messages=(Message(role="system", content=f"{system.content}\n\n{text}"), user))


def graded(asked: Question, text: str) -> Grades:
    """What a reply says of each metric for each unit."""
    value = _json(text)
    by_key: Mapping[str, Any] = {asked.units[0].key: value}
    if asked.ask.together:
        rows = value.get("scores") if isinstance(value, dict) else None
        by_key = {str(row.get("key")): row for row in rows if isinstance(row, dict)} if isinstance(rows, list) else {}
    return {
        (metric.name, unit.key): _read(metric, unit.key, value, by_key)
        for unit in asked.units
        for metric in asked.ask.metrics
    }


def _read(metric: Metric, key: str, value: Any, by_key: Mapping[str, Any]) -> Graded | Unread:
    if not isinstance(value, dict):
        return Unread("json")
    return _grade(metric, by_key[key].get(metric.name)) if key in by_key else Unread("unit", key)


def _grade(metric: Metric, reply: Any) -> Graded | Unread:
    if not isinstance(reply, dict):
        return Unread("score")
    word, turns = reply.get("score"), reply.get("turns")
    value = _value(metric.scale, word)
    if value is None:
        return Unread("scale", str(word)[:LONGEST_FOUND])
    numbers = [turn for turn in turns if _is_number(turn, int)] if isinstance(turns, list) else []
    return Graded(str(word), value, str(reply.get("reason") or "")[:LONGEST_REASON], tuple(numbers[:50]))


def _value(scale: Scale, word: Any) -> float | None:
    """A word of the scale, or a number on it; never rounded, never clamped, never a number written as a word."""
    if scale.choices is not None:
        return scale.choices.get(word) if isinstance(word, str) else None
    return float(word) if _is_number(word, int | float) and scale.has(float(word)) else None


def _is_number(value: Any, kind: Any) -> bool:
    """JSON knows `true` and no number that is one."""
    return isinstance(value, kind) and not isinstance(value, bool)


def _json(text: str) -> Any:
    """The JSON of a reply: all of it, what a fence holds, or from the first brace to the last."""
    bare = text.strip()
    fenced = _FENCE.search(bare)
    for candidate in (bare, fenced[1] if fenced else "", bare[bare.find("{") : bare.rfind("}") + 1]):
        try:
            return parse_json(candidate)
        except ValueError:
            continue
    return None
