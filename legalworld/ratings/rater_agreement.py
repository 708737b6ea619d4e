"""Do the raters agree with a grader and with each other: ratings by family, stage and role; pairs by aspect.

Of several people who rated a thing, the mean is compared with the grader (LegalWorld, app. F.2: pairs are aligned by
metric); of several who compared two records, the majority (SimCourt, sec. 5.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..evaluation.metrics.agreement import (
    Agreement,
    Preference,
    Shares,
    agreement,
    between,
    kappa,
    majority,
    mean_kappa,
    shares,
)
from ..evaluation.metrics.values import Average, MissingScore, Reason, Value, average
from ..evaluation.results import Evaluation
from ..evaluation.stored_run import joined
from .plan import Key, RatingItem

Preferences = Mapping[str, Preference]


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A row of the table of agreement. `items`: mean of the people by metric; `people`, `grader`: means over what both
    rated, or over all where nobody graded."""

    level: str
    group: str
    title: str
    items: Mapping[str, Value]
    people: Value
    grader: Value
    found: Agreement


@dataclass(frozen=True, slots=True)
class Raters:
    """People among themselves, every two over what both rated; `error`, `within_one` over all such pairs of ratings."""

    pairs: Mapping[tuple[str, str], Agreement]
    n: int
    error: Value
    within_one: Value
    kappa: Average


@dataclass(frozen=True, slots=True)
class Ratings:
    """`lines`: grader ("" = none) -> rows; `spread`: value -> how often people gave it."""

    lines: Mapping[str, tuple[AgreementRow, ...]]
    raters: Raters
    spread: Mapping[float, int]


# ---- ratings ---------------------------------------------------------------------------------------------------------


def graded(key: Key, evaluations: Sequence[Evaluation]) -> dict[str, dict[str, Value]]:
    """Grader -> thing -> score, of the evaluations of the rated runs in the rated wording; others give nothing."""
    records = {one.digests[0]: one.label for one in key.records}
    things = {(one.record, one.item, one.key): one.id for one in key.things}
    found: dict[str, dict[str, Value]] = {}
    for one in evaluations:
        label = records.get(one.run_digest)
        if label is None or one.rubric_digest != key.digest:
            continue
        mine = found.setdefault(str(one.grader.get("model", "")), {})
        for score in one.scores:
            thing = things.get((label, score.item, score.key))
            if thing is not None:
                mine[thing] = (
                    score.value if score.value is not None else MissingScore(score.gap or Reason.EMPTY, score.detail)
                )
    return found


def ratings(key: Key, values: Mapping[str, Mapping[str, float]], graders: Mapping[str, Mapping[str, Value]]) -> Ratings:
    """All tables of agreement."""
    people = {thing: average(given).value for thing, given in _by_thing(key, values).items()}
    rated = [one for one in key.things if one.id in people]
    lines = {name: tuple(_lines(rated, people, scores)) for name, scores in (graders or {"": {}}).items()}
    spread: dict[float, int] = {}
    for value in sorted(value for mine in values.values() for value in mine.values()):
        spread[value] = spread.get(value, 0) + 1
    return Ratings(lines, _raters(key, values), spread)


def _by_thing(key: Key, values: Mapping[str, Mapping[str, float]]) -> dict[str, list[float]]:
    found = {one.id: [mine[one.id] for mine in values.values() if one.id in mine] for one in key.things}
    return {thing: given for thing, given in found.items() if given}


def _lines(
    things: Sequence[RatingItem], people: Mapping[str, Value], scores: Mapping[str, Value]
) -> list[AgreementRow]:
    """Everything; then, family by family, the whole, its units, its metrics."""
    found = [_line("all", "", "", things, people, scores)]
    for group in dict.fromkeys(one.group for one in things):
        mine = [one for one in things if one.group == group]
        found.append(_line("group", group, group, mine, people, scores))
        for key in dict.fromkeys(one.key for one in mine):
            those = [one for one in mine if one.key == key]
            found.append(_line("unit", group, _called(those), those, people, scores))
        for title in dict.fromkeys(one.title for one in mine):
            those = [one for one in mine if one.title == title]
            found.append(_line("item", group, title, those, people, scores))
    return found


def _called(things: Sequence[RatingItem]) -> str:
    """A unit over several records: CD in one and DD in another is called both; questions of each case, by number."""
    titles = tuple(dict.fromkeys(one.unit for one in things))
    return " / ".join(titles) if len(titles) <= len(joined(things[0].key)) else things[0].key


def _line(
    level: str,
    group: str,
    title: str,
    things: Sequence[RatingItem],
    people: Mapping[str, Value],
    scores: Mapping[str, Value],
) -> AgreementRow:
    steps = {one.step or 1.0 for one in things}
    found = agreement(((people[one.id], scores.get(one.id)) for one in things), min(steps, default=1.0))
    both = [one for one in things if isinstance(scores.get(one.id), float | int)] or things
    items = {
        metric: average(people[one.id] for one in both if one.title == metric).value
        for metric in dict.fromkeys(one.title for one in things)
    }
    grader = average(scores[one.id] for one in both if one.id in scores).value
    return AgreementRow(level, group, title, items, average(people[one.id] for one in both).value, grader, found)


def _raters(key: Key, values: Mapping[str, Mapping[str, float]]) -> Raters:
    step = min((one.step or 1.0 for one in key.things), default=1.0)
    every: Mapping[str, Mapping[str, Value]] = {rater: dict(values[rater]) for rater in key.raters if rater in values}
    pairs = {names: one for names, one in between(every, step).items() if one.n}
    whole = agreement(
        (every[one][thing], every[two][thing])
        for one, two in combinations(every, 2)
        for thing in every[one]
        if thing in every[two]
    )
    return Raters(pairs, whole.n, whole.error, whole.within_one, average(one.kappa for one in pairs.values()))


# ---- pairs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aspect:
    """One aspect over all pairs. `settled`: how many needed nobody; `kappa`: mean over every two annotators."""

    group: str
    title: str
    item: str
    people: Shares
    settled: int
    kappa: Average
    graders: Mapping[str, tuple[Shares, Value]]


@dataclass(frozen=True, slots=True)
class Pairs:
    """`kappa`: over all aspects; `graders`: grader -> (kappa with the majority, mean kappa with every annotator)."""

    aspects: tuple[Aspect, ...]
    groups: Mapping[str, Shares]
    kappa: Average
    graders: Mapping[str, tuple[Value, Average]]


def pairs(
    key: Key, given: Mapping[str, Preferences], graders: Mapping[str, Mapping[str, Preference | MissingScore]]
) -> Pairs:
    """All tables of preferences, seen from the first runs."""
    final = {one.id: _final(one, given) for one in key.things}
    aspects = []
    for item in dict.fromkeys(one.item for one in key.things):
        things = [one for one in key.things if one.item == item]
        aspects.append(_aspect(things, given, final, graders))
    groups = {
        group: shares(final[one.id] for one in key.things if one.group == group)
        for group in dict.fromkeys(one.group for one in key.things)
    }
    told = {name: _with_grader(given, final, found) for name, found in graders.items()}
    return Pairs(tuple(aspects), groups, mean_kappa(given), told)


def _final(thing: RatingItem, given: Mapping[str, Preferences]) -> Preference | MissingScore:
    if thing.settled is not None:
        return thing.settled
    return majority([mine[thing.id] for mine in given.values() if thing.id in mine])


def _aspect(
    things: Sequence[RatingItem],
    given: Mapping[str, Preferences],
    final: Mapping[str, Preference | MissingScore],
    graders: Mapping[str, Mapping[str, Preference | MissingScore]],
) -> Aspect:
    ids = [one.id for one in things]
    told = {}
    for name, found in graders.items():
        every = [one.settled or found.get(one.id, MissingScore(Reason.MISSING)) for one in things]
        told[name] = shares(every), _kappa(final, found, ids)
    mine = {rater: {one: those[one] for one in ids if one in those} for rater, those in given.items()}
    settled = sum(one.settled is not None for one in things)
    whole = shares(final[one] for one in ids)
    return Aspect(things[0].group, things[0].title, things[0].item, whole, settled, mean_kappa(mine), told)


def _with_grader(
    given: Mapping[str, Preferences],
    final: Mapping[str, Preference | MissingScore],
    found: Mapping[str, Preference | MissingScore],
) -> tuple[Value, Average]:
    """Settled things are nobody's opinion: they are not in `found`, and so in no kappa."""
    single = average(_kappa(mine, found, list(mine)) for mine in given.values())
    return _kappa(final, found, list(found)), single


def _kappa(
    first: Mapping[str, Preference | MissingScore], second: Mapping[str, Preference | MissingScore], ids: Sequence[str]
) -> Value:
    """On "at least comparable" or not, over what both have labelled."""
    both = [(first.get(one), second.get(one)) for one in ids]
    known = [(a, b) for a, b in both if isinstance(a, Preference) and isinstance(b, Preference)]
    return kappa([a.comparable for a, _ in known], [b.comparable for _, b in known])
