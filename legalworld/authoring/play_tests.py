"""A test of a procedure played in memory: by the offline actors, but for the replies that the test gives them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..engine.interpreter import interpret
from ..engine.settings import Settings
from ..model.case import Case
from ..model.events import Event, Reply, Request
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.punctuation import Punctuation
from ..models.failures import ModelFailed
from ..models.given_answers import GivenAnswer, with_answer
from ..models.scripted import NAMES, Offline
from ..runs.loop import ReplayLog, play_through
from ..runs.norm_bench import norm_bench
from ..runs.read_parts import part_reader
from ..templates.template_set import TemplateSet
from .procedure_tests import MOST_CALLS, Played, PlayedCall, ProcedureTest, ScriptedReply, plain


class _GivenUp(Exception):
    """The run goes on and on."""


@immutable
class TestMatter:
    """What a test is played with: a procedure without errors, its templates, the case, what was chosen.

    `wording`: all that stands in the files of the procedure and in its templates, where a test asks for it.
    `given`: the answers that the case gives to the offline actors.
    """

    procedure: Procedure
    templates: TemplateSet
    case: Case
    settings: Settings
    wording: str = ""
    given: tuple[GivenAnswer, ...] = ()


def play(test: ProcedureTest, matter: TestMatter) -> Played:
    """One test, from the first stage to its end or to where it is to stop. Raises TemplateError."""
    procedure, played = matter.procedure, Played(matter.procedure, matter.case, matter.wording)
    decide = norm_bench(procedure, matter.case, matter.templates)
    actors = Offline(matter.templates, test.seed, NAMES[test.model], decide=decide, given=matter.given)
    script = _Script(test.replies, procedure.marks)

    async def answer(request: Request) -> Reply:
        if len(played.calls) >= MOST_CALLS:
            raise _GivenUp
        place = plain(request.id.rsplit("/", 2)[0])
        reply = actors.answer(request)
        text = script.said(request, place, reply.text)
        played.calls.append(PlayedCall(request, place, text))
        return reply.model_copy(update={"text": text})

    def watch(event: Event | Request) -> None:
        if not isinstance(event, Request):
            played.events.append(event)

    reader = part_reader(procedure, matter.case)
    game = interpret(procedure, matter.case, matter.settings, matter.templates, reader=reader)
    try:
        played.status = asyncio.run(play_through(game, ReplayLog(), answer, watch)).status
    except _GivenUp:
        played.given_up = True
    except ModelFailed as failed:
        played.stopped = failed.problem
    played.unused = script.unused
    return played


class _Script:
    """The replies of a test; of those that apply the first one speaks."""

    def __init__(self, replies: Sequence[ScriptedReply], marks: Punctuation) -> None:
        self._replies = replies
        self._marks = marks
        self._times = [0] * len(replies)
        self._used: set[int] = set()

    @property
    def unused(self) -> list[ScriptedReply]:
        """Those that nobody had a use for, or not for all of them."""
        return [
            reply
            for number, reply in enumerate(self._replies)
            if number not in self._used or self._times[number] < len(reply.texts) > 1
        ]

    def said(self, request: Request, place: str, usual: str) -> str:
        """What somebody says instead of the usual words."""
        for number, reply in enumerate(self._replies):
            if reply.roles and request.role not in reply.roles:
                continue
            if reply.at and not any(where.holds(place) for where in reply.at):
                continue
            text = self._of(number, reply, request, usual)
            if text is not None:
                self._used.add(number)
                return text
        return usual

    def _of(self, number: int, reply: ScriptedReply, request: Request, usual: str) -> str | None:
        answer = request.form.answer
        given = reply.answers.get(answer.name) if answer is not None else None
        if reply.texts:
            if len(reply.texts) > 1 and self._times[number] == len(reply.texts):
                return None
            text = reply.texts[min(self._times[number], len(reply.texts) - 1)]
            self._times[number] += 1
            return text if given is None else self._answering(request, text, given)
        return None if given is None else self._answering(request, usual, given)

    def _answering(self, request: Request, text: str, value: str) -> str:
        """Words with one answer given in them, in place of the one that stands there."""
        answer = request.form.answer
        assert answer is not None
        return with_answer(text, answer, answer.said(value), self._marks)
