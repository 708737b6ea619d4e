"""A name changed in a shipped procedure: nothing is told that was not told before, and the same is played under the new
name; or it is refused whole, with the place that stands against it."""

from __future__ import annotations

import asyncio
import os
import random
import re
from functools import cache

import pytest
from places import ROOT

from legalworld.authoring.lookup import described
from legalworld.authoring.occurrences import names_of
from legalworld.authoring.picture import Picture
from legalworld.authoring.rename import applied, declaration, renamed
from legalworld.authoring.rename_proof import problems_of
from legalworld.authoring.rename_templates import NewName
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.files.project_files import Disk, Snapshot
from legalworld.model.events import Reply, Request
from legalworld.models import scripted
from legalworld.models.scripted import Offline
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.norm_bench import norm_bench
from legalworld.runs.project import Project
from legalworld.runs.read_parts import part_reader
from legalworld.templates.template_set import TemplateSet

KINDS = ("roles", "stages", "documents", "case", "answers", "options")
REFUSED = ("LW734", "LW735", "LW048", "LW733")
DRAWN = int(os.environ.get("LW_RENAMES", "5"))
"""So many names of each larger procedure; of the small one all."""


@cache
def picture() -> Picture:
    return Picture(Snapshot(Disk(ROOT)))


@cache
def names(spec: str) -> tuple[str, ...]:
    """The names that a procedure declares, of the kinds that people rename."""
    main = f"specs/{spec}.yaml"
    procedure = picture().linked(main).procedure
    assert procedure is not None
    found = {one.name for one in names_of(picture(), main).occurrences if one.declares and "@" not in one.name}
    return tuple(sorted(name for name in found if described(procedure, name)[0] in KINDS))


def drawn() -> list[tuple[str, str]]:
    draw = random.Random(45)
    found = [("bargain", name) for name in names("bargain")]
    for spec in ("smallclaims", "civil", "criminal"):
        known = names(spec)
        found += [(spec, name) for name in draw.sample(known, min(DRAWN, len(known)))]
    return found


def played(picture: Picture, spec: str, target: str) -> tuple[str, ...]:
    """Every request with all that its person is told, every reply, every event."""
    path = f"specs/{spec}.yaml"
    procedure = picture.linked(path).procedure
    assert procedure is not None
    templates = TemplateSet.of(picture, procedure)
    project = Project(picture, path, procedure, templates, ())
    opened = open_case(project, str(ROOT / "cases" / f"{project.example}.yaml"), "", {}, ROOT)
    assert isinstance(opened, OpenedCase)
    case = opened.case
    actors = Offline(templates, 0, "plain", decide=norm_bench(procedure, case, templates))
    told: list[str] = []

    async def answer(request: Request) -> Reply:
        reply = actors.answer(request)
        told.extend((repr((request.id, request.added, request.form.answer)), reply.text))
        return reply

    def watch(event: object) -> None:
        if not isinstance(event, Request):
            told.append(repr(event))

    settings = Settings(target, 0, {name: option.default for name, option in procedure.options.items()})
    playing = interpret(procedure, case, settings, templates, reader=part_reader(procedure, case))
    asyncio.run(play_through(playing, ReplayLog(), answer, watch, halting=False))
    return tuple(told)


def plain(told: tuple[str, ...], wanted: NewName) -> list[str]:
    """What was told under the new name, without lines of files."""
    return [re.sub(r"Span\([^()]*\)", "", wanted.word.sub(wanted.new, line)) for line in told]


@cache
def before(spec: str) -> tuple[str, tuple[str, ...]]:
    procedure = picture().linked(f"specs/{spec}.yaml").procedure
    assert procedure is not None
    target = next(iter(procedure.targets), "")
    return target, played(picture(), spec, target)


@pytest.fixture(autouse=True)
def one_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offline actors choose their words by the places where they speak, which bear other names here."""
    dice = scripted.dice
    monkeypatch.setattr(scripted, "dice", lambda seed, _: dice(seed, ""))


@pytest.mark.parametrize(("spec", "name"), drawn())
def test_the_same_is_played_under_another_name(spec: str, name: str) -> None:
    main = f"specs/{spec}.yaml"
    target, told = before(spec)
    cursor = declaration(picture(), main, name)
    assert cursor is not None
    new = "zq" + name if name.isascii() else name + "甲"
    edits = renamed(picture(), cursor, new)
    if edits.why is not None:
        assert edits.texts == edits.renames == ()
        assert edits.why.code in REFUSED
        assert edits.why.code == "LW733" or edits.why.also, "the place is told"
        return
    after = applied(picture(), edits)
    codes = [sorted(one.code for one in problems_of(made, main)) for made in (picture(), after)]
    assert codes[0] == codes[1]
    wanted = NewName(name, new, "")
    then = played(after, spec, new if target == name else target)
    assert plain(told, wanted) == plain(then, wanted)


def test_most_names_are_renamed() -> None:
    """Of a small procedure all are, so that the test above is not one of refusals."""
    for name in names("bargain"):
        cursor = declaration(picture(), "specs/bargain.yaml", name)
        assert cursor is not None
        assert renamed(picture(), cursor, "zq" + name).why is None, name
