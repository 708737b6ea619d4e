"""`lw specs`, `lw check`, `lw coverage`, `lw schema`, `lw init`: procedures, their mistakes, what runs left untried."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from . import options
from .help import Command
from .inputs import run_of
from .output import WRONG, code_of, complain, counted, got, here, path_of, wants_json, write_json

if TYPE_CHECKING:
    from ..runs.catalogue import ProcedureEntry
    from ..runs.coverage import Coverage


@click.command(cls=Command)
@options.as_json
def specs() -> None:
    from ..runs import catalogue

    entries = catalogue.catalogue(here())
    if wants_json():
        write_json({"specs": [catalogue.as_json(entry) for entry in entries]})
    else:
        click.echo("\n\n".join("\n".join(_described(entry)) for entry in entries))


def _described(entry: ProcedureEntry) -> Iterator[str]:
    """A procedure in a few lines: what it is, who takes part, what it needs, what can be chosen."""
    procedure = entry.procedure
    if procedure is None:
        yield f"{entry.name}  {entry.file}"
        yield "  " + say("run.spec_broken", file=entry.file)
        return
    from ..runs.project import full_title

    yield f"{entry.name}  {procedure.title}  {entry.file}"
    roles = [full_title(procedure, role.id) for role in procedure.roles.values() if not role.assigned]
    choices = [
        say("run.spec_option", name=option.name, choices="/".join(option.choices))
        for option in procedure.options.values()
    ]
    lines = {
        "run.spec_source": [procedure.source] if procedure.source else [],
        "run.spec_roles": list(dict.fromkeys(roles)),
        "run.spec_stages": [f"{stage.id} {stage.title}" for stage in procedure.stages],
        "run.spec_needs": [f"{field.name} {field.title}" for field in procedure.fields.values() if field.required],
        "run.spec_options": choices,
        "run.spec_example": [procedure.example] if procedure.example else [],
    }
    for key, words in lines.items():
        if words:
            yield "  " + say(key, words=say("run.among").join(words))


@click.command(cls=Command)
@options.spec
@options.as_json
def check(spec: str) -> None:
    from ..runs.project import open_project

    project = got(open_project(spec, here()))
    counts = counted(project.problems)
    if wants_json():
        write_json(counts)
        sys.exit(code_of(project.problems))
    complain(project.problems, project)
    if counts["errors"] or project.procedure is None:
        click.echo("\n" + say("run.check_bad", **counts), err=True)
        sys.exit(WRONG)
    from ..model.procedure import steps_of

    stages = project.procedure.stages
    steps = sum(1 for stage in stages for _ in steps_of(stage))
    size = {"stages": len(stages), "steps": steps, "templates": len(project.templates.homes)}
    key = "run.check_warned" if project.problems else "run.check_good"
    click.echo(say(key, path=project.path, **size, **counts))


@click.command(cls=Command)
@options.run_folders
@options.as_json
def coverage(folders: Sequence[str]) -> None:
    from ..runs.coverage import grouped
    from ..runs.show.views import events_of

    opened = [(folder, run_of(folder, brief=True)) for folder in folders]
    covered = grouped([(folder, run.procedure, tuple(events_of(run))) for folder, run in opened])
    if wants_json():
        write_json({"procedures": [_as_json(names, one) for names, one in covered]})
    else:
        click.echo("\n\n".join("\n".join(_missed(one)) for _, one in covered))


def _missed(found: Coverage) -> Iterator[str]:
    """How many branches were reached, and where those stand that were not."""
    from ..wording.columns import table

    counts = {"reached": len(found.branches) - len(found.missed), "total": len(found.branches), "runs": found.runs}
    yield say("run.coverage", title=found.procedure.title, **counts)
    rows = [
        (f"{branch.span.file}:{branch.span.line}", branch.place, say(f"coverage.{branch.kind}"))
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


@click.command(cls=Command)
def schema() -> None:
    import json

    from ..language.schema import SpecSurface
    from ..language.surfaces import json_schema

    click.echo(json.dumps(json_schema(SpecSurface), ensure_ascii=False, indent=1))


@click.command(cls=Command)
@click.argument("folder", metavar="DIR")
def init(folder: str) -> None:
    from ..files.project_files import init as copy

    copied = got(copy(path_of(folder)))
    click.echo(say("run.init_done", written=len(copied.written), same=len(copied.same), path=folder))
    if copied.kept:
        click.echo(say("run.init_kept", files="\n".join(f"  {name}" for name in copied.kept)))
