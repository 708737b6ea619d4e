"""Search in words spoken: in one run by looking through them, in all runs by an index of tantivy.

The index holds each speech with its pairs of characters, whatever the language: a run of Chinese has no words to be cut
by, and a name that somebody made up is found like any other. What has all pairs of the words that are looked for is
looked through for them, so nothing is found that was not said. The index is made in memory while the studio runs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files.regular import Stamp
from ..index.query import read_query
from ..index.run_index import RunIndex
from ..model.events import Asked, Spoke
from ..model.text import folded
from ..runs.journal import events_in, load
from .responses import SaidHit, SaidList
from .run_pages import RunPages
from .shelf import RunShelf

if TYPE_CHECKING:
    import tantivy

AROUND: Final = 30
"""Characters before and behind what was found that are shown."""

MOST_HITS: Final = 500
SHORTEST: Final = 2
"""Characters of the words that can be looked for in all runs."""

AT_ONCE: Final = 100
"""Runs that are read before they can be found."""

_HEAP: Final = 64 << 20


class SaidWords:
    """Safe to use from several threads. `root`: the folder of the runs."""

    def __init__(self, root: Path, shelf: RunShelf) -> None:
        self._root, self._shelf = root, shelf
        self._lock = threading.Lock()
        self._index: tantivy.Index | None = None
        self._stamps: dict[str, tuple[int, int]] = {}
        self._building: threading.Thread | None = None
        self._stopped = threading.Event()

    def close(self) -> None:
        """Stop indexing."""
        self._stopped.set()
        if self._building is not None:
            self._building.join(5)

    def hits(self, words: str, run: str, count: int) -> SaidList:
        """Where something was said: in one run, or in all of them."""
        words = " ".join(words.split())
        if run:
            found = self._shelf.find(run)
            hits = list(_in_run(found, words)) if isinstance(found, RunPages) and words else []
            return SaidList(words=words, total=len(hits), more=False, hits=tuple(hits[:count]), ready=True)
        self.renew()
        hits, more = self._in_all(words) if len(_plain(words)) >= SHORTEST else ([], False)
        ready = not self._at_work()
        return SaidList(words=words, total=len(hits), more=more, hits=tuple(hits[:count]), ready=ready)

    def runs_with(self, words: str) -> list[str]:
        """The runs in which something was said."""
        return list(dict.fromkeys(hit.run for hit in self.hits(words, "", MOST_HITS).hits))

    # ---- the index ---------------------------------------------------------------------------------------------------

    def renew(self) -> None:
        """Begin to index what is new, unless that is going on."""
        with self._lock:
            if self._building is None or not self._building.is_alive():
                self._building = threading.Thread(target=self._build, daemon=True, name="studio-said")
                self._building.start()
                building = self._building
            else:
                return
        building.join(0.3)

    def _at_work(self) -> bool:
        return self._building is not None and self._building.is_alive()

    def _build(self) -> None:
        index = self._opened()
        writer = index.writer(_HEAP, 1)
        known, fresh = set(self._stamps), 0
        for run in self._runs():
            if self._stopped.is_set():
                return
            known.discard(run)
            found = Stamp.of(self._root / run / "journal.jsonl") if self._shelf.folder(run) else None
            stamp = (found.mtime, found.size) if found is not None else (0, 0)
            if self._stamps.get(run) == stamp:
                continue
            writer.delete_documents_by_term("run", run)
            for document in self._documents(run):
                writer.add_document(document)
            self._stamps[run] = stamp
            fresh += 1
            if fresh % AT_ONCE == 0:  # what is read so far can be found while the rest is read
                writer.commit()
                index.reload()
        for run in known:
            writer.delete_documents_by_term("run", run)
            del self._stamps[run]
        writer.commit()
        index.reload()

    def _runs(self) -> list[str]:
        index = RunIndex.open(self._root)
        try:
            if not index.lasting:
                index.refresh(scores=False)
            query = read_query((), (), (), (), 0)
            return (
                []
                if isinstance(query, tuple)
                else [one.row.run for one in index.select(query) if one.row.status != "damaged"]
            )
        finally:
            index.close()

    def _opened(self) -> tantivy.Index:
        import tantivy

        if self._index is None:
            builder = tantivy.SchemaBuilder()
            builder.add_text_field("run", stored=True, tokenizer_name="raw")
            builder.add_text_field("pairs", stored=False, tokenizer_name="whitespace")
            builder.add_text_field("speaker", stored=True, tokenizer_name="raw")
            builder.add_text_field("text", stored=True, tokenizer_name="raw")
            builder.add_unsigned_field("turn", stored=True, indexed=False)
            self._index = tantivy.Index(builder.build())
        return self._index

    def _documents(self, run: str) -> Iterator[tantivy.Document]:
        import tantivy

        turn = 0
        for event in events_in(load(self._root / run / "journal.jsonl", brief=True).lines):
            if isinstance(event, Asked):
                turn += 1
            elif isinstance(event, Spoke) and event.text:
                pairs = " ".join(dict.fromkeys(_pairs(event.text)))
                yield tantivy.Document(run=run, pairs=pairs, speaker=event.speaker, text=event.text, turn=turn)

    def _in_all(self, words: str) -> tuple[list[SaidHit], bool]:
        """The places of the speeches that fit best, and whether there may be others."""
        import tantivy

        index = self._opened()
        must = [
            (tantivy.Occur.Must, tantivy.Query.term_query(index.schema, "pairs", pair))
            for pair in dict.fromkeys(_pairs(words))
        ]
        searcher = index.searcher()
        fitting = searcher.search(tantivy.Query.boolean_query(must), limit=MOST_HITS + 1)
        hits: list[SaidHit] = []
        for _, address in fitting.hits[:MOST_HITS]:
            document = searcher.doc(address)
            run, text = str(document["run"][0]), str(document["text"][0])
            turn, speaker = int(document["turn"][0]), str(document["speaker"][0])
            hits += _found(run, turn, 0, (speaker, text), words)
        return hits, len(fitting.hits) > MOST_HITS


def _pairs(text: str) -> Iterator[str]:
    plain = _plain(text)
    return (plain[at : at + 2] for at in range(len(plain) - 1))


def _plain(text: str) -> str:
    """A text in which the same words are the same: without blanks, full-width forms and capital letters."""
    return "".join(folded(text).split())


def _in_run(pages: RunPages, words: str) -> Iterator[SaidHit]:
    for line in pages.transcript.rows:
        if line.kind == "call":
            text = line.text if line.length <= len(line.text) else str(pages.transcript.words(line.turn, 0).text)
            yield from _found(pages.run.id, line.turn, line.n, (line.speaker, text), words)


def _found(run: str, turn: int, line: int, said: tuple[str, str], words: str) -> Iterator[SaidHit]:
    """The first place of a speech in which some words stand."""
    speaker, text = said
    place = _place(text, words)
    if place is not None:
        start, end = place
        yield SaidHit(
            run=run,
            turn=turn,
            line=line,
            speaker=speaker,
            before=text[max(start - AROUND, 0) : start],
            hit=text[start:end],
            after=text[end : end + AROUND],
        )


def _place(text: str, words: str) -> tuple[int, int] | None:
    """Where some words stand in a text, blanks and forms of letters apart."""
    plain, places = _placed(text)
    wanted = _plain(words)
    at = plain.find(wanted) if wanted else -1
    return None if at < 0 else (places[at], places[at + len(wanted) - 1] + 1)


def _placed(text: str) -> tuple[str, Sequence[int]]:
    """A text made plain, and of each character the place that it has in the text."""
    plain, places = [], []
    for place, char in enumerate(text):
        for one in _plain(char):
            plain.append(one)
            places.append(place)
    return "".join(plain), places
