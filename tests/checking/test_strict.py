"""What a strict check tells: steps without a basis, and branches that no case can take."""

from __future__ import annotations

import pytest
from places import ROOT

from legalworld.checking.strict import strict
from legalworld.files.project_files import Disk
from legalworld.language.link.linker import link
from legalworld.model.source import MemorySources

SPEC = """lw: 1
procedure: demo
kinds: {P: person}
roles: {ann: {kind: person}}
options:
  open: {choices: [wide, ajar, shut], default: wide}
  fast: {default: no}
stages:
  - stage: S
    when: open is not shut
    basis: 甲
    steps:
      - ann states: x
      - if STEP:
          - ann states: inner
      - else:
          - ann states: other
"""


def told(text: str) -> list[tuple[str, int]]:
    procedure = link(MemorySources({"specs/demo.yaml": text}), "specs/demo.yaml").procedure
    assert procedure is not None
    return [(problem.code, problem.span.line) for problem in strict(procedure)]


@pytest.mark.parametrize(
    ("condition", "dead"),
    [
        ("open is wide", []),
        ("open is shut", [15]),
        ("open is not shut", [17]),
        ("fast and open is shut", [15]),
        ("fast or open is shut", []),
        ("fast", []),
        ("open is ajar and open is wide", [15]),
    ],
)
def test_a_branch_that_nobody_takes(condition: str, dead: list[int]) -> None:
    assert told(SPEC.replace("STEP", condition)) == [("LW737", line) for line in dead]


def test_nothing_comes_behind_an_end() -> None:
    text = SPEC.replace("if STEP", "if fast").replace("      - ann states: x\n", "      - end case: over\n")
    assert [line for code, line in told(text) if code == "LW737"] == [14]


def test_a_step_has_a_basis_or_stands_in_what_has_one() -> None:
    text = SPEC.replace("if STEP", "if fast").replace("    basis: 甲\n", "")
    assert told(text) == [("LW736", 12), ("LW736", 14), ("LW736", 16)]
    based = text.replace("      - ann states: x\n", "      - ann states: x\n        basis: 甲\n")
    assert [code for code, _ in told(based)] == ["LW736", "LW736"]


def test_no_shipped_procedure_has_a_dead_branch() -> None:
    sources = Disk(ROOT)
    for path in sources.names("specs"):
        procedure = link(sources, path).procedure if path.endswith(".yaml") and path.count("/") == 1 else None
        if procedure is not None:
            assert [problem.span for problem in strict(procedure) if problem.code == "LW737"] == [], path
