"""Chinese numerals: every number is read from what it is written as, and what nobody writes is no numeral."""

from __future__ import annotations

import random

import pytest

from legalworld.checking.rules.citations import parse
from legalworld.language.sentences.quantities import NUMERALS, TENS, in_numerals, numeral

SIGNS = f"{NUMERALS}零两{''.join(TENS)}万亿"


def test_numbers_come_back_from_their_numerals() -> None:
    for number in (*range(100_000), 10**8, 10**8 + 50_000, 350 * 10**4, 12 * 10**8 + 3):
        written = in_numerals(number)
        assert numeral(written) == number
        assert numeral(written.replace("〇", "零")) == number
        if written.startswith("一十"):
            assert numeral(written[1:]) == number


def mutated(written: str, chance: random.Random) -> str:
    """The numeral with a sign doubled, left out, put in, or taken for another."""
    at, sign = chance.randrange(len(written)), chance.choice(SIGNS)
    return chance.choice(
        (
            written[: at + 1] + written[at:],
            written[:at] + written[at + 1 :],
            written[:at] + sign + written[at:],
            written[:at] + sign + written[at + 1 :],
        )
    )


def test_what_is_mutated_is_another_numeral_or_none() -> None:
    """Whatever is read can be written again: the same signs, but for a zero and a one that may be left out."""
    chance, refused = random.Random(7), 0
    for _ in range(20_000):
        text = mutated(in_numerals(chance.randrange(1, 100_000)), chance)
        value = numeral(text) if text else None
        if value is None:
            refused += 1
            continue
        plain = text.replace("零", "〇").replace("两", "二")
        assert plain.replace("一", "").replace("〇", "") == in_numerals(value).replace("一", "").replace("〇", ""), text
    assert 5_000 < refused < 19_000


@pytest.mark.parametrize(
    "text",
    [
        "百百",
        "六百百",
        "一百五",
        "三万五",
        "十十",
        "五五",
        "一〇",
        "〇五",
        "一百〇〇五",
        "百",
        "千万万",
        "万",
        "一百〇",
        "两两",
    ],
)
def test_what_nobody_writes_is_no_numeral(text: str) -> None:
    assert numeral(text) is None
    assert parse(f"民法典第{text}条") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("一百十五", 115), ("三万五百", 30500), ("两百", 200), ("十", 10), ("一十", 10), ("〇", 0), ("一千零一", 1001)],
)
def test_what_may_be_left_out_may_be_left_out(text: str, value: int) -> None:
    assert numeral(text) == value
