"""The tests that experts wrote for the shipped procedures (specs/*.test.yaml), each played."""

from __future__ import annotations

from functools import cache

import pytest
from places import ROOT

from legalworld.authoring.find_tests import OpenedTests, open_tests, result, worded

FILES = sorted((ROOT / "specs").rglob("*.test.yaml"))


@cache
def opened(name: str) -> OpenedTests:
    found = open_tests(ROOT / "specs" / name, ROOT)
    assert isinstance(found, OpenedTests), found
    return found


TESTS = [
    (file.relative_to(ROOT / "specs").as_posix(), test.name)
    for file in FILES
    for test in opened(file.relative_to(ROOT / "specs").as_posix()).tests
]


@pytest.mark.parametrize(("file", "name"), TESTS)
def test_it_comes_as_expected(file: str, name: str) -> None:
    tests = opened(file)
    found = result(tests, next(test for test in tests.tests if test.name == name))
    assert found.broken == ()
    assert [line for failure in found.failures for line in worded(tests, failure, ROOT)] == []
