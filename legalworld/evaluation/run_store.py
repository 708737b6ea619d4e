"""Stored runs, opened without being played: what they tell, for those who score and report.

found = Openings().open(Path("runs/civil-jiedai-1"))      # a Chained, or the problems
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..binding.casefile import from_json
from ..language import diagnose
from ..model.case import texts
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..model.source import Span
from ..runs.folder import RunFolder
from ..runs.journal import EventLine, load
from ..runs.project import Problems, read_project
from .rubric.definition import Selection
from .stored_run import Stored, Unit


def runs_in(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The run folders that are named, or that lie below a named folder; what is neither is kept, for complaint."""
    found: list[Path] = []
    for folder in folders:
        if (folder / "run.yaml").is_file():
            found.append(folder)
        else:
            found += sorted(one.parent for one in folder.glob("*/**/run.yaml")) or [folder]
    return tuple(dict.fromkeys(found))


def said_in(path: Path) -> Mapping[int, str]:
    """Turn -> what was said or written in it; empty for what is no run."""
    found = RunStore().open(path)
    if isinstance(found, tuple):
        return {}
    stored = found.stored
    pieces = [*stored.utterances, *(piece for _, piece in stored.documents)]
    return {piece.turn: f"{piece.speaker} | {piece.text}" for piece in pieces if piece.turn}


PROFILE = "profile"  # what --by calls the profile by which the persons of a case were played


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run, and the sum of its journal's last line, which is of all of it."""

    stored: Stored
    chain: str


@dataclass(slots=True)
class RunStore:
    """Opens run folders for scoring; a procedure that many runs were played by is read once.

    `as_drafted`: see `Stored`.
    """

    as_drafted: bool = False
    procedures: dict[tuple[str, str], Procedure] = field(default_factory=dict)

    def open(self, path: Path) -> LoadedRun | Problems:
        """A run, to be looked at. Nothing is written, nothing played."""
        folder = RunFolder.open(path)
        if not isinstance(folder, RunFolder):
            return folder
        procedure = self._procedure(folder)
        if not isinstance(procedure, Procedure):
            return procedure
        case, sealed, loaded = folder.case_json(), folder.sealed_json(), load(folder.journal, brief=True)
        problems = [one for one in (case, sealed, loaded.problem) if isinstance(one, Diagnostic)]
        if problems or isinstance(case, Diagnostic) or isinstance(sealed, Diagnostic):
            return tuple(problems)
        events = tuple(line.event for line in loaded.lines if isinstance(line, EventLine))
        info = folder.info
        bound = from_json(case, sealed, procedure)
        stored = Stored(path.as_posix(), procedure, bound, info.target, events, info.models, self.as_drafted)
        return LoadedRun(stored, loaded.chain)

    def _procedure(self, folder: RunFolder) -> Procedure | Problems:
        key = folder.info.digest, folder.info.spec
        if key not in self.procedures:
            sources = folder.sources()
            if isinstance(sources, Diagnostic):
                return (sources,)
            project = read_project(sources, folder.info.spec)
            if project.procedure is None:
                return project.problems
            self.procedures[key] = project.procedure
        return self.procedures[key]


def labels(runs: Sequence[str], word: str) -> Mapping[str, str] | Diagnostic:
    """Run -> what a field of its case says (`matter.cause`), or the profile of its persons (`profile`); else ""."""
    name, *keys = word.split(".")
    where = Span("--by", 0, 0)
    openings, found = RunStore(), {}
    for run in runs:
        opened = openings.open(Path(run))
        if isinstance(opened, tuple):
            continue
        fields = opened.stored.procedure.fields
        if name == PROFILE and name not in fields:
            found[run] = opened.stored.case.id.partition("@")[2]
            continue
        if name not in fields:
            return diagnose.unknown_grouping_field(where, name=name, known=tuple(fields))
        values = opened.stored.field(Selection("field", where, name=name, keys=tuple(keys)), Unit("", ""))
        found[run] = next((text.strip() for value in values for text in texts(value) if text.strip()), "")
    return found
