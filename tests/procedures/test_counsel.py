"""What offline counsel say of an exhibit fits what their client says in his pleading."""

from __future__ import annotations

import pytest
from playing import changed_case, play

from legalworld.model import events as e

UTILITIES = "原证4"  # bills of water and electricity, of which the defence says that the amount is admitted
RECORD = "legalworld-sample.json#2"


def opinions(case: str, exhibit: str) -> list[str]:
    said = play(case).of(e.Spoke, "FIT")
    return [one.text for one in said if one.act == "respond" and f"对{exhibit}" in one.text]


def test_what_the_defence_admits_is_admitted_when_its_proof_is_examined() -> None:
    (said,) = opinions(RECORD, UTILITIES)
    assert "没有异议" in said and "水电费在答辩中已经认可" in said and "不足以" not in said


@pytest.mark.parametrize(
    ("defence", "admitted"),
    [("租金认可。", True), ("租金不认可。", False), ("租金没有约定。", False)],
)
def test_only_what_is_admitted_is(defence: str, admitted: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    def change(data: dict[str, dict[str, dict[str, object]]]) -> None:
        data["first"]["defendant"]["defence"] = defence
        data["first"]["plaintiff"]["evidence"] = [{"id": "原证1", "name": "租金收据", "kind": "书证", "claims": [1]}]

    case = changed_case(tmp_path_factory.mktemp("case"), "wuye", change)
    (said,) = opinions(case, "原证1")
    assert ("已经认可" in said) is admitted
