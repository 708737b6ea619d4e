"""What a binding takes out of data, field by field: how many records fill it, how many leave it empty, what looks odd.

Records are bound one after another and counted; none is kept but a few examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ..binding.file import procedures_of
from ..binding.rules import Binding, RecordRule, Rule, ValueRule
from ..files.project_files import find
from ..language import diagnose
from ..model.case import MISSING, Case, Record, Sided, Value, texts
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..runs.case_file import OpenedCase, binding_named
from ..runs.catalogue import catalogue
from ..runs.project import Problems, Project, open_project
from .cases import cases_in
from .warned import EXAMPLES, ODD, WarningCounts

_LONGEST: Final = 60


@dataclass(slots=True)
class FieldCount:
    """One rule of a binding, FIELD.SIDE.KEY; `[]`: a key of each record of a list. `sealed`: for evaluation only.

    `lacks`: such data may lack it. `partly`: how many of those filled have it in some of the list alone. `example`: the
    first value; `lacking`: where it was empty first; `odd`: what looks wrong, and where.
    """

    name: str
    sealed: bool
    lacks: bool = False
    filled: int = 0
    partly: int = 0
    empty: int = 0
    example: str = ""
    lacking: str = ""
    odd: list[str] = field(default_factory=list)
    oddities: int = 0


@dataclass(slots=True)
class DataCheck:
    """`failed`: the records that could not be bound, the first few with what was wrong."""

    procedure: str
    fields: tuple[FieldCount, ...]
    records: int = 0
    failed: int = 0
    failures: list[tuple[str, Problems]] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    warned: WarningCounts = field(default_factory=WarningCounts)


@immutable
class OpenBinding:
    """A binding, read for the procedure that it is for."""

    project: Project
    binding: Binding


def opened_for(word: str, cwd: Path) -> OpenBinding | Problems:
    """The binding that a word names, and the procedure it is for: the first that it names."""
    place = find("bindings", word, cwd)
    if isinstance(place, Diagnostic):
        return (place,)
    names = procedures_of(*place)
    for spec in (spec for name in names for spec in _specs(name, cwd)):
        project = open_project(spec, cwd)
        if isinstance(project, Project) and project.procedure is not None and names[0] in project.procedure.names:
            loaded = binding_named(project, word, cwd)
            return OpenBinding(project, loaded) if isinstance(loaded, Binding) else loaded
    return (diagnose.unknown_procedure(place[1], name=names[0] if names else "", known=()),)


def _specs(name: str, cwd: Path) -> Iterator[str]:
    """Where a procedure of this name may stand: the likely files, then all."""
    yield from (name, name.replace("_", "-"))
    yield from (entry.file for entry in catalogue(cwd, (name,)) if entry.procedure)


def check_data(project: Project, binding: Binding, word: str, files: tuple[str, ...], cwd: Path) -> DataCheck:
    """Bind every record of the files by the binding, which `word` names, and count."""
    procedure = project.procedure
    assert procedure is not None
    rows = {
        name: FieldCount(name, sealed, binding.lacks(name.replace("[]", "")))
        for name, sealed in _rows(project, binding)
    }
    found = DataCheck(procedure.name, tuple(rows.values()))
    for one in cases_in(project, files, word, cwd):
        found.records += 1
        if not isinstance(one.matter, OpenedCase):
            found.failed += 1
            if len(found.failures) < EXAMPLES:
                found.failures.append((one.where, one.matter))
            continue
        for row in rows.values():
            _count(row, *_value(one.matter.case, row), one.where)
        firsts = found.warned.add(one.where, one.notes)
        found.problems += (problem for problem in firsts if problem.code not in ODD)
        odd = [problem for problem in one.matter.problems if problem.code in ODD]
        for field_name, problem in {str(each.values["field"]): each for each in reversed(odd)}.items():
            _odd(rows, field_name, problem, one.where)
    found.problems += (*found.warned.idle(), *_mostly_empty(binding, found))
    return found


def _rows(project: Project, binding: Binding) -> Iterator[tuple[str, bool]]:
    """The names of all rules of a binding, and whether each is for evaluation only."""
    assert project.procedure is not None
    for name, sides in binding.fields.items():
        sealed = project.procedure.case_fields[name].evaluation_only
        for side, rule in sides.items():
            for below in _below(rule) if rule is not None else ():
                yield ".".join(filter(None, (name, side))) + below, sealed


def _below(rule: Rule) -> Iterator[str]:
    """The places of a rule below its field: those of its keys, "" for a value."""
    match rule:
        case RecordRule(keys=keys):
            for key, inner in keys.items():
                yield from (f".{key}{rest}" for rest in _below(inner))
        case ValueRule(each=RecordRule(keys=keys)):
            yield from (f"[].{key}" for key in keys)
        case _:
            yield ""


def _value(case: Case, row: FieldCount) -> tuple[Value | None, bool]:
    """The value of a row, of a key of a list those that its records have; and whether some of these have none."""
    path, _, key = row.name.partition("[].")
    name, *keys = path.split(".")
    value = (case.sealed if row.sealed else case.fields).get(name)
    for step in keys:
        if isinstance(value, Sided):
            value = value.values.get(step)
        else:
            value = value.get(step) if isinstance(value, Record) else None
    if key and isinstance(value, Record):  # a field of one record, taken out of several
        return value.get(key), False
    if not key or not isinstance(value, tuple):
        return (None if isinstance(value, Sided) or key else value), False
    values = tuple(record.get(key, MISSING) for record in value if isinstance(record, Record))
    return tuple(one for one in values if one), not all(values)


def _count(row: FieldCount, value: Value | None, some: bool, where: str) -> None:
    if value:
        row.filled += 1
        row.partly += some
        row.example = row.example or next(texts(value), "").partition("\n")[0][:_LONGEST]
    else:
        row.empty += 1
        row.lacking = row.lacking or where


def _odd(rows: Mapping[str, FieldCount], name: str, problem: Diagnostic, where: str) -> None:
    """An oddity of a record put down at the first row of its field."""
    row = next(
        (row for place, row in rows.items() if place == name or place.startswith((f"{name}.", f"{name}["))), None
    )
    if row is not None:
        row.oddities += 1
        if len(row.odd) < EXAMPLES:
            row.odd.append(f"{where}: {str(problem.values['text'])[:_LONGEST]}")


def _mostly_empty(binding: Binding, found: DataCheck) -> Iterator[Diagnostic]:
    """A warning for each rule that finds nothing in more than half of the records, unless such data may lack it."""
    for row in found.fields:
        if row.filled and row.empty > row.filled and not row.lacks:
            count = row.filled + row.empty
            yield diagnose.mostly_empty(binding.span, name=row.name, count=count, empty=row.empty)
