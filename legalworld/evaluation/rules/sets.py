"""What is compared as a set: articles, sums, entries, pairs of letters."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Final

from ...law.text.amounts import amounts as amounts_in
from ...law.text.citations import citations as citations_in
from ...law.text.money import Money
from ..metrics.matching import Overlap, counted
from ..metrics.matching import overlap as overlap_of
from ..metrics.values import MissingScore, Reason
from .rule import REMEMBERED, RuleInput, RuleResult
from .texts import normal

_ORDINAL: Final = re.compile(r"(?<=\u3002)\w{1,3}(?=\u3001)")
_NUMBERED: Final = re.compile(r"\w{1,4}\s*[.\u3001\uff0e]")


def compared(sets: Overlap) -> RuleResult | MissingScore:
    """F1 and its parts; what has no precision, because nothing was given, has no part of that name."""
    if isinstance(sets.f1, MissingScore):
        return sets.f1
    figures = {"precision": sets.precision, "recall": sets.recall, "f1": sets.f1}
    parts = {name: value for name, value in figures.items() if not isinstance(value, MissingScore)}
    parts |= {"any": float(sets.right > 0), "all": float(sets.right == sets.expected)}
    return RuleResult(sets.f1, f"{sets.right} / {sets.given} / {sets.expected}", parts)


def citations(case: RuleInput) -> RuleResult | MissingScore:
    """The articles cited, as (law, article): set-wise. `of: law` compares the laws alone.

    `grounds`: words before which a judgment names what it rests on ("judgment is as follows"). Then grounds are
    compared with grounds: what a court discusses on the way is not what its disposition rests on. Of several references
    the first that cites anything counts.
    """
    whole, before = case.argument("of") != "law", case.arguments.get("grounds", ())
    if not before:
        return compared(overlap_of(articles(case.text, whole), articles(case.expected_text, whole)))
    cited = (articles("\n".join(texts), whole) for texts in case.expected_by_reference)
    expected = next(filter(None, cited), frozenset())
    return compared(overlap_of(articles(grounds(case.text, before), whole), expected))


def grounds(text: str, before: Sequence[str]) -> str:
    """The sentence in which a judgment names what it rests on: the last that has one of the words and cites something,
    for an appeal recounts the judgment below first. All of the text where there is none."""
    sentences = [one for one in re.split("[\u3002\uff1b;]", text) if any(word in one for word in before)]
    return next((one for one in reversed(sentences) if articles(one, whole=True)), text)


@lru_cache(REMEMBERED)
def articles(text: str, whole: bool) -> frozenset[tuple[str, str]]:
    return frozenset(
        (citation.law or "", (citation.article or "") if whole else "")
        for citation in citations_in(text)
        if citation.resolved and (citation.article or not whole)
    )


def amounts(case: RuleInput) -> RuleResult | MissingScore:
    """The sums of money named, set-wise."""
    return compared(overlap_of(_sums(case.text), _sums(case.expected_text)))


@lru_cache(REMEMBERED)
def _sums(text: str) -> frozenset[Hashable]:
    return frozenset(money.amount for money in amounts_in(text) if isinstance(money, Money))


SIMILAR: Final = 0.5
"""Dice coefficient of two texts' pairs of letters from which they are the same point, their numbers agreeing."""


def entries(case: RuleInput) -> RuleResult | MissingScore:
    """The entries (lines, items) of evidence and reference, matched one to one, the most similar first.

    A line without a number among numbered ones is an entry where the reference has it.
    """
    expected = [line for text in case.expected for line in _items(text)]
    lines, entries = _lines(case.text), _items(case.text)
    entries += [one for one in lines if one not in entries and any(alike(one, other) for other in expected)]
    pairs = sorted(
        ((similarity(a, b), i, j) for i, a in enumerate(entries) for j, b in enumerate(expected)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    left: set[int] = set()
    right: set[int] = set()
    for score, i, j in pairs:
        if score >= SIMILAR and i not in left and j not in right and _sums(entries[i]) == _sums(expected[j]):
            left.add(i)
            right.add(j)
    return compared(counted(len(left), len(entries), len(expected)))


def alike(one: str, other: str) -> bool:
    """Whether two entries are the same point: similar words, the same sums."""
    return similarity(one, other) >= SIMILAR and _sums(one) == _sums(other)


def _items(text: str) -> list[str]:
    """The numbered lines of a text, so that costs and notes below them are no entries; all lines where none is."""
    lines = _lines(text)
    return [line for line in lines if _NUMBERED.match(line) and line[0].isnumeric()] or lines


def _lines(text: str) -> list[str]:
    """A number behind a full stop begins a line too: courts' data have all of a disposition in one."""
    parted = _ORDINAL.sub(lambda found: f"\n{found[0]}" if found[0].isnumeric() else found[0], text)
    pieces = re.split(r"[\n；;]+", parted)
    return [piece.strip() for piece in pieces if normal(piece)][:200]


def similarity(a: str, b: str) -> float:
    """Dice coefficient of the pairs of neighbouring letters, 0 to 1."""
    left, right = _pairs(a), _pairs(b)
    return 2 * len(left & right) / (len(left) + len(right)) if left or right else 0.0


def letter_pairs(text: str) -> set[str]:
    """The pairs of neighbouring letters, signs left out; none of a text of one letter."""
    plain = normal(text)
    return {plain[i : i + 2] for i in range(len(plain) - 1)}


def _pairs(text: str) -> set[str]:
    """The same; a single letter stands for itself."""
    return letter_pairs(text) or {normal(text)} - {""}


def overlap(case: RuleInput) -> RuleResult | MissingScore:
    """How much of the reference's wording stands in the evidence: recall of its pairs of letters."""
    there, wanted = _pairs(case.text), _pairs(case.expected_text)
    return RuleResult(len(there & wanted) / len(wanted)) if wanted else MissingScore(Reason.NO_REFERENCE)
