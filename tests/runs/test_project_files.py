"""Files are found where a person means them, and nothing outside a project is ever read."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path, PurePath

import pytest
from places import ROOT

import legalworld.files.project_files as files
from legalworld.files.project_files import (
    EXAMPLES,
    EXPERT_FOLDERS,
    FILE_CAP,
    PACKAGE,
    Copied,
    Disk,
    Kind,
    Snapshot,
    find,
    find_root,
    init,
    name_of,
)
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders to stand for those that come with the package."""
    folder = tmp_path / "package"
    put(folder, "specs/civil.yaml", "shipped")
    put(folder, "specs/parts/trial.yaml", "shipped part")
    put(folder, "prompts/zh/heard.j2", "shipped prompt")
    put(folder, "cases/jiedai.yaml", "shipped case")
    put(folder, "bindings/legalworld.yaml", "shipped binding")
    put(folder, "tests/secret.py", "no expert's file")
    put(folder, "specs/__pycache__/x.pyc", "")
    monkeypatch.setattr(files, "PACKAGE", folder)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "项目"
    put(folder, "specs/civil.yaml", "mine")
    put(folder, "specs/劳动仲裁.yaml", "mine too")
    put(folder, "data/real.json", "[]")
    return folder


def put(root: Path, path: str, text: str) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def found(result: tuple[Disk, str] | Diagnostic) -> tuple[str, str | None]:
    """Path in its project, and the text there."""
    assert isinstance(result, tuple), result
    disk, path = result
    return path, disk.read(path)


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_the_project_comes_before_the_package(package: Path, project: Path) -> None:
    disk = Disk(project)
    assert disk.read("specs/civil.yaml") == "mine"
    assert disk.read("specs/parts/trial.yaml") == "shipped part"
    assert disk.read("specs/none.yaml") is None
    assert disk.names("specs") == (
        "specs/civil.yaml",
        "specs/parts/trial.yaml",
        "specs/劳动仲裁.yaml",
    )
    assert disk.problems == ()


def test_without_a_project_there_is_the_package_and_only_its_expert_folders(package: Path) -> None:
    disk = Disk(None)
    assert disk.read("specs/civil.yaml") == "shipped"
    assert disk.read("tests/secret.py") is None
    assert disk.names("tests") == ()
    assert disk.names("prompts/") == ("prompts/zh/heard.j2",)


def test_the_shipped_folders_are_found() -> None:
    assert ROOT in (PACKAGE, PACKAGE.parent)
    assert Disk(None).names("rubrics")


def test_undecodable_bytes_and_line_ends_are_kept_and_a_mark_is_dropped(project: Path) -> None:
    (project / "specs" / "gbk.yaml").write_bytes(b"\xef\xbb\xbfa\r\n\xd0\xd4\n")
    text = Disk(project).read("specs/gbk.yaml")
    assert text == "a\r\n\udcd0\udcd4\n"


def test_gbk_is_read_and_told(project: Path) -> None:
    (project / "specs" / "gbk.yaml").write_bytes("程序\r\n".encode("gbk"))
    disk = Disk(project)
    assert disk.read("specs/gbk.yaml") == "程序\r\n"
    assert [problem.code for problem in disk.problems] == ["LW343"]


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../outside.yaml",
        "specs/../../outside.yaml",
        "specs/../specs/civil.yaml",
        "./specs/civil.yaml",
        "specs//civil.yaml",
        "specs/civil.yaml/",
        "specs",
        "specs/civil.yaml/x",
        "specs\\civil.yaml",
        "specs/civil.yaml\0",
        "specs/\ud800",
        "specs/" + "长" * 300,
        "/etc/hostname",
    ],
)
def test_what_is_no_path_of_the_project_is_not_read(package: Path, project: Path, path: str) -> None:
    put(project.parent, "outside.yaml", "outside")
    disk = Disk(project)
    assert disk.read(path) is None
    assert disk.problems == ()
    assert disk.names("../") == disk.names("") == disk.names("/etc") == ()


@pytest.mark.parametrize("link", ["file", "folder", "chain", "parent"])
def test_a_link_that_leads_out_is_a_problem_and_hides_the_package(package: Path, project: Path, link: str) -> None:
    outside = put(project.parent, "outside/civil.yaml", "outside")
    path = "specs/linked/civil.yaml"
    match link:
        case "file":
            path = "specs/parts/trial.yaml"
            (project / "specs" / "parts").mkdir()
            (project / path).symlink_to(outside)
        case "folder":
            (project / "specs" / "linked").symlink_to(outside.parent)
        case "chain":
            (project / "one").symlink_to(outside.parent)
            (project / "specs" / "linked").symlink_to("../one")
        case _:
            (project / "up").symlink_to("..")
            path = "up/outside/civil.yaml"
    disk = Disk(project)
    assert disk.read(path) is None
    assert disk.read(path) is None
    assert [(problem.code, problem.span.file) for problem in disk.problems] == [("LW154", path)]
    assert set(disk.names("specs")) == {
        "specs/civil.yaml",
        "specs/parts/trial.yaml",
        "specs/劳动仲裁.yaml",
    }


def test_a_link_that_stays_inside_is_read(package: Path, project: Path) -> None:
    (project / "specs" / "again.yaml").symlink_to("civil.yaml")
    (project / "alias").symlink_to("specs")
    link = project.parent / "link"
    link.symlink_to(project)
    disk = Disk(link)
    assert (disk.read("specs/again.yaml"), disk.read("alias/civil.yaml")) == ("mine", "mine")
    assert "specs/again.yaml" in disk.names("specs")


def test_loops_pipes_and_folders_are_not_files(package: Path, project: Path) -> None:
    (project / "specs" / "loop").symlink_to("loop")
    (project / "specs" / "up").symlink_to("..")
    os.mkfifo(project / "specs" / "pipe.yaml")
    (project / "specs" / "folder.yaml").mkdir()
    disk = Disk(project)
    assert [disk.read(f"specs/{name}") for name in ("loop", "pipe.yaml", "folder.yaml", "up")] == [None] * 4
    assert not {"specs/loop", "specs/pipe.yaml"}.intersection(disk.names("specs"))


def test_a_file_that_is_too_large_is_a_problem(project: Path) -> None:
    with (project / "specs" / "big.yaml").open("wb") as file:
        file.truncate(FILE_CAP + 1)
    disk = Disk(project)
    assert disk.read("specs/big.yaml") is None
    (problem,) = disk.problems
    assert (problem.code, problem.values["cap"]) == ("LW155", 4)
    assert Disk(project, cap=FILE_CAP + 1).read("specs/big.yaml") == "\0" * (FILE_CAP + 1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_problem(project: Path) -> None:
    (project / "specs" / "civil.yaml").chmod(0)
    disk = Disk(project)
    assert disk.read("specs/civil.yaml") is None
    assert [problem.code for problem in disk.problems] == ["LW150"]


def test_a_snapshot_reads_a_file_once() -> None:
    texts = {"a": "1", "b": "2"}
    snapshot = Snapshot(MemorySources(texts))
    assert (snapshot.read("a"), snapshot.read("none")) == ("1", None)
    texts |= {"a": "changed", "none": "appeared"}
    assert (snapshot.read("a"), snapshot.read("none")) == ("1", None)


# ---- finding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word", ["specs/civil.yaml", "spec/civil.yaml", "specs/civil", "spec/civil", "civil", "civil.yaml"]
)
@pytest.mark.parametrize("where", ["", "specs", "data/deep"])
def test_a_procedure_is_found_from_anywhere_in_its_project(package: Path, project: Path, word: str, where: str) -> None:
    (project / where).mkdir(parents=True, exist_ok=True)
    (project / "civil").mkdir()
    assert found(find("specs", word, project / where)) == ("specs/civil.yaml", "mine")
    outside = find("specs", word, project.parent)
    if word == "civil":
        assert found(outside) == ("specs/civil.yaml", "shipped")
    else:
        assert isinstance(outside, Diagnostic) and (outside.code, outside.values["name"]) == ("LW740", "civil")
    for path in (project / word, Path(os.path.relpath(project / word, project.parent))):
        assert found(find("specs", str(path), project.parent)) == ("specs/civil.yaml", "mine")


def test_parts_and_chinese_names_are_found(package: Path, project: Path) -> None:
    assert found(find("specs", "parts/trial", project)) == ("specs/parts/trial.yaml", "shipped part")
    assert found(find("specs", "劳动仲裁", project)) == ("specs/劳动仲裁.yaml", "mine too")


def test_a_file_outside_any_project_is_a_project_of_its_own(package: Path, tmp_path: Path) -> None:
    file = put(tmp_path, "loose/bargain.yaml", "loose")
    for word, cwd in ((str(file), Path("/")), ("bargain.yaml", file.parent), ("./bargain.yaml", file.parent)):
        assert found(find("specs", word, cwd)) == ("bargain.yaml", "loose")


def test_cases_and_bindings_are_found_alike(package: Path, project: Path) -> None:
    assert found(find("cases", "jiedai", project)) == ("cases/jiedai.yaml", "shipped case")
    assert name_of("cases", "cases/jiedai.yaml") == "jiedai" and name_of("cases", "data/a.json") == "data/a.json"
    assert found(find("cases", "real.json", project / "data")) == ("data/real.json", "[]")
    assert found(find("cases", "data/real", project)) == ("data/real.json", "[]")
    assert found(find("bindings", "legalworld", project)) == ("bindings/legalworld.yaml", "shipped binding")


def test_a_case_file_may_be_larger_than_a_spec(tmp_path: Path) -> None:
    with (tmp_path / "set.json").open("wb") as file:
        file.truncate(FILE_CAP + 1)
    assert isinstance(find("cases", "set.json", tmp_path), tuple)
    problem = find("bindings", "set.json", tmp_path)
    assert isinstance(problem, Diagnostic)
    assert problem.code == "LW155"


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("civl", "civil"),
        ("spec/Civl.yml", "civil"),
        ("/nowhere/specs/civi.yaml", "civil"),
        ("劳动仲", "劳动仲裁"),
        ("trial", "parts/trial"),
        ("xyzzy", None),
        ("", None),
        ("a\0b", None),
        ("\udcff", None),
        ("x" * 300, None),
    ],
)
def test_an_unknown_procedure_is_a_problem_with_the_nearest_name(
    package: Path, project: Path, word: str, nearest: str | None
) -> None:
    problem = find("specs", word, project)
    assert isinstance(problem, Diagnostic)
    assert (problem.code, problem.nearest) == ("LW151", nearest)


def test_a_named_file_that_links_out_is_a_problem(package: Path, project: Path) -> None:
    outside = put(project.parent, "outside/x.yaml", "outside")
    (project / "specs" / "x.yaml").symlink_to(outside)
    problem = find("specs", "x", project)
    assert isinstance(problem, Diagnostic)
    assert problem.code == "LW154"


def test_unknown_cases_and_bindings_have_their_own_sentences(package: Path, project: Path) -> None:
    problems = find("cases", "jiedia", project), find("bindings", "legalword", project)
    assert [(problem.code, problem.nearest) for problem in problems if isinstance(problem, Diagnostic)] == [
        ("LW152", "jiedai"),
        ("LW153", "legalworld"),
    ]


def test_the_root_is_the_nearest_ancestor_with_specs(project: Path) -> None:
    put(project, "inner/specs/x.yaml", "")
    assert find_root(project / "specs" / "civil.yaml") == project
    assert find_root(project / "inner" / "specs") == project / "inner"
    assert find_root(project / "nowhere" / "yet") == project
    assert find_root(project.parent) is None


WRITTEN = (
    "{}.yaml",
    "specs/{}.yaml",
    "spec/{}.yaml",
    "specs/{}",
    "./{}.yaml",
    "../{}.yaml",
    "{project}/specs/{}.yaml",
    "{root}/specs/{}.yaml",
)


@pytest.mark.parametrize("kind", ["specs", "cases", "bindings"])
@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("where", ["", "specs", "data", "..", "../.."])
def test_a_path_that_is_not_there_is_never_another_file(
    package: Path, project: Path, kind: Kind, written: str, where: str
) -> None:
    """Whatever a path leads to, it is the file of the project that lies there, or nothing."""
    name = {"specs": "civil", "cases": "jiedai", "bindings": "legalworld"}[kind]
    (project / "specs" / "civil.yaml").rename(project / "specs" / "renamed.yaml")
    word = written.replace("specs", kind).replace("spec/", f"{kind[:-1]}/")
    word = word.format(name, project=os.path.relpath(project, project / where), root=project)
    problem = find(kind, word, (project / where).resolve())
    assert isinstance(problem, Diagnostic), problem
    assert (problem.code, problem.values["name"]) == ("LW740", name)
    renamed = put(project, f"{kind}/{name}.yaml", "mine again")
    assert found(find(kind, str(renamed), project)) == (f"{kind}/{name}.yaml", "mine again")


# ---- lw init ---------------------------------------------------------------------------------------------------------


def test_init_copies_and_never_overwrites(package: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "mine"
    every = (
        "specs/civil.yaml",
        "specs/parts/trial.yaml",
        "prompts/zh/heard.j2",
        "cases/jiedai.yaml",
        "bindings/legalworld.yaml",
        *EXAMPLES.values(),
    )
    assert init(target) == Copied(every, (), ())
    assert init(target) == Copied((), every, ())
    put(target, "specs/civil.yaml", "edited")
    (target / "cases" / "jiedai.yaml").unlink()
    (target / "prompts" / "zh" / "heard.j2").unlink()
    (target / "prompts" / "zh" / "heard.j2").symlink_to(tmp_path / "nowhere")
    assert init(target) == Copied((every[3],), (every[1], *every[4:]), (every[0], every[2]))
    assert (target / "specs" / "civil.yaml").read_text() == "edited"
    assert found(find("specs", "civil", target)) == ("specs/civil.yaml", "edited")
    hidden = {file.relative_to(target).parts[0] for file in target.rglob(".*")}
    assert hidden == {PurePath(name).parts[0] for name in EXAMPLES.values() if name.startswith(".")}


def test_init_says_what_is_in_the_way(package: Path, tmp_path: Path) -> None:
    put(tmp_path, "file", "")
    put(tmp_path, "half/specs", "a file, not a folder")
    problems = init(tmp_path / "file"), init(tmp_path / "half"), init(tmp_path / "file" / "below")
    assert [problem.code for problem in problems if isinstance(problem, Diagnostic)] == ["LW156", "LW150", "LW150"]


def test_init_copies_every_expert_folder_of_this_checkout(tmp_path: Path) -> None:
    done = init(tmp_path)
    assert isinstance(done, Copied)
    there = {path.name for path in ROOT.iterdir() if path.is_dir() and any(path.iterdir())}
    assert {path.split("/")[0] for path in done.written} == {
        *there.intersection(EXPERT_FOLDERS),
        *(name.split("/")[0] for name in EXAMPLES.values()),
    }


# ---- messages --------------------------------------------------------------------------------------------------------


def test_every_problem_on_disk_has_its_sentences_and_every_sentence_its_problem() -> None:
    folder = ROOT / "legalworld"
    catalogue = tomllib.loads((folder / "wording" / "diagnostics" / "run.toml").read_text(encoding="utf-8"))
    names = (
        *("runs/journal.py", "runs/folder.py", "runs/run_info.py", "runs/project.py", "runs/loop.py", "runs/actors.py"),
        *("runs/play_remarks.py", "runs/mixed_sums.py", "files/project_files.py"),
    )
    modules = (folder / name for name in names)
    used = {name for module in modules for name in re.findall(r"diagnose\.(\w+)", module.read_text(encoding="utf-8"))}
    assert {entry["name"] for entry in catalogue.values()} <= used
    for entry in catalogue.values():
        assert entry.get("severity", "warning") == "warning"  # an error has none written
        assert entry.keys() - {"severity"} == {"name", "zh", "en", "help_zh", "help_en"}
        assert re.findall(r"\{\w+\}", entry["zh"]) == re.findall(r"\{\w+\}", entry["en"])
