"""Every diagnostic stands in a test: its code in what is expected, or its function in what is called.

Those that stand in none yet are listed: a new one is not forgotten, and one that has found its test is taken off.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from places import ROOT

from legalworld.wording.diagnostics import catalogue

READ = (".py", ".txt", ".yaml", ".toml", ".md")
# fmt: off
WITHOUT_TEST = frozenset(
    (
        "LW191", "LW193", "LW234", "LW235", "LW311", "LW313", "LW323", "LW325", "LW329",
        "LW330", "LW340", "LW358", "LW366", "LW372", "LW511", "LW545", "LW562", "LW605", "LW674", "LW676",
        "LW686", "LW703", "LW704", "LW705", "LW707", "LW708", "LW823", "LW982",
    )
)
# fmt: on
"""What is told of commands, runs and files and is raised by no test input yet."""


@cache
def untold() -> frozenset[str]:
    """The codes that stand in no test, neither by themselves nor by the name of their function."""
    files = (file for file in (ROOT / "tests").rglob("*") if file.suffix in READ and file != Path(__file__))
    said = "\n".join(file.read_text("utf-8", "replace") for file in files)
    codes, names = set(re.findall(r"LW\d{3}", said)), set(re.findall(r"diagnose\.(\w+)", said))
    return frozenset(code for code, entry in catalogue().items() if code not in codes and entry["name"] not in names)


def test_every_diagnostic_stands_in_a_test() -> None:
    assert not untold() - WITHOUT_TEST, "raise it in a test"


def test_what_has_found_its_test_is_no_longer_listed() -> None:
    assert not WITHOUT_TEST - untold()
