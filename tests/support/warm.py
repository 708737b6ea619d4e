"""Processes to kill, forked from one that has imported and read what they need: for each again it takes seconds.

    with Warm(prepared) as warm:
        process = warm.begin(main, ["batch", "bargain"])
        process.kill()
        assert process.code == -signal.SIGKILL

What it calls are functions of modules: they are found by their names in another process.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from kept_projects import keeping

from legalworld.runs import project


@dataclass(slots=True)
class Begun:
    """A process in a group of its own. `code`: how it ended, as `subprocess` has it; None while it runs."""

    pid: int
    pipe: Connection
    code: int | None = None

    def ended(self, seconds: float | None = 0.0) -> bool:
        """Whether it has ended, or does so within these seconds (None: whenever that is)."""
        if self.code is None and self.pipe.poll(seconds):
            self.code = self.pipe.recv()
        return self.code is not None

    def kill(self) -> None:
        """It and all that it began."""
        os.killpg(self.pid, signal.SIGKILL)
        self.ended(None)


class Warm:
    """The process that others are forked from, one after the other. `prepare`: what it does first; it leaves no thread
    behind, which would be missing in the others."""

    def __init__(self, prepare: Callable[..., object], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, prepare, arguments))
        self._process.start()
        theirs.close()

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        self._process.join()

    def begin(self, function: Callable[..., object], *arguments: Any) -> Begun:
        """A call in the working folder and the environment of now."""
        self._pipe.send((os.getcwd(), dict(os.environ), function, arguments))
        return Begun(self._pipe.recv(), self._pipe)


def _serve(pipe: Connection, prepare: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever began it hears it, and closes the pipe
    os.fsync = lambda fd: None  # this and the next as in all tests, see conftest.py
    project.read_project = keeping(project.read_project)
    prepare(*arguments)
    with suppress(EOFError, OSError):
        while True:
            process = multiprocessing.get_context("fork").Process(target=_call, args=pipe.recv())
            process.start()
            pipe.send(process.pid)
            process.join()
            pipe.send(process.exitcode)


def _call(cwd: str, environment: dict[str, str], function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    function(*arguments)
