"""Faults put into the specs of shipped procedures, one at a time (`procedure_mutants.toml`): who notices each.

    make procedure-mutants                 all of them, a table

A fault is noticed by a test that experts wrote for the procedure (`specs/*.test.yaml`), by a kept prompt that reads
differently, or by `lw check`, which does not take the procedure any more.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from places import ROOT

from legalworld.authoring.find_tests import OpenedTests, open_tests, result
from legalworld.authoring.snapshots import Taken, Ways, changes, kept_prompts, kept_ways, taken
from legalworld.files.project_files import init

TABLE = Path(__file__).with_name("procedure_mutants.toml")


@dataclass(frozen=True)
class Mutant:
    """One fault: `old` in a file of the procedure `spec` becomes `new`."""

    spec: str
    kind: str
    old: str
    new: str
    file: str = ""

    @property
    def path(self) -> str:
        return self.file or f"specs/{self.spec}.yaml"


@dataclass(frozen=True)
class Noticed:
    """Who noticed a fault: tests that fail, by name; how many prompts read differently; whether it is not even read."""

    tests: tuple[str, ...]
    prompts: int
    refused: bool

    @property
    def by(self) -> str:
        """In a few words; "" where nobody did."""
        if self.refused:
            return "lw check"
        found = [f"lw test: {len(self.tests)}, {name}" for name in self.tests[:1]]
        return "; ".join((*found, *[f"lw snapshot: {self.prompts}"] * bool(self.prompts)))


def mutants() -> tuple[Mutant, ...]:
    return tuple(Mutant(**one) for one in tomllib.loads(TABLE.read_text("utf-8"))["mutant"])


def noticed(mutant: Mutant, project: Path) -> Noticed:
    """What becomes of a project with the fault; the file is as it was when this returns."""
    file = project / mutant.path
    text = file.read_text("utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.path} has {text.count(mutant.old)} times: {mutant.old}"
    file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        opened = open_tests(project / "specs" / f"{mutant.spec}.test.yaml", project)
        if not isinstance(opened, OpenedTests):
            return Noticed((), 0, refused=True)
        failed = tuple(test.name for test in opened.tests if not result(opened, test).passed)
        return Noticed(failed, sum(_differing(mutant.spec, project)), refused=False)
    finally:
        file.write_text(text, encoding="utf-8")


def _differing(spec: str, project: Path) -> Iterator[int]:
    for ways in kept_ways(project / "snapshots"):
        if isinstance(ways, Ways) and ways.spec == spec:
            now = taken(ways, project)
            kept = kept_prompts(project / "snapshots" / ways.folder)
            yield len(list(changes(kept, now))) if isinstance(now, Taken) else 1


def project_in(folder: Path) -> Path:
    """The shipped files and their kept prompts, as a project in which faults can be put."""
    init(folder)
    shutil.copytree(ROOT / "snapshots", folder / "snapshots")
    return folder


def main() -> int:
    survived = 0
    with tempfile.TemporaryDirectory() as name:
        project = project_in(Path(name) / "project")
        for number, mutant in enumerate(mutants(), 1):
            by = noticed(mutant, project).by
            survived += not by
            print(f"| {number} | {mutant.spec} | {mutant.kind} | {by or 'NOBODY'} |", flush=True)
    return survived


if __name__ == "__main__":
    sys.exit(main())
