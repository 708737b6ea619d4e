"""The bindings that come with the project, on small fictional records of the shape that is published: what is taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goldens import compare
from playing import ROOT

from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.binding.casefile import as_json, sealed_json
from legalworld.runs.case_file import OpenedCase, open_case

FOLDER = Path(__file__).parent / "cases" / "foreign"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in (".json", ".jsonl"))


def opened(name: str) -> OpenBinding:
    found = opened_for(name, ROOT)
    assert isinstance(found, OpenBinding), found
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_taken(file: Path) -> None:
    """Every record is bound, and nothing looks odd; that somebody is named by a default is told (LW910)."""
    found = opened(file.stem)
    taken = []
    for one in cases_in(found.project, (str(file),), file.stem, ROOT):
        assert isinstance(one.matter, OpenedCase), one.matter
        case = one.matter.case
        taken.append({**json.loads(as_json(case)), **json.loads(sealed_json(case))})
        assert [problem for problem in one.matter.problems if problem.code != "LW910"] == []
    compare(file.with_suffix(".taken"), json.dumps(taken, ensure_ascii=False, indent=1) + "\n")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_format_is_known_without_being_named(file: Path) -> None:
    """All but the kinds of case of SimuCourt, which are told apart by what is asked for alone."""
    found = opened(file.stem)
    (first, *_) = cases_in(found.project, (str(file),), "", ROOT)
    assert isinstance(first.matter, OpenedCase), first.matter
    assert first.matter.binding == file.stem


KINDS = tuple(
    f"simucourt-{kind}{instance}" for instance in ("", "-appeal") for kind in ("civil", "criminal", "administrative")
)


@pytest.mark.parametrize("name", KINDS)
def test_a_record_of_another_kind_is_refused(name: str) -> None:
    """SimuCourt keeps the three kinds in one file: a binding takes its own, and says of the others what it lacks."""
    found, instance = opened(name), name.endswith("-appeal")
    others = [one for one in KINDS if one != name and one.endswith("-appeal") == instance]
    assert len(others) == 2
    for other in others:
        for one in cases_in(found.project, (str(FOLDER / f"{other}.json"),), name, ROOT):
            assert isinstance(one.matter, tuple), (name, other)
            assert "LW126" in {problem.code for problem in one.matter}


@pytest.mark.parametrize(
    ("file", "codes"),
    [
        ("simucourt-civil", {"LW126", "LW516"}),
        ("simucourt-administrative-appeal", {"LW516"}),
        ("maser", {"LW130", "LW516"}),
    ],
)
def test_the_binding_that_fits_is_named(file: str, codes: set[str]) -> None:
    """Of a record that is a case of another procedure: the one binding by which it can be read, and its procedure."""
    project = opened("simucourt-criminal").project
    problems = open_case(project, f"{FOLDER / file}.json#1", "", {}, ROOT)
    assert isinstance(problems, tuple) and codes <= {problem.code for problem in problems}
    (told,) = (problem.values for problem in problems if problem.code == "LW516")
    assert told == {"bindings": (file,), "procedures": (file.removeprefix("simucourt-"),)}


def test_no_binding_is_named_where_none_fits(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text('{"案由": "盗窃"}', encoding="utf-8")
    problems = open_case(opened("simucourt-criminal").project, str(tmp_path / "case.json"), "", {}, ROOT)
    assert isinstance(problems, tuple) and [problem.code for problem in problems] == ["LW130"]


def test_every_binding_is_tried() -> None:
    assert {path.stem for path in (ROOT / "bindings").glob("*.yaml")} == {file.stem for file in FILES}
