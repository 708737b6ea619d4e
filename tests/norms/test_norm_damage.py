"""Files of norms that are damaged, and material in which anything may be missing: problems and gaps, never a crash."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from norm_neighbours import BASES, set_of
from norm_sets import shipped
from places import ROOT

from legalworld.authoring.norm_check import norm_problems
from legalworld.files.project_files import Disk
from legalworld.model.source import MemorySources
from legalworld.norms.decide import decide_claims
from legalworld.norms.definition import Event, Fact, Saying, Value
from legalworld.norms.material import AdmittedFacts, AskedClaim, CaseMaterial, Charge, Pleaded, Recommended, Tendered
from legalworld.norms.penal import decide_charge
from legalworld.wording.diagnostics import message

SCRAPS = (
    *("", " ", ":", "|", "- ", "{", "}", "plus", "is", "9" * 40, "-1", "0"),
    *("从", "\t", "[*]", "#", "，", "x x"),
)
FILES = [path for path in Disk(ROOT).names("norms/cn") if path.endswith(".yaml")]


@cache
def texts() -> dict[str, str]:
    disk = Disk(ROOT)
    tables = [path for path in disk.names("documents/zh/court") if path.endswith(".yaml")]
    return {path: disk.read(path) or "" for path in (*FILES, *tables)}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.integers(0, 10**6), st.integers(0, 12), st.sampled_from(SCRAPS))
def test_a_damaged_file_is_told_and_breaks_nothing(path: str, at: int, removed: int, scrap: str) -> None:
    text = texts()[path]
    place = at % (len(text) + 1)
    damaged = {**texts(), path: text[:place] + scrap + text[place + removed :]}
    for problem in norm_problems(MemorySources(damaged), "norms/cn", Path("/nowhere")):
        assert message(problem, "zh") and message(problem, "en")
        assert problem.span.line >= 1


MONEY = st.decimals(Decimal(0), Decimal(10**7), places=2)
DAYS = st.dates(date(1990, 1, 1), date(2030, 1, 1))
PERSONS = st.sampled_from(["P1", "D1", "D2", "X9", ""])
EVENTS = st.builds(Event, DAYS, MONEY, PERSONS, PERSONS, st.none() | DAYS)


def values(fact: Fact) -> st.SearchStrategy[Value]:
    kinds: dict[str, st.SearchStrategy[Value]] = {
        "yes": st.booleans(),
        "money": MONEY,
        "number": MONEY,
        "percent": st.decimals(Decimal(0), Decimal(100), places=2),
        "day": DAYS,
        "persons": st.lists(PERSONS, max_size=3).map(tuple),
        "events": st.lists(EVENTS, max_size=4).map(tuple),
        "text": st.sampled_from(["轻伤", "重伤", "拖欠工资", "别的"]),
    }
    return kinds[fact.kind]


@st.composite
def anything(draw: st.DrawFn) -> tuple[str, CaseMaterial]:
    """A case of a known kind whose papers and admissions state whatever, or nothing."""
    name = draw(st.sampled_from(sorted(BASES)))
    base, facts = BASES[name](), shipped(set_of(name)).words.facts
    names = sorted(
        {fact for one in base.exhibits for fact in one.says}
        | set(draw(st.sets(st.sampled_from(sorted(facts)), max_size=6)))
    )

    def says() -> dict[str, Saying]:
        chosen = draw(st.sets(st.sampled_from(names), max_size=5))
        return {
            fact: Saying(
                draw(values(facts[fact])),
                {
                    key: draw(values(Fact(key, key, kind)))
                    for key, kind in facts[fact].keys.items()
                    if draw(st.booleans())
                },
                draw(st.sampled_from(["", "", "", "USD"])),
            )
            for fact in sorted(chosen)
        }

    papers = tuple(
        Tendered(
            f"证{place}",
            draw(st.sampled_from(["claims", "defends"])),
            says(),
            draw(st.sampled_from(["admitted", "in_part", "rejected", "open"])),
        )
        for place in range(draw(st.integers(0, 4)))
    )
    admitted = tuple(
        AdmittedFacts(person, side, says())
        for person, side in (("P1", "claims"), ("D1", "defends"))
        if draw(st.booleans())
    )
    pleas = tuple(
        Pleaded(plea, draw(st.sampled_from(["claims", "defends"])))
        for plea in sorted(draw(st.sets(st.sampled_from(["limitation", "set_off", "price_cut", "partnership", "x"]))))
    )
    known = {day: draw(DAYS) for day in ("filed", "judged", "applied") if draw(st.booleans())}
    claims = tuple(
        replace(one, values={k: v for k, v in one.values.items() if draw(st.booleans())}) for one in base.claims
    )
    return name, replace(base, claims=claims, exhibits=papers, admissions=admitted, pleas=pleas, days=known)


@settings(max_examples=150, deadline=None)
@given(anything())
def test_whatever_a_case_states_it_is_decided_or_said_why_not(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    decision = decide_claims(shipped(set_of(name)), material)
    asked = {one.id: one for one in material.claims}
    for relief in decision.reliefs:
        claim: AskedClaim = asked[relief.claims[0]]
        most = claim.values.get("amount")
        if relief.amount is not None:
            assert relief.amount.value > 0
            assert not isinstance(most, Decimal) or relief.amount.value <= max(most, Decimal("0.01"))
        assert relief.result != "undecided" or any(thin.part == f"reliefs/{relief.id}" for thin in decision.thin)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(shipped("cn").offences)), st.data())
def test_whatever_a_charge_rests_on_the_sentence_lies_in_the_range(offence: str, data: st.DataObject) -> None:
    norms = shipped("cn")
    rules = norms.sentencing
    assert rules is not None
    facts = {name: norms.words.facts[name] for name in {**norms.offences[offence].needs, **rules.needs}}
    chosen = data.draw(st.sets(st.sampled_from(sorted(facts))))
    says = {fact: Saying(data.draw(values(facts[fact]))) for fact in sorted(chosen)}
    main = data.draw(st.sampled_from([*rules.penalties, "流放"]))
    asked = Recommended(
        main, data.draw(st.integers(0, 300)), data.draw(st.none() | st.integers(0, 90)), data.draw(MONEY)
    )
    material = CaseMaterial("CNY", "", BASES["sale"]().parties, exhibits=(Tendered("控证1", "claims", says),))
    found = decide_charge(norms, material, Charge("D1", offence, data.draw(st.none() | st.just(asked))))
    if found.verdict.result != "convicted":
        assert found.verdict.punishment is None
        return
    imposed = found.verdict.punishment
    assert (
        imposed is not None and imposed.term is not None and imposed.term.months is not None and found.range is not None
    )
    least, most = rules.penalties[imposed.term.name]
    assert least <= imposed.term.months <= most
    assert imposed.term.months <= (found.range.most or 180)
    assert imposed.term.months >= found.range.least
    if imposed.probation is not None:
        assert imposed.term.months <= 36 and (imposed.probation.months or 0) >= imposed.term.months
        assert "recidivist" not in {one.name for one in found.verdict.circumstances}
    if imposed.fine is not None:
        assert found.range.extra.startswith("fine")
        assert imposed.fine.value >= (found.range.fine_least or 0)
