"""A set of cases in one file, in many, or in folders: what they are called, what is told of all of them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT
from typed import lw

from legalworld.batch.case_names import distinct_names
from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.batch.warned import EXAMPLES, CaseNotes, WarningCounts
from legalworld.language import diagnose
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.project import Project, open_project

FOREIGN = ROOT / "tests" / "binding" / "cases" / "foreign"
SIMCOURT: dict[str, Any] = json.loads((FOREIGN / "simcourt.json").read_text(encoding="utf-8"))
CIVIL: list[dict[str, Any]] = json.loads((FOREIGN / "simucourt-civil.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def written(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def ids(here: Path, words: Sequence[str], binding: str) -> list[str]:
    opened = opened_for(binding, here)
    assert isinstance(opened, OpenBinding)
    cases = [one.matter for one in cases_in(opened.project, words, binding, here)]
    assert all(isinstance(one, OpenedCase) for one in cases), cases
    return [one.case.id for one in cases if isinstance(one, OpenedCase)]


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_files_of_any_tree_have_names_of_their_own(seed: int) -> None:
    draw = random.Random(seed)
    parts = ["1", "2", "a", "A", "a-b", "b", "data", "数据", "data.v2"]
    endings = [".json", ".JSON", ".yaml", ".jsonl", ".jsonl.gz"]
    folders = [Path(*draw.choices(parts, k=draw.randrange(4))) for _ in range(draw.randrange(1, 12))]
    paths = [Path("/set") / folder / (draw.choice(parts) + draw.choice(endings)) for folder in folders]
    names = distinct_names(paths)
    same = {path: str(path).casefold() for path in names}
    for one, other in product(names, names):
        if same[one] != same[other]:
            assert names[one].casefold() != names[other].casefold(), (one, other, names)
    assert dict(distinct_names(reversed(paths))) == dict(names)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/s/1/data_anonymized.json", "/s/2/data_anonymized.json"], ["1-data_anonymized", "2-data_anonymized"]),
        (["/s/1/x/data.json", "/s/2/x/data.json", "/s/2/y/data.json"], ["1-x-data", "2-x-data", "y-data"]),
        (["/s/one.json", "/s/two.json"], ["one", "two"]),
        (["/s/one.json", "/s/one.yaml"], ["one.json", "one.yaml"]),
        (["/s/a-b/x.json", "/s/a/b-x.json", "/s/c/x.json"], ["a-b-x", "b-x", "c-x"]),
    ],
)
def test_names_are_as_short_as_can_be(paths: list[str], names: list[str]) -> None:
    found = distinct_names(map(Path, paths))
    assert [found[Path(path)] for path in paths] == names


def test_a_folder_of_files_of_one_name_is_a_set_and_goes_on(here: Path) -> None:
    for number in range(1, 13):
        written(here / "set" / str(number) / "data_anonymized.json", SIMCOURT)
    assert ids(here, ("set",), "simcourt") == sorted(f"{number}-data_anonymized" for number in range(1, 13))
    words = ("batch", "criminal", "--cases", "set", "--binding", "simcourt", "--out", "out", "--allow-odd", "100%")
    first = lw(*words, "--json")
    results = [json.loads(line) for line in first.out.splitlines()]
    assert (first.code, sum(one.get("status") == "ended" for one in results)) == (0, 12)
    again = [json.loads(line) for line in lw(*words, "--json").out.splitlines()]
    assert sum(one.get("before", False) for one in again) == 12


def test_cases_named_one_by_one_are_a_set_too(here: Path) -> None:
    for folder in ("a", "b"):
        written(here / folder / "r.json", CIVIL)
    assert ids(here, ("a/r.json", "b/r.json#2"), "simucourt-civil") == ["a-r-1", "a-r-2", "b-r-2"]


# ---- a file that breaks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("name", ["cut.json", "cut.jsonl"])
def test_a_record_before_the_break_can_be_named(here: Path, name: str, seed: int) -> None:
    draw = random.Random(seed)
    records = [{**CIVIL[0], "案件名": f"第{number}件"} for number in range(1, 6)]
    lines = [json.dumps(one, ensure_ascii=False, separators=draw.choice([None, (",", ":")])) for one in records]
    joint = ",\n" if name.endswith(".json") else "\n"
    text = ("[" if joint[0] == "," else "") + joint.join(lines)
    at = draw.randrange(len(text) // 5, len(text) - 2)
    (here / name).write_bytes((text[:at] + draw.choice(["", "\udcb0", "{no", "]"])).encode("utf-8", "surrogateescape"))
    whole = sum(text[:at].startswith(joint.join(lines[:n]) + joint[0], int(joint[0] == ",")) for n in range(1, 5))
    project = open_project("civil", here)
    assert isinstance(project, Project)
    for number in range(1, 6):
        found = open_case(project, f"{name}#{number}", "simucourt-civil", {}, here)
        if number <= whole:
            assert isinstance(found, OpenedCase) and found.case.title == f"第{number}件"
        elif number > whole + 1:
            assert not isinstance(found, OpenedCase) and all(problem.span.file == name for problem in found)


# ---- what is told of all ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["list", "lines", "folder"])
def test_a_rule_that_finds_nothing_anywhere_is_told_once_of_every_form(here: Path, form: str) -> None:
    records = [{key: value for key, value in CIVIL[0].items() if key != "法院"} for _ in range(12)]
    if form == "list":
        word = written(here / "set.json", records).name
    elif form == "lines":
        (here / "set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
        word = "set.jsonl"
    else:
        word = "set"
        for number, record in enumerate(records):
            written(here / word / str(number) / "one.json", [record])
    ran = lw("check", "simucourt-civil", "--data", word, "--json")
    told = [one for one in ran.object()["problems"] if one["code"] == "LW139"]
    assert [("matter.court" in one["message"], "12" in one["message"]) for one in told] == [(True, True)]
    played = lw("batch", "civil", "--cases", word, "--binding", "simucourt-civil", "--out", "out")
    assert played.err.count("LW139") == 1 and "matter.court" in played.err


@pytest.mark.parametrize("seed", range(20))
def test_warnings_are_counted_once_for_each_case(seed: int) -> None:
    draw = random.Random(seed)
    kinds = [
        (diagnose.odd_name, True, {"text": "某"}),
        (diagnose.court_words, True, {"text": "审", "word": "查明"}),
        (diagnose.mostly_empty, False, {"count": 3, "empty": 2}),
    ]
    counts, expected, odd = WarningCounts(), dict[tuple[str, str], int](), 0
    for number in range(60):
        chosen = draw.sample([(kind, name) for kind in kinds for name in ("a", "b")], draw.randrange(3))
        problems = []
        for (make, _, values), name in chosen:
            subject = {"name": name} if make is diagnose.mostly_empty else {"field": name}
            problems.append(make("x.json", **subject, **values, severity="warning"))
            key = (problems[-1].code, name)
            expected[key] = expected.get(key, 0) + 1
        odd += any(is_odd for (_, is_odd, _), _ in chosen)
        for _ in range(draw.randrange(1, 4)):  # however often it is played
            counts.add(f"x.json#{number}", CaseNotes(tuple(problems)))
    assert {key: kind.count for key, kind in counts.kinds.items()} == expected
    assert (counts.cases, counts.odd) == (60, odd)
    assert all(len(kind.examples) == min(kind.count, EXAMPLES) for kind in counts.kinds.values())


ODD = {**CIVIL[0], "被告": "不服判决提起上诉的人"}


def test_too_many_odd_cases_end_every_command_with_four(here: Path) -> None:
    bound = ("--binding", "simucourt-civil")
    written(here / "set.json", [ODD, *([CIVIL[0]] * 9)])
    commands = {
        "batch": ("batch", "civil", "--cases", "set.json", *bound, "--out"),
        "bench": (
            "bench",
            "civil",
            "--cases",
            "set.json",
            *bound,
            "--models",
            "offline",
            "--rubric",
            "environment",
            "--out",
        ),
        "corpus": ("corpus", "build", "set.json", *bound, "--near", "0", "--out"),
        "check": ("check", "simucourt-civil", "--data", "set.json"),
        "run": ("run", "civil", "--case", "set.json#1", *bound, "--until", "FIT", "--out"),
    }
    for name, words in commands.items():
        for share, code in (("", 4), ("100%", 0)):
            out = (f"{name}{share.strip('%')}",) if words[-1] == "--out" else ()
            ran = lw(*words, *out, *(("--allow-odd", share) if share else ()))
            assert (name, ran.code) == (name, code), ran.err
            assert ("--allow-odd" in ran.err) == (code == 4)
    assert lw("run", "civil", "--case", "set.json#2", *bound, "--until", "FIT", "--out", "fine").code == 0


def test_a_batch_keeps_its_warnings_and_tells_each_kind_once(here: Path) -> None:
    written(here / "set.json", [ODD, CIVIL[0], ODD, ODD, ODD])
    words = ("batch", "civil", "--cases", "set.json", "--binding", "simucourt-civil", "--out", "out", "--seeds", "2")
    ran = lw(*words, "--workers", "2")
    kept = json.loads((here / "out" / "batch.warnings.json").read_text("utf-8"))
    assert (kept["cases"], kept["odd"]) == (5, 4)
    [kind] = [one for one in kept["warnings"] if one["code"] == "LW510"]
    assert (kind["field"], kind["count"], len(kind["examples"])) == ("parties.defendant", 4, EXAMPLES)
    assert ran.err.count("set.json:1:1: LW510") == 1
    assert (
        "LW510 parties.defendant：4 个" in ran.err
        and "LW510 parties.defendant：4 个" in lw("batch", "status", "out").err
    )
