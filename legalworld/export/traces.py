"""A stored run as a trace: spans for the run, its stages and phases, each turn, each call of a model and of a tool.

They are made of the journal and the times file, so any run can be traced at any time, and the same run gives the same
spans, ids and all. Names and attributes follow the semantic conventions of OpenTelemetry for generative AI, version
1.41. No words of anybody are in them, nothing of the case but its id, and no key: what is told is who was asked, when,
by which model, and how many tokens it took.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Final, Literal

from ..files.digest import digest
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Asked, Called, Entered, Event, Left, Reopened, Spoke
from ..model.immutable import immutable
from ..model.outcome import Ended
from ..models.prices import route_of
from ..models.scripted import NAMES
from ..runs.journal import AnswerLine, ChangeLine
from ..runs.open_run import OpenRun
from ..runs.timeline import FailedCall, TimeSpan, timeline

Value = str | int | bool | tuple[str, ...]

# The conventions' names for providers that litellm calls otherwise.
PROVIDERS: Final[Mapping[str, str]] = {
    "azure": "azure.ai.openai",
    "azure_ai": "azure.ai.inference",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}
OWN: Final = "legalworld"
LONGEST: Final = 200  # characters of a name that a server says of itself


@dataclass(slots=True)
class TraceSpan:
    """One span. `id` and `parent`: 64 bits, `parent` 0 for the run itself; `start`, `end`: nanoseconds since 1970.

    `error`: the value of `error.type` where it failed, else "".
    """

    id: int
    parent: int
    name: str
    start: int
    end: int
    kind: Literal["internal", "client"] = "internal"
    attributes: dict[str, Value] = field(default_factory=dict)
    error: str = ""


@immutable
class Trace:
    """The spans of a run, each behind the one that it belongs to; `id`: 128 bits."""

    id: int
    spans: tuple[TraceSpan, ...]


def trace_of(opened: OpenRun) -> Trace | Diagnostic:
    """The trace of a run; of one whose times file is gone or does not say when it was played, there is none."""
    times = timeline(opened.folder.times)
    if times is None:
        return diagnose.untimed_run(str(opened.folder.times), path=str(opened.folder.path))
    made_of = {name: repr(value) for name, value in asdict(opened.folder.info).items()} | {"begun": repr(times.begun)}
    weaver = _Weaver(opened, int(digest(made_of)[:32], 16), times.begun, times.answers)
    failures: dict[str, list[FailedCall]] = {}
    for failed in times.failures:
        failures.setdefault(failed.request, []).append(failed)
    for line in opened.loaded.lines:
        if isinstance(line, AnswerLine):
            weaver.answered(line)
            continue
        if isinstance(line, ChangeLine):
            continue
        weaver.happened(line.event, line.n)
        for failed in failures.pop(line.event.id, ()) if isinstance(line.event, Asked) else ():
            weaver.failed(failed)
    for left in (failed for several in failures.values() for failed in several):
        weaver.failed(left)
        weaver.spans[0].error = left.kind  # what was asked in vain was never asked again
    return Trace(weaver.trace, weaver.woven())


class _Weaver:
    """Spans while they are made. `open`: run, stage, phase and turn, as far as there are any; the last is innermost."""

    def __init__(self, opened: OpenRun, trace: int, begun: float, answers: Mapping[int, TimeSpan]) -> None:
        self.trace = trace
        self.spans: list[TraceSpan] = []
        self._info = opened.folder.info
        self._answers = answers
        self._now = begun
        self._open: list[tuple[str, TraceSpan]] = []
        self._asked: dict[str, Asked] = {}
        self._turn: tuple[str, ...] = ()
        self._errand: TimeSpan | None = None
        info = self._info
        run: dict[str, Value] = {
            **{"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": info.procedure},
            **{"legalworld.run": opened.run_id, "legalworld.case": info.case, "legalworld.seed": info.seed},
            **{"legalworld.target": info.target, "legalworld.version": info.version, "legalworld.spec": info.digest},
        }
        self._begin("run", f"invoke_workflow {info.procedure}", "run", run)

    def happened(self, event: Event, n: int) -> None:
        """One event of the journal, of line `n`."""
        match event:
            case Entered(level=level) | Left(level=level):
                self._end_turn()
                if level != "step":
                    self._leave(level)
                if isinstance(event, Entered) and level != "step":
                    self._begin(level, f"{level} {event.place}", f"{level} {n}", {f"legalworld.{level}": event.place})
            case Reopened():
                self._end_turn()
                self._leave("phase")
                phase: dict[str, Value] = {"legalworld.phase": event.place, "legalworld.reopened": event.number}
                self._begin("phase", f"phase {event.place}", f"phase {n}", phase)
            case Asked():
                self._asked[event.id] = event
                turn = (event.place, event.person, event.role, event.act)
                if turn != self._turn:
                    self._end_turn()
                    self._turn = turn
                    self._begin("turn", f"invoke_agent {event.role}", f"turn {n}", self._turn_told(event))
            case Spoke():
                self._turn = ()  # who is asked again has another turn
            case Called():
                self._tool(event, n)
            case Ended(outcome=outcome):
                self.spans[0].attributes["legalworld.outcome"] = outcome
            case _:
                pass

    def answered(self, line: AnswerLine) -> None:
        """A reply, or what an errand brought back."""
        when = self._answers.get(line.n)
        asked = self._asked.get(line.request)
        if when is None:
            if self._info.parent:
                return  # the parent's call, and in the parent's trace
            when = TimeSpan(self._now, self._now)
        self._now = max(self._now, when.end)
        if asked is None:
            self._errand = when
            return
        reply, told = line.reply, self._call_told(asked.role, asked.thread, line.reply.by)
        if told["gen_ai.provider.name"] != OWN and reply.model:
            told["gen_ai.response.model"] = reply.model[:LONGEST]
        if reply.prompt_tokens is not None:
            told["gen_ai.usage.input_tokens"] = reply.prompt_tokens
            told["gen_ai.usage.cache_read.input_tokens"] = reply.cached_tokens
        if reply.completion_tokens is not None:
            told["gen_ai.usage.output_tokens"] = reply.completion_tokens
        if reply.cut:
            told["gen_ai.response.finish_reasons"] = ("length",)
        self._call(told, when, f"answer {line.n}")

    def failed(self, failed: FailedCall) -> None:
        """A call that nobody answered."""
        self._now = max(self._now, failed.when.end)
        asked = self._asked.get(failed.request)
        told = self._call_told(failed.role, asked.thread if asked is not None else "")
        self._call(told, failed.when, f"failed {failed.request} {failed.when.end!r}", failed.kind)

    def woven(self) -> tuple[TraceSpan, ...]:
        """All spans, when nothing more comes."""
        while self._open:
            self._close()
        return tuple(self.spans)

    # ---- one span after the other ------------------------------------------------------------------------------------

    def _begin(self, level: str, name: str, key: str, told: Mapping[str, Value]) -> None:
        now = _nanoseconds(self._now)
        span = self._made(name, key, now, now, told)
        self._open.append((level, span))

    def _made(self, name: str, key: str, start: int, end: int, told: Mapping[str, Value]) -> TraceSpan:
        parent = self._open[-1][1] if self._open else None
        start = max(start, parent.start) if parent is not None else start
        number = int.from_bytes(sha256(f"{self.trace:032x} {key}".encode()).digest()[:8]) or 1
        span = TraceSpan(number, parent.id if parent is not None else 0, name, start, max(start, end))
        span.attributes.update(told)
        self.spans.append(span)
        return span

    def _close(self) -> None:
        """The innermost is over, and lasted at least as long as what is in it."""
        _, span = self._open.pop()
        span.end = max(span.end, _nanoseconds(self._now))
        if self._open:
            outer = self._open[-1][1]
            outer.end = max(outer.end, span.end)

    def _leave(self, level: str) -> None:
        """The stage or phase that is open is over, with what is in it."""
        while any(one == level for one, _ in self._open):
            self._close()

    def _end_turn(self) -> None:
        self._turn = ()
        self._leave("turn")

    # ---- what is told of each ----------------------------------------------------------------------------------------

    def _turn_told(self, asked: Asked) -> dict[str, Value]:
        return {
            **{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": asked.role},
            **{"gen_ai.conversation.id": self._conversation(asked.thread)},
            **{"legalworld.person": asked.person, "legalworld.place": asked.place, "legalworld.act": asked.act},
        }

    def _conversation(self, thread: str) -> str:
        return f"{self.trace:032x}/{thread}"

    def _call_told(self, role: str, thread: str, by: str = "") -> dict[str, Value]:
        provider, model = _route(self._info.model_of(by or self._info.models.get(role, "")))
        told: dict[str, Value] = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider}
        told |= {"gen_ai.request.model": model, "legalworld.role": role}
        return told | ({"gen_ai.conversation.id": self._conversation(thread)} if thread else {})

    def _call(self, told: Mapping[str, Value], when: TimeSpan, key: str, error: str = "") -> None:
        start, end = _nanoseconds(when.start), _nanoseconds(when.end)
        span = self._made(f"chat {told['gen_ai.request.model']}", key, start, end, told)
        span.kind = "internal" if told["gen_ai.provider.name"] == OWN else "client"
        span.error = error

    def _tool(self, called: Called, n: int) -> None:
        """A tool that does not exist is named as the reply wrote it, which is nobody's to publish."""
        now, self._errand = self._errand or TimeSpan(self._now, self._now), None
        name = called.tool if called.refused != "unknown" else "unknown"
        told: dict[str, Value] = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
        told["gen_ai.tool.type"] = "function"
        start, end = _nanoseconds(now.start), _nanoseconds(now.end)
        span = self._made(f"execute_tool {name}", f"tool {n}", start, end, told)
        span.error = called.refused


def _route(model: str) -> tuple[str, str]:
    """Provider and model, as the conventions have them. A recorded run is named without the folder where it lies."""
    if model in NAMES or not model:
        return OWN, model or "unknown"
    if model.startswith("replay:"):
        return OWN, "replay"
    provider, slash, name = model.partition("/")
    if not slash:  # litellm knows whose it is
        route = route_of(model)
        provider, name = (route[1], model) if route is not None else ("unknown", model)
    return PROVIDERS.get(provider, provider), name


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1e9)
