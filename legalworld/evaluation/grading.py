"""What the grader is asked for one item, and the form in which it is to reply.

The grader is a judge model; its messages are rendered from `prompts/LOCALE/grade/` (`ask/NAME`, `who/grader`,
`again/strict`), whose only name is `grading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import count
from typing import Any, Final

from ..model.case import Record, Value, texts
from ..model.events import Message
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.punctuation import Punctuation
from ..templates.template_set import TemplateSet
from .rubric.definition import Ask, Metric, Rubric, Scale, Selection
from .stored_run import EvidencePiece, Stored, Unit

LONGEST_EVIDENCE: Final = 60_000  # characters that are shown to the grader; the middle of more is left out
LONGEST_BACKGROUND: Final = 40_000  # the same of what is shown beside the evidence


@immutable
class Question:
    """One call of the grader. `schema`: of the JSON it is to answer; `units` x `metrics` scores come of it. `repeat`:
    how often it was asked before, where it is asked several times."""

    id: str
    ask: Ask
    units: tuple[Unit, ...]
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    shown: Mapping[str, Any]
    repeat: int = 0


@immutable
class Ready:
    """A unit, what of the run it is graded on, what is shown beside that, and what it is compared with."""

    unit: Unit
    evidence: tuple[EvidencePiece, ...]
    background: tuple[EvidencePiece, ...]
    reference: tuple[tuple[Selection, Value], ...]


def question(rubric: Rubric, stored: Stored, ask: Ask, units: Sequence[Ready], templates: TemplateSet) -> Question:
    """The question for some units: one of them, or all where the item is asked together."""
    asked = tuple(ready.unit for ready in units)
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


def rendered(templates: TemplateSet, names: Sequence[str], shown: Mapping[str, Any]) -> str:
    """The first of some templates that there is, filled in; "" where there is none."""
    home = templates.find(tuple(names))
    return templates.render(home, {"grading": shown}).strip() if home else ""


def _shown(rubric: Rubric, stored: Stored, ask: Ask, units: Sequence[Ready]) -> Mapping[str, Any]:
    """What the templates read."""
    every = [piece for ready in units for piece in ready.evidence]
    mine = _graded_pieces(every, stored.who(("target",)))
    shown = tuple(_unit(stored, ask, ready, mine) for ready in units)
    material = (piece["text"] for unit in shown for part in ("evidence", "background") for piece in unit[part])
    return {
        "fence": fence(material),
        "rubric": rubric.title,
        "item": ask.item.title,
        "procedure": stored.procedure.title,
        "target": tuple(dict.fromkeys(piece.speaker for piece in mine if piece.speaker)) if ask.judged else (),
        "others": ask.judged and any(piece not in mine for piece in every),
        "together": ask.together,
        "metrics": metrics_shown(ask.metrics),
        "records": (),
        "wrong": (),
        "units": shown,
    }


def _unit(stored: Stored, ask: Ask, ready: Ready, mine: Sequence[EvidencePiece]) -> Mapping[str, Any]:
    unit, each = ready.unit, ask.item.each
    kind = each.kind if each is not None else ""
    about = each.names[0] if each is not None and kind in ("records", "topics") and not each.keys else ""
    return {
        "key": unit.key or "1",
        "title": unit.title,
        "item": _plain(unit.value, stored.procedure.marks, _titles(stored, about)),
        "titled": kind == "items" or all(text in unit.title for text in texts(unit.value)),
        "evidence": evidence_shown(stored.procedure, ready.evidence, mine),
        "background": evidence_shown(stored.procedure, ready.background, (), LONGEST_BACKGROUND),
        "reference": _references(stored, about, ready.reference),
    }


def _titles(stored: Stored, name: str) -> Mapping[str, str]:
    """Key -> what it is called, of the records of a field."""
    found = stored.procedure.fields.get(name)
    return found.titles if found is not None else {}


def _graded_pieces(pieces: Sequence[EvidencePiece], target: frozenset[str]) -> tuple[EvidencePiece, ...]:
    """Those of the target; all of them where none is his, as when a decision is graded that the court made."""
    return tuple(piece for piece in pieces if piece.person in target) or tuple(pieces)


def _references(stored: Stored, about: str, found: Sequence[tuple[Selection, Value]]) -> tuple[Mapping[str, str], ...]:
    """One for each selection. `title`: what the rubric calls it, else its own, "" where that is only a name; `owner`:
    whose it is as the rubric has it. `about`: the field that the record of the unit is of."""

    def told(one: Selection, value: Value) -> str:
        name = "" if one.kind != "field" or one.keys else about if one.name == "item" else one.name
        return _plain(value, stored.procedure.marks, _titles(stored, name))

    titled: Mapping[str, Mapping[str, Any]] = {"document": stored.procedure.documents, "field": stored.procedure.fields}
    titles = {(kind, name): one.title for kind, every in titled.items() for name, one in every.items()}
    return tuple(
        {
            "title": one.called or (title if (title := titles.get((one.kind, one.name), "")) != one.name else ""),
            "owner": "" if one.called else one.owner,
            "text": (text := "\n".join(told(one, value) for selection, value in found if selection is one)),
            "quoted": quoted(text),  # it may be a document of the run, which its author wrote
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
        "whole": whole(scale),
        "choices": tuple(scale.choices or ()),
        "same": same,
        "anchors": tuple({"band": band, "text": text} for band, text in metric.anchors),
    }


def whole(scale: Scale) -> bool:
    """Whether only integers are on the scale."""
    return scale.choices is None and scale.step >= 1 and scale.step % 1 == 0 and scale.lowest % 1 == 0


def evidence_shown(
    procedure: Procedure,
    pieces: Sequence[EvidencePiece],
    mine: Sequence[EvidencePiece],
    most: int = LONGEST_EVIDENCE,
) -> tuple[Mapping[str, Any], ...]:
    """Head and tail of what is too long; a turn keeps its number. `title`: of a document or an answer; `verdict`: of an
    answer, yes or no; `left`: how many characters of it are left out, which is told with the score."""
    total = sum(len(piece.text) for piece in pieces)
    room = most / max(total, 1)
    titles = {name: one.title for name, one in procedure.fields.items()}
    titles |= {name: one.title for name, one in procedure.documents.items()}
    titles |= {name: one.called for name, one in procedure.answers.items()}
    shown = []
    for piece in pieces:
        answer = procedure.answers.get(piece.answer)
        said = answer.said(piece.text) if answer is not None else piece.text
        plain = answer is not None and answer.form == "yes or no" and said in ("yes", "no")
        size = len(piece.text) if room >= 1 else int(len(piece.text) * room)
        name = piece.document or piece.answer
        shown.append(
            {
                "turn": piece.turn,
                "speaker": piece.speaker,
                "document": piece.document,
                "title": titles.get(name, name),
                "target": piece in mine,
                "struck": piece.struck,
                "verdict": said if plain else "",
                "text": (text := _cut(said, size) if said == piece.text else said),
                "quoted": quoted(text),
                "left": len(piece.text) - size,
            }
        )
    return tuple(shown)


def fence(material: Iterable[str]) -> str:
    """The mark on the lines between which the material stands. Nobody whose words are in it can write it: it is made of
    the digest of all the material, in which it does not stand. It is made of nothing else: the same words have the same
    mark, whichever run they are of and whatever is asked about them. So two runs that say the same are asked about
    alike, stored replies are found again, and a provider's cache takes the material as known."""
    texts = list(material)
    marks = (
        blake2b("\0".join((str(salt), *texts)).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        for salt in count()
    )
    return next(mark for mark in marks if not any(mark in text for text in texts))


def quoted(text: str) -> str:
    """Every line but the first marked as going on: what looks like another turn, or like the end of the material, does
    not stand where such a line begins."""
    return "\n| ".join(text.splitlines())


def _cut(text: str, size: int) -> str:
    """Head and tail; text of the same length is whole."""
    return text if len(text) <= size else f"{text[: size // 2]} …… {text[len(text) - (size - size // 2) :]}"


def _plain(value: Value, marks: Punctuation, titles: Mapping[str, str]) -> str:
    """A value as text for a prompt: a line for a text or a record, its keys, as they are called, with their values."""
    match value:
        case str():
            return value
        case Record():
            return marks.semicolon.join(
                f"{titles.get(key, key)}{marks.colon}{_listed(value[key], marks)}" for key in value if value[key]
            )
        case tuple():
            return "\n".join(_plain(one, marks, titles) for one in value)
        case _:
            return ""


def _listed(value: Value, marks: Punctuation) -> str:
    """The value of a key on one line; of a record in it, its values alone."""
    inner = value if isinstance(value, tuple) else (value,)
    plain = (marks.listed.join(texts(one)) if isinstance(one, Record) else _plain(one, marks, {}) for one in inner)
    return marks.listed.join(plain).replace("\n", marks.listed)


# ---- the form of a reply ---------------------------------------------------------------------------------------------


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
    form = "integer" if whole(scale) else "number"
    kind: dict[str, Any] = {"type": form, "minimum": scale.lowest, "maximum": scale.highest}
    if scale.choices is not None:
        kind = {"type": "string", "enum": list(scale.choices)}
    turns = {"type": "array", "items": {"type": "integer"}}
    return _object({"reason": {"type": "string"}, "turns": turns, "score": kind})  # a verdict follows its reasons
