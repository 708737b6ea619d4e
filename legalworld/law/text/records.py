"""What the parsers find, as values for JSON; fields that are not set are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final

from .amounts import Interest, Value
from .citations import Citation
from .english_citations import EnglishCitation
from .money import Money, MoneyRange, UnclearSum
from .punishments import Sentence
from .rates import Rate, RateFormula
from .times import DAY, Date, Duration, Period, Point
from .verdicts import Verdict

Record = dict[str, Any]


def citation_record(citation: Citation, text: str) -> Record:
    """law, article, paragraph, item and sub_item always; the rest where there is any."""
    always = {name: getattr(citation, name) for name in ("law", "article", "paragraph", "item", "sub_item")}
    return always | _filled(citation) | {"resolved": citation.resolved, "text": text[citation.start : citation.end]}


def english_record(citation: EnglishCitation, text: str) -> Record:
    """What an English citation says, without what it leaves out."""
    return _filled(citation) | {"text": text[citation.start : citation.end]}


def amount_record(value: Value, text: str) -> Record:
    """`kind`, what it says, and where; an exact day has no `precision`."""
    place = {"start": value.start, "end": value.end, "text": text[value.start : value.end]}
    return {"kind": _KINDS[type(value)], **_said(value), **place}


def verdict_record(decided: Verdict, text: str) -> Record:
    """`defendants` and `other`, which is money that is no fine: totals by kind, and each sum with its place."""
    kinds = dict.fromkeys(award.kind for award in decided.awards)
    other: Record = {kind: _number(decided.total(kind)) for kind in kinds}
    if decided.awards:
        other["items"] = [{**_filled(award), "text": text[award.start : award.end]} for award in decided.awards]
    return {"defendants": [_defendant(defendant) for defendant in decided.defendants], "other": other}


# ---- amounts ---------------------------------------------------------------------------------------------------------


_KINDS: Final[Mapping[type[Value], str]] = {
    Money: "money",
    MoneyRange: "money",
    UnclearSum: "money",
    Rate: "rate",
    RateFormula: "rate",
    Date: "date",
    Period: "period",
    Duration: "duration",
    Interest: "interest",
}


def _said(value: Value) -> Record:
    match value:
        case Money(differs=differs):
            return _filled(value, "start", "end") | ({"warnings": [TWICE]} if differs is not None else {})
        case UnclearSum(currency=currency):
            return {"currency": currency, "warnings": [UNCLEAR]}
        case Rate(annual_pct=annual):
            return _filled(value, "start", "end") | ({"annual_pct": _number(annual)} if annual is not None else {})
        case MoneyRange() | RateFormula():
            return _filled(value, "start", "end")
        case Date(wrong=wrong):
            warnings = {"warnings": [NO_SUCH_DAY]} if wrong else {}
            rest = _filled(value, "start", "end", "year", "month", "day", "wrong")
            return {"date": value.iso} | _precision(value) | rest | warnings
        case Period(since=since, until=until):
            return _ends(since, until)
        case Duration(iso=iso, since=since):
            begins = {"from": since.iso} if since is not None else {}
            return {"duration": iso} | begins | _filled(value, "start", "end", "iso", "since")
        case Interest(base=base, base_text=named, since=since, until=until, rate=rate):
            sum_of_base = {"base": base.amount, "currency": base.currency} if base is not None else {"base_text": named}
            said = {key: _number(part) for key, part in sum_of_base.items()}
            return said | _ends(since, until) | (_said(rate) if rate is not None else {})


def _ends(since: Point | None, until: Point | None) -> Record:
    days = {"from": since, "to": until}
    dates = (point for point in days.values() if isinstance(point, Date) and point.precision != DAY)
    return {key: point.iso for key, point in days.items() if point is not None} | _precision(next(dates, None))


def _precision(date: Date | None) -> Record:
    return {"precision": date.precision} if date is not None and date.precision != DAY else {}


TWICE = "the sum is written twice, and not alike"
UNCLEAR = "it is not clear where the number of the sum begins"
NO_SUCH_DAY = "the calendar has no such day"


# ---- verdicts --------------------------------------------------------------------------------------------------------


def _defendant(defendant: Any) -> Record:
    counts = [
        {"charge": count.charge}
        | ({"prior": True} if count.prior else {})
        | (_filled(count.sentence) if count.sentence is not None else {})
        for count in defendant.counts
    ]
    rest = _filled(defendant, "who", "counts", "final")
    return {"who": defendant.who, "counts": counts, "final": _final(defendant.final)} | rest


def _final(sentence: Sentence) -> Record:
    """The four that everybody asks for are there even where they were not imposed."""
    always = {name: _number(getattr(sentence, name)) for name in ("penalty", "months", "probation_months", "fine")}
    return always | _filled(sentence)


# ---- values ----------------------------------------------------------------------------------------------------------


def _filled(value: Any, *without: str) -> Record:
    """The fields of a value that say something: neither None nor False nor empty."""
    parts = ((part.name, getattr(value, part.name)) for part in fields(value) if part.name not in without)
    return {
        name: _number(part) for name, part in parts if part is not None and part is not False and part not in ((), "")
    }


def _number(value: Any) -> Any:
    """Decimals as JSON has them: whole ones without a point."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else value
