"""The options and arguments that commands share, each declared once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from . import completion
from .output import JSON

if TYPE_CHECKING:
    from ..files.project_files import Kind

SETS = "legalworld.sets"  # where the context of a command notes the sets of models that it was given
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def together(*options: Decorator) -> Decorator:
    """Several options as one, in the order in which the help lists them."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _note_json(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[JSON] = value


def _positive(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """A number above 0, which NaN is not; or none."""
    if value is not None and not value > 0:
        raise click.BadParameter(f"'{value:g}'", context, param)
    return value


def _share(context: click.Context, param: click.Parameter, value: str) -> float:
    """A share of all, written as 1%, 1 or 0.01%: from 0 to 100 percent."""
    try:
        share = float(value.strip().rstrip("%\uff05")) / 100
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise click.BadParameter(f"'{value}'", context, param)
    return share


def here(_: click.Context, param: click.Parameter, value: Any) -> Any:
    """A folder of this machine, or several; the command ends here where an address is named."""
    addresses = [word for word in ((value,) if isinstance(value, str) else value) if "://" in word]
    if addresses:
        from ..files.store import shown
        from ..language import diagnose
        from .output import leave

        option = next((word for word in param.opts if word.startswith("--")), shown(addresses[0]))
        leave(tuple(diagnose.address_as_folder(option, path=shown(word)) for word in addresses))
    return value


def _note_sets(context: click.Context, _: click.Parameter, value: tuple[str, ...]) -> None:
    context.meta[SETS] = value


def _set_of_project() -> tuple[str, ...]:
    """The set of models that plays in this project where a command names nobody, from its `legalworld.toml`."""
    from pathlib import Path

    from ..files.project_files import find_root
    from ..files.project_settings import read_settings
    from .output import leave

    settings = read_settings(find_root(Path.cwd()))
    if any(problem.severity == "error" for problem in settings.problems):
        leave(settings.problems)
    return (settings.models,) if settings.models else ()


def _leave_if_repeated(words: Sequence[str], option: str) -> None:
    """End the command where `NAME` (for all), or `ROLE=NAME` of one role, is said more than once, and differs."""
    from ..language.name_values import said_once
    from .output import leave

    halves = [word.partition("=") for word in words]
    if twice := said_once(((role, name) if equals else (option, role) for role, equals, name in halves), option):
        leave(twice)


def _said_once(_: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    if len(value) > 1:
        _leave_if_repeated(value, param.opts[0])
    return value


def _with_sets(context: click.Context, _: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """What `--model` says, behind what the sets of `--models` say; the command ends here where there is no such set."""
    names = context.meta.get(SETS, ()) or (() if value else _set_of_project())
    if len(value) > 1:
        _leave_if_repeated(value, "--model")
    if not names:
        return value
    from ..model.diagnostics import Diagnostic
    from ..models.named.catalogue import open_catalogue
    from .output import leave, path_of

    catalogue = open_catalogue(path_of().absolute())
    if catalogue.problems:
        leave(catalogue.problems)
    chosen = [catalogue.words_of_set(name) for name in names]
    if unknown := tuple(words for words in chosen if isinstance(words, Diagnostic)):
        leave(unknown)
    return (*(word for words in chosen if isinstance(words, tuple) for word in words), *value)


def listed(
    name: str, metavar: str, *, default: str = "", required: bool = False, kind: Kind | None = None
) -> Decorator:
    """An option whose value is a list separated by commas; a tuple of words."""

    def words(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
        return tuple(word.strip() for word in value.split(",") if word.strip())

    given: dict[str, Any] = {"required": True} if required else {"default": default}  # a default is never missing
    if kind is not None:
        given["shell_complete"] = completion.named(kind, listed=True)
    return click.option(name, metavar=metavar, callback=words, **given)


as_json = click.option(
    "--json", is_flag=True, is_eager=True, expose_value=False, callback=_note_json
)  # read by `wants_json`
spec = click.argument("spec", metavar="SPEC", shell_complete=completion.named("specs"))
run_folder = click.argument("folder", metavar="RUN", callback=here, shell_complete=completion.runs)
run_folders = click.argument(
    "folders", metavar="RUN...", nargs=-1, required=True, callback=here, shell_complete=completion.runs
)
folder_of_runs = click.argument("folder", metavar="[DIR]", default="runs", callback=here)

binding = click.option("--binding", metavar="NAME|FILE", default="", shell_complete=completion.named("bindings"))
target = click.option("--target", metavar="ROLE", default="")
chosen = click.option("--option", "options", metavar="NAME=VALUE", multiple=True)
seed = click.option("--seed", metavar="N", type=int, default=0)
case = together(
    click.option("--case", metavar="FILE[#N]", default="", shell_complete=completion.named("cases")),
    binding,
    target,
    chosen,
    click.option("--set", "fields", metavar="FIELD=VALUE", multiple=True),
    click.option("--profile", metavar="NAME", default=""),
    seed,
    click.option("--answer", "answers", metavar="NAME[@WHOM][#N]=VALUE", multiple=True),
)
cases = listed("--cases", "FILE[#N],...", kind="cases")
data = listed("--data", "FILE[#N],...")
allow_failed = click.option("--allow-failed", metavar="SHARE", default="0", callback=_share)
allow_odd = click.option("--allow-odd", metavar="SHARE", default="5%", callback=_share)
seeds = click.option("--seeds", metavar="N", type=click.IntRange(1, 100), default=1)
profiles = listed("--profiles", "NAME,...")
batch_folder = click.argument("folder", metavar="DIR", callback=here)
batch_place = click.argument("folder", metavar="DIR|URL")
at_once = click.option("--concurrency", "at_once", metavar="N", type=click.IntRange(1, 500), default=8)
models = together(  # a set of the models file first, so that what is named one by one comes before it
    click.option(
        "--models", "sets", metavar="SET", multiple=True, is_eager=True, expose_value=False, callback=_note_sets
    ),
    click.option("--model", "models", metavar="[ROLE=]NAME", multiple=True, callback=_with_sets),
)
settings = click.option("--set-model", "settings", metavar="KEY=VALUE", multiple=True)
tools = click.option("--tools", "tools", metavar="[ROLE=]native|text", multiple=True, callback=_said_once)
start = click.option("--from", "start", metavar="STAGE", default="")
until = click.option("--until", metavar="PLACE", default="")
budget = click.option("--budget", metavar="WHAT:NUMBER", multiple=True)
out = click.option("--out", metavar="DIR", default="", callback=here)
needed_out = click.option("--out", metavar="DIR", required=True, callback=here)
stored = together(  # by a store, where --out may name one
    click.option("--scratch", metavar="DIR", default="", callback=here),
    click.option("--keep-scratch", is_flag=True),
    click.option("--break-lock", is_flag=True),
)
batch_out = together(click.option("--out", metavar="DIR|URL", required=True), stored)
workers = click.option("--workers", metavar="N", type=click.IntRange(1, 64), default=1)
engine = click.option("--engine", type=click.Choice(["local", "ray"]), default="local")
again_at_once = click.option("--concurrency", "at_once", metavar="N", type=click.IntRange(1, 500), default=None)
again_workers = click.option("--workers", metavar="N", type=click.IntRange(1, 64), default=None)
again_engine = click.option("--engine", type=click.Choice(["local", "ray"]), default=None)
prices = click.option("--price", "prices", metavar="MODEL=IN/OUT", multiple=True)
limits = together(
    click.option("--limit", "limits", metavar="[MODEL=]WHAT:NUMBER", multiple=True),
    budget,
    prices,
    click.option("--case-deadline", metavar="SECONDS", type=float, default=None, callback=_positive),
)
trace = click.option("--trace", is_flag=True)
deadline = click.option("--deadline", metavar="SECONDS", type=float, default=600.0, callback=_positive)
bounded = together(budget, prices)
live = together(deadline, click.option("--follow", is_flag=True), as_json)
place = together(
    click.option("--as", "role", metavar="ROLE", required=True),
    click.option("--at", "until", metavar="PLACE", required=True),
)

rubric = click.option("--rubric", metavar="NAME|FILE", default="", shell_complete=completion.named("rubrics"))
repeat = click.option("--repeat", metavar="N", type=click.IntRange(1, 50), default=1)
asked_at_once = click.option("--concurrency", "at_once", metavar="N", type=click.IntRange(1, 500), default=8)
graders = listed("--grader", "NAME", default="offline")
unfinished = click.option("--unfinished", type=click.Choice(["out", "zero", "kept"]), default="out")
sheet = click.option("--csv", "sheet", metavar="FILE", default="")


def values_of(words: Sequence[str], option: str = "--option") -> dict[str, str]:
    """NAME=VALUE words as a mapping; the command ends here where a word is none, or a name has two values."""
    from ..language.name_values import name_values
    from .output import got

    return got(name_values(words, option))
