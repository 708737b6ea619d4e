"""A value of another shape than its field's is odd; shapes are a table that a binding extends."""

from __future__ import annotations

import random

import pytest
from test_binding import tiny

from legalworld.binding.bind import bind
from legalworld.binding.file import load_binding
from legalworld.binding.shapes import masked, shapes
from legalworld.model.source import MemorySources

GOOD = {
    "court": [
        "江澜市青塘区人民法院",
        "最高人民法院",
        "某某市中级人民法院",
        "江澜市劳动人事争议仲裁委员会",
        "High Court of Justice",
    ],
    "party": [
        "张某",
        "原告1",
        "云汀企业（有限合伙）",
        "中国某某银行股份有限公司江澜市青塘支行",
        "John Smith",
        "欧阳某某",
    ],
    "docket": ["（2024）虚0105民初1001号", "(2009)青民三(知)初字第33号", "鹿检刑诉〔2024〕12号", "EA-2024-000123"],
    "cause": ["民间借贷纠纷", "拒不执行判决、裁定罪".replace("、", ""), "危险驾驶罪"],
    "date": ["2024年5月6日", "2024-05-06", "一九八五年六月", "1985年6月14日生"],
    "sum": ["31286.40", "15,000"],
    "sentence": ["返还借款15000元（含利息）", "请求依法改判。"],
}
SENTENCES = [
    "不服江澜市青塘区人民法院（2024）虚0105民初1001号民事判决，请求依法改判。",
    "原告林启川，男，1985年出生，汉族，住江澜市，诉称：被告借款不还，经多次催要，至今没有归还，特提起诉讼。",
    "一审判决认定事实不清、适用法律错误，请求二审法院撤销原判；\n发回重审。",
]


@pytest.mark.parametrize("shape", GOOD)
def test_a_value_of_a_shape_is_of_that_shape(shape: str) -> None:
    assert [(text, shapes()[shape].fault(text)) for text in GOOD[shape]] == [(text, None) for text in GOOD[shape]]


@pytest.mark.parametrize("shape", [name for name in GOOD if name != "sentence"])
@pytest.mark.parametrize("seed", range(20))
def test_a_sentence_is_of_no_other_shape(shape: str, seed: int) -> None:
    draw = random.Random(seed)
    sentence = draw.choice(SENTENCES)
    cut = sentence if draw.random() < 0.5 else sentence[: draw.randrange(26, len(sentence))]
    assert shapes()[shape].fault(cut) is not None, cut
    assert shapes()[shape].fault(f"{draw.choice(GOOD[shape])}。{cut}") is not None


@pytest.mark.parametrize("text", ["，返还借款", "返还（借款", "《民法典第一条", "返" * 301, "a" * 603, "）第一项"])
def test_a_piece_of_a_sentence_is_none(text: str) -> None:
    assert shapes()["sentence"].fault(text) is not None


@pytest.mark.parametrize("text", ["XXX", "某", "XXXX年XX月XX日", "＊＊＊", "××", "某某"])
def test_what_was_struck_out_is_missing(text: str) -> None:
    assert masked(text)


@pytest.mark.parametrize("text", ["X", "张某", "某公司", "2024年XX月", "x", "A"])
def test_what_says_something_is_not(text: str) -> None:
    assert not masked(text)


HEAD = "lw: 1\nbinding: demo\nprocedure: tiny\n"
FIELDS = 'fields:\n  people: {left: {name: "$.p"}, right: {name: "$.p"}}\n  court: "$.c"\n'


def told(own: str, court: str) -> list[tuple[str, str]]:
    procedure = tiny()
    binding, problems = load_binding(MemorySources({"b.yaml": HEAD + own + FIELDS}), "b.yaml", procedure)
    if binding is None:
        return [(problem.code, str(problem.values.get("name", problem.values.get("word")))) for problem in problems]
    _, found = bind(procedure, {"p": "某人", "c": court}, record=None, binding=binding, settings={})
    return [(problem.code, str(problem.values["field"])) for problem in found]


@pytest.mark.parametrize(
    ("own", "court", "found"),
    [
        ("", "江澜市人民法院", []),
        ("", "江澜市", [("LW800", "court")]),
        ("shapes: {court: any}\n", "江澜市，不服判决。", []),
        ("shapes: {court: {longest: 3}}\n", "江澜市", []),
        ("shapes: {court: {longest: 3, without: [江]}}\n", "江澜市", [("LW800", "court")]),
        ("shapes: {court: {has: [市, 县]}}\n", "江澜市", []),
        ("shapes: {court: cuort}\n", "江澜市", [("LW801", "cuort")]),
        ("shapes: {court: {longset: 3}}\n", "江澜市", [("LW802", "longset")]),
        ("shapes: {court: {longest: many}}\n", "江澜市", [("LW802", "longest")]),
        ("shapes: {court: {either: [person, nobody]}}\n", "江澜市", [("LW802", "either")]),
        ("shapes: [court]\n", "江澜市", [("LW802", "shapes")]),
    ],
)
def test_a_binding_gives_places_shapes_of_its_own(own: str, court: str, found: list[tuple[str, str]]) -> None:
    assert told(own, court) == found
