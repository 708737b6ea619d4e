"""How the replies of a grader are read. What cannot be read is never a score; each score is read by itself.

A reply has one verdict, behind its reasons. Where two differ, or where one stands in something quoted, in the material
or before other words, nobody can tell which of them is meant, and the question is asked again.

replies = yield from ask_for(questions, templates)
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..model.events import Message, Reply
from ..model.immutable import immutable
from ..model.json_values import TWICE, JsonText, json_in, objects_in
from ..templates.template_set import TemplateSet
from .grading import Question, rendered
from .rubric.definition import Metric, Scale

LONGEST_REASON: Final = 600
LONGEST_FOUND: Final = 40  # characters of what stands in the place of a score
OF_ALL: Final = ("json", "cut", "stray")  # faults of a reply as a whole


@immutable
class Graded:
    """What was read of one metric for one unit: the word or number, its value, the reason and the turns named."""

    raw: str
    value: float
    reason: str
    turns: tuple[int, ...]


class Cut(str):
    """A reply that ends where a limit of tokens was reached: what would have followed is not known."""


def said(reply: Reply) -> str:
    """The words of a reply, `Cut` where a limit of tokens ended them."""
    return Cut(reply.text) if reply.cut else reply.text


@immutable
class Unread:
    """Why there is no score. `found`: what stands in its place, or what the reply holds besides.

    `form`: `json` (no object), `cut` (the reply is not finished), `stray` (other objects stand beside the scores),
    `unit` (nothing for it), `score` (none), `scale` (none of its values), `differ` (several that are not the same),
    `quoted` (it stands in something else, or in the material), `after` (something is said behind it).
    """

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
    faults = (
        ("" if each.form in OF_ALL else metric, key if asked.ask.together else "", each.form, each.found)
        for (metric, key), each in _unread(reply.grades).items()
    )
    names = ("metric", "key", "form", "found")
    wrong = tuple(dict(zip(names, fault, strict=True)) for fault in dict.fromkeys(faults))
    text = rendered(templates, ("again/strict",), {**asked.shown, "wrong": wrong})
    system, user = asked.messages
    return replace(asked, messages=(Message(role="system", content=f"{system.content}\n\n{text}"), user))


def graded(asked: Question, text: str) -> Grades:
    """What a reply says of each metric for each unit: the verdict, or why none can be told."""
    said = json_in(text)
    fault = _unclear(asked, said, text)
    material = _material(asked) if fault is None else ()
    return {
        (metric.name, unit.key): fault or _verdict(asked, said, material, (metric, unit.key))
        for unit in asked.units
        for metric in asked.ask.metrics
    }


def _unclear(asked: Question, said: JsonText, text: str) -> Unread | None:
    """What is wrong with a reply as a whole."""
    if said.unfinished or isinstance(text, Cut):
        return Unread("cut")
    scores = [one for one in said.values if _has_scores(asked, one.value)]
    if not scores and all(one.quoted for one in said.values):
        return Unread("json")
    stray = [one for one in said.values if one not in scores]
    if scores and stray:
        return Unread("stray", _short(text[stray[0].start : stray[0].end]))
    return None


def _has_scores(asked: Question, value: Mapping[str, Any]) -> bool:
    if asked.ask.together:
        return isinstance(value.get("scores"), list)
    return any(metric.name in value for metric in asked.ask.metrics)


def _verdict(
    asked: Question, said: JsonText, material: Sequence[Mapping[str, Any]], of: tuple[Metric, str]
) -> Graded | Unread:
    """The one score of a metric for a unit: where a reply gives several, they must be the same."""
    metric, key = of
    rows = [(row, one) for one in said.values for row in _rows(asked, one.value) if _is_of(asked, row, key)]
    if not rows:
        return Unread("unit", key) if asked.ask.together else Unread("score")
    given = [(row[metric.name], one) for row, one in rows if metric.name in row]
    if not given:
        return Unread("score")
    grades = [_grade(metric, entry) for entry, _ in given]
    if len({one.value if isinstance(one, Graded) else one for one in grades}) > 1:
        different = dict.fromkeys(one.raw if isinstance(one, Graded) else one.found for one in grades)
        return Unread("differ", _short(" / ".join(different)))
    grade, (entry, place) = grades[-1], given[-1]
    if isinstance(grade, Unread):
        return grade
    if any(one.quoted for _, one in given) or entry in material:
        return Unread("quoted", grade.raw[:LONGEST_FOUND])
    behind = said.after(place)
    return Unread("after", _short(behind)) if behind else grade


def _rows(asked: Question, value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What an object holds for each unit."""
    if not asked.ask.together:
        return [value]
    listed = value.get("scores")
    return [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []


def _is_of(asked: Question, row: Mapping[str, Any], key: str) -> bool:
    return not asked.ask.together or str(row.get("key")) == key


def _material(asked: Question) -> tuple[Mapping[str, Any], ...]:
    """The objects that stand in what was sent: whoever wrote them was not the grader."""
    sent = "\n".join(message.content for message in asked.messages).replace("\n| ", "\n")
    return tuple(objects_in(sent))


def _short(text: str) -> str:
    return " ".join(text.split())[:LONGEST_FOUND]


def _grade(metric: Metric, reply: Any) -> Graded | Unread:
    if not isinstance(reply, dict):
        return Unread("differ" if reply is TWICE else "score")
    word, turns = reply.get("score"), reply.get("turns")
    if word is TWICE:
        return Unread("differ")
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
