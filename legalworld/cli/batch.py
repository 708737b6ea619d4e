"""`lw batch`: many cases played at once, without scoring; how a batch stands, going on with it, what it leaves."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from ..wording.columns import visible
from . import options
from .batch_progress import BatchProgress
from .help import Command, Group
from .inputs import say_origin
from .output import (
    DONE,
    INTERRUPTED,
    STOPPED,
    WRONG,
    as_json,
    complain,
    got,
    here,
    json_line,
    path_of,
    remark,
    wants_json,
    write_json,
)
from .stores import STORED, away_of, batch_fetch, command_there, record_of_batch
from .traces import traced
from .warned import code_with, tell_warned

if TYPE_CHECKING:
    from ..batch.jobs import Lineup
    from ..batch.play import BatchOutcome
    from ..batch.results import JobResult
    from ..batch.store_run import Away
    from ..models.prices import Spent

ORDER = ("ended", "paused", "stopped", "interrupted", "refused", "damaged")
STANDING = (*ORDER, "missing", "begun")


class Batches(Group):
    """The group: without one of its commands, `play` is meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or args[0] in ("-h", "--help"))
        return super().parse_args(ctx, args if named or not args else ["play", *args])


@click.group(cls=Batches)
def batch() -> None: ...


def batch_played(
    spec: str, lineups: Sequence[Lineup], *, events: bool = False, away: Away | None = None, **given: Any
) -> BatchOutcome:
    """The runs of a batch, played; each is told as it is done. The command ends here when all of them are wrong.
    `away`: where they are kept, when that is no folder here."""
    from dataclasses import asdict

    from ..batch.cases import count_of
    from ..batch.jobs import BatchRequest
    from ..batch.limit_words import limits_of
    from ..batch.play import Batch, Told

    gc.set_threshold(5_000, 20, 20)  # from here on cases come and go: circles that they leave are not to pile up
    out = path_of(given["out"]) if away is None else away.scratch
    words = {"spec": spec, "lineups": [asdict(lineup) for lineup in lineups], **given}
    words["cwd"] = os.path.relpath(here(), out.absolute())
    if away is not None:
        words |= {"out": away.store.shown, "cwd": ""}
    limits = got(limits_of(given.pop("limits"), given.pop("budget"), given.pop("prices")))
    playing = Batch(given.pop("at_once"), given.pop("deadline"), given.pop("case_deadline") or 0.0, limits)
    how = {"words": words, "workers": given.pop("workers"), "engine": given.pop("engine", "local")}
    given |= {"options": options.values_of(given["options"]), "out": out}
    tracing = given.pop("trace", False)
    asked = BatchRequest(spec=spec, lineups=tuple(lineups), **given)
    runs = len(asked.lineups) * max(1, len(asked.profiles)) * asked.seeds
    counting = BatchProgress(
        events=events,
        quiet=wants_json(),
        count=lambda: count_of(asked.cases, here()) * runs or runs,
        name=str if away is None else away.shown,
    )
    with counting as progress, traced(tracing, progress.warn) as trace:

        def result(done: JobResult) -> None:
            progress.result(done)
            trace(done)

        told = Told(result, progress.meter, progress.warn)
        if away is None:
            from ..batch.run import run_batch

            return got(run_batch(asked, playing, here(), told, **how))
        from ..batch.store_run import run_batch_away

        return got(run_batch_away(asked, playing, here(), told, away, **how))


@batch.command(name="play", cls=Command)
@options.spec
@options.cases
@options.binding
@options.models
@options.settings
@options.target
@options.chosen
@options.profiles
@options.seeds
@options.start
@options.batch_out
@options.at_once
@options.workers
@options.engine
@options.limits
@options.deadline
@options.trace
@options.allow_failed
@options.allow_odd
@options.as_json
def batch_play(spec: str, allow_failed: float, allow_odd: float, models: tuple[str, ...], **given: Any) -> None:
    from ..batch.jobs import Lineup

    away = away_of(given["out"], *(given.pop(name) for name in STORED), needed=given["trace"])
    say_origin(spec)
    played = batch_played(spec, (Lineup(models),), events=wants_json(), away=away, **given)
    _leave(played, allow_failed, allow_odd)


def _leave(played: BatchOutcome, allow_failed: float, allow_odd: float) -> None:
    """Say how a batch came out, and end the command; `allow_failed`, `allow_odd`: the shares of its cases that may be
    refused, and may have odd values."""
    counts = {status: sum(one.status == status for one in played.results) for status in ORDER}
    before = sum(one.before for one in played.results)
    if not wants_json():
        told = {status: f"{say(f'batch.{status}')} {count}" for status, count in counts.items() if count}
        if before:
            told["ended"] = say("batch.earlier", ended=told["ended"], before=before)
        click.echo(say("batch.together", runs=len(played.results), counts=" · ".join(told.values()) or "0"))
    warned = played.warned.row()
    tell_warned(warned)
    if wants_json() and warned["warnings"]:
        click.echo(json_line({"event": "warnings", **warned}))
    if played.interrupted:
        remark(say("batch.go_on"))
        sys.exit(INTERRUPTED)
    if played.exhausted:
        remark(say("batch.exhausted"))
    complain(played.unkept)
    stopped = counts["stopped"] or counts["interrupted"] or played.exhausted or played.unkept
    refused = counts["refused"] + counts["damaged"] > allow_failed * len(played.results)
    sys.exit(code_with(WRONG if refused else STOPPED if stopped else DONE, warned, allow_odd))


# ---- a batch that is there -------------------------------------------------------------------------------------------


@batch.command(name="status", cls=Command)
@options.batch_place
@click.option("--verify", is_flag=True)
@options.as_json
def batch_status(folder: str, verify: bool) -> None:
    """How the runs of a batch stand: by its record, and by themselves."""
    words, found, unrecorded = record_of_batch(folder, verify)
    complain(found.problems)
    counts: dict[str, int] = {}
    for entry in found.entries.values():
        counts[entry.status] = counts.get(entry.status, 0) + 1
    failed = {name: entry for name, entry in found.entries.items() if entry.status not in ("ended", "paused")}
    spent = found.spent if not found.problems else None
    if wants_json():
        runs = [{"run": name, "status": entry.status, "problem": entry.problem} for name, entry in failed.items()]
        told = {
            "warned": dict(found.warned),
            "unfinished": runs,
            "unrecorded": unrecorded,
            "problems": as_json(found.problems),
        }
        write_json({"spec": words.get("spec"), "counts": counts, **_spending(spent), **told})
    else:
        told_counts = " · ".join(f"{say(f'batch.{one}')} {counts[one]}" for one in STANDING if one in counts)
        click.echo(say("batch.stands", spec=words.get("spec", ""), runs=len(found.entries), counts=told_counts or "0"))
        if unrecorded:
            click.echo(say("batch.unrecorded", count=unrecorded))
        if spent is None:
            click.echo(say("batch.spent_unknown", folder=folder))
        elif spent.calls:
            dollars = f"{spent.dollars:.2f}"
            click.echo(say("batch.spent", calls=f"{spent.calls:,}", tokens=f"{spent.tokens:,}", dollars=dollars))
        tell_warned(found.warned)
        for name, entry in failed.items():
            where = visible(f"{entry.place} {entry.problem}")
            click.echo(f"  {visible(name)}  {say(f'batch.{entry.status}')}  {where}".rstrip())
    sys.exit(WRONG if found.problems else DONE)


def _spending(spent: Spent | None) -> dict[str, object]:
    """What was spent as JSON has it; null where nobody knows."""
    if spent is None:
        return {"calls": None, "tokens": None, "dollars": None}
    return {"calls": spent.calls, "tokens": spent.tokens, "dollars": round(spent.dollars, 6)}


@batch.command(name="retry", cls=Command)
@options.batch_place
@options.again_at_once
@options.again_workers
@options.again_engine
@options.limits
@options.stored
@options.allow_failed
@options.allow_odd
@options.as_json
def batch_retry(
    folder: str, at_once: int | None, workers: int | None, allow_failed: float, allow_odd: float, **given: Any
) -> None:
    """Go on with a batch as its command was; what is named here is named anew."""
    from ..batch.jobs import Lineup
    from ..batch.record import command_of
    from ..language import diagnose
    from .output import leave

    away = away_of(folder, *(given.pop(name) for name in STORED))
    out = path_of(folder).absolute()
    words = got(command_of(path_of(folder))) if away is None else command_there(away)
    given |= {"at_once": at_once, "workers": workers}
    words |= {name: value for name, value in given.items() if value}
    try:
        if cwd := words.pop("cwd"):  # where a batch is kept on a store, it is where this is typed
            os.chdir(os.path.join(out, cwd))
        words["out"] = os.path.relpath(out) if away is None else folder
        lineups = tuple(Lineup(tuple(one["others"]), one["tested"]) for one in words.pop("lineups"))
        words = {name: tuple(value) if isinstance(value, list) else value for name, value in words.items()}
        played = batch_played(words.pop("spec"), lineups, events=wants_json(), away=away, **words)
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        told = folder if away is None else away.store.shown
        leave((diagnose.damaged_batch_file(told, path=told, reason=f"{type(error).__name__}: {error}"[:200]),))
    _leave(played, allow_failed, allow_odd)


@batch.command(name="gc", cls=Command)
@options.batch_folder
@options.as_json
def batch_gc(folder: str) -> None:
    """Remove what killed processes left in the folder of a batch."""
    from ..batch.record import clear, command_of

    got(command_of(path_of(folder)))
    removed = clear(path_of(folder))
    found = removed if isinstance(removed, list) else got(removed)
    if wants_json():
        write_json({"removed": [str(path) for path in found]})
    else:
        click.echo(say("batch.removed", count=len(found)))


batch.add_command(batch_fetch)
