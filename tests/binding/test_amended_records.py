"""Records that tell of claims amended in the proceedings: the first ones before the hearing, the amended ones in it."""

from __future__ import annotations

import json
from itertools import product

import pytest
from playing import ROOT, project

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.binding.file import load_binding
from legalworld.files.project_files import Disk
from legalworld.model.amendments import start_of
from legalworld.model.case import Case, texts
from legalworld.model.diagnostics import Diagnostic

KEY = "原告诉请判令（公诉机关指控）"
HEADS = ("请求判令：", "故诉至法院，请求：")
FIRST = ("1．被告返还5000元；2．被告承担诉讼费用。", "一、被告返还5000元；二、被告承担诉讼费用。")
LEADS = ("后又", "审理中，原告", "庭审时，原告", "本案审理过程中，原告", "诉讼过程中，原告向本院")
AMENDS = ("变更诉讼请求为：", "变更诉讼请求为")
AMENDED = ("1．被告返还9000元；2．被告支付利息300元；3．被告承担诉讼费用。",)
SETS = {"simucourt-civil": ("civil", "FIT"), "simucourt-administrative": ("administrative", "hearing")}


def bound(name: str, text: str) -> tuple[Case, str, list[Diagnostic]]:
    procedure = project(f"specs/{SETS[name][0]}.yaml").procedure
    assert procedure is not None
    binding, _ = load_binding(Disk(ROOT), f"bindings/{name}.yaml", procedure)
    records = (ROOT / "tests" / "binding" / "cases" / "foreign" / f"{name}.json").read_text(encoding="utf-8")
    data, _ = parse_data("one.json", json.dumps([{**json.loads(records)[0], KEY: text}], ensure_ascii=False))
    assert data is not None and binding is not None
    case, problems = bind(procedure, data, record=1, binding=binding, settings={}, total=lambda *_: "")
    assert case is not None, problems
    start = start_of(procedure, case, procedure.fields["amended_claims"]).text
    return case, start, [one for one in problems if one.code == "LW245"]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("head", "first", "lead", "amends"), product(HEADS, FIRST, LEADS, AMENDS))
def test_amended_claims_are_told_from_the_first(name: str, head: str, first: str, lead: str, amends: str) -> None:
    for amended in AMENDED:
        case, start, told = bound(name, f"{head}{first}{lead}{amends}{amended}事实和理由：借款到期未还。")
        before, after = [*texts(case.fields["claims"], "text")], [*texts(case.fields["amended_claims"], "text")]
        assert before == ["被告返还5000元", "被告承担诉讼费用"]
        assert after == ["被告返还9000元", "被告支付利息300元", "被告承担诉讼费用"]
        assert start == SETS[name][1] and not told


SAID = ("庭审时，原告", "审理中，原告当庭", "庭审中，原告自愿", "诉讼过程中，原告")
PARTLY = (
    "变更第一项诉讼请求的违约金计算标准为按LPR计算",
    "变更诉讼请求第一项：被告返还4000元",
    "将第1项诉讼请求变更为返还4000元",
    "将上述第一项请求变更为返还4000元",
    "将诉讼请求第一项变更为：返还4000元",
    "撤回第2项请求",
    "撤回了第二项诉讼请求",
    "放弃第2项诉讼请求",
    "撤回对诉讼费用的诉讼请求",
    "增加一项诉讼请求：被告赔礼道歉",
)
OTHERWISE = ("", "庭审时，原告对答辩意见不予认可。", "原告后到登记机关办理了变更登记。", "被告放弃举证期限。")
ASKED = "请求判令：1．被告返还5000元；2．被告承担诉讼费用。"


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("lead", "partly"), product(SAID, PARTLY))
def test_what_is_no_whole_set_of_claims_amends_nothing_and_is_told(name: str, lead: str, partly: str) -> None:
    case, start, told = bound(name, f"{ASKED}{lead}{partly}。")
    assert next(texts(case.fields["claims"], "text")) == "被告返还5000元"
    assert not case.fields["amended_claims"] and start == ""
    assert len(told) == 1


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("tail", OTHERWISE)
def test_nothing_is_told_where_nothing_was_amended(name: str, tail: str) -> None:
    case, start, told = bound(name, f"{ASKED}{tail}")
    assert next(texts(case.fields["claims"], "text")) == "被告返还5000元"
    assert start == "" and not told
