"""Batches on a store: what --out names, how one there stands, and bringing one here (`lw batch fetch`)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from ..wording import say
from . import options
from .help import Command
from .output import DONE, WRONG, as_json, complain, got, leave, path_of, remark, wants_json, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..batch.record import Recorded
    from ..batch.store_run import Away
    from ..files.store import RemoteStore
    from ..model.diagnostics import Diagnostic
    from ..runs.project import Problems

_STEP = 100  # runs between two words about it
STORED: Final = ("scratch", "keep_scratch", "break_lock")
"""The options of `options.stored`, as `away_of` takes them."""


def away_of(out: str, scratch: str, keep: bool, by_force: bool, *, needed: bool = False) -> Away | None:
    """The store that --out names, and how it is used; None where it names a folder. `needed`: the runs are looked at
    here when they are over, and stay until then."""
    if "://" not in out:
        return None
    from ..batch.store_run import Away, scratch_for

    store = store_of(out, "--out")
    place = path_of(scratch).absolute() if scratch else scratch_for(store)
    return Away(store, place, keep, by_force, needed)


def store_of(address: str, option: str) -> RemoteStore:
    """The store of an address; the command ends here where it cannot be one."""
    from ..files.store import open_store

    return got(open_store(address, option))


def record_of_batch(word: str, verify: bool = False) -> tuple[dict[str, Any], Recorded, int]:
    """The command of a batch, its record held against its runs, and how many of them it does not tell of. On a store
    the marks tell of the runs, whose files are compared when they are fetched."""
    if "://" in word:
        from ..batch.store_status import status_there

        there = got(status_there(store_of(word, "DIR|URL")))
        return there.words, there.record, 0
    from dataclasses import replace

    from ..batch.record import command_of, recorded
    from ..files.project_files import unreadable
    from ..index.batch_status import standing_of

    folder = path_of(word)
    words, record = got(command_of(folder)), recorded(folder)
    try:
        found = standing_of(folder, record, whole=verify)
    except OSError as error:
        leave((unreadable(str(error.filename or word), error),))
    return words, replace(record, entries=found.entries, problems=found.problems), found.unrecorded


def command_there(away: Away) -> dict[str, Any]:
    """The command of a batch that is kept on a store."""
    from ..batch.store_status import command_on

    return got(command_on(away.store))


def brought(away: Away | None, runs: Sequence[Path]) -> None:
    """Runs that are to be scored brought here, where they are kept on a store; the command ends here if they cannot."""
    if away is not None:
        from ..batch.store_scores import bring

        if problems := bring(away, runs):
            leave(problems)


def kept(away: Away | None, runs: Sequence[Path]) -> Problems:
    """Scores and report put where the runs are kept; why they could not be."""
    if away is None:
        return ()
    from ..batch.store_scores import keep

    return keep(away, runs)


@click.command(name="fetch", cls=Command)
@click.argument("address", metavar="URL")
@click.argument("folder", metavar="DIR", callback=options.here)
@options.as_json
def batch_fetch(address: str, folder: str) -> None:
    """Bring a batch that is kept on a store here."""
    from ..batch.fetch import fetch

    def look(runs: int) -> None:
        if runs % _STEP == 0 and sys.stderr.isatty():
            remark(say("batch.fetching", runs=runs))

    found = got(fetch(store_of(address, "URL"), path_of(folder), look))
    told: tuple[Diagnostic, ...] = found.problems
    if wants_json():
        write_json({"brought": found.brought, "same": found.same, "problems": as_json(told)})
    else:
        complain(told)
        click.echo(say("batch.fetched", folder=folder, brought=found.brought, same=found.same))
    sys.exit(WRONG if told else DONE)
