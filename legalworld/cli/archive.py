"""`lw archive`: runs as one file for others, and such a file opened and verified."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..wording import say
from . import options
from .help import Command, Group
from .output import DONE, WRONG, complain, got, leave, path_of, tell_damaged, wants_json, warn, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from ..runs.project import Problems

archive_file = click.argument("file", metavar="FILE")


@click.group(cls=Group)
def archive() -> None: ...


@archive.command(name="pack", cls=Command)
@options.run_folders
@click.option("--out", metavar="FILE", required=True)
@options.as_json
def archive_pack(folders: Sequence[str], out: str) -> None:
    from ..export.archive import pack
    from ..files.project_files import unreadable

    try:
        packed = pack(named_runs(folders), path_of(out), [path_of(folder) for folder in folders])
    except OSError as error:
        leave((unreadable(str(error.filename or out), error),))
    if wants_json():
        problems = [problem.code for problem in packed.problems]
        counts = {"left_out": packed.left_out, "damaged": packed.damaged}
        write_json({"out": out, "runs": packed.runs, **counts, "problems": problems})
    else:
        if packed.runs:
            click.echo(say("archive.packed", file=out, runs=len(packed.runs)))
        for name, count in sorted(packed.left_out.items()):
            click.echo(say("archive.left_out", name=name, count=count))
        complain(packed.problems)
        tell_damaged(packed.damaged)
    sys.exit(WRONG if packed.problems else DONE)


def named_runs(folders: Sequence[str]) -> list[tuple[str, Path]]:
    """The runs that are named, or lie below a named folder, each with a name of its own."""
    from ..evaluation.run_store import runs_in

    named: dict[str, Path] = {}
    for folder in map(path_of, folders):
        for run in runs_in([folder]):
            inner = run.relative_to(folder).as_posix()
            name = folder.absolute().name if inner == "." else inner
            number = 2
            while name in named and named[name] != run:
                name, number = f"{name.rpartition('~')[0] or name}~{number}", number + 1
            named[name] = run
    return list(named.items())


@archive.command(name="unpack", cls=Command)
@archive_file
@options.needed_out
@options.as_json
def archive_unpack(file: str, out: str) -> None:
    names = _unpacked(file, path_of(out))
    if wants_json():
        write_json({"out": out, "runs": names})
        return
    for name in names:
        click.echo(str(path_of(out) / name))
    click.echo(say("archive.unpacked", runs=len(names)))


@archive.command(name="check", cls=Command)
@archive_file
@options.as_json
def archive_check(file: str) -> None:
    """Every run of an archive is played again in a folder that is gone afterwards."""
    from tempfile import TemporaryDirectory

    from ..export.archive_reader import verify

    found: dict[str, Problems] = {}
    with TemporaryDirectory() as folder:
        names = _unpacked(file, path_of(folder) / "runs")
        for name in names:
            found[name] = verify(path_of(folder) / "runs" / name)
            if not wants_json():
                click.echo(say("archive.differs" if found[name] else "archive.agrees", name=name))
                warn(found[name])
    wrong = {name: [problem.code for problem in problems] for name, problems in found.items() if problems}
    if wants_json():
        write_json({"runs": names, "differing": wrong})
    else:
        click.echo(say("archive.checked", runs=len(names), agree=len(names) - len(wrong)))
    sys.exit(WRONG if wrong else DONE)


def _unpacked(file: str, out: Path) -> list[str]:
    from ..export.archive_reader import unpack
    from ..files.project_files import unreadable
    from ..language import diagnose

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        leave((diagnose.folder_not_empty(str(out), path=str(out)),))
    try:
        return got(unpack(path_of(file), out))
    except OSError as error:
        leave((unreadable(str(error.filename or file), error),))
