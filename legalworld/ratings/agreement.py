"""Do the raters agree with a grader and with each other: ratings by family, stage and role; pairs by aspect.

Of several people who rated an item, the mean is compared with the grader (LegalWorld, app. F.2: pairs are aligned by
metric); of several who compared two records, the majority (SimCourt, sec. 5.2). The figures themselves, kappa among
them, are those of `evaluation.metrics.agreement`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import combinations

from ..evaluation.metrics.agreement import (
    Agreement,
    Position,
    Preference,
    Shares,
    agreement,
    between,
    kappa,
    majority,
    mean_kappa,
    shares,
)
from ..evaluation.metrics.reliability import Reliability, reliability
from ..evaluation.metrics.values import Average, MissingScore, Reason, Value, average, mean_of
from ..evaluation.results import Evaluation
from ..evaluation.stored_run import joined
from ..evaluation.trust import Calibration
from ..model.immutable import immutable
from .pairwise import Verdicts
from .plan import Key, RatingItem

Preferences = Mapping[str, Mapping[str, Preference]]
"""Rater -> item -> preference, seen from the first run."""


@immutable
class AgreementRow:
    """A row of the table of agreement. `items`: mean of the people by metric; `people`, `grader`: means over what both
    rated, or over all where nobody graded."""

    level: str
    group: str
    title: str
    items: Mapping[str, Value]
    people: Value
    grader: Value
    agreement: Agreement


@immutable
class Raters:
    """People among themselves, every two over what both rated; `error`, `within_one` over all such pairs of ratings."""

    pairs: Mapping[tuple[str, str], Agreement]
    n: int
    error: Value
    within_one: Value
    kappa: Average
    reliability: Reliability


@immutable
class Ratings:
    """`rows`: grader ("" = none) -> rows; `spread`: value -> how often people gave it; `scores`: grader -> item ->
    score."""

    rows: Mapping[str, tuple[AgreementRow, ...]]
    raters: Raters
    spread: Mapping[float, int]
    scores: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)


# ---- ratings ---------------------------------------------------------------------------------------------------------


def graded(key: Key, evaluations: Sequence[Evaluation]) -> dict[str, dict[str, Value]]:
    """Grader -> item -> score, of the evaluations of the rated runs in the rated wording; others give nothing."""
    labels = {record.digests[0]: record.label for record in key.records}
    ids = {(item.record, item.item, item.key): item.id for item in key.things}
    by_grader: dict[str, dict[str, Value]] = {}
    for evaluation in evaluations:
        label = labels.get(evaluation.run_digest)
        if label is None or evaluation.rubric_digest != key.digest:
            continue
        scores = by_grader.setdefault(evaluation.graded_by, {})
        for score in evaluation.scores:
            if (item := ids.get((label, score.item, score.key))) is not None:
                scores[item] = score.outcome
    return by_grader


def ratings(key: Key, values: Mapping[str, Mapping[str, float]], graders: Mapping[str, Mapping[str, Value]]) -> Ratings:
    """All tables of agreement. `values`: rater -> item -> rating."""
    given = {item.id: [mine[item.id] for mine in values.values() if item.id in mine] for item in key.things}
    people = {item: mean_of(ratings) for item, ratings in given.items() if ratings}
    rated = [item for item in key.things if item.id in people]
    rows = {name: tuple(_rows(key, rated, people, scores)) for name, scores in (graders or {"": {}}).items()}
    spread: dict[float, int] = {}
    for value in sorted(value for mine in values.values() for value in mine.values()):
        spread[value] = spread.get(value, 0) + 1
    return Ratings(rows, _raters(key, values), spread, graders)


def _rows(
    key: Key, items: Sequence[RatingItem], people: Mapping[str, Value], scores: Mapping[str, Value]
) -> list[AgreementRow]:
    """Everything; then, family by family, the whole, its units, its metrics."""

    def row(level: str, group: str, title: str, members: Sequence[RatingItem]) -> AgreementRow:
        step = min((item.step or 1.0 for item in members), default=1.0)
        both_rated = ((people[item.id], scores.get(item.id)) for item in members)
        agreed = agreement(both_rated, step, [key.record[item.record].case for item in members])
        both = [item for item in members if isinstance(scores.get(item.id), float | int)] or members
        metrics = {
            metric: mean_of(people[item.id] for item in both if item.title == metric)
            for metric in dict.fromkeys(item.title for item in members)
        }
        grader = mean_of(scores[item.id] for item in both if item.id in scores)
        return AgreementRow(level, group, title, metrics, mean_of(people[item.id] for item in both), grader, agreed)

    rows = [row("all", "", "", items)]
    for group, family in grouped(items, lambda item: item.group).items():
        rows.append(row("group", group, group, family))
        rows += [row("unit", group, called(unit), unit) for unit in grouped(family, lambda item: item.key).values()]
        rows += [row("item", group, title, same) for title, same in grouped(family, lambda item: item.title).items()]
    return rows


def grouped(items: Sequence[RatingItem], word: Callable[[RatingItem], str]) -> dict[str, list[RatingItem]]:
    groups: dict[str, list[RatingItem]] = {}
    for item in items:
        groups.setdefault(word(item), []).append(item)
    return groups


def called(items: Sequence[RatingItem]) -> str:
    """A unit over several records: CD in one and DD in another is called both; questions of each case, by number."""
    titles = tuple(dict.fromkeys(item.unit for item in items))
    return " / ".join(titles) if len(titles) <= len(joined(items[0].key)) else items[0].key


def calibrations(
    key: Key, values: Mapping[str, Mapping[str, float]], scores: Mapping[str, Value]
) -> dict[str, Calibration]:
    """Metric -> people (their mean) and a grader over it. `scores`: item -> score of the grader."""
    cases = _cases(key)
    found = {}
    for name, items in grouped(key.things, lambda item: item.item).items():
        people = {
            item.id: mean_of(mine)
            for item in items
            if (mine := [own[item.id] for own in values.values() if item.id in own]) and item.id in scores
        }
        both = [(rating, scores[item]) for item, rating in people.items()]
        step = min((item.step or 1.0 for item in items), default=1.0)
        agreed = agreement(both, step, [cases[item] for item in people])
        of_grader = {item: scores[item] for item in people}
        found[name] = Calibration(agreed, reliability({"people": people, "grader": of_grader}, cases.__getitem__))
    return found


def _cases(key: Key) -> Mapping[str, str]:
    """Item -> its case. Several records may be of one, and the intervals are over cases."""
    return {item.id: key.record[item.record].case for item in key.things}


def _raters(key: Key, values: Mapping[str, Mapping[str, float]]) -> Raters:
    step = min((item.step or 1.0 for item in key.things), default=1.0)
    every: Mapping[str, Mapping[str, Value]] = {rater: dict(values[rater]) for rater in key.raters if rater in values}
    cases = _cases(key)
    pairs = {names: agreed for names, agreed in between(every, step, cases.__getitem__).items() if agreed.n}
    whole = agreement(
        (every[first][item], every[second][item])
        for first, second in combinations(every, 2)
        for item in every[first]
        if item in every[second]
    )
    kappas = average(agreed.kappa for agreed in pairs.values())
    reliable = reliability(every, cases.__getitem__)
    return Raters(pairs, whole.n, whole.mae, whole.within_one, kappas, reliable)


# ---- pairs -----------------------------------------------------------------------------------------------------------


@immutable
class Aspect:
    """One aspect over all pairs. `settled`: how many needed nobody; `kappa`: mean over every two annotators;
    `graders`: what each grader prefers, and its kappa with the majority."""

    group: str
    title: str
    item: str
    people: Shares
    settled: int
    kappa: Average
    graders: Mapping[str, tuple[Shares, Value]]


@immutable
class Pairs:
    """`kappa`: over all aspects; `alpha`: of the annotators, on the same two labels; `graders`: grader -> (kappa with
    the majority, mean kappa with every annotator); `positions`: of the graders that were shown both orders; `verdicts`:
    grader ("": people) -> item -> preference."""

    aspects: tuple[Aspect, ...]
    groups: Mapping[str, Shares]
    kappa: Average
    graders: Mapping[str, tuple[Value, Average]]
    alpha: Reliability
    positions: Mapping[str, Position] = field(default_factory=dict)
    verdicts: Mapping[str, Verdicts] = field(default_factory=dict)


def pairs(key: Key, preferences: Preferences, graders: Mapping[str, Verdicts]) -> Pairs:
    """All tables of preferences, seen from the first runs."""
    final = {item.id: _final(item, preferences) for item in key.things}
    aspects = [
        _aspect(items, preferences, final, graders) for items in grouped(key.things, lambda item: item.item).values()
    ]
    families = grouped(key.things, lambda item: item.group)
    groups = {
        group: shares((final[item.id] for item in items), [key.record[item.record].case for item in items])
        for group, items in families.items()
    }
    with_graders = {name: _with_grader(preferences, final, verdicts) for name, verdicts in graders.items()}
    cases = _cases(key)
    labels = {rater: {item: float(one.comparable) for item, one in mine.items()} for rater, mine in preferences.items()}
    alpha = reliability(labels, cases.__getitem__)
    return Pairs(tuple(aspects), groups, mean_kappa(preferences), with_graders, alpha, verdicts={"": final, **graders})


def _final(item: RatingItem, preferences: Preferences) -> Preference | MissingScore:
    if item.settled is not None:
        return item.settled
    return majority([mine[item.id] for mine in preferences.values() if item.id in mine])


def _aspect(
    items: Sequence[RatingItem], preferences: Preferences, final: Verdicts, graders: Mapping[str, Verdicts]
) -> Aspect:
    ids = [item.id for item in items]
    by_grader = {}
    for name, verdicts in graders.items():
        every = [item.settled or verdicts.get(item.id, MissingScore(Reason.MISSING)) for item in items]
        by_grader[name] = shares(every), _kappa(final, verdicts, ids)
    mine = {rater: {item: own[item] for item in ids if item in own} for rater, own in preferences.items()}
    settled = sum(item.settled is not None for item in items)
    whole, first = shares(final[item] for item in ids), items[0]
    return Aspect(first.group, first.title, first.item, whole, settled, mean_kappa(mine), by_grader)


def _with_grader(preferences: Preferences, final: Verdicts, verdicts: Verdicts) -> tuple[Value, Average]:
    """Settled items are nobody's opinion: they are not in `verdicts`, and so in no kappa."""
    single = average(_kappa(mine, verdicts, list(mine)) for mine in preferences.values())
    return _kappa(final, verdicts, list(verdicts)), single


def _kappa(first: Verdicts, second: Verdicts, ids: Sequence[str]) -> Value:
    """On "at least comparable" or not, over what both have labelled."""
    both = [(first.get(item), second.get(item)) for item in ids]
    known = [(a, b) for a, b in both if isinstance(a, Preference) and isinstance(b, Preference)]
    return kappa([a.comparable for a, _ in known], [b.comparable for _, b in known])
