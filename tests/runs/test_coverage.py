"""`lw coverage`, `lw specs`, `lw run --skip`: what runs never came to, what there is, what a run leaves out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from scripted import CONSTRUCTS, play, read_construct, read_sources
from typed import lw

from legalworld.language.link.linker import link
from legalworld.model.events import Ended, Event, Skipped, Started
from legalworld.model.procedure import places
from legalworld.runs import catalogue
from legalworld.runs.coverage import Coverage, coverage
from legalworld.runs.journal import EventLine, load

MISSED: dict[str, set[str]] = {
    "repeat_until": {"board/1 closed by budget", "board/2 closed by condition"},
    "if_else": {"hall/1.2.else.1 else"},
    "may_pass": {"hall/question passed", "hall/more spoken"},
    "moderated_until_closed": {"hall/1 closed by budget"},
    "moderator_never_closes": {"room/1 closed by token", "room/2 closed by token"},
    "topics_all_covered": {"office/1 closed as empty", "office/1 closed by budget"},
    "topics_closed_by_token": {
        "office/1 closed as covered",
        "office/1 closed as empty",
        "office/1 closed by budget",
    },
    "driver_never_closes": {"court/1 closed by token"},
    "reviewed_before_words_count": {"room/1 closed by budget"},
    "reviewer_never_agrees": {"room/1 approved", "room/1 closed by budget"},
    "stage_when": {
        "early reached",
        "early/1 reached",
        "late/first reached",
        "late/first/1 reached",
        "late/second/1 reached",
        "late/second/2 condition failed",
    },
    "skip_asked": {"morning reached", "morning/1 reached", "noon/soup reached", "noon/soup/1 reached"},
}


def measured(name: str, cut: int | None = None) -> Coverage:
    construct = read_construct(CONSTRUCTS / name)
    assert construct.project.procedure is not None
    return coverage(construct.project.procedure, [play(construct).events[:cut]])


def named(found: Coverage) -> set[str]:
    return {f"{branch.place} {branch.kind}" for branch in found.missed}


@pytest.mark.parametrize("name", MISSED)
def test_what_a_run_never_came_to(name: str) -> None:
    assert named(measured(name)) == MISSED[name]


def test_every_construct_has_places_that_its_run_reaches() -> None:
    """All have places; the run is played of whichever is the first to have a branch of some kind."""
    kinds: set[str] = set()
    for folder in sorted(file.parent for file in CONSTRUCTS.glob("*/spec.yaml")):
        procedure = link(read_sources(folder), "specs/spec.yaml").procedure
        assert procedure is not None
        branches = coverage(procedure, []).branches
        known = {place[max(place.find("@"), 0) :] for place, _ in places(procedure)}  # an event counts once
        assert branches and {branch.place for branch in branches} <= known
        assert all(branch.span.line for branch in branches)
        if not {branch.kind for branch in branches} <= kinds:
            kinds |= {branch.kind for branch in branches}
            found = measured(folder.name)
            assert found.branches == branches and len(found.missed) < len(branches)
    assert len(kinds) > 15


def test_runs_count_together() -> None:
    """One run passes, another speaks; together nothing is left."""
    construct = read_construct(CONSTRUCTS / "may_pass")
    procedure = construct.project.procedure
    assert procedure is not None
    events = play(construct).events
    swapped: list[Event] = [
        replace_place(event, "hall/question", "hall/more") if isinstance(event, Skipped) else event for event in events
    ]
    spoken = [replace_place(event, "hall/more", "hall/question") for event in events]
    assert named(coverage(procedure, [events, swapped, spoken])) < named(coverage(procedure, [events]))


def replace_place(event: Event, new: str, old: str) -> Event:
    place = getattr(event, "place", "")
    return event.model_copy(update={"place": new}) if place == old else event


def test_a_run_that_stopped_at_a_choice_has_not_chosen() -> None:
    construct = read_construct(CONSTRUCTS / "if_else")
    events = play(construct).events
    first = next(n for n, event in enumerate(events) if getattr(event, "place", "") == "hall/1.2")
    assert {"hall/1.2 then", "hall/1.2 else"} <= named(measured("if_else", cut=first + 1))
    assert "hall/1.2 else" in named(measured("if_else", cut=first + 3))
    assert "hall/1.2 then" not in named(measured("if_else", cut=first + 3))


def test_nothing_that_can_never_be_is_asked_for() -> None:
    """A branch whose condition holds in every case, or in none, is no branch."""
    construct = read_construct(CONSTRUCTS / "conditions_on_roles")
    assert construct.project.procedure is not None
    found = coverage(construct.project.procedure, [])
    assert found.missed == found.branches
    stage = construct.project.procedure.stages[0]
    always = replace(stage, when=None)
    procedure = replace(construct.project.procedure, stages=(always, *construct.project.procedure.stages[1:]))
    kinds = {branch.kind for branch in coverage(procedure, []).branches if branch.place == stage.id}
    assert kinds == {"reached"}


# ---- the commands ----------------------------------------------------------------------------------------------------

SPEC = """\
lw: 1
procedure: day
title: 一天
source: 自编
example: cases/day.yaml
case:
  food: {title: 吃的, path: $.food, required: yes}
kinds: {P: person}
roles:
  ann: {title: 安, kind: person}
documents:
  letter: {title: 信}
options:
  late: {title: 晚起, default: no}
visibility: |
  | field | morning | noon | night |
  |-------|---------|------|-------|
  | food  | P       | P    | P     |
stages:
  - stage: morning
    title: 早上
    steps:
      - ann drafts letter: 写信
      - ann states: 起床
        when: not late
  - stage: noon
    title: 中午
    phases:
      - phase: soup
        title: 汤
        steps:
          - ann states: 喝汤
      - phase: cake
        title: 糕点
        steps:
          - ann states: 吃糕点
  - stage: night
    title: 晚上
    steps:
      - ann states: 睡觉
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    monkeypatch.delenv("COLUMNS", raising=False)
    for name, text in (("specs/day.yaml", SPEC), ("cases/day.yaml", "lw: 1\ncase: day\nfood: 面\n")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def events(folder: str) -> list[Event]:
    return [line.event for line in load(Path(folder) / "journal.jsonl").lines if isinstance(line, EventLine)]


def test_what_is_left_out_stays_left_out() -> None:
    """Through a pause, a resumption, a replay and a fork."""
    asked = ("--skip", "noon/soup", "--skip", "morning", "--skip", "noon/soup")
    assert lw("run", "day", *asked, "--until", "night", "--out", "run", "--json").object()["status"] == "paused"
    assert "skip:\n  - noon/soup\n  - morning\n" in Path("run/run.yaml").read_text("utf-8")
    assert lw("resume", "run", "--json").object()["status"] == "ended"
    assert lw("replay", "run").code == 0
    told = events("run")
    assert [event.skip for event in told if isinstance(event, Started)] == [("noon/soup", "morning")]
    assert [(event.place, event.reason) for event in told if isinstance(event, Skipped)] == [
        ("morning", "asked"),
        ("noon/soup", "asked"),
    ]
    assert "〔按要求略去：汤〕" in Path("run/transcript.md").read_text("utf-8")
    assert lw("run", "day", "--skip", "noon/cake", "--out", "other").code == 0
    Path("letter.md").write_text("信", encoding="utf-8")
    assert lw("fork", "other", "--at", "night", "--replace", "letter=letter.md", "--out", "forked").code == 0
    assert [event.place for event in events("forked") if isinstance(event, Skipped)] == ["noon/cake"]
    assert isinstance(events("forked")[-1], Ended)


@pytest.mark.parametrize(("word", "near"), [("mornin", "morning"), ("noon/sup", "noon/soup"), ("morning/1", "morning")])
def test_what_is_not_there_cannot_be_left_out(word: str, near: str) -> None:
    ran = lw("run", "day", "--skip", word)
    assert ran.code == 2
    assert "LW209" in ran.err and f"“{word}”" in ran.err
    assert near in ran.err
    assert not Path("runs").exists()


def test_a_run_says_what_it_is_without_when_previewed() -> None:
    ran = lw("run", "day", "--skip", "night", "--until", "night")
    assert ran.code == 2 and "LW680" in ran.err  # what is left out is never come to


def test_coverage_of_runs() -> None:
    assert lw("run", "day", "--skip", "noon/soup", "--out", "a").code == 0
    assert lw("run", "day", "--option", "late=yes", "--skip", "night", "--out", "b").code == 0
    one = lw("coverage", "a")
    assert (one.code, one.err) == (0, "")
    assert one.out == (
        "一天（1 次运行）：11 处走到 8 处\n"
        "specs/day.yaml:24  morning/2    条件从没有不成立\n"
        "specs/day.yaml:29  noon/soup    没有走到\n"
        "specs/day.yaml:32  noon/soup/1  没有走到\n"
    )
    both = lw("coverage", "a", "b", "--json").object()
    assert both == {"procedures": [{"procedure": "day", "runs": ["a", "b"], "total": 11, "reached": 11, "missed": []}]}
    assert lw("coverage", "a", "b").out == "一天（2 次运行）：11 处走到 11 处\n"
    assert lw("coverage", "nosuch").code == 2
    assert lw("coverage").code == 2


def test_runs_of_different_procedures_are_told_apart(project: Path) -> None:
    assert lw("run", "day", "--out", "a").code == 0
    (project / "specs" / "day.yaml").write_text(SPEC.replace("睡觉", "就寝"), encoding="utf-8")
    assert lw("run", "day", "--out", "b").code == 0
    assert lw("run", "bargain", "--out", "c").code == 0
    found = lw("coverage", "a", "b", "c", "--json").object()["procedures"]
    assert [(one["procedure"], one["runs"]) for one in found] == [("day", ["a"]), ("day", ["b"]), ("bargain", ["c"])]


def test_all_procedures_are_listed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For programs and in words, of what is linked once."""
    monkeypatch.setattr(catalogue, "catalogue", cache(catalogue.catalogue))
    (project / "specs" / "parts").mkdir()
    (project / "specs" / "parts" / "more.yaml").write_text("lw: 1\nlaw: [民法典]\n", encoding="utf-8")
    (project / "specs" / "broken.yaml").write_text("lw: 1\nprocedure: broken\nstages: x\n", encoding="utf-8")
    found = {one["name"]: one for one in lw("specs", "--json").object()["specs"]}
    assert {"day", "broken", "civil", "bargain"} <= set(found)
    assert not {"parts/more", "parts/civil-trial"} & set(found)
    assert found["broken"] == {"name": "broken", "file": "specs/broken.yaml", "usable": False}
    assert found["day"] == {
        "name": "day",
        "file": "specs/day.yaml",
        "usable": True,
        "procedure": "day",
        "title": "一天",
        "source": "自编",
        "law": [],
        "roles": [{"id": "ann", "title": "安", "kind": "person", "side": ""}],
        "targets": [],
        "stages": [
            {"id": "morning", "title": "早上"},
            {"id": "noon", "title": "中午"},
            {"id": "night", "title": "晚上"},
        ],
        "needs": [{"field": "food", "title": "吃的", "path": "$.food"}],
        "options": [{"name": "late", "title": "晚起", "choices": ["yes", "no"], "default": "no"}],
        "documents": [{"name": "letter", "title": "信"}],
        "example": "cases/day.yaml",
    }
    said = lw("specs").out
    assert (
        "day  一天  specs/day.yaml\n"
        "  出处：自编\n"
        "  角色：安\n"
        "  阶段：morning 早上、noon 中午、night 晚上\n"
        "  案件要有：food 吃的\n"
        "  选项：late（yes/no）\n"
        "  示例案件：cases/day.yaml\n"
    ) in said
    assert "broken  specs/broken.yaml\n  这份文件有错误：lw check specs/broken.yaml\n" in said
    assert "civil  民事诉讼全流程  specs/civil.yaml\n" in said
    monkeypatch.setenv("LW_LANG", "en")
    assert "  Roles: 安\n" in lw("specs", "day").out
