"""What a run or a procedure looks like from outside: turns, prompts, views - reconstructed, never rendered again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, assert_never

from ...engine.interpreter import interpret
from ...engine.settings import Settings
from ...engine.view import View
from ...language import diagnose
from ...model.case import Record
from ...model.diagnostics import Diagnostic
from ...model.events import Asked, Entered, Event, Message, Reply, Request, Spoke, Violated
from ...model.procedure import Procedure
from ...models.scripted import Offline
from ...templates.template_set import TemplateError
from ...wording import say
from ...wording.columns import fit, table, width
from ..journal import AnswerLine, EventLine
from ..lifecycle import OpenRun, RunPlan, RunResult
from ..loop import NoAnswer, ReplayLog, ignore, play_through, replayed
from ..progress import dollars
from ..project import Problems
from ..transcript import how
from .memory import person_named


def _events(opened: OpenRun) -> Iterator[Event]:
    return (line.event for line in opened.loaded.lines if isinstance(line, EventLine))


def _asked(opened: OpenRun) -> list[Asked]:
    return [event for event in _events(opened) if isinstance(event, Asked)]


def report(result: RunResult, procedure: Procedure | None, cost: float, locale: str) -> str:
    """How a run stands, in the words of the command line."""

    def tell(key: str, **values: object) -> str:
        return say(locale, "run", key, **values)

    path = str(result.folder)
    match result.status:
        case "ended" if result.outcome:
            outcome = how(procedure, result.outcome) if procedure is not None else result.outcome
            lines = [tell("done", outcome=outcome)]
        case "ended":
            lines = [tell("done_plain")]
        case "paused" | "stopped":
            lines = [tell(result.status, place=result.place, path=path)]
        case "interrupted":
            lines = [tell("interrupted", path=path)]
        case _:
            assert_never(result.status)
    spent = [tell("turns", turns=result.turns)]
    spent += [tell("tokens_counted", count=result.tokens)] if result.tokens else []
    spent += [tell("cost", cost=dollars(cost))] if cost else []
    lines += [tell("between").join(spent), tell("transcript", path=f"{path}/transcript.md")]
    lines += [tell("documents"), *_documents(result, procedure)] if result.documents else []
    lines += [_cited(result, tell)] if result.cited.all else []
    lines += [tell("violations", count=result.violations, path=path)] if result.violations else []
    return "\n".join(lines)


def _cited(result: RunResult, tell: Callable[..., str]) -> str:
    """How many citations were made, how many of them are wrong, of how many nothing could be told."""
    cited = result.cited
    parts = [tell("cited", count=cited.all), tell("cited_wrong", count=cited.wrong)]
    parts += [tell("cited_unknown", count=cited.unknown)] if cited.unknown else []
    return tell("cited_line", counts=tell("between").join(parts), path=result.folder)


def _documents(result: RunResult, procedure: Procedure | None) -> Iterator[str]:
    """One line per document: its title and its file."""
    known = procedure.documents if procedure is not None else {}
    rows = []
    for file in result.documents:
        name = file.removeprefix("documents/").removesuffix(".md")
        found = max((one for one in known if name == one or name.startswith(f"{one}-")), key=len, default="")
        rows.append((known[found].title if found else name, f"{result.folder}/{file}"))
    yield from (f"  {line}" for line in table(rows))


def turns(opened: OpenRun, locale: str, room: int) -> str:
    """One line per call: its number, step, speaker, act, and how the reply begins; places as headings."""
    said = {event.request: event.text for event in _events(opened) if isinstance(event, Spoke)}
    replies = {line.request: line.reply.text for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    calls = _asked(opened)
    if not calls:
        return say(locale, "run", "no_calls")
    steps = [call.place.rpartition("/")[2] for call in calls]
    acts = [say(locale, "act", call.act) for call in calls]
    wide = [min(max(map(width, words)), 22) for words in (steps, [call.speaker for call in calls], acts)]
    titles = {event.place: event.title for event in _events(opened) if isinstance(event, Entered)}
    lines, place = [], ""
    for number, (call, step, act) in enumerate(zip(calls, steps, acts, strict=True), 1):
        if call.place.rpartition("/")[0] != place:
            place = call.place.rpartition("/")[0]
            lines += ["", f"{place}  {titles.get(place, '')}".rstrip()]
        text = " ".join((said.get(call.id) or replies.get(call.id, "")).split())
        cells = (fit(word, size) for word, size in zip((step, call.speaker, act), wide, strict=True))
        head = f"{number:>5}  {'  '.join(cells)}  "
        lines.append((head + fit(text, max(room - width(head), 20))).rstrip())
    return "\n".join(lines[1:])


def turn(opened: OpenRun, number: int, *, prompt: bool, view: bool, locale: str) -> str | Diagnostic:
    """One call: its words, and on demand the exact prompt (concatenated increments) and the exact view."""
    asked = _asked(opened)
    if not 1 <= number <= len(asked):
        return diagnose.unknown_call("--turn", turn=number, last=len(asked))
    call = asked[number - 1]
    act = say(locale, "act", call.act)
    heading = say(locale, "run", "turn_heading", turn=number, place=call.place, speaker=call.speaker, act=act)
    parts = [heading]
    if prompt:
        parts.append(_messages(messages_of(opened, call)))
    if view:
        request = request_at(opened, call.id)
        parts.append(view_text(request.view, locale) if request is not None else say(locale, "run", "no_prompt"))
    replies = {line.request: line.reply.text for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    if call.id in replies:
        parts.append(f"--- assistant\n{replies[call.id]}")
    return "\n\n".join(parts)


def messages_of(opened: OpenRun, call: Asked) -> list[Message]:
    """What was sent with a call: the increments of its thread up to it, each followed by its reply."""
    replies = {line.request: line.reply for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    sent: list[Message] = []
    for asked in _asked(opened):
        if asked.thread != call.thread:
            continue
        sent += asked.added
        if asked.id == call.id:
            break
        reply = replies.get(asked.id, Reply(text=""))
        sent.append(Message(role="assistant", content=reply.text, calls=reply.calls))
    return sent


def _messages(messages: list[Message]) -> str:
    """Messages as a person reads them; the home of each part above it."""
    lines = []
    for message in messages:
        lines.append(f"--- {message.role}")
        if message.parts:
            lines += [f"[{home}]\n{text}\n" for home, text in message.parts]
        else:
            lines += [message.content + "\n"] if message.content or not message.calls else []
        lines += [f"→ {call.name} {call.arguments}\n" for call in message.calls]
    return "\n".join(lines)


def request_at(opened: OpenRun, identity: str) -> Request | None:
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


def view_text(view: View, locale: str) -> str:
    """A view as nested lines: only what was granted, each field as the matrix names it."""
    lines = []
    for shown in view.knowledge.shown:
        field = shown.name if shown.whose == "all" else f"{shown.name} {shown.whose}"
        title = "" if shown.title == shown.name else shown.title
        lines.append("● " + (say(locale, "run", "view_item", title=title, field=field) if title else field))
        for entry in shown.entries:
            head = [str(entry[key]) for key in ("title", "by", "name") if entry.get(key)]
            lines += [f"  {'·'.join(head)}"] if head else []
            lines += [f"    {line}".rstrip() for line in _value(entry["value"], locale)]
    return "\n".join(lines)


def _value(value: Any, locale: str) -> Iterator[str]:
    """A text line by line, a record key by key, a list number by number."""
    match value:
        case str():
            yield from value.split("\n")
        case tuple() | list():
            for number, each in enumerate(value, 1):
                first, *rest = list(_value(each, locale)) or [""]
                yield f"{number}. {first}"
                yield from (f"   {line}" for line in rest)
        case Record() | Mapping():
            for key in value:
                if value[key]:
                    yield say(locale, "run", "view_pair", name=key, value=_inline(value[key], locale))
        case _:
            return


def _inline(value: Any, locale: str) -> str:
    """A value of a record on one line."""
    match value:
        case tuple() | list():
            return say(locale, "run", "view_among").join(_inline(each, locale) for each in value)
        case Record() | Mapping():
            pairs = {key: _inline(value[key], locale) for key in value if value[key]}
            among = (say(locale, "run", "view_pair", name=key, value=text) for key, text in pairs.items())
            return say(locale, "run", "view_between").join(among)
        case _:
            return str(value)


def violations(opened: OpenRun, locale: str) -> str:
    """Every broken rule: where, who, which, what was found."""
    titles = {rule.id: rule.title for rule in opened.procedure.conduct}
    speakers = {event.id: event.speaker for event in _events(opened) if isinstance(event, Asked)}
    rows = []
    for event in _events(opened):
        if isinstance(event, Violated):
            rule = titles.get(event.rule) or say(locale, "violation", event.rule)
            rows.append((event.place, speakers[event.request], rule, event.detail))
    return "\n".join(table(rows)) if rows else say(locale, "run", "no_violations")


def cited(opened: OpenRun) -> dict[str, Any]:
    """The citations of a run as they were checked when it stopped; checked now where no such file can be read."""
    from .. import citation_check

    data = citation_check.kept(opened.folder.path)
    if data is not None:
        return data
    return citation_check.as_json(citation_check.check(opened.procedure, opened.case, _events(opened), Path.cwd()))


def citations(opened: OpenRun, locale: str) -> str:
    """Every citation: where, by whom, which, and how it stands; by which day and library above."""

    def tell(key: str, **values: object) -> str:
        return say(locale, "citation", key, **values)

    data = cited(opened)
    day = data["law_at"]
    head = [tell("by_day", date=day["date"], field=day["field"]) if day["date"] else tell("by_newest")]
    head += [
        tell("by_library", digest=data["library"]["digest"][:12]) if data["library"]["digest"] else tell("by_list")
    ]
    if not data["citations"]:
        return "\n".join([*head, "", tell("none")])
    titles = {name: document.title for name, document in opened.procedure.documents.items()}
    rows = []
    for row in data["citations"]:
        where = titles.get(row["document"], row["document"]) or say(locale, "act", row["act"])
        outcome = tell(row["outcome"])
        outcome = tell("since", outcome=outcome, since=row["since"]) if row["since"] else outcome
        mark = tell("mark") if row["wrong"] else ""
        rows.append((mark, row["place"], row["speaker"], where, row["normal"] or row["written"], outcome))
    return "\n".join([*head, "", *table(rows)])


def shares(opened: OpenRun) -> dict[str, Any]:
    """Per thread and in all: calls, characters sent, and those that are a prefix of the call before (an estimate)."""
    replies = {line.request: line.reply.text for line in opened.loaded.lines if isinstance(line, AnswerLine)}
    sums: dict[str, dict[str, int]] = {}
    length: dict[str, int] = {}
    for asked in _asked(opened):
        before = length.get(asked.thread, 0)
        sent = before + sum(len(message.content) for message in asked.added)
        row = sums.setdefault(asked.thread, {"calls": 0, "sent": 0, "shared": 0})
        for key, count in (("calls", 1), ("sent", sent), ("shared", before)):
            row[key] += count
        length[asked.thread] = sent + len(replies.get(asked.id, ""))
    total = {key: sum(row[key] for row in sums.values()) for key in ("calls", "sent", "shared")}
    return {"threads": sums, "total": total}


def tokens(opened: OpenRun, locale: str) -> str:
    """The shares as a table."""
    found = shares(opened)
    words = ("tokens_thread", "tokens_calls", "tokens_sent", "tokens_share")
    heads = tuple(say(locale, "run", word) for word in words)
    named = [*found["threads"].items(), (say(locale, "run", "tokens_total"), found["total"])]
    rows = [
        (name, str(row["calls"]), f"{row['sent']:,}", f"{row['shared'] / max(1, row['sent']):.1%}")
        for name, row in named
    ]
    return "\n".join([*table([heads, *rows], frozenset({1, 2, 3})), say(locale, "run", "tokens_note")])


# ---- before a run: what would be seen --------------------------------------------------------------------------------


def _person(procedure: Procedure, plan: RunPlan, role: str) -> str | Problems:
    """The id of the first person who is meant by an id, a role, a title or a name."""
    found = person_named(procedure, plan.matter.case, role, "--as")
    return (found,) if isinstance(found, Diagnostic) else found.id


def sight(plan: RunPlan, role: str, locale: str) -> str | Problems:
    """What a role sees just before `plan.until`, when offline actors have played so far."""
    procedure = plan.project.procedure
    assert procedure is not None
    person = _person(procedure, plan, role)
    if isinstance(person, tuple):
        return person
    settings = Settings(plan.target, plan.seed, plan.options, plan.until, skip=plan.skip)
    game = interpret(procedure, plan.matter.case, settings, plan.project.templates)
    actors = Offline(plan.project.templates, plan.seed)

    async def answer(request: Request) -> Reply:
        return actors.answer(request)

    try:
        finished = asyncio.run(play_through(game, ReplayLog(), answer, ignore))
    except TemplateError as error:
        return error.problems
    if finished.status != "paused":
        return (diagnose.unreached_place("--at", place=plan.until),)
    view = finished.look(person)
    title = view.variables["me"]["title"]
    heading = say(locale, "run", "view_heading", title=title, role=person, place=plan.until)
    return heading + "\n\n" + (view_text(view, locale) or say(locale, "run", "view_empty"))


def preview(plan: RunPlan, role: str) -> str | Problems:
    """The first request to a role at or after a place, when offline actors have played so far."""
    procedure = plan.project.procedure
    assert procedure is not None
    person = _person(procedure, plan, role)
    if isinstance(person, tuple):
        return person
    settings = Settings(plan.target, plan.seed, plan.options, skip=plan.skip)
    game = interpret(procedure, plan.matter.case, settings, plan.project.templates)
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
        asyncio.run(play_through(game, ReplayLog(), answer, watch))
    except NoAnswer as waiting:
        return _messages(list(waiting.request.messages) if isinstance(waiting.request, Request) else [])
    except TemplateError as error:
        return error.problems
    return (diagnose.unreached_place("--at", place=plan.until),)
