"""What comes of each habit of a provider, and the table of them in docs/en/models.md (`make bless` writes it anew)."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import pytest
from goldens import compare
from places import ROOT
from provider_habits import PLAIN, Habit, habits, outcome, table

pytestmark = pytest.mark.usefixtures("no_keys")
PAGE = ROOT / "docs" / "en" / "models.md"
MADE = re.compile(r"(?<=<!-- made: habits -->\n).*?(?=<!-- end -->)", re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("habits")


NOT_YET = pytest.mark.xfail(strict=False, reason="the row says `not_yet`")
CASES = [
    pytest.param(one, way, id=f"{one.name}-{way}", marks=NOT_YET if one.not_yet else ())
    for one in habits()
    for way in one.ways
]


@pytest.mark.parametrize(("habit", "way"), CASES)
def test_what_comes_of_a_habit(habit: Habit, way: str, folder: Path) -> None:
    found = outcome(habit, way, folder)
    assert not found.troubles, habit.row["habit"]
    right = {"says": "" if "told" in habit.row["right"] else PLAIN, "told": "", **habit.row["right"]}
    values = {**asdict(found), "faults": list(found.faults)}
    assert {name: values[name] for name in right} == right, habit.row["habit"]


def test_sources_are_repositories_and_numbers() -> None:
    seen = [habit.row["seen"] for habit in habits() if "seen" in habit.row]
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+(, [\w.-]+/[\w.-]+#\d+)*", source) for source in seen)
    assert len(set(seen)) >= 50


def test_the_table_is_up_to_date(folder: Path) -> None:
    found = {habit: outcome(habit, habit.ways[0], folder) for habit in habits() if not habit.not_yet}
    text = PAGE.read_text(encoding="utf-8")
    assert MADE.search(text)
    compare(PAGE, MADE.sub(lambda _: table(found), text))
