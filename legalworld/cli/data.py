"""`lw check BINDING --data FILE`: what a binding takes out of data, as a table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from .output import DONE, WRONG, as_json, complain, got, here, wants_json, warn, write_json
from .warned import code_with

if TYPE_CHECKING:
    from ..batch.data_check import DataCheck, FieldCount

References = frozenset[tuple[str, tuple[str, ...]]]


def check_binding(word: str, files: tuple[str, ...], allow_failed: float, allow_odd: float) -> None:
    """Print the table; the command ends here, by the shares of records that could not be read, and have odd values."""
    from ..batch.data_check import check_data, opened_for
    from ..evaluation.rubric.open import references_read

    opened = got(opened_for(word, here()))
    project, binding = opened.project, opened.binding
    found = check_data(project, binding, word, files, here())
    assert project.procedure is not None
    read = references_read(project.procedure, here())
    if wants_json():
        write_json(_record(found, read))
    else:
        _print(found, read, binding.name)
    code = WRONG if found.failed > allow_failed * found.records or not found.records else DONE
    sys.exit(code_with(code, found.warned.row(), allow_odd))


def _print(found: DataCheck, read: References, name: str) -> None:
    from ..wording.columns import columns, fit, table

    head = [say(f"data.{key}") for key in ("field", "filled", "partly", "empty", "odd", "read_by", "example")]
    rows = [head, *(_row(row, read) for row in found.fields)]
    for line in table(rows, right=frozenset((1, 2, 3, 4))):
        click.echo(fit(line, columns()).rstrip())
    for key, lines in (
        (
            "lacking",
            [f"{row.name}  {row.lacking}" for row in found.fields if row.filled and row.lacking and not row.lacks],
        ),
        ("untaken", [f"{places}  {rubrics}" for places, rubrics in _untaken(found, read)]),
        ("oddities", [f"{row.name}  {text}" for row in found.fields for text in row.odd]),
    ):
        if lines:
            click.echo("\n" + say(f"data.{key}"))
            click.echo("\n".join(f"  {line}" for line in lines))
    share = f"{found.failed / max(found.records, 1):.1%}"
    warn(found.problems)
    if found.failures:
        click.echo("\n" + say("data.failed"), err=True)
        for where, problems in found.failures:
            click.echo(f"{where}:", err=True)
            complain(tuple(problem for problem in problems if problem.severity == "error"))
    numbers = {"records": found.records, "failed": found.failed, "share": share}
    click.echo("\n" + say("data.counted", binding=name, procedure=found.procedure, **numbers))


def _row(row: FieldCount, read: References) -> list[str]:
    counts = (str(row.filled), str(row.partly or ""), str(row.empty), str(row.oddities or ""))
    return [row.name, *counts, _readers(row, read), row.example]


def _readers(row: FieldCount, read: References) -> str:
    """The rubrics that read a value for evaluation only, or what is above it or below."""
    if not row.sealed:
        return ""
    names = {rubric for rubric, places in read if any(_along(place, row.name) for place in places)}
    return ", ".join(sorted(names)) or say("data.unread")


def _along(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _untaken(found: DataCheck, read: References) -> Iterator[tuple[str, str]]:
    """What rubrics read and the binding does not take: the places, any of which would do, and the rubrics."""
    taken = [row.name for row in found.fields if row.sealed]
    lacking: dict[str, list[str]] = {}
    for rubric, places in sorted(read):
        if not any(_along(place, name) for place in places for name in taken):
            lacking.setdefault(" / ".join(dict.fromkeys(places)), []).append(rubric)
    for names, rubrics in lacking.items():
        yield names, ", ".join(rubrics)


def _record(found: DataCheck, read: References) -> dict[str, Any]:
    fields = [
        {
            "field": row.name,
            "filled": row.filled,
            "partly": row.partly,
            "empty": row.empty,
            "odd": row.oddities,
            "sealed": row.sealed,
            "example": row.example,
            "lacking": row.lacking,
            "oddities": row.odd,
        }
        for row in found.fields
    ]
    failures = [{"record": where, "problems": as_json(problems)} for where, problems in found.failures]
    return {
        "procedure": found.procedure,
        "records": found.records,
        "failed": found.failed,
        "odd": found.warned.odd,
        "fields": fields,
        "untaken": [places for places, _ in _untaken(found, read)],
        "failures": failures,
        "problems": as_json(found.problems),
    }
