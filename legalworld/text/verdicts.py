"""Criminal verdicts: who was convicted of what, and the punishment that is to be executed.

A judgment's operative part is read item by item. What follows "it is decided to execute" is the final punishment; a
suspended death sentence is no probation; money that is not a fine stands under `awards`. The dates of a term are kept
for checking and never used to compute it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from .lexicon import pattern
from .money import Money, sums
from .numerals import fold
from .punishments import (
    Defendant,
    Person,
)

BLANK: Final = "\x01"  # stands for what is in brackets, and for what is not the operative part
LOOK: Final = 40  # code points before a punishment in which it may be said that it was not imposed
MONTH: Final = Decimal(31)  # days at most

Months = tuple[int, int]  # months, days


@dataclass(frozen=True, slots=True)
class Award:
    """Money that is no fine; `kind` is civil_compensation, restitution or confiscated_proceeds."""

    start: int
    end: int
    kind: str
    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a criminal judgment decides."""

    defendants: tuple[Defendant, ...]
    awards: tuple[Award, ...]

    def total(self, kind: str) -> Decimal | None:
        """The awards of one kind, in the currency of the first; None where there is none."""
        found = [award for award in self.awards if award.kind == kind]
        return sum((one.amount for one in found if one.currency == found[0].currency), Decimal(0)) if found else None


def verdict(text: str) -> Verdict:
    """The verdict of a whole judgment, or of its operative part alone."""
    folded = fold(text)
    start, stop = _operative(folded)
    reader = _Reader(folded, _masked(folded, start, stop))
    reader.run()
    people = [person for person in reader.people.values() if person.decided_about]
    return Verdict(tuple(person.defendant() for person in people), tuple(reader.awards()))


def _operative(text: str) -> tuple[int, int]:
    """Where the operative part begins and ends; the whole text where nothing says so."""
    start = 0
    for match in pattern("verdict", "begin").finditer(text):
        if text[match.end() : match.end() + 8].strip():
            start = match.end()
    finish = pattern("verdict", "finish").search(text, start)
    return start, finish.start() if finish is not None and finish.start() > start else len(text)


def _masked(text: str, start: int, stop: int) -> str:
    """The operative part alone, with what stands in brackets blotted out except a suspension of death."""
    pieces, behind, opened, depth = [BLANK * start], start, start, 0

    def blot(end: int) -> None:
        nonlocal behind
        pieces.extend((text[behind:opened], BLANK * (end - opened)))
        behind = end

    for mark in pattern("verdict", "brackets").finditer(text, start, stop):
        place = mark.start()
        if mark.group() == "\uff08":
            opened, depth = (opened if depth else place), depth + 1
        elif depth:
            depth -= 1
            if not depth and pattern("verdict", "suspended").search(text, opened, place) is None:
                blot(place + 1)
    if depth and pattern("verdict", "unclosed").match(text, opened + 1):
        closing = pattern("verdict", "unclosed_end").search(text, opened, stop)
        blot(closing.start() if closing is not None else stop)
    return "".join([*pieces, text[behind:stop]])


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    """One pass over the operative part. `text` has what stands in brackets, `masked` has blanks there."""

    text: str
    masked: str
    people: dict[str | None, Person] = field(default_factory=dict)
    current: list[Person] = field(default_factory=list)
    money: list[Money] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # where each of them begins
    spent: set[int] = field(default_factory=set)  # the places of those that are fines or confiscated property
    revoked: list[str] = field(default_factory=list)  # of whoever is convicted next: probation, parole
    clause: int = 0  # where the sentence or item begins

    def run(self) -> None:
        self.money = [one for one in sums(self.masked) if isinstance(one, Money)]
        self.places = [one.start for one in self.money]
        ignored = 0
        for token in pattern("verdict", "token").finditer(self.masked):
            if token.start() < ignored:
                continue
            ignored = self._token(token)
        self._dates()

    def _token(self, token: re.Match[str]) -> int:
        """What a token changes. Returns where reading goes on."""
        kind = token.lastgroup
        match kind:
            case "end":
                self.clause = token.end()
            case "revoke":
                return self._revoke(token)
            case "convicted" | "named":
                self._subject(token, token.span(kind))
            case "crime" | "charges":
                self._crime(token)
            case "decide" | "prior" | "prior_charge":
                self._turn(token)
            case _:
                if token["fine"] is None and not self._imposed(token):
                    return token.end()
                self._punish(token)
        return token.end()
