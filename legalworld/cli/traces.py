"""`lw traces`: stored runs sent as traces to where OpenTelemetry's traces are collected."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from ..wording import say
from . import options
from .help import Command
from .output import DONE, WRONG, as_json, complain, leave, path_of, wants_json, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..batch.results import JobResult
    from ..runs.project import Problems

    Trace = Callable[[JobResult], None]


@click.command(cls=Command)
@options.run_folders
@options.as_json
def traces(folders: Sequence[str]) -> None:
    from ..evaluation.run_store import runs_in
    from ..export.otlp import lacking_otlp, otlp_exporter, send

    if lacking := lacking_otlp("lw traces"):
        leave((lacking,))
    exporter = otlp_exporter()
    sent: dict[str, int] = {}
    problems: Problems = ()
    for path in runs_in([path_of(folder) for folder in folders]):
        spans = send(path, exporter)
        if isinstance(spans, tuple):
            problems += spans
        else:
            sent[str(path)] = spans
    exporter.shutdown()
    if wants_json():
        write_json({"sent": sent, "problems": as_json(problems)})
    else:
        if sent:
            click.echo(say("traces.sent", runs=len(sent), spans=sum(sent.values())))
        complain(problems)
    sys.exit(WRONG if problems else DONE)


def traced(wanted: bool, warn: Callable[[Problems], None]) -> AbstractContextManager[Trace]:
    """Sends each run of a batch that was played, where that is wanted; the command ends here where it cannot be."""
    return _sending(warn) if wanted else nullcontext(lambda _: None)


@contextmanager
def _sending(warn: Callable[[Problems], None]) -> Iterator[Trace]:
    from ..batch.results import UNPLAYED
    from ..export.otlp import TraceSender, lacking_otlp

    if lacking := lacking_otlp("--trace"):
        leave((lacking,))
    sender = TraceSender(warn)

    def result(done: JobResult) -> None:
        if done.folder is not None and not done.before and done.status not in UNPLAYED:
            sender.send(done.folder)

    try:
        yield result
    finally:
        sender.close()
