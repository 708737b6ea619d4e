"""Interest at a rate that changes, fees by the case, orders that are no payment: what norms say beside sums."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from courtroom import claim, days, exhibit, parties
from hypothesis import given, settings
from hypothesis import strategies as st
from norm_sets import problems_of, shipped

from legalworld.figures import ledger
from legalworld.figures.tables import FigureTable
from legalworld.language import diagnose
from legalworld.norms.decide import decide_claims
from legalworld.norms.material import CaseMaterial
from legalworld.norms.spans import interest_in_spans, stretches
from legalworld.wording.diagnostics import message, repair

DAYS = st.dates(date(2020, 1, 1), date(2026, 1, 1))
RATES = st.lists(
    st.tuples(DAYS, st.decimals(Decimal(1), Decimal(6), places=2)), max_size=6, unique_by=lambda one: one[0]
)


@settings(max_examples=120, deadline=None)
@given(RATES, DAYS, st.integers(1, 1500))
def test_stretches_are_the_whole_time_and_bear_the_rate_of_their_days(
    published: list[tuple[date, Decimal]], since: date, length: int
) -> None:
    table, until = FigureTable("", "r", "r", "", tuple(published)), since + timedelta(length)
    found = list(stretches(table, since, until))
    if not any(day <= since for day, _ in published):
        assert found == [] and interest_in_spans(Decimal(1000), table, Decimal(1), (since, until)) is None
        return
    assert found[0][0] == since and found[-1][1] == until
    assert all(one[1] == other[0] and one[0] < one[1] for one, other in pairwise(found))
    assert all(rate == table.on(start) == table.on(end - timedelta(1)) for start, end, rate in found)
    total = interest_in_spans(Decimal(1000), table, Decimal(2), (since, until))
    low, high = (pick(rate for *_, rate in found) for pick in (min, max))
    assert total is not None
    for rate, sign in ((low, 1), (high, -1)):  # by days and by months the two differ by some days' interest
        alone = Decimal(1000) * rate * 2 / 100 * length / 365
        assert sign * (total - alone) >= -Decimal(1000) * rate * 2 / 100 * 3 * len(found) / 365 - Decimal("0.5")
    if len(found) == 1:
        assert total == ledger.interest(Decimal(1000), low * 2, since, until)


def test_interest_of_a_case_goes_by_the_rate_of_each_day() -> None:
    papers = (exhibit("原证1", acknowledged=(100000, {"date": "2021-05-01", "signed": ["D1"]}), due="2021-06-30"),)
    for judged in ("2021-10-01", "2022-03-01", "2023-12-31", "2025-01-01"):
        case = CaseMaterial(
            *("CNY", "合同纠纷", parties(), (claim("1", "use_of_money"),), papers), days=days(judged=judged)
        )
        (relief,) = decide_claims(shipped("cn"), case).reliefs
        (clause,) = relief.interest
        end = date.fromisoformat(judged)
        expected = interest_in_spans(Decimal(100000), shipped("cn").tables["lpr"], Decimal(1), (date(2021, 6, 30), end))
        assert clause.rate is None and clause.formula == "lpr*1" and clause.so_far is not None
        assert clause.so_far.value == expected


@pytest.mark.parametrize(
    ("cause", "head", "fee"),
    [
        ("劳动争议", "wages", 10),
        ("行政处罚", "annul", 50),
        ("买卖合同纠纷", "price", 50),
        ("没有听说过的纠纷", "price", 50),
    ],
)
@pytest.mark.parametrize("amount", [1000, 100000])
def test_a_fee_is_by_the_cause_and_borne_whole(cause: str, head: str, fee: int, amount: int) -> None:
    papers = (exhibit("原证1", contract=True, delivered=amount),)
    case = CaseMaterial(
        *("CNY", cause, parties(), (claim("1", head, amount=amount),), papers), days=days(judged="2025-01-01")
    )
    (item,) = decide_claims(shipped("cn"), case).costs
    by_table = shipped("cn").tables["property-fee"].scaled(Decimal(amount))
    assert item.amount is not None
    assert item.amount.value == (fee if cause in ("劳动争议", "行政处罚") else by_table)
    borne = [one.amount.value for one in item.shares if one.amount is not None]
    assert not item.shares or sum(borne) == item.amount.value


def test_what_is_declared_is_paid_by_nobody() -> None:
    papers = (exhibit("原证1", will=True, heir=["P1"], estate=103000),)
    case = CaseMaterial(
        *("CNY", "遗嘱继承纠纷", parties("D2"), (claim("1", "estate", amount=103000),), papers),
        days=days(judged="2024-01-01"),
    )
    (relief,) = decide_claims(shipped("cn"), case).reliefs
    assert relief.order == "declare" and relief.payers == () and relief.result == "granted"


@pytest.mark.parametrize("item", ["{item: 费}", "{item: 费, fixed: 5, table: x}", "{item: 费, fixed: many}"])
def test_a_fee_needs_a_table_or_a_sum(item: str) -> None:
    problems = problems_of(also={"costs.yaml": f"lw: 1\ncosts: x\nchecked: no\nitems:\n  - {item}\n"})
    assert diagnose.code_of(diagnose.fee_without_sum) in {one.code for one in problems} or (
        "table" in item and problems
    )
    assert all(message(one, locale) and repair(one, locale) for one in problems for locale in ("zh", "en"))
