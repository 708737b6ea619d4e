"""What was seen is kept in the user's cache: the same as what playing the run again gives, or nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from typed import lw

from legalworld.runs.open_run import OpenRun, open_run
from legalworld.studio import kept_sights, studio_run
from legalworld.studio.kept_sights import keep_book, kept_book
from legalworld.studio.sight_book import SightBook, collected
from legalworld.studio.studio_run import StudioRun


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("LW_CACHE", str(folder))
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("kept")
    assert lw("run", "bargain", "--out", root / "whole").code == 0
    assert lw("run", "bargain", "--until", "settle", "--out", root / "half").code == 0
    return root


def opened(folder: Path) -> OpenRun:
    found = open_run(folder)
    assert isinstance(found, OpenRun)
    return found


def test_a_kept_book_is_the_one_that_was_made(played: Path, cache: Path) -> None:
    run = opened(played / "whole")
    assert kept_book(run) is None
    book = collected(run)
    keep_book(run, book)
    assert kept_book(run) == book and len(book) > 5


def test_a_run_is_not_played_again_for_what_is_kept(played: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[OpenRun] = []

    def counted(run: OpenRun) -> SightBook:
        asked.append(run)
        return collected(run)

    monkeypatch.setattr(studio_run, "collected", counted)
    books = [StudioRun("r", opened(played / "whole"), played).book for _ in range(3)]
    assert len(asked) == 1 and books[0] == books[1] == books[2]
    for _ in range(2):
        assert StudioRun("r", opened(played / "half"), played).book
    assert len(asked) == 3, "one that goes on is not kept"


def test_another_record_has_another_book(played: Path, cache: Path, tmp_path: Path) -> None:
    run, half = opened(played / "whole"), opened(played / "half")
    keep_book(run, collected(run))
    assert kept_book(half) is None
    shutil.copytree(played / "whole", tmp_path / "copy")
    assert kept_book(opened(tmp_path / "copy")) == collected(run), "the same record, wherever it lies"


@pytest.mark.parametrize("value", [b"no zlib", b"", 7, None])
def test_what_cannot_be_read_counts_as_missing(played: Path, cache: Path, value: object) -> None:
    run = opened(played / "whole")
    shelf = kept_sights._shelf(os.getpid(), str(cache))
    assert shelf is not None
    shelf.put(kept_sights._key(run), value)
    assert kept_book(run) is None


def test_without_a_cache_nothing_is_kept(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = opened(played / "whole")
    for told in ("", str(tmp_path / "open")):
        (tmp_path / "open" / "sights").mkdir(mode=0o755, parents=True, exist_ok=True)
        monkeypatch.setenv("LW_CACHE", told)
        keep_book(run, collected(run))
        assert kept_book(run) is None
