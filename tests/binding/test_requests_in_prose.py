"""Requests that stand in prose: each is one, and no story, no exhibit and nothing that was said later is among them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from test_mutants import original, read

STORY = "2024年1月，被告到期没有处理，原告多次交涉未果。"
LEADS = ("故请求：", "故诉至法院，要求：", "请求判令：", "诉讼请求：", "请求", "要求")
NUMBERS = (("1.", "2."), ("1、", "2、"), ("一、", "二、"), ("（1）", "（2）"))
CLAIMS = ("撤销被告2024年3月2日作出的告知书", "本案诉讼费用由被告负担")
LATER = ("", "庭审中，原告明确第一项请求为确认违法。", "审理过程中，原告撤回第二项请求。")
EXHIBITS = (
    "",
    "\n原告为证明自己的主张，向本院提交以下证据：\n1.身份证复印件；\n2.告知书，证明被告不予处理。",
    "\n原告林启川向本院提交了以下证据：1．清单，证明损失；2．回单，证明寄出。",
)
CELL = "原告诉请判令（公诉机关指控）"
NOTHING = {"原告陈述": "无", "被告陈述": "不同意。", "被告代理人辩护": "无"}


def listed(numbers: tuple[str, str], lead: str) -> str:
    return lead + "；".join(number + claim for number, claim in zip(numbers, CLAIMS, strict=True)) + "。"


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("lead", LEADS)
def test_administrative_claims_in_prose(tmp_path: Path, lead: str, numbers: tuple[str, str]) -> None:
    """Whatever leads into them, whatever follows."""
    base = original("simucourt-administrative")[0] | NOTHING
    tails = list(itertools.product(LATER, EXHIBITS))
    records = [base | {CELL: f"原告诉称，{STORY}{listed(numbers, lead)}{later}{shown}"} for later, shown in tails]
    found, _ = read(tmp_path, "simucourt-administrative", records)
    for one in found:
        assert [claim["text"] for claim in one[0]["claims"]] == list(CLAIMS)
        story = one[0]["grounds"]["plaintiff"]
        assert story.startswith(STORY)
        assert not any(word in story for word in (*CLAIMS, "证明", "复印件"))


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("lead", LEADS)
def test_civil_claims_in_prose(tmp_path: Path, lead: str, numbers: tuple[str, str]) -> None:
    base = original("simucourt-civil")[0] | NOTHING
    records = [base | {CELL: f"原告诉称，{STORY}{listed(numbers, lead)}{later}"} for later in LATER]
    found, _ = read(tmp_path, "simucourt-civil", records)
    for one in found:
        assert [claim["text"] for claim in one[0]["claims"]] == list(CLAIMS)


@pytest.mark.parametrize("later", LATER)
def test_appeal_requests_without_what_was_said_later(tmp_path: Path, later: str) -> None:
    base = original("simucourt-civil-appeal")[0]
    first = f"林启川向一审法院起诉请求：1．返还借款50000元；2．诉讼费由被告承担。{later}\n一审法院认定事实：欠款属实。"
    [bound], _ = read(tmp_path, "simucourt-civil-appeal", [base | {"一审法院认定事实": first}])
    assert [claim["text"] for claim in bound[0]["claims"]] == ["返还借款50000元", "诉讼费由被告承担"]


# ---- who the accused is ----------------------------------------------------------------------------------------------

BIRTHS = (
    "男，1974年7月29日出生",
    "于1974年7月29日出生",
    "1974年7月29日出生于江澜市",
    "男性，1974年7月29日出生",
    "1974年7月29日",
)
BEFORE = {
    "曾因犯盗窃罪于2019年3月被判处拘役四个月。": "曾因犯盗窃罪于2019年3月被判处拘役四个月",
    "因犯盗窃罪于2019年3月被判处拘役四个月。": "因犯盗窃罪于2019年3月被判处拘役四个月",
    "无违法犯罪记录。": "没有犯罪前科",
    "": None,
}
HELD = {
    "因涉嫌犯诈骗罪，于2024年5月1日被刑事拘留。": "因涉嫌犯诈骗罪，于2024年5月1日被刑事拘留",
    "2024年5月1日因涉嫌犯诈骗罪被取保候审。": "2024年5月1日因涉嫌犯诈骗罪被取保候审",
    "因本案于2024年5月1日被取保候审。": "因本案于2024年5月1日被取保候审",
    "": None,
}


@pytest.mark.parametrize("birth", BIRTHS)
@pytest.mark.parametrize("prior", BEFORE)
def test_what_is_known_of_the_accused(tmp_path: Path, birth: str, prior: str) -> None:
    base, told = original("simcourt"), f"宛某，绰号大水子，{birth}，汉族，初中文化，户籍所在地某县。{prior}"
    records = [base[0] | {"defendant_information": told + held} for held in HELD]
    found, _ = read(tmp_path, "simcourt", records)
    for held, one in zip(HELD, found, strict=True):
        [person] = one[0]["persons"]["defence"]
        assert (person.get("birth"), person.get("prior")) == ("1974年7月29日", BEFORE[prior])
        assert person.get("custody") == HELD[held]
