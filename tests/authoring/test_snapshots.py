"""Prompts under snapshots: what changed is told, prompt by prompt, with the line that did it; nothing else is."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from places import ROOT
from typed import lw

from legalworld.authoring.kept_prompts import MOST_WAYS, Matter, explored, prompts_of
from legalworld.authoring.snapshots import (
    Taken,
    Ways,
    changes,
    keep,
    kept_prompts,
    kept_ways,
    read_ways,
    taken,
    written_ways,
)
from legalworld.files.project_files import init
from legalworld.model.source import MemorySources, Span
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.plan import chosen_options
from legalworld.runs.project import Project, open_project
from legalworld.templates.template_set import TemplateSet
from legalworld.templates.traced import TracedTemplates

SPECS = ("bargain", "smallclaims", "maser", "asp2lj", "j1/kq")


def matter_of(spec: str, *, traced: bool = True) -> tuple[Matter, tuple[str, ...]]:
    opened = open_project(spec, ROOT)
    assert isinstance(opened, Project) and opened.procedure is not None
    case = open_case(opened, opened.example, "", {}, ROOT)
    assert isinstance(case, OpenedCase)
    options, _ = chosen_options(opened.procedure, {})
    templates = (TracedTemplates if traced else TemplateSet).of(opened.sources, opened.procedure)
    return Matter(opened.procedure, templates, case.case, options), opened.procedure.targets or ("",)


@cache
def ways_of(spec: str) -> Ways:
    matter, targets = matter_of(spec)
    by_target = tuple((target, explored(matter, target)) for target in targets)
    opened = open_project(spec, ROOT)
    assert isinstance(opened, Project)
    return Ways(spec, opened.example, (), (), by_target)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shipped")
    init(folder)
    return folder


@pytest.fixture
def project(shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one's own with the shipped files, in which the command is typed."""
    folder = tmp_path / "project"
    shutil.copytree(shipped, folder)
    monkeypatch.chdir(folder)
    return folder


# ---- what is kept ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_prompts_come_with_places_as_without(spec: str) -> None:
    ways = dict(ways_of(spec).by_target)
    traced, plain = (prompts_of(matter_of(spec, traced=how)[0], ways) for how in (True, False))
    assert traced == plain and traced
    written = [
        (line, places)
        for prompt in traced.values()
        for line, places in zip(prompt.text.split("\n"), prompt.places, strict=True)
        if line.strip() and not line.startswith(("====", "----"))
    ]
    told = [line for line, places in written if places]
    assert len(told) >= 0.95 * len(written)


@pytest.mark.parametrize("spec", SPECS)
def test_each_way_has_a_call_that_those_before_it_have_not(spec: str) -> None:
    matter, targets = matter_of(spec)
    for target in targets:
        found = dict(ways_of(spec).by_target)[target]
        assert found[0] == () and len(set(found)) == len(found) <= MOST_WAYS
        sizes = [len(prompts_of(matter, {target: found[: n + 1]})) for n in range(len(found))]
        assert sizes == sorted(set(sizes))


@pytest.mark.parametrize("spec", SPECS)
def test_the_file_of_ways_is_read_as_it_was_written(spec: str) -> None:
    ways = Ways(spec, "a case#3", (("x", "yes"), ("选项", "否")), (("goal.甲", 'a "b"'),), ways_of(spec).by_target)
    assert read_ways(MemorySources({"ways.yaml": written_ways(ways)}), "ways.yaml") == ways


# ---- what a change changes -------------------------------------------------------------------------------------------


def literal_words(now: Taken) -> list[tuple[str, Span]]:
    """Words of prompts that stand so in a template, with their places."""
    found = set()
    for prompt in now.prompts.values():
        for line, places in zip(prompt.text.split("\n"), prompt.places, strict=True):
            for place in places:
                source = (now.project.sources.read(place.file) or "").split("\n")[place.line - 1]
                bare = re.sub(r"\{[{%#].*?[}%#]\}", "\0", source)
                for word in re.findall(r"[A-Za-z]{4,}|[\u4e00-\u9fff]{4,}", line):
                    if bare.count(word) == 1 and source.count(word) == 1:
                        found.add((word, place))
    return sorted(found, key=lambda one: (one[1].file, one[1].line, one[0]))


@pytest.mark.parametrize("spec", ["smallclaims", "maser", "asp2lj"])
@pytest.mark.parametrize("seed", range(4))
def test_a_word_in_a_template_is_told_with_its_line_and_in_no_other_prompt(spec: str, seed: int, project: Path) -> None:
    ways = ways_of(spec)
    before = taken(ways, project)
    assert isinstance(before, Taken)
    word, place = random.Random(f"{spec} {seed}").choice(literal_words(before))
    file = project / place.file
    lines = file.read_text(encoding="utf-8").split("\n")
    lines[place.line - 1] = lines[place.line - 1].replace(word, f"{word}换了")
    file.write_text("\n".join(lines), encoding="utf-8")
    after = taken(ways, project)
    assert isinstance(after, Taken)
    kept = {name: prompt.text for name, prompt in before.prompts.items()}
    found = list(changes(kept, after))
    assert found
    assert {change.name for change in found} == {
        name for name, prompt in after.prompts.items() if kept[name] != prompt.text
    }
    for change in found:
        assert change.kind == "changed" and change.cause is not None
        assert (change.cause.file, change.cause.line) == (place.file, place.line), change
    assert list(changes({name: prompt.text for name, prompt in after.prompts.items()}, after)) == []


@pytest.mark.parametrize("spec", ["bargain", "smallclaims"])
@pytest.mark.parametrize("seed", range(2))
def test_a_changed_cue_is_told_with_the_line_of_the_spec(spec: str, seed: int, project: Path) -> None:
    path = project / "specs" / f"{spec}.yaml"
    text = path.read_text(encoding="utf-8")
    before = taken(ways_of(spec), project)
    assert isinstance(before, Taken)
    said = "\n".join(prompt.text for prompt in before.prompts.values())
    cues = [
        cue for cue in re.findall(r"(?m)^ +- [^:\n]*: (\S[^\n{]{3,60})$", text) if text.count(cue) == 1 and cue in said
    ]
    old = random.Random(seed).choice(cues)
    path.write_text(text.replace(old, f"{old[:2]}改写{old[2:]}"), encoding="utf-8")
    after = taken(ways_of(spec), project)
    assert isinstance(after, Taken)
    found = list(changes({name: prompt.text for name, prompt in before.prompts.items()}, after))
    line = text[: text.index(old)].count("\n") + 1
    assert found
    assert {(one.cause.file, one.cause.line) for one in found if one.cause} == {(f"specs/{spec}.yaml", line)}


@pytest.mark.parametrize("most", [5, 9, 11, 20, 35])
def test_a_changed_limit_is_told_with_its_line_or_with_a_template_and_no_other_line(most: int, project: Path) -> None:
    """A number stands in many lines of a spec; one that only has it among others is no cause."""
    path = project / "specs" / "smallclaims.yaml"
    text = path.read_text(encoding="utf-8").replace("\nlaw: [", f"\nlaw: [Act 8{most}5, Act {most}1, ", 1)
    path.write_text(text, encoding="utf-8")
    before = taken(ways_of("smallclaims"), project)
    assert isinstance(before, Taken), before
    path.write_text(text.replace("at most: 12 turns", f"at most: {most} turns"), encoding="utf-8")
    after = taken(ways_of("smallclaims"), project)
    assert isinstance(after, Taken)
    found = list(changes({name: prompt.text for name, prompt in before.prompts.items()}, after))
    says = "budget: 24 turns" if most > 24 else "at most: 12 turns"  # where the number of the prompt comes of
    line = text[: text.index(says)].count("\n") + 1
    assert found
    for one in found:
        assert one.cause is not None
        of_spec = one.cause.file.startswith("specs/")
        assert one.cause.line == line if of_spec else one.cause.file.startswith("prompts/"), one


# ---- the command -----------------------------------------------------------------------------------------------------


def test_a_project_keeps_its_prompts_compares_and_accepts_them_one_by_one(project: Path) -> None:
    nothing = lw("snapshot", "bargain")
    assert nothing.code == 2 and "LW983" in nothing.said
    assert lw("snapshot", "bargain", "--update").code == 0
    folder = project / "snapshots" / "bargain" / "bargain"
    kept = kept_prompts(folder)
    assert len(kept) == 7
    assert lw("snapshot").code == lw("snapshot", "bargain").code == 0
    spec = project / "specs" / "bargain.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace("要求让价", "请让价"), encoding="utf-8")
    asked = lw("snapshot", "bargain")
    assert asked.code == 1 and "buyer.ask.press.txt" in asked.said and "seller.answer.press" in asked.said
    assert "specs/bargain.yaml:" in asked.said
    assert lw("snapshot", "bargain", "--accept", "nothing.txt").code == 2
    assert kept_prompts(folder) == kept
    taken_over = lw("snapshot", "bargain", "--accept", "buyer.ask.press.txt")
    assert taken_over.code == 1
    assert {name for name, text in kept_prompts(folder).items() if kept[name] != text} == {
        "all/haggle/buyer.ask.press.txt"
    }
    assert lw("snapshot", "bargain", "--update").code == 0 == lw("snapshot").code


def test_a_prompt_that_comes_up_no_more_is_told_and_goes(project: Path) -> None:
    lw("snapshot", "bargain", "--update")
    folder = project / "snapshots" / "bargain" / "bargain"
    stray = folder / "all" / "elsewhere" / "buyer.state.bid.txt"
    stray.parent.mkdir()
    stray.write_text("======== user\n", encoding="utf-8")
    (folder / "all" / "settle" / "seller.draft.receipt.txt").unlink()
    told = lw("snapshot")
    assert told.code == 1 and "elsewhere/buyer.state.bid.txt" in told.said and "receipt" in told.said
    assert lw("snapshot", "--update").code == 0
    assert not stray.parent.exists() and len(kept_prompts(folder)) == 7


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("lw: 1\nsnapshots: civil\ncase: jiedai\nways:\n  all: [usual]\n", "LW981"),
        ("lw: 1\nsnapshots: bargain\ncase: bargain\nways:\n  all: [agreed]\n", "LW980"),
        ("lw: 9\nsnapshots: bargain\ncase: bargain\nways:\n  all: [usual]\n", "LW"),
        ("lw: 1\nsnapshots: bargain\nways: [\n", "LW"),
        ("lw: 1\nsnapshots: bargain\ncase: nosuch\nways:\n  all: [usual]\n", "LW"),
        ("\0\0\0", "LW"),
        ("lw: 1\nsnapshots: ../../etc\ncase: bargain\nways:\n  all: [usual]\n", "LW"),
    ],
)
def test_a_broken_file_of_ways_is_told_and_nothing_is_written(text: str, code: str, project: Path) -> None:
    lw("snapshot", "bargain", "--update")
    folder = project / "snapshots" / "bargain" / "bargain"
    kept = kept_prompts(folder)
    (folder / "ways.yaml").write_text(text, encoding="utf-8")
    for words in (("snapshot",), ("snapshot", "bargain"), ("snapshot", "--update")):
        told = lw(*words)
        assert told.code == 2 and code in told.said and "Traceback" not in told.said
    assert kept_prompts(folder) == kept and (folder / "ways.yaml").read_text(encoding="utf-8") == text


def test_a_link_out_of_the_folder_is_neither_read_nor_written(project: Path, tmp_path: Path) -> None:
    lw("snapshot", "bargain", "--update")
    folder = project / "snapshots" / "bargain" / "bargain"
    outside = tmp_path / "outside.txt"
    outside.write_text("mine", encoding="utf-8")
    victim = folder / "all" / "settle" / "seller.draft.receipt.txt"
    victim.unlink()
    victim.symlink_to(outside)
    lw("snapshot", "--update")
    assert outside.read_text(encoding="utf-8") == "mine"


# ---- pytest ----------------------------------------------------------------------------------------------------------


def run_pytest(folder: Path, *words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=300)
    return done.returncode, done.stdout + done.stderr


def test_pytest_in_a_project_finds_the_kept_prompts(project: Path) -> None:
    lw("snapshot", "bargain", "--update")
    code, output = run_pytest(project, "snapshots")
    assert code == 0 and "8 passed" in output, output
    prompt = project / "prompts" / "zh" / "act" / "state.j2"
    prompt.write_text("先想一想。" + prompt.read_text(encoding="utf-8"), encoding="utf-8")
    code, output = run_pytest(project, "snapshots")
    assert code == 1 and "prompts/zh/act/state.j2:1" in output and "2 failed" in output, output
    assert run_pytest(project, "snapshots", "--snapshot-update")[0] == 0
    assert run_pytest(project, "snapshots")[0] == 0
    (project / "snapshots" / "bargain" / "bargain" / "all" / "settle" / "seller.draft.receipt.txt").unlink()
    code, output = run_pytest(project, "snapshots")
    assert code == 1 and "1 failed" in output, output


def test_pytest_tells_why_prompts_cannot_be_made(project: Path) -> None:
    lw("snapshot", "bargain", "--update")
    spec = project / "specs" / "bargain.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace("buyer asks seller", "buyre asks seller"), "utf-8")
    code, output = run_pytest(project)
    assert code == 1 and "buyre" in output and "Traceback" not in output


def test_kept_ways_of_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert list(kept_ways(tmp_path / "none")) == []


def test_keeping_names_alone_leaves_the_rest(project: Path) -> None:
    now = taken(ways_of("bargain"), project)
    assert isinstance(now, Taken)
    keep(project / "some", now, list(now.prompts)[:2])
    assert list(kept_prompts(project / "some")) == sorted(list(now.prompts)[:2])


# ---- bounds ----------------------------------------------------------------------------------------------------------


def test_where_a_bound_is_met_it_is_told(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    from legalworld.authoring import kept_prompts, snapshots

    assert lw("snapshot", "bargain", "--update", "--json").object()["snapshots"][0]["bounds"] == []
    monkeypatch.setattr(kept_prompts, "MOST_WAYS", 1)
    lw("snapshot", "bargain", "--update", "--explore")
    file = project / "snapshots" / "bargain" / "bargain" / "ways.yaml"
    assert "unexplored: [all]" in file.read_text("utf-8")
    monkeypatch.setattr(kept_prompts, "MOST_WAYS", 80)
    told = lw("snapshot", "bargain", "--json").object()["snapshots"][0]["bounds"]
    assert len(told) == 1 and "bargain/bargain" in told[0]
    monkeypatch.setattr(kept_prompts, "MOST_CALLS", 3)
    monkeypatch.setattr(snapshots, "MOST_FILES", 2)
    assert len(lw("snapshot", "bargain", "--json").object()["snapshots"][0]["bounds"]) == 3
