"""What people are asked to rate: the items, who rates which in which order, and the key to what is behind them.

key = ratings_key(rubric, [stored, ...], RatingPlan(raters=3))
key.of("2")                                   # the rows of rater 2, in the order of the sheet

The key stays with whoever asks; a rater sees labels, items and row ids. Order and sides come from a seed by hashing:
the same runs, rubric and seed give the same key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final, Literal, TypeVar

from pydantic import Field

from ..evaluation.metrics.agreement import Preference, by_presence
from ..evaluation.metrics.values import MissingScore
from ..evaluation.rubric.definition import Ask, Metric, Rubric, Scale
from ..evaluation.stored_run import WHOLE, Stored, Unit, joined
from ..evaluation.units import units
from ..model.case import texts
from ..model.frozen import FrozenModel
from ..model.immutable import immutable

VERSION: Final = "1"
LONGEST_REFERENCE: Final = 4000  # characters

_Any = TypeVar("_Any")


class RatedRecord(FrozenModel):
    """What is read: one run, or two of a case. `digests` are those of their journals, `models` those of the targets."""

    label: str
    case: str
    runs: tuple[str, ...]
    digests: tuple[str, ...]
    models: tuple[str, ...]


class RatingItem(FrozenModel):
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


class SheetRow(FrozenModel):
    """A line of a rater's sheet, for the item `thing`. `turned`: the second record is shown as the first."""

    id: str
    rater: str
    thing: str
    turned: bool = False


class Key(FrozenModel):
    """All of an export. `tag` stands in every row id; `sides`: what the first and the second runs are called; `things`:
    what is rated; `themes`: theme -> words by which a reason is known to be of it."""

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
    themes: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @cached_property
    def by_id(self) -> Mapping[str, RatingItem]:
        return {item.id: item for item in self.things}

    @cached_property
    def by_row(self) -> Mapping[str, SheetRow]:
        return {row.id: row for row in self.rows}

    @cached_property
    def record(self) -> Mapping[str, RatedRecord]:
        return {record.label: record for record in self.records}

    def of(self, rater: str) -> tuple[SheetRow, ...]:
        return tuple(row for row in self.rows if row.rater == rater)


@immutable
class RatingPlan:
    """`readers`: how many raters read each record (0: all). `items`: asks to keep (none: all)."""

    raters: int
    readers: int = 0
    seed: int = 0
    items: tuple[str, ...] = ()


def ratings_key(rubric: Rubric, runs: Sequence[Stored], plan: RatingPlan) -> Key:
    """Ratings of single runs: all that the grader would be asked of each, and that its evidence is there for."""
    return _key(rubric, [(run,) for run in runs], plan)


def pairs_key(rubric: Rubric, pairs: Sequence[tuple[Stored, Stored]], sides: tuple[str, str], plan: RatingPlan) -> Key:
    """Comparisons of two runs of a case; what one of them or both do not have is settled."""
    return _key(rubric, pairs, plan, sides)


def _key(rubric: Rubric, groups: Sequence[tuple[Stored, ...]], plan: RatingPlan, sides: tuple[str, ...] = ()) -> Key:
    """The key of records that are one run each, or, with names for the two `sides`, two."""
    kind: Literal["ratings", "pairs"] = "pairs" if sides else "ratings"
    tag = _tag(kind, rubric, ["/".join(run.chain for run in runs) for runs in groups], plan)
    asks = [ask for name, ask in rubric.asks.items() if not plan.items or name in plan.items]
    items_of = _of_pair if sides else _of_run
    records, items = [], []
    for number, runs in enumerate(_shuffled(groups, tag, "records"), 1):
        label = f"{number:02}"
        records.append(
            RatedRecord(
                label=label,
                case=runs[0].case.id,
                runs=tuple(run.name for run in runs),
                digests=tuple(run.chain for run in runs),
                models=tuple(run.models.get(run.target, "") for run in runs),
            )
        )
        asked = (fields for ask in asks for fields in items_of(runs, ask))
        items += [RatingItem(id=f"{label}-{n:02}", record=label, **fields) for n, fields in enumerate(asked, 1)]
    key = Key(
        kind=kind,
        tag=tag,
        rubric=rubric.name,
        title=rubric.title,
        digest=rubric.digest,
        seed=plan.seed,
        raters=tuple(str(number) for number in range(1, plan.raters + 1)),
        sides=sides,
        records=tuple(records),
        things=tuple(items),
        rows=(),
        themes=dict(rubric.themes),
    )
    return key.model_copy(update={"rows": tuple(row for rater in key.raters for row in _rows(key, rater, plan))})


# ---- items -----------------------------------------------------------------------------------------------------------


def _of_run(runs: Sequence[Stored], ask: Ask) -> Iterator[dict[str, Any]]:
    """The items of an ask as their fields, unit by unit, as one reads."""
    (run,) = runs
    found = units(run, ask.item)
    for unit in () if isinstance(found, MissingScore) else found:
        pieces = [piece for piece in run.evidence(ask.item, unit) if piece.text.strip()]
        reference = run.reference(ask.item, unit)
        if not pieces or (ask.item.reference and not reference):
            continue
        shown = "\n".join(text for value in (unit.value, *reference) for text in texts(value))
        for metric in ask.metrics:
            yield _fields(ask, metric, unit) | {
                "unit": titled(run, ask, unit),
                "places": _places(run, ask, unit),
                "turns": tuple(sorted({piece.turn for piece in pieces if piece.turn})),
                "reference": shown[:LONGEST_REFERENCE],
            }


def _of_pair(runs: Sequence[Stored], ask: Ask) -> Iterator[dict[str, Any]]:
    """The same of two runs; `settled` where only one of them has anything to look at, or neither."""
    settled = by_presence(*(any(piece.text.strip() for piece in run.evidence(ask.item, WHOLE)) for run in runs))
    for metric in ask.metrics:
        yield _fields(ask, metric, WHOLE) | {"places": _evidence_places(ask), "settled": settled}


def _fields(ask: Ask, metric: Metric, unit: Unit) -> dict[str, Any]:
    """What an item has of its ask, metric and unit."""
    scale = metric.scale
    return {
        "ask": ask.item.name,
        "item": metric.name,
        "key": unit.key,
        "group": ask.item.title,
        "unit": unit.title,
        "title": metric.title,
        "asks": metric.asks,
        "anchors": metric.anchors,
        "lowest": scale.lowest,
        "highest": scale.highest,
        "step": scale.step,
        "choices": dict(scale.choices) if scale.choices is not None else None,
    }


def _places(run: Stored, ask: Ask, unit: Unit) -> tuple[str, ...]:
    """Where to begin reading; empty: at the beginning."""
    each = ask.item.each
    if each is not None and each.kind == "stages":
        return tuple(name for name in joined(unit.key) if name in run.entered)
    if each is not None and each.kind == "phases":
        return (f"{each.places[0]}/{unit.key}",)
    return _evidence_places(ask)


def _evidence_places(ask: Ask) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place for selection in ask.item.evidence for place in selection.places))


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


def _rows(key: Key, rater: str, plan: RatingPlan) -> Iterator[SheetRow]:
    """A rater's sheet, record by record in an order of its own; what is settled is not asked."""
    mine = [record for place, record in enumerate(key.records) if _reads(place, int(rater) - 1, plan)]
    turned = _half(mine, key.tag, rater) if key.kind == "pairs" else frozenset()
    by_record: dict[str, list[RatingItem]] = {}
    for item in key.things:
        by_record.setdefault(item.record, []).append(item)
    for record in _shuffled(mine, key.tag, f"order of {rater}"):
        for item in by_record.get(record.label, ()):
            if item.settled is None:
                name = f"{key.tag}-{rater}-{item.id}"
                yield SheetRow(id=name, rater=rater, thing=item.id, turned=record.label in turned)


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


def _shuffled(values: Iterable[_Any], tag: str, why: str) -> list[_Any]:
    order = sorted(enumerate(values), key=lambda pair: (_digest(tag, why, str(pair[0])), pair[0]))
    return [value for _, value in order]


def _tag(kind: str, rubric: Rubric, chains: Sequence[str], plan: RatingPlan) -> str:
    """Short enough to be read aloud; that of other runs, another rubric, seed or plan is another."""
    words = (VERSION, kind, rubric.digest, *chains, str(plan.raters), str(plan.readers), str(plan.seed), *plan.items)
    number = int(_digest(*words), 16)
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like figures
    tag = ""
    for _ in range(5):
        number, place = divmod(number, len(letters))
        tag += letters[place]
    return tag


def _digest(*words: str) -> str:
    return blake2b("\0".join(words).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
