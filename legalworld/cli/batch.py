"""`lw batch`: many cases played at once, without scoring."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from . import options
from .help import Command
from .output import DONE, INTERRUPTED, STOPPED, WRONG, as_json, got, here, path_of, remark, wants_json, warn

if TYPE_CHECKING:
    from ..batch.jobs import Lineup
    from ..batch.play import BatchOutcome, JobResult


def batch_played(spec: str, lineups: Sequence[Lineup], deadline: float, **given: Any) -> BatchOutcome:
    """The runs of a batch, played; each is told as it is done. The command ends here when all of them are wrong."""
    from ..batch.jobs import BatchRequest, plan_batch
    from ..batch.play import Batch, play_jobs

    given |= {"options": options.values_of(given["options"]), "out": path_of(given["out"])}
    playing = Batch(given.pop("at_once"), deadline)
    jobs = got(plan_batch(BatchRequest(spec=spec, lineups=tuple(lineups), **given), here()))
    with Counted() as counted:
        return play_jobs(jobs, playing, counted)


class Counted:
    """What is done so far, told as it is: a line for each run, and in a terminal one that counts them."""

    def __init__(self) -> None:
        self._done: dict[str, int] = {}
        self._turns = 0
        self._status: Any = None

    def __enter__(self) -> Counted:
        if sys.stderr.isatty() and not wants_json():
            from rich.console import Console

            self._status = Console(stderr=True, highlight=False, markup=False, emoji=False).status("", spinner="dots")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, result: JobResult) -> None:
        self._done[result.status] = self._done.get(result.status, 0) + 1
        self._turns += result.turns
        if not result.before and result.folder is not None and result.status != "refused":
            remark(say("batch.line", folder=result.folder, status=say(f"batch.{result.status}"), turns=result.turns))
        warn(result.problems)
        if self._status is not None:
            counts = " · ".join(f"{say(f'batch.{status}')} {count}" for status, count in self._done.items())
            self._status.update(say("batch.counted", counts=counts, turns=self._turns))


@click.command(cls=Command)
@options.spec
@options.cases
@options.binding
@options.models
@options.target
@options.chosen
@options.profiles
@options.seeds
@options.needed_out
@options.at_once
@options.deadline
@options.allow_failed
@options.as_json
def batch(spec: str, deadline: float, allow_failed: float, models: tuple[str, ...], **given: Any) -> None:
    from ..batch.jobs import Lineup

    played = batch_played(spec, (Lineup(models),), deadline, **given)
    if wants_json():
        for result in played.results:
            click.echo(json.dumps(_record(result), ensure_ascii=False))
    else:
        counts = {status: sum(one.status == status for one in played.results) for status in _ORDER}
        before = sum(one.before for one in played.results)
        told = " · ".join(f"{say(f'batch.{status}')} {count}" for status, count in counts.items() if count)
        click.echo(say("batch.together", runs=len(played.results), counts=told or "0", before=before))
    if played.interrupted:
        remark(say("batch.go_on"))
        sys.exit(INTERRUPTED)
    statuses = [result.status for result in played.results]
    if statuses.count("refused") > allow_failed * len(statuses):
        sys.exit(WRONG)
    sys.exit(STOPPED if "stopped" in statuses else DONE)


_ORDER = ("ended", "paused", "stopped", "interrupted", "refused")


def _record(result: JobResult) -> dict[str, object]:
    """A run of a batch as JSON has it."""
    folder = str(result.folder) if result.folder is not None else None
    counted = {"place": result.place, "turns": result.turns, "tokens": result.tokens, "before": result.before}
    return {
        "case": result.where,
        "run": folder,
        "status": result.status,
        **counted,
        "problems": as_json(result.problems),
    }
