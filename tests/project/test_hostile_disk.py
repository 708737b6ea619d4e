"""Every command that reads, on every kind of file that means harm; every command that writes, on every place that
cannot be written: told in bounded time and memory, and nothing that is not the command's own is changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile_disk import (
    BEHIND_LINKS,
    HARMS,
    MEGABYTES,
    PAGES,
    PLACES,
    READERS,
    SECONDS,
    WRITERS,
    Bench,
    Outcome,
    _read,
    _write,
    made,
    pages,
)

pytestmark = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="makes devices, and gives up rights")

CHECKED = {"run.yaml", "journal", "case.json", "sealed", "copy", "archive", "listed"}
"""What has a sum, so that no change of it is taken for what was written."""
STANDS_IN = {"pipe", "socket", "device", "circle"}


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


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_means_harm_is_told(bench: Bench, reader: str, harm: str) -> None:
    outcome = _read(bench, reader, harm)
    bounded(outcome)
    if reader in CHECKED and harm != "cut" and not (reader == "listed" and harm == "deep"):
        fine = reader == "archive" and harm == "link"  # a file that a person names
        assert outcome.cell == "ok" if fine else outcome.cell not in ("ok", "ended", "unfinished"), outcome
    if harm in STANDS_IN:
        assert outcome.code == 2 or outcome.cell == "damaged", outcome


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("writer", WRITERS)
def test_a_place_that_cannot_be_written_is_told(bench: Bench, writer: str, place: str) -> None:
    outcome, changed = _write(bench, writer, place)
    bounded(outcome)
    assert not changed or (place == "link" and writer in BEHIND_LINKS), (outcome, changed)
    if place in ("full", "read-only", "full device"):
        assert outcome.code in (2, 3), outcome


def test_what_harms_nobody_is_read(bench: Bench) -> None:
    """The same commands on files as they were."""
    from hostile_disk import on

    for reading in READERS.values():
        outcome = on(bench.template, reading.words)
        assert outcome.code == 0, (reading, outcome)
        bounded(outcome)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.parent.name))
def test_the_page_says_what_happens(bench: Bench, path: Path) -> None:
    text = dict(pages(bench))[path]
    if os.environ.get("LW_BLESS"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text, "run make bless"
