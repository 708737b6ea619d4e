"""Norms for tests: the shipped ones, and folders with one thing changed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from places import ROOT

from legalworld.authoring.norm_check import norm_problems
from legalworld.files.project_files import Disk
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.norms.definition import NormSet
from legalworld.runs.norm_sets import open_norms

FOLDER = "norms/x"
FACTS = """\
lw: 1
facts: x
currency: CNY
of claim: {amount: {title: 数额, type: money}, rate: {title: 利率, type: percent}}
of case: {judged: {title: 裁判日, type: day}}
words:
  given: {title: 已交付, type: money, called: 交付, keys: {date: day}}
  paid: {title: 已付, type: events}
  due: {title: 期限, type: day}
  good: {title: 合格}
  colour: {title: 颜色, type: text}
  buyer: {title: 买方, type: persons}
"""
HEADS = "lw: 1\nheads: x\nwords:\n  price: {title: 价款, words: [货款]}\n"
NORM = """\
lw: 1
norm: sale
title: 价款
source: 民法典
in force: {since: 2021-01-01, on: due}
claims: {heads: price, causes: 买卖}
needs: |
  | fact  | burden     | takes  | otherwise |
  |-------|------------|--------|-----------|
  | given | claimant   | sum    |           |
  | paid  | respondent | list   | empty     |
  | due   | claimant   | latest | empty     |
  | good  | claimant   | any    | empty     |
stands: given is proved
reckon:
  owed: given minus sum of paid
gives:
  - {order: pay owed, cites: 民法典第五百七十九条}
checked: no
examples:
  - {example: 一, claims: {price: 100}, says: {甲1: {given: 80}}, gives: 80}
"""


@cache
def shipped(name: str) -> NormSet:
    opened = open_norms(Disk(ROOT), f"norms/{name}")
    assert opened.problems == () and opened.norms is not None
    return opened.norms


def problems_of(norm: str = NORM, *, facts: str = FACTS, also: dict[str, str] | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with a folder of one norm, and others beside it."""
    more = {f"{FOLDER}/{name}": text for name, text in (also or {}).items()}
    texts = {f"{FOLDER}/facts.yaml": facts, f"{FOLDER}/heads.yaml": HEADS, f"{FOLDER}/sale.yaml": norm, **more}
    return norm_problems(MemorySources(texts), FOLDER, Path("/nowhere"))
