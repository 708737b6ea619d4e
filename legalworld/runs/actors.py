"""Who answers a request: the offline actors, a model through litellm, or a recorded run - chosen per role."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from ..language import diagnose
from ..language.diagnostics import nearest
from ..model.diagnostics import Diagnostic
from ..model.events import Reply, Request
from ..models import scripted
from ..models.litellm_client import Endpoint, Models, refusal
from ..templates.template_set import TemplateSet
from .journal import AnswerLine, load

Listen = Callable[[str, Reply], None]
"""Is told the name of a model and each reply of it as it comes: what it cost is not in the events."""


def deaf(_: str, __: Reply) -> None:
    """Listen to nothing."""


class Unanswered(Exception):
    """A recorded run has no answer to this request."""

    def __init__(self, name: str, request: str) -> None:
        super().__init__(f"{name}: {request}")
        self.name = name
        self.request = request


class Backbones:
    """`models`: role -> name. `offline`, `offline:noisy`, `offline:silent`, `replay:RUN`, or what litellm knows."""

    def __init__(
        self, models: Mapping[str, str], templates: TemplateSet, seed: int, deadline: float, *, listen: Listen = deaf
    ) -> None:
        self._models = models
        self._listen = listen
        self._seed = seed
        self._deadline = deadline
        self._offline = {
            name: scripted.Offline(templates, seed, manner)
            for name, manner in scripted.NAMES.items()
            if name in models.values()
        }
        self._recorded: dict[str, Mapping[str, Reply]] = {}
        self._live = Models()

    def open(self) -> tuple[Diagnostic, ...]:
        """Read the recorded runs that are named; what is wrong with them, and with names that nobody answers to."""
        problems = []
        for name in dict.fromkeys(self._models.values()):
            if name in scripted.NAMES:
                continue
            if name.startswith("replay:"):
                loaded = load(Path(name.removeprefix("replay:")) / "journal.jsonl")
                problems += [loaded.problem] if loaded.problem is not None else []
                answers = {line.request: line.reply for line in loaded.lines if isinstance(line, AnswerLine)}
                self._recorded[name] = answers
            elif name.partition(":")[0] == "offline":
                problems.append(diagnose.unknown_offline_actor("--model", name=name, known=tuple(scripted.NAMES)))
            elif (failed := refusal(name)) is not None:
                problems.append(replace(failed.at("--model"), nearest=nearest(name, scripted.NAMES)))
        return tuple(problems)

    async def __aenter__(self) -> Self:
        await self._live.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._live.__aexit__(kind, error, trace)

    async def answer(self, request: Request) -> Reply:
        """The reply of the backbone of the request's role. Raises ModelFailed, Unanswered, TemplateError."""
        name = self._models[request.role]
        if name in self._offline:
            return self._offline[name].answer(request)
        if name in self._recorded:
            reply = self._recorded[name].get(request.id)
            if reply is None:
                raise Unanswered(name, request.id)
            return reply
        endpoint = Endpoint(name, deadline=self._deadline)
        reply = await self._live.complete(
            endpoint, request.messages, request.model, seed=self._seed, tools=request.tools
        )
        self._listen(name, reply)
        return reply
