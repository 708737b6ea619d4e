"""Prompts that read differently between two procedures: those, and no others, whose text differs; each told once."""

from __future__ import annotations

from functools import cache

import pytest
from places import ROOT

from legalworld.authoring.difference_rendered import RenderedPrompts, rendered
from legalworld.authoring.impact import touched_prompts
from legalworld.authoring.kept_prompts import Matter, prompts_of
from legalworld.authoring.picture import Picture
from legalworld.authoring.protocol_words import Phrases, stages_of
from legalworld.authoring.snapshots import Ways, kept_ways, root_of
from legalworld.files.project_files import Disk, Snapshot
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.project import Project, read_project
from legalworld.wording import sentences

MAIN = "specs/bargain.yaml"
EDITS = {
    "cue": (MAIN, "说明货物，报价", "说明货物，再报价"),
    "limit": (MAIN, "at most: 6 turns", "at most: 9 turns"),
    "title": (MAIN, "title: 卖家", "title: 出卖人"),
    "shared part": ("prompts/zh/act/_answer.j2", "不加别的字", "不加任何字"),
    "case word": (MAIN, "title: 货物,", "title: 所卖的东西,"),
    "remark": (MAIN, "lw: 1", "lw: 1 # a remark"),
}


@cache
def shipped() -> Picture:
    return Picture(Snapshot(Disk(ROOT)))


def project(picture: Picture) -> Project:
    return read_project(picture, MAIN)


def phrases(one: Project, language: str) -> Phrases:
    assert one.procedure is not None
    return Phrases(one.procedure, language, sentences("protocol", language), stages_of(one.procedure))


def played(one: Project) -> dict[str, object]:
    """All prompts of the kept ways, written out anew."""
    assert one.procedure is not None
    ways = next(way for way in kept_ways(root_of(ROOT)) if isinstance(way, Ways) and way.spec == "bargain")
    case = open_case(one, ways.case, "", {}, ROOT)
    assert isinstance(case, OpenedCase)
    return dict(prompts_of(Matter(one.procedure, one.templates, case.case, {}), dict(ways.by_target)))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("edit", EDITS)
def test_what_is_told_is_what_differs(edit: str, language: str) -> None:
    path, was, now = EDITS[edit]
    text = shipped().read(path) or ""
    assert was in text
    old, new = project(shipped()), project(shipped().replaced(path, text.replace(was, now)))
    found = rendered(old, new, (phrases(old, language), phrases(new, language)), ROOT)
    assert isinstance(found, RenderedPrompts)
    wanted = touched_prompts(played(old), played(new))  # type: ignore[arg-type]
    assert {one.name: one.kind for one in wanted} == dict(found.names)
    assert bool(found.count) == bool(found.deltas) == (edit not in ("remark", "limit"))  # a limit that nobody is told
    counted = sum(int(place.rpartition("×")[2]) if "×" in place else 1 for one in found.deltas for place in one.where)
    assert counted == found.count <= found.total
    for one in found.deltas:
        if one.kind == "changed":
            assert one.old != one.new
            assert not one.span.file or now in (new.sources.read(path) or "").split("\n")[one.span.line - 1]


def test_there_and_back_are_the_same_prompts() -> None:
    path, was, now = EDITS["cue"]
    text = shipped().read(path) or ""
    old, new = project(shipped()), project(shipped().replaced(path, text.replace(was, now)))
    words = phrases(old, "en"), phrases(new, "en")
    there, back = rendered(old, new, words, ROOT), rendered(new, old, words[::-1], ROOT)
    assert isinstance(there, RenderedPrompts)
    assert isinstance(back, RenderedPrompts)
    assert {(one.old, one.new) for one in there.deltas} == {(one.new, one.old) for one in back.deltas}
