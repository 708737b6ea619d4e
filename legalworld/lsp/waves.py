"""When open files are told what is wrong: what linking finds at once, what the rules prove when the author pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from lsprotocol import types

from ..authoring.picture import Signature, signature
from ..authoring.told import diagnostics, diagnostics_of
from ..model.diagnostics import Diagnostic
from ..wording import Locale
from .answers import MOST_PROBLEMS, problem
from .open_project import OpenProject

AT_ONCE: Final = 0.02  # seconds in which edits that follow each other are one
AT_LATEST: Final = 0.5  # however fast somebody types, he is told so often
PAUSE: Final = 0.25  # seconds without an edit before the rules are asked

Publish = Callable[[types.PublishDiagnosticsParams], None]
Shown = Mapping[str, tuple[tuple[Diagnostic, tuple[str, ...]], ...]]
"""Path -> its problems, each with the procedures in which it is one where it is none in others."""


class Waves:
    """What is told of one project. `settings`: how the editor counts, and its author's language, asked each time."""

    def __init__(self, project: OpenProject, publish: Publish, settings: Callable[[], tuple[str, Locale]]) -> None:
        self._project, self._publish, self._settings = project, publish, settings
        self._first: float | None = None
        self._at_once: asyncio.TimerHandle | None = None
        self._proof: asyncio.Task[None] | None = None
        self._told: dict[str, object] = {}
        self._linked: frozenset[Signature] = frozenset()

    def touched(self) -> None:
        """Something was edited, opened, closed or saved: what was about to be proved no longer counts."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._first = now if self._first is None else self._first
        self.stop()
        wait = max(0.0, min(AT_ONCE, self._first + AT_LATEST - now))
        self._at_once = loop.call_later(wait, self._first_wave)

    def stop(self) -> None:
        """Nothing more is told."""
        if self._at_once is not None:
            self._at_once.cancel()
        if self._proof is not None:
            self._proof.cancel()

    # ---- at once

    def _first_wave(self) -> None:
        self._first = None
        main = self._project.recent
        if main and main in self._project.picture.procedures():
            linked = self._project.picture.linked(main)
            wrong = frozenset(map(signature, (*linked.problems, *linked.follow)))
            if wrong != self._linked:  # else what was proved stays until the next proof
                self._linked = wrong
                told = diagnostics(self._project.picture, main, proved=False).problems
                self._show(_by_path((one, ()) for one in told), frozenset({*self._told, *self._project.buffers}))
        self._proof = asyncio.get_running_loop().create_task(self._second_wave())

    # ---- when the author pauses

    async def _second_wave(self) -> None:
        await asyncio.sleep(PAUSE)
        picture = self._project.picture
        found: dict[Diagnostic, list[str]] = {}
        homes: dict[str, tuple[str, ...]] = {}
        for main in await self._homes():
            await asyncio.sleep(0)
            for one in diagnostics(picture, main).problems:
                found.setdefault(one, []).append(main)
        for path in self._project.buffers:
            await asyncio.sleep(0)
            if not picture.homes(path) and path.startswith("specs/"):
                found |= {one: [] for one in diagnostics_of(picture, path) if one not in found}
        for one in found:
            homes.setdefault(one.span.file, picture.homes(one.span.file))
        told = ((one, _some(mains, homes[one.span.file])) for one, mains in found.items())
        shown = _by_path(told)
        self._show(shown, frozenset({*self._told, *shown, *self._project.buffers}))

    async def _homes(self) -> tuple[str, ...]:
        """The procedures that are made of any open file, the one looked at last first."""
        picture, found = self._project.picture, dict.fromkeys([self._project.recent] if self._project.recent else [])
        for path in tuple(self._project.buffers):
            for main in picture.procedures():
                await asyncio.sleep(0)
                if picture.made_of(main, path):
                    found[main] = None
        return tuple(main for main in found if main in picture.procedures())

    # ---- what is shown

    def _show(self, shown: Shown, paths: frozenset[str]) -> None:
        """Tell the problems of some files; of those that have none that they have none, if something was told."""
        encoding, language = self._settings()
        for path in sorted(paths):
            told = shown.get(path, ())[:MOST_PROBLEMS]
            buffer = self._project.buffers.get(path)
            version = buffer.version if buffer is not None else None
            made = [problem(self._project, one, encoding, language, only) for one, only in told]
            if self._told.get(path) != (said := (version, made)):
                self._publish(types.PublishDiagnosticsParams(self._project.uri(path), made, version))
            if made or buffer is not None:
                self._told[path] = said
            else:
                self._told.pop(path, None)


def _some(mains: list[str], homes: tuple[str, ...]) -> tuple[str, ...]:
    """The procedures that are named beside a problem: none where it is one in all that are made of the file."""
    return tuple(mains) if len(mains) < len(homes) else ()


def _by_path(told: Iterable[tuple[Diagnostic, tuple[str, ...]]]) -> Shown:
    found: dict[str, list[tuple[Diagnostic, tuple[str, ...]]]] = {}
    for one in _with_places(told):
        found.setdefault(one[0].span.file, []).append(one)
    return {path: tuple(ones) for path, ones in found.items()}


def _with_places(
    told: Iterable[tuple[Diagnostic, tuple[str, ...]]],
) -> Iterator[tuple[Diagnostic, tuple[str, ...]]]:
    return (one for one in told if "/" in one[0].span.file)
