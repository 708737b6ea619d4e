"""Surfaces of reviews, linked: needs, grounds, what is done where one is found."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, cast

from ..language import diagnose
from ..language.sentences.norm_words import CLAIM_SIDES
from ..language.surface_reader import texts_of
from .contradictions import reached
from .definition import ReviewedOrder, ReviewGround, ReviewNorm, ReviewOrder
from .formulas import Names
from .link import NormLinker
from .surfaces import ReviewSurface

_COLUMNS: Final = ("ground", "title", "when")


def link_review(linker: NormLinker, surface: ReviewSurface, home: str) -> ReviewNorm:
    """How an act is reviewed; every order must rest on grounds that there are."""

    def names_of(needs: Collection[str]) -> Names:
        return Names(linker.words, needs, {}, (), linker.tables, CLAIM_SIDES)

    needs = linker.needs((surface.needs,), names_of)
    names = names_of(needs)
    since, until = linker.force(surface.in_force)
    grounds = tuple(_grounds(linker, surface, names))
    reached([one for one in surface.gives if linker.words.orders.get(one.order.text) != "dismiss"], linker.reader)
    if not surface.examples:
        linker.reader.report(diagnose.norm_without_example(surface.review.span, name=surface.review.text))
    return ReviewNorm(
        *(surface.review.text, surface.title.text, surface.source.text, home, surface.review.span, since, until),
        on=linker.name(surface.in_force.on, names, "day") if surface.in_force is not None else None,
        heads=linker.reader.all_known(surface.claims.heads, linker.words.heads, diagnose.unknown_norm_name),
        causes=texts_of(surface.claims.causes),
        needs=needs,
        evidence_until=linker.name(surface.evidence_until, names, "day"),
        grounds=grounds,
        gives=tuple(_orders(linker, surface, names, tuple(one.name for one in grounds))),
        checked=surface.checked.text,
        examples=linker.examples(surface.examples),
    )


def _grounds(linker: NormLinker, surface: ReviewSurface, names: Names) -> Iterator[ReviewGround]:
    for row in linker.rows(surface.grounds, _COLUMNS):
        when = linker.expression(row["when"], names, "yes")
        cites = linker.cites((row["article"],)) if row.get("article") and row["article"].text else ()
        if when is not None:
            yield ReviewGround(row["ground"].text, row["title"].text, when, cites)


def _orders(
    linker: NormLinker, surface: ReviewSurface, names: Names, grounds: tuple[str, ...]
) -> Iterator[ReviewOrder]:
    for one in surface.gives:
        named = linker.reader.all_known(one.grounds, grounds, diagnose.unknown_norm_name)
        when, cites = linker.expression(one.when, names, "yes"), linker.cites(one.cites)
        kind = linker.cell(one.order, linker.words.orders)
        yield ReviewOrder(cast(ReviewedOrder, kind), named, when, cites)
