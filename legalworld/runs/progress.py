"""Live progress of a run: one line that moves in a terminal, nothing when piped."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import click

from ..model.events import Drafted, Entered, Event, Reopened, Reply, Request, Spoke
from ..model.procedure import Procedure
from ..model.text import clean
from ..models.named.profile import ModelProfile, profile_of
from ..wording import locale, say
from .preview import Overhear

PER_TOKEN = 1.5  # characters of Chinese in a token, roughly; only until a provider has counted


class Progress:
    """Watches events, listens to replies: place, speaker, turns, tokens and cost so far.

    `cost`: US dollars by litellm's price list, 0 where it has no price. All text is printed as it is, never as markup.
    """

    def __init__(
        self,
        procedure: Procedure,
        models: Mapping[str, str],
        quiet: bool,
        follow: bool,
        *,
        profiles: Mapping[str, ModelProfile] | None = None,
    ) -> None:
        self.procedure = procedure
        self.models = models
        self.profiles = profiles or {}
        self.quiet = quiet
        self.follow = follow and not quiet
        self.stage = self.phase = ""
        self.turns = self.characters = self.tokens = 0
        self.cost = 0.0
        self.status: Any = None
        self.words = ""  # that were streamed and not told of by an event yet
        self.streaming = ""  # the request whose words are being printed
        self.asked = ""  # the request whose turn it is
        self.early: dict[str, str] = {}  # of requests that were made before their turn: what came by now

    def __enter__(self) -> Self:
        if self.quiet:
            return self
        click.echo(banner(self.models), err=True)
        if sys.stderr.isatty():
            from rich.console import Console

            self.console = Console(stderr=True, highlight=False, markup=False, emoji=False)
            self.status = self.console.status("", spinner="dots")
            self.status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._heard_out()
        if self.status is not None:
            self.status.stop()

    def __call__(self, event: Event | Request) -> None:
        """What happened, or is asked for, in the order it happens."""
        self._heard_out()
        match event:
            case Entered(level="stage", title=title):
                self.stage, self.phase = title, ""
                self._print(f"—— {title} ——")
            case Entered(level="phase", title=title) | Reopened(title=title):
                self.phase = title
                if self.follow:
                    self._print(f"· {title}")
            case Spoke(speaker=speaker, text=text):
                self.turns += 1
                if self.follow and text not in self.words:  # else it stands there already
                    self._print(say("transcript.said", self.procedure.locale, speaker=speaker, text=text))
            case Drafted(document=document, speaker=speaker):
                title = self.procedure.documents[document].title
                self._print("  " + say("transcript.issued", self.procedure.locale, speaker=speaker, title=title))
            case Request():
                self.words, self.asked = "", event.id
                self.characters += sum(len(message.content) for message in event.messages)
                self._move(event.speaker)
                if words := self.early.pop(event.id, ""):
                    self._overhear(event, words)
            case _:
                pass

    @property
    def overhear(self) -> Overhear | None:
        """Where words are to be printed as they come: what prints them. What a terminal would obey is not in them."""
        return self._overhear if self.follow else None

    def _overhear(self, request: Request, piece: str | None) -> None:
        if request.id != self.asked:
            self.early[request.id] = self.early.get(request.id, "") + piece if piece is not None else ""
            return
        if piece is None:
            self._heard_out()
            self.words = ""
            return
        if self.streaming != request.id:
            if self.status is not None:
                self.status.stop()  # a line that moves and a line that grows do not go together
            act = say(f"act.{request.act}", self.procedure.locale)
            click.echo(say("transcript.coming", self.procedure.locale, speaker=request.speaker, act=act), nl=False)
            self.streaming = request.id
        piece = clean(piece)
        self.words += piece
        click.echo(piece, nl=False)

    def _heard_out(self) -> None:
        """The words that were coming are at their end."""
        if self.streaming:
            click.echo()
            self.streaming = ""
            if self.status is not None:
                self.status.start()

    def listen(self, model: str, reply: Reply) -> None:
        """A model's reply: what it took."""
        self.tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
        self.cost += profile_of(model, self.profiles).cost(reply) or 0.0

    def _print(self, text: str) -> None:
        """A line that stays; only in a terminal, or when asked to follow."""
        if self.follow and not sys.stdout.isatty():
            click.echo(text)
        elif self.status is not None:
            self.console.print(text, soft_wrap=True)

    def _move(self, speaker: str) -> None:
        """The line that moves."""
        if self.status is None:
            return
        from rich.text import Text

        place = " ".join(part for part in (self.stage, self.phase) if part)
        counted = self.tokens or round(self.characters / PER_TOKEN)
        tokens = say("run.tokens_counted" if self.tokens else "run.tokens_estimated", count=counted)
        line = say("run.progress", place=place, speaker=speaker, turns=self.turns, tokens=tokens)
        if self.cost:
            line += " · " + say("run.cost", cost=dollars(self.cost))
        self.status.update(Text(line, no_wrap=True, overflow="ellipsis"))


def dollars(cost: float) -> str:
    """US dollars, with as many digits as there is something to see."""
    return f"{cost:.2f}" if cost >= 0.1 else f"{cost:.4f}"


def banner(models: Mapping[str, str]) -> str:
    """Who plays: said plainly where it is no language model."""
    if set(models.values()) <= {"offline"}:
        return say("run.banner_offline")
    rules = all(name.partition(":")[0] == "offline" for name in models.values())
    return say("run.banner_rules" if rules else "run.banner_models", models=players(models, locale()))


def players(models: Mapping[str, str], language: str) -> str:
    """ROLE=NAME for those who differ from most, then the name that plays all others."""
    (usual, count), *others = Counter(models.values()).most_common()
    if not others:
        return usual
    named = [f"{role}={name}" for role, name in models.items() if name != usual or count == 1]
    rest = [] if count == 1 else [say("run.model_others", language, name=usual)]
    return say("run.between", language).join([*named, *rest])
