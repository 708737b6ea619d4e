"""What people are asked to rate: the things, who rates which in which order, and the key to what is behind them.

key = ratings_key(rubric, [Subject(stored, chain), ...], Plan(raters=3))
key.of("2")                                   # the rows of rater 2, in the order of his sheet

The key stays with whoever asks; a rater sees labels, things and row ids. Order and sides come from a seed by hashing:
the same runs, rubric and seed give the same key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from ..evaluation.metrics.agreement import Preference
from ..evaluation.metrics.values import MissingScore
from ..evaluation.rubric.definition import Ask, Metric, Rubric, Scale
from ..evaluation.stored_run import Stored, Unit, joined
from ..model.case import texts
from .pairwise import decided

VERSION = "1"
LONGEST_REFERENCE = 4000

Found = TypeVar("Found")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RatedRecord(_Frozen):
    """What is read: one run, or two of a case. `runs` as told; `digests` of their journals; `models` of the targets."""

    label: str
    case: str
    runs: tuple[str, ...]
    digests: tuple[str, ...]
    models: tuple[str, ...]


class RatingItem(_Frozen):
    """One metric of one record for one unit. `ask`, `item`, `key` are the rubric's, the titles are for people.

    `settled`: what needs no rater, because one record or both have nothing of it.
    """

    id: str
    record: str
    ask: str
    item: str
    key: str
    group: str
    unit: str
    title: str
    asks: str
    anchors: tuple[tuple[str, str], ...]
    lowest: float
    highest: float
    step: float
    choices: dict[str, float] | None
    places: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    reference: str = ""
    settled: Preference | None = None

    @property
    def scale(self) -> Scale:
        return Scale(self.lowest, self.highest, self.step, self.choices)


class SheetRow(_Frozen):
    """A line of a rater's sheet. `turned`: he sees the second record as the first."""

    id: str
    rater: str
    thing: str
    turned: bool = False


class Key(_Frozen):
    """All of an export. `tag` stands in every row id; `sides`: what the first and the second runs are called."""

    lw: Literal["1"] = "1"
    kind: Literal["ratings", "pairs"]
    tag: str
    rubric: str
    title: str
    digest: str
    seed: int
    raters: tuple[str, ...]
    sides: tuple[str, ...]
    records: tuple[RatedRecord, ...]
    things: tuple[RatingItem, ...]
    rows: tuple[SheetRow, ...]

    @cached_property
    def by_id(self) -> Mapping[str, RatingItem]:
        return {one.id: one for one in self.things}

    @cached_property
    def by_row(self) -> Mapping[str, SheetRow]:
        return {one.id: one for one in self.rows}

    @cached_property
    def record(self) -> Mapping[str, RatedRecord]:
        return {one.label: one for one in self.records}

    def of(self, rater: str) -> tuple[SheetRow, ...]:
        return tuple(row for row in self.rows if row.rater == rater)


@dataclass(frozen=True, slots=True)
class RatedRun:
    """A run to be rated. `chain`: the digest of its journal."""

    stored: Stored
    chain: str


@dataclass(frozen=True, slots=True)
class RatingPlan:
    """`readers`: how many raters read each record (0: all). `items`: asks to keep (none: all)."""

    raters: int
    readers: int = 0
    seed: int = 0
    items: tuple[str, ...] = ()


def ratings_key(rubric: Rubric, subjects: Sequence[RatedRun], plan: RatingPlan) -> Key:
    """Ratings of single runs: all that the grader would be asked of each, and that its evidence is there for."""
    tag = _tag("ratings", rubric, [one.chain for one in subjects], plan)
    order = _shuffled(subjects, tag, "records")
    records, things = [], []
    for number, one in enumerate(order, 1):
        label = f"{number:02}"
        run = one.stored
        model = run.models.get(run.target, "")
        records.append(
            RatedRecord(label=label, case=run.case.id, runs=(run.name,), digests=(one.chain,), models=(model,))
        )
        asked = (found for ask in _kept(rubric, plan) for found in _things(run, ask, label))
        things += [found.model_copy(update={"id": f"{label}-{n:02}"}) for n, found in enumerate(asked, 1)]
    found = {"kind": "ratings", "tag": tag, "sides": (), "records": tuple(records), "things": tuple(things)}
    return _key(rubric, plan, found)


def pairs_key(
    rubric: Rubric, pairs: Sequence[tuple[RatedRun, RatedRun]], sides: tuple[str, str], plan: RatingPlan
) -> Key:
    """Comparisons of two runs of a case; what one of them or both do not have is settled."""
    tag = _tag("pairs", rubric, [f"{one.chain}/{two.chain}" for one, two in pairs], plan)
    records, things = [], []
    for number, (one, two) in enumerate(_shuffled(pairs, tag, "records"), 1):
        label = f"{number:02}"
        runs = (one.stored, two.stored)
        models = tuple(run.models.get(run.target, "") for run in runs)
        names = tuple(run.name for run in runs)
        digests = (one.chain, two.chain)
        records.append(RatedRecord(label=label, case=runs[0].case.id, runs=names, digests=digests, models=models))
        metrics = ((ask, metric) for ask in _kept(rubric, plan) for metric in ask.metrics)
        for n, (ask, metric) in enumerate(metrics, 1):
            thing = _thing(ask, metric, Unit("", ""), label)
            places = tuple(dict.fromkeys(place for one in ask.item.evidence for place in one.places))
            told = {"id": f"{label}-{n:02}", "places": places, "settled": decided(ask, *runs)}
            things.append(thing.model_copy(update=told))
    found = {"kind": "pairs", "tag": tag, "sides": sides, "records": tuple(records), "things": tuple(things)}
    return _key(rubric, plan, found)


def _kept(rubric: Rubric, plan: RatingPlan) -> Iterator[Ask]:
    return (ask for name, ask in rubric.asks.items() if not plan.items or name in plan.items)


# ---- things ----------------------------------------------------------------------------------------------------------


def _things(run: Stored, ask: Ask, label: str) -> Iterator[RatingItem]:
    """Unit by unit, as one reads."""
    units = run.units(ask.item)
    for unit in () if isinstance(units, MissingScore) else units:
        pieces = [piece for piece in run.evidence(ask.item, unit) if piece.text.strip()]
        reference = run.reference(ask.item, unit)
        if not pieces or (ask.item.reference and not reference):
            continue
        given = "\n".join(text for value in (unit.value, *reference) for text in texts(value))
        for metric in ask.metrics:
            thing = _thing(ask, metric, unit, label)
            turns = tuple(sorted({piece.turn for piece in pieces if piece.turn}))
            told = {"unit": titled(run, ask, unit), "places": _places(run, ask, unit), "turns": turns}
            yield thing.model_copy(update={**told, "reference": given[:LONGEST_REFERENCE]})


def _thing(ask: Ask, metric: Metric, unit: Unit, label: str) -> RatingItem:
    return RatingItem(
        id="",
        record=label,
        ask=ask.item.name,
        item=metric.name,
        key=unit.key,
        group=ask.item.title,
        unit=unit.title,
        title=metric.title,
        asks=metric.asks,
        anchors=metric.anchors,
        lowest=metric.scale.lowest,
        highest=metric.scale.highest,
        step=metric.scale.step,
        choices=dict(metric.scale.choices) if metric.scale.choices is not None else None,
    )


def _places(run: Stored, ask: Ask, unit: Unit) -> tuple[str, ...]:
    """Where to begin reading; empty: at the beginning."""
    each = ask.item.each
    if each is not None and each.kind == "stages":
        return tuple(name for name in joined(unit.key) if name in run.entered)
    if each is not None and each.kind == "phases":
        return (f"{each.places[0]}/{unit.key}",)
    return tuple(dict.fromkeys(place for one in ask.item.evidence for place in one.places))


def titled(run: Stored, ask: Ask, unit: Unit) -> str:
    """What a unit is called: roles and the stages that were come to by their titles; the target where none is named."""
    each, procedure = ask.item.each, run.procedure
    if each is not None and each.kind == "stages":
        titles = {stage.id: stage.title for stage in procedure.stages}
        named = [titles.get(name, name) for name in joined(unit.key) if name in run.entered]
    elif each is not None and each.kind == "roles":
        named = [procedure.roles[name].title if name in procedure.roles else name for name in joined(unit.key)]
    elif unit.title:
        named = [unit.title]
    else:
        role = procedure.roles.get(run.target)
        named = [role.title if role is not None else run.target]
    return " / ".join(dict.fromkeys(named))


# ---- who rates what, in which order ----------------------------------------------------------------------------------


def _key(rubric: Rubric, plan: RatingPlan, found: Mapping[str, Any]) -> Key:
    """`found`: kind, tag, sides, records, things."""
    raters = tuple(str(number) for number in range(1, plan.raters + 1))
    told = {"rubric": rubric.name, "title": rubric.title, "digest": rubric.digest, "seed": plan.seed}
    key = Key(raters=raters, rows=(), **told, **found)
    return key.model_copy(update={"rows": tuple(row for rater in raters for row in _rows(key, rater, plan))})


def _rows(key: Key, rater: str, plan: RatingPlan) -> Iterator[SheetRow]:
    """A rater's sheet, record by record in his own order; what is settled is not asked."""
    mine = [record for place, record in enumerate(key.records) if _reads(place, int(rater) - 1, plan)]
    turned = _half(mine, key.tag, rater) if key.kind == "pairs" else frozenset()
    by_record: dict[str, list[RatingItem]] = {}
    for one in key.things:
        by_record.setdefault(one.record, []).append(one)
    for record in _shuffled(mine, key.tag, f"order of {rater}"):
        for one in by_record.get(record.label, ()):
            if one.settled is None:
                name = f"{key.tag}-{rater}-{one.id}"
                yield SheetRow(id=name, rater=rater, thing=one.id, turned=record.label in turned)


def _reads(place: int, rater: int, plan: RatingPlan) -> bool:
    """Each record goes to as many raters that follow one another, so that all have nearly the same number."""
    readers = min(plan.readers or plan.raters, plan.raters)
    return (rater - place * readers) % plan.raters < readers


def _half(records: Sequence[RatedRecord], tag: str, who: str) -> frozenset[str]:
    """The records, every second of a shuffled list, that one sees the other way round."""
    begin = int(_digest(tag, "begin", who), 16) % 2
    return frozenset(record.label for record in _shuffled(records, tag, f"sides of {who}")[begin::2])


def turned_for(key: Key, who: str) -> frozenset[str]:
    """The same for somebody who has no sheet: a grader."""
    return _half(key.records, key.tag, who)


def _shuffled(things: Iterable[Found], tag: str, why: str) -> list[Found]:
    numbered = list(enumerate(things))
    return [one for _, one in sorted(numbered, key=lambda pair: (_digest(tag, why, str(pair[0])), pair[0]))]


def _tag(kind: str, rubric: Rubric, chains: Sequence[str], plan: RatingPlan) -> str:
    """Short enough to be read aloud; that of other runs, another rubric, seed or plan is another."""
    told = (VERSION, kind, rubric.digest, *chains, str(plan.raters), str(plan.readers), str(plan.seed), *plan.items)
    number = int(_digest(*told), 16)
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like figures
    found = ""
    for _ in range(5):
        number, place = divmod(number, len(letters))
        found += letters[place]
    return found


def _digest(*words: str) -> str:
    return blake2b("\0".join(words).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
