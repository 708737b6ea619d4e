"""Claims that ask to change an earlier decision, told from those that ask for money alone."""

from __future__ import annotations

from itertools import product

import pytest

from legalworld.law.text.lexicon import pattern

DECISIONS = ("（2023）虚0105民初988号民事判决", "一审判决第二项", "虚江市劳动仲裁委员会的裁决", "原判决")
MONEY = "甲公司支付乙公司货款170000元"


@pytest.mark.parametrize(("verb", "decision"), list(product(("撤销", "变更", "请求维持", "依法改判"), DECISIONS)))
@pytest.mark.parametrize("after", ["", f"为：{MONEY}", f"，{MONEY}"])
def test_a_claim_about_a_decision_is_known(verb: str, decision: str, after: str) -> None:
    assert pattern("decision", "asks_review").search(f"{verb}{decision}{after}")


@pytest.mark.parametrize("before", ["", "请求判令", "撤销双方的合同，判令", "变更登记，并判决"])
def test_a_claim_for_money_is_none(before: str) -> None:
    assert not pattern("decision", "asks_review").search(f"{before}{MONEY}")
