"""Was a form kept: the order of headings, the items of a procedure."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise

from ...model.immutable import immutable
from .matching import normalise
from .values import MissingScore, Reason

AT_ONCE = 3  # stages, from which a turn runs through the hearing


@immutable
class FormScore:
    """`order` (Seq) is 1 or 0, `labels` (Label) in [0, 1], `score` their product."""

    order: float
    labels: float
    score: float


def form(found: Sequence[Hashable], template: Sequence[Hashable]) -> FormScore | MissingScore:
    """Seq * Label, in [0, 1]. J1 app. D.2, eq. 1 (FOR).

    Label: share of the template's labels that the document has. Seq: 1 iff the labels it has, each once, stand in the
    template's order, else 0. (Not "iff all are there": Label would then always be 1, and the printed scores, multiples
    of 1/465 and not of 1/93, could not come about; docs/metrics.md.) Labels that the template lacks are left out of
    both. Gap: an empty template. Errors: ValueError if the template names a label twice.
    """
    places = {normalise(label): place for place, label in enumerate(template)}
    if len(places) < len(template):
        raise ValueError("a label twice")
    if not places:
        return MissingScore(Reason.NO_REFERENCE)
    order = [places[label] for label in map(normalise, found) if label in places]
    kept = float(all(one < two for one, two in pairwise(order)))
    labels = len(set(order)) / len(places)
    return FormScore(kept, labels, kept * labels)


@immutable
class ChecklistScore:
    """How far a checklist was followed: STA, ACT, UNI of J1, each in [0, 1]; `score` is PFS.

    `done` by stage: how many items of how many. `merged`: turns in which several items were done at once, from 0.
    """

    stages: float
    actions: float
    several_turns: float
    score: float
    done: tuple[tuple[str, int, int], ...]
    merged: tuple[int, ...]


def procedure(
    checklist: Mapping[str, Sequence[int]], performed: Sequence[Sequence[int]]
) -> ChecklistScore | MissingScore:
    """STA, share of stages all of whose items were done; ACT, share of all items done; UNI, 0 if one turn did something
    of three stages (of all where there are fewer), else 1; PFS = (STA + ACT) / 2. J1 app. D.3, tables 8 and 9.

    `checklist`: stage -> numbers of its items, only the scored stages. `performed`: for each turn, the items done in
    it; only the first time counts, and numbers of no scored stage are nobody's. A run of one turn is a failure (app.
    D.3): STA, ACT and PFS are 0 too, as ACT <= UNI in every row of tables 8 and 9. From three of the four stages on a
    turn runs through them, as in the released code, which looks for the stages' marks in it; ours has no such marks and
    looks at what was done. One stage alone cannot be run through: UNI is 1. Gap: an empty checklist. Errors: ValueError
    if a number stands in it twice.
    """
    stage_of = {item: stage for stage, items in checklist.items() for item in items}
    if len(stage_of) < sum(map(len, checklist.values())):
        raise ValueError("an item twice")
    scored = [stage for stage, items in checklist.items() if items]
    if not scored:
        return MissingScore(Reason.NO_REFERENCE)
    seen: set[int] = set()
    fresh: list[set[int]] = []
    for turn in performed:
        fresh.append({item for item in turn if item in stage_of} - seen)
        seen |= fresh[-1]
    many = min(AT_ONCE, len(scored))
    at_once = len(scored) > 1 and any(len({stage_of[item] for item in turn}) >= many for turn in fresh)
    done = tuple((stage, len(seen & set(checklist[stage])), len(checklist[stage])) for stage in scored)
    stages = 0.0 if at_once else sum(some == every for _, some, every in done) / len(done)
    actions = 0.0 if at_once else len(seen) / len(stage_of)
    merged = tuple(place for place, turn in enumerate(fresh) if len(turn) > 1)
    return ChecklistScore(stages, actions, float(not at_once), (stages + actions) / 2, done, merged)
