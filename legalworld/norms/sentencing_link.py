"""The rules of sentencing of a folder, linked: what holds for all offences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import Final, cast

from ..figures.sums import read_sum
from ..language import diagnose
from ..language.sentences.norm_words import CLAIM_SIDES
from ..language.surface_reader import texts_of
from ..language.surfaces import Text
from .definition import SentencingRules
from .formulas import Names
from .link import NormLinker
from .penal_link import circumstances, ends, orders
from .penal_parts import Combination, Excuse, ExcuseResult
from .surfaces import CombinationSurface, SentencingSurface

_EXCUSE_COLUMNS: Final = ("name", "title", "when", "result", "article")
_WHOLE: Final = 100


def link_sentencing(linker: NormLinker, surface: SentencingSurface) -> SentencingRules:
    """The rules of sentencing; every kind of penalty that they speak of must be one they name."""

    def names_of(needs: Collection[str]) -> Names:
        return Names(linker.words, needs, {}, (), linker.tables, CLAIM_SIDES)

    needs = linker.needs((surface.needs,), names_of)
    names = names_of(needs)
    penalties = _months(linker, surface.penalties)
    probation, fine = surface.probation, surface.fine
    found = tuple(circumstances(linker, surface.circumstances, names))
    for one in found:
        if one.main and one.main not in penalties:
            known = ", ".join(penalties)
            span = surface.circumstances.span
            linker.reader.report(diagnose.unknown_norm_word(span, name=one.main, words=known, among=penalties))
    bars = linker.reader.all_known(probation.unless, {one.name: one for one in found}, diagnose.unknown_norm_name)
    return SentencingRules(
        needs=needs,
        circumstances=found,
        barred=bars,
        probation=linker.expression(probation.when, names, "yes"),
        probation_most=linker.reader.whole_number(probation.most, 0),
        start=_share(linker, surface.start),
        penalties=penalties,
        probation_must=linker.expression(probation.must, names, "yes"),
        lengths=_months(linker, _of(linker, probation.lengths, penalties)),
        excuses=tuple(_excuses(linker, surface, names)),
        age=linker.reader.whole_number(surface.age.years, 0) if surface.age is not None else 0,
        born=linker.name(surface.age.born, names, "day") if surface.age is not None else None,
        deed=linker.name(surface.age.deed, names, "day") if surface.age is not None else None,
        pleads=linker.name(surface.guilt.pleads, names, "yes") if surface.guilt is not None else None,
        alone=texts_of(surface.guilt.alone) if surface.guilt is not None else (),
        fine_least=_sum(linker, fine.least) if fine is not None else Decimal(0),
        fine_month=_sum(linker, fine.month) if fine is not None else Decimal(0),
        orders=tuple(orders(linker, surface.orders, names)),
        combination=_combination(linker, surface.combination, penalties) if surface.combination is not None else None,
        titles={name: word.text for name, word in surface.titles.items()},
        words=linker.spoken,
    )


def _share(linker: NormLinker, word: Text) -> Decimal:
    """A share per cent."""
    found = read_sum(word.text)
    if found is None or not 0 <= found <= _WHOLE:
        linker.reader.report(diagnose.expected_number(word.span, found=word.text))
    return found or Decimal(0)


def _sum(linker: NormLinker, word: Text | None) -> Decimal:
    found = read_sum(word.text) if word is not None else Decimal(0)
    if found is None and word is not None:
        linker.reader.report(diagnose.expected_number(word.span, found=word.text))
    return found or Decimal(0)


def _of(linker: NormLinker, written: Mapping[str, Text], penalties: Mapping[str, object]) -> dict[str, Text]:
    """What is written for kinds of penalty that there are."""
    for name, word in written.items():
        if name not in penalties:
            known = ", ".join(penalties)
            linker.reader.report(diagnose.unknown_norm_word(word.span, name=name, words=known, among=penalties))
    return {name: word for name, word in written.items() if name in penalties}


def _months(linker: NormLinker, written: Mapping[str, Text]) -> dict[str, tuple[int, int]]:
    found = {name: ends(word, linker) or (Decimal(0), Decimal(0)) for name, word in written.items()}
    return {name: (int(least), int(most)) for name, (least, most) in found.items()}


def _excuses(linker: NormLinker, surface: SentencingSurface, names: Names) -> Iterator[Excuse]:
    for row in linker.rows(surface.excuses, _EXCUSE_COLUMNS):
        when = linker.expression(row["when"], names, "yes")
        result = linker.cell(row["result"], linker.spoken["result"])
        cites = linker.cites((row["article"],)) if row["article"].text else ()
        if when is not None:
            yield Excuse(row["name"].text, row["title"].text, when, cast(ExcuseResult, result), cites)


def _combination(
    linker: NormLinker, surface: CombinationSurface, penalties: Mapping[str, tuple[int, int]]
) -> Combination:
    most, over = _months(linker, _of(linker, surface.most, penalties)), _of(linker, surface.over, penalties)
    instead = {name: texts_of(words) for name, words in surface.instead.items()}
    for words in surface.instead.values():
        linker.reader.all_known(words, penalties, diagnose.unknown_norm_name)
    for name in penalties.keys() - most.keys():
        linker.reader.report(diagnose.combination_without_most(surface.span, penalty=name))
    return Combination(
        share=_share(linker, surface.share),
        most={name: months[1] for name, months in most.items()},
        over={name: months[1] for name, months in _months(linker, over).items()},
        total=linker.reader.whole_number(surface.total, 0) if surface.total is not None else 0,
        instead=instead,
        cites=linker.cites(surface.cites),
    )
