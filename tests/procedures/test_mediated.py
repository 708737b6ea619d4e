"""What a settlement paper of a court must state: what was asked for, the facts, the terms.

Civil Procedure Law art. 100; Interpretation of the Administrative Procedure Law art. 85.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playing import changed_case, play

from legalworld.model import events as e


def paying(data: Any) -> None:
    data["first"]["victim"]["persons"][0]["settles"] = "再付三万元，当庭付清，其他请求我放弃。"
    data["first"]["defence"]["defendants"][0]["settles"] = "家里凑了三万元，可以当庭付清。"


@dataclass(frozen=True)
class Settled:
    """A case that is settled; `asked`, `facts`, `terms`: what its paper must say, in this order."""

    case: str
    document: str
    asked: str
    facts: str
    terms: str
    target: str = "plaintiff_agent"
    fields: Mapping[str, str] | None = None
    options: Mapping[str, str] | None = None
    change: Callable[[Any], None] | None = None


CASES = {
    "administrative": Settled(
        "zhangyuan",
        "mediation_paper",
        "将罚款50000元变更为5000元；2.被告赔偿原告因本案支出的律师费8000元。",
        "2024年12月4日，被告到该旅舍检查，发现二楼疏散通道放有布草车一辆、床垫两张",
        "被告将罚款减为一万元",
        fields={"attitude.defendant.settle": "是"},
        options={"mediable": "yes"},
    ),
    "retrial": Settled(
        "zaishen-huokuan",
        "retrial_settlement",
        "提出再审请求：",
        "经再审查明：",
        "达成如下协议",
        fields={"attitude.defendant.settle": "是"},
    ),
    "criminal": Settled(
        "tingche",
        "civil_settlement",
        "请求判令被告人赔偿：",
        "事实和理由：",
        "当庭付清",
        target="judge",
        change=paying,
    ),
}


@pytest.mark.parametrize("spec", CASES)
def test_a_settlement_states_what_was_asked_for_the_facts_and_the_terms(spec: str, tmp_path: Path) -> None:
    held = CASES[spec]
    case = changed_case(tmp_path, held.case, held.change) if held.change else held.case
    found = play(case, held.target, spec=spec, fields=held.fields, options=held.options)
    (paper,) = (one for one in found.of(e.Drafted) if one.document == held.document)
    places = [paper.text.find(said) for said in (held.asked, held.facts, held.terms)]
    assert -1 not in places and places == sorted(places), paper.text
    assert paper.missing == () and "待补充" not in paper.text
    assert not found.of(e.Violated)
