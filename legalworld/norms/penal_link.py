"""Surfaces of offences and of the rules of sentencing, linked: tiers, bands, fines, circumstances."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import Final, cast

from ..figures.sums import read_sum
from ..language import diagnose
from ..language.sentences.norm_words import CLAIM_SIDES, DUTIES, EFFECTS, EXTRAS, FOR_LIFE
from ..language.surfaces import Text
from ..language.yaml.nodes import Scalar
from ..model.formulas import BareNumber
from .contradictions import no_circle, once
from .definition import (
    Band,
    CircumstanceRule,
    Effect,
    FineRow,
    OffenceNorm,
    RangeTier,
    SentencingRules,
)
from .formulas import Names
from .link import NormLinker
from .surfaces import CrimeSurface, FineSurface, SentencingSurface

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
    since, until = linker.force(surface.in_force)
    no_circle(needs, {}, linker.reader)
    tiers = tuple(_tiers(linker, surface, names, rules.penalties if rules is not None else {}))
    once((row["when"] for row in linker.rows(surface.tiers, _TIER_COLUMNS)), linker.reader)
    if not tiers:
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
    )


def _band(linker: NormLinker, word: Text) -> Band | None:
    found = _ends(word, linker)
    return Band(found[0], found[1]) if found is not None else None


def _ends(word: Scalar, linker: NormLinker) -> tuple[Decimal, Decimal] | None:
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
    below: tuple[int, RangeTier] | None = None
    for row in linker.rows(surface.tiers, _TIER_COLUMNS):
        when = linker.expression(row["when"], names, "yes")
        found = _RANGE.fullmatch(row["months"].text)
        if found is None or (found[3] and found[3] not in FOR_LIFE):
            linker.reader.report(diagnose.missing_range(row["months"].span, tier=row["tier"].text))
            continue
        ends = _ends(Scalar(row["months"].text.partition(" ")[0], row["months"].span), linker)
        mains = tuple(linker.cell(Scalar(one, row["main"].span), _same(penalties)) for one in row["main"].text.split())
        cites = linker.cites((row["article"],)) if row.get("article") and row["article"].text else ()
        extra = linker.cell(row["extra"], EXTRAS)
        if ends is None or when is None:
            continue
        tier = RangeTier(
            *(row["tier"].text, when, mains, int(ends[0]), None if found[3] else int(ends[1]), extra, cites)
        )
        if below is not None and below[0] > tier.least:
            linker.reader.report(diagnose.inverted_range(row["months"].span, found=row["months"].text))
        below = tier.least, tier
        yield tier


def _same(names: Mapping[str, object]) -> dict[str, str]:
    return {name: name for name in names} or {"": ""}


def _fine(linker: NormLinker, surface: FineSurface, names: Names) -> FineRow:
    least = read_sum(surface.least.text) if surface.least is not None else None
    most = linker.expression(surface.most, names, "money") if surface.most is not None else None
    if least is not None and isinstance(most, BareNumber) and most.value < least:
        linker.reader.report(diagnose.inverted_range(surface.span, found=f"{least} - {most.value}"))
    return FineRow(least, most, linker.expression(surface.when, names, "yes"))


def link_sentencing(linker: NormLinker, surface: SentencingSurface) -> SentencingRules:
    """The rules of sentencing of a folder."""

    def names_of(needs: Collection[str]) -> Names:
        return Names(linker.words, needs, {}, (), linker.tables, CLAIM_SIDES)

    needs = linker.needs((surface.needs,), names_of)
    names = names_of(needs)
    start = read_sum(surface.start.text)
    if start is None or not 0 <= start <= 100:
        linker.reader.report(diagnose.expected_number(surface.start.span, found=surface.start.text))
    penalties = {name: _ends(word, linker) or (Decimal(0), Decimal(0)) for name, word in surface.penalties.items()}
    return SentencingRules(
        needs=needs,
        circumstances=tuple(_circumstances(linker, surface, names)),
        probation=linker.expression(surface.probation.when, names, "yes"),
        probation_most=linker.reader.whole_number(surface.probation.most, 0),
        start=start or Decimal(0),
        penalties={name: (int(ends[0]), int(ends[1])) for name, ends in penalties.items()},
    )


def _circumstances(linker: NormLinker, surface: SentencingSurface, names: Names) -> Iterator[CircumstanceRule]:
    for row in linker.rows(surface.circumstances, _CIRCUMSTANCE_COLUMNS):
        when = linker.expression(row["when"], names, "yes")
        effects = tuple(linker.cell(Scalar(one, row["effect"].span), EFFECTS) for one in row["effect"].text.split())
        duty = linker.cell(row["duty"], DUTIES)
        share = read_sum(row["share"].text) if row.get("share") and row["share"].text else Decimal(0)
        cites = linker.cites((row["article"],)) if row["article"].text else ()
        if when is not None:
            yield CircumstanceRule(
                row["name"].text,
                row["title"].text,
                when,
                "must" if duty == "must" else "may",
                cast(tuple[Effect, ...], effects),
                share or Decimal(0),
                cites,
            )
