"""The page of a report: every figure on it is made of the runs that it leads to, and says where it comes from."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pytest
from test_reports import ALIGNMENT, FIRST, SECOND, evaluation, every

from legalworld.evaluation.provenance import exposure
from legalworld.evaluation.report import Report, report
from legalworld.evaluation.report_page import ReportSources, report_page
from legalworld.evaluation.report_tables import FACETS
from legalworld.evaluation.results import Evaluation
from legalworld.evaluation.run_facts import OpenedRun, RunFacts, Usage
from legalworld.publication.page import Facts, PublishedPage
from legalworld.publication.tables import PublishedTable, TableCell
from legalworld.runs.journal import Session
from legalworld.runs.run_info import RunInfo

CASES = ("x", "y", "z")


def runs() -> list[Evaluation]:
    """Two models, three cases, two seeds; one score that nobody could read, one run that stopped."""
    made = []
    for place, model in enumerate(("a", "b")):
        for number, case in enumerate(CASES):
            for seed in (0, 1):
                values = every(2.0 * number + place + seed, *FIRST) | every(9.0 - number - seed, *SECOND)
                made.append(evaluation(model, case, values, run=f"{model}-{case}-{seed}"))
    made[3] = evaluation("a", "y", {**every(4.0, *FIRST), **every(None, *SECOND)}, run="a-y-1")
    made.append(evaluation("b", "x", every(9.0, *FIRST), run="b-x-2", finished=False))
    return made


def opened(run: str) -> OpenedRun:
    """What the run tells of itself, the seed from its name."""
    info = RunInfo(
        *("civil", "civil.yaml", "d" * 64, "0.9", run[2], "x.yaml", "plaintiff_lawyer"),
        seed=int(run[-1]),
        models={"judge": "openai/judge", "plaintiff_lawyer": run[0]},
        options={"memory": "yes"},
    )
    sessions = (Session(f"2026-01-0{int(run[-1]) + 1}T00:00:00+00:00", "0.9", "3.11", "1.80"),)
    usage = {"openai/judge": Usage(1000, 200, 3, 1), run[0]: Usage(0, 0, 2, 2)}
    judged = {"x": date(2023, 5, 1), "y": date(2024, 5, 1)}.get(run[2])
    return OpenedRun(RunFacts(info, sessions, usage, ("judge-2026",), 5, judged), {1: ("甲", "说了一句")})


def price(model: str, prompt: int, completion: int) -> float | None:
    return (prompt + 2 * completion) / 1e6 if model == "openai/judge" else None


def made(together: Report, cutoffs: Mapping[str, date] | None = None) -> PublishedPage:
    return report_page(together, ReportSources(opened, price, cutoffs or {}), "en")


def listed(page: PublishedPage, href: str) -> list[tuple[dict[str, str], float]]:
    """The entries that a link leads to, as the page's script finds them: marks and the figure."""
    assert page.listing is not None
    index = json.loads(zlib.decompress(base64.b64decode(page.listing.index)))
    parts = [part.split("=") for part in href.removeprefix("#list/").split("/")]
    wanted = {int(name): bytes.fromhex(value).decode() for name, value in parts if name != "v"}
    figure = next(int(value) for name, value in parts if name == "v")
    return [
        (dict(zip(FACETS, marks, strict=True)), figures[figure])
        for _, marks, figures in index["entries"]
        if all(marks[facet] == value for facet, value in wanted.items()) and figures[figure] is not None
    ]


def by_case(found: Sequence[tuple[Mapping[str, str], float]]) -> float:
    """The mean over cases of the means over seeds."""
    cases: dict[str, list[float]] = {}
    for marks, value in found:
        cases.setdefault(marks["case"], []).append(value)
    means = [sum(values) / len(values) for values in cases.values()]
    return sum(means) / len(means)


def figures(tables: Sequence[PublishedTable]) -> list[TableCell]:
    return [
        cell for table in tables for row in table.rows for cell in row[1:] if "/v=" in cell.href and cell.text != "-"
    ]


@pytest.mark.parametrize("unfinished", ["out", "zero", "kept"])
def test_every_figure_is_the_mean_of_the_runs_that_it_leads_to(unfinished: Any) -> None:
    page = made(report(ALIGNMENT, runs(), None, unfinished))
    tables = [table for table in page.tables if table.name.startswith("judgment")]
    cells = figures(tables)
    assert len(cells) >= 8
    for cell in cells:
        assert f"{by_case(listed(page, cell.href)):.2f}" == cell.text
    items = [table for table in page.tables if table.name == "items"]
    for cell in figures(items):
        values = [value for _, value in listed(page, cell.href)]
        assert f"{sum(values) / len(values):.2f}" == cell.text and cell.note == f"n={len(values)}"
    for chart in page.charts:
        links = {str(link.get("href")) for link in chart.root.iter("a")}
        assert all(listed(page, href) for href in links), chart.name


def test_the_page_tells_what_grading_took() -> None:
    """Two runs of 1000 and 500 tokens in, 200 and 100 out: 1500 + 2 * 300 = 2100 millionths of a dollar."""
    told = [{"replies": 3, "prompt": prompt, "completion": prompt // 5, "silent": 0} for prompt in (1000, 500)]
    graded = [
        evaluation("m", case, every(8.0), grader="openai/judge", grading=each, run=f"m-{case}-0")
        for case, each in zip(CASES, told, strict=False)
    ]
    facts = [block for part in made(report(ALIGNMENT, graded)).sections for block in part.blocks]
    rows = dict(row for block in facts if isinstance(block, Facts) for row in block.rows)
    assert rows["Grading: tokens and money"] == (
        "openai/judge: 1,500 in, 300 out, 6 replies (0 without a count); US$ 0.0021"
    )
    ruled = [one.model_copy(update={"grader": {"model": "offline", "rule_based": True}}) for one in graded]
    facts = [block for part in made(report(ALIGNMENT, ruled)).sections for block in part.blocks]
    assert "Grading" not in str([block for block in facts if isinstance(block, Facts)])


def test_runs_that_are_not_counted_are_not_behind_a_figure() -> None:
    page = made(report(ALIGNMENT, runs()))
    seen = {marks["counted"] for cell in figures(page.tables) for marks, _ in listed(page, cell.href)}
    assert seen == {"yes"}


def test_what_stands_apart_leads_to_its_own_runs() -> None:
    apart = [
        evaluation("m", case, every(value), grader=grader)
        for grader, value in (("g", 8.0), ("h", 4.0))
        for case in CASES
    ]
    page = made(report(ALIGNMENT, [one.model_copy(update={"run": f"a-{one.case}-0"}) for one in apart]))
    cells = figures([table for table in page.tables if table.name.startswith("judgment")])
    assert {cell.text for cell in cells} == {"8.00", "4.00"}
    for cell in cells:
        found = listed(page, cell.href)
        assert len({marks["condition"] for marks, _ in found}) == 1 and len(found) == 3
        assert f"{by_case(found):.2f}" == cell.text


def test_groups_lead_to_their_own_runs() -> None:
    labels = {one.run: "loan" if one.case == "x" else "rent" for one in runs()}
    page = made(report(ALIGNMENT, runs(), labels))
    grouped = [table for table in page.tables if "loan" in table.title]
    for cell in figures(grouped):
        assert {marks["case"] for marks, _ in listed(page, cell.href)} == {"x"}
        assert f"{by_case(listed(page, cell.href)):.2f}" == cell.text


def test_the_page_tells_where_its_figures_come_from() -> None:
    page = made(report(ALIGNMENT, runs()))
    (facts,) = [block for section in page.sections for block in section.blocks if isinstance(block, Facts)]
    told = dict(facts.rows)
    assert told["Runs"] == "runs 13, finished 12; cases 3"
    assert told["Rubric, digest"] == f"judgment {ALIGNMENT.digest}"
    assert told["Procedure, digest"] == f"civil {'d' * 64}"
    assert told["Who played"].split("\n")[0] == "judge: openai/judge"
    assert told["Called by their providers"] == "judge-2026"
    assert told["Versions"] == "lw 0.9, Python 3.11, litellm 1.80"
    assert told["Played (UTC)"] == "2026-01-01T00:00:00+00:00 – 2026-01-03T00:00:00+00:00"
    assert told["Seeds"].split("\n")[:2] == ["0  (6 runs)", "1  (6 runs)"]
    tokens = told["Tokens and money"].split("\n")
    assert tokens[0] == "a: 12 replies, no tokens told"
    assert tokens[2] == "openai/judge: 13,000 in, 2,600 out, 39 replies (13 without a count); US$ 0.0182"


@pytest.mark.parametrize(
    ("judged", "cutoff", "kind"),
    [
        (date(2023, 1, 1), date(2023, 1, 1), "before"),
        (date(2023, 1, 2), date(2023, 1, 1), "after"),
        (None, date(2023, 1, 1), "unknown"),
        (date(2023, 1, 1), None, "unknown"),
    ],
)
def test_a_case_was_judged_before_or_after_a_training_ended(
    judged: date | None, cutoff: date | None, kind: str
) -> None:
    assert exposure(judged, cutoff) == kind


def test_cases_judged_before_and_after_stand_beside_each_other() -> None:
    page = made(report(ALIGNMENT, runs()), {"a": date(2023, 12, 31)})
    counts, values = [table for table in page.tables if table.name.startswith("exposure")]
    assert [cell.text for cell in counts.rows[0]] == ["a", "2023-12-31", "1", "1", "1"]
    assert [cell.text for cell in counts.rows[1]] == ["b", "-", "0", "0", "3"]
    for row in values.rows:
        for cell, case in zip(row[2:], ("x", "y"), strict=True):
            found = listed(page, cell.href) if cell.href else []
            assert {marks["case"] for marks, _ in found} <= {case}
            assert cell.text == (f"{by_case(found):.2f}" if found else "-")


def test_a_finding_keeps_its_reason_and_its_turns() -> None:
    one = evaluation("a", "x", every(5.0), run="a-x-0")
    scores = (one.scores[0].model_copy(update={"reason": "because", "turns": (1, 9)}), *one.scores[1:])
    page = made(report(ALIGNMENT, [one.model_copy(update={"scores": scores})]))
    assert page.listing is not None
    block = json.loads(zlib.decompress(base64.b64decode(page.listing.blocks[0])))
    first = block["findings"][0]
    assert first[1:3] == ["5", ["because"]] and first[5] == [1, 9] and first[4]
    assert block["sources"][""]["turns"] == {"1": ["甲", "说了一句"]}
