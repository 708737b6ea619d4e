"""Any expert file can be checked by itself or with its folder; one that is broken is told, and the rest goes on."""

from __future__ import annotations

import random
import shutil
from functools import cache
from pathlib import Path

import pytest
from places import ROOT
from playing import project
from typed import lw

from legalworld.authoring.expert_files import FOLDERS, CheckedFile, checked
from legalworld.files.project_files import init
from legalworld.runs.case_file import CaseFile, OpenedCase, bound_case, open_case_file


@cache
def shipped() -> dict[str, CheckedFile]:
    return {one.file: one for folder in FOLDERS if folder != "specs" for one in checked(folder, ROOT)}


def test_every_shipped_file_is_checked_and_in_order() -> None:
    wanted = {
        file.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        if folder != "specs"
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".yaml", ".json")
    }
    assert set(shipped()) == wanted
    assert [one.file for one in shipped().values() if one.wrong] == []
    idle = [one.file for one in shipped().values() if one.kind in ("cases", "rubrics", "bindings") and not one.serves]
    assert idle == []


@pytest.mark.parametrize(
    ("case", "serves"),
    [
        ("jiedai", {"civil", "quexi", "xiaoe"}),
        ("smallclaims-garden", {"smallclaims"}),
        ("zhangyuan", {"administrative", "administrative-appeal"}),
        ("j1-yajin", {"j1/kq", "j1/lc", "j1/cd", "j1/dd", "j1/civil-court"}),
        ("bargain", {"bargain"}),
    ],
)
def test_a_case_says_which_procedures_it_is_for(case: str, serves: set[str]) -> None:
    assert set(shipped()[f"cases/{case}.yaml"].serves) == serves


# One mistake in a file of each kind, and the code by which it is told.
BROKEN = {
    "cases/wuye.yaml": ("information_disclosure: high", "information_disclosure: hihg", "LW751"),
    "personas/litigant.yaml": ("dimensions:", "dimension:", "LW041"),
    "skills/appeal-drafting.yaml": ("task:", "tsk:", "LW041"),
    "rubrics/mile.yaml": ("for:", "fr:", "LW041"),
    "bindings/maser.yaml": ("procedure: ", "procedre: ", "LW041"),
    "interventions/civil.yaml": ("stages: [SIT]", "stages: [SITT]", "LW076"),
    "specs/bargain.yaml": ("kind: party, side: sell", "kind: partie, side: sell", "LW061"),
}


@pytest.mark.parametrize("file", BROKEN)
def test_a_mistake_is_told_with_its_file_and_the_rest_goes_on(file: str, tmp_path: Path) -> None:
    folder = file.partition("/")[0]
    init(tmp_path)
    old, new, code = BROKEN[file]
    path = tmp_path / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    if folder == "specs":  # the other procedures take their time
        for other in (tmp_path / "specs").glob("*.yaml"):
            if other.name not in ("bargain.yaml", "maser.yaml") and other.name != Path(file).name:
                other.unlink()
    found = {one.file: one for one in checked(folder, tmp_path)}
    assert code in {problem.code for problem in found[file].problems}
    assert [one.file for one in found.values() if one.wrong] == [file]
    alone = next(iter(checked(file, tmp_path)))
    assert (alone.kind, [problem.code for problem in alone.problems]) == (
        found[file].kind,
        [problem.code for problem in found[file].problems],
    )


MODELS = """\
lw: 1
models:
  clerk: {model: openai/small, fallbacks: [other]}
  other: openai/large
sets:
  all: {others: clerk}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fallbacks: [other]", "fallback: [other]"),
        ("fallbacks: [other]", "fallbacks: [ohter]"),
        ("other: openai/large", "other: {model: openai/large, fallbacks: [clerk]}"),
        ("others: clerk", "others: clrek"),
        ("lw: 1", "lw: 9"),
        ("model: openai/small", "modle: openai/small"),
    ],
)
def test_a_models_file_is_checked_by_itself_and_with_its_project(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake in it is told at its line, and the rest of the folder goes on."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    for folder in ("specs", "cases"):
        (tmp_path / folder).mkdir()
        shutil.copy(ROOT / folder / "bargain.yaml", tmp_path / folder / "bargain.yaml")
    file = tmp_path / "models.yaml"
    file.write_text(MODELS, encoding="utf-8")
    assert [(one.kind, one.problems) for one in checked("models.yaml", tmp_path)] == [("models", ())]
    assert old in MODELS
    file.write_text(MODELS.replace(old, new, 1), encoding="utf-8")
    found = {one.file: one for one in checked(".", tmp_path)}
    assert [name for name, one in found.items() if one.wrong] == ["models.yaml"]
    assert set(found) == {"models.yaml", "specs/bargain.yaml", "cases/bargain.yaml"}
    line = MODELS[: MODELS.index(old)].count("\n") + 1
    assert line in {problem.span.line for problem in found["models.yaml"].problems}
    (alone,) = checked("models.yaml", tmp_path)
    assert (alone.kind, alone.problems) == ("models", found["models.yaml"].problems)


SPEC = """
lw: 1
procedure: NAME
title: NAME
case:
  claims: {title: Claims, path: "$.claims[*]", each: claim, keys: [n, amount], types: {amount: TYPE}}
kinds: {P: party, J: judge}
roles:
  plaintiff: {title: Plaintiff, kind: party, side: plaintiff}
  judge:     {title: Judge, kind: judge}
visibility: |
  | field  | trial |
  |--------|-------|
  | claims | P J   |
stages:
  - stage: trial
    steps:
      - judge asks plaintiff: what is claimed
"""


@pytest.mark.parametrize(
    ("amount", "serves", "codes"),
    [
        ("5000", {"sums", "words"}, set()),
        ("2024-05-06", {"days", "words"}, set()),
        ("as agreed", {"words"}, set()),
        ("[1, 2]", set(), {"LW767", "LW754", "LW756"}),
    ],
)
def test_a_case_is_for_those_procedures_that_can_read_it(
    amount: str, serves: set[str], codes: set[str], tmp_path: Path
) -> None:
    """A case fits two procedures of the same fields, or one, or none by the types that they declare."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "cases").mkdir()
    for name, kind in (("sums", "amount"), ("words", "text"), ("days", "date")):
        text = SPEC.replace("NAME", name).replace("TYPE", kind)
        (tmp_path / "specs" / f"{name}.yaml").write_text(text, encoding="utf-8")
    case = tmp_path / "cases" / "one.yaml"
    case.write_text(f"lw: 1\ncase: one\nclaims:\n  - {{n: 1, amount: {amount}}}\n", encoding="utf-8")
    (found,) = checked("cases/one.yaml", tmp_path)
    assert set(found.serves) & {"sums", "words", "days"} == serves
    assert {problem.code for problem in found.problems} <= codes and found.wrong == (not serves)


def test_whatever_lies_in_a_folder_is_told_and_nothing_ends_the_check(tmp_path: Path) -> None:
    """Bytes drawn by a seed, as files of each kind, among one that is in order."""
    draw = random.Random(7)
    good = (ROOT / "cases" / "bargain.yaml").read_text(encoding="utf-8")
    hostile = [
        b"",
        b"\xff\xfe\x00",
        b"lw: 1\n\tx: 2\n",
        b"[" * 5000,
        b"- 1\n- 2\n",
        b"a: &a [*a]\n",
        good.encode("gb18030"),
        *(bytes(draw.randrange(256) for _ in range(200)) for _ in range(6)),
        *(good[: draw.randrange(len(good))].encode() for _ in range(6)),
    ]
    for kind in ("cases", "personas", "skills", "rubrics", "bindings", "interventions"):
        (tmp_path / kind).mkdir()
        for number, data in enumerate(hostile):
            (tmp_path / kind / f"{number}.yaml").write_bytes(data)
    (tmp_path / "specs").mkdir()
    shutil.copy(ROOT / "cases" / "bargain.yaml", tmp_path / "cases" / "good.yaml")
    found = {one.file: one for one in checked(".", tmp_path)}
    assert len(found) == 6 * len(hostile) + 1
    assert not found["cases/good.yaml"].wrong
    assert all(one.problems for name, one in found.items() if not name.startswith("cases/"))


def test_a_misspelt_level_of_a_persona_is_never_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    init(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (tmp_path / "cases" / "wuye.yaml").read_text(encoding="utf-8")
    changes = {
        "legal_literacy: ": ("legal_litercy: ", "Legal_literacy: ", "legal_literacy_: "),
        "information_disclosure: high": tuple(
            f"information_disclosure: {level}" for level in ("High", "hoch", "高", "3")
        ),
    }
    for old, news in changes.items():
        assert old in text
        for new in news:
            (tmp_path / "cases" / "odd.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
            ran = lw("run", "civil", "--case", "odd", "--until", "CD", "--out", "odd")
            assert ran.code == 2 and ("LW750" in ran.err or "LW751" in ran.err), (new, ran)


def test_the_command_counts_and_ends_by_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "en")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert lw("check", "mine").code == 2  # there is nothing to check
    shutil.copy(ROOT / "cases" / "bargain.yaml", tmp_path / "mine" / "a.yaml")
    ran = lw("check", "mine")
    assert (ran.code, ran.out) == (0, "mine/a.yaml: case, no error; for bargain\n\n1 file, 0 of them with errors\n")
    (tmp_path / "mine" / "b.yaml").write_text("lw: 1\n  x: 1\n", encoding="utf-8")
    assert lw("check", "mine").code == 2
    told = lw("check", "mine", "--json").object()
    assert [(one["file"], one["usable"]) for one in told["files"]] == [("mine/a.yaml", True), ("mine/b.yaml", False)]
    assert told["wrong"] == 1


@pytest.mark.parametrize("case", ["jiedai", "bargain"])
def test_a_case_is_told_with_each_procedure_that_it_fits(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly those named can be played with it; the case alone is never played as one of them."""
    monkeypatch.setenv("LW_LANG", "en")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    file = tmp_path / "mine" / f"{case}.yaml"
    shutil.copy(ROOT / "cases" / f"{case}.yaml", file)
    (one,) = checked("mine", tmp_path)
    assert len(one.serves) > 1 or case == "bargain"
    ran = lw("check", f"mine/{case}.yaml")
    assert ran.code == 0 and ran.out.startswith(f"mine/{case}.yaml: case, no error; for {', '.join(one.serves)}\n")
    for procedure in one.serves:
        plan = open_case_file(project(procedure), str(file), "", ROOT)
        assert isinstance(plan, CaseFile)
        assert isinstance(bound_case(project(procedure), plan, None, {}, ROOT), OpenedCase)
    alone = lw("run", f"mine/{case}.yaml", "--out", "runs")
    assert alone.code == 2 and "LW393" in alone.err and not (tmp_path / "runs").exists()
