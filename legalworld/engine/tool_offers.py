"""Which tools somebody is offered: those of which a call can succeed then, with the arguments that it may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.case import Person
from ..model.equipment import OPERATIONS, Memory, MemoryField, Parameter, Tool
from ..model.events import Offer
from ..model.immutable import immutable
from ..model.procedure import Document, Procedure
from .tools import ToolSession, readable
from .view import Knowledge


def usable(tool: Tool, session: ToolSession, kept: Memory | None) -> bool:
    """Whether a tool can ever do something for a person: there is a skill to open, or a field of memory to write in."""
    if tool.operation == "load skill":
        return bool(session.skills)
    if OPERATIONS[tool.operation].parameters[0].name == "field":
        return kept is not None and any(_takes(one, tool.operation) for one in kept.fields.values())
    return True


@immutable
class Moment:
    """What somebody is doing when he may call: as what he speaks, which document he writes, what he sees."""

    act: str
    document: Document | None
    knowledge: Knowledge


def serves(tool: Tool, procedure: Procedure, session: ToolSession, moment: Moment) -> bool:
    """Whether a call of a tool can succeed now: only then is it offered."""
    if tool.acts and moment.act not in tool.acts:
        return False
    if session.made >= procedure.tool_calls or session.used[tool.name] >= tool.limit:
        return False
    match tool.operation:
        case "export document":
            return moment.document is not None
        case "read document":
            return bool(readable(procedure, moment.knowledge))
        case "compare documents":
            return len(readable(procedure, moment.knowledge)) > 1
        case _:
            return True


def described(procedure: Procedure, session: ToolSession, person: Person) -> tuple[Mapping[str, Any], ...]:
    """The tools as templates read them."""
    return tuple(
        {
            "name": tool.name,
            "title": tool.title,
            "does": tool.does,
            "limit": tool.limit,
            "acts": tool.acts,
            "parameters": tuple(
                {
                    "name": one.name,
                    "says": tool.says.get(one.name, one.name),
                    "required": one.required,
                    "choices": _choices(tool, one, procedure, session, person),
                }
                for one in OPERATIONS[tool.operation].parameters
            ),
        }
        for tool in session.tools
    )


def offers(procedure: Procedure, session: ToolSession, person: Person, says: Mapping[str, str]) -> tuple[Offer, ...]:
    """Those tools that `says` names (tool -> what it does) as models with native tool calling are offered them."""
    offered = []
    for tool in session.tools:
        if tool.name not in says:
            continue
        parameters = OPERATIONS[tool.operation].parameters
        properties: dict[str, Any] = {}
        for one in parameters:
            told = tool.says.get(one.name, one.name)
            said: dict[str, Any] = {"type": "string", **({"description": told} if told != one.name else {})}
            if one.form == "items":
                said["type"] = ["string", "array"]
                said["items"] = {"type": "object"}
            if choices := _choices(tool, one, procedure, session, person):
                said["enum"] = list(choices)
            properties[one.name] = said
        schema = {
            "type": "object",
            "properties": properties,
            "required": [one.name for one in parameters if one.required],
        }  # not "additionalProperties": sent with each tool of each call; what is not a parameter is refused anyway
        offered.append(Offer(tool.name, says[tool.name], schema))
    return tuple(offered)


def _choices(tool: Tool, one: Parameter, procedure: Procedure, session: ToolSession, person: Person) -> tuple[str, ...]:
    """The only values that an argument may have; empty where any will do."""
    if tool.operation == "load skill":
        return tuple(card.name for card in session.skills)
    if one.name == "field":
        kept = procedure.memory.get(person.kind)
        fields = kept.fields if kept is not None else {}
        return tuple(name for name, field in fields.items() if _takes(field, tool.operation))
    return ()


def _takes(field: MemoryField, operation: str) -> bool:
    """Whether an operation on memory can do anything with a field: what would be refused is not offered."""
    return {"revise memory": field.revise, "expand memory": field.expand}.get(operation, True)
