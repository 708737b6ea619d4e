"""The parsers of `legalworld.law.text` never raise, stay inside the text, and take time in proportion to its length."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.law.text.amounts import Interest, amounts
from legalworld.law.text.citations import CitationContext, citations
from legalworld.law.text.lexicon import table
from legalworld.law.text.numerals import approximate, fold, ordinal, read
from legalworld.law.text.penalties import is_earlier, penalties
from legalworld.law.text.records import amount_record, citation_record, verdict_record
from legalworld.law.text.verdicts import verdict

FOLDER = Path(__file__).parent / "text"
WORDS = """
《 》 〈 〉 （ ） ( ) “ ” ， 、 。 ； ： 𠀀
中华人民共和国刑法 民法典 同法 该解释 前款 本条 第 条 款 项 目 之一 至 以下简称
一 二百 十 百 万 亿 〇 壹 参 5 １２ 2,000 99999999999999999999 . 点 余 半
元 人民币 ¥ 美元 角 分 % ‰ 百分之 月息 年利率 LPR 四倍 每日 约 大写
年 月 日 2023年 2月30日 同年 次日 个月 自 起 止 判决生效之日 以 为基数
被告人 上诉人 甲某 犯 盗窃罪 判处 有期徒刑 拘役 死刑 缓刑 缓期二年执行 罚金 并处
£ US$ 1,650 2.5 million k pounds pence at least to per month EUR 20k
决定执行 前罪 撤销 剥夺政治权利 没收 退赔 无罪 刑期 判决如下： 一、 - — ~
"""
GIVEN = [*WORDS.split(), "\n", " ", "　", "\x01", "\x00"]
TEXTS = st.one_of(st.lists(st.sampled_from(GIVEN), max_size=60).map("".join), st.text(max_size=80))


@settings(max_examples=400)
@given(TEXTS, st.sampled_from([None, CitationContext("刑法", "133-1", 2), CitationContext("民法典")]))
def test_citations_lie_in_the_text(text: str, context: CitationContext | None) -> None:
    for one in citations(text, context=context):
        assert 0 <= one.start < one.end <= len(text)
        json.dumps(citation_record(one, text))


@settings(max_examples=400)
@given(TEXTS)
def test_amounts_lie_in_the_text_and_apart(text: str) -> None:
    assert_apart(text)


def assert_apart(text: str) -> None:
    """In order, and apart but for interest clauses, which may enclose others."""
    behind = begin = 0
    for one in amounts(text):
        assert begin <= one.start < one.end <= len(text)
        assert isinstance(one, Interest) or one.start >= behind
        begin, behind = one.start, behind if isinstance(one, Interest) else one.end
        json.dumps(amount_record(one, text))


@settings(max_examples=400)
@given(TEXTS)
def test_verdicts_lie_in_the_text(text: str) -> None:
    found = verdict(text)
    for one in (*found.defendants, *found.awards):
        assert 0 <= one.start <= one.end <= len(text)
    json.dumps(verdict_record(found, text))


@settings(max_examples=400)
@given(TEXTS)
def test_penalties_lie_in_the_text(text: str) -> None:
    for one in penalties(text):
        assert 0 <= one.start < one.end <= len(text)
    is_earlier(text)


SENTENCED = (
    "被告人甲某犯盗窃罪，判处有期徒刑二年六个月至三年，缓刑三年，"
    "并处罚金人民币五千元；判处拘役六个月零十五日，缓刑半年。"
)


@pytest.mark.parametrize("begin", range(0, len(SENTENCED), 2))
def test_a_sentence_that_breaks_off_anywhere_is_read(begin: int) -> None:
    """Columns of data sets end in the middle of a term, such as `拘役六个`: what is there is read, or nothing."""
    for end in range(begin + 1, len(SENTENCED) + 1):
        text = SENTENCED[begin:end]
        assert all(0 <= one.start < one.end <= len(text) for one in penalties(text)), text
        verdict(text)


@settings(max_examples=300)
@given(st.text(alphabet="0123456789.,，〇零○O一二两三十百千万亿兆壹贰參点余半卅廿", max_size=30))
def test_numbers_never_raise(text: str) -> None:
    read(text)
    ordinal(text)
    approximate(text)
    assert len(fold(text)) == len(text)


@settings(max_examples=200)
@given(st.integers(1, 10**9), st.sampled_from(["元", "元整"]))
def test_a_sum_in_figures_is_read_back(number: int, unit: str) -> None:
    for written in (str(number), f"{number:,}", f"{number:,}".replace(",", "，")):
        (found,) = amounts(f"支付{written}{unit}。")
        assert amount_record(found, "")["amount"] == number


@settings(max_examples=200)
@given(
    st.integers(1, 10**9),
    st.sampled_from(
        [("£{}", 1), ("US$ {}", 1), ("EUR {}k", 1000), ("${} million", 10**6), ("{} pounds", 1), ("£{:,}", 1)]
    ),
)
def test_an_english_sum_in_figures_is_read_back(number: int, form: tuple[str, int]) -> None:
    written, scale = form
    (found,) = amounts(f"He is to pay {written.format(number)}.")
    assert amount_record(found, "")["amount"] == number * scale


@settings(max_examples=300)
@given(st.integers(1, 999_999_999_999), st.sampled_from(["low", "up"]))
def test_a_sum_in_words_is_read_back(number: int, mode: str) -> None:
    import cn2an

    written = re.sub(
        "亿(?=.[千仟][^万]*$)", "亿零", cn2an.an2cn(number, mode)
    )  # it leaves out the 零: 三亿五千 is another
    (found,) = amounts(f"支付人民币{written}元整。")
    assert amount_record(found, "")["amount"] == number


@settings(max_examples=300)
@given(st.lists(st.integers(1, 1260), min_size=1, max_size=8), st.booleans(), st.sampled_from(["、", "，", "及", "和"]))
def test_a_list_of_articles_is_read_back(numbers: list[int], chinese: bool, joint: str) -> None:
    import cn2an

    written = joint.join(f"第{cn2an.an2cn(number) if chinese else number}条" for number in numbers)
    found = citations(f"依照《中华人民共和国民法典》{written}之规定")
    assert [(citation.law, citation.article) for citation in found] == [("民法典", str(number)) for number in numbers]


@settings(max_examples=200)
@given(st.integers(0, 24), st.integers(0, 11), st.integers(0, 29), st.sampled_from(["", "零"]))
def test_a_term_is_read_back(years: int, months: int, days: int, joint: str) -> None:
    import cn2an

    parts = [f"{cn2an.an2cn(years)}年"] * (years > 0) + [f"{cn2an.an2cn(months)}个月"] * (months > 0)
    parts += [f"{cn2an.an2cn(days)}日"] * (days > 0)
    if not parts:
        return
    (found,) = verdict(f"被告人甲某犯盗窃罪，判处有期徒刑{joint.join(parts)}，并处罚金一千元。").defendants
    assert (found.final.months, found.final.days) == (years * 12 + months, days or None)


# ---- time ------------------------------------------------------------------------------------------------------------

PARSERS: dict[str, Callable[[str], Any]] = {"citations": citations, "amounts": amounts, "verdict": verdict}
REPEATED = """
《 《》 《法》 《《甲》 《民法典》（ 《甲法》（以下简称《乙》） 第 第1 第1、 第1条 1条
第1条至第150条 第（一） 本法第1条 前款， 第1条，甲，第2款规定 之一 一 一二 1 1, １
元 1元 3-5万元 一元（1元 壹元（1 人民币 ¥1 1元至 1% 百分之 月息二分 每日 LPR 四倍LPR
2020年 1月1日 同年1月 自2020年1月1日起至 判决生效之日 一年 半年 日 以1元为基数 以为基数
被告人 被告人甲 被告人甲犯 被告人甲犯盗窃罪， 犯 犯罪 撤销 撤销缓刑， 与 有期徒刑 有期徒刑一年、
£ £1 £1, £1- £1,000 $1m 1million 1p, more£1
罚金 罚金1元 1元罚金 死刑 禁止被告人 决定对被告人 退赔1元， 一、被告人 判决如下 （刑期 ；
"""
ONE_AFTER_ANOTHER = [*REPEATED.split(), "第1条 ", "1 ", "£1 to ", "1 pound ", "2.5 million ", "£1 a day "]


@pytest.mark.parametrize("what", ONE_AFTER_ANOTHER)
def test_time_grows_with_the_length_only(what: str) -> None:
    """Eight times the text takes eight times as long, 64 times would be too much. Short times are not compared."""
    short, long = (what * (size // len(what)) for size in (1_000, 8_000))
    for parser in PARSERS.values():
        taken = timed(parser, long)
        assert taken < 0.03 or at_most(20, parser, short, long, taken)


@pytest.mark.parametrize("name", PARSERS)
def test_half_a_megabyte_takes_four_times_as_long_as_an_eighth(name: str) -> None:
    """About half a second on an idle machine; a square would take sixteen times as long."""
    lines = (FOLDER / "verdict-forms.yaml").read_text("utf-8") + (FOLDER / "citation-forms.yaml").read_text("utf-8")
    eighth = lines * (125_000 // len(lines.encode()) + 1)
    assert at_most(7, PARSERS[name], eighth, 4 * eighth, timed(PARSERS[name], 4 * eighth))


def at_most(times: int, parser: Callable[[str], Any], short: str, long: str, taken: float) -> bool:
    """Whether a long text takes at most so many times as long as a short one; `taken` for it already, and measured
    again where that says no: the processor may have been somebody else's."""
    most = times * min(timed(parser, short) for _ in range(2))
    return taken < most or timed(parser, long) < most


def timed(parser: Callable[[str], Any], text: str) -> float:
    before = time.process_time()
    parser(text)
    return time.process_time() - before


def test_any_order_of_the_tables_words_is_read() -> None:
    """Words of all tables in random order: the state between them is never one that was not thought of."""
    words = [
        word for name in ("citation", "money", "english", "rates", "times", "verdict") for word in strings(table(name))
    ]
    chance = random.Random(5)
    for _ in range(150):
        text = "".join(chance.choices([*words, *GIVEN], k=60))
        for parser in PARSERS.values():
            parser(text)


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [
            one
            for key, inner in value.items()
            if key not in ("patterns", "fragments")
            for one in [key, *strings(inner)]
        ]
    return (
        [one for inner in value for one in strings(inner)]
        if isinstance(value, list)
        else [value]
        if isinstance(value, str)
        else []
    )
