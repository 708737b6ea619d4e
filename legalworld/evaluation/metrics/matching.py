"""Right or wrong: values against a reference.

One rule for what is missing: without a reference there is no score; without a prediction the score is 0, because a
measure of accuracy counts what was not said as not right.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterable, Sequence

from ...model.immutable import immutable
from ...model.text import folded
from .values import MissingScore, Reason, Value


@immutable
class Overlap:
    """Precision, recall and F1, each in [0, 1] or excluded; `right` of `given` are among the `expected`."""

    precision: Value
    recall: Value
    f1: Value
    right: int
    given: int
    expected: int


def normalise(value: Hashable) -> Hashable:
    """A value as it is compared. Text: full and half width made one (NFKC), letters lowered, no white space, no
    invisible characters, no punctuation at the ends. Tuples and frozen sets: each member. Anything else as it is."""
    match value:
        case str():
            return _plain(value)
        case tuple():
            return tuple(normalise(one) for one in value)
        case frozenset():
            return frozenset(normalise(one) for one in value)
        case _:
            return value


def _plain(text: str) -> str:
    kept = [
        character
        for character in folded(text)
        if not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf")
    ]
    marks = [index for index, character in enumerate(kept) if not unicodedata.category(character).startswith("P")]
    return "".join(kept[marks[0] : marks[-1] + 1]) if marks else "".join(kept)


def _missing(value: Hashable | None) -> bool:
    return value is None or normalise(value) in ("", (), frozenset())


def exact_match(given: Hashable | None, expected: Hashable | None) -> Value:
    """1 if equal after `normalise`, else 0. LegalWorld app. C.2 (`norm(x) = x`, party and procedural slots); J1 app.
    D.2 (personal fields) and D.3 (CRI, a frozen set of charges); MASER app. B.2 (CLI, DEF).

    Gap: the reference has nothing here.
    """
    if _missing(expected):
        return MissingScore(Reason.NO_REFERENCE)
    return float(not _missing(given) and normalise(given) == normalise(expected))


def overlap(given: Iterable[Hashable], expected: Iterable[Hashable]) -> Overlap:
    """Two sets, members compared after `normalise`. LegalWorld app. C.4; ASP2LJ app. D, eq. 1 (law articles).

    An empty reference: all three excluded, the dimension is unavailable. Nothing given: precision excluded (0 / 0),
    recall and F1 are 0. Nothing in common: F1 is 0.
    """
    mine, real = ({normalise(one) for one in ones if not _missing(one)} for ones in (given, expected))
    return counted(len(mine & real), len(mine), len(real))


def counted(right: int, given: int, expected: int) -> Overlap:
    """The same from counts: a judge says how many points of an answer are right. ASP2LJ app. D (civil results).

    Errors: ValueError if more are right than were given or expected, which no reader of replies may let through.
    """
    if not 0 <= right <= min(given, expected):
        raise ValueError(f"{right} right of {given} given and {expected} expected")
    if not expected:
        none = MissingScore(Reason.NO_REFERENCE)
        return Overlap(none, none, none, right, given, expected)
    precision = right / given if given else MissingScore(Reason.MISSING)
    return Overlap(precision, right / expected, 2 * right / (given + expected), right, given, expected)


def both_or_neither(given: bool | None, expected: bool | None) -> Value:
    """1 if both say that something applies or both say that it does not, else 0. SimCourt sec. 4.1 (probation, fine).

    Gap: the reference does not say. No judgment (`given` is None) agrees with nobody: 0.
    """
    if expected is None:
        return MissingScore(Reason.NO_REFERENCE)
    return float(given is expected)


def recall_at(ranking: Sequence[Hashable], relevant: Iterable[Hashable], k: int) -> Value:
    """Share of the relevant items among the first k of a ranking, in [0, 1]. ASP2LJ table 4 (k = 100, 200, 500, 1000).

    A ranking shorter than k is taken whole. An item named twice takes two places. Gap: nothing is relevant.
    Errors: ValueError if k < 1.
    """
    if k < 1:
        raise ValueError(f"k = {k}")
    return overlap(ranking[:k], relevant).recall
