"""Damage: what lies in the folder of a run is no longer what was written there.

Whoever shows or counts a run, without opening it otherwise, asks `damage_of` first.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from .folder import RunFolder
from .journal import standing

DAMAGED: Final = diagnose.codes_of(
    diagnose.altered_run_copies,
    diagnose.altered_run_file,
    diagnose.altered_run_yaml,
    diagnose.damaged_journal_line,
    diagnose.damaged_run_file,
    diagnose.invalid_run_key,
    diagnose.irregular_file,
    diagnose.missing_prompt_line,
    diagnose.missing_run_file,
    diagnose.missing_run_key,
    diagnose.model_against_record,
    diagnose.unplayed_role,
    diagnose.unreadable_run_yaml,
    diagnose.unsupported_journal_line,
)
"""Codes of problems with a run that nobody but `lw` wrote, and that `lw` did not write so."""


def is_damaged(problems: Iterable[Diagnostic]) -> bool:
    """Whether problems with opening a run say that it is damaged."""
    return any(problem.code in DAMAGED for problem in problems)


def damage_of(path: Path) -> tuple[Diagnostic, ...]:
    """Why the run in a folder cannot be relied on: its `run.yaml`, its record line by line, the case and what is sealed
    are read and verified. The copies of its spec are verified where they are used."""
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        return folder
    recorded = standing(folder.journal).problem
    return (*((recorded,) if recorded is not None else ()), *folder.damage())
