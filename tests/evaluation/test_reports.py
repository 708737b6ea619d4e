"""What a report may put together: nothing that was graded, played or set up otherwise, nothing half told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from scored import rubric

from legalworld.evaluation.figures import figures
from legalworld.evaluation.metrics.values import Reason
from legalworld.evaluation.report import as_json, csv_rows, report
from legalworld.evaluation.report_tables import difference_table, trail
from legalworld.evaluation.report_text import terminal
from legalworld.evaluation.results import Evaluation, Score
from legalworld.model.condition import SHARED
from legalworld.wording import sentences

ALIGNMENT = rubric("judgment").rubric


def evaluation(model: str, case: str, values: Mapping[str, float | None], **more: Any) -> Evaluation:
    """Of the rubric `judgment`: its scores by item, None for a reply that nobody could read."""
    scores = tuple(
        Score(item=item, key="", title="", value=value, gap=None if value is not None else Reason.UNREADABLE, by="g")
        for item, value in values.items()
    )
    made, passes = figures(ALIGNMENT, scores)
    return Evaluation(
        run=more.pop("run", f"{model}-{case}"),
        procedure="civil",
        case=case,
        target="plaintiff_lawyer",
        model=model,
        outcome="",
        finished=more.pop("finished", True),
        rubric=ALIGNMENT.name,
        rubric_digest=ALIGNMENT.digest,
        run_digest="",
        grader={"model": more.pop("grader", "g")},
        figures=made,
        passes=dict(passes),
        scores=scores,
        **more,
    )


FIRST = ("first_claim", "first_reasoning", "first_citation")
SECOND = ("second_claim", "second_reasoning", "second_citation")


def every(value: float | None, *names: str) -> dict[str, float | None]:
    return dict.fromkeys(names or (*FIRST, *SECOND), value)


# ---- apart -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "label"),
    [
        ({"grader": "offline"}, {"grader": "judge"}, "grader: judge"),
        ({}, {"given": True}, "given: yes"),
        ({}, {"own": {"own_tools": "native"}}, "own_tools: native"),
        *(({"made": {name: "a"}}, {"made": {name: "b"}}, f"{name}: b") for name in SHARED),
    ],
)
def test_what_cannot_be_averaged_stands_apart(one: dict[str, Any], other: dict[str, Any], label: str) -> None:
    found = report(ALIGNMENT, [evaluation("m", "c", every(8.0), **one), evaluation("m", "c", every(4.0), **other)])
    assert not found.cells and len(found.parts) == 2
    assert found.parts[label].cells["m", "FIT"].mean.value == 4.0
    rows = [row for row in csv_rows(found) if row["formula"] == "FIT"]
    assert [row["value"] for row in rows] == [8.0, 4.0]
    name = label.partition(":")[0]
    assert len({row[name] for row in rows}) == 2
    assert [row["value"] for row in as_json(found)["figures"] if row["formula"] == "FIT"] == [8.0, 4.0]
    text = terminal(found, "en", 200)
    assert f"== {label}" in text and "stand apart" in text


@pytest.mark.parametrize("name", SHARED)
def test_what_is_averaged_over_is_said(name: str) -> None:
    runs = [evaluation("m", "c", every(value), made={name: text}) for value, text in ((8.0, "a"), (4.0, "b"))]
    found = report(ALIGNMENT, runs, over={name})
    assert found.cells["m", "FIT"].mean.value == 6.0 and found.over == {name: {"a": 1, "b": 1}}
    assert f"Averaged over {name}: a (1) | b (1)" in terminal(found, "en", 200)
    assert {row[name] for row in csv_rows(found)} == {"a | b"}


def test_what_goes_with_the_model_stays_in_its_row_and_is_said() -> None:
    runs = [
        evaluation(model, "c", every(8.0), own={"own_tools": how}) for model, how in (("m", "native"), ("n", "text"))
    ]
    found = report(ALIGNMENT, runs)
    assert not found.parts and ("m", "n", "FIT") in found.contrasts
    assert "own_tools too: m: native; n: text" in terminal(found, "en", 200)


def test_two_texts_of_a_case_are_two_cases_whatever_the_order_of_the_runs() -> None:
    """Two folders of runs, in the second of which both cases read otherwise."""
    runs = [
        evaluation("m", case, every(value), run=f"{folder}/{case}", case_text=f"{case}{folder}")
        for folder, value in (("a", 8.0), ("b", 4.0))
        for case in ("x", "y")
    ]
    for order in (runs, runs[::-1], [runs[0], runs[3], runs[2], runs[1]]):
        found = report(ALIGNMENT, order)
        values = {name: part.cells["m", "FIT"].mean.value for name, part in found.parts.items()}
        assert values == {"case_text: 1": 8.0, "case_text: 2": 4.0}


def test_seeds_of_a_case_are_averaged() -> None:
    runs = [evaluation("m", "c", every(value), run=f"r{value}") for value in (8.0, 4.0)]
    cell = report(ALIGNMENT, runs).cells["m", "FIT"]
    assert (cell.mean.value, cell.mean.n) == (6.0, 1)


# ---- complete --------------------------------------------------------------------------------------------------------


def test_a_figure_of_which_too_much_was_lost_is_none() -> None:
    """FIT is of three scores: with one lost two thirds are there, less than the 0.8 that a figure needs. CLAIM and the
    others are of two: with one lost a half."""
    one = evaluation("m", "c", {**every(9.0), "first_claim": None})
    gaps = {each.formula: (each.value, each.gap, each.detail) for each in one.figures}
    assert gaps["FIT"] == (None, Reason.INCOMPLETE, "2 / 3")
    assert gaps["CLAIM"] == (None, Reason.INCOMPLETE, "1 / 2")
    assert gaps["SIT"][0] == 9.0
    cell = report(ALIGNMENT, [one, evaluation("m", "d", every(3.0))]).cells["m", "FIT"]
    assert (cell.mean.value, cell.mean.n, cell.mean.left_out) == (3.0, 1, 1)


def test_pairs_are_of_cases_that_both_have_whole() -> None:
    """Of three cases one is incomplete for the second model: two pairs, differences 1 and 3."""
    first = [evaluation("a", case, every(value)) for case, value in (("x", 9.0), ("y", 5.0), ("z", 6.0))]
    second = [
        evaluation("b", "x", {**every(10.0), "first_claim": None}),
        evaluation("b", "y", every(4.0)),
        evaluation("b", "z", every(3.0)),
    ]
    gap = report(ALIGNMENT, [*first, *second]).contrasts["a", "b", "FIT"].difference
    assert (gap.value, gap.n, gap.unpaired) == (2.0, 2, 1)


def test_differences_of_a_single_case_are_not_tested_and_that_is_said() -> None:
    found = report(ALIGNMENT, [evaluation(model, "x", every(value)) for model, value in (("a", 9.0), ("b", 5.0))])
    told = terminal(found, "en", 200)
    assert "no two models have more cases in common than 1" in told and "stands out from noise" not in told
    apart = report(ALIGNMENT, [evaluation("a", "x", every(9.0)), evaluation("b", "y", every(5.0))])
    assert difference_table(apart, trail(ALIGNMENT, sentences("score", "en"))) is None


# ---- stopped runs ----------------------------------------------------------------------------------------------------


def test_a_run_that_stopped_is_out_or_has_nothing_for_what_it_owed() -> None:
    """The run of `b` stopped before the second instance. Out: b has no case. Zero: SIT is 0 and FIT stays 9; CLAIM, of
    both, is 4.5. Kept: CLAIM is the easy half, 9."""
    whole = [evaluation("a", case, every(6.0)) for case in ("x", "y")]
    half = evaluation("b", "x", every(9.0, *FIRST), finished=False)
    values = {}
    for how in ("out", "zero", "kept"):
        found = report(ALIGNMENT, [*whole, half], None, how)  # type: ignore[arg-type]
        cells = {name: found.cells["b", name].mean for name in ("FIT", "SIT", "CLAIM")}
        values[how] = [cells[name].value if cells[name].n else None for name in ("FIT", "SIT", "CLAIM")]
        assert found.stopped == (half,) and ("b-x" in terminal(found, "en", 200))
    assert values == {"out": [None, None, None], "zero": [9.0, 0.0, 4.5], "kept": [9.0, None, 9.0]}


def test_what_a_run_owed_is_told_by_finished_runs_of_the_case() -> None:
    """Nobody finished case `y`: nobody knows what was owed there, and the run is left out."""
    found = report(
        ALIGNMENT,
        [evaluation("a", "x", every(6.0)), evaluation("b", "y", every(9.0, *FIRST), finished=False)],
        None,
        "zero",
    )
    assert found.cells["b", "FIT"].mean.n == 0 and [one.run for one in found.left_out] == ["b-y"]


def test_equals_and_controls_take_no_mark() -> None:
    """Of the offline actor and three models the actor is the best, and two share the first place of the models."""
    values = {"offline": 9.0, "a": 8.0, "b": 8.0, "c": 5.0}
    found = report(ALIGNMENT, [evaluation(model, "x", every(value)) for model, value in values.items()])
    assert [found.cells[model, "FIT"].mark for model in values] == [0, 0, 0, 3]
    assert [found.cells[model, "FIT"].rank for model in values] == [1, 2, 2, 4]
    apart = report(ALIGNMENT, [evaluation(model, "x", every(value)) for model, value in (values | {"b": 7.0}).items()])
    assert [apart.cells[model, "FIT"].mark for model in values] == [0, 1, 2, 3]
