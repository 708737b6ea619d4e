"""Every act in English without wording of its own: the neutral files of `prompts/en` do for any procedure."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from places import ROOT
from playing import Game
from test_smallclaims import CJK
from test_wording import neutral, sent

from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.model import events as e
from legalworld.model.events import Event, Reply, Request
from legalworld.models.scripted import Manner, Offline
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.project import Project, open_project
from legalworld.runs.transcript import transcript

FOLDER = Path(__file__).parent / "english"
ACTS = (
    *("ask", "answer", "announce", "state", "respond", "present", "note", "moderate", "reply"),
    *("converse", "draft", "drive", "review", "revise", "remember", "object", "rule"),
)


def game(manner: Manner = "plain", accepted: bool = False, seed: int = 0) -> Game:
    project = open_project("tribunal", FOLDER)
    assert isinstance(project, Project) and project.procedure is not None and project.problems == (), project
    case = open_case(project, "cases/tribunal.yaml", "", {}, FOLDER)
    assert isinstance(case, OpenedCase) and case.problems == (), case
    found, actors = Game(), Offline(project.templates, seed, manner)

    async def answer(request: Request) -> Reply:
        reply = actors.answer(request)
        text = reply.text.replace(": no>>", ": yes>>") if accepted else reply.text
        if accepted and request.act == "object":
            text = f"<<{request.form.leading[0]}>> That was asked before."
        found.requests.append(request)
        found.replies.append(text)
        return reply.model_copy(update={"text": text})

    def watch(event: Event | Request) -> None:
        if not isinstance(event, Request):
            found.events.append(event)

    playing = interpret(project.procedure, case.case, Settings("", 0, {}), project.templates)
    found.status = asyncio.run(play_through(playing, ReplayLog(), answer, watch, halting=False)).status
    return found


GAMES = (("plain", False), ("plain", True), ("noisy", False), ("silent", False))


@pytest.mark.parametrize(("manner", "accepted"), GAMES)
def test_no_chinese_character_in_what_is_read_said_and_recorded(manner: Manner, accepted: bool) -> None:
    found = game(manner, accepted)
    assert found.status == "ended"
    texts = [text for _, _, text in sent(found)] + found.replies + [event.model_dump_json() for event in found.events]
    assert [text for text in texts if CJK.search(text)] == []
    project = open_project("tribunal", FOLDER)
    assert isinstance(project, Project) and project.procedure is not None
    case = open_case(project, "cases/tribunal.yaml", "", {}, FOLDER)
    assert isinstance(case, OpenedCase)
    assert not CJK.search(transcript(project.procedure, case.case, (), {"Owner": "offline"}, found.events))


def test_every_act_is_played_from_neutral_files() -> None:
    found = game(accepted=True)
    assert {request.act for request in found.requests} == set(ACTS)
    homes = {home.partition("#")[0] for _, home, _ in sent(found)}
    assert all(home.startswith("prompts/en/") and home.count("/") <= 3 for home in homes)
    assert {f"prompts/en/{name}.j2" for name in ("tools", "skill", "heard", "today", "events")} <= homes


def test_what_goes_wrong_is_told_in_english_too() -> None:
    homes = {home.partition("#")[0] for seed in range(3) for _, home, _ in sent(game("noisy", seed=seed))}
    assert {f"prompts/en/{name}.j2" for name in ("again", "results")} <= homes


def test_what_comes_in_between_is_told_in_english() -> None:
    """Dates, events, objections, who comes and goes, and what is read out."""
    said = "\n".join(text for _, _, text in sent(game(accepted=True)))
    for words in (
        "Today is 16 October 2025.",
        "<<site visit>>: Application for a site visit. You have already decided to raise it now",
        "None of the matters that you were told you might raise can be raised any longer.",
        "Objector Nils Lund is about to say this",
        "Owner's counsel (objecting): That was asked before.",
        "(struck out on objection; not to be taken into account)",
        "[Co-Arbitrator leaves]",
        "[Co-Arbitrator arrives]",
        "Presiding Arbitrator reads out the record of “Opening”:",
    ):
        assert words in said, words


def test_titles_and_tokens_are_english() -> None:
    found = game(accepted=True)
    called = {request.speaker for request in found.requests}
    assert called == {
        "Owner", "Builder Nils Lund", "Builder Per Lund", "Owner's counsel", "Presiding Arbitrator", "Co-Arbitrator",
        "Objector Nils Lund", "Objector Per Lund",
    }  # fmt: skip
    said = "\n".join(text for _, _, text in sent(found))
    for token in ("<<point 1>>", "<<notice ready>>", "<<to Owner's counsel>>", "<<item 1>>", "<<accepted: yes>>"):
        assert token in said
    assert found.of(e.Ended)[-1].outcome == "awarded"


def test_every_neutral_file_has_its_english_one() -> None:
    names = [home for home in neutral() if "/zh/" in home]
    assert [name for name in names if not (ROOT / name.replace("/zh/", "/en/")).is_file()] == []


def test_no_english_file_holds_a_chinese_character() -> None:
    folders = (ROOT / "prompts" / "en", ROOT / "documents" / "en")
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    files = [file for file in files if file.parent.name != "plant"]  # a grader is tempted in both languages
    files += [ROOT / "specs" / "smallclaims.yaml", ROOT / "personas" / "litigant.yaml"]
    files += (ROOT / "cases").glob("smallclaims-*.yaml")
    assert len(files) > 120
    assert [file.name for file in files if CJK.search(file.read_text("utf-8"))] == []
