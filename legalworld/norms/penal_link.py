"""Surfaces of offences, linked: tiers, bands, fines, circumstances, what is given back or taken."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final, cast

from ..figures.sums import read_sum
from ..language import diagnose
from ..language.sentences.norm_words import CLAIM_SIDES
from ..language.surface_reader import texts_of
from ..language.surfaces import Text
from ..language.yaml.nodes import Scalar
from ..model.formulas import BareNumber, Expression
from .contradictions import no_circle, once, tiers_in_order
from .definition import OffenceNorm, ReckonRow, SentencingRules
from .formulas import Names
from .link import NormLinker
from .penal_parts import Band, CircumstanceRule, Effect, Fault, FineRow, PenalOrder, RangeTier
from .surfaces import CrimeSurface, FineSurface, PenalOrderSurface, RowSurface

_RANGE: Final = re.compile(r"(\d+(?:\.\d+)?)(?:\s*-\s*(\d+(?:\.\d+)?))?(?:\s+(\S+))?")
_TIER_COLUMNS: Final = ("tier", "when", "main", "months", "extra")
_CIRCUMSTANCE_COLUMNS: Final = ("name", "title", "when", "duty", "effect", "article")


def link_offence(linker: NormLinker, surface: CrimeSurface, home: str, rules: SentencingRules | None) -> OffenceNorm:
    """An offence; its main penalties must be those that the rules of sentencing name."""
    bands = {name: band for name, one in surface.bands.items() if (band := _band(linker, one.between)) is not None}

    def names_of(needs: Collection[str]) -> Names:
        return Names(linker.words, needs, {}, (), linker.tables, CLAIM_SIDES, tuple(surface.bands))

    needs = linker.needs((surface.needs,), names_of)
    names = names_of(needs)
    shared = names_of({**(rules.needs if rules is not None else {}), **needs})
    since, until = linker.force(surface.in_force)
    no_circle(needs, {}, linker.reader)
    tiers = tuple(_tiers(linker, surface, names, rules.penalties if rules is not None else {}))
    once((row["when"] for row in linker.rows(surface.tiers, _TIER_COLUMNS)), linker.reader)
    tiers_in_order(surface, tiers, bands, linker.reader)
    if not any(linker.rows(surface.tiers, _TIER_COLUMNS)):
        linker.reader.report(diagnose.empty_norm(surface.span, name=surface.offence.text, key="tiers"))
    if not surface.examples:
        linker.reader.report(diagnose.norm_without_example(surface.offence.span, name=surface.offence.text))
    return OffenceNorm(
        *(surface.offence.text, surface.title.text, surface.source.text, home, surface.offence.span, since, until),
        on=linker.name(surface.in_force.on, names, "day") if surface.in_force is not None else None,
        needs=needs,
        stands=linker.expression(surface.stands, names, "yes"),
        bands=bands,
        tiers=tiers,
        fine=tuple(_fine(linker, one, names) for one in surface.fine),
        cites=linker.cites(surface.cites),
        checked=surface.checked.text,
        examples=linker.examples(surface.examples),
        circumstances=tuple(circumstances(linker, surface.circumstances, shared)),
        orders=tuple(orders(linker, surface.orders, shared)),
        negligent=linker.reader.truth(surface.negligent),
        age=tuple(_numbers(linker, surface.age, shared)),
        borne=tuple(_numbers(linker, surface.borne, shared)),
        called=texts_of(surface.called),
        scale=linker.expression(surface.scale, names, "money", "number") if surface.scale is not None else None,
    )


def _band(linker: NormLinker, word: Text) -> Band | None:
    found = ends(word, linker)
    return Band(found[0], found[1]) if found is not None else None


def ends(word: Scalar, linker: NormLinker) -> tuple[Decimal, Decimal] | None:
    """The two ends of `1000-3000`; a number alone is both."""
    found = _RANGE.fullmatch(word.text.strip())
    low = read_sum(found[1]) if found is not None else None
    high = read_sum(found[2] or found[1]) if found is not None else None
    if low is None or high is None:
        linker.reader.report(diagnose.expected_number(word.span, found=word.text))
        return None
    if high < low:
        linker.reader.report(diagnose.inverted_range(word.span, found=word.text))
        return None
    return low, high


def _tiers(
    linker: NormLinker, surface: CrimeSurface, names: Names, penalties: Mapping[str, tuple[int, int]]
) -> Iterator[RangeTier]:
    below = 0
    for row in linker.rows(surface.tiers, _TIER_COLUMNS):
        when = linker.expression(row["when"], names, "yes")
        found = _RANGE.fullmatch(row["months"].text)
        if found is None or (found[3] and found[3] not in linker.spoken["life"]):
            linker.reader.report(diagnose.missing_range(row["months"].span, tier=row["tier"].text))
            continue
        months = ends(Scalar(row["months"].text.partition(" ")[0], row["months"].span), linker)
        mains = tuple(linker.cell(Scalar(one, row["main"].span), _same(penalties)) for one in row["main"].text.split())
        cites = linker.cites((row["article"],)) if row.get("article") and row["article"].text else ()
        extra = linker.cell(row["extra"], linker.spoken["extra"])
        low, high = (_cell(linker, row.get(key), names) for key in ("low", "high"))
        if months is None or when is None:
            continue
        most = None if found[3] else int(months[1])
        tier = RangeTier(row["tier"].text, when, mains, int(months[0]), most, extra, cites, low, high)
        if below > tier.least:
            linker.reader.report(diagnose.inverted_range(row["months"].span, found=row["months"].text))
        below = tier.least
        yield tier


def _cell(linker: NormLinker, word: Scalar | None, names: Names) -> Expression | None:
    """A figure in a cell; None where it is empty."""
    return linker.expression(word, names, "money", "number") if word is not None and word.text.strip("- ") else None


def _same(names: Mapping[str, object]) -> dict[str, str]:
    return {name: name for name in names} or {"": ""}


def _fine(linker: NormLinker, surface: FineSurface, names: Names) -> FineRow:
    least = read_sum(surface.least.text) if surface.least is not None else None
    most = linker.expression(surface.most, names, "money") if surface.most is not None else None
    if least is not None and isinstance(most, BareNumber) and most.value < least:
        linker.reader.report(diagnose.inverted_range(surface.span, found=f"{least} - {most.value}"))
    return FineRow(least, most, linker.expression(surface.when, names, "yes"))


def _numbers(linker: NormLinker, written: Iterable[RowSurface], names: Names) -> Iterator[ReckonRow]:
    """Link rows whose formulas are numbers: ages, percentages."""
    for one in written:
        number = linker.expression(one.is_, names, "number")
        when, premise = linker.expression(one.when, names, "yes"), linker.sentence(one.premise, names)
        yield ReckonRow(number, when, declines=one.declines.text if one.declines is not None else "", premise=premise)


def circumstances(linker: NormLinker, written: Text | None, names: Names) -> Iterator[CircumstanceRule]:
    """The rows of a table of circumstances."""
    spoken = linker.spoken
    for row in linker.rows(written, _CIRCUMSTANCE_COLUMNS):
        when = linker.expression(row["when"], names, "yes")
        words = (Scalar(one, row["effect"].span) for one in row["effect"].text.split())
        effects = tuple(linker.cell(one, spoken["effect"]) for one in words)
        duty = linker.cell(row["duty"], spoken["duty"])
        share = read_sum(row["share"].text) if row.get("share") and row["share"].text else Decimal(0)
        cites = linker.cites((row["article"],)) if row["article"].text else ()
        fault = linker.cell(row["fault"], spoken["fault"]) if row.get("fault") else ""
        if when is not None:
            yield CircumstanceRule(
                row["name"].text,
                row["title"].text,
                when,
                "must" if duty == "must" else "may",
                cast(tuple[Effect, ...], effects),
                share or Decimal(0),
                cites,
                cast(Fault, fault),
                row["main"].text if row.get("main") else "",
            )


def orders(linker: NormLinker, written: Iterable[PenalOrderSurface], names: Names) -> Iterator[PenalOrder]:
    """What is given back or taken."""
    for one in written:
        kind = linker.cell(one.order, linker.spoken["order"])
        amount = linker.expression(one.amount, names, "money")
        what = linker.name(one.what, names, "text")
        if amount is None and what is None:
            linker.reader.report(diagnose.order_without_object(one.span, order=one.order.text))
            continue
        when, cites = linker.expression(one.when, names, "yes"), linker.cites(one.cites)
        yield PenalOrder("forfeit" if kind == "forfeit" else "return", amount, what, when, cites)
