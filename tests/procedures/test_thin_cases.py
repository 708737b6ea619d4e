"""A case of which the record gives little: the offline actors come to an end all the same."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from playing import changed_case, play, project

from legalworld.binding import paths
from legalworld.binding.paths import Path as Place
from legalworld.model.procedure import Field, Procedure

CIVIL = ["civil", "quexi", "xiaoe"]
OTHERS = ["labour-arbitration", "retrial", "administrative", "criminal", "smallclaims"]


def optional(procedure: Procedure) -> list[Field]:
    return [one for one in procedure.case_fields.values() if one.path and not (one.required or one.evaluation_only)]


def left_out(data: Any, field: Field, procedure: Procedure) -> None:
    """Take everything out of a case that a field finds in it."""
    for side in procedure.sides if field.sided else ("",):
        place = paths.read(field.path.replace("{side}", side))
        assert isinstance(place, Place)
        for found in reversed(paths.find(place, data)):
            holder = data
            for key in found.where[:-1]:
                holder = holder[key]
            if found.where:
                del holder[found.where[-1]]


def ends(spec: str, folder: Path, names: set[str]) -> None:
    procedure = project(spec).procedure
    assert procedure is not None and procedure.example is not None
    fields = [one for one in optional(procedure) if one.name in names]

    def thinned(data: Any) -> None:
        for field in fields:
            left_out(data, field, procedure)

    case = changed_case(folder, Path(procedure.example).stem, thinned)
    game = play(case, (procedure.targets or ("",))[0], spec=spec)
    assert game.status == "ended", (sorted(names), game.events[-1])


@pytest.mark.parametrize("spec", CIVIL)
def test_a_case_without_claims_is_not_left_open(tmp_path: Path, spec: str) -> None:
    ends(spec, tmp_path, {"claims"})


@pytest.mark.parametrize("spec", [*CIVIL, *OTHERS])
def test_a_case_of_which_much_is_missing_comes_to_an_end(tmp_path: Path, spec: str) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    names = [one.name for one in optional(procedure)]
    draw = random.Random(spec)
    ends(spec, tmp_path, set(draw.sample(names, len(names) // 2)))
