"""Tables that courts go by, as data: rates by the day of publication, fees by brackets of a sum, an order of names.

lw: 1
table: loan-rate            lw: 1
title: ...                  table: fee
source: ...                 title: ...
published:                  source: ...
  - {from: 2021-12-20,      brackets:
     value: 3.80}             - {over: 0, adds: 50}
                              - {over: 10000, percent: 2.5}
`order` is a list of beginnings of names.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ..language import diagnose
from ..language.dates import read_day
from ..language.surface_reader import SurfaceReader, read_surface, text_of
from ..language.surfaces import Surface, Text
from ..language.yaml.nodes import Scalar
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Sources, Span
from .sums import cents, read_sum


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


@immutable
class Bracket:
    """What is `over` this sum, up to the next bracket, gives `percent` of it, and the bracket `adds` a fixed sum."""

    over: Decimal
    adds: Decimal
    percent: Decimal


@immutable
class FigureTable:
    """`home`: its file; `published`: from which day on which value; `brackets`, of which `most` is the most that they
    come to; `order`: beginnings of names, the first first."""

    home: str
    name: str
    title: str
    source: str
    published: tuple[tuple[date, Decimal], ...] = ()
    brackets: tuple[Bracket, ...] = ()
    most: Decimal | None = None
    order: tuple[str, ...] = ()

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
    if not (published or brackets or surface.order):
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
