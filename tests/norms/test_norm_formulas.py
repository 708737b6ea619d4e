"""Formulas of norms: one tree for English and Chinese, a place for what cannot be read, exact numbers."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from legalworld.files.project_files import Disk
from legalworld.language.sentences.keywords import KEYWORDS
from legalworld.language.sentences.lexer import Line, Vocabulary
from legalworld.language.sentences.norm_words import FORMULA_STARTS, FORMULA_WORDS
from legalworld.language.sentences.parser import Parser, terminals
from legalworld.model.source import Span
from legalworld.wording.diagnostics import message

AT = Span("norms/x/y.yaml", 3, 5)
NAMES = ("甲", "乙", "丙", "签名", "lpr", "claim", "case", "请求人", "被请求人")
PAIRS = """
甲 plus 乙 | 甲 加 乙
甲 minus sum of 乙 after 甲.签名 | 甲 减 甲.签名 之后的 乙 合计
甲 minus sum of 乙 | 甲减乙合计
甲 times 2 over 100 | 甲 乘 2 除以 100
30 percent of 甲 | 甲 的 百分之 30
lower of 甲 and 4 times lpr at 乙 | 取较低者 甲 与 4 乘 lpr 按 乙
higher of 甲 and 乙 | 取较高者 甲 和 乙
later of 甲 and 乙 | 取较晚者 甲 与 乙
earlier of 甲 and 乙 | 取较早者 甲 与 乙
whole (甲 over 12) | 取整（甲 除以 12）
months from 甲 to 乙 | 自 甲 至 乙 的 月数
days from 甲 to 乙 | 自 甲 至 乙 的 天数
years from 甲 to 乙 | 自 甲 至 乙 的 年数
1 day after 甲 | 甲 之后 1 日
3 months before 甲 | 甲 之前 3 个月
first day of 甲 | 甲 的 首日
last day of 甲 | 甲 的末日
count of 甲 | 甲 数量
甲 is proved and not (乙 is open or 丙 is empty) | 甲 得证 且 非（乙 不明 或者 丙 空）
甲 is not proved | 甲 非 得证
甲 is admitted | 甲 自认
甲 is pleaded | 甲 已提出
甲 is no | 甲 是 否
甲 at least 3 | 甲 至少 3
甲 at most 乙 | 甲 不超过 乙
甲.签名 includes 被请求人 | 甲.签名 包括 被请求人
甲 is after 乙 | 甲 晚于 乙
甲 is not after 乙 | 甲 不晚于 乙
甲 is before 乙 | 甲 早于 乙
甲 is not before 2020-08-20 | 甲 不早于 2020-08-20
甲 is within 3 years of 乙 | 甲 在 乙 之日起 3 年 内
甲 is not within 3 years of 乙 | 甲 不在 乙 起 3 年 以内
"""
RULINGS = """
pay 甲 | 支付 甲
return 甲 minus 乙 | 返还 甲 减 乙
dismiss | 驳回
minus 甲 | 减 甲
pay 甲 plus interest on 甲 at 乙 from 丙 to payment | 支付 甲 加 以 甲 为基数 按 乙 自 丙 至 实际清偿 的 利息
pay interest on 甲 at 乙 from 丙 to payment | 给付 以 甲 为基数 按 乙 自 丙 至 清偿的利息
pay interest on 甲 at 乙 from 丙 to 甲 | 给付 以 甲 为基数 按 乙 自 丙 至 甲 的利息
"""
BOTH = [("expression", *line.split(" | ")) for line in PAIRS.strip().splitlines()]
BOTH += [("ruling", *line.split(" | ")) for line in RULINGS.strip().splitlines()]


@cache
def parser() -> Parser:
    return Parser(NAMES)


def shape(node: Any) -> Any:
    """A tree without its places."""
    if isinstance(node, tuple):
        return tuple(shape(one) for one in node)
    if not dataclasses.is_dataclass(node):
        return node
    inner = (shape(getattr(node, one.name)) for one in dataclasses.fields(node) if one.name != "span")
    return (type(node).__name__, *inner)


@pytest.mark.parametrize(("start", "en", "zh"), BOTH)
def test_both_languages_make_one_tree(start: str, en: str, zh: str) -> None:
    trees = []
    for text in (en, zh):
        node, problems = getattr(parser(), start)(text, AT)
        assert problems == () and node is not None, [message(one, "zh") for one in problems]
        trees.append(shape(node))
    assert trees[0] == trees[1]


def test_every_word_of_formulas_stands_in_a_pair() -> None:
    """The first spelling of each, in both languages."""
    said = set()
    for start, *texts in BOTH:
        for text in texts:
            line = Line(text, AT, Vocabulary(start, terminals(start), frozenset(NAMES)))
            said |= {(word.type, "".join(word.split())) for word in line.words()}
    first = {(kind, "".join(column[0].split())) for kind in FORMULA_WORDS for column in KEYWORDS[kind] if column}
    assert {one for one in first if one not in said} == set()


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("甲 plus", 6),
        ("甲 at", 4),
        ("lower of 甲", 10),
        ("甲 is", 4),
        ("months from 甲", 13),
        ("plus 甲", 0),
        ("甲 乙", 2),
    ],
)
def test_what_cannot_be_read_has_its_place(text: str, column: int) -> None:
    node, problems = parser().expression(text, AT)
    assert node is None and len(problems) == 1
    assert abs(problems[0].span.column - (AT.column + column)) <= 1
    assert message(problems[0], "en") != message(problems[0], "zh")


def test_a_choice_between_sums_needs_brackets() -> None:
    """`lower of A and B minus C` could be read in two ways, so it is refused."""
    assert parser().expression("lower of 甲 and 乙 minus 丙", AT)[0] is None
    for text in ("(lower of 甲 and 乙) minus 丙", "lower of 甲 and (乙 minus 丙)"):
        assert parser().expression(text, AT)[0] is not None


def test_words_of_formulas_stay_names_of_procedures() -> None:
    """A procedure may call a role `over`: they are keywords of formulas alone."""
    words = [word for kind in FORMULA_WORDS for column in KEYWORDS[kind] for word in column if " " not in word]
    free = {word for word in words if word not in {"from", "no", "empty"}}
    for start in ("condition", "head", "actors"):
        kinds = terminals(start)
        assert not kinds & FORMULA_WORDS.keys()
    assert {"over", "plus", "加", "减"} <= free


LEAVES = st.sampled_from(["甲", "乙", "12", "0.5", "claim.数额"])
SUMS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["plus", "minus", "times", "over", "加", "乘"]), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        inner.map(lambda one: f"whole ({one})"),
        inner.map(lambda one: f"30 percent of ({one})"),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(SUMS)
def test_every_nested_sum_is_read_as_it_stands(text: str) -> None:
    node, problems = parser().expression(text, AT)
    if node is None:  # too deep or too long, and it says so
        assert {one.code for one in problems} == {"LW021"}
        return
    assert node.span.column == AT.column and node.span.length == len(text)


def test_numbers_are_exact() -> None:
    node, _ = parser().expression("0.1", AT)
    assert shape(node) == ("BareNumber", Decimal("0.1"))
    node, _ = parser().expression("1 日 之后", AT)
    assert node is None
    node, _ = parser().expression("3 years after 甲", AT)
    assert shape(node)[1] == ("CalendarPeriod", 3, "years")


def test_the_starts_are_those_of_the_shipped_norms() -> None:
    assert FORMULA_STARTS == ("expression", "ruling")
    assert any(path.startswith("norms/") for path in Disk(ROOT).names("norms"))
