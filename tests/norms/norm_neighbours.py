"""Neighbours of a case: the same material with one thing changed, in ways whose effect on a decision is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any

from courtroom import CLAIMS, DEFENDS, claim, days, exhibit, labour, loan, parties, sale, worktop
from norm_sets import shipped

from legalworld.norms.definition import Event, Saying, Value
from legalworld.norms.material import CaseMaterial, Tendered


def lease() -> CaseMaterial:
    """Rent of four months, a deposit, damage."""
    return CaseMaterial(
        "CNY",
        "房屋租赁合同纠纷",
        parties(),
        claims=(claim("1", "rent", amount=14000), claim("2", "deposit", amount=7000)),
        exhibits=(
            exhibit("原证1", contract=True, rent=3500, lease_from="2024-01-01", lease_to="2024-05-01"),
            exhibit("原证2", deposit=7000, handed_back=True),
            exhibit("被证1", DEFENDS, damage=1200),
            exhibit("被证2", DEFENDS, paid=[{"day": "2024-02-01", "amount": 3500, "payer": "D1", "payee": "P1"}]),
        ),
        days=days(filed="2024-11-01", judged="2024-12-01"),
    )


def fees() -> CaseMaterial:
    """Fees of a year for a hundred square metres, of which some were paid."""
    return CaseMaterial(
        "CNY",
        "物业服务合同纠纷",
        parties(),
        claims=(claim("1", "property_fee", amount=2160), claim("2", "loss", amount=500)),
        exhibits=(
            exhibit("原证1", contract=True, fee_rate="1.8"),
            exhibit("原证2", area=100, fee_from="2023-01-01", fee_to="2023-12-31"),
            exhibit("原证3", loss=300),
            exhibit("被证1", DEFENDS, paid=[{"day": "2023-06-01", "amount": 160, "payer": "D1", "payee": "P1"}]),
        ),
        days=days(filed="2024-11-01", judged="2024-12-01"),
    )


def injury() -> CaseMaterial:
    """Two who acted together, and some fault of who was hurt."""
    return CaseMaterial(
        "CNY",
        "生命权、身体权、健康权纠纷",
        parties("D2"),
        claims=(
            claim("1", "medical", amount=20000),
            claim("2", "lost_income", amount=9000),
            claim("3", "travel", amount=800),
        ),
        exhibits=(
            exhibit("原证1", act=["D1", "D2"], injury=True, together=True),
            exhibit("原证2", medical=18000),
            exhibit("原证3", days_off=30, income_day=200),
            exhibit("原证4", travel=650),
            exhibit("被证1", DEFENDS, own_fault=30),
        ),
        days=days(judged="2024-12-01"),
    )


BASES: Mapping[str, Callable[[], CaseMaterial]] = {
    "sale": sale,
    "loan": loan,
    "labour": labour,
    "lease": lease,
    "fees": fees,
    "injury": injury,
    "worktop": worktop,
}


def set_of(name: str) -> str:
    return "en" if name == "worktop" else "cn"


# ---- what can be changed ---------------------------------------------------------------------------------------------


def shuffled(material: CaseMaterial, seed: int) -> CaseMaterial:
    """The same papers, admissions and pleas in another order."""
    draw = random.Random(seed)

    def mixed(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(draw.sample(items, len(items)))

    return replace(
        material,
        exhibits=mixed(material.exhibits),
        admissions=mixed(material.admissions),
        pleas=mixed(material.pleas),
    )


@cache
def _kind(name: str, fact: str) -> str:
    words = shipped(name).words
    return (words.facts.get(fact) or words.of_claim[fact]).kind


def scaled(material: CaseMaterial, factor: Decimal, name: str) -> CaseMaterial:
    """The same case in a currency of which there is so much more: every sum, and no rate, number or day."""

    def of(fact: str, value: Value) -> Value:
        if isinstance(value, tuple):
            return tuple(replace(one, amount=one.amount * factor) if isinstance(one, Event) else one for one in value)  # type: ignore[return-value]
        return value * factor if isinstance(value, Decimal) and _kind(name, fact) == "money" else value

    def said(facts: Mapping[str, Saying]) -> dict[str, Saying]:
        return {fact: replace(one, value=of(fact, one.value)) for fact, one in facts.items()}

    return replace(
        material,
        claims=tuple(
            replace(one, values={key: of(key, value) for key, value in one.values.items()}) for one in material.claims
        ),
        exhibits=tuple(replace(one, says=said(one.says)) for one in material.exhibits),
        admissions=tuple(replace(one, says=said(one.says)) for one in material.admissions),
    )


def renamed(material: CaseMaterial, names: Mapping[str, str]) -> CaseMaterial:
    """The same case of persons who are called otherwise."""

    def of(value: Value) -> Value:
        if not isinstance(value, tuple):
            return value
        return tuple(
            replace(one, payer=names.get(one.payer, one.payer), payee=names.get(one.payee, one.payee))
            if isinstance(one, Event)
            else names.get(one, one)
            for one in value
        )  # type: ignore[return-value]

    def said(facts: Mapping[str, Saying]) -> dict[str, Saying]:
        return {
            fact: replace(one, value=of(one.value), keys={key: of(inner) for key, inner in one.keys.items()})
            for fact, one in facts.items()
        }

    return replace(
        material,
        parties=tuple(one.model_copy(update={"id": names[one.id], "name": names[one.id]}) for one in material.parties),
        exhibits=tuple(replace(one, says=said(one.says)) for one in material.exhibits),
        admissions=tuple(
            replace(one, person=names.get(one.person, one.person), says=said(one.says)) for one in material.admissions
        ),
    )


def rejected(material: CaseMaterial, name: str) -> CaseMaterial:
    """The case with an exhibit that is not taken as evidence."""
    return _with(material, name, lambda one: replace(one, ruling="rejected"))


def taken_for(material: CaseMaterial, name: str, facts: tuple[str, ...]) -> CaseMaterial:
    """The case with an exhibit that is taken for some of its facts alone."""
    return _with(material, name, lambda one: replace(one, ruling="in_part", taken=facts))


def removed(material: CaseMaterial, name: str) -> CaseMaterial:
    return replace(material, exhibits=tuple(one for one in material.exhibits if one.id != name))


def _with(material: CaseMaterial, name: str, change: Callable[[Tendered], Tendered]) -> CaseMaterial:
    return replace(material, exhibits=tuple(change(one) if one.id == name else one for one in material.exhibits))


def repeated(material: CaseMaterial) -> CaseMaterial:
    """The case with each paper twice, the second time with larger numbers and nothing else changed."""

    def more(said: Saying) -> Saying:
        return replace(said, value=said.value * 2) if isinstance(said.value, Decimal) else said

    again = (
        replace(one, id=f"{one.id}2", says={fact: more(said) for fact, said in one.says.items()})
        for one in material.exhibits
    )
    return replace(material, exhibits=(*material.exhibits, *again))


def own(material: CaseMaterial) -> tuple[str, ...]:
    """The exhibits of who claims."""
    return tuple(one.id for one in material.exhibits if one.side == CLAIMS)
