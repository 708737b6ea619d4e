"""Callables of Python that answer for a role: a person at a prompt, a model of one's own, a rule, a package's adapter.

Such an actor is sent the `Request` of a turn and returns the words of the role, or a `Reply`; it may be a coroutine
function. A run names it `python:NAME`, and is gone on with by whoever hands in the callable of that name again.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import cache
from inspect import isawaitable
from typing import Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Reply, Request
from ..model.immutable import immutable
from ..models.failures import ModelFailed
from ..models.schemes import ADAPTED, PYTHON, model_adapters, scheme_of
from ..models.scripted import NAMES

Actor = Callable[[Request], str | Reply | Awaitable[str | Reply]]
PREFIX: Final = f"{PYTHON}:"


async def at_once() -> None:
    """Wait for nobody."""


def unnoticed(_: Exception) -> None:
    """Pass over what was raised: the problem says it."""


@immutable
class Callables:
    """`named`: name without its scheme -> who answers. `pace`: awaited before each question, so that whoever reads
    along is not left behind; `notice`: told of what a callable raised."""

    named: Mapping[str, Actor] = field(default_factory=dict)
    pace: Callable[[], Awaitable[None]] = at_once
    notice: Callable[[Exception], None] = unnoticed

    def of(self, name: str) -> Actor | None:
        """The callable that a backbone's name stands for, where there is one. Raises what an adapter raises."""
        if scheme_of(name) == ADAPTED:
            return adapted(name)
        return self.named.get(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None

    def unready(self, name: str) -> tuple[Diagnostic, ...]:
        """What is wrong with the adapter that a name means; asked before a run begins."""
        try:
            actor = self.of(name)
            reason = "" if callable(actor) else type(actor).__name__
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        return (diagnose.failed_adapter("--model", name=name, reason=reason),) if reason else ()

    async def reply(self, name: str, request: Request) -> Reply:
        """What the callable of that name answers. Raises ActorFailed."""
        actor = self.of(name)
        assert actor is not None  # or the run had not begun
        try:
            return await _reply_of(name, actor, request)
        except ActorFailed as failed:
            if isinstance(failed.__cause__, Exception):
                self.notice(failed.__cause__)
            raise


@cache
def adapted(name: str) -> Actor:
    """Who answers for `NAME:MODEL`, by the adapter of that name. Raises whatever the adapter raises."""
    word, _, model = name.partition(":")
    actor: Actor = model_adapters().parts[word](model)
    return actor


NO_CALLABLES: Final = Callables()


class ActorFailed(ModelFailed):
    """A callable raised (`__cause__`), or returned what is no reply. Nothing was recorded of it: whoever goes on with
    the run asks it again."""


async def _reply_of(name: str, actor: Actor, request: Request) -> Reply:
    said: object
    try:
        with _interruptible():
            said = actor(request)
        if isawaitable(said):
            said = await said
    except Exception as error:
        detail = str(error).strip() or type(error).__name__
        role, raised = request.speaker, type(error).__name__
        problem = diagnose.failed_actor(name, role=role, name=name, error=raised, detail=detail)
        raise ActorFailed("config", problem) from error
    return _as_reply(said, name, request)


def _as_reply(said: object, name: str, request: Request) -> Reply:
    """What a callable returned. Raises ActorFailed where it is neither words nor a reply."""
    if isinstance(said, str):
        return Reply(text=said, model=name)
    if not isinstance(said, Reply):
        kind = type(said).__name__
        raise ActorFailed("malformed", diagnose.strange_actor_reply(name, role=request.speaker, name=name, kind=kind))
    return said if said.model and said.model not in NAMES else said.model_copy(update={"model": name})


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end a callable that keeps the thread for itself; asyncio would only note it for later."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or handler in (None, signal.default_int_handler):
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
