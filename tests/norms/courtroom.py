"""Cases for norms, written short: facts by name with plain values, turned into what their types ask for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from norm_sets import shipped

from legalworld.model.decision import Admission, Party
from legalworld.norms.definition import Event, Fact, Saying, Value
from legalworld.norms.material import AdmittedFacts, AskedClaim, CaseMaterial, Charge, Pleaded, Recommended, Tendered

CLAIMS, DEFENDS = "claims", "defends"  # sides are names of the case


def value(kind: str, plain: Any) -> Value:
    """A plain value as one of a type."""
    match kind:
        case "money" | "number" | "percent":
            return Decimal(str(plain))
        case "day":
            return date.fromisoformat(plain)
        case "persons":
            return tuple(plain)
        case "events":
            return tuple(event(**one) for one in plain)
    assert isinstance(plain, bool | str)
    return plain


def event(day: str, amount: Any, payer: str = "", payee: str = "", until: str = "") -> Event:
    last = date.fromisoformat(until) if until else None
    return Event(date.fromisoformat(day), Decimal(str(amount)), payer, payee, last)


def says(name: str = "cn", /, **facts: Any) -> dict[str, Saying]:
    """Facts and their values; one with keys is `(value, {key: ...})`."""
    found = {}
    for fact, plain in facts.items():
        known: Fact = shipped(name).words.facts[fact]
        keys: Mapping[str, Any] = {}
        if isinstance(plain, tuple):
            plain, keys = plain
        read = {key: value(known.keys[key], one) for key, one in keys.items()}
        found[fact] = Saying(value(known.kind, plain), read)
    return found


def exhibit(
    name: str, side: str = CLAIMS, ruling: Admission = "admitted", taken: tuple[str, ...] = (), /, **facts: Any
) -> Tendered:
    return Tendered(name, side, says("cn", **facts), ruling, taken)


def claim(name: str, head: str, /, **known: Any) -> AskedClaim:
    kinds = {"from": "day", "amount": "money", "rate": "percent", "wage": "money"}
    given = {key.rstrip("_"): one for key, one in known.items()}
    return AskedClaim(name, head, CLAIMS, {key: value(kinds[key], one) for key, one in given.items()})


def admits(person: str, side: str, /, *, uncontested: bool = False, **facts: Any) -> AdmittedFacts:
    return AdmittedFacts(person, side, says("cn", **facts), "hearing", uncontested)


def parties(*respondents: str) -> tuple[Party, ...]:
    """P1 against D1 and whoever is named more."""
    people = (("P1", CLAIMS), *((name, DEFENDS) for name in ("D1", *respondents)))
    return tuple(Party(id=name, name=name, side=side) for name, side in people)


def days(**known: str) -> dict[str, date]:
    return {name: date.fromisoformat(day) for name, day in known.items()}


# ---- the cases of the walk -------------------------------------------------------------------------------------------


def sale(amount: Any = 36800) -> CaseMaterial:
    """Goods for 46,800, of which 10,000 was paid; 36,800 was signed for; a loss of 2,000 that nothing shows."""
    return CaseMaterial(
        "CNY",
        "买卖合同纠纷",
        parties(),
        claims=(claim("1", "price", amount=amount), claim("2", "loss", amount=2000), claim("3", "costs")),
        exhibits=(
            exhibit("原证1", contract=True, delivered=46800),
            exhibit("原证2", due="2024-12-31", settled=(36800, {"date": "2024-09-20", "signed": ["D1"]})),
        ),
        admissions=(admits("P1", CLAIMS, paid=[{"day": "2024-09-02", "amount": 10000, "payer": "D1", "payee": "P1"}]),),
        days=days(filed="2025-03-01", judged="2025-06-01"),
    )


def loan(amount: Any = 1000000, interest: Any = "203786.67") -> CaseMaterial:
    """A million lent to a company through its manager; 15,000 came back at once, and 18 times later."""
    lent = {"day": "2021-03-12", "amount": 1000000, "payer": "P1", "payee": "D2"}
    back = {"amount": 15000, "payer": "D1", "payee": "P1"}
    returns = [{"day": "2021-03-12", **back}, {"day": "2021-04-12", "until": "2022-09-12", **back}]
    return CaseMaterial(
        "CNY",
        "民间借贷纠纷",
        parties("D2"),
        claims=(claim("1", "loan", amount=amount), claim("2", "loan_interest", rate=18, amount=interest)),
        exhibits=(
            exhibit(
                *("原证1",),
                **{"borrower": ["D1"], "manager": ["D1"], "fixed_return": True, "riskless": True, "agreed_rate": 18},
                **{"due": "2021-09-12", "contract_day": "2021-03-12"},
            ),
            exhibit("原证2", used_by=["D2"], transfers=[lent]),
            exhibit("被证1", DEFENDS, transfers=returns),
        ),
        pleas=(Pleaded("partnership", DEFENDS),),
        days=days(filed="2023-10-01", judged="2024-01-08"),
    )


def labour() -> CaseMaterial:
    """Ten months without a written contract, the last three unpaid; overtime that nothing shows."""
    return CaseMaterial(
        "CNY",
        "劳动争议",
        parties(),
        claims=(
            claim("1", "wages", amount=24000, wage=8000),
            claim("2", "double_wages", amount=72000, wage=8000),
            claim("3", "severance", amount=8000, wage=8000),
            claim("4", "overtime", amount=9000, wage=8000),
        ),
        exhibits=(
            exhibit("申证1", managed=True, employed="2024-03-01"),
            exhibit("申证2", unpaid_from="2024-10-01", ended="2024-12-31", ended_for="拖欠工资"),
            exhibit("申证3", wage=8000),
        ),
        days=days(applied="2025-01-20", judged="2025-04-01"),
    )


def theft(value: Any = 9860, *, months: int = 8, probation: int = 12, fine: int = 5000) -> CaseMaterial:
    """Three thefts, surrender, everything made good; a sentence is recommended."""
    asked = Recommended("有期徒刑", months, probation, Decimal(fine))
    return CaseMaterial(
        "CNY",
        "",
        (Party(id="P1", name="P1", side=CLAIMS), Party(id="D1", name="D1", side=DEFENDS)),
        exhibits=(
            exhibit("控证2", took=True, occasions=3, deed="2024-05-09"),
            exhibit("控证3", value=value),
            exhibit("控证5", surrendered=True),
            exhibit("辩证1", DEFENDS, made_good=True, forgiven=True),
            exhibit("辩证2", DEFENDS, suited=True),
        ),
        admissions=(admits("D1", DEFENDS, pleads_guilty=True),),
        charges=(Charge("D1", "theft", asked),),
    )


def worktop(sum_: Any = 1480, quote: Any = 1480) -> CaseMaterial:
    """A small claim for a worktop that cracked, for which there is no norm."""
    english = (
        Tendered("C2", CLAIMS, says("en", contract=True)),
        Tendered("C4", CLAIMS, says("en", shown=quote)),
    )
    return CaseMaterial(
        "GBP",
        "faulty work",
        parties(),
        claims=(claim("1", "repair", amount=sum_),),
        exhibits=english,
        days=days(judged="2024-10-03"),
    )
