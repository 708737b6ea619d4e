"""How figures are shown: errors without an end, deviations, and what has no figure."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from scored import rubric

from legalworld.evaluation.figures import capped
from legalworld.evaluation.report import Report, csv_rows, report
from legalworld.evaluation.report_page import ReportSources, report_page
from legalworld.evaluation.report_text import terminal
from legalworld.evaluation.results import Evaluation, Figure, Score
from legalworld.evaluation.run_facts import OpenedRun

SIMCOURT = rubric("simcourt").rubric
LONGJUD = rubric("longjud").rubric


def of(name: str, cases: Mapping[str, Mapping[str, float | None]]) -> Report:
    """A report on one model over cases whose figures are given."""
    opened = rubric(name).rubric
    runs = [
        Evaluation(
            run=case,
            procedure="",
            case=case,
            target="judge",
            model="m",
            outcome="",
            finished=True,
            rubric=name,
            rubric_digest=opened.digest,
            run_digest="",
            grader={},
            figures=tuple(Figure(formula=formula, value=value) for formula, value in figures.items()),
            passes={},
            scores=(),
        )
        for case, figures in cases.items()
    ]
    return report(opened, runs)


def test_a_relative_error_has_three_places_and_its_deviation() -> None:
    """0.25 and 0.5: mean 0.375, s = sqrt(2 * 0.125 ** 2) = 0.177. Shown as 0.4 it was neither; and no colour says that
    an error of a third is next to perfect."""
    found = of("simcourt", {"a": {"TERM": 0.25}, "b": {"TERM": 0.5}})
    cell = found.cells["m", "TERM"]
    assert cell.figure == "0.375±0.177"
    assert cell.share is None
    assert "0.375±0.177" in terminal(found, "en", 300)
    row = next(row for row in csv_rows(found) if row["formula"] == "TERM")
    assert row["sd"] == pytest.approx(0.125 * 2**0.5)


def test_what_has_no_figure_is_a_gap_of_the_radar_and_not_the_worst() -> None:
    """Of eight axes one has no figure: seven corners, six sides, nothing to the middle and nothing across the gap."""
    figures: dict[str, float | None] = dict.fromkeys(LONGJUD.formulas, 0.5)
    figures |= {"party_1": None, "party_2": None}
    page = report_page(of("longjud", {"a": figures}), ReportSources(lambda _: OpenedRun(), lambda *_: None), "en")
    (radar,) = [chart.root for chart in page.charts if chart.name.startswith("radar")]
    group = next(one for one in radar.iter("g") if one.get("stroke-width") == "2.2")
    (path,) = group.iter("path")
    assert len(list(group.iter("circle"))) == 7
    assert str(path.get("d")).count("L") == 6 and "200.0 190.0" not in str(path.get("d"))
    assert any("当事人认定" in str(text.text) and str(text.text).startswith("m (–") for text in radar.iter("text"))


def test_an_error_without_an_end_is_no_axis_of_the_radar() -> None:
    figures = dict.fromkeys(rubric("simcourt").rubric.formulas, 0.5)
    page = report_page(of("simcourt", {"a": figures}), ReportSources(lambda _: OpenedRun(), lambda *_: None), "en")
    (radar,) = [chart.root for chart in page.charts if chart.name.startswith("radar")]
    labels = " ".join(str(text.text) for text in radar.iter("text"))
    assert "罪名" in labels and "误差" not in labels and "(–" not in labels


def test_what_is_neither_good_nor_bad_has_no_best() -> None:
    """A persona is of little legal literacy or of much: none is the better one."""
    opened = rubric("persona").rubric
    one, two = (of("persona", {"a": dict.fromkeys(opened.formulas, value)}).counted for value in (8.0, 3.0))
    found = report(opened, [*one, *(each.model_copy(update={"model": "n", "run": "b"}) for each in two)])
    cells = found.cells.values()
    assert cells and {(cell.rank, cell.share) for cell in cells} == {(0, None)}
    assert "* best" not in terminal(found, "en", 200)
    page = report_page(found, ReportSources(lambda _: OpenedRun(), lambda *_: None), "en")
    assert page.charts and not any("\u2191" in one.title or "\u2193" in one.title for one in page.charts)
    assert not any(one.name.startswith("radar") for one in page.charts)


@pytest.mark.parametrize(
    ("flags", "interactivity", "professionality"),
    [
        ({"vague_left": 1.0}, 3.0, 9.0),  # below 4
        ({"symbols": 1.0}, 4.0, 9.0),  # below 5, of the interaction
        ({"lapse": 1.0}, 9.0, 4.0),  # below 5, of the profession
        ({"symbols": 1.0, "vague_left": 1.0}, 3.0, 9.0),  # the lower of both
        ({}, 9.0, 9.0),
    ],
)
def test_caps_of_mile(flags: Mapping[str, float], interactivity: float, professionality: float) -> None:
    values = {"interactivity": 9.0, "professionality": 9.0, "vague_left": 0.0, "symbols": 0.0, "lapse": 0.0, **flags}
    scores = [Score(item=item, key="1", title="", value=value) for item, value in values.items()]
    found = {one.item: one.value for one in capped(scores, rubric("mile").rubric.caps)}
    assert (found["interactivity"], found["professionality"]) == (interactivity, professionality)
