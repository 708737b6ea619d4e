"""What holds of the argument of every decision by norms: it rests on what was found, and on nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import pytest
from courtroom import DEFENDS
from hypothesis import given, settings
from hypothesis import strategies as st
from norm_neighbours import BASES, rejected, removed, scaled, set_of
from norm_sets import shipped

from legalworld.model.decision import Argument, Decision, Relief, SaidValue
from legalworld.model.source import MemorySources
from legalworld.norms.decide import decide_claims
from legalworld.norms.material import CaseMaterial, Pleaded
from legalworld.norms.told import told
from legalworld.norms.told_words import Wording
from legalworld.runs.norm_sets import open_norms

NAMES = st.sampled_from(sorted(BASES))
EACH = settings(max_examples=80, deadline=None)
FOUND = ("proved", "in_part", "admitted", "uncontested", "noticed")


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[str, CaseMaterial]:
    """A case with papers gone or refused, another scale, and any defences that its norms know."""
    name = draw(NAMES)
    material = BASES[name]()
    for _ in range(draw(st.integers(0, 2))):
        papers = [one.id for one in material.exhibits]
        if papers:
            change = draw(st.sampled_from([removed, rejected]))
            material = change(material, draw(st.sampled_from(papers)))
    material = scaled(material, draw(st.sampled_from([Decimal(1), Decimal("0.1"), Decimal("3.7")])), set_of(name))
    known = sorted({plea.id for norm in shipped(set_of(name)).norms.values() for plea in norm.pleas})
    pleaded = draw(st.lists(st.sampled_from(known), unique=True, max_size=3)) if known else []
    return name, replace(material, pleas=(*material.pleas, *(Pleaded(one, DEFENDS) for one in pleaded)))


def steps(decision: Decision) -> Iterator[tuple[Relief, Argument]]:
    return ((relief, step) for relief in decision.reliefs for step in relief.argued)


@EACH
@given(neighbours())
def test_what_is_called_found_was_found_and_what_is_called_lacking_was_not(
    case: tuple[str, CaseMaterial],
) -> None:
    name, material = case
    decision = decide_claims(shipped(set_of(name)), material)
    found = {one.id for one in decision.findings if one.result in FOUND}
    for relief, step in steps(decision):
        claim = relief.claims[0]
        assert {f"{claim}/{fact}" for fact in step.found} <= found
        if step.step == "lacking":
            assert not {f"{claim}/{fact}" for fact in step.facts if fact not in step.found} & found


@EACH
@given(neighbours())
def test_every_claim_that_a_norm_decides_is_argued(case: tuple[str, CaseMaterial]) -> None:
    """A dismissal names what was not shown, the rule that denies it, or the defence that holds; a grant its rule."""
    name, material = case
    decision = decide_claims(shipped(set_of(name)), material)
    for relief in decision.reliefs:
        kinds = {one.step for one in relief.argued}
        if relief.result == "dismissed" and relief.norm:
            assert kinds & {"lacking", "rule", "sustained"}, relief
        if relief.result in ("granted", "in_part"):
            assert {"rule", "rests"} <= kinds or set_of(name) == "en", relief


@EACH
@given(neighbours())
def test_every_defence_that_was_weighed_ends_one_way_and_says_what_it_turned_on(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    decision = decide_claims(shipped(set_of(name)), material)
    for relief in decision.reliefs:
        ends: dict[str, list[Argument]] = {}
        for one in relief.argued:
            if one.step in ("sustained", "failed"):
                ends.setdefault(one.about, []).append(one)
        weighed = {
            one.id.rpartition("/")[2]: one for one in decision.findings if _of_plea(one.origin, relief, one.about)
        }
        assert {*weighed} <= {*ends}
        for plea, (end, *more) in ends.items():
            assert not more
            if plea in weighed:
                assert (end.step == "sustained") is (weighed[plea].result == "proved")
            assert end.facts or end.text, end


def _of_plea(origin: object, relief: Relief, about: tuple[str, ...]) -> bool:
    return getattr(origin, "detail", "") == "plea" and bool({*about} & {*relief.claims})


@EACH
@given(neighbours())
def test_exhibits_that_are_told_to_show_a_fact_were_taken(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    norms = shipped(set_of(name))
    decision = decide_claims(norms, material)
    items = {one.id: (one.id,) for one in material.claims}
    taken = {one.id for one in material.exhibits if one.ruling in ("admitted", "in_part")}
    parts = told(decision, Wording(norms, material.parties, "zh", items=items), material.pleas)["parts"]
    for part in parts:
        for fact in part["argued"]["shown"]:
            assert {one["id"] for one in fact["exhibits"]} <= taken
            assert fact["said"] or fact["fact"]
        for missing in part["argued"]["lacking"]:
            assert not {one["id"] for one in missing["refused"]} & taken


@EACH
@given(neighbours())
def test_no_sentence_is_said_with_a_value_that_nobody_knows(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    for _, step in steps(decide_claims(shipped(set_of(name)), material)):
        for one in step.text:
            assert one if isinstance(one, str) else isinstance(one, SaidValue) and all(one.values)


def test_what_one_claim_has_told_the_next_only_recalls() -> None:
    material = BASES["labour"]()
    norms = shipped("cn")
    decision = decide_claims(norms, material)
    items = {one.id: (one.id,) for one in material.claims}
    parts = told(decision, Wording(norms, material.parties, "zh", items=items), material.pleas)["parts"]
    told_facts = [one["fact"] for part in parts for one in part["argued"]["shown"]]
    assert told_facts and len(told_facts) == len(set(told_facts))


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("price: {title: price, type: money, said: it is so}", "LW974"),
        ("price: {title: price, type: money, said: '{} and {}'}", "LW974"),
        ("price: {title: price, said: 'it is {}'}", "LW974"),
    ],
)
def test_words_that_do_not_fit_their_fact_are_told(written: str, code: str) -> None:
    facts = f"lw: 1\nfacts: x\ncurrency: EUR\nwords:\n  {written}\n"
    heads = "lw: 1\nheads: x\nwords:\n  price: {title: price, words: [price]}\n"
    opened = open_norms(MemorySources({"norms/x/facts.yaml": facts, "norms/x/heads.yaml": heads}), "norms/x")
    assert [one.code for one in opened.problems] == [code]
    assert opened.problems[0].span.file == "norms/x/facts.yaml"


@pytest.mark.parametrize("sentence", ["due {}", "due {dew}", "due {claim}", "{price.signed} signs"])
def test_a_sentence_with_a_name_that_is_none_is_told_where_it_stands(sentence: str) -> None:
    facts = "lw: 1\nfacts: x\ncurrency: EUR\nwords:\n  price: {title: price, type: money, said: 'it is {}'}\n"
    heads = "lw: 1\nheads: x\nwords:\n  price: {title: price, words: [price]}\n"
    norm = f"""lw: 1
norm: x
title: x
source: x
claims: {{heads: price}}
premise: "{sentence}"
needs: |
  | fact  | burden   | takes |
  |-------|----------|-------|
  | price | claimant | sum   |
gives:
  - order: pay price
checked: no
examples:
  - {{example: one, claims: {{price: 5}}, says: {{C1: {{price: 5}}}}, gives: 5}}
"""
    sources = MemorySources({"norms/x/facts.yaml": facts, "norms/x/heads.yaml": heads, "norms/x/x.yaml": norm})
    problems = open_norms(sources, "norms/x").problems
    assert problems and {(one.span.file, one.span.line) for one in problems} == {("norms/x/x.yaml", 6)}
