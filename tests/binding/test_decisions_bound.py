"""Decisions of criminal courts as data sets print them: the accused, the charge and what was alleged, and not one
sentence of anybody else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_mutants import original, read

PEOPLE = (
    "林启川",
    "郑若虹",
    "孙某",
    "侯某1",
    "侯某2",
    "王某甲",
    "何小满",
    "方闻",
    "甘某某",
    "施某",
    "严家晓",
    "陈某辉",
)
LAWYERS = ("罗杨", "周春华", "邢芳华", "焦阳")
CHARGES = ("盗窃罪", "非法经营罪", "合同诈骗罪", "走私、贩卖、运输、制造毒品罪")
OPENINGS = (
    "公诉机关指控，",
    "公诉机关指控：",
    "{office}指控：",
    "{office}指控称，",
    "{office}起诉指控：",
    "{office}指控，",
)
DEEDS = (
    "2024年1月2日，{first}等人在江澜市青塘区望溪路搬走电缆一批，经认定价值人民币6159.06元。",
    "2023年5月至7月，{first}通过网络出售香烟，获利人民币6750元。案发后，退出全部赃款。",
)
TAILS = (
    "针对上述指控，公诉机关当庭宣读了证人证言。",
    "公诉机关就起诉书指控的犯罪事实提供了书证、证人证言等证据。",
    "公诉机关认为，其行为已构成犯罪，提请依法惩处，建议判处有期徒刑六个月。",
    "被告人{first}对公诉机关指控的犯罪事实没有异议，并自愿认罪。",
    "在法庭审理过程中，公诉人提供了书证以证实指控的事实。",
    "公诉机关在法庭上宣读或出示了如下证据：1、书证：收条；2、证人证言。",
)
AFTER = (
    "被告人{first}对公诉机关指控的犯罪事实以及当庭出示的证据均无异议。其辩护人辩称：系初犯。经审理查明，{first}搬走电缆。",
    "经审理查明：{first}于2024年1月搬走电缆。上述事实，有供述证实。",
)


def decision(draw: random.Random) -> tuple[str, dict[str, object]]:
    people = draw.sample(PEOPLE, draw.choice((1, 1, 2, 3, 6, 11)))
    charge, deed = draw.choice(CHARGES), draw.choice(DEEDS).format(first=people[0])
    lawyers = draw.sample(LAWYERS, draw.choice((0, 1, 2)))
    office = draw.choice(("江澜市青塘区人民检察院", "青塘区人民检察院"))
    names = "、".join(people)
    defended = f"及其辩护人{'、'.join(lawyers)}" if lawyers else ""
    present = draw.choice(("到庭参加诉讼", "均到庭参加了诉讼"))
    head = (
        f"{people[0]}等一审刑事判决书江澜市青塘区人民法院刑事判决书（2024）虚0105刑初18号："
        f"{office}以青检刑诉〔2024〕7号起诉书指控被告人{names}犯{charge}，于2024年3月5日向本院提起公诉。"
        f"被告人{people[0]}{defended}{present}。现已审理终结"
    )
    said = draw.choice(OPENINGS).format(office=office) + deed + draw.choice(TAILS).format(first=people[0])
    text = head + said + draw.choice(AFTER).format(first=people[0])
    return text, {"people": people, "charge": charge, "deed": deed, "lawyers": lawyers}


@pytest.mark.parametrize("seed", range(40))
def test_what_is_alleged_ends_where_the_prosecution_does(tmp_path: Path, seed: int) -> None:
    text, said = decision(random.Random(seed))
    [bound], _ = read(tmp_path, "lecardv2-query", [{"id": 7, "query": text, "fact": "经审理查明，搬走电缆。"}])
    fields = bound[0]
    assert [one["name"] for one in fields["persons"]["defence"]] == said["people"]
    assert [one["charge"] for one in fields["charges"]] == [said["charge"]]
    assert fields["allegations"] == said["deed"]
    assert [one["name"] for one in fields.get("counsel", {}).get("defence", [])] == said["lawyers"]


@pytest.mark.parametrize("first", ["诈骗罪", "盗窃罪"])
@pytest.mark.parametrize("second", ["挪用资金罪", "生产、销售伪劣产品罪"])
def test_each_charge_is_one(tmp_path: Path, first: str, second: str) -> None:
    text, _ = decision(random.Random(3))
    asked = "".join(f"其行为触犯刑法，应当以{one}追究其刑事责任；" for one in (first, second, first))
    text = text.replace("针对上述指控", asked + "针对上述指控").replace(
        "经审理查明", f"公诉机关认为，{asked}经审理查明"
    )
    [bound], _ = read(tmp_path, "lecardv2-query", [{"id": 7, "query": text, "fact": "搬走电缆。"}])
    assert [one["charge"] for one in bound[0]["charges"]] == [first, second]


@pytest.mark.parametrize("joint", ["、", "和", "及"])
@pytest.mark.parametrize("behind", ["，于2024年3月5日向本院提起公诉", "一案，于2024年3月5日向本院提起公诉"])
def test_charges_in_a_row_are_several(tmp_path: Path, joint: str, behind: str) -> None:
    text, said = decision(random.Random(3))
    indicted = text.replace(
        f"犯{said['charge']}，于2024年3月5日向本院提起公诉", f"犯集资诈骗罪{joint}走私、贩卖毒品罪{behind}"
    )
    [bound], _ = read(tmp_path, "lecardv2-query", [{"id": 7, "query": indicted, "fact": "搬走电缆。"}])
    assert [one["charge"] for one in bound[0]["charges"]] == ["集资诈骗罪", "走私、贩卖毒品罪"]


@pytest.mark.parametrize("behind", ["（以下简称云汀公司）", "（下称云汀公司）", "（系林启川之父）", "（曾用名林山）"])
@pytest.mark.parametrize("side", ["原告（公诉）", "被告"])
def test_what_stands_in_brackets_behind_a_name_is_no_part_of_it(tmp_path: Path, side: str, behind: str) -> None:
    base = original("simucourt-civil")[0]
    [bound], _ = read(tmp_path, "simucourt-civil", [base | {side: f"云汀商贸有限公司{behind}"}])
    party = "defendant" if side == "被告" else "plaintiff"
    assert [one["name"] for one in bound[0]["parties"][party]] == ["云汀商贸有限公司"]
