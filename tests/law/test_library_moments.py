"""What one process reads of a library while another adds to it: of one moment, and once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from library_texts import STATUTES, made, opened
from places import HANG

from legalworld.law.library.law import Statute
from legalworld.law.library.library import Catalogue, Hits
from legalworld.law.library.source_files import statutes
from legalworld.law.library.store import Kind, Store
from legalworld.model.diagnostics import Diagnostic


@pytest.mark.parametrize("statement", range(8))
def test_what_is_held_is_of_one_moment(statement: int, tmp_path: Path) -> None:
    """Whichever query another process adds a law before."""
    first, second = (sorted(STATUTES.rglob("*.md"))[at] for at in (0, -1))
    folder = tmp_path / "library"
    writing, reading = made(folder, first), Store(folder)
    begun: list[str] = []
    adds = threading.Thread(target=writing.add_laws, args=(second,))

    def before(query: str) -> None:
        begun.append(query)
        if len(begun) == statement + 1:
            adds.start()
            adds.join(0.5)

    reading._db.set_trace_callback(before)
    shelf = reading.shelf()
    reading._db.set_trace_callback(None)
    if adds.ident is None:
        adds.start()
    adds.join(HANG)
    assert shelf.versions and {version.law for version in shelf.versions} == set(shelf.names) >= set(shelf.events)
    assert len(reading.shelf().names) == 2


def test_an_article_of_a_law_that_came_since_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (sorted(STATUTES.rglob("*.md"))[at] for at in (0, -1))
    library = made(tmp_path / "library", first)
    catalogue = library.catalogue()
    assert isinstance(catalogue, Catalogue)
    library.add_laws(second)
    with monkeypatch.context() as stale:
        stale.setattr(library, "_current", lambda: catalogue)
        found = library.search("第一条")
    assert isinstance(found, Hits) and {hit.found.law.name for hit in found.hits} <= set(catalogue.laws)
    now = library.search("第一条")
    assert isinstance(now, Hits) and len(now.hits) > len(found.hits)


def test_what_is_added_while_the_index_is_made_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (sorted(STATUTES.rglob("*.md"))[at] for at in (0, -1, -2))
    folder = tmp_path / "library"
    library, other = made(folder, first), opened(folder)
    acts, extent = statutes(second)[0], Store.extent
    asked: list[Kind] = []
    (act,) = acts
    assert isinstance(act, Statute)
    words = " ".join(article.text for article in act.articles)[:100]

    def added_since(store: Store, kind: Kind) -> tuple[int, int]:
        known = extent(store, kind)
        asked.append(kind)
        if len(asked) == 2:  # once by who looks whether the index is up to date, then by who makes it
            other._store.add_laws(acts)
        return known

    assert not isinstance(library.search("停车 利息"), Diagnostic)
    library._store.add_laws(statutes(third)[0])
    monkeypatch.setattr(Store, "extent", added_since)
    for _ in range(2):
        found = library.search(words, top=50)
        assert isinstance(found, Hits)
    rows = [(hit.found.law.name, hit.found.article.number) for hit in found.hits]
    assert len(asked) > 2 and act.name in {law for law, _ in rows}
    assert len(set(rows)) == len(rows)
