"""Stored runs, opened without being played: what they tell, for those who score and report.

loaded = RunStore().open(Path("runs/civil-jiedai-1"))      # a LoadedRun, or the problems
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..binding.casefile import from_json
from ..language import diagnose
from ..model.case import texts
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from ..runs.folder import RunFolder
from ..runs.journal import events_in, load
from ..runs.open_run import project_of
from ..runs.project import Problems
from .rubric.definition import Selection
from .stored_run import WHOLE, LoadedRun, Stored


def runs_in(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The run folders that are named, or that lie below a named folder; what is neither is kept, so that opening it
    says what is wrong."""
    runs: list[Path] = []
    for folder in folders:
        below = [] if (folder / "run.yaml").is_file() else sorted(file.parent for file in folder.glob("*/**/run.yaml"))
        runs += below or [folder]
    return tuple(dict.fromkeys(runs))


def said_in(path: Path) -> Mapping[int, str]:
    """Turn -> what was said or written in it; empty for what is no run."""
    loaded = RunStore().open(path)
    if isinstance(loaded, tuple):
        return {}
    stored = loaded.stored
    pieces = [*stored.utterances, *(piece for _, piece in stored.documents)]
    return {piece.turn: f"{piece.speaker} | {piece.text}" for piece in pieces if piece.turn}


PROFILE: Final = "profile"  # what --by calls the profile by which the persons of a case were played


@dataclass(slots=True)
class RunStore:
    """Opens run folders for scoring. `as_drafted`: see `Stored`."""

    as_drafted: bool = False

    def open(self, path: Path) -> LoadedRun | Problems:
        """A run, to be looked at. Nothing is written, nothing played."""
        folder = RunFolder.open(path)
        if not isinstance(folder, RunFolder):
            return folder
        copies = folder.sources()
        if isinstance(copies, Diagnostic):
            return (copies,)
        project = project_of(folder, copies)
        if project.procedure is None:
            return project.problems
        case, sealed, loaded = folder.case_json(), folder.sealed_json(), load(folder.journal, brief=True)
        problems = [one for one in (case, sealed, loaded.problem) if isinstance(one, Diagnostic)]
        if problems or isinstance(case, Diagnostic) or isinstance(sealed, Diagnostic):
            return tuple(problems)
        events = tuple(events_in(loaded.lines))
        info = folder.info
        bound = from_json(case, sealed, project.procedure)
        stored = Stored(path.as_posix(), project.procedure, bound, info.target, events, info.models, self.as_drafted)
        return LoadedRun(stored, loaded.chain)


def labels(runs: Sequence[str], word: str) -> Mapping[str, str] | Diagnostic:
    """Run -> what a field of its case says (`matter.cause`), or the profile of its persons (`profile`); else ""."""
    name, *keys = word.split(".")
    at = Span("--by", 0, 0)
    selection = Selection("field", at, name=name, keys=tuple(keys))
    store, by_run = RunStore(), {}
    for run in runs:
        loaded = store.open(Path(run))
        if isinstance(loaded, tuple):
            continue
        fields = loaded.stored.procedure.fields
        if name in fields:
            words = (text.strip() for value in loaded.stored.field(selection, WHOLE) for text in texts(value))
            by_run[run] = next(filter(None, words), "")
        elif name == PROFILE:
            by_run[run] = loaded.stored.case.id.partition("@")[2]
        else:
            return diagnose.unknown_grouping_field(at, name=name, known=tuple(fields))
    return by_run
