"""What a run or a procedure looks like from outside: turns, prompts, views - reconstructed, never rendered again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

from . import running
from .case import Record
from .diagnostics import nearest
from .drive import NoAnswer, Tape, drive, ignore, replayed
from .events import Asked, Event, Message, Reply, Request, Spoke, Violated
from .floor import Settings
from .interpreter import run
from .journal import AnswerLine, EventLine
from .offline import Offline
from .procedure import Procedure
from .project import Problems
from .running import Opened, Plan
from .source import Problem, Span
from .ui import say
from .view import View


def _events(opened: Opened) -> Iterator[Event]:
    return (line.event for line in opened.loaded.lines if isinstance(line, EventLine))


def _asked(opened: Opened) -> list[Asked]:
    return [event for event in _events(opened) if isinstance(event, Asked)]


def turns(opened: Opened, locale: str) -> str:
    """One line per call: its number, place, speaker, act, and how the reply begins."""
    said = {event.request: event.text for event in _events(opened) if isinstance(event, Spoke)}
    replies = {line.request: line.reply.text for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    lines = []
    for number, asked in enumerate(_asked(opened), 1):
        text = " ".join((said.get(asked.id) or replies.get(asked.id, "")).split())
        act = say(locale, "act", asked.act)
        lines.append(f"{number:>4}  {asked.place}  {asked.speaker}·{act}  {text[:48]}{'…' if len(text) > 48 else ''}")
    return "\n".join(lines)


def turn(opened: Opened, number: int, *, prompt: bool, view: bool, locale: str) -> str | Problem:
    """One call: its words, and on demand the exact prompt (concatenated increments) and the exact view."""
    asked = _asked(opened)
    if not 1 <= number <= len(asked):
        return Problem("LW195", Span("--turn", 0, 0), {"turn": number, "last": len(asked)})
    call = asked[number - 1]
    act = say(locale, "act", call.act)
    heading = say(locale, "run", "turn_heading", turn=number, place=call.place, speaker=call.speaker, act=act)
    parts = [heading]
    if prompt:
        parts.append(_messages(messages_of(opened, call)))
    if view:
        request = request_at(opened, call.id)
        parts.append(view_text(request.view) if request is not None else say(locale, "run", "no_prompt"))
    replies = {line.request: line.reply.text for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    if call.id in replies:
        parts.append(f"--- assistant\n{replies[call.id]}")
    return "\n\n".join(parts)


def messages_of(opened: Opened, call: Asked) -> list[Message]:
    """What was sent with a call: the increments of its thread up to it, each followed by its reply."""
    replies = {line.request: line.reply.text for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    sent: list[Message] = []
    for asked in _asked(opened):
        if asked.thread != call.thread:
            continue
        sent += asked.added
        if asked.id == call.id:
            break
        sent.append(Message(role="assistant", content=replies.get(asked.id, "")))
    return sent


def _messages(messages: list[Message]) -> str:
    """Messages as a person reads them; the home of each part above it."""
    lines = []
    for message in messages:
        lines.append(f"--- {message.role}")
        if message.parts:
            lines += [f"[{home}]\n{text}\n" for home, text in message.parts]
        else:
            lines.append(message.content + "\n")
    return "\n".join(lines)


def request_at(opened: Opened, identity: str) -> Request | None:
    """The request of a call, as it was: the game is played again up to it."""
    lines = [line for line in opened.loaded.lines if not (isinstance(line, AnswerLine) and line.request == identity)]
    found = next(
        (i for i, line in enumerate(lines) if isinstance(line, EventLine) and _is_call(line.event, identity)), None
    )
    if found is None:
        return None
    waiting = replayed(opened.game(), lines[: found + 1])
    return waiting if isinstance(waiting, Request) else None


def _is_call(event: Event, identity: str) -> bool:
    return isinstance(event, Asked) and event.id == identity


def view_text(view: View) -> str:
    """A view as nested lines: only what was granted."""
    lines = []
    for shown in view.knowledge.shown:
        lines.append(f"● {shown.title}（{shown.key}）")
        for entry in shown.entries:
            head = [str(entry[key]) for key in ("title", "by", "name") if entry.get(key)]
            lines += [f"  {'·'.join(head)}"] if head else []
            lines += [f"    {line}" for line in _value(entry["value"])]
    return "\n".join(lines)


def _value(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield from value.split("\n")
        case tuple() | list():
            for number, each in enumerate(value, 1):
                first, *rest = list(_value(each)) or [""]
                yield f"{number}. {first}"
                yield from (f"   {line}" for line in rest)
        case Record() | Mapping():
            for key in value:
                if value[key]:
                    yield f"{key}: {'；'.join(_value(value[key]))}"
        case _:
            return


def violations(opened: Opened, locale: str) -> str:
    """Every broken rule: where, who, which, what was found."""
    titles = {rule.id: rule.title for rule in opened.procedure.conduct}
    lines = []
    for event in _events(opened):
        if isinstance(event, Violated):
            rule = titles.get(event.rule) or say(locale, "violation", event.rule)
            lines.append(f"{event.place}  {event.person}  {rule}  {event.detail}")
    return "\n".join(lines)


def tokens(opened: Opened, locale: str) -> str:
    """Per thread: calls, prompt characters, and the share that is a prefix of the call before (estimate)."""
    rows, all_shared, all_sent = [say(locale, "run", "tokens_heading")], 0, 0
    replies = {line.request: line.reply.text for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    sums: dict[str, list[int]] = {}
    length: dict[str, int] = {}
    for asked in _asked(opened):
        before = length.get(asked.thread, 0)
        sent = before + sum(len(message.content) for message in asked.added)
        row = sums.setdefault(asked.thread, [0, 0, 0])
        row[0] += 1
        row[1] += sent
        row[2] += before
        length[asked.thread] = sent + len(replies.get(asked.id, ""))
    for thread, (calls, sent, shared) in sums.items():
        rows.append(f"{thread:<40} {calls:>4} {sent:>9} {shared / sent:>7.1%}")
        all_shared, all_sent = all_shared + shared, all_sent + sent
    rows.append(say(locale, "run", "tokens_total", share=f"{all_shared / max(1, all_sent):.1%}"))
    return "\n".join(rows)


# ---- before a run: what would be seen --------------------------------------------------------------------------------


def _person(procedure: Procedure, plan: Plan, role: str) -> str | Problems:
    """The id of the first person who wears a role, named by id or title."""
    from .casting import cast

    persons = cast(procedure, plan.matter.case)
    for person in persons:
        if role in (person.id, person.role):
            return person.id
    present = running.people(procedure, plan.matter.case)
    for one in present:
        if role == one.title:
            return one.id
    known = tuple(
        dict.fromkeys((*(p.role for p in persons), *(one.title for one in present)))
    )
    return (Problem("LW196", Span("--as", 0, 0), {"name": role, "known": "、".join(known)}, nearest(role, known)),)


def sight(plan: Plan, role: str, locale: str) -> str | Problems:
    """What a role sees just before `plan.until`, when offline actors have played so far."""
    procedure = plan.project.procedure
    assert procedure is not None
    person = _person(procedure, plan, role)
    if isinstance(person, tuple):
        return person
    settings = Settings(plan.target, plan.seed, plan.options, plan.until)
    game = run(procedure, plan.matter.case, settings, plan.project.templates)
    actors = Offline(plan.project.templates, plan.seed)

    async def answer(request: Request) -> Reply:
        return actors.answer(request)

    finished = asyncio.run(drive(game, Tape(), answer, ignore))
    if finished.status != "paused":
        return (Problem("LW188", Span("--at", 0, 0), {"place": plan.until}),)
    view = finished.look(person)
    title = view.variables["me"]["title"]
    heading = say(locale, "run", "view_heading", title=title, role=person, place=plan.until)
    return heading + "\n\n" + (view_text(view) or say(locale, "run", "view_empty"))


def preview(plan: Plan, role: str, locale: str) -> str | Problems:
    """The first request to a role at or after a place, when offline actors have played so far."""
    procedure = plan.project.procedure
    assert procedure is not None
    person = _person(procedure, plan, role)
    if isinstance(person, tuple):
        return person
    settings = Settings(plan.target, plan.seed, plan.options)
    game = run(procedure, plan.matter.case, settings, plan.project.templates)
    actors = Offline(plan.project.templates, plan.seed)
    reached = False

    def watch(event: Event | Request) -> None:
        nonlocal reached
        reached = reached or getattr(event, "place", "") == plan.until

    async def answer(request: Request) -> Reply:
        if reached and request.person == person:
            raise NoAnswer(request)
        return actors.answer(request)

    try:
        asyncio.run(drive(game, Tape(), answer, watch))
    except NoAnswer as waiting:
        return _messages(list(waiting.request.messages))
    return (Problem("LW188", Span("--at", 0, 0), {"place": plan.until}),)
