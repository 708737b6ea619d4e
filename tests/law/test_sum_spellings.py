"""A sum spelt in any way that people mix: it is read as it is, or not at all, never as a part of itself."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path

import pytest
from test_text_measured import labelled, read

from legalworld.law.text.amounts import amounts
from legalworld.law.text.money import Money, MoneyRange, UnclearSum
from legalworld.law.text.numerals import fold
from legalworld.law.text.times import Date

LOW, HIGH = "零一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖"
UNITS, CAPITAL_UNITS = ["", "十", "百", "千"], ["", "拾", "佰", "仟"]


def below_ten_thousand(number: int, digit: list[str] | str, units: list[str], filled: bool = False) -> str:
    """A number below 10,000 with each of its digits and units; zeros between as one sign."""
    told, zero = "", filled and number < 1000
    for place in (3, 2, 1, 0):
        figure = number // 10**place % 10
        if figure:
            told += ("零" if zero and told + "x" * filled else "") + digit[figure] + units[place]
            zero = False
        else:
            zero = zero or bool(told)
    return told


def mixed(draw: random.Random, number: int) -> str:
    """A number with units of which every digit is written in figures or in words, as it comes."""
    capital = draw.random() < 0.2
    units = CAPITAL_UNITS if capital else UNITS
    words = HIGH if capital else LOW
    pick = [draw.choice([words[one], str(one)]) for one in range(10)]
    high, low = divmod(number, 10_000)
    ten_thousand = "万" if not capital or draw.random() < 0.7 else "萬"
    front = draw.choice([below_ten_thousand(high, pick, units), str(high)]) + ten_thousand if high else ""
    return front + (below_ten_thousand(low, pick, units, bool(front)) if low else "")


def spellings(draw: random.Random, number: int) -> str:
    plain = below_ten_thousand(number % 10_000, LOW, UNITS, number >= 10_000)
    words = (below_ten_thousand(number // 10_000, LOW, UNITS) + "万" if number >= 10_000 else "") + plain
    ways = [str(number), f"{number:,}", words, mixed(draw, number), mixed(draw, number), mixed(draw, number)]
    ways += [f"{Decimal(number) / 10_000}万"] if number >= 10_000 else []
    return draw.choice(ways)


FRAMES = [
    "返还借款{}元。",
    "共计人民币{}元整",
    "张某欠{}元，没有还",
    "价值{}余元的货物",
    "（{}元）",
    "约定每月{}元",
    "总共{} 元",
]


@pytest.mark.parametrize("seed", range(400))
def test_no_part_of_a_sum_is_read_as_the_sum(seed: int) -> None:
    draw = random.Random(seed)
    number = draw.choice(
        [
            draw.randrange(1, 100),
            draw.randrange(100, 10_000),
            draw.randrange(10_000, 10**7),
            draw.randrange(1, 99) * 500,
        ]
    )
    text = draw.choice(FRAMES).format(spellings(draw, number))
    found = [one for one in amounts(text) if isinstance(one, Money | MoneyRange | UnclearSum)]
    assert found, text
    for one in found:
        assert isinstance(one, UnclearSum) or (isinstance(one, Money) and one.amount == number), (text, number, one)


@pytest.mark.parametrize("unit", ["十", "百", "千", "万", "百万"])
@pytest.mark.parametrize("low", range(1, 9))
def test_two_digits_before_a_unit_are_a_range(low: int, unit: str) -> None:
    size = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "百万": 10**6}[unit]
    [one] = [one for one in amounts(f"赔偿{LOW[low]}{LOW[low + 1]}{unit}元。") if isinstance(one, Money | MoneyRange)]
    assert isinstance(one, MoneyRange), one
    assert (one.low, one.high) == (Decimal(low * size), Decimal((low + 1) * size))


@pytest.mark.parametrize("name", ["张三", "李四", "王五", "第三人", "丁一"])
def test_a_name_that_ends_in_a_numeral_leaves_the_sum_as_it_is(name: str) -> None:
    [one] = [one for one in amounts(f"判令被告支付{name}5000元。") if isinstance(one, Money | UnclearSum)]
    assert isinstance(one, Money) and one.amount == 5000


SPOKEN = Path(__file__).parent / "text" / "labels" / "spoken" / "sums.jsonl"


def found_in(kind: str, text: str) -> list[tuple[int, int, str]]:
    if kind == "money":
        return list(read(kind, fold(text)))
    points = [
        point for one in amounts(text) for point in (one, getattr(one, "since", None), getattr(one, "until", None))
    ]
    return [(one.start, one.end, one.iso) for one in points if isinstance(one, Date)]


def test_of_sums_and_days_as_people_say_them_none_is_read_wrongly() -> None:
    right, missed, wrong = 0, 0, list[str]()
    for line in SPOKEN.read_text("utf-8").splitlines():
        row = json.loads(line)
        missing = labelled(row)
        for one in found_in(row["kind"], row["text"]):
            fits = (each for each in missing if each[2] == one[2] and each[0] < one[1] and one[0] < each[1])
            if hit := next(fits, None):
                missing.remove(hit)
                right += 1
            else:
                wrong.append(f"{one[2]} in {row['text']}")
        missed += len(missing)
    assert not wrong
    assert right >= 49 and right + missed == 62, (right, missed)
