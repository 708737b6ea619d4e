"""The search index (tantivy) beside the library. It is made from the library and holds nothing else.

`index/KIND.json` says which folder holds the current index, up to which row of the library it reaches, and what its
files look like. Whoever needs an index that is missing, damaged or behind brings it up to date, one process at a time;
where the folder cannot be written the index is made in memory.
"""

from __future__ import annotations

import json
import shutil
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from ...files import regular
from ...language import diagnose
from ...model.immutable import immutable
from ...model.json_text import read_typed
from ...model.text import folded
from ..text.lexicon import pattern
from .store import PATIENCE, Kind, Store, StoreError

if TYPE_CHECKING:
    import tantivy

FORMAT = 1
MAX_TERMS = 48  # words of one query; the rarest are kept
_HEAP = 64 << 20  # bytes that the writer gathers before it writes; tantivy's minimum is 15 MB a thread
_BATCH = 1000  # rows read at once
_STALE = 0.2  # share of removed documents beyond which the index is made anew

Rows = Callable[[int, int], Sequence[tuple[int, int, Mapping[str, str]]]]
"""Row number and count -> (row, group, field -> text) of the rows after it."""


class IndexDamaged(Exception):
    """The index cannot be used and has to be made again."""


def words(text: str) -> list[str]:
    """The words that are searched for, in order: parts of compounds too, without particles and marks."""
    import rjieba

    return [word for word in rjieba.cut_for_search(folded(text)) if _says(word)]


@lru_cache(1 << 17)
def _says(word: str) -> bool:
    """Whether a word is worth looking for."""
    return bool(pattern("search", "word").search(word)) and not pattern("search", "stop").match(word)


@immutable
class _State:
    """What `index/KIND.json` holds. `files`: name -> size, time of change in ns, CRC-32."""

    format: int
    folder: str
    last: int
    gone: int
    documents: int
    removed: int
    files: Mapping[str, tuple[int, int, int]]


class Index:
    """One kind of documents. `boosts`: field -> weight of a word found there."""

    def __init__(self, folder: Path, kind: Kind, boosts: Mapping[str, float], rows: Rows) -> None:
        self._folder = folder
        self._kind = kind
        self._boosts = boosts
        self._rows = rows
        self._open: tuple[_State, tantivy.Index, tantivy.Searcher] | None = None

    def refresh(self, store: Store) -> None:
        """Brings the index up to date. StoreError when another process keeps it too long."""
        extent = store.extent(self._kind)
        if self._open is not None and (self._open[0].last, self._open[0].gone) == extent:
            return
        state = self._read()
        if state is not None and (state.last, state.gone) == extent and self._use(state):
            return
        self._renew(store)

    def search(
        self, store: Store, text: str, count: int, groups: Sequence[int] | None = None
    ) -> list[tuple[float, int]]:
        """Score and row of the best documents, best first. `groups`: only documents of these."""
        for attempt in (1, 2):
            self.refresh(store)
            assert self._open is not None
            _, index, searcher = self._open
            try:
                with _panics():
                    query = self._query(index.schema, searcher, text, groups)
                    hits = searcher.search(query, limit=count).hits if query is not None else []
                    scored = [(float(score), int(searcher.doc(address)["id"][0])) for score, address in hits]
                return sorted(scored, key=lambda hit: (-hit[0], hit[1]))
            except IndexDamaged:
                if attempt == 1:
                    self._renew(store, anew=True)
        raise StoreError(diagnose.unusable_library(str(self._folder), path=str(self._folder), reason=self._kind))

    def _query(
        self, schema: tantivy.Schema, searcher: tantivy.Searcher, text: str, groups: Sequence[int] | None
    ) -> tantivy.Query | None:
        import tantivy

        terms = list(dict.fromkeys(words(text)))
        if len(terms) > MAX_TERMS:
            frequency = {term: searcher.doc_freq("text", term) for term in terms}
            terms = sorted((term for term in terms if frequency[term]), key=lambda term: frequency[term])[:MAX_TERMS]
        if not terms or groups == []:
            return None
        wanted = [
            (tantivy.Occur.Should, tantivy.Query.boost_query(tantivy.Query.term_query(schema, field, term), boost))
            for term in terms
            for field, boost in self._boosts.items()
        ]
        query = tantivy.Query.boolean_query(wanted)
        if groups is None:
            return query
        within = tantivy.Query.const_score_query(tantivy.Query.term_set_query(schema, "group", list(groups)), 0.0)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, within)])

    # ---- making it ---------------------------------------------------------------------------------------------------

    def _renew(self, store: Store, anew: bool = False) -> None:
        """Continues the index on disk, or makes it anew; in memory where the disk does not let us."""
        self._open = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._locked():
                state = None if anew else self._read()
                if state is not None and not _sound(self._folder / state.folder, state.files):
                    state = None
                try:
                    self._build(store, state)
                except IndexDamaged:
                    self._build(store, None)
        except (OSError, IndexDamaged):
            self._in_memory(store)

    def _build(self, store: Store, state: _State | None) -> None:
        """The index on disk, continued from `state` or (None) made anew; we hold the lock."""
        last, gone = store.extent(self._kind)
        if state is not None and (state.last, state.gone) == (last, gone) and self._use(state):
            return  # another process was quicker
        removed = store.removed(self._kind, state.gone) if state is not None else ()
        if state is not None and state.removed + len(removed) > _STALE * state.documents:
            state, removed = None, ()
        place = self._folder / (state.folder if state is not None else f"{self._kind}-{uuid.uuid4().hex[:12]}")
        place.mkdir(exist_ok=True)
        with _panics():
            index = _opened(place, None if state is not None else self._schema())
            added = self._write(index, state.last if state is not None else 0, removed, last=last)
        before = (state.documents, state.removed) if state is not None else (0, 0)
        files = _signatures(place)
        new = _State(FORMAT, place.name, last, gone, before[0] + added, before[1] + len(removed), files)
        self._publish(new)
        with _panics():
            self._open = (new, index, _searcher(index))

    def _write(self, index: tantivy.Index, after: int, removed: Iterable[int], *, last: int) -> int:
        """Adds the rows behind `after` up to `last`, for another process may have added more; how many those were.

        If it does not come to its end, the state of before does not fit the files any more, and the index is made anew.
        """
        import tantivy

        writer = index.writer(_HEAP, 1)  # one thread: the same rows give the same index
        for row in removed:
            writer.delete_documents_by_term("id", row)
        count = 0
        while rows := [row for row in self._rows(after, _BATCH) if row[0] <= last]:
            for row, group, fields in rows:
                document = tantivy.Document()
                document.add_unsigned("id", row)
                document.add_unsigned("group", group)
                for field, text in fields.items():
                    document.add_text(field, " ".join(words(text)))
                writer.add_document(document)
            after = rows[-1][0]
            count += len(rows)
        writer.commit()
        writer.wait_merging_threads()
        return count

    def _schema(self) -> tantivy.Schema:
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("id", stored=True, indexed=True)
        builder.add_unsigned_field("group", indexed=True)
        for field in self._boosts:
            builder.add_text_field(field, tokenizer_name="words", index_option="freq")
        return builder.build()

    def _publish(self, state: _State) -> None:
        """Makes an index the current one, and clears former ones away, as far as nobody has them open."""
        file = self._folder / f"{self._kind}.json"
        regular.write_whole(file, json.dumps(asdict(state)).encode())
        for other in self._folder.glob(f"{self._kind}-*"):
            if other.name != state.folder:
                shutil.rmtree(other, ignore_errors=True)

    def _in_memory(self, store: Store) -> None:
        last, gone = store.extent(self._kind)
        with _panics():
            index = _opened(None, self._schema())
            count = self._write(index, 0, (), last=last)
            self._open = (_State(FORMAT, "", last, gone, count, 0, {}), index, _searcher(index))

    # ---- using it ----------------------------------------------------------------------------------------------------

    def _use(self, state: _State) -> bool:
        """Opens an index that is there; False where its files are not as they were left."""
        place = self._folder / state.folder
        try:
            with _panics():
                if not _sound(place, state.files):
                    return False
                index = _opened(place)
                self._open = (state, index, _searcher(index))
                return True
        except (IndexDamaged, OSError):
            return False

    def _read(self) -> _State | None:
        """The current state; None where there is none that can be used."""
        try:
            written = regular.content(self._folder / f"{self._kind}.json")
            state = read_typed(TypeAdapter(_State), written)
        except (OSError, ValueError):
            return None
        inside = state.folder.startswith(f"{self._kind}-") and Path(state.folder).name == state.folder
        return state if state.format == FORMAT and inside else None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        path = self._folder / f"{self._kind}.lock"
        try:
            with FileLock(path, timeout=PATIENCE * 20):  # a first index of very many cases takes minutes
                yield
        except Timeout:
            raise StoreError(
                diagnose.busy_library(str(self._folder), path=str(self._folder), reason=path.name)
            ) from None


def _opened(place: Path | None, schema: tantivy.Schema | None = None) -> tantivy.Index:
    """The index in a folder, or a new one with the schema, there or (None) in memory; it takes words as they come."""
    import tantivy

    path = str(place) if place is not None else None
    index = tantivy.Index.open(path or "") if schema is None else tantivy.Index(schema, path=path, reuse=False)
    index.register_tokenizer("words", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


def _searcher(index: tantivy.Index) -> tantivy.Searcher:
    index.reload()
    return index.searcher()


@contextmanager
def _panics() -> Iterator[None]:
    """Whatever tantivy makes of files that are not as it left them: its errors, and panics of Rust."""
    try:
        yield
    except (StoreError, OSError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # pyo3's PanicException is no Exception
        raise IndexDamaged(str(error)[:200]) from error


def _signatures(place: Path) -> dict[str, tuple[int, int, int]]:
    signatures = {}
    for file in sorted(place.iterdir()):
        if not file.name.startswith("."):  # tantivy's locks
            status = file.stat()
            signatures[file.name] = (status.st_size, status.st_mtime_ns, _crc(file))
    return signatures


def _sound(place: Path, files: Mapping[str, tuple[int, int, int]]) -> bool:
    """Whether the files are as they were left. Their bytes are read only where the time of change says otherwise."""
    try:
        for name, (size, changed, crc) in files.items():
            status = (place / name).stat()
            if status.st_size != size or (status.st_mtime_ns != changed and _crc(place / name) != crc):
                return False
    except (OSError, ValueError):
        return False
    return bool(files)


def _crc(file: Path) -> int:
    crc = 0
    with regular.opened(file) as stream:
        while block := stream.read(1 << 20):
            crc = zlib.crc32(block, crc)
    return crc
