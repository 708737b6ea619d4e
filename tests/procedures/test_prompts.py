"""The rendered prompts of the civil procedure: each role at each place of one case, as snapshots.

`prompts/TARGET/STAGE/PHASE/ROLE.ACT.PROMPT.txt` is the first call of its kind there: what was added to the role's
thread, part by part, each below the file it comes from. Nobody's talk but the script's stands in it, so that a snapshot
changes with the prompts and the case alone. `make bless` takes over what changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from playing import Game, play, project
from pytest_snapshot.plugin import Snapshot
from wcwidth import wcwidth

from legalworld import __version__
from legalworld.model.events import Message, Request
from legalworld.runs.project import spec_copy

WIDTH = 100  # columns of a line, the sign of its going on apart
STAGES = {
    "plaintiff_lawyer": ("LC", "CD", "FIT", "AR", "SIT"),
    "defendant_lawyer": ("LC", "DD", "AD"),  # where the roles differ; the trials are the same
}
FIELDS = {"goal.plaintiff.settle": "是", "goal.defendant.settle": "是"}


def scripted(request: Request, *, agreed: str = "否", disposition: str = "维持原判") -> str:
    """As few words as the form allows."""
    form, turn = request.form, request.view.variables["step"]["turn"]
    text = f"（{request.speaker}的话）"
    if form.kind == "document":
        return "\n".join([request.view.variables["step"]["document"]["title"], text])
    if form.leading:  # the chair: each counsel once, then it closes
        return f"【{form.leading[min(turn, len(form.leading)) - 1]}】{text}"
    if form.ending and turn > 1:
        return f"{text}【{form.ending[0]}】"
    if form.answer is None:
        return text
    known = {"recusal": "是", "willing": "是", "agreed": agreed, "disposition": disposition}
    free = {
        "list": "第一个焦点；第二个焦点",
        "choice": "".join(form.answer.choices[:1]),
        "yes or no": "否",
        "text": "一段意见。",
    }
    value = known.get(form.answer.name) or free[form.answer.form]
    return f"{text}\n【{form.answer.name}：{value}】"


@cache
def games(target: str) -> tuple[Game, ...]:
    """Three ways of one case, so that every document is drafted in one of them."""
    return (
        play(
            "jiedai", target, fields=FIELDS, options={"appeal_by": "case"}, script=lambda request, _: scripted(request)
        ),
        play(
            "jiedai",
            target,
            fields=FIELDS,
            options={"appeal_by": "case"},
            script=lambda request, _: scripted(request, agreed="是"),
        ),
        play("jiedai", target, fields=FIELDS, options={"appeal_by": "case"}, script=_agreeing_late),
        play(
            "jiedai",
            target,
            fields=FIELDS,
            options={"appeal_by": "case"},
            script=lambda request, _: scripted(request, disposition="发回重审"),
        ),
    )


def _agreeing_late(request: Request, _: str) -> str:
    return scripted(request, agreed="是" if request.id.startswith("SIT") else "否")


def calls(target: str, stage: str) -> dict[str, str]:
    """File name below the folder of the stage -> the first call of its kind at that place."""
    found: dict[str, str] = {}
    for game in games(target):
        for request in game.said(stage):
            step, phase = request.view.variables["step"], request.view.phase.rpartition("/")[2]
            what = step["document"]["name"] if request.form.kind == "document" else step["id"]
            name = ".".join((request.role, *dict.fromkeys((request.act, what)), "txt"))
            found.setdefault(f"{phase}/{name}" if phase else name, written(request))
    return found


def written(request: Request) -> str:
    return "\n".join(line for message in request.added for line in _message(message))


def _message(message: Message) -> Iterator[str]:
    yield f"======== {message.role}"
    for home, text in message.parts:
        yield f"---- {home}"
        for line in text.split("\n"):
            yield from _wrapped(line)
        yield ""


def _wrapped(line: str) -> Iterator[str]:
    """A line in pieces that a screen can hold; all but the last end with a sign that it goes on."""
    piece, used = "", 0
    for character in line:
        width = max(wcwidth(character), 0)
        if used + width > WIDTH:
            yield piece + "↩"
            piece, used = "", 0
        piece, used = piece + character, used + width
    yield piece.rstrip()


PLACES = [(target, stage) for target, stages in STAGES.items() for stage in stages]


@pytest.mark.parametrize(("target", "stage"), PLACES, ids=lambda word: word)
def test_prompts(target: str, stage: str, snapshot: Snapshot) -> None:
    snapshot.snapshot_dir = f"{__file__.rpartition('test_prompts')[0]}prompts"
    folders: dict[str, Any] = {}
    for name, text in calls(target, stage).items():
        folder, _, file = name.rpartition("/")
        (folders.setdefault(folder, {}) if folder else folders)[file] = text
    snapshot.assert_match_dir(folders, f"{target}/{stage}")


@pytest.mark.parametrize(("target", "stage"), PLACES, ids=lambda word: word)
def test_a_message_is_its_parts_and_each_has_a_home(target: str, stage: str) -> None:
    for game in games(target):
        for request in game.said(stage):
            for message in request.added:
                assert message.parts
                assert message.content == "\n\n".join(text for _, text in message.parts)
                assert all(home.startswith(("prompts/zh/", "personas/", "documents/")) for home, _ in message.parts)


def test_the_snapshots_hold_no_version_and_no_digest() -> None:

    for target, stage in PLACES:
        for text in calls(target, stage).values():
            assert __version__ not in text
            assert spec_copy(project()).digest not in text
