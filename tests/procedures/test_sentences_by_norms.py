"""Sentences of the offline court: whatever is recommended, the term lies in the tier, and the words agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playing import changed_case, play

from legalworld.law.text.verdicts import verdict
from legalworld.model import events as e

STAGES = ("preparation", "investigation", "evidence", "debate")
MOST = 36  # months: of the tier for sums that are large, and of what can be suspended


@pytest.mark.parametrize(
    ("penalty", "probation", "adopted"),
    [
        ("有期徒刑十五年", "一年", False),
        ("有期徒刑四年", "五年", False),
        ("有期徒刑八个月", "一年", True),
        ("拘役四个月", "六个月", True),
        ("无期徒刑", "", False),
    ],
)
@pytest.mark.parametrize("name", ["贺闻舟", "温行舟"])
def test_a_recommendation_is_followed_within_the_tier_alone(
    tmp_path: Path, penalty: str, probation: str, adopted: bool, name: str
) -> None:
    def change(data: Any) -> None:
        asked = {"defendant": "贺闻舟", "penalty": penalty, "probation": probation, "fine": "人民币五千元"}
        data["first"]["indictment"]["recommendation"] = [asked]

    path = Path(changed_case(tmp_path, "kuaijian", change))
    path.write_text(path.read_text(encoding="utf-8").replace("贺闻舟", name), encoding="utf-8")
    text = play(str(path), "judge", spec="criminal", skip=STAGES).of(e.Drafted)[-1].text
    (one,) = verdict(text).defendants
    assert one.final.months is not None and 0 < one.final.months <= MOST
    assert (penalty in text.partition("判决如下")[2]) == adopted
    assert ("量刑建议不予采纳" in text) == (not adopted)


def test_an_offence_without_a_norm_is_a_walk_through(tmp_path: Path) -> None:
    def change(data: Any) -> None:
        data["first"]["indictment"]["charges"][0]["charge"] = "虚构的罪"

    for case, said in ((changed_case(tmp_path, "kuaijian", change), True), ("kuaijian", False)):
        text = play(case, "judge", spec="criminal", skip=STAGES).of(e.Drafted)[-1].text
        assert ("演练文书" in text) == said
