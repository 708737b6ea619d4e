"""What a replaced document did downstream: base and intervention by document, quality and stage, paired over cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from ..evaluation.metrics.statistics import Difference, Mean, adjusted, difference, mean, origin
from ..evaluation.metrics.values import Value, mean_of, number
from ..evaluation.stored_run import plain
from ..model import events as e
from ..model.immutable import immutable


@immutable
class Pair:
    """One fork against its base at one stage. `base`, `intervention`: figures of the rubric, None where there is none.

    `gap`: why one of them is missing. `changed`: share of the words said in the stage that are not those of the base
    run (0 to 1); None where the stage was not come to.
    """

    target: str
    case: str
    seed: int
    document: str
    quality: str
    stage: str
    base: float | None
    intervention: float | None
    changed: float | None
    gap: str
    base_run: str
    run: str

    @property
    def delta(self) -> float | None:
        """Intervention minus base; None where one of them is missing."""
        return None if self.base is None or self.intervention is None else self.intervention - self.base


@immutable
class Effect:
    """Over the cases with both figures. `document` "" is all documents of a quality together, a case counting once.

    `delta` is intervention minus base; `adjusted`: its p as one of all rows, controls apart. `left_out`: pairs without
    a figure on one side; `changed`: mean share of words that are not those of the base run.
    """

    quality: str
    document: str
    stage: str
    base: Mean
    intervention: Mean
    delta: Difference
    adjusted: float | None
    changed: float | None
    left_out: int


def effects(pairs: Sequence[Pair], controls: Set[tuple[str, str]] = frozenset()) -> tuple[Effect, ...]:
    """One for each quality, document and stage that there is; then the documents together, where there are several.

    `controls`: (document, quality) in which the draft is replaced by itself. Their p values are read together, apart
    from the others: a row in which nothing is expected to happen must not make the rest harder to find.
    """
    groups: dict[tuple[str, str, str], list[Pair]] = {}
    together: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.quality, pair.document, pair.stage), []).append(pair)
        together.setdefault((pair.quality, "", pair.stage), []).append(pair)
    groups |= {key: members for key, members in together.items() if len({pair.document for pair in members}) > 1}
    rows = [_effect(key, members) for key, members in groups.items()]
    p_values: dict[int, float] = {}
    for control in (False, True):
        family = {
            index: row.delta.p
            for index, (row, members) in enumerate(zip(rows, groups.values(), strict=True))
            if all((pair.document, pair.quality) in controls for pair in members) == control
        }
        p_values |= adjusted(family)
    return tuple(replace(row, adjusted=p_values.get(index)) for index, row in enumerate(rows))


def _effect(key: tuple[str, str, str], pairs: Sequence[Pair]) -> Effect:
    whole = [pair for pair in pairs if pair.delta is not None]
    base = _by_case((origin(pair.case), pair.base) for pair in whole)
    intervention = _by_case((origin(pair.case), pair.intervention) for pair in whole)
    return Effect(
        *key,
        base=mean(base.values()),
        intervention=mean(intervention.values()),
        delta=difference(intervention, base),
        adjusted=None,
        changed=number(mean_of(pair.changed for pair in pairs if pair.changed is not None)),
        left_out=len(pairs) - len(whole),
    )


def _by_case(figures: Iterable[tuple[str, float | None]]) -> dict[str, Value]:
    """Case -> the mean of its figures: a case counts once, however often it was played."""
    by_case: dict[str, list[float]] = {}
    for case, figure in figures:
        if figure is not None:
            by_case.setdefault(case, []).append(figure)
    return {case: mean_of(values) for case, values in by_case.items()}


def changed(base: Iterable[e.Spoke], fork: Iterable[e.Spoke], stage: str) -> float | None:
    """Share of what was said in a stage that the base run has not at the same place; None when nothing was said."""
    before, after = _said(base, stage), _said(fork, stage)
    return len(after - before) / len(after) if after else None


def _said(events: Iterable[e.Spoke], stage: str) -> set[tuple[str, str, str]]:
    return {
        (event.place, event.person, event.text)
        for event in events
        if (plain(event.place) + "/").startswith(f"{stage}/")
    }
