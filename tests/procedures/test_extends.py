"""A child of the civil procedure with several changes: checked, played, stopped, resumed, replayed, scored."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import lw

from legalworld.runs import spec_copies
from legalworld.runs.project import Project, open_project

CHILD = """\
lw: 1
procedure: local
title: 民事诉讼（本院版）
extends: civil
changes:
  - change FIT/debate/debate: {at most: 20 turns}
  - insert after FIT/preparation:
      - phase: conference
        title: 庭前会议
        hooks: no
        steps:
          - bench asks lawyer of first, lawyer of second: 哪些事实和证据没有争议
            id: undisputed
  - remove FIT/mediation
  - replace trial/debate/argue_third:
      - lawyer of third states: 补充意见
        id: argue_third
        prompt: argue
  - insert before DD/1:
      - judge announces: 送达起诉状副本
        id: serve
  - 修改 角色 judge: {标题: 独任审判员}
  - change document first_judgment: {title: 民事判决书（第一审）}
"""

CLOSED = """
      - end case with first_judgment: 一审终审
        id: closed
        outcome: final"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that has nothing but the child and one prompt; all else comes from what is shipped."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    for name, text in {
        "specs/local.yaml": CHILD,
        "prompts/zh/local/act/announce.serve.j2": "向被告送达起诉状副本。",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_a_child_of_civil_from_check_to_score(project: Path) -> None:
    checked = lw("check", "local", "--json").object()
    assert (checked["errors"], checked["warnings"], checked["problems"]) == (0, 0, [])
    assert lw("run", "local", "--until", "appeal", "--out", "run", "--json").code == 0
    (project / "specs" / "local.yaml").unlink()  # a run goes on with its own copies, those of the parent too
    assert "specs/civil.yaml" in (spec_copies.unpacked((project / "run" / spec_copies.NAME).read_bytes()) or {})
    ended = lw("resume", "run", "--json")
    assert (ended.code, ended.object()["outcome"]) == (0, "final_judgment")
    assert lw("replay", "run").code == 0
    transcript = (project / "run" / "transcript.md").read_text("utf-8")
    first, second = transcript.split("## 第二审庭审")
    assert "### 庭前会议" in first and "**独任审判员**：" in first and "### 法庭调解" not in first
    assert "### 庭前会议" not in second and "**审判长**：" in second and "### 法庭调解" in second
    missed = lw("coverage", "run", "--json").object()["procedures"][0]
    assert missed["procedure"] == "local" and 0 < missed["reached"] < missed["total"]
    assert lw("eval", "run", "--rubric", "longjud").code == 0


def test_what_was_made_for_the_parent_serves_the_child() -> None:
    """Bindings of other formats, the prompts of the parent and one's own."""
    foreign = lw("run", "local", "--case", "legalworld-sample#1", "--until", "CD", "--out", "run", "--json")
    assert foreign.code == 0, foreign.err
    said = lw("prompt", "local", "--as", "judge", "--at", "DD/serve", "--target", "defendant_lawyer").out
    assert "[prompts/zh/local/act/announce.serve.j2]" in said and "你是独任审判员" in said
    seen = lw("view", "local", "--as", "judge", "--at", "FIT/conference")
    assert seen.code == 0 and "诉讼请求" in seen.out


@pytest.mark.parametrize(
    ("removed", "during"),
    [
        (("FIT/mediation",), {("SIT", "mediation")}),
        (("SIT/mediation",), {("FIT", "mediation")}),
        (("appeal", "AD", "AR", "SIT"), {("FIT", "mediation")}),
        ((), {("FIT", "mediation"), ("SIT", "mediation")}),
    ],
)
def test_an_inherited_event_goes_with_the_places_it_was_for(
    project: Path, removed: tuple[str, ...], during: set[tuple[str, str]]
) -> None:
    changes = [f"remove {place}" for place in removed] or ["change FIT: {title: 庭审}"]
    if "SIT" in removed:
        changes += ["change FIT/trial: {third: nobody}", f"insert after FIT/decision:{CLOSED}"]
    text = "".join(f"  - {change}\n" for change in changes)
    head = "lw: 1\nprocedure: short\ntitle: 短\nextends: civil\nexample: cases/jiedai.yaml\nchanges:\n"
    (project / "specs" / "short.yaml").write_text(head + text, encoding="utf-8")
    opened = open_project("short", project)
    assert isinstance(opened, Project) and opened.procedure is not None, opened
    found = [set(event.during) for event in opened.procedure.interruptions if event.id == "mediation_over"]
    assert found == [during]
