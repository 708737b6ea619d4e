"""A model is tried: a minute of small questions to its real server, and what they show of its habits.

    trial = asyncio.run(try_model(profile, ask_words, day))      # trial.habits, trial.results, trial.failed

Each probe is a function that asks and returns what it found; a new habit to look for is one more in `PROBES`. The words
of the questions come from outside (`wording/*.toml`): this module knows only what is to be seen in the answers.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Self

from ...engine.reply_reader import read
from ...language import diagnose
from ...model.dialect import known_dialect
from ...model.events import Offer
from ...model.immutable import immutable, replace
from ...model.json_text import read_json
from .. import tool_calls
from ..chat_request import body_extra
from ..failures import Failure, ModelFailed, failure_of
from ..litellm_client import access
from ..stream import heard
from ..wire import EXCHANGE, Exchange, http_client, quiet_litellm
from .profile import ModelProfile
from .tried_habits import TriedHabits

SECONDS: Final = 60.0  # of all probes together
ONE: Final = 45.0  # of one question
AT_ONCE: Final = 5
ROOM: Final = 1200  # tokens of a short answer: a reasoning model thinks first
LONG: Final = 24_000  # characters of the long prompt
_BRACKETS: Final = (("<", ">"), ("[", "]"), ("\u25c1", "\u25b7"), ("\u3010", "\u3011"), ("\u27e6", "\u27e7"))
_PIPED: Final = re.compile(r"<[|\uff5c][^|\uff5c<>]{1,40}[|\uff5c]>")
TOOL: Final = Offer(
    name="find_article",
    description="Look up one article of a law.",
    schema={
        "type": "object",
        "properties": {"law": {"type": "string"}, "article": {"type": "string"}},
        "required": ["law", "article"],
    },
)
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"score": {"type": "integer"}, "reason": {"type": "string"}},
    "required": ["score", "reason"],
    "additionalProperties": False,
}
Words = Callable[..., str]
"""The words of a question, by the name of its probe."""
Turn = Mapping[str, Any]


@immutable
class ProbeAnswer:
    """What a server answered. `refusal`: its own field for one; `finish`: why it ended; `written`: its words before
    litellm took a thought out of them, where its answer has OpenAI's form."""

    text: str
    thought: str
    finish: str
    model: str
    counted: bool
    refusal: str
    calls: tuple[Any, ...] = ()
    written: str = ""


@immutable
class ProbeResult:
    """What a probe showed. `found`: a word for it, whose sentence is in `wording/*.toml`, with what is `told` in it;
    `changes`: what it adds to the habits."""

    found: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)


@immutable
class ModelTrial:
    """What came of trying a model, probe by probe. `failed`: why not even the first question was answered."""

    habits: TriedHabits
    results: Mapping[str, ProbeResult] = field(default_factory=dict)
    failed: ModelFailed | None = None


@dataclass(slots=True)
class _Asker:
    """Asks one model. `streaming`: it only answers in pieces; `finishes`: the reasons to end that were seen."""

    profile: ModelProfile
    words: Words
    streaming: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    finishes: set[str] = field(default_factory=set)
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    client: Any = None

    async def __aenter__(self) -> Self:
        self.client = http_client()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()
        await quiet_litellm().close_litellm_async_clients()

    async def ask(self, *turns: Turn | str, **more: Any) -> ProbeAnswer | Failure:
        """The answer to a thread; a text alone is what a user says. `more`: parameters of the request."""
        messages = [{"role": "user", "content": turn} if isinstance(turn, str) else dict(turn) for turn in turns]
        request = {**self._request(), "max_tokens": ROOM, **self.parameters, **more, "messages": messages}
        request = {name: value for name, value in request.items() if value is not None}
        exchange = Exchange(address=request.get("api_base", ""))
        EXCHANGE.set(exchange)  # of this task alone, as nothing else is asked within it
        try:
            async with self.room, asyncio.timeout(ONE):
                if request.pop("stream", self.streaming):
                    streamed = await quiet_litellm().acompletion(**request, stream=True)
                    async with aclosing(streamed) as stream:
                        answer = _answer(await heard(stream, lambda _: None, known_dialect()))
                else:
                    answer = _answer(await quiet_litellm().acompletion(**request))
        except TimeoutError:
            return Failure("deadline", diagnose.failed_connection, f"> {ONE:g} s")
        except Exception as error:  # a broken answer lets IndexError, KeyError and the like out of litellm
            return failure_of(error, exchange)
        self.finishes.add(answer.finish)
        return replace(answer, written=_written(exchange.body))

    def _request(self) -> dict[str, Any]:
        endpoint = self.profile.endpoint(ONE)
        return {
            **{"model": endpoint.model, "timeout": ONE, "num_retries": 0, "max_retries": 0, "drop_params": True},
            **access(endpoint).options,
            "client": self.client,
            **body_extra(endpoint),
        }


def _answer(answer: Any) -> ProbeAnswer:
    """What litellm made of an answer, as far as it is looked at here."""
    choice = answer.choices[0]
    message = choice.message
    usage = getattr(answer, "usage", None)
    refusal = getattr(message, "refusal", None) or (getattr(message, "provider_specific_fields", None) or {}).get(
        "refusal"
    )
    return ProbeAnswer(
        text=str(message.content or ""),
        thought=str(getattr(message, "reasoning_content", None) or ""),
        finish=str(choice.finish_reason or ""),
        model=str(answer.model or ""),
        counted=bool(usage and usage.prompt_tokens),
        refusal=str(refusal or ""),
        calls=tuple(getattr(message, "tool_calls", None) or ()),
    )


def _written(body: bytes) -> str:
    """The words of an answer as its server wrote them, whole or in pieces; "" where there are none in that form."""
    text = body.decode("utf-8", "replace")
    parts = [text] if text.lstrip().startswith("{") else re.findall(r"^data:\s*(\{.*)$", text, re.MULTILINE)
    found = []
    for part in parts:
        with suppress(ValueError, LookupError, TypeError, AttributeError):
            choice = read_json(part)["choices"][0]
            content = (choice.get("message") or choice.get("delta") or {}).get("content")
            found += [content] if isinstance(content, str) else []
    return "".join(found)


def marks_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of marks that stand around something in a text: `<a>...</a>`, `[A]...[/A]` and their like.

    Where only the closing one stands, the opening one was left in the prompt. Nothing in a probe's question has marks.
    """
    found: dict[tuple[str, str], None] = {}
    for left, right in _BRACKETS:
        begin, end = re.escape(left), re.escape(right)
        for mark in re.finditer(rf"{begin}/([\w.:-]{{1,40}}){end}", text):
            opening = re.search(rf"(?i){begin}{re.escape(mark[1])}(?:\s[^{end}]{{0,80}})?{end}", text[: mark.start()])
            found[opening[0] if opening else f"{left}{mark[1]}{right}", mark[0]] = None
    return tuple(found)


# ---- the probes ------------------------------------------------------------------------------------------------------


Probe = Callable[[_Asker], Awaitable[ProbeResult]]


def _refused(answer: ProbeAnswer | Failure) -> bool:
    """Whether a server said no to a request, and not that it could not answer now."""
    return isinstance(answer, Failure) and answer.kind == "refused"


def _no(answer: ProbeAnswer | Failure, changes: Mapping[str, Any]) -> ProbeResult:
    """What is found where nothing was answered: a refusal is a habit, anything else tells nothing."""
    assert isinstance(answer, Failure)
    told = {"detail": answer.detail[:120]}
    return ProbeResult("no", changes, told) if answer.kind == "refused" else ProbeResult("unknown", {}, told)


async def _system(asker: _Asker) -> ProbeResult:
    order = {"role": "system", "content": asker.words("system")}
    answer = await asker.ask(order, asker.words("system_asked"))
    if isinstance(answer, Failure):
        return _no(answer, {"system": False})
    kept = asker.words("system_sign") in answer.text
    return ProbeResult("yes" if kept else "ignored", {"system": True})


async def _chinese(asker: _Asker) -> ProbeResult:
    answer = await asker.ask(asker.words("chinese"))
    if isinstance(answer, Failure):
        return _no(answer, {})
    letters = [sign for sign in answer.text if sign.isalpha()]
    chinese = bool(letters) and sum(0x4E00 <= ord(sign) <= 0x9FFF for sign in letters) > len(letters) / 3
    return ProbeResult("yes" if chinese else "no", {"chinese": chinese})


async def _document(asker: _Asker) -> ProbeResult:
    answer = await asker.ask(asker.words("document"), max_tokens=3 * ROOM)
    if isinstance(answer, Failure):
        return _no(answer, {})
    size = len(answer.text)
    found = (
        "cut" if answer.finish == "length" else "whole" if asker.words("document_sign") in answer.text else "endless"
    )
    return ProbeResult(found, {"document": size}, {"size": size})


async def _long(asker: _Asker) -> ProbeResult:
    filler = asker.words("long_filler")
    text = asker.words("long_first") + filler * (LONG // len(filler)) + asker.words("long_asked")
    answer = await asker.ask(text)
    if isinstance(answer, Failure):
        return _no(answer, {})
    read = asker.words("long_sign") in answer.text
    return ProbeResult("yes" if read else "lost", {"prompt": len(text)} if read else {}, {"size": len(text)})


async def _tools(asker: _Asker) -> ProbeResult:
    """Natively, two rounds; else in the text."""
    offered = [tool_calls.offered(TOOL)]
    asked = {"role": "user", "content": asker.words("tools")}
    answer = await asker.ask(asked, tools=offered)
    if isinstance(answer, ProbeAnswer) and answer.calls:
        again = await asker.ask(asked, *_called(answer), tools=offered)
        if isinstance(again, ProbeAnswer):
            return ProbeResult("native", {"tools": "native", "rounds": True})
        if again.kind == "refused":
            return await _in_text(asker, "rounds", {"rounds": False}, {"detail": again.detail[:120]})
        return ProbeResult("native", {"tools": "native"}, {"detail": again.detail[:120]})
    detail = answer.detail[:120] if isinstance(answer, Failure) else ""
    return await _in_text(asker, "text", {}, {"detail": detail})


async def _in_text(asker: _Asker, found: str, changes: Mapping[str, Any], told: Mapping[str, Any]) -> ProbeResult:
    answer = await asker.ask(asker.words("tools_text", name=TOOL.name))
    able = isinstance(answer, ProbeAnswer) and re.search(rf"\{{[^{{}}]*\"{TOOL.name}\"", answer.text) is not None
    return ProbeResult(found if able else "none", {**changes, "tools": "text" if able else "none"}, told)


def _called(answer: ProbeAnswer) -> tuple[dict[str, Any], ...]:
    """The message that called a tool, with its thought, as it goes back; and the results."""
    calls = [
        {
            "id": call.id or f"call{number:05d}",
            "type": "function",
            "function": {"name": call.function.name, "arguments": call.function.arguments or "{}"},
        }
        for number, call in enumerate(answer.calls)
    ]
    said = {"role": "assistant", "content": answer.text or None, "tool_calls": calls}
    results = ({"role": "tool", "tool_call_id": call["id"], "content": '{"found": []}'} for call in calls)
    return ({**said, "reasoning_content": answer.thought} if answer.thought else said, *results)


async def _stream(asker: _Asker) -> ProbeResult:
    if asker.streaming:
        return ProbeResult("needed", {"stream": "needed"})
    answer = await asker.ask(asker.words("chinese"), stream=True)
    return ProbeResult("yes", {"stream": "yes"}) if isinstance(answer, ProbeAnswer) else _no(answer, {"stream": "no"})


async def _schema(asker: _Asker) -> ProbeResult:
    form = {"type": "json_schema", "json_schema": {"name": "scores", "schema": SCHEMA, "strict": True}}
    answer = await asker.ask(asker.words("schema"), response_format=form)
    if isinstance(answer, Failure):
        return _no(answer, {"schema": False})
    told: Any = None
    with suppress(ValueError):
        told = read_json(answer.text)
    kept = isinstance(told, dict) and set(told) == {"score", "reason"}
    return ProbeResult("yes" if kept else "ignored", {"schema": kept})


PARAMETERS: Final[Mapping[str, Any]] = {"temperature": 0.3, "top_p": 0.9, "seed": 7, "max_tokens": ROOM}


async def _parameters(asker: _Asker) -> ProbeResult:
    """Each of them alone, then those of sampling together."""
    names = [name for name in PARAMETERS if name != "max_tokens"]
    answers = await asyncio.gather(*(asker.ask(asker.words("plain"), **{name: PARAMETERS[name]}) for name in names))
    refused = [name for name, answer in zip(names, answers, strict=True) if _refused(answer)]
    apart: tuple[str, ...] = ()
    if not {"temperature", "top_p"}.intersection(refused):
        both = await asker.ask(asker.words("plain"), temperature=0.3, top_p=0.9)
        apart = ("temperature", "top_p") if _refused(both) else ()
    if any(isinstance(answer, Failure) and not _refused(answer) for answer in answers):
        return ProbeResult("unknown", {"refused": tuple(refused), "apart": apart}, {"names": refused})
    found = "both" if refused and apart else "no" if refused else "apart" if apart else "yes"
    return ProbeResult(found, {"refused": tuple(refused), "apart": apart}, {"names": refused, "apart": list(apart)})


async def _limit(asker: _Asker) -> ProbeResult:
    """Whether an answer that ends at its limit says so."""
    answer = await asker.ask(asker.words("limit"), max_tokens=16)
    if isinstance(answer, Failure):
        return _no(answer, {})
    told = answer.finish == "length"
    return ProbeResult("yes" if told else "no", {"cut_told": told}, {"finish": answer.finish})


async def _refusal(asker: _Asker) -> ProbeResult:
    """How a refusal shows: by a field, by the reason to end, by nothing but words."""
    answer = await asker.ask(asker.words("refusal"))
    if isinstance(answer, Failure):
        stopped = answer.says is diagnose.refused_content
        return ProbeResult("stop", {"refusal": "stop"}) if stopped else _no(answer, {})
    shown = "field" if answer.refusal else "stop" if answer.finish not in ("stop", "length", "") else "words"
    return ProbeResult(shown, {"refusal": shown}, {"finish": answer.finish})


PROBES: Final[Mapping[str, Probe]] = {
    "system": _system,
    "chinese": _chinese,
    "document": _document,
    "long": _long,
    "tools": _tools,
    "stream": _stream,
    "schema": _schema,
    "parameters": _parameters,
    "limit": _limit,
    "refusal": _refusal,
}


# ---- all of them -----------------------------------------------------------------------------------------------------


async def try_model(profile: ModelProfile, words: Words, day: str, seconds: float = SECONDS) -> ModelTrial:
    """Ask a model all there is to ask, within so many seconds; `day` is today (ISO 8601)."""
    habits = TriedHabits(profile.model, day)
    async with _Asker(profile, words, parameters=_sendable(profile)) as asker:
        try:
            async with asyncio.timeout(seconds) as limit:
                first = await _first(asker)
                if isinstance(first, Failure):
                    return ModelTrial(habits, failed=first.raised(profile.name, 1))
                seen = {"plain": _plain(first), "thought": _thought(first, profile), "tokens": _counted(first)}
                left = (limit.when() or 0.0) - asyncio.get_running_loop().time()
                seen |= await _all(asker, left * 0.97)
        except TimeoutError:
            late = diagnose.model_deadline_exceeded(
                profile.name, model=profile.name, seconds=f"{seconds:g}", attempts=1
            )
            return ModelTrial(habits, failed=ModelFailed("deadline", late))
        changes = {name: value for one in seen.values() for name, value in one.changes.items()}
        habits = replace(habits, **changes, finishes=tuple(sorted(filter(None, asker.finishes))))
    return ModelTrial(habits, seen)


def _sendable(profile: ModelProfile) -> dict[str, Any]:
    """What a person set, but for what is no parameter of a request."""
    return {name: value for name, value in profile.parameters.items() if name != "thought_tokens"}


async def _first(asker: _Asker) -> ProbeAnswer | Failure:
    """The first answer: whole, else in pieces, else without what a person set; the others are asked in the same way."""
    first = answer = await asker.ask(asker.words("plain"))
    for streaming, parameters in ((True, asker.parameters), (False, {}), (True, {})):
        if isinstance(answer, ProbeAnswer) or not _refused(answer):
            break
        asker.streaming, asker.parameters = streaming, parameters
        answer = await asker.ask(asker.words("plain"))
    return answer if isinstance(answer, ProbeAnswer) else first


async def _all(asker: _Asker, seconds: float) -> dict[str, ProbeResult]:
    """All probes at once; one that takes too long has shown nothing."""

    async def one(name: str, probe: Probe) -> tuple[str, ProbeResult]:
        try:
            async with asyncio.timeout(seconds):
                return name, await probe(asker)
        except TimeoutError:
            return name, ProbeResult("late")

    return dict(await asyncio.gather(*(one(name, probe) for name, probe in PROBES.items())))


def _plain(answer: ProbeAnswer) -> ProbeResult:
    found = "yes" if answer.text.strip() else "silent"
    return ProbeResult(found, {"answered": answer.model}, {"model": answer.model})


def _thought(answer: ProbeAnswer, profile: ModelProfile) -> ProbeResult:
    """Where thoughts are: in a field of their own, between marks that are known or not, nowhere to be seen."""
    said = read(answer.written or answer.text, profile.endpoint().marks, calls=False)
    apart = bool(answer.thought) and not said.thought
    pairs = marks_in(said.text)
    thoughts = tuple({"opening": opening, "closing": closing, "case": "any"} for opening, closing in pairs)
    changes: dict[str, Any] = {"thought_apart": apart} | ({"thoughts": thoughts} if thoughts else {})
    if thoughts:
        return ProbeResult("marks", changes, {"marks": [f"{opening}…{closing}" for opening, closing in pairs]})
    if piped := _PIPED.findall(said.text):
        return ProbeResult("piped", changes, {"marks": list(dict.fromkeys(piped))})
    return ProbeResult("apart" if apart else "known" if said.thought else "none", changes)


def _counted(answer: ProbeAnswer) -> ProbeResult:
    return ProbeResult("yes" if answer.counted else "no", {"counted": answer.counted})


def names_of_probes() -> Sequence[str]:
    """Return the names of all probes, in the order in which they are told."""
    return ("plain", "thought", "tokens", *PROBES)
