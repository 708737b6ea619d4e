"""Precision and recall of three parsers on sentences that were written and labelled before they were run on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from legalworld.law.text.amounts import amounts
from legalworld.law.text.english_citations import EnglishCitation, english_citations
from legalworld.law.text.lexicon import table
from legalworld.law.text.money import Money, MoneyRange
from legalworld.law.text.records import verdict_record
from legalworld.law.text.verdicts import verdict

LABELS = Path(__file__).parent / "text" / "labels"
SHARE = {"british-citations": 0.95, "english-sums": 0.93, "verdicts": 0.95, "second-verdicts": 0.98}


def rows(kind: str) -> Iterator[tuple[str, list[str]]]:
    for line in (LABELS / f"{kind}.tsv").read_text("utf-8").splitlines():
        text, _, found = line.partition("\t")
        yield text, [one.strip() for one in found.split(";") if one.strip()]


def cited(one: EnglishCitation) -> str:
    match one.kind:
        case "provision":
            return f"P:{one.law}:{one.number}" + "".join(f"({each})" for each in one.below)
        case "act":
            return f"A:{one.law}"
        case _:
            return "C:" + " ".join(filter(None, (one.year, one.volume, one.court or one.report, one.number)))


def sums_of(text: str) -> Iterator[str]:
    for value in amounts(text):
        money = getattr(value, "base", value)
        if isinstance(money, Money):
            yield f"{money.amount.normalize():f}"
        elif isinstance(money, MoneyRange):
            yield f"{money.low.normalize():f}-{money.high.normalize():f}"


def punished(text: str) -> Iterator[str]:
    for person in verdict_record(verdict(text), text)["defendants"]:
        final = person["final"]
        charges = "、".join(count["charge"] for count in person["counts"] if count.get("charge"))
        figures = (final.get(key) for key in ("months", "probation_months", "fine"))
        told = ("" if one is None else f"{one:g}" for one in figures)
        yield "|".join((person["who"] or "", charges, final["penalty"] or "", *told))


READERS = {
    "british-citations": lambda text: [cited(one) for one in english_citations(text)],
    "english-sums": lambda text: list(sums_of(text)),
    "verdicts": lambda text: list(punished(text)),
    "second-verdicts": lambda text: list(punished(text)),
}


@pytest.mark.parametrize("kind", READERS)
def test_written_sentences(kind: str) -> None:
    right = wrong = missed = 0
    told = []
    for text, labels in rows(kind):
        found, expected = Counter(READERS[kind](text)), Counter(labels)
        hits = found & expected
        right += hits.total()
        wrong += (found - hits).total()
        missed += (expected - hits).total()
        if found != expected:
            told.append(f"{text}\n    {sorted(expected)} but {sorted(found)}")
    precision, recall = right / (right + wrong), right / (right + missed)
    report = f"{kind}: precision {precision:.3f}, recall {recall:.3f}\n" + "\n".join(told)
    assert min(precision, recall) >= SHARE[kind], report


@pytest.mark.parametrize("number", ["47万", "1.5万", "四十七万", "3亿"])
def test_a_sum_without_its_unit_beside_what_is_owed(number: str) -> None:
    [value] = sums_of(f"{number}元")
    for word in table("money")["words"]["owed"]:
        before = () if word[0] == "余" else (f"归还{number}{word}", f"{number}的{word}")  # 47万余: more than that
        for text in (*before, f"尚有{word}{number}未付。", f"{word}共计{number}，"):
            assert [*sums_of(text)] == [value], text
    for word in ("人口", "平方米", "亩土地", "名职工", "字", "公里"):
        assert [*sums_of(f"共{number}{word}")] == [], word


@pytest.mark.parametrize("scale", ["hundred", "thousand", "million", "billion"])
def test_a_half_is_no_whole(scale: str) -> None:
    """Half of a scale is half of it, and a part that nobody reads is no sum: never the whole."""
    [whole] = sums_of(f"one {scale} pounds")
    for words, halves in (("half a", 1), ("Half a", 1), ("one and a half", 3), ("two and a half", 5)):
        assert [*sums_of(f"He lost {words} {scale} pounds.")] == [f"{Decimal(whole) * halves / 2:f}"], words
    for part in ("a quarter of a", "three quarters of a", "a third of a"):
        assert [*sums_of(f"He lost {part} {scale} pounds.")] == [], part
