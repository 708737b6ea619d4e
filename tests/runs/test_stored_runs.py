"""Runs that an earlier version made, before the modules had their present rooms, are replayed and resumed.

`finished` is `j1/kq`, `half` is `asp2lj` stopped before its debate, both played by `offline:noisy` with seed 7. In them
are the spec and the prompts of that time: what is tested is that the engine still plays them to the letter.
"""

from __future__ import annotations

import tarfile
from hashlib import sha256
from pathlib import Path

import pytest

from legalworld.runs.journal import load
from legalworld.runs.lifecycle import RunResult, replay, resume

STORED = Path(__file__).parent / "stored"
WHOLE = "2ac917964f3e3a7a877cf18e7f0ea1aea144d04d5de2d1ef222e064d478dc9d9"
"""SHA-256 of the journal that the earlier version wrote when it played `half` in one go."""


@pytest.fixture
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with tarfile.open(STORED / f"{request.param}.tar.gz") as packed:
        packed.extractall(tmp_path, filter="data")
    return tmp_path / str(request.param)


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.mark.parametrize(("run", "status"), [("finished", "ended"), ("half", "paused")], indirect=["run"])
def test_a_stored_run_is_replayed_to_the_same_files(run: Path, status: str) -> None:
    before = contents(run)
    result = replay(run)
    assert isinstance(result, RunResult), result
    assert result.status == status
    assert contents(run) == before


@pytest.mark.parametrize("run", ["half"], indirect=True)
def test_a_stored_run_is_resumed_to_the_same_journal(run: Path) -> None:
    begun = load(run / "journal.jsonl")
    result = resume(run)
    assert isinstance(result, RunResult), result
    assert (result.status, result.outcome) == ("ended", "decided")
    journal = (run / "journal.jsonl").read_bytes()
    assert len(journal) > 2 * begun.size
    assert sha256(journal).hexdigest() == WHOLE
