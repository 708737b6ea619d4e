"""Criminal verdicts: who was convicted of what, and the punishment that is to be executed.

A judgment's operative part is read item by item. What follows "it is decided to execute" is the final punishment; a
suspended death sentence is no probation; money that is not a fine stands under `awards`. The dates of a term are kept
for checking and never used to compute it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from .drafts import Person
from .lexicon import endings, pattern, words
from .money import Money, sums
from .numerals import fold, ordinal
from .punishments import Count, Defendant, Sentence
from .times import Date, Period, times

BLANK: Final = "\x01"  # stands for what is in brackets
LONGEST_CLAUSE: Final = 60  # code points before a punishment in which it may be said that it was not imposed


@dataclass(frozen=True, slots=True)
class Award:
    """Money that is no fine: civil_compensation, restitution, confiscated_proceeds."""

    start: int
    end: int
    kind: str
    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Verdict:
    defendants: tuple[Defendant, ...]
    awards: tuple[Award, ...]

    def total(self, kind: str) -> Decimal | None:
        """The awards of one kind in the first one's currency; None where there is none."""
        of_kind = [award for award in self.awards if award.kind == kind]
        return (
            sum((one.amount for one in of_kind if one.currency == of_kind[0].currency), Decimal(0)) if of_kind else None
        )


def verdict(text: str) -> Verdict:
    """The verdict of a judgment, or of its operative part alone."""
    folded = fold(text)
    start, end = _operative(folded)
    reader = _Reader(folded, _without_brackets(folded, start, end), start, end)
    reader.run()
    return Verdict(tuple(reader.defendants()), tuple(reader.awards()))


def _operative(text: str) -> tuple[int, int]:
    """Where the operative part begins and ends; the whole text where nothing says so."""
    start = 0
    for match in pattern("verdict", "begin").finditer(text):
        if text[match.end() : match.end() + 4].strip():
            start = match.end()
    finish = pattern("verdict", "finish").search(text, start)
    return start, finish.start() if finish and finish.start() > start else len(text)


def _without_brackets(text: str, start: int, end: int) -> str:
    """The text with all that stands in brackets blotted out, except a suspension of death; brackets may be unclosed."""
    pieces, behind, opened, depth = [text[:start]], start, start, 0
    for mark in pattern("verdict", "brackets").finditer(text, start, end):
        place = mark.start()
        if mark.group() == "\uff08":
            opened, depth = (place, 1) if not depth else (opened, depth + 1)
        elif depth == 1:
            depth = 0
            inside = text[opened : place + 1]
            if pattern("verdict", "suspended").search(inside) is None:
                pieces += [text[behind:opened], BLANK * len(inside)]
                behind = place + 1
        elif depth:
            depth -= 1
    if depth and pattern("verdict", "unclosed").match(text, opened + 1):
        closing = pattern("verdict", "unclosed_end").search(text, opened, end)
        stop = closing.start() if closing else end
        pieces += [text[behind:opened], BLANK * (stop - opened)]
        behind = stop
    return "".join([*pieces, text[behind:]])


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    """One pass over the operative part. `text` has what stands in brackets, `masked` has not."""

    text: str
    masked: str
    start: int
    stop: int
    people: dict[str | None, Person] = field(default_factory=dict)
    current: list[Person] = field(default_factory=list)
    money: list[Money] = field(default_factory=list)
    spent: set[int] = field(default_factory=set)  # where money begins that is a fine or confiscated property
    revoking: bool = False  # the next who is convicted has his probation revoked
    paroled: bool = False

    def run(self) -> None:
        self.money = [one for one in sums(self.masked[self.start : self.stop]) if isinstance(one, Money)]
        self._starts = [one.start + self.start for one in self.money]
        ignored = self.start
        for token in pattern("verdict", "token").finditer(self.masked, self.start, self.stop):
            if token.start() >= ignored:
                ignored = max(ignored, self._token(token))
        self._dates()
