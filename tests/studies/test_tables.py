"""Cells of tables, from runs made by hand: figures reckoned again, what is mixed kept apart, gaps with their reason."""

from __future__ import annotations

import random
import statistics
from pathlib import Path

import pytest
from places import ROOT

from legalworld.evaluation.metrics.statistics import sign_flips
from legalworld.evaluation.results import Evaluation, Figure
from legalworld.evaluation.rubric.definition import Rubric
from legalworld.files.project_files import Disk
from legalworld.model.case import Case
from legalworld.model.source import MemorySources
from legalworld.studies.case_sets import StudyCase
from legalworld.studies.definition import Study, StudyPoint
from legalworld.studies.figures import StudyRun
from legalworld.studies.open import OpenStudy, ProjectAround
from legalworld.studies.plan import PlannedPoint, StudyPlan
from legalworld.studies.read_study import read_study
from legalworld.studies.tables import FilledTable, StudyCell, fill_table

HEAD = """
lw: 1
study: s
title: s
models: {A: offline, B: offline}
cases: {main: {from: x}}
conditions:
  full: {procedure: civil, cases: main, others: A, seeds: 2, each: {model: [A, B], profile: [easy, hard]}}
  less: full minus memory
scoring: {ability: {rubric: longjud, of: [full, less]}}
tables:
  t:
    title: t
    of: [full, less]
    average over: [profile]
    rows: {each: [model, condition]}
    base: full
    compare: base
"""
COLUMNS = """
    columns:
      - {column: x, value: 10 * ability.x}
      - {column: spread, value: ability.x, statistic: mean ± sd}
      - {column: least, value: ability.x, statistic: least}
      - {column: middle, value: ability.x, statistic: median}
      - {column: cases, value: ability.x, statistic: count}
      - {column: seeds, value: ability.x, statistic: sd between runs}
      - {column: loss, value: ability.x, statistic: difference to base}
      - {column: both, mean of: [x, least]}
"""


def study_of(text: str) -> Study:
    study, problems = read_study(MemorySources({"studies/s.yaml": text}), "studies/s.yaml")
    assert study is not None, problems
    return study


def evaluation(case: str, seed: int, model: str, value: float | None, **made: str) -> Evaluation:
    figure = Figure(formula="x", value=value)
    head = {"run": f"{case}-{seed}-{model}", "procedure": "civil", "case": case, "target": "t", "model": model}
    kept = {"outcome": "", "finished": True, "rubric": "longjud", "rubric_digest": "", "run_digest": ""}
    return Evaluation(**head, **kept, grader={}, figures=(figure,), passes={}, scores=(), made=made, seed=seed)


class Laboratory:
    """Runs of a study with scores drawn from a seed."""

    def __init__(self, text: str, cases: int = 9, seed: int = 1) -> None:
        self.study = study_of(text)
        dice = random.Random(seed)
        disk = Disk(ROOT)
        self.values: dict[tuple[str, str, str, str, int], float] = {}
        self.runs: list[StudyRun] = []
        planned = []
        for condition in self.study.conditions.values():
            for point in condition.points:
                planned.append(PlannedPoint(point, condition.seeds))
                for number in range(cases):
                    for turn in range(condition.seeds):
                        self._add(point, f"c{number}", turn, dice.random())
        self.plan = StudyPlan(OpenStudy(self.study, disk, ProjectAround(disk, ROOT)), tuple(planned))

    def _add(self, point: StudyPoint, case: str, seed: int, value: float) -> None:
        model, profile = point.facts["model"], point.facts["profile"]
        self.values[point.condition, model, profile, case, seed] = value
        one = StudyCase(case, "", Case(case, case, {}, {}))
        found = {"ability": evaluation(f"{case}@{profile}", seed, model, value)}
        self.runs.append(StudyRun(point, one, ("main",), seed, Path(case), found))

    def filled(self, rubrics: dict[str, Rubric] | None = None) -> FilledTable:
        return fill_table(self.study.tables["t"], self.plan, self.runs, rubrics or {})

    def by_case(self, condition: str, model: str) -> dict[str, float]:
        """Seeds first, then profiles, with equal weights."""
        cases = sorted({key[3] for key in self.values})
        seeds = sorted({key[4] for key in self.values})
        return {
            case: statistics.fmean(
                statistics.fmean(self.values[condition, model, profile, case, seed] for seed in seeds)
                for profile in ("easy", "hard")
            )
            for case in cases
        }


def cell(table: FilledTable, row: str, column: str) -> StudyCell:
    place = next(number for number, line in enumerate(table.lines) if line.label == row)
    return table.cells[place, column]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("row", ["A · full", "B · less"])
def test_figures_reckoned_again(seed: int, row: str) -> None:
    laboratory = Laboratory(HEAD + COLUMNS, seed=seed)
    table = laboratory.filled()
    model, condition = row.split(" · ")
    cases = laboratory.by_case(condition, model)
    values = list(cases.values())
    expected = {
        "x": 10 * statistics.fmean(values),
        "spread": statistics.fmean(values),
        "least": min(values),
        "middle": statistics.median(values),
        "cases": 9,
        "both": (10 * statistics.fmean(values) + min(values)) / 2,
    }
    for column, value in expected.items():
        assert cell(table, row, column).value == pytest.approx(value, abs=1e-9), column
    spread = cell(table, row, "spread").mean
    assert spread is not None and spread.deviation == pytest.approx(statistics.stdev(values), abs=1e-9)
    means = [
        statistics.fmean(
            statistics.fmean(laboratory.values[condition, model, profile, case, turn] for profile in ("easy", "hard"))
            for case in cases
        )
        for turn in (0, 1)
    ]
    assert cell(table, row, "seeds").value == pytest.approx(statistics.stdev(means), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_differences_and_tests_are_paired_by_case(seed: int) -> None:
    laboratory = Laboratory(HEAD + COLUMNS, seed=seed)
    table = laboratory.filled()
    for model in ("A", "B"):
        first, second = laboratory.by_case("less", model), laboratory.by_case("full", model)
        gaps = [first[case] - second[case] for case in first]
        found = cell(table, f"{model} · less", "loss")
        assert found.value == pytest.approx(statistics.fmean(gaps), abs=1e-9)
        assert cell(table, f"{model} · less", "spread").p == pytest.approx(sign_flips(gaps))
        assert cell(table, f"{model} · full", "spread").p is None, "the base is not tested against itself"
        assert (found.adjusted or 1.0) >= (found.p or 0.0)


@pytest.mark.parametrize("fact", ["version", "without", "changed", "a fact that nobody thought of", "until"])
def test_a_run_of_another_condition_is_never_put_into_a_cell(fact: str) -> None:
    laboratory = Laboratory(HEAD + COLUMNS)
    run = laboratory.runs[3]
    evaluation_of = run.evaluations["ability"]
    other = evaluation_of.model_copy(update={"made": {fact: "another"}})
    laboratory.runs[3] = StudyRun(run.point, run.case, run.sets, run.seed, run.folder, {"ability": other})
    table = laboratory.filled()
    mixed = [key for key, found in table.cells.items() if found.gap == "mixed"]
    assert mixed and all(found.value is None for key, found in table.cells.items() if key in mixed)
    labels = {table.lines[place].label for place, _ in mixed}
    assert labels == {" · ".join((run.point.facts["model"], run.point.condition))}


def test_seeds_alone_never_make_more_cases() -> None:
    few, many = Laboratory(HEAD + COLUMNS), Laboratory(HEAD.replace("seeds: 2", "seeds: 7") + COLUMNS)
    assert cell(few.filled(), "A · full", "x").n == cell(many.filled(), "A · full", "x").n == 9


def test_an_empty_cell_says_why() -> None:
    laboratory = Laboratory(HEAD + COLUMNS.replace("column: x,", "column: x, needs: a rule,"))
    assert (cell(laboratory.filled(), "A · full", "x").gap, cell(laboratory.filled(), "A · full", "both").gap) == (
        "needs",
        "parts",
    )
    laboratory = Laboratory(HEAD + COLUMNS)
    laboratory.runs = [run for run in laboratory.runs if run.point.facts["model"] == "B"]
    table = laboratory.filled()
    assert cell(table, "A · full", "x").gap == "unplayed" and cell(table, "A · full", "x").value is None
    assert cell(table, "B · full", "x").value is not None
    laboratory.runs = [StudyRun(r.point, r.case, r.sets, r.seed, r.folder) for r in laboratory.runs]
    assert cell(laboratory.filled(), "B · full", "x").gap == "unscored"


def test_what_a_paper_prints_stands_beside_whatever_there_is() -> None:
    printed = (
        '\n    printed: {source: a paper, values: {A · full: [1, 2, 3, 4, 5, 6, 7, "-"]}, doubtful: {A · full: [x]}}'
    )
    laboratory = Laboratory(HEAD + COLUMNS + printed)
    laboratory.runs = []
    table = laboratory.filled()
    assert [cell(table, "A · full", one.name).printed for one in table.table.columns][:3] == ["1?", "2", "3"]
    assert cell(table, "B · full", "x").printed == ""
