"""The parsers on neighbours of what they are known to read: other marks, orders, numbers, names, brackets, dashes."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest

from legalworld.law.text.amounts import amounts, stated_total
from legalworld.law.text.citations import citations
from legalworld.law.text.lexicon import pattern
from legalworld.law.text.money import Money, MoneyRange, UnclearSum

DASHES = "-－—–‑‐−"


def sums_in(text: str) -> list[Decimal | tuple[Decimal, Decimal] | None]:
    """Each sum of a text; None for one that is not clear."""
    found = [value for value in amounts(text) if isinstance(value, Money | MoneyRange | UnclearSum)]
    return [
        value.amount if isinstance(value, Money) else (value.low, value.high) if isinstance(value, MoneyRange) else None
        for value in found
    ]


# ---- sums ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dash", DASHES)
@pytest.mark.parametrize("number", ["100{}000", "5000{}3000", "1,000{}000", "20{}20", "2021{}500"])
@pytest.mark.parametrize("around", ["返还借款{}元；", "共计人民币{}元整", "（{}元）"])
def test_what_is_no_range_is_no_number_either(dash: str, number: str, around: str) -> None:
    assert sums_in(around.format(number.format(dash))) == [None]


@pytest.mark.parametrize("dash", [*DASHES, "至", "到", "~"])
def test_a_range_is_one(dash: str) -> None:
    assert sums_in(f"赔偿3000{dash}5000元") == [(Decimal(3000), Decimal(5000))]
    assert sums_in(f"赔偿3{dash}5万元") == [(Decimal(30000), Decimal(50000))]


@pytest.mark.parametrize("letter", ["A", "B", "C", "D", "C1C", "K", "s", "X"])
@pytest.mark.parametrize("number", ["1,600", "11,600", "5000", "12345.67"])
def test_a_letter_before_a_number_leaves_its_beginning_open(letter: str, number: str) -> None:
    for before in ("学习驾驶", "车型", "粤"):
        assert sums_in(f"{before}{letter}{number}元。") == [None]


@pytest.mark.parametrize("before", ["", "学费", "A区", "C1照", "A2驾照", "B栋", "C1 ", "¥", "RMB", "CNY ", "人民币"])
def test_a_sum_that_stands_apart_is_read(before: str) -> None:
    assert sums_in(f"支付{before}1,600元。") == [Decimal(1600)]


@pytest.mark.parametrize("sign", ["X", "x", "×", "*"])
def test_products_are_read(sign: str) -> None:
    assert sums_in(f"护理费14天{sign}120元=1680元") == [Decimal(120), Decimal(1680)]


@pytest.mark.parametrize("dash", DASHES)
def test_a_subtraction_is_no_range(dash: str) -> None:
    assert sums_in(f"应付5250元{dash}6153.21元+1000元=96.79元")[:2] == [Decimal(5250), Decimal("6153.21")]
    assert sums_in(f"21000元+3120元{dash}6153.21元") == [Decimal(21000), Decimal(3120), Decimal("6153.21")]


@pytest.mark.parametrize("share", ["80%", "80％", "百分之八十", "八成"])
@pytest.mark.parametrize("link", ["，即", "即", "，为", "，计", "，也就是"])
@pytest.mark.parametrize("what", ["", "责任", "部分"])
def test_of_a_sum_and_its_share_the_share_is_due(share: str, link: str, what: str) -> None:
    text = f"赔偿原告医疗费10000元的{share}{what and '的' + what}{link}8000元"
    assert sums_in(text) == [Decimal(10000), Decimal(8000)]
    assert stated_total(text, "CNY") == Decimal(8000)


WORTHS = ["价值", "价值约", "总价值", "市值", "设备价值人民币", "评估价为", "估价", "现值共计", "单价", "原价："]
FORMS = [("4000元", 4000), ("4,000.50元", Decimal("4000.50")), ("4千元", 4000), ("肆仟元整", 4000), ("￥4000", 4000)]


@pytest.mark.parametrize("worth", WORTHS)
@pytest.mark.parametrize("form", [form for form, _ in FORMS])
@pytest.mark.parametrize(
    "claim",
    [
        "判令被告继续供货，{}的钢材",
        "交付{}的手机一部",
        "返还车辆（{}）",
        "确认查封清单上的锣机为原告所有（{}）",
        "判令被告按约供应{}货物并开具发票",
        "返还玉镯一只，{}",
    ],
)
def test_what_a_thing_is_worth_is_not_owed(claim: str, worth: str, form: str) -> None:
    assert stated_total(claim.format(worth + form), "CNY") is None
    assert stated_total(f"{claim.format(worth + form)}；并支付运费300元", "CNY") == Decimal(300)


@pytest.mark.parametrize("worth", WORTHS)
@pytest.mark.parametrize(("form", "sum_"), FORMS)
@pytest.mark.parametrize(
    "claim", ["赔偿{}的手机", "赔偿原告车辆损失，{}", "支付{}的货款", "折价补偿钢材（{}）", "支付{}货款及利息"]
)
def test_what_a_thing_is_worth_is_owed_where_it_is_to_be_made_good(
    claim: str, worth: str, form: str, sum_: Decimal | int
) -> None:
    assert stated_total(claim.format(worth + form), "CNY") == Decimal(sum_)


@pytest.mark.parametrize("claim", ["deliver goods worth £4,000", "return the ring, valued at £4,000"])
def test_what_a_thing_is_worth_in_english(claim: str) -> None:
    assert stated_total(claim, "GBP") is None
    assert stated_total(f"compensation for {claim.partition(' ')[2]}", "GBP") == Decimal(4000)


@pytest.mark.parametrize("gap", ["，", "、", " ", "（", "，即"])
def test_a_sum_in_words_and_in_figures_is_one(gap: str) -> None:
    shut = "）" if gap == "（" else ""
    assert sums_in(f"工程款壹拾万元整{gap}100,000元{shut}，余款405,561元") == [Decimal(100000), Decimal(405561)]
    assert len(sums_in("工程款壹拾万元整，200,000元，余款405,561元")) == 3


# ---- docket numbers --------------------------------------------------------------------------------------------------

COURTS = ("京0105", "沪", "青", "虚01", "最高法", "新4224", "浙杭")
OF_OLD = (
    "民初字第",
    "民三（知）初字第",
    "民三(知)初字第",
    "刑终字第",
    "行初字第",
    "民四（商）终字第",
    "知初字第",
    "执字第",
)
OF_NOW = ("民初", "刑终", "行申", "执", "执保", "破", "民辖终", "知民终", "财保", "民特")
TAILS = ("33号", "33-1号", "1234号之一", "9号", "12345-2号")


@pytest.mark.parametrize("kind", [*OF_OLD, *OF_NOW])
def test_docket_numbers(kind: str) -> None:
    for court, tail, brackets in itertools.product(COURTS, TAILS, ("（）", "()", "〔〕", "[]")):
        number = f"{brackets[0]}2009{brackets[1]}{court}{kind}{tail}"
        (found,) = pattern("judgment", "number").finditer(text := f"本院作出{number}判决")
        assert text[found.start() : found.end()] == number


@pytest.mark.parametrize("body", ["临鉴字第567号", "碚劳人仲案字第519号", "18号", "文鉴字第1号"])
def test_other_numbers_are_no_dockets(body: str) -> None:
    assert not [*pattern("judgment", "number").finditer(f"司法鉴定所（2023）{body}意见")]


# ---- citations -------------------------------------------------------------------------------------------------------


def cited(text: str) -> list[tuple[str | None, str | None]]:
    return [(one.law, one.article) for one in citations(text)]


@pytest.mark.parametrize(
    "number",
    ["法发（1992）38号", "法发〔1992〕38号", "法（办）发〔1988〕6号", "高检会（三）字[1999]第2号", "渝府发(2012)22号"],
)
@pytest.mark.parametrize("between", ["", "的", "中的", "第一章"])
def test_the_number_of_a_circular_does_not_cut_its_title_off(number: str, between: str) -> None:
    text = f"根据《关于办理游船案件的通知》（{number}）{between}第三条的规定"
    assert cited(text) == [("关于办理游船案件的通知", "3")]


RELIED = ("依照", "根据", "按照", "违反了", "适用", "参照")


@pytest.mark.parametrize("verb", RELIED)
@pytest.mark.parametrize("noun", ["条例", "规定", "办法", "细则", "解释"])
def test_a_bare_kind_of_law_is_the_last_of_its_kind_or_none(verb: str, noun: str) -> None:
    assert cited(f"{verb}{noun}第七十九条，处以罚款。") == [(None, "79")]
    assert cited(f"《湖滨市游船{noun}》第一条已经写明。{verb}{noun}第七十九条，处以罚款。")[-1][1] == "79"
    assert not [law for law, _ in cited(f"被告{verb}{noun}第七十九条") if law and verb in law]


@pytest.mark.parametrize(
    "paper", ["合同", "协议", "《房屋租赁合同》", "补充协议", "章程", "保险条款", "保证书", "劳动合同", "约定"]
)
@pytest.mark.parametrize("clause", ["第五条", "第五条第二款", "第五条、第六条", "第十二条第（三）项"])
@pytest.mark.parametrize("after", ["约定租金每月支付。", "，被告应付款。", "载明：逾期付款。", "的约定，被告免赔。"])
def test_clauses_of_a_contract_are_no_citations(paper: str, clause: str, after: str) -> None:
    for verb in ("", "根据", "按照双方签订的", "原告依据"):
        assert cited(f"{verb}{paper}{clause}{after}") == []


@pytest.mark.parametrize("clause", ["第五条约定租金每月支付。", "第五条载明：逾期付款。"])
@pytest.mark.parametrize("before", ["依据", "根据双方约定的", "按照", "该合同的"])
def test_a_clause_that_says_that_it_was_agreed(before: str, clause: str) -> None:
    assert cited(before + clause) == []


def test_a_law_beside_a_contract_is_cited() -> None:
    assert cited("借款合同第三条约定，依照合同法第一百零七条。") == [("合同法", "107")]
    assert cited("《劳动合同》第二条与《劳动合同法》第八十二条。") == [("劳动合同法", "82")]
