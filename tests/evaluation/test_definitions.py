"""docs/metrics.md and the rubrics, definition by definition: each figure of each rubric has a row, in both languages,
that tells its range and which way is better, and the rules by which it is scored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pytest
from playing import ROOT
from scored import rubric

from legalworld.evaluation.rubric.definition import Formula, Rubric
from legalworld.evaluation.rubric.formulas import names_in

PAGES = ("docs/metrics.md", "docs/en/metrics.md")
NAMES = [
    file.stem
    for file in sorted((ROOT / "rubrics").glob("*.yaml"))
    if "pairs: yes" not in file.read_text(encoding="utf-8")
]
_REFERENCE = re.compile(r"(?P<rubrics>(?:[a-z][\w-]*[、, ]+)*[a-z][\w-]*) (?P<formulas>`\w+`(?:[、, ]*(?:…|`\w+`))*)")
_RANGE = re.compile(r"\[(?P<low>[\d−.]+), (?P<high>[\d.]+|∞)[\])]")
_RULE = re.compile(r"(?:规则|rules?) (`\w+`(?:[、,] ?`\w+`)*)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table of the page. `better`: what its arrow says."""

    title: str
    low: float | None
    high: float | None
    better: str
    rules: frozenset[str]
    figures: tuple[tuple[str, str], ...]


def rows(page: str) -> Iterator[Row]:
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if len(cells) == 5:
            yield row(cells)


def row(cells: list[str]) -> Row:
    spans, last = cells[2], cells[4]
    found = _RANGE.search(spans)
    low, high = (
        (float(found["low"].replace("−", "-")), float(found["high"].replace("∞", "inf"))) if found else (None, None)
    )
    if found is None and (values := re.findall(r"[\d.]+", spans)):
        low, high = min(map(float, values)), max(map(float, values))
    better = "higher" if "↑" in spans else "lower" if "↓" in spans else ""
    rules = frozenset(name.strip("`") for group in _RULE.findall(last) for name in re.findall(r"`\w+`", group))
    return Row(cells[0], low, high, better, rules, tuple(figures(last)))


def figures(text: str) -> Iterator[tuple[str, str]]:
    """(rubric, formula) of `longjud `CD` `DD``; a dash of dots stands for all between two."""
    for found in _REFERENCE.finditer(text):
        names = [name for name in re.split("[、, ]+", found["rubrics"]) if name in NAMES]
        for name in names:
            known = list(rubric(name).rubric.formulas)
            words = re.findall(r"…|`(\w+)`", found["formulas"])
            for place, word in enumerate(words):
                if word:
                    yield name, word
                elif 0 < place < len(words) - 1 and words[place - 1] in known and words[place + 1] in known:
                    between = known[known.index(words[place - 1]) + 1 : known.index(words[place + 1])]
                    yield from ((name, one) for one in between)


@cache
def by_figure(page: str) -> Mapping[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for one in rows(page):
        for figure in one.figures:
            found.setdefault(figure, one)
    return found


def of(rubric_name: str) -> Iterator[Formula]:
    yield from rubric(rubric_name).rubric.formulas.values()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_figure_of_a_rubric_has_a_row(name: str, page: str) -> None:
    assert [one.name for one in of(name) if (name, one.name) not in by_figure(page)] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_row_tells_of_a_figure_that_there_is_not(page: str) -> None:
    assert [(name, word) for name, word in by_figure(page) if word not in rubric(name).rubric.formulas] == []


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_row_tells_the_range_of_its_figures(name: str, page: str) -> None:
    """As declared, or as it is shown (times 100)."""
    wrong = []
    for one in of(name):
        told = by_figure(page)[name, one.name]
        highest = one.highest if one.bounded else float("inf")
        ways = {(one.lowest * scale, highest * scale) for scale in (1.0, one.scale)}
        if (told.low, told.high) not in ways:
            wrong.append((one.name, told.title, (told.low, told.high), ways))
    assert wrong == []


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_row_tells_which_way_is_better(name: str, page: str) -> None:
    told = {one.name: by_figure(page)[name, one.name].better or one.better for one in of(name)}
    assert told == {one.name: one.better for one in of(name)}


def rules_behind(opened: Rubric, formula: str) -> frozenset[str]:
    """The rules of the measures that a formula is made of, groups and other formulas too."""
    if formula in opened.measures:
        return frozenset({opened.measures[formula].rule})
    if formula in opened.groups:
        return frozenset().union(*(rules_behind(opened, member) for member in opened.groups[formula]))
    if formula in opened.formulas:
        return frozenset().union(
            *(rules_behind(opened, one.name) for one in names_in(opened.formulas[formula].expression))
        )
    return frozenset()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_row_names_the_rules_of_its_figures(name: str, page: str) -> None:
    """Of figures that measures alone make; a row of totals names the figures that they are made of, and not again their
    rules."""
    opened = rubric(name).rubric
    wrong = []
    for one in of(name):
        direct = [each.name for each in names_in(one.expression)]
        if any(each in opened.formulas for each in direct):
            continue
        rules = frozenset().union(*(rules_behind(opened, each) for each in direct))
        told = by_figure(page)[name, one.name]
        if not rules <= told.rules:
            wrong.append((one.name, told.title, sorted(rules - told.rules)))
    assert wrong == []


def test_both_pages_tell_the_same_of_the_same() -> None:
    chinese, english = ([(r.low, r.high, r.better, r.rules, r.figures) for r in rows(page)] for page in PAGES)
    assert chinese == english


@pytest.mark.parametrize("page", PAGES)
def test_the_weights_of_the_total_are_told(page: str) -> None:
    paragraphs = (ROOT / page).read_text(encoding="utf-8").split("\n\n")
    (told,) = (one for one in paragraphs if "`total`" in one and not one.startswith("|"))
    text = (ROOT / "rubrics/longjud.yaml").read_text(encoding="utf-8")
    weights = re.findall(r"\d+", re.search(r"weighted\((.*)\)\"", text)[1])  # type: ignore[index]
    assert [number for number in re.findall(r"\d+", told) if number in weights] == weights
