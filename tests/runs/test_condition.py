"""What made a run is its condition: every fact that nobody sorted otherwise; every neighbour of a run is another."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from legalworld.model.immutable import replace
from legalworld.runs.changes import RunChange
from legalworld.runs.condition import CONDITION, COORDINATES, OBSERVATIONS, condition_of, run_id
from legalworld.runs.run_info import RunInfo

INFO = RunInfo(
    *("civil", "specs/civil.yaml", "d" * 64, "0.9", "jiedai", "jiedai.yaml", "plaintiff_lawyer"),
    seed=0,
    models={"judge": "openai/j", "plaintiff_lawyer": "openai/a"},
    options={"memory": "yes"},
    endpoints={"openai/a": {"model": "openai/a"}, "openai/j": {"model": "openai/j"}},
)
NEIGHBOURS: dict[str, Any] = {
    "seed": 1,
    "target": "judge",
    "models": {"judge": "openai/other", "plaintiff_lawyer": "openai/a"},
    "options": {"memory": "no"},
    "tools": {"judge": "native"},
    "skip": ("FIT",),
    "without": ("search",),
    "parts": {"tools reckon interest": "reckoner 1.0"},
    "endpoints": {"openai/a": {"model": "openai/a"}, "openai/j": {"model": "openai/j", "parameters": '{"top_p": 0.5}'}},
}


def test_every_fact_of_a_run_is_of_one_kind() -> None:
    """Whoever adds a fact to `run.yaml` makes it a part of the condition, unless he sorts it otherwise here too."""
    names = {one.name for one in fields(RunInfo)}
    assert names == {*CONDITION, *COORDINATES, *OBSERVATIONS}
    assert {*COORDINATES} == {"case", "seed"}
    assert {*OBSERVATIONS} == {"spec", "case_file", "case_sum", "sealed_sum"}


@pytest.mark.parametrize("name", [*CONDITION, *COORDINATES, "case_sum"])
def test_a_neighbour_in_any_fact_has_another_key(name: str) -> None:
    other = replace(INFO, **{name: NEIGHBOURS.get(name, "another")})
    assert run_id(other) != run_id(INFO) == run_id(replace(INFO, spec="x.yaml", case_file="y.yaml"))


@pytest.mark.parametrize("name", [name for name in CONDITION if name not in ("parent", "at")])
def test_a_neighbour_in_any_fact_is_of_another_condition(name: str) -> None:
    """Of which fork a fork is, its name says: runs that were parted from other cases are of one kind."""
    other = replace(INFO, **{name: NEIGHBOURS.get(name, "another")})
    assert condition_of(other, other.models) != condition_of(INFO, INFO.models)


def test_coordinates_and_observations_are_no_condition() -> None:
    there = condition_of(INFO, INFO.models)
    for name in (*COORDINATES, "spec", "case_file"):
        other = condition_of(replace(INFO, **{name: NEIGHBOURS.get(name, "another")}), INFO.models)
        assert (other.shared, other.own) == (there.shared, there.own)
    assert all(get_type_hints(RunInfo)[name] for name in CONDITION)


def test_who_has_which_model_counts_and_not_only_which_models_there_are() -> None:
    first = {"judge": "a", "clerk": "b", "plaintiff_lawyer": "c"}
    second = {"judge": "b", "clerk": "a", "plaintiff_lawyer": "c"}
    assert condition_of(INFO, first).shared["environment"] == "clerk=b, judge=a"
    assert condition_of(INFO, second).shared != condition_of(INFO, first).shared


def test_a_run_that_went_on_otherwise_is_another() -> None:
    change = RunChange(tools={"judge": "native"})
    assert run_id(INFO, (change,)) != run_id(INFO)
    assert condition_of(INFO, INFO.models, changes=(change,)).shared["changed"]


def test_the_model_under_test_and_its_settings_are_told_apart_from_the_rest() -> None:
    other = replace(INFO, endpoints=INFO.endpoints | {"openai/a": {"model": "openai/a", "parameters": '{"top_p": 1}'}})
    there, here = condition_of(INFO, INFO.models), condition_of(other, other.models)
    assert there.shared == here.shared and there.own != here.own
