"""A benchmark of several rubrics as one figure: J1-Eval over its six environments, by what its table 2 prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playing import ROOT
from scored import rubric
from test_printed_totals import Table
from typed import lw

from legalworld.evaluation.metrics.values import number
from legalworld.evaluation.overall import members, overall, terminal
from legalworld.evaluation.report import Report, report
from legalworld.evaluation.results import Evaluation, Figure
from legalworld.evaluation.score_files import summed
from legalworld.files.digest import digest
from legalworld.runs.folder import RunFolder
from legalworld.runs.run_info import RunInfo

# table 2, sec. 4.2: the columns in its order, VER left out
COLUMNS = {
    "j1-kq": {"BIN": "KQ BIN", "NBIN": "KQ NBIN"},
    "j1-lc": {"BIN": "LC BIN", "NBIN": "LC NBIN"},
    "j1-cd": {"FOR": "CD FOR", "DOC": "CD DOC"},
    "j1-dd": {"FOR": "DD FOR", "DOC": "DD DOC"},
    "j1-civil": {"PFS": "CI PFS", "JUD": "CI JUD", "REA": "CI REA", "LAW": "CI LAW"},
    "j1-criminal": {"PFS": "CR PFS", "CRI": "CR CRI", "REA": "CR REA", "LAW": "CR LAW"},
}


INFO = RunInfo("x", "specs/x.yaml", digest({}), "0", "c", "c.yaml", "x", 0, {}, {})


def scored(name: str, model: str, printed: dict[str, float], grader: str = "g") -> Evaluation:
    """One run whose figures are those that are printed in hundredths of their range."""
    opened = rubric(name).rubric
    figures = tuple(
        Figure(formula=formula, value=printed[column] / 100 * opened.formulas[formula].highest)
        for formula, column in COLUMNS[name].items()
        if column in printed
    )
    return Evaluation(
        run=f"{name}-{model}",
        procedure=opened.procedures[0],
        case="c",
        target="x",
        model=model,
        outcome="",
        finished=True,
        rubric=name,
        rubric_digest=opened.digest,
        run_digest="",
        grader={"model": grader},
        figures=figures,
        passes={},
        scores=(),
    )


def reports(models: dict[str, dict[str, float]], without: str = "") -> list[Report]:
    return [
        report(
            rubric(name).rubric,
            [scored(name, model, printed) for model, printed in models.items() if name != without],
        )
        for name in COLUMNS
    ]


def printed(model: str) -> dict[str, float]:
    table = Table("j1", "table 2", dash=0)
    return {column: float(number(table[model, column]) or 0) for column in table.columns}


def test_the_columns_are_those_of_the_paper_without_ver() -> None:
    found = {
        one.name: [name for name, formula in one.formulas.items() if formula.group == "J1"]
        for one in members("J1", ROOT)
    }
    assert found == {name: list(columns) for name, columns in sorted(COLUMNS.items())}


def test_the_overall_figure_is_that_of_the_paper() -> None:
    """Sec. 4.2: GPT-4o 56.34, Claude-3.7 54.85, Qwen3-32B 54.25, Deepseek-v3 48.66, in that order."""
    models = ["Deepseek-v3 671B", "Qwen3-it. 32B", "GPT-4o", "Claude-3.7"]
    rows = overall(reports({model: printed(model) for model in models}), "J1")
    assert [row.model for row in rows] == ["GPT-4o", "Claude-3.7", "Qwen3-it. 32B", "Deepseek-v3 671B"]
    assert [number(row.value) for row in rows] == pytest.approx([56.34, 54.85, 54.25, 48.66], abs=0.005001)
    assert "56.34" in terminal(rows, "J1", "en")


def test_an_environment_that_was_not_played_leaves_no_overall_figure() -> None:
    (row,) = overall(reports({"m": printed("GPT-4o")}, without="j1-dd"), "J1")
    assert number(row.value) is None and row.columns["j1-kq", "BIN"] == (pytest.approx(69.70), 1)
    assert "-" in terminal((row,), "J1", "zh").splitlines()[-3]


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in COLUMNS:
        folder = tmp_path / "runs" / name
        assert isinstance(RunFolder.create(folder, INFO, {}, case_json="{}", sealed_json="{}"), RunFolder)
        (folder / "scores").mkdir()
        (folder / "scores" / f"{name}.g.json").write_bytes(summed(scored(name, "m", printed("GPT-4o"))))
    ran = lw("report", "runs", "--overall", "J1", "--json")
    assert ran.code == 0
    (one,) = ran.object()["models"]
    assert one["value"] == pytest.approx(56.34, abs=0.005001) and len(one["columns"]) == 16
    other = summed(scored("j1-kq", "m", printed("GPT-4o"), "h"))
    (tmp_path / "runs" / "j1-kq" / "scores" / "j1-kq.h.json").write_bytes(other)
    mixed = lw("report", "runs", "--overall", "J1", "--json")
    assert mixed.code == 2 and json.loads(mixed.out)["problems"][0]["code"] == "LW522"
    assert lw("report", "runs", "--overall", "J1", "--grader", "h", "--json").object()["models"][0]["lacking"]
    assert lw("report", "runs", "--overall", "none", "--json").code == 2
