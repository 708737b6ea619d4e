"""docs/metrics-compared.md and the rubrics: every metric has its row, every row's metric is there, and ours is either
exact or differs in what a sentence says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from types import FunctionType, ModuleType

import pytest
from playing import ROOT
from scored import rubric
from test_definitions import NAMES, figures

from legalworld.evaluation import overall, plants, themes, trust
from legalworld.evaluation.metrics import (
    agreement,
    compliance,
    intervals,
    matching,
    numbers,
    reliability,
    statistics,
    values,
)
from legalworld.runs.show import prompts
from legalworld.skills import compare

PAGES = {"docs/metrics-compared.md": ("相同", "不同："), "docs/en/metrics-compared.md": ("exact", "differs: ")}
METRICS = (agreement, compliance, intervals, matching, numbers, reliability, statistics)
_FIRST = re.compile(r"(?:`\w+`[、, ]*)*")
HELPERS = {"draws", "ends_of"}  # they compute no figure


def functions(*modules: ModuleType) -> set[str]:
    """The public functions that are written in some modules."""
    return {
        name
        for module in modules
        for name, one in vars(module).items()
        if type(one) is FunctionType and one.__module__ == module.__name__ and not name.startswith("_")
    }


KNOWN = functions(*METRICS, values, overall, themes, trust, plants, prompts, compare)


def rows(page: str) -> Iterator[list[str]]:
    """Metric and names, paper, released code, ours."""
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if cells and "<br>" in cells[0]:
            yield [cells[0].partition("<br>")[2], *cells[1:]]


@pytest.mark.parametrize("page", PAGES)
def test_every_metric_of_every_rubric_has_one_row_and_no_other_is_named(page: str) -> None:
    named = Counter(figure for names, *_ in rows(page) for figure in figures(names))
    wanted = {(name, formula) for name in NAMES for formula in rubric(name).rubric.formulas}
    assert set(named) == wanted
    assert [figure for figure, times in named.items() if times > 1] == []


def named_functions(page: str) -> set[str]:
    """What rows name first, before any rubric."""
    return {word for names, *_ in rows(page) for word in re.findall(r"`(\w+)`", _FIRST.match(names)[0])}  # type: ignore[index]


@pytest.mark.parametrize("page", PAGES)
def test_every_function_of_a_metric_has_a_row_and_every_function_of_a_row_is_there(page: str) -> None:
    named = named_functions(page)
    assert functions(*METRICS) - HELPERS - named == set()
    assert named - KNOWN == set()


@pytest.mark.parametrize("page", PAGES)
def test_ours_is_exact_or_differs_in_what_is_said(page: str) -> None:
    exact, differs = PAGES[page]
    for names, paper, code, ours in rows(page):
        assert paper and code, names
        assert ours == exact or (ours.startswith(differs) and len(ours) > len(differs) + 3), (names, ours)


def test_both_pages_say_the_same_of_the_same() -> None:
    kinds = []
    for page, (exact, _) in PAGES.items():
        kinds.append([(tuple(re.findall(r"`(\w+)`", names)), ours == exact) for names, *_, ours in rows(page)])
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/metrics-compared.md", {19: "民事十九项", 10: "刑事十项"}),
        ("docs/en/metrics-compared.md", {19: "nineteen items in civil", 10: "ten in criminal"}),
    ],
)
def test_the_row_of_actions_says_how_many_the_rubrics_list(page: str, words: dict[int, str]) -> None:
    ours = next(ours for names, _, _, ours in rows(page) if names.endswith("`STA` `ACT`"))
    for name in ("j1-civil", "j1-criminal"):
        items = {deed.item for deed in rubric(name).rubric.measures["process"].deeds}
        assert words[len(items)] in ours
