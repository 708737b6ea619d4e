"""What a norm takes to be as it is claimed, or as the accused admits: only what the other side would have to disprove,
and nothing that somebody has to measure. Interest begins on no day before the one from which it is claimed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from norm_sets import shipped
from playing import changed_case, play

from legalworld.model.decision_parts import PartDecided
from legalworld.norms.decide import decide_claims
from legalworld.norms.examples import example_material
from legalworld.norms.formulas import names_in

CLAIMED = "claim."


@pytest.mark.parametrize("name", ["cn", "en"])
def test_nobody_is_believed_about_what_he_has_to_prove(name: str) -> None:
    norms = shipped(name).norms.values()
    believed = [
        (norm.id, need.fact)
        for norm in norms
        for need in norm.needs.values()
        if need.otherwise is not None
        and any(one.startswith(CLAIMED) for one in names_in(need.otherwise))
        and need.burden not in ("respondent", "noticed")
    ]
    assert believed == []


@pytest.mark.parametrize("days", [-400, -1, 0, 1, 30, 400])
def test_interest_begins_when_it_is_claimed_or_later(days: int) -> None:
    norms = shipped("cn")
    norm = norms.norms["private_lending"]
    case = example_material(norms, norm.examples[0], norm.causes[0])
    first = decide_claims(norms, case).reliefs[1].interest[0]
    asked = date.fromisoformat(first.since) + timedelta(days=days)
    claims = tuple(replace(one, values={**one.values, "from": asked}) for one in case.claims)
    found = decide_claims(norms, replace(case, claims=claims)).reliefs[1].interest[0]
    assert date.fromisoformat(found.since) == max(asked, date.fromisoformat(first.since))
    assert found.base == first.base


def without(*names: str) -> Any:
    """Takes away what exhibits state of some facts, and the exhibits that tell them in words."""

    def change(case: Any) -> None:
        evidence = case["first"]["prosecution"]["evidence"]
        for one in list(evidence):
            if {*one.get("says", {})} & {*names}:
                evidence.remove(one)

    return change


@pytest.mark.parametrize(("case", "fact"), [("jiuyi", "alcohol"), ("tingche", "wound")])
def test_what_has_to_be_measured_is_not_proved_by_a_plea(tmp_path: Path, case: str, fact: str) -> None:
    assert shipped("cn").words.facts[fact].measured

    def admitting(data: Any) -> None:
        without(fact)(data)
        for one in data["first"]["defence"]["defendants"]:
            one["plea"] = "认罪"

    game = play(changed_case(tmp_path, case, admitting), "judge", spec="criminal")
    found = [one.filled["verdicts"][0]["result"] for one in game.of(PartDecided) if one.part == "verdicts"]
    assert found and not {*found} & {"convicted", "exempt"}
