"""`lw specs`: the procedures there are. `lw coverage`: what of a procedure some runs never came to."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import locale, say
from .help import Command
from .output import leave, path_of, tell, write_json

if TYPE_CHECKING:
    from ..runs.catalogue import ProcedureEntry
    from ..runs.coverage import Coverage


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True)
def specs(as_json: bool) -> None:
    from ..runs import catalogue

    found = catalogue.catalogue(path_of().absolute())
    if as_json:
        write_json({"specs": [catalogue.as_json(entry) for entry in found]})
    else:
        click.echo("\n\n".join("\n".join(_described(entry)) for entry in found))


def _described(entry: ProcedureEntry) -> Iterator[str]:
    """A procedure in a few lines: what it is, who takes part, what it needs, what can be chosen."""
    procedure = entry.procedure
    if procedure is None:
        yield f"{entry.name}  {entry.file}"
        yield "  " + tell("spec_broken", file=entry.file)
        return
    from ..runs.project import full_title

    yield f"{entry.name}  {procedure.title}  {entry.file}"
    roles = [full_title(procedure, role.id) for role in procedure.roles.values() if not role.assigned]
    options = [tell("spec_option", name=o.name, choices="/".join(o.choices)) for o in procedure.options.values()]
    lines = {
        "spec_source": [procedure.source] if procedure.source else [],
        "spec_roles": list(dict.fromkeys(roles)),
        "spec_stages": [f"{stage.id} {stage.title}" for stage in procedure.stages],
        "spec_needs": [f"{one.name} {one.title}" for one in procedure.fields.values() if one.required],
        "spec_options": options,
        "spec_example": [procedure.example] if procedure.example else [],
    }
    for key, words in lines.items():
        if words:
            yield "  " + tell(key, words=tell("among").join(words))


@click.command(cls=Command)
@click.argument("folders", metavar="RUN...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True)
def coverage(folders: Sequence[str], as_json: bool) -> None:
    from ..runs.coverage import grouped
    from ..runs.journal import events_in
    from ..runs.open_run import open_run

    runs = []
    for folder in folders:
        opened = open_run(path_of(folder), brief=True)
        if isinstance(opened, tuple):
            leave(opened, None, as_json)
        runs.append((folder, opened.procedure, tuple(events_in(opened.loaded.lines))))
    found = grouped(runs)
    if as_json:
        write_json({"procedures": [_as_json(names, one) for names, one in found]})
    else:
        click.echo("\n\n".join("\n".join(_missed(one)) for _, one in found))
    sys.exit(0)


def _missed(found: Coverage) -> Iterator[str]:
    from ..wording.columns import table

    counts = {"reached": len(found.branches) - len(found.missed), "total": len(found.branches), "runs": found.runs}
    yield tell("coverage", title=found.procedure.title, **counts)
    rows = [
        (f"{branch.span.file}:{branch.span.line}", branch.place, say(locale(), "coverage", branch.kind))
        for branch in found.missed
    ]
    yield from table(rows) if rows else ()


def _as_json(names: list[str], found: Coverage) -> dict[str, Any]:
    return {
        "procedure": found.procedure.name,
        "runs": names,
        "total": len(found.branches),
        "reached": len(found.branches) - len(found.missed),
        "missed": [
            {"place": one.place, "kind": one.kind, "file": one.span.file, "line": one.span.line} for one in found.missed
        ],
    }
