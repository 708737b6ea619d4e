"""The markers of the canary case, and the days and sums that stand for one where a field declares their type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module

from places import ROOT

from legalworld.language.amounts import amounts
from legalworld.language.dates import in_words, read_day, written
from legalworld.language.typed_values import plain_number
from legalworld.model.numbers import money

FOLDER = ROOT / "tests" / "procedures" / "canary"
CASE = FOLDER / "case.yaml"
MARK = re.compile(r"CANARY\[([^\[\]]+)\]")
TYPED = re.compile(r": (\S+)  # CANARY\[([^\[\]]+)\]\n")  # in the file of the case


@lru_cache(maxsize=1 << 11)
def marks(text: str) -> frozenset[str]:
    """The markers in a text, without their brackets, and those that typed values in it stand for."""
    return frozenset(MARK.findall(text)).union(stand_ins()[form] for form in _standing_in().findall(text))


@cache
def stand_ins() -> Mapping[str, str]:
    """What is written in place of a marker where the type of a field allows none -> that marker."""
    forms = [(form, mark) for value, mark in TYPED.findall(CASE.read_text("utf-8")) for form in _forms(value)]
    assert len(dict(forms)) == len(forms), "two values of the case are written alike"
    return dict(forms)


def _forms(value: str) -> frozenset[str]:
    """Every form in which a day or a sum of the case is written somewhere."""
    day = read_day(value)
    if day is not None:
        return frozenset({value, written(day, "zh"), written(day, "en"), day.isoformat(), in_words(day)})
    (found,) = amounts(value, "zh")
    plain, myriads = plain_number(found.value), plain_number(found.value / 10_000)
    return frozenset({value, plain, money(plain, "", "zh"), f"{myriads}万", str(import_module("cn2an").an2cn(plain))})


@cache
def _standing_in() -> re.Pattern[str]:
    """Finds them, and none within a longer number."""
    forms = "|".join(re.escape(form) for form in sorted(stand_ins(), key=len, reverse=True))
    return re.compile(rf"(?<!\d)(?<!\d[.,])(?:{forms})(?!\d)")
