"""What the parsers find as JSON values: dictionaries without what is not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any

from .amounts import Interest, Value
from .citations import Citation
from .money import Money, MoneyRange
from .punishments import Sentence
from .rates import Rate, RateFormula
from .times import DAY, Date, Duration, Period, Point
from .verdicts import Verdict

Record = dict[str, Any]


def citation_record(citation: Citation, text: str) -> Record:
    """law, article, paragraph, item and sub_item always; the rest where there is any."""
    always = {name: getattr(citation, name) for name in ("law", "article", "paragraph", "item", "sub_item")}
    return always | _filled(citation) | {"resolved": citation.resolved, "text": text[citation.start : citation.end]}


def amount_record(value: Value, text: str) -> Record:
    """`kind`, what it says, and where; an exact day has no `precision`."""
    return {"kind": _kind(value), **_said(value), **_place(value, text)}


def verdict_record(found: Verdict, text: str) -> Record:
    """`defendants` and `other`, which is money that is no fine: totals by kind, and each sum with its place."""
    kinds = dict.fromkeys(award.kind for award in found.awards)
    other: Record = {kind: _number(found.total(kind)) for kind in kinds}
    if found.awards:
        other["items"] = [{**_filled(award), "text": text[award.start : award.end]} for award in found.awards]
    return {"defendants": [_defendant(one) for one in found.defendants], "other": other}


# ---- amounts ---------------------------------------------------------------------------------------------------------


def _kind(value: Value) -> str:
    match value:
        case Money() | MoneyRange():
            return "money"
        case Rate() | RateFormula():
            return "rate"
        case Date():
            return "date"
        case Period():
            return "period"
        case Duration():
            return "duration"
        case Interest():
            return "interest"


def _said(value: Value) -> Record:
    match value:
        case Money(differs=differs):
            return _filled(value, "start", "end") | ({"warnings": [TWICE]} if differs is not None else {})
        case MoneyRange():
            return _filled(value, "start", "end")
        case Rate(annual_pct=annual):
            return _filled(value, "start", "end") | ({"annual_pct": _number(annual)} if annual is not None else {})
        case RateFormula():
            return _filled(value, "start", "end")
        case Date(wrong=wrong):
            marks = {"part": value.part, "approx": value.approx, "warnings": [NO_SUCH_DAY] if wrong else None}
            return {"date": value.iso} | _precision(value) | {key: mark for key, mark in marks.items() if mark}
        case Period(since=since, until=until):
            return _ends(since, until)
        case Duration(iso=iso, since=since):
            begins = {"from": since.iso} if since is not None else {}
            marks = {"within": value.within, "business": value.business}
            return {"duration": iso} | begins | {key: mark for key, mark in marks.items() if mark}
        case Interest(base=base, base_text=named, since=since, until=until, rate=rate):
            counted = (
                {"base": _number(base.amount), "currency": base.currency} if base is not None else {"base_text": named}
            )
            return counted | _ends(since, until) | (_said(rate) if rate is not None else {})


def _ends(since: Point | None, until: Point | None) -> Record:
    found: Record = {"from": since.iso} if since is not None else {}
    if until is not None:
        found["to"] = until.iso
    for point in (since, until):
        if isinstance(point, Date) and point.precision != DAY:
            return found | _precision(point)
    return found


def _precision(date: Date) -> Record:
    return {"precision": date.precision} if date.precision != DAY else {}


TWICE = "the sum is written twice, and not alike"
NO_SUCH_DAY = "the calendar has no such day"


# ---- verdicts --------------------------------------------------------------------------------------------------------


def _defendant(defendant: Any) -> Record:
    counts = [
        {"charge": count.charge}
        | ({"prior": True} if count.prior else {})
        | (_sentence(count.sentence) if count.sentence is not None else {})
        for count in defendant.counts
    ]
    rest = _filled(defendant, "who", "counts", "final")
    return {"who": defendant.who, "counts": counts, "final": _final(defendant.final)} | rest


def _final(sentence: Sentence) -> Record:
    """The four that everybody asks for are there even where they were not imposed."""
    always = {name: _number(getattr(sentence, name)) for name in ("penalty", "months", "probation_months", "fine")}
    return always | _sentence(sentence)


def _sentence(sentence: Sentence) -> Record:
    return _filled(sentence)


# ---- values ----------------------------------------------------------------------------------------------------------


def _place(value: Value, text: str) -> Record:
    return {"start": value.start, "end": value.end, "text": text[value.start : value.end]}


def _filled(value: Any, *without: str) -> Record:
    """The fields of a value that say something: neither None nor False nor empty."""
    found = {one.name: getattr(value, one.name) for one in fields(value) if one.name not in without}
    return {name: _number(one) for name, one in found.items() if one is not None and one is not False and one != ()}


def _number(value: Any) -> Any:
    """Decimals as JSON has them: whole ones without a point."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else value
