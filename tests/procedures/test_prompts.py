"""The prompts of the shipped procedures: what each role is sent at each place of an example case, under `snapshots/`.

Nobody's talk stands in them, so that a snapshot changes with the prompts and the case alone. `make bless` (or
`lw snapshot --update`) takes over what changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from goldens import BLESS
from places import ROOT, SPEC_FILES

from legalworld import __version__
from legalworld.authoring.snapshots import Taken, Ways, changes, keep, kept_prompts, kept_ways, taken
from legalworld.runs.project import spec_copy

FOLDER = ROOT / "snapshots"
KEPT = tuple(ways for ways in kept_ways(FOLDER) if isinstance(ways, Ways))
OWN = {file.relative_to(ROOT / "specs").with_suffix("").as_posix() for file in SPEC_FILES}
PARTS = {name for name in OWN if "parts" in name.split("/")}


def test_every_shipped_procedure_is_kept() -> None:
    assert len(KEPT) == len(list(kept_ways(FOLDER)))
    assert {ways.spec for ways in KEPT} == OWN - PARTS


@pytest.mark.parametrize("ways", KEPT, ids=lambda ways: ways.folder)
def test_prompts_are_as_they_are_kept(ways: Ways) -> None:
    now = taken(ways, ROOT)
    assert isinstance(now, Taken), now
    folder = FOLDER / ways.folder
    if BLESS:
        keep(folder, now)
    assert [
        (change.name, change.kind, change.cause, change.lines) for change in changes(kept_prompts(folder), now)
    ] == []
    words = "\n".join(prompt.text for prompt in now.prompts.values())
    assert __version__ not in words
    assert spec_copy(now.project).digest not in words


@pytest.mark.parametrize("ways", KEPT, ids=lambda ways: ways.folder)
def test_each_part_of_a_kept_prompt_has_a_home(ways: Ways) -> None:
    homes = {
        line.removeprefix("---- ").partition("#")[0]
        for text in kept_prompts(FOLDER / ways.folder).values()
        for line in text.split("\n")
        if line.startswith("---- ")
    }
    assert homes
    for home in homes:
        assert home.startswith(("prompts/", "personas/", "documents/", "skills/"))
        assert Path(ROOT, home).is_file(), home
