"""Sums as courts reckon them: accounts of a debt, fees by brackets, rates by the day. What is expected lies in files.

The tables are the shipped ones: a bracket or a rate that is mistyped there is found here.
"""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT
from ruamel.yaml import YAML

from legalworld.figures.tables import FigureTable, read_table
from legalworld.figures.terms import last_day
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateError, TemplateSet

FOLDER = Path(__file__).parent
ACCOUNTS = sorted((FOLDER / "accounts").glob("*.yaml"))
TERMS = [line.split("\t") for line in (FOLDER / "terms.tsv").read_text("utf-8").splitlines()]
FEES = [line.split("\t") for line in (FOLDER / "fees.tsv").read_text("utf-8").splitlines()]
TABLES = {f"documents/zh/court/{path.name}": path.read_text("utf-8") for path in ROOT.glob("documents/zh/court/*.yaml")}
HOME = "prompts/zh/x.j2"


def rendered(text: str, names: dict[str, Any]) -> str:
    """A template of a procedure whose forms are the courts'."""
    return TemplateSet(MemorySources({HOME: text, **TABLES}), wording=("court",)).render(HOME, names)


@pytest.mark.parametrize("path", ACCOUNTS, ids=lambda path: path.stem)
def test_an_account_says_what_is_still_owed(path: Path) -> None:
    case = YAML(typ="base").load(path)
    expected = case["expected"]
    options = 'creditor=me.name, cap="lpr", times=4, until=memory.day'
    text = f"{{% for a in memory.payments | ledger({options}) %}}"
    text += "".join(f"{key}={{{{ a.{key} }}}}\n" for key in expected) + "{% endfor %}"
    memory = {"payments": (case["payments"],), "day": case.get("until", "")}
    found = rendered(text, {"me": {"name": case["creditor"]}, "memory": memory})
    assert found == "".join(f"{key}={value}\n" for key, value in expected.items())


def test_where_nothing_was_lent_there_is_no_account() -> None:
    text = '{% for a in memory.payments | ledger(creditor="甲") %}{{ a.principal }}{% else %}没有{% endfor %}'
    back = {"date": "2023-01-01", "amount": "5", "from": "乙", "to": "甲"}
    assert rendered(text, {"memory": {"payments": (back,)}}) == "没有"
    assert rendered(text, {"memory": {"payments": ()}}) == "没有"


def test_a_payment_that_cannot_be_read_is_told_at_the_filter() -> None:
    text = '{% for a in memory.payments | ledger(creditor="甲") %}{% endfor %}'
    for bad in ({"date": "2023年春"}, {"amount": "约五千"}, {"until": "后来"}):
        row = {"date": "2023-01-01", "amount": "5", "from": "甲", "to": "乙", **bad}
        with pytest.raises(TemplateError) as caught:
            rendered(text, {"memory": {"payments": (row,)}})
        assert [problem.code for problem in caught.value.problems] == ["LW451"]


@pytest.mark.parametrize(("table", "amount", "fee"), FEES, ids=lambda word: word)
def test_a_fee_follows_the_brackets(table: str, amount: str, fee: str) -> None:
    assert rendered(f'{{{{ memory.amount | scaled("{table}") }}}}', {"memory": {"amount": amount}}) == fee


@pytest.mark.parametrize(
    ("day", "rate"),
    [
        ("2019-08-19", ""),
        ("2019年8月20日", "4.25"),
        ("2021-03-12", "3.85"),
        ("2021-12-19", "3.85"),
        ("2025-05-20", "3"),
    ],
)
def test_a_rate_holds_from_the_day_of_its_publication(day: str, rate: str) -> None:
    assert rendered('{{ memory.day | published("lpr") }}', {"memory": {"day": day}}) == rate


@pytest.mark.parametrize(
    ("sum_", "result"),
    [
        ('"9800"|times(6)|times(2)', "117600"),
        ('"9800"|over("21.75")|times(4)|times(2)', "3604.56"),  # cents are kept at each step: divide last
        ('"9800"|times(4)|times(2)|over("21.75")', "3604.60"),
        ('"1,000"|plus("0.5")|minus(1)', "999.50"),
        ('"5"|least("3")', "3"),
        ('"5"|over(0)', ""),
        ('"约五"|plus(1)', ""),
    ],
)
def test_arithmetic_keeps_cents_and_says_nothing_of_what_is_no_number(sum_: str, result: str) -> None:
    assert rendered(f"{{{{ {sum_} }}}}", {}) == result


def test_what_is_wrong_with_a_table_is_told_where_the_table_says_it() -> None:
    home = "documents/zh/t.yaml"
    head = "lw: 1\ntable: t\ntitle: 表\nsource: 出处\n"
    bad = {
        "LW079": head + "brackets: [{over: 很多}]\n",
        "LW452": head + "published: [{from: 去年, value: 1}]\n",
        "LW042": head,
        "LW041": head + "rows: []\n",
    }
    for code, text in bad.items():
        found = read_table(MemorySources({home: text}), home)
        assert not isinstance(found, FigureTable) and [problem.code for problem in found] == [code]
    for text, code in ((bad["LW079"], "LW079"), ("", "LW450")):
        texts = {HOME: '{{ "5"|scaled("t") }}', **({home: text} if text else {})}
        assert [problem.code for problem in TemplateSet(MemorySources(texts)).check(HOME)] == [code]


@pytest.mark.parametrize(("since", "sentence", "less", "until"), TERMS, ids=lambda word: word)
def test_a_term_ends_by_the_calendar(since: str, sentence: str, less: str, until: str) -> None:
    text = '{{ memory.since | last_day(memory.sentence, "有期徒刑", "拘役", "管制", less=memory.less) }}'
    assert rendered(text, {"memory": {"since": since, "sentence": sentence, "less": less}}) == until


def test_days_between_two_days_count_both() -> None:
    text = "{{ memory.a | days_to(memory.b) }}"
    days = {"2024年11月6日": "30", "2024年12月5日": "1", "2024年12月6日": "", "去年": "", "": ""}
    for since, count in days.items():
        assert rendered(text, {"memory": {"a": since, "b": "2024年12月5日"}}) == count


@given(
    st.dates(date(1990, 1, 1), date(2090, 1, 1)),
    st.integers(0, 20),
    st.integers(0, 11),
    st.integers(0, 40),
)
def test_a_term_is_neither_longer_nor_shorter_than_it_says(since: date, years: int, months: int, less: int) -> None:
    end = last_day(since, years, months, 0, less)
    if not (years or months):
        assert end is None
        return
    whole = last_day(since, years, months, 0)
    assert whole is not None
    follows = whole + timedelta(1)
    assert (follows.year * 12 + follows.month) - (since.year * 12 + since.month) == years * 12 + months
    last = (follows + timedelta(1)).day == 1  # of its month
    assert follows.day == since.day or (last and (follows.day < since.day or (since + timedelta(1)).day == 1))
    assert end == (whole - timedelta(less) if whole - timedelta(less) >= since else None)
    if months < 11:
        later = last_day(since, years, months + 1, 0)
        assert later is not None and 27 <= (later - whole).days <= 32


ORDER = '{{ memory.laws | cited("citation-order") }}'


@pytest.mark.parametrize(
    ("laws", "listed"),
    [
        (
            "《中华人民共和国民事诉讼法》第六十八条第二款、《最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释》第三百八十六条第一款第二项、第三项、"
            "《中华人民共和国民法典》第六百二十六条、《中华人民共和国民事诉讼法》第六十七条第一款、《中华人民共和国民事诉讼法》第六十八条第二款",
            "《中华人民共和国民法典》第六百二十六条，《中华人民共和国民事诉讼法》第六十七条第一款、第六十八条第二款，"
            "《最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释》第三百八十六条第一款第二项、第三项",
        ),
        (
            "《诉讼费用交纳办法》第九条、《中华人民共和国行政诉讼法》第七十条第（三）项、第七十条第（一）项、《中华人民共和国食品安全法》第一百二十条之一，《中华人民共和国食品安全法》第一百二十条",
            "《中华人民共和国食品安全法》第一百二十条、第一百二十条之一，《中华人民共和国行政诉讼法》第七十条第（三）项、第七十条第（一）项，《诉讼费用交纳办法》第九条",
        ),
        ("《中华人民共和国民法典》、", "《中华人民共和国民法典》"),
        ("没有书名的话，第三条", "没有书名的话，第三条"),
        ("", ""),
    ],
)
def test_laws_are_listed_once_each_and_in_their_order(laws: str, listed: str) -> None:
    assert rendered(ORDER, {"memory": {"laws": laws}}) == listed


def test_a_table_that_gives_no_order_lists_laws_as_they_came() -> None:
    laws = "《乙法》第一条、《甲法》第二条、《乙法》第三条"
    listed = "《乙法》第一条、第三条，《甲法》第二条"
    assert rendered('{{ memory.laws | cited("labour-fee") }}', {"memory": {"laws": laws}}) == listed
