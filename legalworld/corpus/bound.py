"""Cases that a binding takes out of data, as case files: the way back from fields to where the procedure reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..batch.cases import BatchCase, cases_in
from ..batch.warned import WarningCounts
from ..binding.casefile import as_json, sealed_json
from ..model.case import Case
from ..model.json_text import read_json
from ..model.procedure import Field, Procedure
from ..runs.case_file import OpenedCase
from ..runs.project import Project
from .records import CASE, CorpusRequest, Row

_SIDE: Final = "{side}"


def bound_cases(asked: CorpusRequest, project: Project, warned: WarningCounts) -> Iterator[tuple[str, Row | BatchCase]]:
    """The records of the sources, each as a case file, or as what was wrong with it; the warnings are counted."""
    assert project.procedure is not None
    for one in cases_in(project, asked.sources, asked.binding, asked.cwd):
        if not isinstance(one.matter, OpenedCase):
            yield one.where, one
            continue
        warned.add(one.where, one.notes)
        case = case_file_of(one.matter.case, project.procedure)
        yield one.where, {"id": one.where, "kind": CASE, "where": one.where, "case": case}


def case_file_of(case: Case, procedure: Procedure) -> Row:
    """A bound case as a file in the project's own format, from which the same case is bound."""
    told: Row = {"lw": 1, "case": case.id, "title": case.title}
    fields = {**read_json(as_json(case))["fields"], **read_json(sealed_json(case))["sealed"]}
    for name, value in fields.items():
        field = procedure.case_fields[name]
        for path, one in _placed(field, value):
            _put(told, path.removeprefix("$.").split("."), one)
    return told


def _placed(field: Field, value: Any) -> Iterator[tuple[str, Any]]:
    if not field.sided:
        yield field.path, value
        return
    for side, one in value.items():
        if one not in (None, "", [], {}):
            yield field.path.replace(_SIDE, side), one


def _put(told: Row, path: list[str], value: Any) -> None:
    """A value at a path, beside what stands there; `[*]`: each item at its own place of a list."""
    key, *below = path
    if not key.endswith("[*]"):
        if below:
            _put(told.setdefault(key, {}), below, value)
        elif isinstance(value, dict) and isinstance(told.get(key), dict):
            told[key] |= {name: one for name, one in value.items() if one is not None}
        else:
            told[key] = value
        return
    listed = told.setdefault(key.removesuffix("[*]"), [])
    for number, one in enumerate(value if isinstance(value, list) else [value]):
        if not below:
            listed.append(one)
            continue
        if number == len(listed):
            listed.append({})
        _put(listed[number], below, one)
