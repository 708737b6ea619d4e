"""A path of a binding that is misspelt by one letter is told, also where the data may lack what it leads to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playing import ROOT, project

from legalworld.batch.warned import CaseNotes, WarningCounts
from legalworld.binding.casefile import parse_data
from legalworld.binding.file import load_binding
from legalworld.binding.idle import idle_rules, nearly_alike
from legalworld.files.project_files import Disk
from legalworld.runs.totals import written_total

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAMES = ["plaintiff_statement", "query", "原告诉请判令（公诉机关指控）", "一审法院认定事实", "defendant_information"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(10))
def test_names_that_differ_in_one_letter_are_near(name: str, seed: int) -> None:
    draw = random.Random(f"{name} {seed}")
    at, sign = draw.randrange(len(name)), draw.choice([one for one in LETTERS if one not in name] or ["囧"])
    for other in (name[:at] + sign + name[at + 1 :], name[:at] + sign + name[at:], name[:at] + name[at + 1 :]):
        near = len(other) >= 5 and other != name
        assert (nearly_alike(name, other), nearly_alike(other, name)) == (near, near), other
        assert not nearly_alike(name, f"{sign}{other[:-1]}{sign * 3}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("引用法律条文1", "引用法律条文2"),
        ("引用法律条文1", "引用法律条文11"),
        ("evidence_1", "evidence_2"),
        ("原告陈述", "被告陈述"),
        ("query", "query"),
        ("plaintiff", "defendant"),
        ("", ""),
        ("qw", "q"),
    ],
)
def test_other_names_are_not(one: str, other: str) -> None:
    assert not nearly_alike(one, other) and not nearly_alike(other, one)


@pytest.mark.parametrize(
    ("key", "told"),
    [("defendant_statement", False), ("defendent_statement", True), ("defendantstatement", True), ("reply", False)],
)
def test_a_misspelt_path_is_told_where_the_data_may_lack_it(tmp_path: Path, key: str, told: bool) -> None:
    """A name that the data has nothing like is another format's: it may be lacking, and says nothing."""
    text = (ROOT / "bindings" / "agentcourt.yaml").read_text("utf-8")
    head, fields = text.split("\n  defence:\n")
    folder = tmp_path / "bindings"
    folder.mkdir()
    misspelt = fields.replace("$.defendant_statement", f"$.{key}")
    (folder / "agentcourt.yaml").write_text(f"{head}\n  defence:\n{misspelt}", "utf-8")
    procedure = project("civil").procedure
    assert procedure is not None
    binding, problems = load_binding(Disk(tmp_path), "bindings/agentcourt.yaml", procedure)
    assert binding is not None, problems
    said = '[{"plaintiff_statement": "原告：林启川。", "defendant_statement": "已经还清。"}]'
    data, _ = parse_data("a.json", said)
    assert data is not None
    counts = WarningCounts()
    for where in ("1", "2"):
        counts.add(where, CaseNotes((), "agentcourt", idle_rules(binding, data, 1, written_total)))
    found = [str(one.values["name"]) for one in counts.idle() if "defence" in str(one.values["name"])]
    assert bool(found) is told, found
