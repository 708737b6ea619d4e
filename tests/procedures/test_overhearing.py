"""Nobody is sent words that he did not hear, for every procedure, shipped or in tests: events and votes included.

Each reply carries the number of its turn. Wherever that number turns up again, its reader must have said it, have heard
it as the journal says, or be granted by the matrix a document, an answer or minutes that hold it.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from places import ROOT, TOP_SPECS
from voted import vote_titled

from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.model import events as e
from legalworld.model.attendance import ReadOut
from legalworld.model.procedure import Procedure
from legalworld.model.votes import Voted
from legalworld.models.scripted import Offline
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.norm_bench import norm_bench
from legalworld.runs.plan import chosen_options
from legalworld.runs.project import Project, open_project

HERE = Path(__file__).parent
MARK = re.compile(r"CANARY\[([^\[\]]+)\]")
SHIPPED = [(ROOT, file.stem, "") for file in TOP_SPECS]
TESTS = [
    *((HERE / "families", file.stem, "") for file in sorted((HERE / "families" / "specs").glob("*.yaml"))),
    (HERE / "arbitration", "labour", ""),
    (HERE / "english", "tribunal", ""),
    (HERE / "events", "十一件事", "case.yaml"),
    (HERE / "events", "loan", "loan-case.yaml"),
]
IN_HAND = ("object", "rule", "review", "revise")  # a draft is before them that nobody has heard


@dataclass
class Ears:
    """Who has come by which marker, as the events of a run say."""

    procedure: Procedure
    heard: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    in_open: set[str] = field(default_factory=set)
    held: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # document or answer -> markers in it
    votes: dict[str, Voted] = field(default_factory=dict)

    def take(self, event: e.Event) -> None:
        match event:
            case e.Spoke():
                for mark in MARK.findall(event.text):
                    self.heard[mark] |= {*event.heard_by, event.person}
                    self.in_open |= set() if event.confined else {mark}
            case ReadOut():
                for mark in MARK.findall(event.model_dump_json()):
                    self.heard[mark] |= {*event.heard_by}
            case e.Drafted():
                self.held[event.document] |= set(MARK.findall(event.text))
            case e.Captured():
                self.held[event.name] |= set(MARK.findall(str(event.value)))
            case Voted():
                self.votes[event.title] = event
            case _:
                return

    def may_know(self, request: e.Request, mark: str) -> bool:
        said_by = mark.rsplit("/", 2)[-2]
        if request.person in (said_by, *self.heard[mark]) or request.act in IN_HAND:
            return True
        stage, kind = request.id.split("/")[0], self.procedure.roles[request.role].kind
        granted = {grant.what for grant in self.procedure.grants if (grant.stage, grant.kind) == (stage, kind)}
        minutes = any(grant.whose == "minutes" for grant in self.procedure.grants if grant.kind == kind)
        return any(mark in self.held[what] for what in granted) or (minutes and mark in self.in_open)


def marked(request: e.Request, text: str) -> str:
    """The reply with a marker behind the token that it may begin with; one that only passes stays as it is."""
    closing = {"<": ">>", "【": "】"}.get(text[:1], "")
    token, bracket, rest = text.partition(closing) if closing else ("", "", text)
    return f"{token}{bracket} CANARY[{request.id}] {rest}" if rest.strip() else text


@pytest.mark.parametrize(("folder", "spec", "case"), [*SHIPPED, *TESTS], ids=lambda one: str(one).rpartition("/")[2])
def test_nobody_is_sent_what_he_did_not_hear(folder: Path, spec: str, case: str) -> None:
    project = open_project(spec, folder)
    assert isinstance(project, Project) and project.procedure is not None, project
    opened = open_case(project, case or project.procedure.example, "", {}, folder)
    assert isinstance(opened, OpenedCase), opened
    procedure = project.procedure
    chosen, _ = chosen_options(procedure, {})
    decide = norm_bench(procedure, opened.case, project.templates)
    actors, ears, overheard, met = Offline(project.templates, 0, decide=decide), Ears(procedure), [], set()

    async def answer(request: e.Request) -> e.Reply:
        sent = "".join(message.content for message in request.added)
        for mark in MARK.findall(sent):
            met.add(mark)
            if not ears.may_know(request, mark):
                overheard.append((request.id, mark))
        heard = [one["vote"] for one in request.view.variables["heard"] if one["vote"]]
        for vote in (*request.view.knowledge.votes, *heard):
            event = vote_titled(ears.votes, vote["title"])
            assert event.reveals == "names" or not vote["votes"]
            assert event.reveals != "nothing" or not vote["counts"]
        reply = actors.answer(request)
        return reply.model_copy(update={"text": marked(request, reply.text)})

    def see(event: e.Event | e.Request) -> None:
        if not isinstance(event, e.Request):
            ears.take(event)

    target = procedure.targets[0] if procedure.targets else ""
    playing = interpret(procedure, opened.case, Settings(target, 0, chosen), project.templates)
    assert asyncio.run(play_through(playing, ReplayLog(), answer, see, halting=False)).status == "ended"
    assert overheard == []
    assert met != set()
