"""What the role under test is shown when it looks back on a run: what it heard, wrote and noted, and its figures.

Reasons of scores, titles of graded units and whatever else a grader has read beside the run stay out: a grader knows
the sealed reference. What is shown of the scores is the rubric's own words and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..engine.casting import cast
from ..evaluation.grading import fence, quoted
from ..evaluation.report import scaled
from ..evaluation.results import Evaluation
from ..evaluation.rubric.definition import Formula, Metric, Rubric, RubricItem
from ..evaluation.stored_run import plain
from ..model import events as e
from ..model.case import Person
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..runs.open_run import OpenRun, open_run
from ..runs.project import Problems, full_title
from ..runs.show.heard import HEARD
from ..runs.show.views import ShowRequest
from ..wording import sentences
from .card import LONGEST, MOST_LINES, CardText
from .reply import SECTIONS, CardFault

LONGEST_HEARD: Final = 40_000  # characters of what is shown of a run's talk; of more, each turn is cut alike
_SENTENCE: Final = re.compile("[\u3002;\uff1b]|\\. ")
LONGEST_WRITTEN: Final = 20_000  # the same of its documents
WEAKEST: Final = 3  # scores that the offline reflector makes lines of


@immutable
class LookedBack:
    """What a run shows to the role under test. `told` is what templates read as `reflection`, without the card.

    `acts`: stage -> what the role does there; `date`: the last day of the run, "" where it has none.
    """

    told: Mapping[str, Any]
    stages: tuple[tuple[str, str], ...]
    acts: Mapping[str, tuple[str, ...]]
    chain: str
    date: str


def look_back(path: Path, rubric: Rubric, evaluation: Evaluation, formula: Formula) -> LookedBack | Problems:
    """A run as its target may look back on it."""
    opened = open_run(path)
    if isinstance(opened, tuple):
        return opened
    persons = [
        one for one in cast(opened.procedure, opened.case, opened.folder.info.options) if one.role == evaluation.target
    ]
    acts = _acts(opened, persons)
    stages = tuple((stage.id, stage.title) for stage in opened.procedure.stages if stage.id in acts)
    heard = _heard(opened, persons)
    if isinstance(heard, tuple):
        return heard
    figure = evaluation.figure(formula.name)
    scores = tuple(_scores(rubric, evaluation))
    days = [event.day for event in opened.events if isinstance(event, e.Drafted) and event.day]
    documents, notes = _documents(opened, persons), _notes(opened, persons)
    told = {
        "fence": fence(one["quoted"] for one in (*heard, *documents, *notes)),
        "procedure": opened.procedure.title,
        "role": full_title(opened.procedure, evaluation.target),
        "rubric": rubric.title,
        "figure": formula.title,
        "total": _number(scaled(figure.value, formula)) if figure is not None and figure.value is not None else "-",
        "violations": str(sum(isinstance(one, e.Violated) and one.person in _ids(persons) for one in opened.events)),
        "stages": tuple({"name": name, "title": title} for name, title in stages),
        "heard": heard,
        "documents": documents,
        "notes": notes,
        "scores": tuple(_shown(one) for one in scores),
        "weak": scores,
    }
    return LookedBack(told, stages, acts, opened.loaded.chain, max(days, default=""))


def shown(
    looked: LookedBack, labels: Mapping[str, str], card: CardText | None, others: Sequence[tuple[str, Sequence[str]]]
) -> dict[str, Any]:
    """All that the templates read. `others`: title and checklist of the cards that the role has already."""
    lines = card.checklist if card is not None else ()
    weakest = _weakest(looked.told["weak"], lines)
    weak_stages = tuple(dict.fromkeys(stage for one in weakest for stage in one.stages))
    told = {key: value for key, value in looked.told.items() if key != "weak"}
    return told | {
        "labels": labels,
        "limits": {"title": str(LONGEST["title"]), "line": str(LONGEST["checklist"]), "lines": str(MOST_LINES)},
        "amending": card is not None,
        "card": _as_told(card),
        "others": tuple({"title": title, "checklist": tuple(checklist)} for title, checklist in others),
        "weakest": tuple({**_shown(one), "asks": one.matter} for one in weakest),
        "weak_stages": tuple(name for name, _ in looked.stages if name in weak_stages or not weak_stages),
        "faults": (),
    }


def faults_shown(faults: Sequence[CardFault], labels: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    """What was wrong, as templates read it: the section by its label."""
    return tuple(
        {"kind": one.kind, "section": labels.get(one.section, ""), "words": one.words, "most": str(one.most)}
        for one in dict.fromkeys(faults)
    )


def _as_told(card: CardText | None) -> Mapping[str, Any]:
    if card is None:
        return {**dict.fromkeys(SECTIONS, ""), "stages": (), "checklist": ()}
    return {name: getattr(card, name) for name in SECTIONS}


def _ids(persons: Sequence[Person]) -> frozenset[str]:
    return frozenset(person.id for person in persons)


# ---- the talk, the documents, the notes ------------------------------------------------------------------------------


def _heard(opened: OpenRun, persons: Sequence[Person]) -> list[Mapping[str, Any]] | Problems:
    """What was said to the ears of the target, and by him, in order; without what he was to forget."""
    rows: list[dict[str, Any]] = []
    for person in persons:
        heard, problems = HEARD.read(opened, ShowRequest(heard=person.id))
        if heard is None:
            return problems
        rows += [row for row in heard.rows if row["kind"] == "spoke" and not row["withheld"]]
    said = [one for one in opened.events if isinstance(one, e.Spoke) and one.person in _ids(persons)]
    mine = {(one.place, one.speaker, one.text) for one in said}  # the other side may say the same words
    written = {*_written(opened, persons).values()}
    rows = [row for row in rows if row["text"] not in written]  # it is shown with the documents
    room = LONGEST_HEARD / max(1, sum(len(row["text"]) for row in rows))
    titles = {stage.id: stage.title for stage in opened.procedure.stages}
    words = sentences("transcript", opened.procedure.locale)
    return [
        {
            "place": titles.get(plain(row["place"]).partition("/")[0], ""),
            "speaker": row["speaker"],
            "quoted": quoted(words("struck", text=cut) if row.get("struck") else cut),
            "mine": (row["place"], row["speaker"], row["text"]) in mine,
        }
        for row in rows
        for cut in (_cut(row["text"], room),)
    ]


def _documents(opened: OpenRun, persons: Sequence[Person]) -> tuple[Mapping[str, str], ...]:
    """The documents that the target wrote."""
    last = _written(opened, persons)
    room = LONGEST_WRITTEN / max(1, sum(map(len, last.values())))
    titles = opened.procedure.documents
    return tuple({"title": titles[name].title, "quoted": quoted(_cut(text, room))} for name, text in last.items())


def _written(opened: OpenRun, persons: Sequence[Person]) -> Mapping[str, str]:
    """Document -> the last wording that the target gave it."""
    drafts = (one for one in opened.events if isinstance(one, e.Drafted) and one.source == "reply")
    return {one.document: one.text for one in drafts if one.person in _ids(persons)}


def _notes(opened: OpenRun, persons: Sequence[Person]) -> tuple[Mapping[str, str], ...]:
    """What the target's memory held in the end."""
    kept: dict[str, str] = {}
    for event in opened.events:
        if isinstance(event, e.Remembered) and event.person in _ids(persons):
            kept[event.field] = _noted(event.value)
    declared = {name: one for kind in persons[:1] for name, one in _fields(opened.procedure, kind.kind).items()}
    return tuple({"title": declared.get(name, name), "quoted": quoted(text)} for name, text in kept.items() if text)


def _fields(procedure: Procedure, kind: str) -> Mapping[str, str]:
    memory = procedure.memory.get(kind)
    return {name: one.title for name, one in memory.fields.items()} if memory is not None else {}


def _noted(value: str | tuple[dict[str, str], ...]) -> str:
    if isinstance(value, str):
        return value
    return "\n".join("; ".join(filter(None, row.values())) for row in value)


def _cut(text: str, room: float) -> str:
    """Head and tail of what is too long."""
    size = len(text) if room >= 1 else int(len(text) * room)
    return text if len(text) <= size else f"{text[: size // 2]} \u2026\u2026 {text[len(text) - (size - size // 2) :]}"


def _acts(opened: OpenRun, persons: Sequence[Person]) -> Mapping[str, tuple[str, ...]]:
    """Stage -> what the target was asked to do there, aloud or in writing."""
    acts: dict[str, dict[str, None]] = {}
    for event in opened.events:
        if isinstance(event, e.Asked) and event.person in _ids(persons) and event.act not in _ASIDE:
            acts.setdefault(plain(event.place).partition("/")[0], {})[event.act] = None
    return {stage: tuple(names) for stage, names in acts.items()}


_ASIDE: Final = ("remember", "note")
"""What is done beside the work that a card is about."""


# ---- the figures -----------------------------------------------------------------------------------------------------


@immutable
class WeakScore:
    """A metric or a measure of the rubric, with the mean of its units in this run; `about`: the item that it is of,
    `asks`: what it asks for."""

    about: str
    title: str
    asks: str
    value: float
    lowest: float
    highest: float
    stages: tuple[str, ...]

    @property
    def matter(self) -> str:
        """What is asked for, without what is said to the grader behind it: the first sentence."""
        return _SENTENCE.split(self.asks, maxsplit=1)[0]

    @property
    def share(self) -> float:
        return (self.value - self.lowest) / ((self.highest - self.lowest) or 1.0)


def _scores(rubric: Rubric, evaluation: Evaluation) -> Iterator[WeakScore]:
    """Every metric and measure that has a score, in the order of the rubric."""
    for ask in rubric.asks.values():
        for metric in ask.metrics:
            yield from _mean(evaluation, ask.item, metric)
    for measure in rubric.measures.values():
        yield from _mean(evaluation, measure.item, None)


def _mean(evaluation: Evaluation, item: RubricItem, metric: Metric | None) -> Iterator[WeakScore]:
    name = metric.name if metric is not None else item.name
    values = [one.value for one in evaluation.scores if one.item == name and one.value is not None]
    if not values:
        return
    scale = (metric.scale.lowest, metric.scale.highest) if metric is not None else (0.0, 1.0)
    value = sum(values) / len(values)
    if not scale[0] <= value <= scale[1]:
        return  # an error without an end is no share of anything
    title, asks = (metric.title, metric.asks) if metric is not None else (item.title, "")
    about = item.title if item.title != title else ""
    yield WeakScore(about, title, asks, value, *scale, item.stages)


def _shown(one: WeakScore) -> Mapping[str, str]:
    said = {"about": one.about, "title": one.title, "asks": one.asks}
    return {**said, "value": _number(one.value), "highest": _number(one.highest)}


def _weakest(scores: Sequence[WeakScore], lines: Sequence[str]) -> tuple[WeakScore, ...]:
    """The worst scores that no line of the card is about yet, as many as it has room for."""
    new = [
        one for one in scores if one.share < 1 and not any(one.title in line and one.matter in line for line in lines)
    ]
    return tuple(sorted(new, key=lambda one: one.share)[: min(WEAKEST, MOST_LINES - len(lines))])


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")
