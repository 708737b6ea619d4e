"""The offline court's judgments of every shipped procedure, its cases and its options, held against the checks.

`make test` audits the shipped case of each procedure and one choice of its options, drawn by a seed; `LW_AUDIT=all`
audits every case with every choice of every option.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from places import ROOT, SPEC_FILES
from playing import Way, play_anew, project

from legalworld.evaluation.soundness.audit import DocumentAudit, audit_run
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.stored_run import Stored
from legalworld.files.project_files import Disk
from legalworld.model.events import Drafted, Started
from legalworld.model.procedure import Procedure
from legalworld.runs.case_file import open_case

ALL = os.environ.get("LW_AUDIT") == "all"
SPECS = sorted(
    file.relative_to(ROOT / "specs").with_suffix("").as_posix() for file in SPEC_FILES if "parts" not in file.parts
)
# Alarms that are right, each with its reason.
EXPLAINED: dict[tuple[str, str, str], str] = {}


def procedure_of(spec: str) -> Procedure:
    found = project(spec).procedure
    assert found is not None
    return found


DECIDING = [spec for spec in SPECS if procedure_of(spec).decisions]


@cache
def fitting(spec: str) -> tuple[str, ...]:
    """The shipped cases that a procedure can play: all that bind to it without a complaint."""
    procedure, found = procedure_of(spec), []
    for file in sorted((ROOT / "cases").glob("*.yaml")):
        opened = open_case(project(spec), f"cases/{file.name}", "", {}, ROOT)
        if not isinstance(opened, tuple) and not opened.problems:
            found.append(f"cases/{file.name}")
    return tuple(dict.fromkeys((procedure.example, *found)))


def choices(procedure: Procedure) -> Iterator[dict[str, str]]:
    """The options as they are, and each other choice of one of them."""
    yield {}
    for option in procedure.options.values():
        for choice in option.choices:
            if choice != option.default:
                yield {option.name: choice}


def games() -> list[tuple[str, str, dict[str, str]]]:
    every = []
    for spec in DECIDING:
        procedure = procedure_of(spec)
        options = list(choices(procedure))
        if ALL:
            every += [(spec, case, chosen) for case in fitting(spec) for chosen in options]
        else:
            every += [(spec, procedure.example, {}), (spec, procedure.example, Random(spec).choice(options))]
    return every


def identified(value: object) -> str:
    return "-".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else Path(str(value)).stem


def audits(spec: str, case: str, options: dict[str, str]) -> list[DocumentAudit]:
    """What came of the checks of the documents that the offline court wrote."""
    procedure = procedure_of(spec)
    game = play_anew(Way(case, target_of(procedure), (), tuple(options.items()), "plain", spec, (), frozenset(), ""))
    stated = {document for parts in procedure.decisions.values() for document in parts.documents}
    texts = {event.document: event.text for event in game.of(Drafted) if event.document in stated}
    opened = open_case(project(spec), case, "", {}, ROOT)
    assert not isinstance(opened, tuple)
    stored = Stored(spec, procedure, opened.case, "", tuple(game.of(Started)))
    return list(audit_run(stored, check_files(Disk(ROOT)).files, texts))


def target_of(procedure: Procedure) -> str:
    return next(iter((*procedure.targets, *procedure.roles)))


@pytest.mark.parametrize(("spec", "case", "options"), games(), ids=identified)
def test_the_offline_court_raises_no_alarm(spec: str, case: str, options: dict[str, str]) -> None:
    found = [(audit.name, one.check.id, one.part) for audit in audits(spec, case, options) for one in audit.alarms]
    assert [one for one in found if (spec, Path(case).stem, one[1]) not in EXPLAINED] == []


@pytest.mark.parametrize("spec", DECIDING)
def test_the_shipped_case_of_each_procedure_is_decided_and_audited(spec: str) -> None:
    found = audits(spec, procedure_of(spec).example, {})
    assert found and sum(audit.passed for audit in found) >= 5
