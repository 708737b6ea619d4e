"""Who the parties of a complaint are, however its lines name them; and whoever is named by a default is told."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_mutants import read

HEADS = [
    "{}：",
    "{} ：",
    "{}:",
    "【{}】",
    "{}（供货方）：",
    "{}(供货方)：",
    "{}（反诉被告）：",
    "{}信息：",
    "{}姓名：",
    "{}1：",
    "{}一：",
]
SPACED = ["{0}　{1}：", "{0} {1}：", "{0}　　{1}："]
BEHIND = [
    "",
    "，男，1970年3月2日出生，汉族，住江澜市青塘区望溪路88号。",
    ",男,1970年3月2日出生,汉族,住江澜市。",
    " 男 汉族",
    "（男，汉族）",
    "；男；汉族",
    "。",
]
PEOPLE = ["林启川", "郑若虹", "欧阳静", "买买提·艾力"]
BODIES = ["云汀物流有限公司", "江澜市青塘区第一小学", "太平财产保险股份有限公司"]


def line(draw: random.Random, who: str, name: str) -> str:
    head = draw.choice([*(one.format(who) for one in HEADS), *(one.format(*who) for one in SPACED)])
    behind = draw.choice(BEHIND if name in PEOPLE else ["", "，住所地江澜市。", ",住所地江澜市,法定代表人王某。", "。"])
    return f"{head}{name}{behind}"


@pytest.mark.parametrize("seed", range(60))
def test_parties_are_named_or_the_default_is_told(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    first, second = draw.sample([*PEOPLE, *BODIES], 2)
    lines = f"{line(draw, '原告', first)}\n{line(draw, '被告', second)}"
    said = f"民事起诉状\n\n{lines}\n\n诉讼请求：\n1.返还货款5000元；\n\n事实与理由：\n没有付款。"
    record = {"plaintiff_statement": said, "defendant_statement": "不同意。"}
    [after], codes = read(tmp_path, "agentcourt", [record])
    parties = {side: [one["name"] for one in found] for side, found in after[0]["parties"].items()}
    for side, name in (("plaintiff", first), ("defendant", second)):
        invented = [one for one in parties[side] if one != name]
        assert not invented or ("LW910" in codes and all(one[:2] in ("原告", "被告") for one in invented)), (
            said,
            parties,
        )
    named = (parties["plaintiff"] == [first]) + (parties["defendant"] == [second])
    assert named == 2 or "LW910" in codes, (said, parties)


@pytest.mark.parametrize("head", ["我方（申请人）：", "甲方：", "起诉人——", "Plaintiff: ", ""])
def test_a_default_name_is_told_of_in_every_record(tmp_path: Path, head: str) -> None:
    record = {"plaintiff_statement": f"{head}林启川\n要求还钱。", "defendant_statement": "不同意。"}
    [after], codes = read(tmp_path, "agentcourt", [record])
    assert after[0]["parties"]["plaintiff"] == [{"name": "原告1"}] and "LW910" in codes
