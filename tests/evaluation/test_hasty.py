"""`lw audit` over judgments of matters of which there is no case, labelled before they were audited: the alarms that
were read and found right, and no others."""

from __future__ import annotations

import json
import tomllib

import pytest
from places import TESTS
from typed import lw

FOLDER = TESTS / "evaluation" / "hasty"
JUDGMENTS = tomllib.loads((FOLDER / "judgments.toml").read_text(encoding="utf-8"))


def test_every_judgment_is_told_of() -> None:
    assert set(JUDGMENTS) == {file.name for file in FOLDER.glob("*.md")}
    assert sum(not said["wrong"] for said in JUDGMENTS.values()) >= len(JUDGMENTS) // 3


@pytest.mark.parametrize("name", JUDGMENTS)
def test_the_alarms_are_those_that_were_read(name: str) -> None:
    ran = lw("audit", FOLDER / name, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    raised = sorted({row["check"] for row in rows if row.get("result") == "alarm"})
    assert raised == JUDGMENTS[name]["alarms"]
    assert JUDGMENTS[name]["wrong"] or not raised
