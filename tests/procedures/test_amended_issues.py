"""Claims amended at any stage or phase: no document written from then on names a claim that was given up, and each that
is left at issue is named. Case, what is left, what is new and from when are drawn."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playing import changed_case, play

from legalworld.model.amendments import Amended
from legalworld.model.events import Drafted

STARTS = [
    "FIT",
    *(f"FIT/{phase}" for phase in ("opening", "investigation", "debate", "final", "mediation", "judgment")),
    *("appeal", "SIT", "SIT/investigation", "SIT/debate", "SIT/judgment"),
]
NUMBERED = re.compile(r"第([0-9、]+)项诉讼请求")
ISSUES = re.compile("争议焦点为：[^。]*")
NEW = {"n": 7, "text": "判令被告支付违约金50000元", "kind": "给付", "amount": 50000}


@pytest.mark.parametrize("settles", [False, True])
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("case", ["jiedai", "wuye"])
def test_no_document_names_a_claim_that_was_given_up(tmp_path: Path, case: str, start: str, settles: bool) -> None:
    draw = random.Random(f"{case} {start} {settles}")
    left: list[str] = []

    def amend(data: Any) -> None:
        claims = data["first"]["claims"]
        kept = [claim for claim in claims if claim.get("kind") != "诉讼费用"]
        amended = draw.sample(kept, draw.randint(1, len(kept) - 1)) if len(kept) > 1 else kept
        amended += [NEW] if draw.random() < 0.5 else []
        data["amended"] = {"from": start, "claims": amended}
        left.extend(str(claim["n"]) for claim in amended)
        if settles:
            for side in data["goal"].values():
                side["settle"] = "是"

    game = play(changed_case(tmp_path, case, amend))
    amended = False
    for event in game.events:
        amended = amended or isinstance(event, Amended)
        if amended and isinstance(event, Drafted):
            # a second instance quotes what the first one decided before
            text = event.text if start.startswith("FIT") else "".join(ISSUES.findall(event.text))
            named = {number for group in NUMBERED.findall(text) for number in group.split("、")}
            assert named <= {*left}, (event.document, named, left)
            if "judgment" in event.document:
                assert named == {*left}, (event.document, named, left)
    assert amended or "mediation_record" in {event.document for event in game.of(Drafted)}  # settled before it held
