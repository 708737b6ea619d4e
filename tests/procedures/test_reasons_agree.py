"""The reasons of a judgment agree with the rulings on exhibits, the defences, the claims, the sums and the articles of
the same judgment; and a fault put into a template of them is noticed.

All faults: LW_JUDGED=2000 (`make judged`); else a few, drawn by a seed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import agreeing_reasons
import judged_neighbours
import playing
import pytest
from agreeing_reasons import disagreements
from judged_neighbours import Neighbour, drawn, written
from places import ROOT

from legalworld.files.project_files import init
from legalworld.runs.case_file import open_case

ARGUED = "documents/zh/court/_argued.j2"
SPECS = ("civil", "quexi")


@dataclass(frozen=True)
class Fault:
    """In a template `old` becomes `new`; noticed in the judgment of a neighbour of `base` by the check `by`."""

    kind: str
    old: str
    new: str
    by: str
    base: str = "jiedai"
    changes: tuple[str, ...] = ()
    file: str = ARGUED


FAULTS = (
    Fault("a sum exchanged", "支持{{ p.amount }}元", "支持{{ p.asked }}元", "_sums"),
    Fault("a sum of the reckoning dropped", "{{- l.value }}{% if l.sum %}", "{{- '1' }}{% if l.sum %}", "_reckonings"),
    Fault("plus for minus", '"minus" %}减', '"minus" %}加', "_reckonings"),
    Fault(
        "a defence dropped",
        "{%- for x in decided.pleas -%}",
        "{%- for x in decided.pleas if not x.number -%}",
        "_defences",
    ),
    Fault("a defence without an end", "因此，这一抗辩", "因此，该意见", "_defences"),
    Fault(
        "a written defence unanswered",
        "decided.there %}",
        "decided.walk_through %}",
        "_defences",
        file="documents/zh/court/_prose_defence.j2",
    ),
    Fault("an exhibit of the other side", 'e.by ~ "提交的"', '"被告提交的"', "_exhibits"),
    Fault("a ruling exchanged", "经审查已予采信", "证明力结合其他证据认定，已部分采信", "_exhibits"),
    Fault(
        "an opinion exchanged",
        '"没有异议" if e.opinion == "accepted"',
        '"不予认可" if e.opinion == "accepted"',
        "_exhibits",
    ),
    Fault("an opinion dropped", "{%- if e.opinion %}对方", "{%- if e.known %}对方", "_exhibits"),
    Fault(
        "facts without exhibits",
        "{%- for e in f.exhibits if f.opens -%}",
        "{%- for e in f.exhibits if f.plea -%}",
        "_exhibits",
    ),
    Fault(
        "refused for taken in part",
        '"只部分采信，" if e.ruling == "in_part" else "没有采信，"',
        '"没有采信，"',
        "_refused",
        "quexi-huokuan",
        ("exhibit in part",),
    ),
    Fault(
        "a claim not argued",
        "{%- for p in decided.parts -%}",
        "{%- for p in decided.parts if p.claim != '2' -%}",
        "_claims",
    ),
    Fault(
        "a claim to the wrong end",
        "支持{{ p.amount }}元{% else %}该项请求按上述计算支持{% endif %}，超出部分没有事实和法律依据，不予支持",
        "支持{{ p.amount }}元{% endif %}",
        "_claims",
    ),
    Fault(
        "articles dropped",
        "{% if p.argued.rule_cites %}（{{ p.argued.rule_cites | citations }}）{% endif %}",
        "",
        "_articles",
    ),
)
ALL = int(os.environ.get("LW_JUDGED", "100")) >= 2000
DRAWN = FAULTS if ALL else tuple(Random(39).sample(FAULTS, 5))


def _found(neighbour: Neighbour, folder: Path) -> tuple[str, ...]:
    file = str(written(neighbour, folder))
    opened = playing.project(neighbour.spec)
    assert opened.procedure is not None
    target = next(iter(opened.procedure.targets), "")
    until = "appeal" if neighbour.spec == "civil" else ""
    way = playing.Way(file, target, (), (), "plain", neighbour.spec, (), frozenset(), until)
    case = open_case(opened, file, "", {}, playing.ROOT)
    assert not isinstance(case, tuple), case
    return disagreements(playing.play_anew(way), case.case)


@pytest.mark.parametrize("seed", [seed for seed in range(0, 60 if ALL else 25) if drawn(seed).spec in SPECS])
def test_the_reasons_agree_with_what_the_court_did(seed: int, tmp_path: Path) -> None:
    assert _found(drawn(seed), tmp_path) == ()


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the shipped project; what is played is played from it."""
    folder = tmp_path / "project"
    init(folder)
    shutil.copytree(ROOT / "cases", folder / "cases", dirs_exist_ok=True)
    monkeypatch.setattr(playing, "ROOT", folder)
    monkeypatch.setattr(playing, "project", playing.project.__wrapped__)
    yield folder


@pytest.mark.parametrize("fault", DRAWN, ids=lambda one: one.kind)
def test_a_fault_in_a_template_is_noticed(fault: Fault, copied: Path, tmp_path: Path) -> None:
    file = copied / fault.file
    text = file.read_text("utf-8")
    assert fault.old in text
    file.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    spec = "quexi" if fault.base == "quexi-huokuan" else "civil"
    found = _found(Neighbour(spec, fault.base, "", fault.changes, 2), tmp_path)
    assert any(one.startswith(f"{fault.by}:") for one in found), found


def test_each_check_is_proved_by_a_fault() -> None:
    checks = {name for name in vars(agreeing_reasons) if name.startswith("_") and name in {one.by for one in FAULTS}}
    assert checks == {one.by for one in FAULTS} and len(checks) == len(agreeing_reasons.CHECKS)


BASES = (("quexi", "quexi-huokuan"), ("civil", "jiedai"), ("civil", "wuye"))


@pytest.mark.parametrize(("spec", "base"), BASES)
def test_a_claim_left_open_is_not_said_to_be_decided(spec: str, base: str, tmp_path: Path) -> None:
    until = "appeal" if spec == "civil" else ""
    outcome = judged_neighbours.judged(Neighbour(spec, base, until, ("claim more",), 106), tmp_path)
    for one in outcome.texts["first_judgment"].split("关于争议焦点"):
        assert not ("不作处理" in one and "以上只按" in one)
        assert ", " not in one
