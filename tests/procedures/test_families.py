"""Foreign families of procedure as specs alone: a trial by jury, a collegial panel, an international arbitration.

Besides, a German civil action that has no wording of its own and is played with the neutral one.

`families/` is a project of its own; `families/variants.yaml` names the branches, `families/transcripts/` how they read.
In `closed.yaml` it stands, written by hand, who may know of what is said and voted behind closed doors.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from goldens import compare
from playing import Game
from ruamel.yaml import YAML
from test_smallclaims import CJK
from voted import vote_titled

from legalworld.engine.casting import cast
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.model import events as e
from legalworld.model.votes import Voted
from legalworld.models.scripted import Offline
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.coverage import coverage
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.plan import chosen_options
from legalworld.runs.project import Project, open_project
from legalworld.runs.read_parts import part_reader
from legalworld.runs.transcript import Present, documents, transcript

FOLDER = Path(__file__).parent / "families"


def read(name: str) -> Any:
    return YAML(typ="safe").load((FOLDER / name).read_text("utf-8"))


VARIANTS: dict[str, dict[str, Any]] = read("variants.yaml")
CLOSED: dict[str, dict[str, list[str]]] = read("closed.yaml")
SPECS = tuple(dict.fromkeys(one["spec"] for one in VARIANTS.values()))
MARK = re.compile(r"CANARY\[([^\[\]]+)\]")


@cache
def project(spec: str) -> Project:
    opened = open_project(spec, FOLDER)
    assert isinstance(opened, Project) and opened.procedure is not None, opened
    return opened


def changed(data: Any, variant: dict[str, Any]) -> Any:
    """The case of a variant: a value put at each path; `nobody`: these keys of everybody are emptied."""
    for path, value in variant.get("change", {}).items():
        *above, last = path.split(".")
        at = data
        for word in above:
            at = at[int(word) if word.isdigit() else word]
        at[int(last) if last.isdigit() else last] = value
    jury = [*data.get("jurors", data.get("陪审员", [])), data.get("foreperson", data.get("团长"))]
    for person in jury if "nobody" in variant else []:
        person |= {key: [] for key in variant["nobody"]["keys"]}
    return data


Change = Callable[[Any], Any]


def play(name: str, folder: Path, marking: bool = False, change: Change = lambda data: data) -> tuple[Game, OpenedCase]:
    """A variant played by the offline actors; `marking`: each reply carries the number of its turn."""
    variant, opened = VARIANTS[name], project(VARIANTS[name]["spec"])
    procedure = opened.procedure
    assert procedure is not None
    file = folder / "case.json"
    data = change(changed(read(f"cases/{variant['case']}.yaml"), variant))
    file.write_text(json.dumps(data, ensure_ascii=False, default=str), "utf-8")
    case = open_case(opened, str(file), "", {}, FOLDER)
    assert isinstance(case, OpenedCase) and case.problems == (), case
    options, problems = chosen_options(procedure, variant.get("options", {}))
    assert not problems
    found, actors = Game(), Offline(opened.templates, 0, given=case.answers.answers)

    async def answer(request: e.Request) -> e.Reply:
        reply = actors.answer(request)
        text = marked(request, reply.text) if marking else reply.text
        found.requests.append(request)
        found.replies.append(text)
        return reply.model_copy(update={"text": text})

    def see(event: e.Event | e.Request) -> None:
        if not isinstance(event, e.Request):
            found.events.append(event)

    playing = interpret(
        procedure,
        case.case,
        Settings("", 0, options),
        opened.templates,
        reader=part_reader(procedure, case.case),
    )
    found.status = asyncio.run(play_through(playing, ReplayLog(), answer, see, halting=False)).status
    return found, case


def marked(request: e.Request, text: str) -> str:
    """The reply with a marker behind the token that it may begin with; one that only passes stays as it is."""
    closing = {"<": ">>", "【": "】"}.get(text[:1], "")
    token, bracket, rest = text.partition(closing) if closing else ("", "", text)
    return f"{token}{bracket} CANARY[said.{request.id}] {rest}" if rest.strip() else text


@lru_cache(maxsize=1)
def played(name: str) -> tuple[Game, OpenedCase]:
    """A variant as it is, for all tests that look at it."""
    with TemporaryDirectory() as folder:
        return play(name, Path(folder))


each_variant = pytest.mark.parametrize("name", VARIANTS, scope="module")  # all tests of one, then those of the next


# ---- what happens ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spec", SPECS)
def test_it_is_checked_without_a_remark(spec: str) -> None:
    """The scripted judges of a panel and a jury rule by words of what was said, which no field holds: it is told."""
    told = {"LW952"} if spec.startswith(("panel", "jury")) else set()
    assert {one.code for one in project(spec).problems} == told


@each_variant
def test_every_branch_reads_as_it_should(name: str) -> None:
    found, case = played(name)
    procedure = project(VARIANTS[name]["spec"]).procedure
    assert procedure is not None
    assert [one.outcome for one in found.of(e.Ended)] == [VARIANTS[name]["outcome"]]
    assert found.of(e.Violated) == []
    people = [Present(p.id, procedure.roles[p.role].title, p.name) for p in cast(procedure, case.case)]
    written = transcript(procedure, case.case, people, {"all": "offline"}, found.events)
    papers = documents(procedure, found.events)
    written += "".join(f"\n<!-- {file} -->\n\n{text}" for file, text in papers.items())
    compare(FOLDER / "transcripts" / f"{name}.md", written)
    sent = "\n".join(message.content for request in found.requests for message in request.added)
    if procedure.locale == "en":
        assert [text for text in (written, sent) if CJK.search(text)] == []


# ---- who may know of it ----------------------------------------------------------------------------------------------
def known_to(found: Game) -> Iterator[tuple[str, str, str]]:
    """(person, place, marker) of all markers in what everybody was sent and could read."""
    for request in found.requests:
        texts = [message.content for message in request.added]
        texts += [str(request.view.variables[name]) for name in ("own", "other", "known", "minutes", "heard", "step")]
        for mark in {mark for text in texts for mark in MARK.findall(text)}:
            yield request.role, request.id, mark


def insiders(spec: str, mark: str) -> list[str] | None:
    """The roles that may know of a marker; None where it was said in the open."""
    rules = CLOSED[spec]
    return next((roles for place, roles in rules.items() if re.search(place, mark)), None)


@pytest.mark.parametrize("name", VARIANTS)
def test_nobody_hears_what_is_said_behind_closed_doors(name: str, tmp_path: Path) -> None:
    """Words of sidebars, deliberations and recesses, secret votes, and what only somebody's own file holds."""
    spec = VARIANTS[name]["spec"]
    found, _ = play(name, tmp_path, marking=True, change=hidden)
    leaks = [
        (role, place, mark)
        for role, place, mark in known_to(found)
        if (roles := insiders(spec, mark)) is not None and role not in roles
    ]
    assert leaks == []
    assert not any("CANARY[truth" in event.model_dump_json() for event in found.events)


@pytest.mark.parametrize("name", ["jury_hangs", "jury_zh_hangs", "arbitration_award", "arbitration_zh_award"])
def test_it_would_be_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the lines that close the doors there are leaks; with them, those inside do hear each other."""
    spec = VARIANTS[name]["spec"]
    found, _ = play(name, tmp_path, marking=True, change=hidden)
    assert {mark for _, _, mark in known_to(found) if insiders(spec, mark)} != set()
    shutil.copytree(FOLDER, tmp_path / "open")
    file = tmp_path / "open" / "specs" / f"{spec}.yaml"
    file.write_text(
        re.sub(r" +(heard by|present|听取人|在场): (?!secretariat|秘书处).*\n", "", file.read_text("utf-8")), "utf-8"
    )
    unsealed = open_project(spec, tmp_path / "open")
    assert isinstance(unsealed, Project) and unsealed.procedure is not None, unsealed
    monkeypatch.setitem(globals(), "project", lambda _: unsealed)
    found, _ = play(name, tmp_path, marking=True, change=hidden)
    assert [mark for role, _, mark in known_to(found) if role not in (insiders(spec, mark) or [role])]


def hidden(data: Any) -> Any:
    """A case with markers in what is sealed or hidden from most."""
    data["真相" if "真相" in data else "truth"] = {"secret": "CANARY[truth]"}
    for name in ("floor", "limit", "offer", "reserve", "proffer", "底线", "底价", "边商"):
        for side, value in data.get(name, {}).items():
            text = f"CANARY[{name}.{side}]"
            data[name][side] = {**value, "text": f"{value['text']} {text}"} if isinstance(value, dict) else text
    for name in {"excluded", "已排除"} & set(data):
        data[name] += f" CANARY[{name}]"
    return data


@pytest.mark.parametrize(
    "name",
    ["jury_convicts", "panel_tie", "arbitration_award", "jury_zh_convicts", "panel_zh_tie", "arbitration_zh_award"],
)
def test_who_votes_has_heard_the_hearing(name: str, tmp_path: Path) -> None:
    """The last words before the doors are closed are in what every voter was sent before he voted."""
    found, _ = play(name, tmp_path, marking=True)
    closing = next(one for one in found.requests if one.act == "state" and ("close" in one.id or "closing" in one.id))
    voted = [
        one for one in found.requests if one.act == "vote" and found.requests.index(one) > found.requests.index(closing)
    ]
    assert voted and all(f"said.{closing.id}]" in "".join(m.content for m in one.messages) for one in voted)


@each_variant
def test_a_vote_shows_no_more_than_it_reveals(name: str) -> None:
    found, _ = played(name)
    kept = {one.title: one for one in found.of(Voted)}
    assert kept or VARIANTS[name]["outcome"] in ("guilty_plea", "mistrial", "default")
    for request in found.requests:
        heard = (h["vote"] for h in request.view.variables["heard"] if h["vote"])
        for vote in (*request.view.knowledge.votes, *heard):
            one = vote_titled(kept, vote["title"])
            assert one.reveals == "names" or not vote["votes"]
            assert one.reveals != "nothing" or not vote["counts"]


@pytest.mark.parametrize("spec", ["commune", "commune-zh", "island", "island-zh"])
def test_the_variants_come_to_every_branch(spec: str) -> None:
    """Of the families that were written for one construct each, whatever can happen does in one of the variants, but
    for what offline actors never do: talk until the turns are used up, vote for nothing, stay away from a step."""
    procedure = project(spec).procedure
    assert procedure is not None
    runs = [played(name)[0].events for name, one in VARIANTS.items() if one["spec"] == spec]
    never = ("closed by budget", "undecided", "absent")
    missed = [(branch.place, branch.kind) for branch in coverage(procedure, runs).missed]
    assert [one for one in missed if one[1] not in never] == []
