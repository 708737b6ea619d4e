"""`lw models`: the names of the models file, what they stand for, whether a key is there; and `lw models try`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..wording import locale, say
from . import options
from .help import Command, Group
from .output import DONE, STOPPED, as_json, code_of, complain, got, here, leave, remark, wants_json, warn, write_json

if TYPE_CHECKING:
    from ..models.named.catalogue import ModelCatalogue
    from ..models.named.probes import ModelTrial
    from ..models.named.profile import ModelProfile


class ModelGroup(Group):
    """The group: without one of its commands, `list` is meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or not args[0].startswith("-") or args[0] in ("-h", "--help"))
        return super().parse_args(ctx, args if named else ["list", *args])


@click.group(cls=ModelGroup)
def models() -> None:
    """Models by the names that a person gave them; the help stands in `wording/*.toml`."""


@models.command(name="list", cls=Command)
@options.as_json
def models_list() -> None:
    from ..models.named.catalogue import open_catalogue

    catalogue = open_catalogue(here())
    problems = (*(catalogue.problems or catalogue.lacking(catalogue.profiles, "models.yaml")), *catalogue.warnings)
    rows = [] if catalogue.problems else [_row(catalogue, name) for name in catalogue.profiles]
    if wants_json():
        sets = {name: {role: word.text for role, word in chosen.items()} for name, chosen in catalogue.sets.items()}
        write_json({"models": rows, "sets": sets, "problems": as_json(problems)})
        sys.exit(code_of(problems))
    complain(problems)
    if rows:
        click.echo("\n".join(_listed(rows)))
    for name in catalogue.sets if not catalogue.problems else ():
        click.echo(say("models.set", name=name, words=say("run.among").join(_words(catalogue, name))))
    if not rows and not problems:
        click.echo(say("models.none"))
    sys.exit(code_of(problems))


def _words(catalogue: ModelCatalogue, name: str) -> tuple[str, ...]:
    words = catalogue.words_of_set(name)
    return words if isinstance(words, tuple) else ()


def _row(catalogue: ModelCatalogue, name: str) -> dict[str, Any]:
    """A name as JSON: what stands in the file, and what is used beside it; of the key only whether there is one."""
    from dataclasses import asdict

    profile, used = catalogue.profiles[name], catalogue.profile(name)
    habits = catalogue.habits.get(name)
    price = profile.price
    cost = None if price is None else {key: round(value * 10**6, 6) for key, value in asdict(price).items()}
    return {
        **{"name": name, "model": profile.model, "file": profile.span.file, "line": profile.span.line},
        **{"address": profile.address, "key_variable": profile.key_variable, "key": _has_key(profile)},
        **{"parameters": dict(used.parameters), "extra": dict(profile.extra), "tools": used.tools},
        **{"stream": used.stream, "thoughts": [dict(marks) for marks in used.thoughts or ()], "price": cost},
        "limits": {key: n for key, n in asdict(profile.rate).items() if n} if profile.rate is not None else None,
        **{"fallbacks": list(profile.fallbacks), "cutoff": profile.cutoff},
        "habits": asdict(habits) if habits is not None and habits.model == profile.model else None,
    }


def _has_key(profile: ModelProfile) -> bool | None:
    """Whether the key is there; None where none is wanted, or nobody can tell."""
    from ..language import diagnose
    from ..models.failures import ModelFailed
    from ..models.litellm_client import access

    try:
        key = access(profile.endpoint()).key
    except ModelFailed as failed:
        lacking = diagnose.codes_of(diagnose.missing_api_key, diagnose.invalid_api_key)
        return False if failed.problem.code in lacking else None
    return None if key == "none" else True


def _listed(rows: list[dict[str, Any]]) -> Iterator[str]:
    """One line for each name, and below it what is said of its model."""
    from ..wording.columns import table

    heads = [say(f"models.{name}") for name in ("name", "stands_for", "from", "key", "tools", "tried")]
    lines = [heads]
    for row in rows:
        key = {True: "yes", False: "no", None: "no_need"}[row["key"]]
        tried = row["habits"]["tried"] if row["habits"] else say("models.never")
        where = f"{row['file']}:{row['line']}"
        lines.append([row["name"], row["model"], where, say(f"models.key_{key}"), row["tools"] or "-", tried])
    yield from table(lines)
    for row in rows:
        told = {
            name: row[name] for name in ("parameters", "address", "price", "limits", "fallbacks", "cutoff") if row[name]
        }
        if told:
            shown = " · ".join(f"{say(f'models.{name}')} {_plain(value)}" for name, value in told.items())
            yield f"  {row['name']}: {shown}"


def _plain(value: Any) -> str:
    import json

    if isinstance(value, dict):
        shown = {key: "-" if one is None else json.dumps(one, ensure_ascii=False) for key, one in value.items()}
        return " ".join(f"{key}={one}" for key, one in shown.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


# ---- a model tried ---------------------------------------------------------------------------------------------------


@models.command(name="try", cls=Command)
@click.argument("name", metavar="NAME")
@options.as_json
def models_try(name: str) -> None:
    import asyncio
    from datetime import date

    from ..language import diagnose
    from ..models.litellm_client import refusal
    from ..models.named.catalogue import is_called, open_catalogue
    from ..models.named.probes import SECONDS, try_model
    from ..models.named.profile import profile_of
    from ..wording import sentences

    if not is_called(name):
        leave((diagnose.untriable_model(name, name=name),))
    catalogue = open_catalogue(here())
    got(catalogue.lacking((name,), name) or catalogue)
    profile = profile_of(name, catalogue.profiles)
    if (failed := refusal(profile.endpoint())) is not None:
        leave((failed.at(name),))
    remark(say("models.trying", name=name, model=profile.model, seconds=f"{SECONDS:g}"))
    language = locale()
    words = sentences("probe", language)
    trial = asyncio.run(try_model(profile, words, date.today().isoformat()))
    if trial.failed is not None:
        leave((trial.failed.at(name), diagnose.model_not_tried(name, name=name)))
    file = _kept(catalogue, name, trial)
    _told(name, trial, file)
    sys.exit(DONE if trial.results["plain"].found == "yes" else STOPPED)


def _kept(catalogue: ModelCatalogue, name: str, trial: ModelTrial) -> str:
    """Write the habits; where that cannot be done, what was found is told all the same."""
    from ..files.project_files import unreadable

    try:
        return str(catalogue.keep_habits(name, trial.habits))
    except OSError as error:
        warn((unreadable(str(error.filename or name), error),))
        return ""


def _told(name: str, trial: ModelTrial, file: str) -> None:
    """The table for a person: what was looked for, what was found, what to do."""
    from dataclasses import asdict

    from ..wording.columns import table

    if wants_json():
        results = {key: {"found": one.found, **one.told} for key, one in trial.results.items()}
        write_json({"name": name, "file": file, "results": results, "habits": asdict(trial.habits)})
        return
    rows = [[say(f"models.{head}") for head in ("looked_for", "found")]]
    rows += [[say(f"models.probe_{key}"), _said(key, one.found, one.told)] for key, one in trial.results.items()]
    click.echo("\n".join(table(rows)))
    for key, one in trial.results.items():
        if todo := _said(key, f"{one.found}_todo", one.told):
            click.echo(f"- {todo}")
    if file:
        click.echo(say("models.kept", file=file, name=name))


def _said(probe: str, found: str, told: Any) -> str:
    """The sentence for what a probe found: its own, else that of all probes; "" for none."""
    words = {
        name: say("run.among").join(value) if isinstance(value, list | tuple) else value for name, value in told.items()
    }
    for key in (f"{probe}_{found}", f"any_{found}"):
        sentence = say(f"models.{key}", **{"detail": "", **words})
        if sentence != key:
            return sentence.removesuffix(" · ")  # where there is no detail
    return ""
