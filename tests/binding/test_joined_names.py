"""Lists of names cut into names: by any mark, in any order; characters of a name that look like a mark part nothing."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from test_mutants import original, read

from legalworld.binding.joined_names import cut_names, may_be_several
from legalworld.binding.pieces import TextRule

PERSONS = [
    *(
        "林启川",
        "郑若虹",
        "张和平",
        "陆和英",
        "吕国和",
        "文义和",
        "王及第",
        "李与时",
        "欧阳和顺",
        "安和",
        "祁某甲",
        "张某",
    ),
    *("司徒及", "何和", "买买提·吐尔逊", "许参与"),
]
FIRMS = [
    *(
        "江澜市云汀餐饮管理有限公司",
        "舒城县人力资源和社会保障局",
        "江澜市规划和自然资源局",
        "安徽和分期网络科技有限公司",
    ),
    *(
        "江澜市和平区人民政府",
        "云汀企业（有限合伙）",
        "江澜某某银行股份有限公司青塘支行",
        "甲公司",
        "三和管桩股份有限公司",
    ),
    *(
        "青塘区住房保障和房屋管理局",
        "江澜市及时雨家政服务中心",
        "“林启川、郑若虹”工作室",
        "江澜市林启川、郑若虹律师事务所",
    ),
    "林启川、郑若虹（普通合伙）",
]
MARKS = ["、", "，", "；", ",", ";", "\n"]
WORDS = ["和", "及", "与", "以及", "暨"]
ROLES = ["", "", "（反诉被告）", "(原审原告、复议申请人)"]


def parted(left: str, right: str) -> bool:
    """Whether it can be known that a word between two names joins them."""
    return left in FIRMS or right in PERSONS


@pytest.mark.parametrize("seed", range(60))
def test_joined_names_are_cut_and_no_name_is(seed: int) -> None:
    draw = random.Random(seed)
    names = draw.sample([*PERSONS, *FIRMS], draw.randrange(1, 6))
    text, kinds = "", []
    for number, name in enumerate(names):
        if number:
            joint = draw.choice([*MARKS, *WORDS]) if parted(names[number - 1], name) else draw.choice(MARKS)
            kinds.append(joint)
            text += joint
        text += name
    assert [piece.strip() for piece in cut_names(text)] == names, (text, kinds)
    assert not any(map(may_be_several, cut_names(text))), text


@pytest.mark.parametrize("name", [*PERSONS, *FIRMS])
@pytest.mark.parametrize("role", ROLES)
def test_a_name_alone_is_one(name: str, role: str) -> None:
    assert cut_names(name + role) == [name + role] and cut_names(role + name) == [role + name]
    assert not may_be_several(name)


@pytest.mark.parametrize("seed", range(20))
def test_a_role_beside_a_name_parts_nothing(seed: int) -> None:
    draw = random.Random(seed)
    names = [draw.choice(["", "原审原告", "被告"]) + name + draw.choice(ROLES) for name in draw.sample(PERSONS, 3)]
    assert [one.strip() for one in cut_names(draw.choice(["和", "、", "及"]).join(names))] == names


@pytest.mark.parametrize("firm", ["云汀餐饮管理有限公司", "中国人民财产保险股份有限公司洛阳市分公司", "和记餐饮店"])
@pytest.mark.parametrize("person", ["林启川", "李雷", "张和平"])
@pytest.mark.parametrize("word", WORDS)
def test_a_person_that_may_begin_a_firm_is_told(tmp_path: Path, person: str, word: str, firm: str) -> None:
    text = f"{person}{word}{firm}"
    assert cut_names(text) == [text] and may_be_several(text)
    record: dict[str, Any] = {**copy.deepcopy(original("simucourt-civil")[0]), "被告": text}
    [after], codes = read(tmp_path, "simucourt-civil", [record])
    assert [one["name"] for one in after[0]["parties"]["defendant"]] == [text] and "LW510" in codes


@pytest.mark.parametrize(
    "name", ["Smith, Jones & Co., Ltd.", "Baker and Sons plc", "Acme Inc., LLC", "J. Doe & Partners LLP"]
)
def test_an_english_firm_is_one(name: str) -> None:
    assert cut_names(name) == [name] and not may_be_several(name)
    assert cut_names(f"{name}；林启川") == [name, "林启川"]


@pytest.mark.parametrize("name", ["共和生", "阿依古丽", "买买提"])
def test_a_person_of_an_unusual_name_beside_another_is_told(name: str) -> None:
    assert cut_names(f"{name}和林启川") == [f"{name}和林启川"] and may_be_several(f"{name}和林启川")
    assert cut_names(f"{name}、林启川") == [name, "林启川"]


@pytest.mark.parametrize("text", ["John Smith, Jane Doe", "John Smith and Jane Doe", "J. Smith & J. Doe"])
def test_english_names_that_may_be_several_are_told(text: str) -> None:
    assert cut_names(text) == [text] and may_be_several(text)


@pytest.mark.parametrize("binding", ["simucourt-civil", "simucourt-administrative", "simucourt-criminal"])
@pytest.mark.parametrize("joint", [*MARKS, "和", "及"])
def test_accused_and_parties_joined_by_anything_are_each_one(tmp_path: Path, binding: str, joint: str) -> None:
    record = {**copy.deepcopy(original(binding)[0]), "被告": joint.join(["林启川", "张和平", "郑若虹"])}
    [after], _ = read(tmp_path, binding, [record])
    held = next(after[0][field] for field in ("parties", "people", "persons") if field in after[0])
    sides = (held.get(side, []) for side in ("defendant", "defence"))
    assert [one["name"] for side in sides for one in side] == ["林启川", "张和平", "郑若虹"]


# ---- what is said once for all ---------------------------------------------------------------------------------------

FIRM = "甘肃阶州（成县）律师事务所律师"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (f"王锋、倪珍珍（实习），{FIRM}", [f"王锋，{FIRM}", f"倪珍珍（实习），{FIRM}"]),
        (f"王锋、倪珍珍、张和平，{FIRM}", [f"{name}，{FIRM}" for name in ("王锋", "倪珍珍", "张和平")]),
        ("王锋，甲所律师、倪珍珍，乙所律师", ["王锋，甲所律师", "倪珍珍，乙所律师"]),
        ("王锋，甲所律师、倪珍珍", ["王锋，甲所律师", "倪珍珍"]),
        ("王锋（甲所，成县）、倪珍珍", ["王锋（甲所，成县）", "倪珍珍"]),
        ("王锋、倪珍珍", ["王锋", "倪珍珍"]),
    ],
)
def test_what_stands_behind_the_last_belongs_to_all_before(text: str, pieces: list[str]) -> None:
    assert list(TextRule(split=("、",), common=("，",)).pieces(text)) == pieces


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_counsel_of_one_firm_are_each_of_it(tmp_path: Path, count: int, seed: int) -> None:
    draw = random.Random(f"{count}{seed}")
    firms = ["江澜云汀律师事务所", "北京大成（江澜）律师事务所"]
    groups = [draw.sample(PERSONS[:10], count), draw.sample(PERSONS[:10], draw.randrange(1, 3))][: draw.randrange(1, 3)]
    said = [
        "、".join(group) + draw.choice(["，", "，系"]) + f"{firm}律师"
        for group, firm in zip(groups, firms, strict=False)
    ]
    record = {**copy.deepcopy(original("simucourt-criminal")[0]), "代理人": draw.choice(["；", "\n"]).join(said)}
    [after], _ = read(tmp_path, "simucourt-criminal", [record])
    held = [(one["name"], one.get("firm")) for one in after[0]["defenders"]]
    assert held == [(name, firm) for group, firm in zip(groups, firms, strict=False) for name in group]
