"""Help and usage errors in the language of the messages: click has its own words in English only.

The texts stand in `wording/*.toml` under `[help]`: of a command by its topic, the name of its function; of an option
by `TOPIC.NAME`, by `FAMILY.NAME` (the topic up to its first `_`) or by `option.NAME`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ..wording import say

if TYPE_CHECKING:
    from ..model.diagnostics import Diagnostic


def word(key: str) -> str:
    """A text of the help; "" where there is none."""
    text = say(f"help.{key}")
    return "" if text == key else text


def short_help(topic: str) -> str:
    """The first line of a topic's help."""
    return word(topic).split("\n")[0]


class Command(click.Command):
    """A command whose help is found by its topic."""

    @property
    def topic(self) -> str:
        return getattr(self.callback, "__name__", "")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = self.collect_usage_pieces(ctx)
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=word("usage"))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            for line in word(self.topic).split("\n"):
                formatter.write_text(line)

    def get_short_help_str(self, limit: int = 45) -> str:
        return short_help(self.topic)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = [(param, param.get_help_record(ctx)) for param in options]
        rows = [(record[0], self._meaning(param)) for param, record in records if record is not None]
        _section(formatter, word("options"), rows)

    def _meaning(self, option: click.Option) -> str:
        name = option.opts[-1].lstrip("-")
        scopes = (self.topic, self.topic.partition("_")[0], "option")
        return next(filter(None, (word(f"{scope}.{name}") for scope in scopes)), "")

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*self._pieces(ctx), word("and_options")]

    def _pieces(self, ctx: click.Context) -> list[str]:
        return [piece for param in self.get_params(ctx) for piece in param.get_usage_pieces(ctx)]


def _section(formatter: click.HelpFormatter, heading: str, rows: list[tuple[str, str]]) -> None:
    formatter.write(f"\n{heading}\n")
    with formatter.indentation():
        formatter.write_dl(rows)


class Group(Command, click.Group):
    """Commands with such help; one that is not there is answered with the nearest that is."""

    command_class = Command

    def _pieces(self, ctx: click.Context) -> list[str]:
        return [word("and_command")]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _section(formatter, word("commands"), self.short_helps(ctx))

    def short_helps(self, ctx: click.Context) -> list[tuple[str, str]]:
        """(name, first line of its help) of each command."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        return [(name, command.get_short_help_str()) for name, command in commands if command is not None]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in the order in which they are needed

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            raise NoCommand(name, self.list_commands(ctx), ctx)
        return super().resolve_command(ctx, args)


class NoCommand(click.UsageError):
    def __init__(self, name: str, known: Iterable[str], ctx: click.Context) -> None:
        super().__init__(name, ctx)
        self.name = name
        self.known = tuple(known)


def misuse(error: click.UsageError) -> Diagnostic:
    """A usage error of click as a problem of ours."""
    from ..language import diagnose
    from ..language.spelling import nearest

    ctx = error.ctx
    command = ctx.command_path if ctx is not None else "lw"
    usage = f"{command} {' '.join(ctx.command.collect_usage_pieces(ctx))}" if ctx is not None else command
    match error:
        case NoCommand(name=name, known=known):
            return diagnose.unknown_command(command, name=name, known=known)
        case click.NoSuchOption(option_name=name):
            params = ctx.command.get_params(ctx) if ctx is not None else []
            options = {flag.lstrip("-"): flag for param in params for flag in param.opts if flag.startswith("-")}
            near = nearest(name.lstrip("-"), options)
            meant = options[near] if near else None
            return diagnose.unknown_command_option(command, command=command, name=name, nearest=meant)
        case click.MissingParameter(param=param) if param is not None and ctx is not None:
            name = (
                param.opts[0]
                if isinstance(param, click.Option)
                else (param.metavar or param.name or "").strip("[]").upper()
            )
            return diagnose.missing_command_argument(command, command=command, usage=usage, name=name)
        case click.BadParameter(param=param) if isinstance(param, click.Option) and isinstance(
            param.type, click.Choice
        ):
            value = error.message.split("'")[1] if error.message.count("'") > 1 else error.message
            known = tuple(map(str, param.type.choices))
            return diagnose.invalid_option_choice(command, option=param.opts[0], name=value, known=known)
        case click.BadParameter(param=param) if param is not None and isinstance(param, click.Option):
            value = error.message.split("'")[1] if error.message.count("'") > 1 else error.message
            return diagnose.invalid_option_number(command, command=command, name=param.opts[0], value=value)
        case click.BadOptionUsage(option_name=name):
            return diagnose.missing_option_value(command, name=name)
        case _:
            return diagnose.invalid_usage(command, command=command, usage=usage, reason=error.format_message())
