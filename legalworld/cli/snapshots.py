"""`lw snapshot`: the prompts of a procedure kept as files, and held against what they would be now."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..language import diagnose
from ..wording import say
from . import completion, options
from .help import Command
from .inputs import say_origin
from .output import DONE, WRONG, complain, got, here, leave, remark, wants_json, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from ..authoring.kept_prompts import Way
    from ..authoring.snapshots import PromptChange, Taken, Ways

DIFFERS = 1
_NAMED = {"options": "--option", "fields": "--set"}


@click.command(cls=Command)
@click.argument("spec", metavar="[SPEC]", default="", shell_complete=completion.named("specs"))
@options.listed("--cases", "NAME|FILE[#N],...")
@options.listed("--targets", "ROLE,...")
@options.chosen
@click.option("--set", "fields", metavar="FIELD=VALUE", multiple=True)
@click.option("--update", is_flag=True)
@click.option("--accept", "accepted", metavar="NAME", multiple=True)
@click.option("--explore", is_flag=True)
@options.as_json
def snapshot(spec: str, update: bool, accepted: Sequence[str], explore: bool, **given: Any) -> None:
    from ..authoring.snapshots import root_of

    root = root_of(here())
    rows: list[dict[str, Any]] = []
    unused = set(accepted)
    for ways in _wanted(root, spec, update, given):
        rows.append(_held(root, ways, update, unused, explore))
    if unused:
        names = [name for row in rows for name in row["differs"]]
        leave(tuple(diagnose.unknown_snapshot("--accept", name=name, among=names) for name in sorted(unused)))
    if wants_json():
        write_json({"snapshots": rows})
    differ = any(row["differs"] for row in rows) and not update
    sys.exit(WRONG if any(row["broken"] for row in rows) else DIFFERS if differ else DONE)


def _wanted(root: Path, spec: str, update: bool, given: dict[str, Any]) -> list[Ways]:
    """What is to be played: what is kept of a procedure (of all where none is named); with --update also what is not
    kept yet."""
    found = _kept(root)
    asked = _asked(spec, given) if spec else []
    if any(given.values()):
        kept = {ways.folder: ways for ways in found}
        known = [kept[ways.folder] for ways in asked if ways.folder in kept and not given["targets"]]
        new = [ways for ways in asked if ways.folder not in kept or given["targets"]]
    else:
        known = [ways for ways in found if not spec or any(ways.spec == one.spec for one in asked)]
        new = [] if known else asked
    if (new and not update) or not (known or new):
        leave((diagnose.no_snapshots("--update", spec=spec or "SPEC"),))
    return [*known, *new]


def _kept(root: Path) -> list[Ways]:
    """All that is kept; the command ends here where a file of it cannot be read."""
    from ..authoring.snapshots import kept_ways

    found, wrong = [], False
    for ways in kept_ways(root):
        if isinstance(ways, tuple):
            complain(ways)
            wrong = True
        else:
            found.append(ways)
    if wrong:
        sys.exit(WRONG)
    return found


def _asked(spec: str, given: dict[str, Any]) -> list[Ways]:
    """What was named, as it would be kept: a procedure, its cases or its example, the targets."""
    from ..authoring.snapshots import Ways
    from ..language.name_values import name_values
    from .inputs import project_of

    project = project_of(spec)
    cases = given["cases"] or (project.example,)
    if not all(cases):
        leave((diagnose.missing_case("--cases", spec=spec),))
    options, fields = (got(name_values(given[key], option)) for key, option in _NAMED.items())
    name = project.path.removeprefix("specs/").removesuffix(".yaml")
    targets: tuple[tuple[str, tuple[Way, ...]], ...] = tuple((target, ()) for target in given["targets"])
    return [Ways(name, case, tuple(options.items()), tuple(fields.items()), targets) for case in cases]


def _held(root: Path, ways: Ways, update: bool, unused: set[str], explore: bool) -> dict[str, Any]:
    """One folder: what differs, shown, and taken over where that is asked for."""
    from ..authoring import snapshots

    say_origin(ways.spec)
    if explore or not ways.by_target:
        remark(say("snapshot.exploring", spec=ways.spec, case=ways.case))
    now = snapshots.taken(ways, here(), explore=explore)
    row: dict[str, Any] = {"folder": ways.folder, "prompts": 0, "differs": {}, "broken": False}
    if isinstance(now, tuple):
        complain(now)
        return {**row, "broken": True}
    folder = root / ways.folder
    kept = _or_leave(lambda: snapshots.kept_prompts(folder), folder)
    row["bounds"] = list(_bounds(now, snapshots.is_crowded(folder)))
    for line in row["bounds"]:
        remark(line)
    found = {f"{ways.folder}/{change.name}": change for change in snapshots.changes(kept, now)}
    taken = {name: [word for word in unused if name == word or name.endswith("/" + word)] for name in found}
    used = [name for name, words in taken.items() if words]
    unused.difference_update(word for words in taken.values() for word in words)
    if update:
        _or_leave(lambda: snapshots.keep(folder, now), folder)
    elif used:
        _or_leave(lambda: snapshots.keep(folder, now, [found[name].name for name in used]), folder)
    if not wants_json():
        _tell(found, used, now, update)
    left = {name: _as_json(change) for name, change in found.items() if name not in used}
    return {**row, "prompts": len(now.prompts), "differs": left}


def _bounds(now: Taken, crowded: bool) -> Iterator[str]:
    """Where a bound was met, so that not every prompt is looked at."""
    from ..authoring.kept_prompts import ANY, MOST_CALLS, MOST_WAYS
    from ..authoring.snapshots import MOST_FILES, USUAL

    folder = now.ways.folder
    if now.ways.unexplored:
        targets = say("run.among").join(target or ANY for target in now.ways.unexplored)
        yield say("snapshot.unexplored", folder=folder, most=MOST_WAYS, targets=targets)
    for target, way in now.given_up:
        words = "; ".join(map("=".join, way)) or USUAL
        yield say("snapshot.given_up", folder=folder, most=MOST_CALLS, target=target or ANY, way=words)
    if crowded:
        yield say("snapshot.crowded", folder=folder, most=MOST_FILES)


def _or_leave(act: Any, folder: Path) -> Any:
    from ..files.project_files import unreadable

    try:
        return act()
    except OSError as error:
        leave((unreadable(str(error.filename or folder), error),))


def _tell(found: dict[str, PromptChange], used: Sequence[str], now: Taken, update: bool) -> None:
    """What differs: prompts in which the same words have become others are told together."""
    alike: dict[tuple[Any, ...], list[str]] = {}
    for name, change in found.items():
        if name not in used and not (update and change.kind == "new"):
            words = tuple(line for line in change.lines if not line.startswith("@@"))
            alike.setdefault((change.kind, change.cause, words or name), []).append(name)
    for names in alike.values():
        change = found[names[0]]
        for name in names:
            click.echo(click.style(say(f"snapshot.{change.kind}", name=name), bold=True))
        if change.cause is not None:
            click.echo("  " + say("snapshot.cause", file=change.cause.file, line=change.cause.line))
        for line in change.lines:
            click.echo("  " + click.style(line, fg={"-": "red", "+": "green"}.get(line[0], "cyan")))
    counts = {
        "new": sum(change.kind == "new" for change in found.values()),
        "changed": sum(change.kind == "changed" for change in found.values()),
        "gone": sum(change.kind == "gone" for change in found.values()),
        "accepted": len(used),
        "prompts": len(now.prompts),
        "folder": now.ways.folder,
    }
    key = "kept" if update else "accepted" if used else "differs" if found else "same"
    click.echo(say(f"snapshot.{key}", **counts))


def _as_json(change: PromptChange) -> dict[str, Any]:
    cause = change.cause
    where = None if cause is None else {"file": cause.file, "line": cause.line}
    return {"kind": change.kind, "cause": where, "lines": list(change.lines)}
