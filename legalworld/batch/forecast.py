"""What runs will take, before they are played: their cases are played offline, with replies as long as models write.

Of each call the prompt is the very one that a model would be sent had the others said what the offline actors say, made
as long as `Lengths` has it; tokens are estimated by `likely_tokens`. What is assumed is told by `lw cost`.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from ..engine.handing_in import holds
from ..engine.interpreter import interpret
from ..engine.settings import Settings
from ..language import diagnose
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.events import Event, Message, Reply, Request
from ..model.immutable import immutable, names_of
from ..model.procedure import Procedure
from ..models import tool_calls
from ..models.prices import Spent, likely_tokens
from ..models.scripted import Offline
from ..runs.actors import protocols
from ..runs.call_costs import CallCost, costs_nothing
from ..runs.loop import Game, ReplayLog, play_through
from ..runs.norm_bench import norm_bench
from ..runs.open_run import OpenRun
from ..runs.project import Problems
from ..runs.read_parts import part_reader
from ..runs.tool_services import ToolServices
from ..templates.template_set import TemplateError, TemplateSet
from ..wording import say
from .jobs import PlannedBatch
from .play import Job

SAMPLE: Final = 5
"""Runs of a batch that are played for a forecast; the others are taken to be as these."""

_UNSPOKEN: Final = frozenset({"remember", "note", "vote", "review"})  # written down by one for himself, in a few words


@immutable
class Lengths:
    """Characters to which a reply of each kind is made up where the offline actor's is shorter; `thought`: tokens that
    a model thinks besides. What is written down for oneself (memory, findings) stays as it is."""

    speech: int = 200
    document: int = 2500
    thought: int = 0


@immutable
class ForecastRun:
    """A run that was played for a forecast. `free`: calls that no model answers."""

    calls: tuple[CallCost, ...]
    free: int


@immutable
class Forecast:
    """`runs`: how many there will be; `played`: those that were played for it; `failed`: why others could not be."""

    runs: int
    played: tuple[ForecastRun, ...]
    failed: Problems


KINDS: Final = names_of(Lengths)
_MOST: Final = 100_000  # characters of a reply


def lengths_of(words: Sequence[str]) -> Lengths | Problems:
    """The lengths that a command names as KIND:NUMBER, or all that is wrong with them."""
    problems: list[Diagnostic] = []
    lengths = Lengths()
    for word in words:
        kind, _, number = word.partition(":")
        if kind not in KINDS or not number.isdecimal() or int(number[:7]) > _MOST:
            problems.append(diagnose.invalid_reply_length("--reply", word=word, known=KINDS))
        else:
            lengths = replace(lengths, **{kind: int(number)})
    return tuple(problems) or lengths


def forecast_batch(plan: PlannedBatch, lengths: Lengths, sample: int, watch: Callable[[int], None]) -> Forecast:
    """What a batch will take, by some of its runs, drawn evenly and always the same ones.

    `watch` is told how many are still to be played.
    """
    drawn: list[Job] = []
    wrong: list[Diagnostic] = []
    runs, dice = 0, random.Random(0)
    for job in plan.jobs():
        if not isinstance(job, Job):
            wrong += job.problems
            continue
        runs += 1
        if len(drawn) < sample:
            drawn.append(job)
        elif (place := dice.randrange(runs)) < sample:
            drawn[place] = job
    played = []
    for number, job in enumerate(drawn):
        watch(len(drawn) - number)
        run, procedure = job.plan, plan.project.procedure
        assert procedure is not None
        callers = frozenset(protocols(procedure, run.models, run.tools, run.profiles))
        settings = Settings(run.target, run.seed, run.options, "", (), callers, run.skip)
        case, templates = run.matter.case, plan.project.templates
        playing = _OfflinePlay(procedure, case, templates, run.seed, run.models, lengths)
        found = playing.play(interpret(procedure, case, settings, templates, reader=part_reader(procedure, case)))
        if isinstance(found, ForecastRun):
            played.append(found)
        else:
            wrong += found
    return Forecast(runs, tuple(played), tuple(wrong))


def forecast_again(opened: OpenRun, lengths: Lengths) -> ForecastRun | Problems:
    """What a forecast would have said of a run that is there, from its own copies."""
    info = opened.folder.info
    playing = _OfflinePlay(opened.procedure, opened.case, opened.project.templates, info.seed, info.models, lengths)
    return playing.play(opened.game())


# ---- one run ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _OfflinePlay:
    """One run, played offline."""

    procedure: Procedure
    case: Case
    templates: TemplateSet
    seed: int
    models: Mapping[str, str]
    lengths: Lengths
    calls: list[CallCost] = field(default_factory=list)
    free: int = 0
    before: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def play(self, game: Game) -> ForecastRun | Problems:
        services = ToolServices(self.procedure, self.case, Path.cwd(), self.procedure.locale, lambda: self.case)
        actors = Offline(self.templates, self.seed, decide=norm_bench(self.procedure, self.case, self.templates))

        async def answer(request: Request) -> Reply:
            reply = actors.answer(request)
            model = self.models.get(request.role, "")
            if costs_nothing(model):
                self.free += 1
                return reply
            text = self._made_up(request, reply.text)
            self._count(request, model, text)
            return reply.model_copy(update={"text": text})

        try:
            asyncio.run(play_through(game, ReplayLog(), answer, _ignored, services.carry))
        except TemplateError as error:
            return error.problems
        finally:
            services.close()
        return ForecastRun(tuple(self.calls), self.free)

    def _made_up(self, request: Request, text: str) -> str:
        """The reply as long as one of its kind is taken to be."""
        if request.act in _UNSPOKEN:
            return text
        form = request.form
        written = form.kind == "document" or (form.kind == "either" and holds(form.sections, text))
        wanted = self.lengths.document if written else self.lengths.speech
        missing = min(wanted, form.limit) - len(text)
        at = _words_end(text, self.templates.marks.opening, self.templates.marks.closing)
        if missing <= 0 or not at:
            return text
        filler = say("cost.filler", self.procedure.locale)
        more = (filler * (missing // len(filler) + 1))[:missing]
        return text[:at] + more + text[at:]

    def _count(self, request: Request, model: str, text: str) -> None:
        schemas = json.dumps([*map(tool_calls.offered, request.tools)], ensure_ascii=False) if request.tools else ""
        pieces = (("tools", schemas), *((message.role, _words(message)) for message in request.messages))
        kept = _kept(self.before.get(request.person, ()), pieces)
        self.before[request.person] = pieces
        sent = sum(_tokens(piece) for _, piece in pieces)
        took = Spent(1, round(sent), round(kept), round(_tokens(text)) + self.lengths.thought)
        stage = request.id.partition("#")[0].partition("/")[0]
        self.calls.append(CallCost(stage, request.role, model, "", took))


def _ignored(_: Event | Request) -> None:
    """Watch nothing."""


def _words(message: Message) -> str:
    return message.content + "".join(call.name + call.arguments for call in message.calls)


def _words_end(text: str, opening: str, closing: str) -> int:
    """Where a text could go on: before the tokens that it ends with; 0 where it is nothing else."""
    end = len(text.rstrip())
    while end and text.endswith(closing, 0, end):
        end = len(text[: max(text.rfind(opening, 0, end), 0)].rstrip())
    return end


def _kept(before: Sequence[tuple[str, str]], now: Sequence[tuple[str, str]]) -> float:
    """The tokens with which both requests of a person begin: what a provider can have kept."""
    tokens = 0.0
    for (role, text), (other, new) in zip(before, now, strict=False):
        if role != other:
            break
        if text != new:
            pairs = enumerate(zip(text, new, strict=False))
            same = next((n for n, (one, two) in pairs if one != two), min(len(text), len(new)))
            return tokens + likely_tokens(new[:same])
        tokens += _tokens(text)
    return tokens


@lru_cache(maxsize=20_000)
def _tokens(text: str) -> float:
    return likely_tokens(text)
