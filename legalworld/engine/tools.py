"""Tool calls of one turn to speak: what a reply calls, whether it may, and what comes of it.

Nothing that a reply holds is trusted. A call that may not be made is refused in words that the caller reads; refused
calls count too, so that a turn has at most `Procedure.tool_calls` of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..model.case import MISSING, Person
from ..model.dialect import known_dialect
from ..model.equipment import Skill, Tool
from ..model.events import Call, Called, Errand, Message, Remembered, Reply, Request, Turn
from ..model.immutable import immutable
from ..model.procedure import Document, Procedure
from ..model.reply_form import ReplyForm
from ..model.text import parse_json
from . import conduct, memory
from .foreign_marks import foreign_mark_in, mark_name
from .prompt import Prompter
from .reply_reader import holds_marks, read
from .scene import Scene
from .view import Knowledge

MOST_CALLS = 64  # of one reply that are answered; more are cut off
MOST_ROUNDS = 2  # replies that call once more after all calls were refused as too many
SHOWN = 2_000  # characters of a call's arguments that are recorded

WRITING: Final = ("revise memory", "expand memory")
REMEMBERING: Final = (*WRITING, "read memory")

Why = Literal["unknown", "not_yours", "not_here", "not_now", "malformed", "too_many", "failed", "unknown_marks"]


@immutable
class CallRefusal:
    """Why a call is not made. `detail`: the argument, document or field at fault; `known`: what there is instead."""

    reason: Why
    detail: str = ""
    known: tuple[str, ...] = ()
    limit: int = 0


@immutable
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
    marked: bool = False
    in_vain: int = 0
    written: frozenset[str] = frozenset()

    @property
    def wrote(self) -> bool:
        """Whether he has called a tool that writes."""
        return any(self.used[tool.name] for tool in self.tools if tool.operation in WRITING)


def chosen(who: tuple[str, ...], stages: tuple[str, ...], person: Person, stage: str) -> bool:
    """Whether selectors take in a person in a stage; empty ones take in everybody."""
    mine = not who or person.kind in who or person.role in who
    return mine and (not stages or stage in stages)


def of_step(tool: Tool, act: str, document: Document | None) -> bool:
    """Whether a tool is for a step at which somebody does an act, writing a document (None: he writes none)."""
    return (not tool.acts or act in tool.acts) and (document is not None or tool.operation != "export document")


def session_of(procedure: Procedure, person: Person, stage: str) -> ToolSession:
    """What a person has to work with in a stage."""
    tools = tuple(tool for tool in procedure.tools.values() if chosen(tool.who, tool.stages, person, stage))
    skills = tuple(card for card in procedure.skills.values() if chosen(card.who, card.stages, person, stage))
    return ToolSession(tools, skills)


def all_written(procedure: Procedure, person: Person, session: ToolSession, calls: int) -> bool:
    """Whether a turn in which somebody only writes is over when all `calls` of a reply wrote.

    Who calls one tool a reply is asked on while there is a field left that he has not written; who calls several at
    once has written what he means to.
    """
    kept = procedure.memory.get(person.kind)
    fields = kept.fields.values() if kept is not None else ()
    writable = {one.name for one in fields if one.revise or one.expand}
    return calls > 1 or writable <= session.written


# ---- what a reply calls ----------------------------------------------------------------------------------------------


def calls_of(reply: Reply) -> tuple[tuple[Call, ...], str]:
    """The calls of a reply, native ones first, and the words without them."""
    if not holds_marks(reply.text, known_dialect()):
        return reply.calls[:MOST_CALLS], reply.text.strip()
    segments = read(reply.text, known_dialect()).segments
    calls = (*reply.calls, *(call for segment in segments for call in segment.calls))
    return calls[:MOST_CALLS], "".join(segment.raw for segment in segments if segment.kind != "call").strip()


def _json(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return None


def _arguments(call: Call, tool: Tool, form: ReplyForm) -> Mapping[str, Any] | CallRefusal:
    """The arguments by the operation's parameters; nothing in them may be what no word of a reply may be."""
    value = _json(call.arguments) if call.arguments.strip() else {}
    if not isinstance(value, dict):
        return CallRefusal("malformed", "JSON")
    parameters = {one.name: one for one in tool.what.parameters}
    for name in value:
        if name not in parameters:
            return CallRefusal("malformed", str(name)[:40], tuple(parameters))
    values: dict[str, Any] = {}
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
        values[name] = given
    mark = foreign_mark_in(values, form)
    return CallRefusal("unknown_marks", mark_name(mark)) if mark else values


def _allowed(call: Call, caller: Caller, procedure: Procedure) -> Tool | CallRefusal:
    """The tool that a call means, when the caller may use it here and now."""
    session = caller.session
    here = tuple(tool for tool in session.tools if of_step(tool, caller.act, caller.document))
    mine = tuple(tool.name for tool in here)
    session.made += 1
    if session.made > procedure.tool_calls:
        return CallRefusal("too_many", limit=procedure.tool_calls)
    if not call.name:
        return CallRefusal("malformed", "JSON")
    tool = procedure.tools.get(call.name)
    if tool is None:
        return CallRefusal("unknown", call.name[:40], mine)
    if tool not in session.tools:
        elsewhere = chosen(tool.who, (), caller.person, "")
        return CallRefusal("not_here" if elsewhere else "not_yours", tool.title, mine)
    if tool not in here:
        return CallRefusal("not_now", tool.title, mine)
    if session.used[tool.name] >= tool.limit:
        return CallRefusal("too_many", tool.title, limit=tool.limit)
    session.used[tool.name] += 1
    return tool


# ---- what comes of it ------------------------------------------------------------------------------------------------


@immutable
class Caller:
    """Who calls, doing which act, writing which document, and what he has called so far."""

    person: Person
    act: str
    document: Document | None
    request: Request
    session: ToolSession

    @property
    def knowledge(self) -> Knowledge:
        knowledge: Knowledge = self.request.view.knowledge
        return knowledge


Serving = Generator[Turn, tuple[Reply, ...], str | CallRefusal]


def serve(
    scene: Scene, prompter: Prompter, caller: Caller, calls: Sequence[Call]
) -> Generator[Turn, tuple[Reply, ...], bool]:
    """Answer the calls of one reply in order; each is recorded. True when all of them wrote: nothing comes back."""
    session = caller.session
    session.results = ()
    wrote = True
    for call in calls:
        outcome = yield from _served(scene, prompter, caller, call)
        if isinstance(outcome, CallRefusal):
            wrote = False
            _record(scene, caller, call, _refusal(prompter, caller, call, outcome), outcome.reason)
        else:
            wrote = wrote and scene.procedure.tools[call.name].operation in WRITING
            _record(scene, caller, call, outcome)
    if session.made > scene.procedure.tool_calls:
        session.in_vain += 1
    return wrote


def _served(scene: Scene, prompter: Prompter, caller: Caller, call: Call) -> Serving:
    """What one call gives, or why it is not made."""
    tool = _allowed(call, caller, scene.procedure)
    if isinstance(tool, CallRefusal):
        return tool
    arguments = _arguments(call, tool, caller.request.form)
    if isinstance(arguments, CallRefusal):
        caller.session.marked = caller.session.marked or arguments.reason == "unknown_marks"
        return arguments
    if tool.what.outside:
        return (yield from _errand(scene, caller, tool, arguments))
    match tool.operation:
        case "load skill":
            return _skill(prompter, caller, arguments["name"])
        case "read document":
            return _document(scene.procedure, caller.knowledge, arguments["name"])
        case "export document":
            return _export(caller, arguments)
        case _:
            return _memory(scene, caller, tool, arguments)


def _record(scene: Scene, caller: Caller, call: Call, text: str, refused: str = "") -> None:
    """What came of a call, recorded and kept for the caller."""
    caller.session.results += (ToolResult(call.id, call.name, not refused, text),)
    scene.recorder.tell(
        Called(
            request=caller.request.id,
            place=scene.state.place,
            person=caller.person.id,
            tool=call.name[:80],
            arguments=call.arguments[:SHOWN],
            refused=refused,
            result=text,
        )
    )


def _refusal(prompter: Prompter, caller: Caller, call: Call, refused: CallRefusal) -> str:
    """A refusal in the words of the procedure's own template."""
    variables = {
        **caller.request.view.variables,
        "refusal": {
            "reason": refused.reason,
            "tool": call.name[:80],
            "detail": refused.detail,
            "known": refused.known,
            "limit": refused.limit,
        },
    }
    part = prompter.part(("refused",), variables)
    return part[1] if part is not None else json.dumps({"refused": refused.reason, "detail": refused.detail})


# ---- operations ------------------------------------------------------------------------------------------------------


def _errand(scene: Scene, caller: Caller, tool: Tool, arguments: Mapping[str, Any]) -> Serving:
    """An operation that a driver carries out; documents named in it are given as text."""
    given = dict(arguments)
    if tool.operation == "compare documents":
        for name, word in arguments.items():
            text = _document(scene.procedure, caller.knowledge, word)
            if isinstance(text, CallRefusal):
                return text
            given[name] = text
    request = f"{caller.request.id}/{caller.session.made}"
    errand = Errand(request, caller.person.id, tool.operation, given, scene.case.id, scene.state.today)
    (reply,) = yield Turn(scene.recorder.flush(), (errand,))
    return reply.text


def _skill(prompter: Prompter, caller: Caller, name: str) -> str | CallRefusal:
    session = caller.session
    card = next((card for card in session.skills if name in (card.name, card.title)), None)
    if card is None:
        return CallRefusal("failed", name[:80], tuple(card.name for card in session.skills))
    part = prompter.part(("skill",), {**caller.request.view.variables, "skill": shown(card)})
    session.loaded[f"skill {card.name}"] = 1
    return part[1] if part is not None else card.body


def shown(card: Skill) -> Mapping[str, Any]:
    """A skill as templates read it."""
    names = ("name", "title", "trigger", "task", "checklist", "output", "tools", "body")
    return {name: getattr(card, name) for name in names}


def _export(caller: Caller, arguments: Mapping[str, Any]) -> str | CallRefusal:
    """The document that is being written, looked over: what its official form lacks."""
    name, text, document = arguments["name"], arguments["text"], caller.document
    assert document is not None  # or the call was no call of this step
    if name not in (document.name, document.title):
        return CallRefusal("failed", name[:80], (document.name,))
    caller.session.exported[document.name] = text
    missing = conduct.lacking(document, text)
    return json.dumps({"document": document.name, "missing": list(missing)}, ensure_ascii=False)


def _memory(scene: Scene, caller: Caller, tool: Tool, arguments: Mapping[str, Any]) -> str | CallRefusal:
    """A field of the caller's own memory, read or written."""
    procedure, person = scene.procedure, caller.person
    declared = procedure.memory.get(person.kind)
    fields = declared.fields if declared is not None else {}
    field_ = fields.get(arguments["field"])
    if field_ is None:
        return CallRefusal("failed", arguments["field"][:80], tuple(fields))
    kept = memory.current(scene.state.memory, person.id, field_.name)
    if tool.operation == "read memory":
        return json.dumps({"field": field_.name, "content": kept or None}, ensure_ascii=False)
    how: Literal["revise", "expand"] = "revise" if tool.operation == "revise memory" else "expand"
    written = memory.written(field_, kept, arguments["content"], how)
    if isinstance(written, memory.Unfit):
        return CallRefusal("malformed", f"{field_.name}: {written.detail}", written.known, written.limit)
    caller.session.written |= {field_.name}
    scene.recorder.tell(
        Remembered(
            request=caller.request.id,
            place=scene.state.place,
            person=person.id,
            field=field_.name,
            how=how,
            value=written,
            knows=caller.knowledge.document_keys(tuple(procedure.documents)),
        )
    )
    told = {"field": field_.name, "length": memory.size(written), "at_most": field_.longest}
    return json.dumps(told, ensure_ascii=False)


# ---- documents that the caller may see -------------------------------------------------------------------------------


def _document(procedure: Procedure, knowledge: Knowledge, word: str) -> str | CallRefusal:
    """The texts of the documents that a word (id or title) names, own before others', of those that are granted."""
    names = [name for name, document in procedure.documents.items() if word in (name, document.title)]
    texts = [text for name in names for text in _texts(knowledge, name)]
    if texts:
        return "\n\n".join(texts)
    return CallRefusal("failed", word[:80], readable(procedure, knowledge))


def readable(procedure: Procedure, knowledge: Knowledge) -> tuple[str, ...]:
    return tuple(name for name in procedure.documents if _texts(knowledge, name))


def _texts(knowledge: Knowledge, name: str) -> tuple[str, ...]:
    of_sides = (*knowledge.own.get(name, ()), *knowledge.other.get(name, ()))
    texts = tuple(str(entry["value"]) for entry in of_sides if entry["value"])
    court = knowledge.known.get(name, MISSING)
    return (*texts, court) if isinstance(court, str) and court else texts


# ---- the next message ------------------------------------------------------------------------------------------------


def answered(results: Sequence[ToolResult], said: tuple[str, str] | None) -> tuple[Message, ...]:
    """The results as messages: those of native calls one by one, the others as the part `said` words them."""
    native = tuple(Message(role="tool", content=one.text, call=one.id) for one in results if one.id)
    return (*native, Message(role="user", content=said[1], parts=(said,))) if said else native
