"""Stretches of a text: marks with holes, lists that go with what leads into them, and names that are no other words."""

from __future__ import annotations

import itertools

import pytest

from legalworld.binding.joined_names import is_no_name
from legalworld.binding.pieces import Stretch, TextRule

NUMBERS = ("1.", "1、", "1．", "（1）", "(1)", "一、", "（一）", "①")
SIGNS = ("。", "；", "\n")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("word", ["请求", "故要求", "诉称，"])
def test_a_start_before_a_list_leaves_its_number(number: str, word: str) -> None:
    text = f"原告多次请求还款，被告要求缓一缓，诉称不实。{word}{number}还款{{}}；其余从略"
    assert Stretch((word + "{n}",), ()).read(text) == f"{number}还款{{}}；其余从略"


@pytest.mark.parametrize("text", ["请求还款", "请求1.5倍违约金", "请求21.支付", "请求返还1、2月租金"])
def test_a_number_of_something_else_begins_no_list(text: str) -> None:
    assert Stretch(("请求{n}",), ()).read(text) is None


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("subject", ["", "被告人林启川", "林启川、郑若虹、云汀公司均", "在法庭上，公诉机关"])
def test_a_mark_with_a_hole_takes_its_sentence_along(sign: str, subject: str) -> None:
    text = f"二人搬走电缆{sign}{subject}对起诉书没有异议。法院查明。"
    kept = Stretch(("",), (sign + "{_}对起诉书",)).read(text)
    assert kept == f"二人搬走电缆{sign}"


@pytest.mark.parametrize("sign", SIGNS)
def test_a_hole_stays_in_its_sentence(sign: str) -> None:
    text = f"甲某到场{sign}乙某离开。丙某对起诉书没有异议"
    assert Stretch(("",), ("到场{_}对起诉书",)).read(text) == text


def test_the_earliest_mark_wins_whatever_its_place_in_the_list() -> None:
    starts, ends = ("指控：", "检察院指控："), ("辩称", "。{_}辩称", "查明")
    for order in itertools.permutations(ends):
        for first in itertools.permutations(starts):
            assert Stretch(first, order).read("检察院指控：搬走电缆。林某辩称没有。经查明") == "搬走电缆。"


@pytest.mark.parametrize("lead", ["诉至法院，请求：", "故要求法院："])
@pytest.mark.parametrize("forms", [("1.", "2.", "3."), ("一、", "二、", "三、"), ("（1）", "（2）", "（3）")])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_list_goes_with_what_leads_into_it(lead: str, forms: tuple[str, ...], count: int) -> None:
    items = "；".join(f"{forms[n]}第{n}项" for n in range(count))
    text = f"被告没有还款。{lead}{items}。原告等候至今。"
    rule = TextRule(drop_sentence_with=(lead[-5:],))
    assert rule.trimmed(text) == "被告没有还款。原告等候至今。"


@pytest.mark.parametrize("text", ["请求还款；1.借条在案；2.转账在案。", "不服判决。1.借条在案；2.转账在案。"])
def test_a_list_that_something_else_leads_into_stays(text: str) -> None:
    kept = TextRule(drop_sentence_with=("请求", "不服")).trimmed(text)
    assert kept == "1.借条在案；2.转账在案。"


PEOPLE = ("林启川", "郑若虹", "孙某", "侯某1", "侯某2", "王某甲", "任**", "潘×", "欧阳某某", "买买提·艾力")
FIRMS = ("云汀餐饮管理有限公司", "江澜市青塘区供销社")


@pytest.mark.parametrize("count", range(1, 12))
def test_names_are_names_however_many(count: int) -> None:
    names = (*PEOPLE, *FIRMS)[:count]
    assert is_no_name("、".join(names)) is None


@pytest.mark.parametrize(
    "words",
    ["归案后", "及其辩护人", "到案以后", "2012年", "犯罪时", "当庭认罪的态度", "的供述", "二人分别", "", "对指控"],
)
def test_other_words_are_no_names(words: str) -> None:
    assert is_no_name(words) is not None
    assert is_no_name(f"林启川、{words}") is not None or not words


@pytest.mark.parametrize("sign", "；。")
@pytest.mark.parametrize("mark", ["", ",", "，"])
def test_a_number_without_its_mark_still_begins_an_item(sign: str, mark: str) -> None:
    text = f"1.偿还借款10000元；2、支付利息{sign}3{mark}承担诉讼费"
    items = [item.strip("；。") for item in TextRule(split=("{n}",)).pieces(text)]
    assert items == ["偿还借款10000元", "支付利息", "承担诉讼费"]


@pytest.mark.parametrize("goes_on", ["3年以后付清", "3万元", "3个月", "3,000元", "33项"])
def test_a_number_of_something_else_begins_no_item(goes_on: str) -> None:
    text = f"1.偿还借款10000元；2、支付利息；{goes_on}"
    assert len(list(TextRule(split=("{n}",)).pieces(text))) == 2
