"""Which tools are offered: in every shipped procedure each is called where it can do something, and where not."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from places import SPEC_FILES
from playing import ROOT, YAML, Game, play_anew, project
from playing import Way as PlayedWay

from legalworld.engine.tools import readable
from legalworld.model.equipment import Tool
from legalworld.model.events import Called, Drafted, Offer, Request, Violated
from legalworld.model.procedure import Procedure
from legalworld.models.tool_calls import offered as offered_to

Option = tuple[str, str]

WITH_TOOLS = tuple(
    spec
    for file in SPEC_FILES
    if "parts" not in file.parts
    and (spec := file.relative_to(ROOT / "specs").with_suffix("").as_posix())
    and (found := project(spec).procedure) is not None
    and found.tools
)
WAYS = [
    pytest.param(spec, option, id=f"{spec}-{option[0] or 'as it is'}-{option[1]}")
    for spec in WITH_TOOLS
    for procedure in [project(spec).procedure]
    for option in [
        ("", ""),
        *((name, value) for name in ("memory", "strategy") if name in procedure.options for value in ("no", "yes")),
    ]
]


ON_PAPERS = {"read document", "compare documents"}  # there may be none yet


OF_OTHER_CASES = {  # the judge writes down what is settled where there are civil claims
    spec: {("debate", "check_citations")} for spec in ("criminal", "criminal-appeal")
}


def tools_of(spec: str) -> Mapping[str, Tool]:
    procedure = project(spec).procedure
    assert procedure is not None
    return procedure.tools


def example(spec: str) -> str:
    told = YAML(typ="safe").load((ROOT / "specs" / f"{spec}.yaml").read_text(encoding="utf-8"))
    return str(told["example"]).removeprefix("cases/").removesuffix(".yaml")


def argued(offer: Offer, procedure: Procedure, request: Request) -> dict[str, Any]:
    """Arguments with which a call should succeed if any do."""
    tool, said = procedure.tools[offer.name], dict[str, Any]()
    papers = [*readable(procedure, request.view.knowledge), *procedure.documents]
    written = request.view.variables["step"]["document"]
    for one in tool.what.parameters:
        choices = offer.schema["properties"][one.name].get("enum")
        match tool.operation, one.name:
            case _, _ if choices:
                said[one.name] = choices[0]
            case "export document", "name":
                said[one.name] = written["name"] if written else papers[0]
            case "read document", "name":
                said[one.name] = papers[0]
            case "compare documents", "first" | "second":
                said[one.name] = papers[one.name == "second"]
            case _, "content":
                kind = next(person for person in procedure.roles.values() if person.id == request.role).kind
                field = procedure.memory[kind].fields[said["field"]]
                record = {key: field.choices.get(key, (f"{request.id}",))[0] for key in field.keys}
                said[one.name] = [record] if field.keys else "已记下。"
            case _:
                said[one.name] = "合同法"
    return said


@cache
def called_everywhere(spec: str, option: Option, last_first: bool = False) -> Game:
    """A procedure in which everybody calls each tool, in each stage once where it can do something and once where not.

    As many as there may be in a turn; `last_first`: those that stand last come first.
    """
    procedure = project(spec).procedure
    assert procedure is not None
    tried: Counter[tuple[str, str, str, bool]] = Counter()  # stage, person, tool, whether he was told that it serves
    calls: Counter[str] = Counter()

    def script(request: Request, text: str) -> str:
        turn, told = request.id.rpartition("/")[0], {tool["name"] for tool in request.view.variables["tools"]}
        keys = {one.name: (stage_of(request), request.person, one.name, one.name in told) for one in request.tools}
        left = [one for one in request.tools[:: -1 if last_first else 1] if not tried[keys[one.name]]]
        if not left or request.last_try or request.halts or calls[turn] >= procedure.tool_calls - 3:
            return text  # three are left to the offline actors
        offer = max(left, key=lambda one: one.name in told)
        tried[keys[offer.name]] += 1
        calls[turn] += 1
        call = {"name": offer.name, "arguments": argued(offer, procedure, request)}
        return f"<tool_call>{json.dumps(call, ensure_ascii=False)}</tool_call>"

    return play_anew(way(spec, option), script)


def way(spec: str, option: Option) -> PlayedWay:
    procedure = project(spec).procedure
    assert procedure is not None
    target = procedure.targets[0] if procedure.targets else ""
    options = (option,) if option[0] else ()
    return PlayedWay(example(spec), target, (), options, "plain", spec, (), frozenset(procedure.roles))


def stage_of(happened: Request | Called | Drafted) -> str:
    return (happened.id if isinstance(happened, Request) else happened.place).partition("/")[0]


@pytest.mark.parametrize(("spec", "option"), WAYS)
def test_whatever_is_offered_in_a_stage_can_be_done_in_it(spec: str, option: Option) -> None:
    games = [called_everywhere(spec, option, last_first) for last_first in (False, True)]
    assert {game.status for game in games} == {"ended"}
    offered = {(stage_of(one), one.person, tool.name) for one in games[0].requests for tool in one.tools}
    done = {(stage_of(one), one.person, one.tool) for game in games for one in game.of(Called) if not one.refused}
    assert done <= offered
    assert {one for one in offered - done if not cannot_come(spec, games[0], stage=one[0], tool=one[2])} == set()


def cannot_come(spec: str, game: Game, *, stage: str, tool: str) -> bool:
    """Whether the way in which this case is played does without what a tool is for in a stage."""
    operation = tools_of(spec)[tool].operation
    if operation in ("revise memory", "expand memory"):  # nobody is asked for notes once the case is over
        return stage == stage_of(game.requests[-1])
    if operation == "read document":  # what is written in the first stage of all stands there when it is over
        return stage == stage_of(game.of(Drafted)[0])
    return (stage, tool) in OF_OTHER_CASES.get(spec, ())


@pytest.mark.parametrize(("spec", "option"), WAYS)
def test_a_call_at_a_step_where_it_can_do_nothing_is_answered_and_no_fault(spec: str, option: Option) -> None:
    game = called_everywhere(spec, option)
    refused = [one for one in game.of(Called) if one.refused]
    assert {one.refused for one in refused} <= {"not_now", "failed"}
    assert {tools_of(spec)[one.tool].operation for one in refused if one.refused == "failed"} <= ON_PAPERS
    assert all(one.result.strip() and not one.result.lstrip().startswith("{") for one in refused)
    faults = [(one.place, one.person, one.rule) for one in game.of(Violated) if one.rule != "export_differs"]
    assert faults == [(one.place, one.person, one.rule) for one in play_anew(way(spec, option)).of(Violated)]


@pytest.mark.parametrize(("spec", "option"), WAYS)
def test_what_a_role_is_offered_is_the_same_to_the_letter_all_through_a_stage(spec: str, option: Option) -> None:
    """Or a provider that keeps what requests begin with would read everything anew: tools stand before all messages."""
    sent: dict[tuple[str, str], set[str]] = defaultdict(set)
    for request in called_everywhere(spec, option).requests:
        sent[(request.role, stage_of(request))].add(json.dumps([*map(offered_to, request.tools)], ensure_ascii=False))
    assert {len(one) for one in sent.values()} == {1}
    assert any(len(one) > 2 for tools in sent.values() for one in tools)


@pytest.mark.parametrize("spec", WITH_TOOLS)
def test_nothing_of_a_memory_is_offered_to_who_keeps_none(spec: str) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    remembering = {name for name, tool in procedure.tools.items() if tool.operation.endswith("memory")}
    asked = [name for name in ("memory", "strategy") if name in procedure.options]
    if not asked:
        assert not remembering
        return
    for value in ("no", "yes"):
        played = replace(way(spec, ("", "")), options=tuple((name, value) for name in asked))
        offered = {one.name for request in play_anew(played).requests for one in request.tools}
        assert bool(remembering & offered) == (value == "yes")


def test_a_tool_for_documents_is_offered_to_who_writes_one_in_the_stage() -> None:
    """And to nobody else: not to counsel in court, who may speak of documents and write none."""
    requests = play_anew(way("civil", ("", ""))).requests
    writing = {(stage_of(one), one.person) for one in requests if one.view.variables["step"]["document"]}
    offered = {(stage_of(one), one.person) for one in requests for tool in one.tools if tool.name == "export_document"}
    assert offered
    assert offered <= writing
