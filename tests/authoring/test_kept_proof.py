"""A proof that is kept while words are edited is the proof that would be made anew, at the places of now."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from places import ROOT

from legalworld.authoring import picture as pictures
from legalworld.authoring.kept_proof import line_map
from legalworld.authoring.picture import Picture
from legalworld.checking.check import check
from legalworld.files.project_files import Disk, Snapshot
from legalworld.model.diagnostics import Diagnostic

MAINS = {
    "specs/bargain.yaml": ["specs/bargain.yaml"],
    "specs/criminal.yaml": ["specs/criminal.yaml"],
    "specs/civil.yaml": ["specs/civil.yaml", "specs/parts/civil-trial.yaml"],
}
STEP = re.compile(r"^\s*- .*(states|asks|陈述|询问|notes)\b.*: ")


def _rules_asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def counted(procedure, templates):  # type: ignore[no-untyped-def]
        asked.append(procedure.name)
        return check(procedure, templates)

    monkeypatch.setattr(pictures, "check", counted)
    return asked


def _edits(lines: list[str], draw: random.Random) -> Iterator[list[str]]:
    """Neighbours of a file: words, holes, remarks, blank lines, other sentences, lines that come and go."""
    steps = [at for at, line in enumerate(lines) if STEP.match(line)] or [0]
    for way in range(9):
        at = draw.choice(steps)
        new = {
            0: [lines[at] + "请说。"],
            1: [lines[at] + " {nobody.knows}"],
            2: ["# a remark", lines[at]],
            3: [lines[at] + "  # a remark"],
            4: [lines[at], ""],
            5: [lines[at].replace(": ", ":   ", 1)],
            6: [re.sub(r"- \S+", "- nobody", lines[at], count=1)],
            7: [],
            8: [lines[at], lines[at]],
        }[way]
        yield [*lines[:at], *new, *lines[at + 1 :]]


@pytest.mark.parametrize("main", MAINS)
@pytest.mark.parametrize("broken", [False, True])
def test_a_kept_proof_equals_a_fresh_one(main: str, broken: bool) -> None:
    """Edits one upon another: also what was found wrong before moves with its line."""
    draw = random.Random(f"{main}{broken}")
    picture = Picture(Snapshot(Disk(ROOT)))
    if broken:  # a field that nobody uses, and a hole that nothing fills
        text = picture.read(main) or ""
        at = next(line for line in text.split("\n") if STEP.match(line))
        picture = picture.replaced(main, text.replace(at, at + "{nobody}"))
    assert picture.proof(main) is not None
    for path in MAINS[main]:
        for lines in _edits((picture.read(path) or "").split("\n"), draw):
            picture = picture.replaced(path, "\n".join(lines))
            if picture.linked(main).usable:
                assert picture.proof(main) == Picture(Snapshot(Disk(ROOT)), picture.laid).proof(main)
            else:  # what cannot be linked is taken back
                picture = picture.replaced(path, None).replaced(path, Snapshot(Disk(ROOT)).read(path))


def test_rules_are_asked_only_where_they_may_find_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _rules_asked(monkeypatch)
    main = "specs/bargain.yaml"
    picture = Picture(Snapshot(Disk(ROOT)))
    picture.proof(main)
    text = picture.read(main) or ""
    step = next(line for line in text.split("\n") if STEP.match(line))
    assert asked == ["bargain"]
    for words in (text.replace(step, step + "请说。"), text.replace(step, "# why\n\n" + step), text + "\n# end\n"):
        picture.replaced(main, words).proof(main)
    assert asked == ["bargain"]
    for change in (text.replace(step, step + "{item.no}"), text.replace("at most: 6 turns", "at most: 7 turns")):
        assert change != text
        picture.replaced(main, change).proof(main)
    assert asked == ["bargain"] * 3
    picture.replaced("prompts/zh/act/_answer.j2", "{{ nothing }}").proof(main)
    assert asked == ["bargain"] * 4


def test_lines_are_where_they_were() -> None:
    """Every line that a map moves stands there in the other text, in any two texts."""
    draw = random.Random(4)
    for _ in range(300):
        was, now = ("".join(draw.choices("ab\n", k=draw.randrange(12))) for _ in "12")
        found = line_map(was, now)
        placed = [(line, found.moved(line)) for line in range(1, len(was.split("\n")) + 1)]
        for line, at in placed:
            assert at is None or was.split("\n")[line - 1] == now.split("\n")[at - 1]
        assert len({at for _, at in placed if at}) == len([at for _, at in placed if at])


def test_what_was_found_moves_with_its_line() -> None:
    main = "specs/bargain.yaml"
    picture = Picture(Snapshot(Disk(ROOT)))
    text = picture.read(main) or ""
    step = next(line for line in text.split("\n") if STEP.match(line))
    wrong = picture.replaced(main, text.replace(step, step + "{nobody}"))
    before: tuple[Diagnostic, ...] = wrong.proof(main) or ()
    after = wrong.replaced(main, "# one\n# two\n" + text.replace(step, step + "{nobody}")).proof(main) or ()
    assert [one.code for one in before] == [one.code for one in after] != []
    assert [one.span.line + 2 for one in before] == [one.span.line for one in after]
