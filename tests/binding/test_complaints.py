"""Complaints as AgentCourt writes them: each claim is one, whatever it mentions, and what follows the last is none."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_mutants import read

CLAIMS = [
    "判令被告返还借款人民币{}元",
    "判令被告支付利息（计算方式详见事实与理由部分）",
    "确认原告对车辆享有优先受偿权（车辆信息详见事实和理由）",
    "判令被告支付律师费{}元，理由见事实及理由",
    "判令被告赔礼道歉",
    "本案诉讼费由被告承担",
]
SUMMED = ["", "\n以上合计{}元。", "\n上述各项共计{}元", "\n合计：{}元"]
HEADS = ["事实与理由", "事实和理由", "事实及理由"]
NUMBERS = ["{}. ", "{}、", "（{}）"]


@pytest.mark.parametrize("seed", range(24))
def test_every_claim_is_taken_and_nothing_else(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    claims = [one.format(draw.randrange(1, 99) * 1000) for one in draw.sample(CLAIMS, draw.randrange(2, 6))]
    number, head = draw.choice(NUMBERS), draw.choice(HEADS)
    listed = "；\n".join(f"{number.format(n)}{one}" for n, one in enumerate(claims, 1))
    summed = draw.choice(SUMMED).format(123_000)
    story = "原告与被告签订合同，被告没有履行。"
    said = (
        f"起诉状\n\n原告：林启川\n\n被告：郑若虹\n\n诉讼请求：\n{listed}；{summed}\n\n{head}：\n{story}\n\n此致\n某法院"
    )
    [after], _ = read(tmp_path, "agentcourt", [{"plaintiff_statement": said, "defendant_statement": "不同意。"}])
    assert [one["text"] for one in after[0]["claims"]] == claims
    assert after[0]["facts"]["plaintiff"] == story
