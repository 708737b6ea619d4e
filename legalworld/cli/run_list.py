"""`lw runs`: the runs below a folder, filtered and sorted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from . import options
from .help import Command
from .output import got, leave, path_of, remark, save, wants_json, write_json, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..index.query import Query
    from ..index.run_index import ListedRun, RunIndex

_SHOWN = ("run", "case", "model", "status", "outcome", "place", "turns", "tokens")
_STEP = 500  # runs read between two words about it


@click.command("runs", cls=Command)
@options.folder_of_runs
@options.listed("--spec", "NAME,...")
@options.listed("--case", "ID,...")
@options.listed("--model", "NAME,...")
@options.listed("--status", "ended,unfinished,damaged")
@click.option("--where", "where", metavar="NAME=VALUE", multiple=True)
@options.listed("--scores", "RUBRIC.FIGURE,...")
@options.listed("--sort", "[-]NAME,...")
@click.option("--limit", metavar="N", type=click.IntRange(0), default=50)
@click.option("--verify", is_flag=True)
@options.sheet
@options.as_json
def runs(folder: str, limit: int, sheet: str, verify: bool, **given: Any) -> None:
    from ..index.query import read_query

    among = (
        *(("procedure", given["spec"]), ("case", given["case"])),
        *(("model", given["model"]), ("status", given["status"])),
    )
    everything = wants_json() or bool(sheet)
    query = got(read_query(among, given["where"], given["sort"], given["scores"], 0 if everything else limit))
    index = _opened(folder)
    try:
        _brought_up(index, verify, bool(query.figures))
        total, found = index.count(query), list(index.select(query))
    finally:
        index.close()
    if wants_json():
        for one in found:
            write_json(_record(one, query))
    elif sheet:
        _write_sheet(sheet, found, query)
    else:
        _tell(folder, total, found, query)


def _opened(folder: str) -> RunIndex:
    from ..files.project_files import unreadable
    from ..index.run_index import RunIndex
    from ..language import diagnose

    path = path_of(folder)
    try:
        return RunIndex.open(path)
    except (FileNotFoundError, NotADirectoryError):
        leave((diagnose.no_folder_of_runs(folder, path=folder),))
    except OSError as error:
        leave((unreadable(folder, error),))


def _brought_up(index: RunIndex, whole: bool, scores: bool) -> None:
    def look(read: int) -> None:
        if read % _STEP == 0 and sys.stderr.isatty():
            click.echo(f"\r{say('runs.reading', runs=read)}", err=True, nl=False)

    index.refresh(scores=scores, whole=whole, look=look)


def _cells(one: ListedRun, query: Query) -> list[str]:
    from ..wording.columns import visible

    row = one.row
    words: list[object] = [getattr(row, name) for name in _SHOWN]
    words[_SHOWN.index("status")] = say(f"runs.{row.status}")
    if row.tokens is None:
        words[_SHOWN.index("tokens")] = ""
    figures = ["" if value is None else f"{value:.4g}" for value in one.figures]
    return [*(visible(str(word)) for word in words), *figures]


def _tell(folder: str, total: int, found: Sequence[ListedRun], query: Query) -> None:
    from ..wording.columns import table, visible

    if not found:
        remark(say("runs.none", folder=visible(folder)))
        return
    heads = [*(say(f"runs.{name}") for name in _SHOWN), *map(str, query.figures)]
    numbers = frozenset(range(_SHOWN.index("turns"), len(heads)))
    for line in table([heads, *(_cells(one, query) for one in found)], numbers):
        click.echo(line)
    click.echo(say("runs.counted", total=total, shown=len(found)))


def _record(one: ListedRun, query: Query) -> dict[str, object]:
    from dataclasses import asdict

    return asdict(one.row) | {str(key): value for key, value in zip(query.figures, one.figures, strict=True)}


def _write_sheet(file: str, found: Sequence[ListedRun], query: Query) -> None:
    from ..files.spreadsheet import csv_text

    save(file, csv_text(_record(one, query) for one in found).encode("utf-8-sig"))
    written((file,))
