"""Who answers a request: the offline actors, a model through litellm, or a recorded run - chosen per role."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from . import offline
from .events import Reply, Request
from .journal import AnswerLine, load
from .models import Endpoint, Models
from .source import Problem
from .templates import TemplateSet


class Unanswered(Exception):
    """A recorded run has no answer to this request."""

    def __init__(self, name: str, request: str) -> None:
        super().__init__(f"{name}: {request}")
        self.name = name
        self.request = request


class Backbones:
    """`models`: role -> name. `offline`, `offline:noisy`, `offline:silent`, `replay:RUN`, or what litellm knows."""

    def __init__(self, models: Mapping[str, str], templates: TemplateSet, seed: int, deadline: float) -> None:
        self._models = models
        self._seed = seed
        self._deadline = deadline
        self._offline = {
            name: offline.Offline(templates, seed, manner)
            for name, manner in offline.NAMES.items()
            if name in models.values()
        }
        self._recorded: dict[str, Mapping[str, Reply]] = {}
        self._live = Models()

    def open(self) -> tuple[Problem, ...]:
        """Read the recorded runs that are named; what is wrong with them."""
        problems = []
        for name in {name for name in self._models.values() if name.startswith("replay:")}:
            loaded = load(Path(name.removeprefix("replay:")) / "journal.jsonl")
            problems += [loaded.problem] if loaded.problem is not None else []
            answers = {line.request: line.reply for line in loaded.lines if isinstance(line, AnswerLine)}
            self._recorded[name] = answers
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
        return await self._live.complete(endpoint, request.messages, request.model, seed=self._seed)
