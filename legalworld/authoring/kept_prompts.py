"""What each role is sent at each place of a case, played with placeholders: nobody's talk stands in it.

    found = explored(matter, target)        # ways of the case, so that every prompt comes up once
    prompts_of(matter, {target: found})     # "plaintiff_lawyer/FIT/judgment/judge.note.find.txt" -> KeptPrompt

A prompt changes with the procedure, its prompts and the case alone, never with what an actor says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from wcwidth import wcwidth

from ..engine.interpreter import interpret
from ..engine.settings import Settings
from ..model.case import Case
from ..model.events import Message, Reply, Request
from ..model.immutable import immutable
from ..model.plan import Answer
from ..model.procedure import Procedure
from ..model.punctuation import Punctuation
from ..model.source import Span
from ..templates.template_set import TemplateSet
from ..templates.traced import Piece, TracedTemplates

WIDTH: Final = 100
"""Columns of a line, the sign of its going on apart."""

MOST_WAYS: Final = 80
"""How many ways of a case are tried for one target."""

MOST_CALLS: Final = 2_000
"""After how many calls a way is given up."""

ON: Final = "↩"

MARKS: Final = ("======== ", "---- ")
"""How the lines begin that name a message, and the file that a part of it comes of."""

ANY: Final = "all"
"""The folder of prompts of a procedure in which nobody is under test."""

Way = tuple[tuple[str, str], ...]
"""Answer -> what is given whenever it is asked for, sorted; a token to raise -> "". All others: see `placeholder`."""


@immutable
class Matter:
    """What is played: a checked procedure with its templates, a case, the options chosen."""

    procedure: Procedure
    templates: TemplateSet
    case: Case
    options: Mapping[str, str]


@immutable
class KeptPrompt:
    """What one call adds to a thread, written out; for each of its lines the places in templates that wrote it."""

    text: str
    places: tuple[tuple[Span, ...], ...] = field(default=(), compare=False)


@dataclass(slots=True)
class PromptBounds:
    """Where a bound was met, so that prompts may be missing: targets for which more ways wait than were tried, and ways
    that were given up before their end."""

    unexplored: list[str] = field(default_factory=list)
    given_up: list[tuple[str, Way]] = field(default_factory=list)


def prompts_of(
    matter: Matter, ways: Mapping[str, Sequence[Way]], bounds: PromptBounds | None = None
) -> dict[str, KeptPrompt]:
    """Name -> the first call of its kind at a place, target by target. What reads the same at the same place for an
    earlier target is not kept again. `bounds` is told of ways that were given up.

    Raises TemplateError.
    """
    found: dict[str, KeptPrompt] = {}
    known: set[tuple[str, str]] = set()
    for target, several in ways.items():
        new: dict[str, KeptPrompt] = {}
        for way in several:
            for name, request in _first_calls(matter, target, way, bounds):
                if name not in new:
                    new[name] = _written(request, matter.templates)
        kept = {name: prompt for name, prompt in new.items() if (name, prompt.text) not in known}
        found |= {f"{target or ANY}/{name}": prompt for name, prompt in kept.items()}
        known |= {(name, prompt.text) for name, prompt in new.items()}
    return found


def explored(matter: Matter, target: str, bounds: PromptBounds | None = None) -> tuple[Way, ...]:
    """Ways of a case, the plainest first, each of which has a call that those before it do not have.

    From a way that is kept, every other answer that was asked for in it is tried, one at a time; `bounds` is told where
    some were left untried.
    """
    kept: list[Way] = []
    names: set[str] = set()
    tried: set[Way] = set()
    waiting: deque[Way] = deque([()])
    while waiting and len(tried) < MOST_WAYS:
        way = waiting.popleft()
        if way in tried:
            continue
        tried.add(way)
        calls = tuple(_first_calls(matter, target, way))
        if names.issuperset(name for name, _ in calls):
            continue
        names.update(name for name, _ in calls)
        kept.append(way)
        waiting.extend(_beside(way, (request for _, request in calls)))
    if bounds is not None and not tried.issuperset(waiting):
        bounds.unexplored.append(target)
    return tuple(kept)


def _beside(way: Way, requests: Iterable[Request]) -> Iterator[Way]:
    """A way with one answer given otherwise, or with one event raised."""
    given = dict(way)
    for request in requests:
        answer = request.form.answer
        if answer is not None:
            usual = given.get(answer.name, _value(answer))
            for value in _values(answer):
                if value != usual:
                    yield tuple(sorted({**given, answer.name: value}.items()))
        for token in (*request.form.raising, *request.form.within):
            if token not in given:
                yield tuple(sorted({**given, token: ""}.items()))


def _first_calls(
    matter: Matter, target: str, way: Way, bounds: PromptBounds | None = None
) -> Iterator[tuple[str, Request]]:
    """The calls of one play, the first of each name."""
    seen: set[str] = set()
    for request in _played(matter, target, way, bounds):
        name = name_of(request)
        if name not in seen:
            seen.add(name)
            yield name, request


def _played(matter: Matter, target: str, way: Way, bounds: PromptBounds | None) -> Iterator[Request]:
    given = dict(way)
    settings = Settings(target, 0, matter.options)
    game = interpret(matter.procedure, matter.case, settings, matter.templates)
    replies: tuple[Reply, ...] | None = None
    for _ in range(MOST_CALLS):
        try:
            turn = next(game) if replies is None else game.send(replies)
        except StopIteration:
            return
        yield from (request for request in turn.requests if isinstance(request, Request))
        replies = tuple(
            Reply(text=placeholder(request, given, matter.procedure.marks))
            if isinstance(request, Request)
            else Reply(text='{"found": []}')
            for request in turn.requests
        )
    if bounds is not None:
        bounds.given_up.append((target, way))


def name_of(request: Request) -> str:
    """STAGE/PHASE/ROLE.ACT.WHAT.txt: where a call is made, to whom, and for what."""
    step, phase = request.view.variables["step"], request.view.phase.rpartition("/")[2]
    what = step["document"]["name"] if request.form.kind == "document" else step["id"]
    file = ".".join((request.role, *dict.fromkeys((request.act, what)), "txt"))
    return "/".join(part for part in (request.view.stage, phase, file) if part)


# ---- what is replied -------------------------------------------------------------------------------------------------


def placeholder(request: Request, given: Mapping[str, str], marks: Punctuation) -> str:
    """As few words as the form of a reply allows: who speaks, the tokens that go on, an answer.

    Of choices the first is taken, of yes and no the no, unless `given` says otherwise.
    """
    form, turn = request.form, request.view.variables["step"]["turn"]
    text = marks.bracketed("", request.speaker).strip()
    if raised := next((token for token in form.raising if token in given), ""):
        return f"{text}{marks.token(raised)}"
    if form.kind == "document":
        return "\n".join([request.view.variables["step"]["document"]["title"], text])
    if form.leading:  # the chair: each of those he may call once, then he closes
        return f"{marks.token(form.leading[min(turn, len(form.leading)) - 1])}{text}"
    if form.ending and turn > 1:
        return f"{text}{marks.token(form.ending[0])}"
    marked = (marks.token(f"{name}{marks.colon}{form.highest:g}") for name in form.values)
    within = (marks.token(token) for token in form.within if token in given)
    lines = [text, *within, *marked]
    if form.answer is not None:
        value = given.get(form.answer.name, _value(form.answer))
        lines.append(marks.token(f"{form.answer.called}{marks.colon}{form.answer.said(value)}"))
    return "\n".join(lines)


def _value(answer: Answer) -> str:
    known = _values(answer)
    if known:
        return "no" if answer.form == "yes or no" else known[0]
    return {"number": "1", "date": "2024-05-06", "list": f"{answer.called}1\n{answer.called}2"}.get(
        answer.form, answer.called
    )


def _values(answer: Answer) -> tuple[str, ...]:
    return ("1", "0") if answer.form == "number" else answer.values


# ---- how it is written -----------------------------------------------------------------------------------------------


def _written(request: Request, templates: TemplateSet) -> KeptPrompt:
    lines = [line for message in request.added for line in _message(message, templates)]
    return KeptPrompt("\n".join(text for text, _ in lines), tuple(places for _, places in lines))


def _message(message: Message, templates: TemplateSet) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The lines of a message, each part below the file that it comes of."""
    yield f"{MARKS[0]}{message.role}", ()
    for home, text in message.parts:
        yield f"{MARKS[1]}{home}", ()
        pieces = templates.pieces_of(text) if isinstance(templates, TracedTemplates) else ()
        at = 0
        for line in text.split("\n"):
            for piece in _wrapped(line):
                yield piece.rstrip(), _places(pieces, at, at + len(piece.removesuffix(ON)))
                at += len(piece.removesuffix(ON))
            at += 1
        yield "", ()


def _places(pieces: Sequence[Piece], start: int, end: int) -> tuple[Span, ...]:
    found = (piece.span for piece in pieces if piece.start < end and start < piece.end)
    return tuple(dict.fromkeys(found))


def _wrapped(line: str) -> Iterator[str]:
    """A line in pieces that a screen can hold; all but the last end with a sign that it goes on."""
    piece, used = "", 0
    for character in line:
        width = max(wcwidth(character), 0)
        if used + width > WIDTH:
            yield piece + ON
            piece, used = "", 0
        piece, used = piece + character, used + width
    yield piece
