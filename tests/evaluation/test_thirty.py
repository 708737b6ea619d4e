"""`lw audit` over thirty judgments as models write them, twelve with faults: no alarm but those that were read."""

from __future__ import annotations

import json
import tomllib

import pytest
from places import TESTS
from typed import lw

FOLDER = TESTS / "evaluation" / "thirty"
JUDGMENTS = tomllib.loads((FOLDER / "judgments.toml").read_text(encoding="utf-8"))
FOUND = 0.75  # of those with a fault, at least


def test_every_judgment_is_told_of() -> None:
    assert set(JUDGMENTS) == {file.name for file in FOLDER.glob("*.md")} and len(JUDGMENTS) == 30
    wrong = [said for said in JUDGMENTS.values() if said["wrong"]]
    assert sum(bool(said["alarms"]) for said in wrong) >= FOUND * len(wrong)
    assert not any(said["alarms"] for said in JUDGMENTS.values() if not said["wrong"])


@pytest.mark.parametrize("name", JUDGMENTS)
def test_the_alarms_are_those_that_were_read(name: str) -> None:
    rows = [json.loads(line) for line in lw("audit", FOLDER / name, "--json").out.splitlines()]
    assert sorted({row["check"] for row in rows if row.get("result") == "alarm"}) == JUDGMENTS[name]["alarms"]
