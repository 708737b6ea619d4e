"""Precision and recall of the parsers on sentences that were drawn by seed and labelled before they were run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from drawn_sentences import text_at

from legalworld.law.text import law_names
from legalworld.law.text.amounts import amounts
from legalworld.law.text.citations import citations
from legalworld.law.text.lexicon import pattern
from legalworld.law.text.money import Money, MoneyRange
from legalworld.law.text.numerals import fold
from legalworld.law.text.rates import Rate
from legalworld.law.text.records import verdict_record
from legalworld.law.text.times import Date, Period, times
from legalworld.law.text.verdicts import verdict

LABELS = Path(__file__).parent / "text" / "labels"
KINDS = ("money", "citation", "rate", "docket", "date", "verdict")
Found = tuple[int, int, str]  # start, end, value


def cited(value: str) -> str:
    """A label of a citation with the law's canonical name."""
    law, _, rest = value.partition("|")
    return f"{law_names.lookup(fold(law)).short if law != '?' else ''}|{rest}".rstrip("|")


def read(kind: str, text: str) -> Iterator[Found]:
    match kind:
        case "money":
            for value in amounts(text):
                money = getattr(value, "base", value)
                if isinstance(money, Money):
                    yield money.start, money.end, str(money.amount.normalize())
                elif isinstance(money, MoneyRange):
                    yield money.start, money.end, f"{money.low}-{money.high}"
        case "rate":
            for value in amounts(text):
                rate = getattr(value, "rate", value)
                if isinstance(rate, Rate):
                    yield rate.start, rate.end, str(rate.rate_pct.normalize())
        case "citation":
            for one in citations(text):
                if not one.misprint:
                    parts = (one.article, one.paragraph, one.item, one.sub_item)
                    numbers = "|".join("" if part is None else str(part) for part in parts)
                    yield one.start, one.end, f"{one.law or ''}|{numbers}".rstrip("|")
        case "date":
            for point in points(text):
                yield point.start, point.end, point.iso
        case "verdict":
            yield from people(text)
        case _:
            for match in pattern("judgment", "number").finditer(text):
                yield match.start(), match.end(), ""


def points(text: str) -> Iterator[Date]:
    """Every day, month and year that is said, those at either end of a period too."""
    for value in times(text):
        ends = (value.since, value.until) if isinstance(value, Period) else (value,)
        yield from (one for one in ends if isinstance(one, Date))


def punished(text: str) -> Iterator[str]:
    """What is decided of each convicted person: NAME|CHARGES|PENALTY|MONTHS|PROBATION|FINE."""
    for person in verdict_record(verdict(text), text)["defendants"]:
        final = person["final"]
        charges = "、".join(count["charge"] for count in person["counts"] if count.get("charge"))
        months = final.get("months")
        months = months + final.get("days", 0) / 30 if months is not None else None  # labels have days in months
        figures = (months, *(final.get(key) for key in ("probation_months", "fine")))
        told = ("" if one is None else f"{one:g}" for one in figures)
        yield "|".join((person["who"] or "", charges, final["penalty"] or "", *told))


def people(text: str) -> Iterator[Found]:
    """Each convicted person's name, where it first stands, and what is decided of him."""
    for told in punished(text):
        start = text.find(told.split("|")[0])
        yield start, start + 1, told


def labelled(row: Mapping[str, Any]) -> list[Found]:
    kind = row["kind"]
    found = []
    for start, end, *value in row["found"]:
        said = value[0] if value else ""
        if kind in ("money", "rate") and "-" not in said:
            said = str(Decimal(said).normalize())
        found.append((start, end, cited(said) if kind == "citation" else said))
    return found


def compared(row: Mapping[str, Any], text: str) -> tuple[int, int, int, list[str]]:
    """(right, wrongly found, missed, what was wrong) of a sentence."""
    start, end = row["start"], row["end"]
    missing = labelled(row)
    right, wrong, told = 0, 0, []
    for one in read(row["kind"], text[start:end]):
        place = (one[0] + start, one[1] + start)
        fits = (each for each in missing if each[2] == one[2] and each[0] < place[1] and place[0] < each[1])
        hit = next(fits, None)
        if hit is not None:
            missing.remove(hit)
            right += 1
        else:
            wrong += 1
            told.append(f"+ {one[2]} in {text[start:end].strip()}")
    told += [f"- {one[2]} in {text[start:end].strip()}" for one in missing]
    return right, wrong, len(missing), told


def measured(file: Path, kind: str) -> tuple[int, int, int, list[str]]:
    """(right, wrongly found, missed) of all sentences of a kind that are here."""
    total, told = [0, 0, 0], []
    for line in file.read_text(encoding="utf-8").split("\n"):
        row = json.loads(line) if line else {"kind": ""}
        text = text_at(row["file"], row["path"]) if row["kind"] == kind else None
        if text is not None:
            *counts, wrong = compared(row, fold(text))
            total = [one + more for one, more in zip(total, counts, strict=True)]
            told += wrong
    return total[0], total[1], total[2], told


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(file.stem for file in LABELS.glob("*.jsonl")))
def test_precision_and_recall(name: str, kind: str) -> None:
    right, wrong, missed, told = measured(LABELS / f"{name}.jsonl", kind)
    if not right + missed:
        pytest.skip("no labelled sentence of this kind is here")
    assert right / (right + wrong) >= 0.95, told
    assert right / (right + missed) >= 0.95, told
