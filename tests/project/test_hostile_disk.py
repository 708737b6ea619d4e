"""Every command that reads, on every kind of file that means harm; every command that writes, on every place that
cannot be written: told in bounded time and memory, and nothing that is not the command's own is changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from hostile_disk import (
    BEHIND_LINKS,
    DEVICES,
    HARMS,
    MAKES_DEVICES,
    MEGABYTES,
    PAGES,
    PLACES,
    READERS,
    SECONDS,
    UNTRIED,
    WRITERS,
    Bench,
    Outcome,
    _read,
    _write,
    made,
    pages,
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="measures memory as Linux tells it")
devices = pytest.mark.skipif(not MAKES_DEVICES, reason="takes the rights to make devices")


def _marked(names: Iterable[str]) -> list[ParameterSet]:
    return [pytest.param(name, marks=devices if name in DEVICES else ()) for name in names]


CHECKED = {"run.yaml", "journal", "case.json", "sealed", "copy", "archive", "listed", "batch", "record"}
"""What has a sum, so that no change of it is taken for what was written."""
STANDS_IN = {"pipe", "socket", "device", "circle"}
NO_MATTER = {"times", "early", "index"}
"""What is left aside where it says nothing: how long it took, what a killed run had asked ahead, a list made anew."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LW_LANG", "en")
        for name in list(os.environ):
            if name.endswith("_KEY"):
                patch.delenv(name)
        root = tmp_path_factory.mktemp("hostile")
        made(root)
        yield Bench(root)


def bounded(outcome: Outcome) -> None:
    assert outcome.code in (0, 2, 3), outcome
    assert "LW199" not in outcome.said and "Traceback" not in outcome.said, outcome
    assert outcome.seconds < SECONDS and outcome.megabytes < MEGABYTES, outcome


@pytest.mark.parametrize("harm", _marked(HARMS))
@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_means_harm_is_told(bench: Bench, reader: str, harm: str) -> None:
    outcome = _read(bench, reader, harm)
    bounded(outcome)
    if reader in CHECKED and harm != "cut":
        fine = reader == "archive" and harm == "link"  # a file that a person names
        assert outcome.cell == "ok" if fine else outcome.cell not in ("ok", "ended", "unfinished"), outcome
    if harm in STANDS_IN and reader not in NO_MATTER:
        assert outcome.code == 2 or outcome.cell == "damaged", outcome


@pytest.mark.parametrize("place", _marked(PLACES))
@pytest.mark.parametrize("writer", WRITERS)
def test_a_place_that_cannot_be_written_is_told(bench: Bench, writer: str, place: str) -> None:
    outcome, changed = _write(bench, writer, place)
    bounded(outcome)
    assert not changed or (place == "link" and writer in BEHIND_LINKS), (outcome, changed)
    if place in ("full", "read-only", "full device") and writer != "runs: index":  # it is then kept in memory
        assert outcome.code in (2, 3), outcome


def test_what_harms_nobody_is_read(bench: Bench) -> None:
    """The same commands on files as they were."""
    for reader in READERS:
        outcome = bench.read(reader, None)
        assert outcome.code == 0 and outcome.cell in ("ok", "ended"), (reader, outcome)
        bounded(outcome)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.parent.name))
def test_the_page_says_what_happens(bench: Bench, path: Path) -> None:
    text = dict(pages(bench))[path]
    if os.environ.get("LW_BLESS") and MAKES_DEVICES:
        path.write_text(text, "utf-8")
    for kept, found in zip(path.read_text("utf-8").split("|"), text.split("|"), strict=True):
        assert kept == found or found.strip() == UNTRIED, "run make bless"
