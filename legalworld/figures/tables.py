"""Tables that courts go by, as data: rates by day, fees by brackets of a sum, an order of names, lists of words.

lw: 1
table: loan-rate            lw: 1
title: ...                  table: fee
source: ...                 title: ...
published:                  source: ...
  - {from: 2021-12-20,      brackets:
     value: 3.80}             - {over: 0, adds: 50}
                              - {over: 10000, percent: 2.5}
`order` is a list of beginnings of names. `words` has lists of words by name (`original: [原件, 原物]`); one of them
behind one of `denials` in its clause says nothing (directly behind it, if that is one sign).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Final

from ..language import diagnose
from ..language.dates import read_day
from ..language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ..language.surfaces import Surface, Text, Texts
from ..language.yaml.nodes import Scalar
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Sources, Span
from .sums import cents, read_sum

_CLAUSE: Final = re.compile("[，。；：,;:\n]")
_GAP: Final = "…"


class PublishedSurface(Surface):
    from_: Text
    value: Text


class BracketSurface(Surface):
    over: Text
    adds: Text | None = None
    percent: Text | None = None


class TableSurface(Surface):
    lw: Text
    table: Text
    title: Text
    source: Text
    published: tuple[PublishedSurface, ...] = ()
    brackets: tuple[BracketSurface, ...] = ()
    most: Text | None = None
    order: tuple[Text, ...] = ()
    words: dict[str, Texts] = field(default_factory=dict)
    denials: Texts = ()


@cache
def _pattern(word: str) -> str:
    """Words as a regular expression: whole ones where they are of letters with blanks between."""
    parts = ".*?".join(map(re.escape, word.split(_GAP)))
    first, last = (r"(?<![A-Za-z])" if word[0].isascii() and word[0].isalpha() else ""), ""
    if word[-1].isascii() and word[-1].isalpha():
        last = r"(?![A-Za-z])"
    return f"{first}{parts}{last}"


@immutable
class Bracket:
    """What is `over` this sum, up to the next bracket, gives `percent` of it, and the bracket `adds` a fixed sum."""

    over: Decimal
    adds: Decimal
    percent: Decimal


@immutable
class FigureTable:
    """`home`: its file; `published`: from which day on which value; `brackets`, of which `most` is the most that they
    come to; `order`: beginnings of names, the first first; `words`: by name, what tells it, and `denials` of that."""

    home: str
    name: str
    title: str
    source: str
    published: tuple[tuple[date, Decimal], ...] = ()
    brackets: tuple[Bracket, ...] = ()
    most: Decimal | None = None
    order: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    denials: tuple[str, ...] = ()

    def says(self, name: str, text: str) -> bool:
        """Whether a text has one of the words listed under a name, and in the clause before it nothing that denies it;
        a denial of one sign counts directly before it alone. Within a clause `…` is anything."""
        return any(
            not self._denied(clause[: found.start()])
            for clause in _CLAUSE.split(text)
            for word in self.words.get(name, ())
            for found in re.finditer(_pattern(word), clause, re.IGNORECASE)
        )

    def _denied(self, before: str) -> bool:
        return any(
            re.search(_pattern(one) + (r"\Z" if len(one) == 1 else ""), before, re.IGNORECASE) for one in self.denials
        )

    def on(self, day: date) -> Decimal | None:
        """The value that was last published by a day."""
        return max(((start, value) for start, value in self.published if start <= day), default=(day, None))[1]

    def scaled(self, amount: Decimal) -> Decimal | None:
        """What a sum gives by brackets; None where the table has none."""
        if not self.brackets:
            return None
        ends = (*(bracket.over for bracket in self.brackets[1:]), max(amount, self.brackets[-1].over))
        found = Decimal(0)
        for bracket, end in zip(self.brackets, ends, strict=True):
            reached = amount > bracket.over or bracket is self.brackets[0]
            part = max(min(amount, end) - bracket.over, Decimal(0))
            found += (bracket.adds if reached else 0) + part * bracket.percent / 100
        return cents(min(found, self.most) if self.most is not None else found)


def read_table(sources: Sources, home: str) -> FigureTable | tuple[Diagnostic, ...]:
    """The table of one file, or what is wrong with it."""
    surface, problems, _ = read_surface(TableSurface, sources, home, Span(home, 1, 1))
    reader = SurfaceReader(problems)
    if surface is None or reader.failed:
        return tuple(reader.problems)
    reader.version(surface.lw)
    published = [(_day(row.from_, reader), _figure(row.value, reader)) for row in surface.published]
    brackets = [
        Bracket(_figure(row.over, reader), _figure(row.adds, reader), _figure(row.percent, reader))
        for row in surface.brackets
    ]
    if not (published or brackets or surface.order or surface.words):
        reader.report(diagnose.missing_key(surface.span, key="published"))
    found = FigureTable(
        home,
        surface.table.text,
        surface.title.text,
        text_of(surface.source),
        tuple(sorted(published)),
        tuple(sorted(brackets, key=lambda bracket: bracket.over)),
        _figure(surface.most, reader) if surface.most is not None else None,
        tuple(name.text for name in surface.order),
        {name: tuple(filter(None, texts_of(words))) for name, words in surface.words.items()},
        tuple(filter(None, texts_of(surface.denials))),
    )
    return tuple(reader.problems) if reader.problems else found


def _figure(word: Scalar | None, reader: SurfaceReader) -> Decimal:
    """The number of a scalar, none where there is no scalar."""
    if word is None:
        return Decimal(0)
    number = read_sum(word.text)
    if number is None:
        reader.report(diagnose.expected_number(word.span, found=word.text))
    return number or Decimal(0)


def _day(word: Scalar, reader: SurfaceReader) -> date:
    day = read_day(word.text)
    if day is None:
        reader.report(diagnose.invalid_table_date(word.span, found=word.text))
    return day or date.min
