"""Groups in brackets on one line, by a generator: what is well in a broken file is left alone, what is not is told with
its repair, and the repair reads as the group was meant."""

from __future__ import annotations

import random

import pytest

from legalworld.language.yaml.nodes import MapNode, Node, Scalar
from legalworld.language.yaml.reader import read
from legalworld.model.diagnostics import Diagnostic
from legalworld.wording import diagnostics

CHANCE = random.Random("groups in braces")
BROKEN = {
    "a quotation": 'odd: "open\n',
    "an indentation": "odd: 1\n    more: 2\n",
    "a tab": "odd:\n\tmore: 2\n",
    "a full-width colon": "odd：1\n",
}
TEXTS = (
    "公诉人核实过，项目部出具了答复，现在宣读：2024年登记的是另一处",
    "甲，乙：丙",
    "请求一：归还；请求二：赔偿",
    "签名真实，照片也是真的。但照片只能说明：茶叶在货架上",
    "said on Monday，and again：never",
    "第三条“月租金4300元，按季支付”",
)
KEYS = ("id", "name", "text", "purpose", "on")


def group(count: int) -> dict[str, str]:
    keys = CHANCE.sample(KEYS, count)
    return {key: CHANCE.choice((*TEXTS, "E1", "2024-05-06", "一张借条")) for key in keys}


def flow(entries: dict[str, str], comma: str = ", ", colon: str = ": ") -> str:
    return "{" + comma.join(f"{key}{colon}{value}" for key, value in entries.items()) + "}"


def problems(text: str) -> list[Diagnostic]:
    return [one for one in read("t.yaml", text)[1] if one.severity == "error"]


def said(node: Node | None) -> dict[str, str]:
    assert isinstance(node, MapNode)
    held = node.entries[0].value
    assert isinstance(held, MapNode), held
    return {one.key.text: one.value.text for one in held.entries if isinstance(one.value, Scalar)}


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("number", range(8))
def test_what_is_well_is_left_alone_though_something_else_is_broken(fault: str, number: int) -> None:
    entries = group(2 + number % 3)
    text = f"held: {flow(entries)}\n{BROKEN[fault]}"
    found = problems(text)
    assert found and all(one.span.line > 1 for one in found), [diagnostics.message(one, "en") for one in found]


@pytest.mark.parametrize("number", range(12))
def test_a_wide_comma_between_entries_is_told_and_those_in_texts_are_kept(number: int) -> None:
    entries = group(3)
    keys = list(entries)
    place = number % 2  # behind the first or the second entry
    whole = flow(entries)
    wrong = whole.replace(f", {keys[place + 1]}: ", f"，{keys[place + 1]}: ")
    found = problems(f"held: {wrong}\n")
    assert {(one.code, one.span.line) for one in found} == {("LW742", 1)}
    node = read("t.yaml", f"held: {wrong}\n")[0]
    assert said(node) == entries  # read on as the repair would have it


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("behind", ["", "\nnext: 1", "\nlist:\n  - a"])
def test_a_bracket_that_is_not_closed_is_told_at_its_line_with_what_is_missing(number: int, behind: str) -> None:
    entries = {key: value for key, value in group(2 + number % 2).items() if "“" not in value}
    opened = f"held: {flow(entries)[:-1]}" if number % 3 else f"held: [{', '.join(entries)}"
    right = "}" if number % 3 else "]"
    found = problems(f"{opened}{behind}\n")
    assert [(one.code, one.span.line, one.values["right"]) for one in found] == [("LW306", 1, right)]
    assert all(right in diagnostics.repair(one, language) for one in found for language in ("en", "zh"))


def test_a_bracket_over_several_lines_is_closed_behind_the_last() -> None:
    text = "held:\n  - {id: 1,\n     name: 甲,\n     text: 乙\n  - {id: 2}\n"
    assert [(one.code, one.span.line) for one in problems(text)] == [("LW306", 2)]
    assert "text: 乙}" in str(problems(text)[0].values["repair"])


TIMES = ("10:30", "http://court.example/1", "第3:4条", "a:b")


@pytest.mark.parametrize("value", TIMES)
@pytest.mark.parametrize("place", range(3))
def test_a_colon_in_a_value_is_told_with_the_value_quoted(value: str, place: int) -> None:
    entries = {"id": "E1", "name": "借条", "on": "2024-05-06"}
    entries[list(entries)[place]] = value
    node, found = read("t.yaml", f"held: {flow(entries)}\n")
    if found:  # some YAML takes
        assert {(one.code, one.values["repair"]) for one in found} == {("LW015", f'"{value}"')}
    assert said(node) == entries


@pytest.mark.parametrize("place", range(1, 3))
@pytest.mark.parametrize("value", ["E1", "借条", "a contract of sale", '"甲: 乙"'])
def test_a_missing_comma_is_told_between_its_neighbours(place: int, value: str) -> None:
    keys = KEYS[:3]
    wrong = "held: {" + "".join(
        ("" if not number else " " if number == place else ", ") + f"{key}: {value}" for number, key in enumerate(keys)
    )
    node, found = read("t.yaml", wrong + "}\n")
    assert [(one.code, one.values["key"]) for one in found] == [("LW308", keys[place])]
    assert said(node) == dict.fromkeys(keys, value.strip('"'))


@pytest.mark.parametrize("lone", ["dated 3 May", "the blue one", "乙", "on"])
def test_a_name_between_commas_is_told_by_itself(lone: str) -> None:
    found = read("t.yaml", f"held: {{id: E1, name: an invoice, {lone}, text: x}}\n")[1]
    assert [(one.code, one.values["text"]) for one in found] == [("LW307", lone)]
