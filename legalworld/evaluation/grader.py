"""Who grades: a judge model through litellm, or the offline grader; and the store of replies, by what was asked.

A reply is kept under the digest of everything that it depends on - model, settings, messages, schema - so that scoring
again costs nothing, whatever rubric or run it is asked for. An interrupted evaluation goes on where it was.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.regular import write_whole
from ..model.diagnostics import Diagnostic
from ..model.events import Message, Reply
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..model.procedure import ModelDefaults
from ..models.endpoint import Endpoint
from ..models.failures import ModelFailed
from ..models.limits import UNLIMITED, Gate, Limits
from ..models.litellm_client import Models, refusal
from ..models.named.catalogue import called_models
from ..models.named.profile import ModelProfile, bounded
from . import offline_grader
from .grader_replies import said
from .grading import Question

FOLDER: Final = ".lw/grades"
AT_ONCE: Final = 8  # questions that are out at the same time
GREETING: Final = 16  # tokens of a reply that only shows that somebody is there


@immutable
class GraderSettings:
    """`model`: `offline`, or what litellm knows. Greedy by default: the same question, the same answer. `repeat`: how
    often each question is asked; `at_once`: questions that are out at the same time. `profile`: what the model's name
    stands for, where it is one of the models file; `limits`: what it may take in all."""

    model: str = offline_grader.NAME
    temperature: float = 0.0
    max_tokens: int = 4096
    deadline: float = 600.0
    repeat: int = 1
    at_once: int = AT_ONCE
    profile: ModelProfile | None = None
    limits: Limits = UNLIMITED

    @property
    def called(self) -> ModelProfile:
        """What the model's name stands for."""
        return self.profile or ModelProfile(self.model, self.model)

    @property
    def endpoint(self) -> Endpoint:
        """The model as it is to be called."""
        return self.called.endpoint(self.deadline)

    def recorded(self) -> Mapping[str, Any]:
        """What is told of the grader with every score."""
        if self.model == offline_grader.NAME:
            return {"model": self.model, "rule_based": True}
        told: dict[str, Any] = {"model": self.model, "temperature": self.temperature, "max_tokens": self.max_tokens}
        told |= {} if self.called.plain else {"called": self.called.recorded}
        return told | ({"repeat": self.repeat} if self.repeat > 1 else {})


def grader_settings(model: str, cwd: Path, *, deadline: float = 600.0) -> GraderSettings | tuple[Diagnostic, ...]:
    """Return the settings of a grader by the name that a person gave, or why that name stands for nobody."""
    called = called_models((model,), cwd, "--grader")
    if isinstance(called, tuple):
        return called
    return GraderSettings(model, deadline=deadline, profile=called.profiles.get(model))


@dataclass(slots=True)
class GraderUsage:
    """What grading took: replies made anew and those that were there already; tokens, and US dollars by litellm's
    bundled prices, of the new ones. `unpriced`: replies of which nobody knows the price; `silent`: replies that told of
    no tokens."""

    asked: int = 0
    kept: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0
    silent: int = 0

    def add(self, reply: Reply, called: ModelProfile) -> None:
        self.asked += 1
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        price = called.cost(reply)
        self.dollars += price or 0.0
        self.unpriced += price is None
        self.silent += None in (reply.prompt_tokens, reply.completion_tokens)

    def told(self) -> dict[str, int]:
        """As it is kept with the scores of a run; nothing where nobody was asked."""
        counts = {"replies": self.asked, "prompt": self.prompt_tokens, "completion": self.completion_tokens}
        return {**counts, "silent": self.silent} if self.asked else {}


class Grader:
    """Answers questions and keeps the replies.

    `models`: to be entered while questions are asked; `versions`: what the server called the model that replied;
    `adjusted`: what was not asked as the settings say, because the server does not take it.
    """

    def __init__(self, settings: GraderSettings, folder: Path, usage: GraderUsage | None = None) -> None:
        self.settings = settings
        self._folder = folder
        self.models = Models(gate=Gate(bounded(settings.limits, {settings.model: settings.called})))
        self.usage = usage or GraderUsage()
        self.versions: set[str] = set()
        self.adjusted: set[str] = set()
        self.models.notice = lambda one: self.adjusted.add(f"{one.parameter}: {one.action} {one.value}".strip())

    def open(self) -> tuple[Diagnostic, ...]:
        """Why no question can be asked, found without asking one."""
        if self.settings.model == offline_grader.NAME:
            return ()
        failed = refusal(self.settings.endpoint)
        return () if failed is None else (failed.at("--grader"),)

    def reached(self) -> tuple[Diagnostic, ...]:
        """Why no question would be answered; found by asking for one word."""
        if problems := self.open():
            return problems
        return () if self.settings.model == offline_grader.NAME else asyncio.run(self._greeted())

    async def _greeted(self) -> tuple[Diagnostic, ...]:
        endpoint = self.settings.endpoint
        greeting = (Message(role="user", content="OK?"),)
        defaults = ModelDefaults(temperature=self.settings.temperature, max_tokens=GREETING)
        try:
            async with self.models:
                await self.models.complete(endpoint, greeting, defaults, seed=0)
        except ModelFailed as failed:
            return () if failed.kind == "silent" else (failed.at("--grader"),)
        return ()

    async def reply(self, question: Question, tally: GraderUsage | None = None) -> str:
        """The grader's words; `tally` counts what they took when they were made. Raises ModelFailed."""
        if self.settings.model == offline_grader.NAME:
            return offline_grader.reply(question)
        file = self._file(question)
        stored, adjusted = _stored(file)
        if stored is not None:
            self.usage.kept += 1
            self.versions.add(stored.model)
            self.adjusted |= adjusted
            if tally is not None:
                tally.add(stored, self.settings.called)
            return said(stored)
        defaults = ModelDefaults(temperature=self.settings.temperature, max_tokens=self.settings.max_tokens)
        endpoint = self.settings.endpoint
        try:
            reply = await self.models.complete(endpoint, question.messages, defaults, seed=0, schema=question.schema)
        except ModelFailed as failed:
            if failed.kind != "silent":
                raise
            self.usage.asked += 1
            return ""  # nothing to be read, and nothing to be kept: the item is asked for again, the others go on
        self.usage.add(reply, self.settings.called)
        if tally is not None:
            tally.add(reply, self.settings.called)
        self.versions.add(reply.model)
        self.keep(self.key(question), question.id, reply)
        return said(reply)

    def keep(self, key: str, question: str, reply: Reply) -> None:
        """Keep a reply, wherever it came from, so that the question need not be asked."""
        self._folder.mkdir(parents=True, exist_ok=True)
        tokens = {"prompt_tokens": reply.prompt_tokens, "completion_tokens": reply.completion_tokens}
        told: dict[str, Any] = {"text": reply.text, "model": reply.model, "question": question, **tokens}
        told |= {"cut": True} if reply.cut else {}
        told |= {"adjusted": sorted(self.adjusted)} if self.adjusted else {}
        write_whole(self._folder / f"{key}.json", json.dumps(told, ensure_ascii=False).encode("utf-8"))

    def has(self, question: Question) -> bool:
        """Whether the reply to a question is there already."""
        return _stored(self._file(question))[0] is not None

    def _file(self, question: Question) -> Path:
        return self._folder / f"{self.key(question)}.json"

    def key(self, question: Question) -> str:
        """By what a reply is kept: all that it depends on. The settings are those of a grader who is asked once, so
        that who is asked more often is not asked the first time again."""
        asked = {
            **replace(self.settings, repeat=1).recorded(),
            "messages": [[one.role, one.content] for one in question.messages],
            "schema": question.schema,
            **({"repeat": question.repeat} if question.repeat else {}),
        }
        text = json.dumps(asked, ensure_ascii=False, sort_keys=True)
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def _stored(file: Path) -> tuple[Reply | None, set[str]]:
    """The reply in a file, and what was adjusted for it; a file that cannot be read is as if it were not there."""
    try:
        found = read_json(regular.text(file))
        tokens = {name: found.get(name) for name in ("prompt_tokens", "completion_tokens")}
        adjusted = set(map(str, found.get("adjusted", ())))
        return Reply(text=found["text"], model=found["model"], cut=found.get("cut") is True, **tokens), adjusted
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None, set()
