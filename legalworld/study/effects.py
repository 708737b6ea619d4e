"""What a replaced document did downstream: base and intervention by document, quality and stage, paired over cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..evaluation.metrics.statistics import Difference, Mean, adjusted, difference, mean
from ..evaluation.stored_run import plain
from ..model import events as e


@dataclass(frozen=True, slots=True)
class Pair:
    """One fork against its base at one stage. `base`, `value`: figures of the rubric, None where there is none.

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
    value: float | None
    changed: float | None
    gap: str
    base_run: str
    run: str

    @property
    def complete(self) -> bool:
        return self.base is not None and self.value is not None


@dataclass(frozen=True, slots=True)
class Effect:
    """Over the cases with both figures. `document` "" is all documents of a quality together, a case counting once.

    `delta` is intervention minus base; `adjusted`: its p as one of all rows. `left_out`: pairs without a figure on one
    side; `changed`: mean share of words that are not those of the base run.
    """

    quality: str
    document: str
    stage: str
    base: Mean
    value: Mean
    delta: Difference
    adjusted: float | None
    changed: float | None
    left_out: int


def effects(pairs: Sequence[Pair]) -> tuple[Effect, ...]:
    """One for each quality, document and stage that there is; then the documents together, where there are several."""
    rows = dict.fromkeys((one.quality, one.document, one.stage) for one in pairs)
    alone = [_effect(key, [one for one in pairs if (one.quality, one.document, one.stage) == key]) for key in rows]
    together = []
    for quality, stage in dict.fromkeys((one.quality, one.stage) for one in pairs):
        mine = [one for one in pairs if (one.quality, one.stage) == (quality, stage)]
        if len({one.document for one in mine}) > 1:
            together.append(_effect((quality, "", stage), mine))
    return _adjusted((*alone, *together))


def _adjusted(rows: tuple[Effect, ...]) -> tuple[Effect, ...]:
    together = adjusted({index: row.delta.p for index, row in enumerate(rows)})
    return tuple(replace(row, adjusted=together.get(index)) for index, row in enumerate(rows))


def _effect(key: tuple[str, str, str], pairs: Sequence[Pair]) -> Effect:
    whole = [one for one in pairs if one.complete]
    base = _by_case((one.case, one.base) for one in whole)
    value = _by_case((one.case, one.value) for one in whole)
    changed = [one.changed for one in pairs if one.changed is not None]
    quality, document, stage = key
    return Effect(
        quality,
        document,
        stage,
        mean(base.values()),
        mean(value.values()),
        difference(value, base),
        None,
        sum(changed) / len(changed) if changed else None,
        len(pairs) - len(whole),
    )


def _by_case(figures: Iterable[tuple[str, float | None]]) -> dict[str, float]:
    """Case -> the mean of its figures: a case counts once, however often it was played."""
    found: dict[str, list[float]] = {}
    for case, figure in figures:
        if figure is not None:
            found.setdefault(case, []).append(figure)
    return {case: sum(values) / len(values) for case, values in found.items()}


def changed(base: Iterable[e.Spoke], fork: Iterable[e.Spoke], stage: str) -> float | None:
    """Share of what was said in a stage that the base run has not at the same place; None when nothing was said."""
    before, after = _said(base, stage), _said(fork, stage)
    new = sum(one not in before for one in after)
    return new / len(after) if after else None


def _said(events: Iterable[e.Spoke], stage: str) -> set[tuple[str, str, str]]:
    return {
        (event.place, event.person, event.text)
        for event in events
        if (plain(event.place) + "/").startswith(f"{stage}/")
    }
