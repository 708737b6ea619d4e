"""The functions that make problems: as many as there are messages, all of use, and a hole left open is a type error."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from goldens import BLESS
from make_diagnose import STUB, holes, outdated, tables

import legalworld
from legalworld.language import diagnose
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span

PLACE = Span("a.yaml", 1, 2, 3)
ENTRIES = {code: entry for codes in tables().values() for code, entry in codes.items()}


def test_what_is_made_is_up_to_date() -> None:
    for path, text in outdated():
        if BLESS:
            path.write_text(text, encoding="utf-8")
        assert BLESS, f"{path.name}: run python tests/support/make_diagnose.py"


@pytest.mark.parametrize("code", sorted(ENTRIES))
def test_function_makes_the_problem(code: str) -> None:
    kind = getattr(diagnose, ENTRIES[code]["name"])
    told = dict.fromkeys(holes(ENTRIES[code]), "x")
    problem = kind(PLACE, **told, nearest=None)
    assert problem == Diagnostic(code, PLACE, told, severity=ENTRIES[code].get("severity", "error"))
    more = {"nearest": "y", "also": (PLACE,), "severity": "error"}
    assert kind(PLACE, **told, **more) == Diagnostic(code, PLACE, told, "y", (PLACE,), "error")
    assert diagnose.code_of(kind) == code


HEAD = """\
from collections.abc import Callable
from {diagnose.__package__} import diagnose
from {Diagnostic.__module__} import {Diagnostic.__name__}
from {Span.__module__} import Span
place = Span("a.yaml", 1, 1)
def plain(kind: Callable[[Span], {Diagnostic.__name__}]) -> None: ...
"""
RIGHT = """\
diagnose.unknown_role(place, name="judge")
diagnose.unknown_role(place, name="judge", nearest=None, also=(place,), severity="warning")
diagnose.code_of(diagnose.unknown_role)
plain(diagnose.missing_sentence)
"""
WRONG = {
    "diagnose.unknown_role(place)": 'Missing named argument "name"',
    'diagnose.unknown_role(place, nam="judge")': 'Unexpected keyword argument "nam"',
    'diagnose.unknown_role(place, name="judge", known=())': 'Unexpected keyword argument "known"',
    "diagnose.unknown_role(place, name=None)": 'Argument "name"',
    'diagnose.unknown_role(place, name="judge", severity="bad")': 'Argument "severity"',
    "diagnose.unknown_roll(place)": "Module has no attribute",
    "plain(diagnose.unknown_role)": 'Argument 1 to "plain"',
}


def test_open_holes_are_type_errors(tmp_path: Path) -> None:
    head = HEAD.format(diagnose=diagnose, Diagnostic=Diagnostic, Span=Span)
    file = tmp_path / "calls.py"
    file.write_text(head + RIGHT + "".join(f"{call}\n" for call in WRONG), encoding="utf-8")
    # In a process of its own: in this one it would raise Python's recursion limit for all tests that follow.
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", file]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    errors = re.findall(r"calls\.py:(\d+): error: (.*)", told)
    first = len((head + RIGHT).splitlines()) + 1
    assert [int(line) for line, _ in errors] == list(range(first, first + len(WRONG))), told
    for (_, error), wanted in zip(errors, WRONG.values(), strict=True):
        assert wanted in error


def test_stub_takes_holes_by_name_only() -> None:
    lines = re.findall(r"^def (\w+)\((.*?)\) -> [\w\[\]]+: \.\.\.", STUB.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert {name for name, _ in lines} == {"code_of", "codes_of", *(entry["name"] for entry in ENTRIES.values())}
    assert all(" = " not in taken for _, taken in lines)


def test_every_function_is_of_use() -> None:
    package = Path(legalworld.__file__).parent
    texts = [path.read_text("utf-8") for path in package.rglob("*.py")]
    used = {name for text in texts for name in re.findall(r"\bdiagnose\.(\w+)", text)}
    assert {entry["name"] for entry in ENTRIES.values()} - used == set()
