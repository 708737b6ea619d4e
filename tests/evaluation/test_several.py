"""Sound judgments with several people on a side, second instances with several items, English ones: no alarm in any."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from planting import papers
from planting.found import alarms, audited
from planting.paper import Paper


@cache
def texts() -> dict[str, Paper]:
    return {paper.name: paper for paper in papers.several()}


@pytest.mark.parametrize("name", sorted(texts()))
def test_no_alarm_is_raised(name: str, tmp_path: Path) -> None:
    paper = texts()[name]
    ((*rows,),) = audited([(paper, paper.text)], tmp_path)
    assert len(rows) > 5
    assert [(row["check"], row["part"]) for row in alarms(rows)] == []
