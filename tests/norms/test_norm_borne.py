"""Where the injured share the blame, the accused bear the share that the norm of the offence says; else all of it."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pytest
from norm_sets import shipped
from test_norm_penal import judged

BLAMES = ("全部", "主要", "同等", "次要")
ROWS = shipped("cn").offences["traffic"].borne


@pytest.mark.parametrize(("own", "theirs"), list(product(BLAMES, ("", *BLAMES))))
def test_the_share_lies_between_nothing_and_all_and_needs_the_blame_of_both(own: str, theirs: str) -> None:
    told = {"victim_blame": theirs} if theirs else {}
    found = judged("traffic", blame=own, deaths=3, **told)
    if found.borne is None:
        return
    share, why = found.borne
    assert found.verdict.result == "convicted"
    assert Decimal(0) < share < Decimal(100)
    assert theirs not in ("", "全部")
    assert own != "全部"
    assert why


def test_every_row_can_hold() -> None:
    shares = {
        found.borne[0]
        for own, theirs in product(BLAMES, BLAMES)
        if (found := judged("traffic", blame=own, deaths=3, victim_blame=theirs)).borne is not None
    }
    assert len(shares) == len(ROWS) > 1


@pytest.mark.parametrize("offence", ["theft", "intentional_injury", "dangerous_driving"])
def test_other_offences_say_nothing_of_shares(offence: str) -> None:
    assert judged(offence, victim_blame="次要").borne is None
