"""Tool calls of one turn to speak: what a reply calls, whether it may, and what comes of it.

Nothing that a reply holds is trusted. A call that may not be made is refused in words that the caller reads; refused
calls count too, so that a turn has at most `Procedure.tool_calls` of them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ..model.case import MISSING, Person
from ..model.equipment import OPERATIONS, MemoryField, Parameter, Skill, Tool
from ..model.events import Call, Called, Errand, Message, Offer, Remembered, Reply, Request, Turn
from ..model.procedure import Procedure
from . import conduct, memory
from .view import Knowledge, View

if TYPE_CHECKING:
    from .turn import TurnSpec
    from .turn_runner import Floor

MOST_CALLS = 64  # of one reply that are answered; more are cut off
MOST_ROUNDS = 2  # replies that call once more after all calls were refused as too many
SHOWN = 2_000  # characters of a call's arguments that are recorded
_BLOCK = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)

Why = Literal["unknown", "not_yours", "not_here", "not_now", "malformed", "too_many", "failed"]


@dataclass(frozen=True, slots=True)
class CallRefusal:
    """Why a call is not made. `detail`: the argument, document or field at fault; `known`: what there is instead."""

    reason: Why
    detail: str = ""
    known: tuple[str, ...] = ()
    limit: int = 0


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a caller is told. `id` is that of a native call."""

    id: str
    tool: str
    ok: bool
    text: str


@dataclass(slots=True)
class ToolSession:
    """What one person may call in one turn, and what he has called."""

    tools: tuple[Tool, ...]
    skills: tuple[Skill, ...]
    made: int = 0
    used: Counter[str] = field(default_factory=Counter)
    results: tuple[ToolResult, ...] = ()
    loaded: dict[str, int] = field(default_factory=dict)
    exported: dict[str, str] = field(default_factory=dict)
    in_vain: int = 0


def chosen(who: tuple[str, ...], stages: tuple[str, ...], person: Person, stage: str) -> bool:
    """Whether selectors take in a person in a stage; empty ones take in everybody."""
    mine = not who or person.kind in who or person.role in who
    return mine and (not stages or stage in stages)


def bench_of(procedure: Procedure, person: Person, stage: str) -> ToolSession:
    """What a person has to work with in a stage."""
    tools = tuple(tool for tool in procedure.tools.values() if chosen(tool.who, tool.stages, person, stage))
    skills = tuple(card for card in procedure.skills.values() if chosen(card.who, card.stages, person, stage))
    return ToolSession(tools, skills)


# ---- how tools are offered -------------------------------------------------------------------------------------------


def described(procedure: Procedure, bench: ToolSession, person: Person) -> tuple[Mapping[str, Any], ...]:
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
                    "choices": _choices(tool, one, procedure, bench, person),
                }
                for one in OPERATIONS[tool.operation].parameters
            ),
        }
        for tool in bench.tools
    )


def offers(procedure: Procedure, bench: ToolSession, person: Person) -> tuple[Offer, ...]:
    """The tools as models with native tool calling are offered them."""
    found = []
    for tool in bench.tools:
        parameters = OPERATIONS[tool.operation].parameters
        properties: dict[str, Any] = {}
        for one in parameters:
            said: dict[str, Any] = {"type": "string", "description": tool.says.get(one.name, one.name)}
            if one.form == "items":
                said["type"] = ["string", "array"]
                said["items"] = {"type": "object"}
            if choices := _choices(tool, one, procedure, bench, person):
                said["enum"] = list(choices)
            properties[one.name] = said
        schema = {
            "type": "object",
            "properties": properties,
            "required": [one.name for one in parameters if one.required],
            "additionalProperties": False,
        }
        found.append(Offer(tool.name, tool.does, schema))
    return tuple(found)


def _choices(tool: Tool, one: Parameter, procedure: Procedure, bench: ToolSession, person: Person) -> tuple[str, ...]:
    """The only values that an argument may have; empty where any will do."""
    if tool.operation == "load skill":
        return tuple(card.name for card in bench.skills)
    if one.name == "field":
        kept = procedure.memory.get(person.kind)
        fields = kept.fields if kept is not None else {}
        return tuple(name for name, field in fields.items() if _takes(field, tool.operation))
    return ()


def _takes(field: MemoryField, operation: str) -> bool:
    """Whether an operation on memory can do anything with a field: what would be refused is not offered."""
    return {"revise memory": field.revise, "expand memory": field.expand}.get(operation, True)


# ---- what a reply calls ----------------------------------------------------------------------------------------------


def calls_of(reply: Reply) -> tuple[tuple[Call, ...], str]:
    """The calls of a reply, native ones first, and the words without them."""
    found = [*reply.calls, *(_written(block[1]) for block in _BLOCK.finditer(reply.text))]
    return tuple(found[:MOST_CALLS]), _BLOCK.sub("", reply.text).strip()


def _written(block: str) -> Call:
    """A call as the text protocol writes it: a JSON object with name and arguments; anything else is malformed."""
    value = _json(block.strip().strip("`").removeprefix("json").strip())
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return Call(name="", arguments=block.strip())
    arguments = value.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return Call(name=value["name"], arguments=text)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _arguments(call: Call, tool: Tool) -> Mapping[str, Any] | CallRefusal:
    """The arguments by the operation's parameters."""
    value = _json(call.arguments) if call.arguments.strip() else {}
    if not isinstance(value, dict):
        return CallRefusal("malformed", "JSON")
    parameters = {one.name: one for one in OPERATIONS[tool.operation].parameters}
    for name in value:
        if name not in parameters:
            return CallRefusal("malformed", str(name)[:40], tuple(parameters))
    found: dict[str, Any] = {}
    for name, one in parameters.items():
        given = value.get(name)
        if isinstance(given, bool | int | float):
            given = str(given)
        if given in (None, "") and not one.required:
            continue
        fits = isinstance(given, str) or (one.form == "items" and isinstance(given, list | dict))
        if not fits or not given:
            return CallRefusal("malformed", name, tuple(parameters))
        if len(given if isinstance(given, str) else json.dumps(given)) > one.longest:
            return CallRefusal("malformed", name, limit=one.longest)
        found[name] = given
    return found


def _allowed(call: Call, bench: ToolSession, floor: Floor, person: Person, act: str) -> Tool | CallRefusal:
    """The tool that a call means, when the caller may use it here and now."""
    procedure = floor.procedure
    mine = tuple(tool.name for tool in bench.tools if not tool.acts or act in tool.acts)
    bench.made += 1
    if bench.made > procedure.tool_calls:
        return CallRefusal("too_many", limit=procedure.tool_calls)
    if not call.name:
        return CallRefusal("malformed", "JSON")
    tool = procedure.tools.get(call.name)
    if tool is None:
        return CallRefusal("unknown", call.name[:40], mine)
    if tool not in bench.tools:
        here = chosen(tool.who, (), person, "")
        return CallRefusal("not_here" if here else "not_yours", tool.title, mine)
    if tool.acts and act not in tool.acts:
        return CallRefusal("not_now", tool.title, mine)
    if bench.used[tool.name] >= tool.limit:
        return CallRefusal("too_many", tool.title, limit=tool.limit)
    bench.used[tool.name] += 1
    return tool


# ---- what comes of it ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, in which turn, seeing what."""

    person: Person
    cue: TurnSpec
    request: Request
    view: View
    bench: ToolSession


def serve(floor: Floor, caller: Caller, calls: Sequence[Call]) -> Generator[Turn, tuple[Reply, ...], bool]:
    """Answer the calls of one reply in order; each is told. True when none was refused."""
    caller.bench.results = ()
    refused = 0
    for call in calls:
        tool = _allowed(call, caller.bench, floor, caller.person, caller.cue.act)
        outcome: str | CallRefusal
        if isinstance(tool, CallRefusal):
            outcome = tool
        else:
            arguments = _arguments(call, tool)
            outcome = arguments if isinstance(arguments, CallRefusal) else ""
            if not isinstance(arguments, CallRefusal):
                outcome = yield from _done(floor, caller, tool, arguments)
        refused += _told(floor, caller, call, outcome)
    if caller.bench.made > floor.procedure.tool_calls:
        caller.bench.in_vain += 1
    return not refused


def _told(floor: Floor, caller: Caller, call: Call, outcome: str | CallRefusal) -> bool:
    """What came of a call, recorded and kept for the caller. True when it was refused."""
    refused = outcome if isinstance(outcome, CallRefusal) else None
    text = _refusal(floor, caller, call, refused) if refused is not None else str(outcome)
    caller.bench.results += (ToolResult(call.id, call.name, refused is None, text),)
    floor.tell(
        Called(
            request=caller.request.id,
            place=floor.state.place,
            person=caller.person.id,
            tool=call.name[:80],
            arguments=call.arguments[:SHOWN],
            refused=refused.reason if refused is not None else "",
            result=text,
        )
    )
    return refused is not None


def _refusal(floor: Floor, caller: Caller, call: Call, refused: CallRefusal) -> str:
    """A refusal in the words of the procedure's own template."""
    variables = {
        **caller.view.variables,
        "refusal": {
            "reason": refused.reason,
            "tool": call.name[:80],
            "detail": refused.detail,
            "known": refused.known,
            "limit": refused.limit,
        },
    }
    part = floor.prompter.part(("refused",), variables)
    return part[1] if part is not None else json.dumps({"refused": refused.reason, "detail": refused.detail})


def _done(
    floor: Floor, caller: Caller, tool: Tool, arguments: Mapping[str, Any]
) -> Generator[Turn, tuple[Reply, ...], str | CallRefusal]:
    """The result of an operation."""
    operation = OPERATIONS[tool.operation]
    if operation.outside:
        return (yield from _errand(floor, caller, tool, arguments))
    match tool.operation:
        case "load skill":
            return _skill(floor, caller, arguments["name"])
        case "read document":
            found = _documents(floor.procedure, caller.view.knowledge, arguments["name"])
            known = _readable(floor.procedure, caller.view.knowledge)
            return "\n\n".join(found) if found else CallRefusal("failed", arguments["name"][:80], known)
        case "export document":
            return _export(floor, caller, arguments)
        case _:
            return _memory(floor, caller, tool, arguments)


def _errand(
    floor: Floor, caller: Caller, tool: Tool, arguments: Mapping[str, Any]
) -> Generator[Turn, tuple[Reply, ...], str | CallRefusal]:
    """An operation that a driver carries out; documents named in it are given as text."""
    given = dict(arguments)
    if tool.operation == "compare documents":
        for name, word in arguments.items():
            found = _documents(floor.procedure, caller.view.knowledge, word)
            if not found:
                return CallRefusal("failed", word[:80], _readable(floor.procedure, caller.view.knowledge))
            given[name] = "\n\n".join(found)
    errand = Errand(f"{caller.request.id}/{caller.bench.made}", caller.person.id, tool.operation, given, floor.case.id)
    (reply,) = yield Turn(floor.flush(), (errand,))
    return reply.text


def _skill(floor: Floor, caller: Caller, name: str) -> str | CallRefusal:
    card = next((card for card in caller.bench.skills if name in (card.name, card.title)), None)
    if card is None:
        return CallRefusal("failed", name[:80], tuple(card.name for card in caller.bench.skills))
    part = floor.prompter.part(("skill",), {**caller.view.variables, "skill": shown(card)})
    caller.bench.loaded[f"skill {card.name}"] = 1
    return part[1] if part is not None else card.body


def shown(card: Skill) -> Mapping[str, Any]:
    """A skill as templates read it."""
    return {
        "name": card.name,
        "title": card.title,
        "trigger": card.trigger,
        "task": card.task,
        "checklist": card.checklist,
        "output": card.output,
        "tools": card.tools,
        "body": card.body,
    }


def _export(floor: Floor, caller: Caller, arguments: Mapping[str, Any]) -> str | CallRefusal:
    """The document that is being written, looked over: what its official form lacks."""
    name, text = arguments["name"], arguments["text"]
    document = caller.cue.document
    if document is None or name not in (document.name, document.title):
        return CallRefusal("failed", name[:80], (document.name,) if document is not None else ())
    caller.bench.exported[document.name] = text
    missing = conduct.lacking(document, text)
    return json.dumps({"document": document.name, "missing": list(missing)}, ensure_ascii=False)


def _memory(floor: Floor, caller: Caller, tool: Tool, arguments: Mapping[str, Any]) -> str | CallRefusal:
    """A field of the caller's own memory, read or written."""
    person = caller.person
    declared = floor.procedure.memory.get(person.kind)
    fields = declared.fields if declared is not None else {}
    one = fields.get(arguments["field"])
    if one is None:
        return CallRefusal("failed", arguments["field"][:80], tuple(fields))
    kept = memory.current(floor.state.memory, person.id, one.name)
    if tool.operation == "read memory":
        return json.dumps({"field": one.name, "content": kept or None}, ensure_ascii=False)
    how: Literal["revise", "expand"] = "revise" if tool.operation == "revise memory" else "expand"
    written = memory.written(one, kept, arguments["content"], how)
    if isinstance(written, memory.Unfit):
        return CallRefusal("malformed", f"{one.name}: {written.detail}", written.known, written.limit)
    floor.tell(
        Remembered(
            request=caller.request.id,
            place=floor.state.place,
            person=person.id,
            field=one.name,
            how=how,
            value=written,
            knows=caller.view.knowledge.papers(tuple(floor.procedure.documents)),
        )
    )
    return json.dumps({"field": one.name, "length": memory.size(written), "at_most": one.longest}, ensure_ascii=False)


# ---- documents that the caller may see -------------------------------------------------------------------------------


def _documents(procedure: Procedure, knowledge: Knowledge, word: str) -> tuple[str, ...]:
    """The texts of the documents that a word (id or title) names, own before others', of those that are granted."""
    names = [name for name, document in procedure.documents.items() if word in (name, document.title)]
    return tuple(text for name in names for text in _texts(knowledge, name))


def _texts(knowledge: Knowledge, name: str) -> tuple[str, ...]:
    own = (*knowledge.own.get(name, ()), *knowledge.other.get(name, ()))
    found = tuple(str(entry["value"]) for entry in own if entry["value"])
    court = knowledge.known.get(name, MISSING)
    return (*found, court) if isinstance(court, str) and court else found


def _readable(procedure: Procedure, knowledge: Knowledge) -> tuple[str, ...]:
    return tuple(name for name in procedure.documents if _texts(knowledge, name))


# ---- the next message ------------------------------------------------------------------------------------------------


def answered(results: Sequence[ToolResult], said: tuple[str, str] | None) -> tuple[Message, ...]:
    """The results as messages: those of native calls one by one, the others as the part `said` words them."""
    native = tuple(Message(role="tool", content=one.text, call=one.id) for one in results if one.id)
    return (*native, Message(role="user", content=said[1], parts=(said,))) if said else native


__all__ = [
    "Caller",
    "ToolResult",
    "ToolSession",
    "answered",
    "bench_of",
    "calls_of",
    "described",
    "offers",
    "serve",
    "shown",
]
