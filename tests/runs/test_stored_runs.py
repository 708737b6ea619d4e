"""Runs that were stored are replayed and resumed.

`finished` is `j1/kq`, `half` is `asp2lj` stopped before its debate, both played by `offline:noisy` with seed 7. In them
are the spec and the prompts of that day: what is tested is that the engine still plays them to the letter. Where it
is to ask otherwise, they are stored anew; older runs are then refused by LW180, and nothing of them is lost.
"""

from __future__ import annotations

import tarfile
from hashlib import sha256
from pathlib import Path

import pytest

from legalworld.runs.journal import load
from legalworld.runs.lifecycle import RunResult, replay, resume

STORED = Path(__file__).parent / "stored"
WHOLE = "bf0cd49358613243171e496a348f66e95430ff0344ae6e5749cad28e84d69eb5"
"""SHA-256 of the journal that was written when it was played, of `half` in one go."""


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
