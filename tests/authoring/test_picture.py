"""A picture of a project: files laid over, links shared where nothing changed, no other answer than a fresh one."""

from __future__ import annotations

import random

import pytest
from places import ROOT

from legalworld.authoring.edits import Edit, Edits, Region
from legalworld.authoring.picture import Picture
from legalworld.files.project_files import Disk, Snapshot

CIVIL, PART = "specs/civil.yaml", "specs/parts/civil-trial.yaml"


@pytest.fixture(scope="module")
def shipped() -> Picture:
    return Picture(Snapshot(Disk(ROOT)))


def test_a_change_leaves_the_old_picture_as_it_was(shipped: Picture) -> None:
    text = shipped.read(CIVIL)
    assert text is not None
    changed = shipped.replaced(CIVIL, text.replace("title:", "title: x", 1))
    assert shipped.read(CIVIL) == text != changed.read(CIVIL)
    gone = shipped.replaced(CIVIL, None)
    assert gone.read(CIVIL) is None
    assert CIVIL in shipped.names("specs")
    assert CIVIL not in gone.names("specs")
    assert CIVIL in gone.replaced(CIVIL, text).names("specs")


def test_what_does_not_hold_the_file_is_shared(shipped: Picture) -> None:
    bargain, civil = shipped.linked("specs/bargain.yaml"), shipped.linked(CIVIL)
    changed = shipped.replaced(PART, (shipped.read(PART) or "") + "\n# a remark\n")
    assert changed.linked("specs/bargain.yaml") is bargain
    assert changed.linked(CIVIL) is not civil


def test_a_part_has_the_homes_that_include_it(shipped: Picture) -> None:
    assert CIVIL in shipped.homes(PART)
    assert "specs/bargain.yaml" not in shipped.homes(PART)
    assert CIVIL in shipped.homes("prompts/zh/act/_answer.j2")
    assert shipped.homes("specs/no-such.yaml") == ()


@pytest.mark.parametrize("path", ["../secret.yaml", "/etc/passwd", "specs/../../x", "specs\\x.yaml", "specs//x"])
def test_a_path_that_leads_out_is_no_path(shipped: Picture, path: str) -> None:
    assert shipped.read(path) is None
    assert shipped.replaced(path, "lw: 1") is shipped


def test_after_many_changes_a_picture_equals_a_fresh_one() -> None:
    """Guards what is kept: the same problems as when everything is read anew."""
    draw = random.Random(40)
    picture = Picture(Snapshot(Disk(ROOT)))
    files = [CIVIL, PART, "specs/bargain.yaml", "prompts/zh/act/_answer.j2", "prompts/zh/act/note.j2"]
    for number in range(8):
        path = draw.choice(files)
        lines = (picture.read(path) or "").split("\n")
        at = draw.randrange(len(lines))
        lines[at] = draw.choice([lines[at] + " ", lines[at][: len(lines[at]) // 2], "", lines[at] + "\n# remark"])
        if number % 4 == 3:
            picture = picture.replaced(path, None).replaced(path, "\n".join(lines))
        else:
            picture = picture.replaced(path, "\n".join(lines))
        main = draw.choice([CIVIL, "specs/bargain.yaml"])
        fresh = Picture(Snapshot(Disk(ROOT)), picture.laid)
        assert picture.linked(main) == fresh.linked(main)
        assert picture.proof(main) == fresh.proof(main)


def test_edits_are_made_at_their_regions() -> None:
    text = "\ufeffa: 1\r\nb: 2\r\n"
    edits = Edits(
        (
            Edit(Region("x", (2, 4), (2, 5)), "3"),
            Edit(Region("x", (1, 1), (1, 2)), "kk"),
            Edit(Region("y", (1, 1), (1, 1)), "#"),
        )
    )
    assert edits.files == ("x", "y")
    assert edits.applied({"x": text, "y": ""}) == {"x": "\ufeffkk: 1\r\nb: 3\r\n", "y": "#"}
