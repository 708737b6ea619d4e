"""Courts and parties in prose, and requests amended in other words: the right value, none, or something is told."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from test_mutants import original, read

APPEALS = ("simucourt-civil-appeal", "simucourt-administrative-appeal")
COURTS = ("江澜市青塘区人民法院", "于都县人民法院", "日照市月湖区人民法院", "江澜海事法院")
BEHIND = (
    "（2024）虚0105民初7号民事判决",
    "于2024年3月1日作出的民事判决",
    "于1999年3月1日作出的判决",
    "2024虚0105民初7号判决",
    "所作判决",
)
ODD = "LW800"


@pytest.mark.parametrize("name", APPEALS)
@pytest.mark.parametrize("court", COURTS)
@pytest.mark.parametrize("behind", BEHIND)
def test_the_court_below_without_what_follows(tmp_path: Path, name: str, court: str, behind: str) -> None:
    for said in ("不服{}，请求改判。", "请求撤销{}，改判付款。"):
        record = copy.deepcopy(original(name)[0])
        record["上诉请求"] = said.format(court + behind)
        [found], _ = read(tmp_path, name, [record])
        assert found[0]["matter"]["court"] == court


@pytest.mark.parametrize("name", APPEALS)
@pytest.mark.parametrize("behind", ["的判决", "在某案中的决定", "就本案的处理"])
def test_what_is_no_court_alone_is_told(tmp_path: Path, name: str, behind: str) -> None:
    record = copy.deepcopy(original(name)[0])
    record["上诉请求"] = f"请求撤销江澜市人民法院{behind}，改判付款。"
    [found], codes = read(tmp_path, name, [record])
    assert found[0]["matter"].get("court") in (None, "江澜市人民法院") or ODD in codes


KEY = "原告诉请判令（公诉机关指控）"
AMENDED = [
    "变更后的诉讼请求：1．被告返还9000元。",
    "变更后的诉讼请求:1.被告返还9000元。",
    "后变更诉讼请求为:1.被告返还9000元。",
    "后原告当庭变更诉请：1、返还9000元。",
    "诉讼中，原告将第1项诉请调整为9000元。",
    "诉讼中，原告调整了诉讼请求。",
    "原告申请增加诉请，要求利息300元。",
    "重审中原告请求改为：1．被告返还9000元。",
    "2021年3月2日，原告明确诉讼请求为：1．被告返还9000元。",
]


@pytest.mark.parametrize("name", ["simucourt-civil", "simucourt-administrative"])
@pytest.mark.parametrize("said", AMENDED)
def test_an_amendment_is_taken_or_told(tmp_path: Path, name: str, said: str) -> None:
    record = copy.deepcopy(original(name)[0])
    record[KEY] = f"请求判令：1．被告返还5000元；2．诉讼费由被告承担。{said}事实和理由：到期未还。"
    [found], codes = read(tmp_path, name, [record])
    amended = [one["text"] for one in found[0].get("amended_claims") or []]
    assert amended == ["被告返还9000元"] or "LW245" in codes


@pytest.mark.parametrize("joined", ["与", "和", "诉"])
@pytest.mark.parametrize("name", ["王建业", "欧阳小兰", "江澜和与贸易有限公司"])
def test_a_party_without_the_word_that_leads_to_the_other(tmp_path: Path, joined: str, name: str) -> None:
    said = f"原告：{name}{joined}被告：郑若虹，买卖合同纠纷。诉讼请求：1.支付货款36800元。事实与理由：没有付款。"
    record = {"plaintiff_statement": said, "defendant_statement": "不同意。"}
    [found], _ = read(tmp_path, "agentcourt", [record])
    assert [one["name"] for one in found[0]["parties"]["plaintiff"]] == [name]
