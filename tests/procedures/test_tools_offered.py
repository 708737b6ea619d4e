"""What a call is offered can succeed: in every shipped procedure each tool is called wherever it is offered."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from playing import ROOT, YAML, Game, play_anew, project
from playing import Way as PlayedWay

from legalworld.engine.tools import readable
from legalworld.model.equipment import OPERATIONS
from legalworld.model.events import Called, Offer, Request
from legalworld.model.procedure import Procedure

WITH_TOOLS = tuple(
    spec
    for file in sorted((ROOT / "specs").rglob("*.yaml"))
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


def example(spec: str) -> str:
    told = YAML(typ="safe").load((ROOT / "specs" / f"{spec}.yaml").read_text(encoding="utf-8"))
    return str(told["example"]).removeprefix("cases/").removesuffix(".yaml")


def argued(offer: Offer, procedure: Procedure, request: Request) -> dict[str, Any]:
    """Arguments with which a call should succeed if any do."""
    tool, said = procedure.tools[offer.name], dict[str, Any]()
    papers = [*readable(procedure, request.view.knowledge), "", ""]
    for one in OPERATIONS[tool.operation].parameters:
        choices = offer.schema["properties"][one.name].get("enum")
        match tool.operation, one.name:
            case _, _ if choices:
                said[one.name] = choices[0]
            case "export document", "name":
                said[one.name] = request.view.variables["step"]["document"]["name"]
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


def called_everywhere(spec: str, *options: tuple[str, str]) -> tuple[Game, Counter[str]]:
    procedure = project(spec).procedure
    assert procedure is not None
    tried: Counter[tuple[str, ...]] = Counter()

    def script(request: Request, text: str) -> str:
        """Wherever somebody is offered a tool that he has not called at this step, he calls it."""
        left = [one for one in request.tools if not tried[(request.person, request.id.rpartition("/")[0], one.name)]]
        if not left or request.last_try or request.halts:
            return text
        for one in left[:1]:
            tried[(request.person, request.id.rpartition("/")[0], one.name)] += 1
        told = {"name": left[0].name, "arguments": argued(left[0], procedure, request)}
        return f"<tool_call>{json.dumps(told, ensure_ascii=False)}</tool_call>"

    targets = procedure.targets
    way = PlayedWay(
        example(spec), targets[0] if targets else "", (), options, "plain", spec, (), frozenset(procedure.roles)
    )
    game = play_anew(way, script)
    return game, Counter(one.name for request in game.requests for one in request.tools)


@pytest.mark.parametrize(("spec", "option"), WAYS)
def test_whatever_is_offered_can_be_done(spec: str, option: tuple[str, str]) -> None:
    game, offered = called_everywhere(spec, *([option] if option[0] else []))
    assert game.status == "ended"
    refused = [(one.place, one.person, one.tool, one.refused, one.result) for one in game.of(Called) if one.refused]
    assert refused == []
    assert {one.tool for one in game.of(Called)} == set(offered)


@pytest.mark.parametrize("spec", WITH_TOOLS)
def test_nothing_of_a_memory_is_offered_to_who_keeps_none(spec: str) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    remembering = {name for name, tool in procedure.tools.items() if tool.operation.endswith("memory")}
    asked = [name for name in ("memory", "strategy") if name in procedure.options]
    if not asked:
        assert not remembering
        return
    none, some = (called_everywhere(spec, *((name, value) for name in asked)) for value in ("no", "yes"))
    assert not remembering & set(none[1])
    assert remembering & set(some[1])


def test_a_tool_for_documents_is_offered_to_who_writes_one() -> None:
    """And to nobody else: not to counsel who speak in court."""
    game, _ = called_everywhere("civil")
    for request in game.requests:
        writes = bool(request.view.variables["step"]["document"])
        assert ("export_document" in {one.name for one in request.tools}) <= writes
    assert any("export_document" in {one.name for one in request.tools} for request in game.requests)
