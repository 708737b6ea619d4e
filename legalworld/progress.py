"""Live progress of a run: one line that moves in a terminal, nothing when piped."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import click

from .events import Closed, Drafted, Ended, Entered, Event, Request, Spoke
from .procedure import Procedure
from .ui import say


class Progress:
    """Watches events; stage, phase, speaker, turns and tokens so far. Plain text, so that it is safe to print."""

    def __init__(self, procedure: Procedure, models: Mapping[str, str], locale: str, quiet: bool, follow: bool) -> None:
        self.procedure = procedure
        self.models = models
        self.locale = locale
        self.quiet = quiet
        self.follow = follow and not quiet
        self.stage = self.phase = ""
        self.turns = self.characters = 0
        self.status: Any = None

    def __enter__(self) -> Self:
        if self.quiet:
            return self
        named = {name for name in self.models.values() if not name.startswith("offline")}
        if not named:
            click.echo(say(self.locale, "run", "banner_offline"), err=True)
        else:
            models = "  ".join(f"{role}={name}" for role, name in self.models.items())
            click.echo(say(self.locale, "run", "banner_models", models=models), err=True)
        if sys.stderr.isatty():
            from rich.console import Console

            self.console = Console(stderr=True, highlight=False, markup=False, emoji=False)
            self.status = self.console.status("", spinner="dots")
            self.status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.status is not None:
            self.status.stop()

    def __call__(self, event: Event | Request) -> None:
        if self.quiet:
            return
        match event:
            case Entered(level="stage", title=title):
                self.stage, self.phase = title, ""
                self._print(f"—— {title} ——")
            case Entered(level="phase", title=title):
                self.phase = title
                if self.follow:
                    self._print(f"· {title}")
            case Spoke(speaker=speaker, text=text):
                self.turns += 1
                if self.follow:
                    self._print(f"{speaker}：{text}")
            case Drafted(document=document, speaker=speaker):
                self._print(f"  {speaker}：《{self.procedure.documents[document].title}》")
            case Request():
                self.characters += sum(len(message.content) for message in event.added)
                self._move(event.speaker)
            case Closed() | Ended():
                pass
            case _:
                pass

    def _print(self, text: str) -> None:
        """A line that stays; only in a terminal, or when asked to follow."""
        if self.status is not None:
            self.console.print(text, soft_wrap=True)
        elif self.follow:
            click.echo(text)

    def _move(self, speaker: str) -> None:
        if self.status is None:
            return
        text = say(
            self.locale,
            "run",
            "progress",
            stage=self.stage,
            phase=self.phase,
            speaker=speaker,
            turns=self.turns,
            tokens=f"~{self.characters}",
        )
        self.status.update(text)
