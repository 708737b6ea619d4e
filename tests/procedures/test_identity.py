"""What the court asks a party about himself follows from what the case says of him, and assumes nothing else."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from watching import templates

from legalworld.templates.values import MISSING

HOME = "prompts/zh/civil/act/ask.identity.j2"
PERSON = ("性别", "出生日期", "民族")
KEYS = ("name", "type", "gender", "birth", "ethnicity", "representative")
TYPES = ("", "自然人", "法人", "非法人组织", "个体工商户")
NAMES = ("林启川", "云汀商贸有限公司", "青塘采石场", "江澜某厂")


def asked(*parties: dict[str, Any]) -> str:
    whole = tuple({**dict.fromkeys(KEYS, MISSING), **party} for party in parties)
    own = {"parties": ({"side": "defendant", "title": "被告", "value": whole},)}
    step = {"to": tuple(f"被告{party['name']}" for party in parties)}
    return templates().render(HOME, {"own": own, "step": step})


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_a_party_is_asked_by_what_is_known(name: str, type_: str) -> None:
    for keys in product((False, True), repeat=3):
        known = {
            key: value
            for there, (key, value) in zip(
                keys, (("representative", "何小满"), ("gender", "女"), ("birth", "1988年")), strict=True
            )
            if there
        }
        text = asked({"name": name, **({"type": type_} if type_ else {}), **known})
        person = type_ == "自然人" or (not type_ and ("gender" in known or "birth" in known))
        for word in PERSON:
            assert (word in text) is person, (word, text)
        if not type_ and not known:
            assert "姓名或者名称" in text and "代表人" in text
        if type_ in TYPES[2:4]:
            assert "名称、住所" in text and "代表人" in text
        assert text.count(f"{name}的") == 1 and text.endswith("问完就停。") and "；委托" in text


def test_each_of_several_parties_is_asked_for_himself() -> None:
    text = asked({"name": NAMES[0], "type": "自然人"}, {"name": NAMES[1]}, {"name": NAMES[2], "type": "非法人组织"})
    first, second, third, *_ = text.partition("：")[2].split("；")
    assert all(word in first and word not in second + third for word in PERSON)
    assert "姓名或者名称" in second and "名称、住所" in third
