"""Files as they are while somebody types: a line that cannot be read costs that line, and little is told of it.

All of them: make half-typed.
"""

from __future__ import annotations

import random

import pytest
from half_typed import CUTS, HalfTyped, half_typed, outcome, shipped

from legalworld.authoring.picture import Picture
from legalworld.authoring.told import diagnostics
from legalworld.model.procedure import Procedure

MAIN = "specs/civil.yaml"
SAMPLE, MOST_TOLD = 15, 15  # of each kind of cut; problems at most


@pytest.fixture(scope="module")
def picture() -> Picture:
    return shipped()


@pytest.fixture(scope="module")
def procedure(picture: Picture) -> Procedure:
    found = picture.linked(MAIN).procedure
    assert found is not None
    return found


@pytest.fixture(scope="module")
def sample(picture: Picture, procedure: Procedure) -> list[HalfTyped]:
    everything = [half for path in procedure.files[:4] for half in half_typed(path, picture.read(path) or "")]
    draw = random.Random(74)
    return [half for cut in CUTS for half in draw.sample([one for one in everything if one.cut == cut], SAMPLE)]


def test_a_half_typed_line_leaves_the_procedure(picture: Picture, sample: list[HalfTyped]) -> None:
    outcomes = {half: outcome(picture, MAIN, half) for half in sample}
    assert [(half.path, half.line, half.cut) for half, one in outcomes.items() if not one.left] == []
    assert sum(one.steps >= 0.9 for one in outcomes.values()) >= 0.95 * len(outcomes)
    assert [(half.path, half.line, half.cut) for half, one in outcomes.items() if one.told > MOST_TOLD] == []


def test_what_is_wrong_elsewhere_is_told_all_the_same(picture: Picture) -> None:
    """A name that nobody declares was told before the line was broken, and is told while it is."""
    text = picture.read(MAIN) or ""
    wrong = picture.replaced(MAIN, text.replace("target: [plaintiff_lawyer", "target: [plaintif_lawyer"))
    (told,) = diagnostics(wrong, MAIN).problems
    broken = wrong.replaced(MAIN, (wrong.read(MAIN) or "").replace("title: 民事诉讼", "titl 民事诉讼", 1))
    codes = {(problem.code, problem.span.line) for problem in diagnostics(broken, MAIN).problems}
    assert (told.code, told.span.line) in codes
    assert len(codes) > 1


def test_a_name_used_in_vain_is_told_once(picture: Picture) -> None:
    text = picture.read(MAIN) or ""
    other = picture.replaced(MAIN, text.replace("\n  judge:", "\n  judgee:", 1))
    told = diagnostics(other, MAIN).problems
    assert len({(problem.code, problem.values.get("name")) for problem in told}) == len(told)
    assert any(problem.values.get("more") for problem in told)
