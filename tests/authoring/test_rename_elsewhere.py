"""A name that also stands outside the procedures is not renamed in part: all is refused."""

from __future__ import annotations

import pytest
from test_editor import DEMO, MAIN, at, picture

from legalworld.authoring.picture import Picture
from legalworld.authoring.rename import renamed

__all__ = ["picture"]

HELD = {
    "norms/zh/loan.yaml": "lw: 1\nnorm: loan\nfacts: [NAME]\n",
    "specs/demo.test.yaml": "lw: 1\ntests of: demo\ntests:\n  - test: a\n    expect:\n      speaks: NAME\n",
    "specs/sub/other.test.yml": "lw: 1\ntests:\n  - test: a\n    target: NAME\n",
    "snapshots/demo/x/ways.yaml": "lw: 1\nsnapshots: demo\nways:\n  NAME: [usual]\n",
    "snapshots/demo/x/NAME/S/first.txt": "text\n",
    "models.yaml": "lw: 1\nsets:\n  usual: {NAME: judge}\n",
}


@pytest.mark.parametrize("path", HELD)
def test_a_name_that_stands_elsewhere_is_refused_whole(picture: Picture, path: str) -> None:
    place = path.replace("NAME", "ann")
    held = picture.replaced(place, HELD[path].replace("NAME", "ann"))
    edits = renamed(held, at(DEMO, "chair asks ann", "ann"), "anna")
    assert edits.texts == ()
    assert edits.why is not None
    assert edits.why.code == "LW735"
    assert edits.why.values["file"] == place


@pytest.mark.parametrize("word", ["annex", "joann", "ann_b", "other"])
@pytest.mark.parametrize("path", HELD)
def test_a_longer_name_there_hinders_nothing(picture: Picture, path: str, word: str) -> None:
    other = picture.replaced(path.replace("NAME", word), HELD[path].replace("NAME", word))
    edits = renamed(other, at(DEMO, "chair asks ann", "ann"), "anna")
    assert edits.why is None
    assert set(edits.files) == {MAIN}


def test_what_a_kept_prompt_says_is_made_anew_and_hinders_nothing(picture: Picture) -> None:
    said = picture.replaced("snapshots/demo/x/bob/S/first.txt", "ann says something\n")
    assert renamed(said, at(DEMO, "chair asks ann", "ann"), "anna").why is None
