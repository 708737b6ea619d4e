"""A pytest plugin of `mutants.py`: which test ran which line of the rooms that are mutated, and how long each took."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

KEPT = Path(os.environ["LW_CONTEXTS"])
ROOMS = ("engine", "checking", "templates", "binding")
_coverage = coverage.Coverage(
    data_file=str(KEPT), include=[f"*/legalworld/{room}/*" for room in ROOMS], config_file=False
)
_coverage.start()
_told: dict[str, tuple[float, str]] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _coverage.switch_context(item.nodeid)
    done = yield
    _coverage.switch_context("")
    return done


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    spent, outcome = _told.get(report.nodeid, (0.0, "passed"))
    _told[report.nodeid] = (spent + report.duration, outcome if report.passed else report.outcome)


def pytest_sessionfinish() -> None:
    _coverage.stop()
    _coverage.save()
    Path(f"{KEPT}.json").write_text(json.dumps(_told, ensure_ascii=False), "utf-8")
