"""Claims in whose words several things are asked for, and claims of an act: no part is given more than it asks for,
fees are of what all claims state, and nobody is ordered to do what nobody claimed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import product

import pytest
from norm_sets import shipped

from legalworld.law.text.decision_claims import claim_sum
from legalworld.model.decision import Amount, Decision, Party
from legalworld.norms.claims import asked
from legalworld.norms.decide import decide_claims
from legalworld.norms.definition import Saying, Value
from legalworld.norms.material import AskedClaim, CaseMaterial, Tendered

OWED, LOST = Decimal(36800), Decimal(1200)
DAYS = {"filed": date(2025, 3, 1), "judged": date(2025, 6, 1)}
PRICES, LOSSES = ("货款", "价款", "欠款"), ("损失", "差旅费")
ORDERS = (
    "判令被告支付{price}{a}元，并赔偿{loss}{b}元",
    "判令被告赔偿{loss}{b}元；支付{price}{a}元",
    "判令被告支付{price}{a}元及{loss}{b}元，合计{sum}元",
    "判令被告支付{a}元{price}和{b}元{loss}",
    "判令被告支付{price}、{loss}共计{sum}元",
    "判令被告支付{price}和{loss}",
)


def read(words: str) -> Decimal | None:
    found = claim_sum(words)
    return found.value if found is not None else None


def people(respondents: int) -> tuple[Party, ...]:
    claimant = Party(id="P1", name="甲", side="a")
    return (claimant, *(Party(id=f"D{at}", name=f"乙{at}", side="b") for at in range(1, respondents + 1)))


def judged(claims: tuple[AskedClaim, ...], says: dict[str, Value], cause: str, respondents: int = 1) -> Decision:
    exhibits = tuple(Tendered(name, "a", {name: Saying(value)}) for name, value in says.items())
    parties = people(respondents)
    return decide_claims(
        shipped("cn"), CaseMaterial("CNY", cause, parties, claims=claims, exhibits=exhibits, days=DAYS)
    )


@pytest.mark.parametrize(("price", "loss", "words"), list(product(PRICES, LOSSES, ORDERS)))
@pytest.mark.parametrize("known", [True, False])
def test_no_part_of_a_claim_gets_more_than_it_states(price: str, loss: str, words: str, known: bool) -> None:
    for a, b in ((20000, 500), (50000, 5000), (36800, 1200), (100, 100)):
        text = words.format(price=price, loss=loss, a=a, b=b, sum=a + b)
        whole: dict[str, Value] = {"amount": Decimal(a + b)} if known else {}
        parts = asked(shipped("cn").words, "1", text, ("a", "b"), whole, sum_of=read)
        stated = {"price": Decimal(a), "loss": Decimal(b)}
        assert {part.head for part in parts} == set(stated)
        for part in parts:
            assert part.values.get("amount") in (None, stated[part.head]), (text, part)
        if words in ORDERS[:2]:  # each sum behind its own word
            assert {part.head: part.values.get("amount") for part in parts} == stated
        found = judged(parts, {"delivered": OWED, "due": date(2024, 12, 31), "loss": LOST}, "买卖合同纠纷")
        if known:
            assert [item.amount for item in found.costs] == [fee_of(a + b)], text
        for part, relief in zip(parts, found.reliefs, strict=True):
            if "amount" not in part.values:
                assert relief.result == "undecided", text
            else:
                due = min(stated[part.head], OWED if part.head == "price" else LOST)
                assert relief.amount is not None and relief.amount.value == due, text


def fee_of(total: int) -> Amount:
    """The fee by the table of the regulation: 50 up to 10,000, then 2.5 in a hundred up to 100,000."""
    return Amount(value=Decimal(50) + max(Decimal(total) - 10000, Decimal(0)) * Decimal("0.025"), currency="CNY")


def repair(act: str, amount: Decimal, says: dict[str, Value], respondents: int = 1) -> Decision:
    work: dict[str, Value] = {"act": act, "within": Decimal(20)} if act else {}
    claims = (AskedClaim("1", "repair_works", "a", work), AskedClaim("2", "loss", "a", {"amount": amount}))
    return judged(claims, says, "物业服务合同纠纷", respondents)


FULL: dict[str, Value] = {"contract": True, "keeper": ("D1",), "defect": True, "loss": Decimal(3200)}


@pytest.mark.parametrize("lacking", ["", *FULL])
@pytest.mark.parametrize("respondents", [1, 2, 3])
def test_an_act_is_ordered_as_it_was_claimed_and_of_whom_a_paper_names(lacking: str, respondents: int) -> None:
    says = {name: value for name, value in FULL.items() if name != lacking}
    work, money = repair("将屋面修复", Decimal(4000), says, respondents).reliefs
    if lacking in ("contract", "defect"):
        assert (work.result, money.result) == ("dismissed", "dismissed")
    elif lacking == "keeper" and respondents > 1:
        assert (work.result, money.result) == ("undecided", "undecided")
    else:
        assert (work.order, work.object, work.amount, work.payers) == ("do", "将屋面修复", None, ("D1",))
        assert work.within is not None and work.within.days == 20
        assert money.result == ("dismissed" if lacking == "loss" else "in_part")


def test_an_act_that_nobody_described_is_not_ordered_and_bills_are_no_answer_to_it() -> None:
    found = repair("", Decimal(3200), FULL)
    assert found.reliefs[0].result == "undecided"
    assert [one.missing for one in found.thin if one.part == "reliefs/1"] == ["请求的行为"]
    bill: dict[str, Value] = {"shown": Decimal(900)}
    other = judged((AskedClaim("1", "repair_works", "a", {"act": "将屋面修复"}),), bill, "侵权责任纠纷")
    assert (other.reliefs[0].result, other.reliefs[0].amount) == ("undecided", None)


@pytest.mark.parametrize(
    ("loss", "claimed", "plaintiff"), [(3200, 3200, 0), (1600, 3200, 12.5), (0, 3200, 25), (3200, 1000, 0)]
)
def test_an_act_counts_as_much_as_all_sums_for_the_fee(loss: int, claimed: int, plaintiff: float) -> None:
    says = {**FULL, "loss": Decimal(loss)} if loss else {name: FULL[name] for name in FULL if name != "loss"}
    (fee,) = repair("将屋面修复", Decimal(claimed), says).costs
    borne = {share.persons: share.amount.value for share in fee.shares if share.amount is not None}
    assert borne.get(("P1",), Decimal(0)) == Decimal(str(plaintiff))
    assert fee.amount is not None and sum(borne.values()) == fee.amount.value == 50


@pytest.mark.parametrize("asked_for", [(3200, 500), (500, 3200), (1000, 1000, 1000), (9000, 1), (1, 1, 1, 9000)])
@pytest.mark.parametrize("heads", [("loss",), ("mending", "loss")])
def test_what_is_shown_once_carries_no_second_claim(asked_for: tuple[int, ...], heads: tuple[str, ...]) -> None:
    claims = tuple(
        AskedClaim(str(at), heads[at % len(heads)], "a", {"amount": Decimal(value)})
        for at, value in enumerate(asked_for, 1)
    )
    found = judged(claims, FULL, "物业服务合同纠纷")
    given = [relief.amount.value if relief.amount is not None else Decimal(0) for relief in found.reliefs]
    assert sum(given) == min(Decimal(3200), Decimal(sum(asked_for)))
    assert all(value <= most for value, most in zip(given, asked_for, strict=True))


@pytest.mark.parametrize("place", [1, 2])
def test_the_claim_for_which_an_exhibit_is_tendered_comes_first(place: int) -> None:
    claims = tuple(AskedClaim(str(at), "loss", "a", {"amount": Decimal(3200)}) for at in (1, 2))
    exhibits = tuple(Tendered(name, "a", {name: Saying(value)}) for name, value in FULL.items() if name != "loss")
    receipt = Tendered("loss", "a", {"loss": Saying(Decimal(3200))}, claims=(str(place),))
    material = CaseMaterial(
        "CNY", "物业服务合同纠纷", people(1), claims=claims, exhibits=(*exhibits, receipt), days=DAYS
    )
    results = [relief.result for relief in decide_claims(shipped("cn"), material).reliefs]
    assert results == ["granted" if at == place else "dismissed" for at in (1, 2)]
