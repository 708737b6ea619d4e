"""A fault in a shipped procedure is noticed by a test that an expert wrote, or by a prompt that reads differently: a
sample here, all of them by `make procedure-mutants`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from procedure_mutants import Mutant, mutants, noticed, project_in

SMALL = tuple(one for one in mutants() if one.spec in ("bargain", "asp2lj", "labour-arbitration", "smallclaims"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project_in(tmp_path_factory.mktemp("mutants") / "project")


def test_there_are_enough_of_every_kind() -> None:
    assert len(mutants()) >= 20 and len({one.kind for one in mutants()}) >= 8
    assert len({one.spec for one in mutants()}) >= 8


@pytest.mark.parametrize("mutant", Random(40).sample(SMALL, 3), ids=lambda one: f"{one.spec}: {one.kind}")
def test_a_fault_is_noticed(mutant: Mutant, project: Path) -> None:
    assert noticed(mutant, project).by
