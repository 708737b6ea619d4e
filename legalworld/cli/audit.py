"""`lw audit`: the decisions of runs, or judgments from elsewhere, held against checks that experts write."""

from __future__ import annotations

import sys
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, Final

import click

from ..language import diagnose
from . import completion, options
from .help import Command
from .inputs import project_of
from .output import DONE, WRONG, complain, got, here, leave, path_of, save, wants_json, write_json
from .output import written as tell_written

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.soundness.audit import DocumentAudit
    from ..evaluation.soundness.definition import CheckFile
    from ..law.text.decision_people import CaseFrame
    from ..model.diagnostics import Diagnostic

ALARMED: Final = 4
PIECE: Final = 1 << 20  # bytes of a sheet that are written at once


@click.command(cls=Command)
@click.argument(
    "places", metavar="RUN|FILE...", nargs=-1, required=True, callback=options.here, shell_complete=completion.runs
)
@click.option("--case", "case", metavar="FILE[#N]", default="")
@click.option("--spec", "spec", metavar="SPEC", default="")
@options.sheet
@options.as_json
def audit(places: Sequence[str], case: str, spec: str, sheet: str) -> None:
    from ..evaluation.soundness.check_files import check_files
    from ..files.project_files import Disk

    found = check_files(Disk(here()))
    if any(problem.severity == "error" for problem in found.problems):
        leave(found.problems)
    frame = _frame(case, spec, places) if case else None
    with tempfile.TemporaryFile() as lines:
        told = _AuditReport(sheet, lines)
        for source, one in _audits(places, found.files, frame):
            if _usable(one):
                told.add(source, one)
            else:
                told.refuse(one)
        told.end()
    sys.stdout.flush()
    sys.exit(WRONG if told.failed else ALARMED if told.wrong else DONE)


class _AuditReport:
    """Tells each audit as it comes and keeps none: counts, and the lines of a sheet in a file that has no name yet."""

    def __init__(self, sheet: str, lines: IO[bytes]) -> None:
        from ..evaluation.soundness.report import AuditCount

        self.count, self.wrong, self.failed = AuditCount(), 0, False
        self._sheet, self._lines, self._begun = sheet, lines, False

    def refuse(self, problems: Sequence[Diagnostic]) -> None:
        self.failed = self.failed or any(problem.severity == "error" for problem in problems)
        complain(problems)

    def add(self, source: str, one: DocumentAudit) -> None:
        from ..evaluation.soundness.report import json_rows, sheet_rows, text_of
        from ..files.spreadsheet import csv_lines

        self.count.add(one)
        self.wrong += sum(1 for alarm in one.alarms if alarm.check.severity != "note")
        for line in csv_lines(sheet_rows(one, source), headed=not self._begun) if self._sheet else ():
            self._lines.write(line.encode("utf-8"))
            self._begun = True
        if not wants_json():
            click.echo(f"{source}\n{text_of(one)}\n")
            return
        for row in json_rows(one, source):
            write_json(row)

    def end(self) -> None:
        from ..evaluation.soundness.report import totals_text

        if not wants_json():
            click.echo(totals_text(self.count.totals()))
        if self._sheet:
            self._lines.seek(0)
            save(self._sheet, chain([BOM_UTF8], iter(partial(self._lines.read, PIECE), b"")))
            tell_written([self._sheet])


def _usable(one: Any) -> bool:
    return not isinstance(one, tuple)


def _audits(places: Sequence[str], files: Sequence[CheckFile], frame: CaseFrame | None) -> Iterator[tuple[str, Any]]:
    """Each document with what came of it, or the problems in its place; one at a time, however many there are."""
    from ..evaluation.run_store import each_run

    for place in places:
        path = path_of(place)
        if path.is_file():
            yield place, _of_file(path, files, frame)
            continue
        for run in each_run(path):
            yield from _of_run(run, files)


def _of_file(path: Path, files: Sequence[CheckFile], frame: CaseFrame | None) -> DocumentAudit | tuple[Diagnostic, ...]:
    from ..evaluation.soundness.audit import audit_text
    from ..model.diagnostics import Diagnostic

    text = _text(path)
    found = audit_text(text, path.name, files, frame) if isinstance(text, str) else text
    return (found,) if isinstance(found, Diagnostic) else found


def _text(path: Path) -> str | Diagnostic:
    """A judgment file as text, in whatever format and encoding other commands read; what was assumed is told."""
    from ..files.document_text import DocumentText, document_text

    read = document_text(path)
    if not isinstance(read, DocumentText):
        return read
    complain(read.problems)
    return read.text


def _of_run(run: Path, files: Sequence[CheckFile]) -> Iterator[tuple[str, Any]]:
    from ..evaluation.run_store import open_stored
    from ..evaluation.soundness.audit import audit_run
    from ..model.source import Span

    stored = open_stored(run)
    if isinstance(stored, tuple):
        yield run.as_posix(), stored
        return
    empty = True
    for one in audit_run(stored, files):
        empty = False
        yield run.as_posix(), one
    if empty:
        yield run.as_posix(), (diagnose.no_decision_in_run(Span(run.as_posix(), 0, 0)),)


def _frame(case: str, spec: str, places: Sequence[str]) -> CaseFrame:
    """Who takes part in a case and what is claimed, for a judgment file that is read against it.

    Of the decisions of a procedure it is read as the one of its own instance, else as the first.
    """
    from ..law.text.case_frame import case_frame
    from ..law.text.decisions import head
    from ..model.decision_frame import instance_of
    from ..runs.case_file import open_case

    if not spec:
        leave((diagnose.case_without_spec("--case"),))
    if len(places) > 1 or not path_of(places[0]).is_file():
        leave((diagnose.many_audited_by_one_case("--case"),))
    project = project_of(spec)
    procedure = project.procedure
    assert procedure is not None
    opened = got(open_case(project, case, "", {}, here()), project)
    stated = tuple(procedure.decisions.values())
    if not stated:
        leave((diagnose.no_checks_for("--spec", name=spec),))
    text = _text(path_of(places[0]))
    instance = head(text).instance if isinstance(text, str) else 0
    parts = next((one for one in stated if instance and instance_of(procedure, one) == instance), stated[0])
    return case_frame(procedure, opened.case, parts)
