"""`lw audit` over judgments by somebody who had not read the checks: the alarms that were found right, no others."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from places import ROOT, TESTS
from typed import lw

FOLDER = TESTS / "evaluation" / "careless"
JUDGMENTS = tomllib.loads((FOLDER / "judgments.toml").read_text(encoding="utf-8"))


def test_every_judgment_is_told_of() -> None:
    assert set(JUDGMENTS) == {file.name for file in FOLDER.glob("*.md")}
    assert sum(not said["wrong"] for said in JUDGMENTS.values()) >= len(JUDGMENTS) // 2


@pytest.mark.parametrize("name", JUDGMENTS)
def test_the_alarms_are_those_that_were_read(name: str) -> None:
    said = JUDGMENTS[name]
    case: tuple[str | Path, ...] = (
        ("--case", ROOT / "cases" / said["case"], "--spec", said["spec"]) if said["spec"] else ()
    )
    ran = lw("audit", FOLDER / name, *case, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert sorted({row["check"] for row in rows if row.get("result") == "alarm"}) == said["alarms"]
