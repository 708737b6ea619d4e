"""What a settlement paper of a court must state: what was asked for, the facts, the terms.

Civil Procedure Law art. 100; Interpretation of the Administrative Procedure Law art. 85.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from places import TOP_SPECS
from playing import ROOT, Game, changed_case, play, project, within

from legalworld.model import events as e
from legalworld.model.events import Request


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


# ---- at an end before its time ---------------------------------------------------------------------------------------

WILLING = {  # where both sides would go on: the case, its stage or phase, the token, options, fields
    "administrative": ("zhangyuan", "plaintiff_agent", {"attitude.defendant.settle": "是"}, {"mediable": "yes"}),
    "labour-arbitration": ("fenjian", "plaintiff_agent", {"attitude.defendant.settle": "是"}, {}),
    "retrial": ("zaishen-huokuan", "plaintiff_agent", {"attitude.defendant.settle": "是"}, {}),
    "smallclaims": ("smallclaims-garden", "", {}, {"mediation": "yes"}),
    "civil": ("wuye", "plaintiff_lawyer", {}, {"appeal_by": "case"}),  # nobody appeals: no later mediation
}
SHIPPED = [
    spec
    for file in TOP_SPECS
    for spec in [file.stem]
    for procedure in [project(spec).procedure]
    if procedure is not None and any(one.id == "mediation_over" for one in procedure.interruptions)
]


def test_each_procedure_with_a_mediation_can_end_it() -> None:
    assert {*WILLING} <= {*SHIPPED}
    for spec in {*SHIPPED} - {*WILLING}:
        text = (ROOT / "specs" / f"{spec}.yaml").read_text(encoding="utf-8")
        assert any(f"extends: {base}" in text for base in WILLING), spec


def ended_by(spec: str, person: str, number: int, words: str) -> tuple[Game, list[Request], str]:
    """The game in which the `number`th request to somebody in the mediation is answered with words that end it."""
    case, target, fields, options = WILLING[spec]
    procedure = project(spec).procedure
    assert procedure is not None
    event = next(one for one in procedure.interruptions if one.id == "mediation_over")
    place = "/".join(filter(None, event.during[0]))
    (token,) = {procedure.marks.token(one.token) for one in event.raised}
    seen: list[str] = []

    def script(request: Request, text: str) -> str:
        if within(request, place) and request.person == person:
            seen.append(request.id)
            if len(seen) == number:
                return words.format(token)
        return text

    game = play(case, target, spec=spec, fields=fields, options=options, script=script)
    return game, [one for one in game.requests if within(one, place)], seen[number - 1] if len(seen) >= number else ""


def cases() -> list[Any]:
    found = []
    for spec, (case, target, fields, options) in WILLING.items():
        procedure = project(spec).procedure
        assert procedure is not None
        event = next(one for one in procedure.interruptions if one.id == "mediation_over")
        place = "/".join(filter(None, event.during[0]))
        game = play(case, target, spec=spec, fields=fields, options=options)
        asked = Counter(one.person for one in game.requests if within(one, place) and one.act not in ("note", "draft"))
        assert asked, spec
        words = "{} I ask for a judgment." if procedure.locale == "en" else "请依法判。{}"
        for person, times in asked.items():
            found += [pytest.param(spec, person, n, words, id=f"{spec}-{person}-{n}") for n in {1, times}]
    return found


@pytest.mark.parametrize(("spec", "person", "number", "words"), cases())
def test_whoever_ends_a_mediation_is_the_last_who_is_asked_in_it(
    spec: str, person: str, number: int, words: str
) -> None:
    game, asked, ended = ended_by(spec, person, number, words)
    assert ended and asked[-1].id == ended
    interrupted = game.of(e.Interrupted)
    assert [one.place.rpartition("@")[2] for one in interrupted] == ["mediation_over"]
    assert game.status == "ended"
    assert game.of(e.Ended)[0].outcome not in ("settled", "mediated")
    assert not game.of(e.Violated)
    said = next(one for one in game.of(e.Spoke) if one.request == ended)
    assert said.text and "【" not in said.text and "<<" not in said.text
