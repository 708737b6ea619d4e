"""What whoever drives a hearing did: his words and the answers that follow, and not what he reports of himself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..metrics.compliance import procedure
from ..metrics.values import MissingScore, Reason
from ..rubric.definition import Deed
from ..stored_run import EvidencePiece
from .rule import RuleInput, RuleResult

NAMED: Final = 6
"""Within how many utterances somebody may answer who was named and not the first to be called (J1: three parties are
asked about recusal in one breath)."""


def conducted(case: RuleInput) -> RuleResult | MissingScore:
    """The deeds of a hearing (J1-Eval, PFS; `compliance.procedure`), each done in the words of the target and answered.

    A deed is done in a turn of his that has a word of each group of `says`, if the next to speak is one of `answered
    by`, or one of them speaks soon and a word of `naming` was said. A deed that comes `after` another is done only in a
    later turn. An item is done when all its deeds are. `document`: without it nothing counts, as in the released code
    of J1. Parts as `performed`.
    """
    wanted = case.argument("document")
    if wanted and not any(event.document == wanted for event, _ in case.stored.documents):
        return MissingScore(Reason.MISSING, wanted)
    if not case.deeds:
        return MissingScore(Reason.NO_REFERENCE)
    target = case.stored.who(("target",))
    done: dict[str, int] = {}  # item -> the utterance in which the last of its deeds was done
    for item, deeds in _items(case.deeds).items():
        places = [_when(case, deed, target, done) for deed in deeds]
        if None not in places:
            done[item] = max(place for place in places if place is not None)
    return _score(case, done)


def _items(deeds: Sequence[Deed]) -> Mapping[str, list[Deed]]:
    items: dict[str, list[Deed]] = {}
    for deed in deeds:
        items.setdefault(deed.item, []).append(deed)
    return items


def _when(case: RuleInput, deed: Deed, target: frozenset[str], done: Mapping[str, int]) -> int | None:
    """The first utterance in which a deed was done."""
    if deed.after and deed.after not in done:
        return None
    begin = done[deed.after] + 1 if deed.after else 0
    pieces = case.evidence
    answering = case.stored.who(deed.answered_by)
    for place in range(begin, len(pieces)):
        piece = pieces[place]
        if piece.person not in target or not _said(piece.text, deed.says):
            continue
        if not deed.answered_by or _answered(pieces[place + 1 : place + 1 + NAMED], answering, piece.text, deed):
            return place
    return None


def _said(text: str, says: Sequence[Sequence[str]]) -> bool:
    """Whether a word of each group stands in a text."""
    return all(any(word in text for word in group) for group in says)


def _answered(after: Sequence[EvidencePiece], answering: frozenset[str], text: str, deed: Deed) -> bool:
    spoke = [piece.person in answering and bool(piece.text.strip()) for piece in after]
    named = any(word in text for group in deed.naming for word in group)
    return any(spoke) if named else any(spoke[:1])


def _score(case: RuleInput, done: Mapping[str, int]) -> RuleResult | MissingScore:
    items = list(_items(case.deeds))
    numbers = {item: number for number, item in enumerate(items, 1)}
    stages: dict[str, tuple[int, ...]] = {}
    for deed in case.deeds:
        if numbers[deed.item] not in stages.get(deed.stage, ()):
            stages[deed.stage] = (*stages.get(deed.stage, ()), numbers[deed.item])
    by_turn: dict[int, list[int]] = {}
    for item, place in done.items():
        by_turn.setdefault(place, []).append(numbers[item])
    score = procedure(stages, [by_turn[place] for place in sorted(by_turn)])
    if isinstance(score, MissingScore):
        return score
    lacking = "; ".join(item for item in items if item not in done)
    parts = {"act": score.actions, "sta": score.stages, "uni": score.several_turns, "merged": float(len(score.merged))}
    turns = tuple(dict.fromkeys(case.evidence[place].turn for place in sorted(by_turn)))
    return RuleResult(score.score, lacking, parts, turns)
