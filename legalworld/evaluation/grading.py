"""What the grader is asked for one item, and how its reply is read. A reply that cannot be read is never a score.

The grader is a judge model; its messages are rendered from `prompts/LOCALE/grade/` (`ask/NAME`, `who/grader`,
`again/strict`), whose only name is `grading`.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ..model.case import Record, Value, texts
from ..model.events import Message
from ..model.text import parse_json
from ..templates.template_set import TemplateSet
from .rubric.definition import Ask, Metric, Rubric, Scale, Selection
from .stored_run import EvidencePiece, Stored, Unit

LONGEST_REASON: Final = 600
LONGEST_EVIDENCE: Final = 60_000  # characters that are shown to the grader; the middle of more is left out
SEPARATOR: Final = "；"  # between the entries of a record
LISTED: Final = "、"  # between the texts of a list within one
_FENCE: Final = re.compile(r"```(?:json)?(.*?)```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Question:
    """One call of the grader. `schema`: of the JSON it is to answer; `units` x `metrics` scores come of it."""

    id: str
    ask: Ask
    units: tuple[Unit, ...]
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    shown: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Graded:
    """What was read of one metric for one unit: the word or number, its value, the reason and the turns named."""

    raw: str
    value: float
    reason: str
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GradedReply:
    """A reply to a question. `grades`: (metric, key of the unit) -> what was read; or why it cannot be read."""

    question: Question
    text: str
    grades: Mapping[tuple[str, str], Graded] | str


Ready = tuple[Unit, tuple[EvidencePiece, ...], tuple[tuple[Selection, Value], ...]]
"""A unit, what of the run it is graded on, and what that is compared with."""


def question(rubric: Rubric, stored: Stored, ask: Ask, units: Sequence[Ready], templates: TemplateSet) -> Question:
    """The question for some units: one of them, or all where the item is asked together."""
    asked = tuple(unit for unit, _, _ in units)
    name = f"{stored.name}/{ask.item.name}" + (f"/{asked[0].key}" if asked[0].key and not ask.together else "")
    return worded(name, ask, asked, _shown(rubric, stored, ask, units), templates)


def worded(
    name: str,
    ask: Ask,
    units: tuple[Unit, ...],
    shown: Mapping[str, Any],
    templates: TemplateSet,
    *,
    pair: bool = False,
) -> Question:
    """A question in the words of its templates: of units of a run, or of a pair of runs."""
    who, form = ("who/pair", "ask/pair") if pair else ("who/grader", "ask/default")
    system = rendered(templates, (who,), shown)
    text = rendered(templates, (f"ask/{ask.prompt}", form), shown)
    messages = (Message(role="system", content=system), Message(role="user", content=text))
    return Question(name, ask, units, messages, schema(ask, tuple(unit.key for unit in units)), shown)


def ask_for(
    questions: Sequence[Question], templates: TemplateSet
) -> Generator[tuple[Question, ...], tuple[str, ...], list[GradedReply]]:
    """Yield questions, all at once, and be sent the replies. What cannot be read is asked once more, more strictly;
    what cannot be read then either comes back with the reason."""
    graded_replies: list[GradedReply] = []
    waiting = list(questions)
    for last in (False, True):
        if not waiting:
            break
        replies = yield tuple(waiting)
        unreadable = []
        for asked, text in zip(waiting, replies, strict=True):
            grades = graded(asked, text)
            if isinstance(grades, str) and not last:
                unreadable.append(replace(asked, messages=_stricter(asked, templates)))
            else:
                graded_replies.append(GradedReply(asked, text, grades))
        waiting = unreadable
    return graded_replies


def _stricter(asked: Question, templates: TemplateSet) -> tuple[Message, ...]:
    """The messages of the second try: JSON only."""
    text = rendered(templates, ("again/strict",), asked.shown)
    system, user = asked.messages
    return (Message(role="system", content=f"{system.content}\n\n{text}"), user)


def rendered(templates: TemplateSet, names: Sequence[str], shown: Mapping[str, Any]) -> str:
    """The first of some templates that there is, filled in; "" where there is none."""
    home = templates.find(tuple(names))
    return templates.render(home, {"grading": shown}).strip() if home else ""


def _shown(rubric: Rubric, stored: Stored, ask: Ask, units: Sequence[Ready]) -> Mapping[str, Any]:
    """What the templates read."""
    every = [piece for _, evidence, _ in units for piece in evidence]
    mine = _graded_pieces(every, stored.who(("target",)))
    return {
        "rubric": rubric.title,
        "item": ask.item.title,
        "procedure": stored.procedure.title,
        "target": tuple(dict.fromkeys(piece.speaker for piece in mine if piece.speaker)) if ask.judged else (),
        "others": ask.judged and any(piece not in mine for piece in every),
        "together": ask.together,
        "metrics": metrics_shown(ask.metrics),
        "records": (),
        "units": tuple(
            {
                "key": unit.key or "1",
                "title": unit.title,
                "item": _plain(unit.value),
                "titled": all(text in unit.title for text in texts(unit.value)),
                "evidence": evidence_shown(evidence, mine),
                "reference": _references(stored, reference),
            }
            for unit, evidence, reference in units
        ),
    }


def _graded_pieces(pieces: Sequence[EvidencePiece], target: frozenset[str]) -> tuple[EvidencePiece, ...]:
    """Those of the target; all of them where none is his, as when a decision is graded that the court made."""
    return tuple(piece for piece in pieces if piece.person in target) or tuple(pieces)


def _references(stored: Stored, found: Sequence[tuple[Selection, Value]]) -> tuple[Mapping[str, str], ...]:
    """One for each selection. `title`: "" of what has only a name; `owner`: whose it is as the rubric has it."""
    titled: Mapping[str, Mapping[str, Any]] = {"document": stored.procedure.documents, "field": stored.procedure.fields}
    titles = {(kind, name): one.title for kind, every in titled.items() for name, one in every.items()}
    return tuple(
        {
            "title": title if (title := titles.get((one.kind, one.name), "")) != one.name else "",
            "owner": one.owner,
            "text": "\n".join(_plain(value) for selection, value in found if selection is one),
        }
        for one in {id(selection): selection for selection, _ in found}.values()
    )


def metrics_shown(metrics: Sequence[Metric]) -> tuple[Mapping[str, Any], ...]:
    """All metrics of a question, in order."""
    return tuple(_metric(metric, before) for metric, before in zip(metrics, (None, *metrics), strict=False))


def _metric(metric: Metric, before: Metric | None) -> Mapping[str, Any]:
    """`same`: its scale is that of the metric before it, and need not be told again."""
    scale = metric.scale
    same = before is not None and (before.scale, before.anchors) == (scale, metric.anchors) and bool(metric.anchors)
    return {
        "name": metric.name,
        "title": metric.title,
        "asks": metric.asks,
        "lowest": f"{scale.lowest:g}",
        "highest": f"{scale.highest:g}",
        "step": f"{scale.step:g}",
        "whole": _whole(scale),
        "choices": tuple(scale.choices or ()),
        "same": same,
        "anchors": tuple({"band": band, "text": text} for band, text in metric.anchors),
    }


def _whole(scale: Scale) -> bool:
    """Whether only integers are on the scale."""
    return scale.choices is None and scale.step >= 1 and scale.step % 1 == 0 and scale.lowest % 1 == 0


def evidence_shown(
    pieces: Sequence[EvidencePiece], mine: Sequence[EvidencePiece], most: int = LONGEST_EVIDENCE
) -> tuple[Mapping[str, Any], ...]:
    """Head and tail of what is too long; a turn keeps its number."""
    total = sum(len(piece.text) for piece in pieces)
    room = most / max(total, 1)
    return tuple(
        {
            "turn": piece.turn,
            "speaker": piece.speaker,
            "document": piece.document,
            "target": piece in mine,
            "text": piece.text if room >= 1 else _cut(piece.text, int(len(piece.text) * room)),
        }
        for piece in pieces
    )


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size // 2] + " …… " + text[-(size // 2) :]


def _plain(value: Value) -> str:
    """A value as text for a prompt: a line for a text or a record, its keys with their values."""
    match value:
        case str():
            return value
        case Record():
            return SEPARATOR.join(f"{key}：{_listed(value[key])}" for key in value if value[key])
        case tuple():
            return "\n".join(_plain(one) for one in value)
        case _:
            return ""


def _listed(value: Value) -> str:
    return _plain(value).replace("\n", LISTED) if isinstance(value, tuple) else _plain(value)


# ---- replies ---------------------------------------------------------------------------------------------------------


def schema(ask: Ask, keys: Sequence[str]) -> Mapping[str, Any]:
    """JSON Schema of a reply: one object per metric, or a list of such, one per unit."""
    properties = {metric.name: _score_schema(metric.scale) for metric in ask.metrics}
    if not ask.together:
        return _object(properties)
    keyed = _object({"key": {"type": "string", "enum": list(keys)}, **properties})
    return _object({"scores": {"type": "array", "items": keyed}})


def _object(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """All of its properties, and no others."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _score_schema(scale: Scale) -> Mapping[str, Any]:
    form = "integer" if _whole(scale) else "number"
    kind: dict[str, Any] = {"type": form, "minimum": scale.lowest, "maximum": scale.highest}
    if scale.choices is not None:
        kind = {"type": "string", "enum": list(scale.choices)}
    properties = {"score": kind, "reason": {"type": "string"}, "turns": {"type": "array", "items": {"type": "integer"}}}
    return _object(properties)


def graded(asked: Question, text: str) -> Mapping[tuple[str, str], Graded] | str:
    """(metric, key) -> what was read; or the first thing that is wrong with the reply. All of it must be right."""
    value = _json(text)
    if not isinstance(value, dict):
        return "no JSON object"
    if asked.ask.together:
        rows = value.get("scores")
        if not isinstance(rows, list):
            return "no list of scores"
        by_key = {str(row.get("key")): row for row in rows if isinstance(row, dict)}
    else:
        by_key = {asked.units[0].key: value}
    grades: dict[tuple[str, str], Graded] = {}
    for unit in asked.units:
        row = by_key.get(unit.key)
        if row is None:
            return f"no scores for {unit.key}"
        for metric in asked.ask.metrics:
            grade = _grade(metric, row.get(metric.name))
            if isinstance(grade, str):
                return f"{metric.name}: {grade}"
            grades[metric.name, unit.key] = grade
    return grades


def _grade(metric: Metric, reply: Any) -> Graded | str:
    if not isinstance(reply, dict):
        return "no score"
    word, turns = reply.get("score"), reply.get("turns")
    value = _value(metric.scale, word)
    if value is None:
        return f"{str(word)[:40]!r} is not on the scale"
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
