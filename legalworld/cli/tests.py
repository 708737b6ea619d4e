"""`lw test`: the tests that experts write for their procedures, played offline and judged."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..language import diagnose
from ..wording import say
from . import completion, options
from .help import Command
from .output import DONE, WRONG, as_json, complain, here, leave, save, wants_json, write_json

if TYPE_CHECKING:
    from ..authoring.find_tests import OpenedTests, Result
    from ..authoring.procedure_tests import ProcedureTest
    from ..model.diagnostics import Diagnostic

FAILED = 1


@click.command(cls=Command)
@click.argument("words", metavar="[SPEC|FILE|FOLDER]...", nargs=-1, shell_complete=completion.named("specs"))
@click.option("-k", "part", metavar="WORDS", default="")
@click.option("--junit", metavar="FILE", default="")
@options.as_json
def test(words: Sequence[str], part: str, junit: str) -> None:
    from ..authoring.find_tests import result, test_files

    files = test_files(words, here())
    if any(not hasattr(file, "name") for file in files):
        leave(files)  # type: ignore[arg-type]
    opened, wrong = _opened(files)
    chosen = [(one, case) for one in opened for case in one.tests if part in case.name or part in one.file]
    if part and not chosen and not wrong:
        leave((diagnose.no_test_called_so("-k", name=part),))
    rows: list[tuple[OpenedTests, Result]] = []
    for one, case in chosen:
        found = result(one, case)
        rows.append((one, found))
        if not wants_json():
            _tell(one, found)
    _finish(rows, wrong, junit)


def _opened(files: Sequence[Any]) -> tuple[list[OpenedTests], list[Diagnostic]]:
    """The files of tests that can be read, and all that is wrong with the others."""
    from ..authoring.find_tests import open_tests

    opened: list[OpenedTests] = []
    wrong: list[Diagnostic] = []
    for file in files:
        found = open_tests(file, here())
        if isinstance(found, tuple):
            wrong += found
            if not wants_json():
                complain(found)
        else:
            opened.append(found)
    return opened, wrong


def _finish(rows: Sequence[tuple[OpenedTests, Result]], wrong: Sequence[Diagnostic], junit: str) -> None:
    """What came of all: as JSON, as a file for other programs, as a sum; and the code that says so."""
    failed = sum(bool(found.failures) for _, found in rows)
    broken = sum(bool(found.broken) for _, found in rows)
    counts = {"tests": len(rows), "passed": sum(found.passed for _, found in rows), "failed": failed, "broken": broken}
    if junit:
        from ..authoring.junit import junit_xml

        save(junit, junit_xml([(one.file, found, tuple(_lines(one, found))) for one, found in rows]))
    if wants_json():
        told = [_as_row(one, found) for one, found in rows]
        write_json({**counts, "results": told, "problems": as_json(wrong)})
    elif rows:
        click.echo(say("testing.sum", **counts))
    sys.exit(WRONG if wrong or broken or not rows else FAILED if failed else DONE)


def _tell(opened: OpenedTests, found: Result) -> None:
    mark = say(f"testing.{'passed' if found.passed else 'broken' if found.broken else 'failed'}")
    colour = "green" if found.passed else "red"
    where = f"{opened.file}:{found.test.span.line}"
    click.echo(f"{click.style(mark, fg=colour)}  {where}  {found.test.name}")
    complain(found.broken)
    for line in _lines(opened, found):
        click.echo(line)


def _lines(opened: OpenedTests, found: Result) -> Iterator[str]:
    """What came otherwise, each with the lines of the test and of the procedure."""
    from ..authoring.find_tests import worded

    for failure in found.failures:
        yield from (f"  {line}" for line in worded(opened, failure, here()))


def _as_row(opened: OpenedTests, found: Result) -> dict[str, Any]:
    from ..authoring.find_tests import spec_line, worded

    case: ProcedureTest = found.test
    told = [
        {
            "kind": failure.kind,
            "file": failure.span.file,
            "line": failure.span.line,
            "spec": spec_line(opened, failure, here()) or None,
            "message": "\n".join(worded(opened, failure, here())),
        }
        for failure in found.failures
    ]
    procedure = opened.project.path.removeprefix("specs/").rpartition(".")[0]
    status = "passed" if found.passed else "broken" if found.broken else "failed"
    place = {"file": opened.file, "line": case.span.line, "procedure": procedure, "name": case.name}
    return {**place, "status": status, "failures": told, "problems": as_json(found.broken)}
