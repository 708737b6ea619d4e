"""Precision and recall of three parsers on sentences that were written and labelled before they were run on them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from test_text_measured import Found as Labelled
from test_text_measured import labelled, people, punished, read

from legalworld.law.text.american_citations import american_citations, reads_american
from legalworld.law.text.amounts import amounts
from legalworld.law.text.english import in_figures
from legalworld.law.text.english_citations import EnglishCitation, english_citations
from legalworld.law.text.lexicon import table
from legalworld.law.text.money import Money, MoneyRange
from legalworld.law.text.numerals import fold
from legalworld.law.text.rates import Rate, rates

LABELS = Path(__file__).parent / "text" / "labels"
SHARE = {
    "british-citations": 0.95,
    "british-lawyers": 0.95,
    "counsel-after": 0.85,
    "american-lawyers": 0.95,
    "english-sums": 0.93,
    "verdicts": 0.95,
    "second-verdicts": 0.98,
}


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
            court = "" if one.report else one.court
            return "C:" + " ".join(filter(None, (one.year, one.volume, court, one.report, one.number)))


def sums_of(text: str) -> Iterator[str]:
    for value in amounts(text):
        money = getattr(value, "base", value)
        if isinstance(money, Money):
            yield f"{money.amount.normalize():f}"
        elif isinstance(money, MoneyRange):
            yield f"{money.low.normalize():f}-{money.high.normalize():f}"


def british(text: str) -> Iterator[tuple[int, int, str]]:
    for one in english_citations(text):
        yield one.start, one.end, cited(one)


def offset_rows() -> Iterator[tuple[str, str, list[Labelled]]]:
    for file in sorted((LABELS / "written").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            yield row["kind"], row["text"], labelled(row)


@pytest.mark.parametrize("kind", ["money", "citation", "docket", "rate", "british", "verdict"])
def test_sentences_labelled_by_offsets(kind: str) -> None:
    right = wrong = missed = 0
    told = []
    for _, text, labels in (row for row in offset_rows() if row[0] == kind):
        missing = list(labels)
        readers = {"british": british, "verdict": people}
        for one in readers[kind](text) if kind in readers else read(kind, fold(text)):
            fits = (each for each in missing if each[2] == one[2] and each[0] < one[1] and one[0] < each[1])
            if hit := next(fits, None):
                missing.remove(hit)
                right += 1
            else:
                wrong += 1
                told.append(f"+ {one[2]} in {text}")
        missed += len(missing)
        told += [f"- {one[2]} in {text}" for one in missing]
    print(kind, "right", right, "wrong", wrong, "missed", missed)
    assert min(right / (right + wrong), right / (right + missed)) >= 0.95, told


READERS = {
    "british-citations": lambda text: [cited(one) for one in english_citations(text)],
    "british-lawyers": lambda text: [cited(one) for one in english_citations(text)],
    "counsel-after": lambda text: [cited(one) for one in english_citations(text)],
    "american-lawyers": lambda text: [cited(one) for one in american_citations(text)],
    "english-sums": lambda text: list(sums_of(text)),
    "verdicts": lambda text: list(punished(text)),
    "second-verdicts": lambda text: list(punished(text)),
}


@pytest.mark.parametrize("kind", READERS)
def test_written_sentences(kind: str) -> None:
    if kind.startswith("american") and not reads_american():
        pytest.skip("the optional extra `us` (eyecite) is not installed")
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


@pytest.mark.parametrize("joined", ["、", "和", "及"])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_sums_of_a_list_that_ends_in_the_unit(joined: str, count: int) -> None:
    numbers = [f"{3 * number}万" for number in range(1, count + 1)]
    expected = [f"{30000 * number}" for number in range(1, count + 1)]
    listed = "、".join(numbers[:-1]) + joined + numbers[-1]
    assert [*sums_of(f"先后转账{listed}元。")] == expected
    for other in ("人", "平方米", "亩", "吨"):
        assert [*sums_of(f"分别为{listed}{other}。")] == [], other


@pytest.mark.parametrize("number", ["five", "twelve", "twenty-five", "one hundred"])
@pytest.mark.parametrize(
    ("period", "per"), [("", None), (" a year", "year"), (" per month", "month"), (" annually", "year")]
)
def test_an_english_rate_in_words(number: str, period: str, per: str | None) -> None:
    for sign in ("per cent", "percent", "Per Cent"):
        [rate] = rates(f"Interest of {number} {sign}{period}, no more.")
        assert isinstance(rate, Rate)
        assert (rate.rate_pct, rate.per) == (in_figures(number), per)
    assert rates(f"He sent {number} letters a year.") == []


@pytest.mark.parametrize("word", ["para", "paras", "paragraph", "paragraphs"])
def test_a_place_in_a_judgment_is_no_provision(word: str) -> None:
    case = "C:2015 UKSC 67"
    for mark in (" at", ", at"):
        assert [cited(one) for one in english_citations(f"[2015] UKSC 67{mark} {word} 32.")] == [case]
    provision = "See paragraph 3 of the Data Protection Act 2018."
    assert [cited(one) for one in english_citations(provision)] == ["P:Data Protection Act 2018:3"]
    assert english_citations(provision.replace("See", "It stands at"))
