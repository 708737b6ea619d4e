"""A respondent more, of whom no paper says anything, changes nothing of what is owed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from courtroom import claim, exhibit, parties
from norm_neighbours import BASES
from norm_sets import shipped

from legalworld.norms.decide import decide_claims
from legalworld.norms.material import CaseMaterial

SIGNED = {"date": "2024-11-30", "signed": ["D1"]}


def settled(name: str, head: str, *more: str) -> CaseMaterial:
    """A case in which the first respondent signed for a sum; it differs from what the papers give without it."""
    base = BASES[name]()
    paper = exhibit("原证9", settled=(4321, SIGNED))
    others = (one for one in base.exhibits if "settled" not in one.says)
    claims = (claim("1", head, amount=90000),)
    return replace(base, parties=parties(*more), claims=claims, exhibits=(*others, paper))


@pytest.mark.parametrize(("name", "head"), [("lease", "rent"), ("sale", "price")])
@pytest.mark.parametrize("more", [("D2",), ("D2", "D3"), ("Z", "D2", "A")])
def test_a_sum_that_one_of_several_signed_for_is_the_sum_owed(name: str, head: str, more: tuple[str, ...]) -> None:
    norms = shipped("cn")
    alone, among = (decide_claims(norms, settled(name, head, *who)).reliefs[0] for who in ((), more))
    assert alone.amount is not None and among.amount is not None
    assert among.amount.value == alone.amount.value == 4321
    assert among.payers == alone.payers == ("D1",)
