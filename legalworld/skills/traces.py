"""What a card carries of the cases that it was made from, or will be tried on: names, figures, passages.

A card is held against every text of a case, sealed ones too, by the shingles that the running-case filter goes by. What
also stands in the project itself (its specs, prompts, forms and cards), and citations of law, tell of no case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..law.text.citations import citations
from ..law.text.money import Money, sums
from ..law.text.numerals import fold
from ..law.text.times import Date, Duration, Period, times
from ..model.case import Case, texts
from ..model.text import SIGNS, folded
from ..runs.likeness import SHINGLE
from .card import CardText
from .reply import CardFault

SHORTEST_NAME: Final = 2
SHORT_TEXT: Final = 7  # signs that a short text of a case must have to be known again as a whole
_NUMBER: Final = re.compile("\\d[\\d,]{0,20}(?:\\.\\d{1,6})?")
_CASE_NUMBER: Final = re.compile("[(\uff08\\[\u3014](?:19|20)\\d{2}[)\uff09\\]\u3015][^\\s\\d]{0,12}\\d")


def shingles(text: str) -> frozenset[str]:
    """Every run of `SHINGLE` signs of a text, as the running-case filter makes them."""
    plain = folded(text, SIGNS)
    return frozenset(plain[start : start + SHINGLE] for start in range(len(plain) - SHINGLE + 1))


@dataclass(frozen=True)
class CommonWords:
    """What is no case's own: texts of the project and (`terms`) words that cards may use, such as causes of action."""

    project: tuple[str, ...]
    terms: tuple[str, ...] = ()

    @cached_property
    def shingles(self) -> frozenset[str]:
        return frozenset().union(*map(shingles, self.project))

    @cached_property
    def plain(self) -> str:
        """All texts in one, so that a short one can be looked for."""
        return "\n".join(folded(text, SIGNS) for text in (*self.project, *self.terms))


class CaseTraces:
    """A case, to be found again in cards."""

    def __init__(self, case: Case, names: Iterable[str], common: CommonWords) -> None:
        values = (*case.fields.values(), *case.sealed.values())
        self._texts = tuple(dict.fromkeys(text for value in values for text in texts(value) if text.strip()))
        self._names = tuple(
            name
            for name in dict.fromkeys(folded(name, SIGNS) for name in names)
            if len(name) >= SHORTEST_NAME and name not in common.plain
        )
        self._common = common

    @cached_property
    def _shingles(self) -> frozenset[str]:
        return frozenset().union(*map(shingles, self._texts)) - self._common.shingles

    @cached_property
    def _short(self) -> tuple[str, ...]:
        """Texts that are too short for a passage, but long enough to be this case's: an address, a court, a thing."""
        plain = {folded(text, SIGNS) for text in self._texts}
        return tuple(sorted(text for text in plain if SHORT_TEXT <= len(text) <= 40 and text not in self._common.plain))

    @cached_property
    def _figures(self) -> frozenset[str]:
        return frozenset().union(*map(_figures, self._texts))

    def found(self, said: CardText) -> tuple[CardFault, ...]:
        """What a card says of the case; the words named are the card's."""
        return tuple(fault for text in said.sayings if (fault := self._in(text)) is not None)

    def _in(self, text: str) -> CardFault | None:
        bare = _without_citations(text)
        plain = folded(bare, SIGNS)
        for known in (*self._names, *self._short):
            if known in plain:
                return CardFault("name", words=known)
        if own := next((word for word in _figures(bare) if word in self._figures), ""):
            return CardFault("figure", words=own)
        for start in range(len(plain) - SHINGLE + 1):
            if plain[start : start + SHINGLE] in self._shingles:
                return CardFault("passage", words=plain[start : start + SHINGLE])
        return None


def identifiers(said: CardText) -> tuple[CardFault, ...]:
    """Case numbers and dates, of whatever case: a rule for cases to come has none."""
    faults = []
    for text in map(_without_citations, said.sayings):
        if number := _CASE_NUMBER.search(text):
            faults.append(CardFault("figure", words=number[0]))
        days = (day for one in times(fold(text)) for day in _days(one) if day.year)
        faults += [CardFault("figure", words=text[day.start : day.end]) for day in days]
    return tuple(faults)


def _days(value: Date | Period | Duration) -> Iterator[Date]:
    """A day, or those between which a period lies."""
    ends = (value.since, value.until) if isinstance(value, Period) else (value,)
    yield from (one for one in ends if isinstance(one, Date))


def _figures(text: str) -> frozenset[str]:
    """Sums, however they are written, and numbers of three digits and more."""
    plain = fold(text)
    amounts = {f"{one.amount.normalize():f}" for one in sums(plain) if isinstance(one, Money) and one.amount >= 100}
    digits = (match[0].replace(",", "") for match in _NUMBER.finditer(plain))
    return frozenset(amounts | {number for number in digits if len(number.partition(".")[0]) >= 3})


def _without_citations(text: str) -> str:
    """A text without the articles that it cites: law is everybody's."""
    for cited in sorted(citations(text), key=lambda one: -one.start):
        text = f"{text[: cited.start]} {text[cited.end :]}"
    return text


def overlapping(said: CardText, cards: Sequence[Sequence[str]], close: float) -> tuple[str, ...]:
    """The lines of a checklist that some other card has already: the share of the shorter's shingles of four signs that
    stand in the other is at least `close`."""
    known = [_pairs(line) for card in cards for line in card]
    return tuple(line for line in said.checklist if any(_likeness(_pairs(line), other) >= close for other in known))


def _pairs(text: str) -> frozenset[str]:
    plain = folded(text, SIGNS)
    return frozenset(plain[start : start + 4] for start in range(max(1, len(plain) - 3)))


def _likeness(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / max(1, min(len(first), len(second)))
