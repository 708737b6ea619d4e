"""One judgment once: the same key, the same text, nearly the same text.

The key is that of LegalWorld (appendix B.1): court, number, date, parties; of two the longer text stays. Nearly the
same text is a duplicate only of a judgment that could be the same one: cases of a series (one landlord and fifty
tenants) are written alike, and stay, with the `series` that they belong to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from importlib import import_module
from typing import Any, Final

from ..model.immutable import immutable
from .records import CASE, TEXT, Dropped, Outcome, Records, Row, StepNotes

PERMUTATIONS: Final = 64
SHINGLE: Final = 6  # characters
SLACK: Final = 0.1  # by which a sketch may underrate a likeness
COMPARED: Final = 10  # candidates that are looked at
LIBRARY: Final = "datasketch"
_SIGNS: Final = re.compile(r"[\W_]+")
_PRIME, _MIX = 1_000_003, 0x9E3779B97F4A7C15


def library() -> Any:
    """The library of MinHash. Raises ImportError."""
    return import_module(LIBRARY)


def once(records: Records, near: float, notes: StepNotes) -> Iterator[Outcome]:
    """The records without duplicates, in their order."""
    best = _longest(records)
    alike = _Alike(near, records) if near else None
    texts: dict[bytes, str] = {}
    series = 0
    for place, row in records.places():
        kept = best.get(_key(row))
        if kept is not None and kept[1] != row["id"]:
            yield Dropped(row["id"], "same_key", row.get("number", ""), kept[1])
            continue
        text = _SIGNS.sub("", _text(row))
        digest = blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()
        if digest in texts:
            yield Dropped(row["id"], "same_text", row.get("number", ""), texts[digest])
            continue
        texts[digest] = row["id"]
        found = alike.add(row, text, place) if alike is not None else None
        if isinstance(found, Dropped):
            yield found
            continue
        series += bool(found)
        yield row | ({"series": found} if found else {})
    notes.values = {"series": series, "near": near}


def _longest(records: Records) -> dict[bytes, tuple[int, str]]:
    """For each key the longest text, the first of those that are as long."""
    best: dict[bytes, tuple[int, str]] = {}
    for row in records():
        length, key = len(_text(row)), _key(row)
        if key not in best or length > best[key][0]:
            best[key] = (length, row["id"])
    return best


def _key(row: Row) -> bytes:
    """Court, number, date and parties, as one digest; of a case its id alone."""
    if row["kind"] == CASE:
        said: Any = ["case", row["id"]]
    else:
        said = [row["court"], row["number"], row["date"], sorted(name for _, name in row["named"])]
    return blake2b(json.dumps(said, ensure_ascii=False).encode("utf-8", "replace"), digest_size=12).digest()


def _text(row: Row) -> str:
    if row["kind"] == TEXT:
        return str(row["text"])
    told = {key: value for key, value in row["case"].items() if key not in ("case", "title")}
    return json.dumps(told, ensure_ascii=False)


def _could_be_one(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two records may be the same judgment: nothing that both say is said otherwise."""
    return all(not mine or not theirs or mine == theirs for mine, theirs in zip(one, other, strict=True))


@immutable
class _Seen:
    """A record that went on: its id, what it says of itself, its sketch, and where its line begins."""

    id: str
    said: tuple[str, ...]
    sketch: Any
    place: int


class _Alike:
    """Finds the record that a text is nearly the same as: candidates by MinHash, then the real share of shingles."""

    def __init__(self, near: float, records: Records) -> None:
        minhash = library()
        self._near, self._records = near, records
        self._index = minhash.MinHashLSH(threshold=max(0.5, near - SLACK), num_perm=PERMUTATIONS)
        self._first = minhash.MinHash(num_perm=PERMUTATIONS, seed=1, hashfunc=int)
        self._seen: list[_Seen] = []
        self._series: dict[int, str] = {}

    def add(self, row: Row, text: str, place: int) -> Dropped | str:
        """Dropped where the text was there already; else the series it belongs to, "" for none."""
        shingles = _shingles(text)
        sketch = self._first.copy()
        sketch.update_batch(shingles.tolist())
        said = (row["number"], row["court"]) if row["kind"] == TEXT else ("",)
        series = ""
        for number, other in self._candidates(sketch):
            one = len(said) == len(other.said) and _could_be_one(said, other.said)
            if (series and not one) or self._share(shingles, other) < self._near:
                continue
            if one:
                return Dropped(row["id"], "near_text", row.get("number", ""), other.id)
            series = self._series.setdefault(number, other.id)
        self._index.insert(len(self._seen), sketch)
        if series:
            self._series[len(self._seen)] = series
        self._seen.append(_Seen(row["id"], said, sketch.hashvalues.copy(), place))
        return series

    def _candidates(self, sketch: Any) -> list[tuple[int, _Seen]]:
        """The records whose sketches are most like this one, the most alike first."""
        numpy = import_module("numpy")
        least = (self._near - SLACK) * PERMUTATIONS
        found = []
        for number in self._index.query(sketch):
            same = int(numpy.count_nonzero(sketch.hashvalues == self._seen[number].sketch))
            if same >= least:
                found.append((-same, number))
        return [(number, self._seen[number]) for _, number in sorted(found)[:COMPARED]]

    def _share(self, shingles: Any, other: _Seen) -> float:
        """The share of shingles that two texts have in common."""
        numpy = import_module("numpy")
        (row,) = self._records.at([other.place])
        theirs = _shingles(_SIGNS.sub("", _text(row)))
        common = len(numpy.intersect1d(shingles, theirs, assume_unique=True))
        return float(common) / (len(shingles) + len(theirs) - common)


def _shingles(text: str) -> Any:
    """The hashes of all stretches of `SHINGLE` characters, each once."""
    numpy = import_module("numpy")
    codes = numpy.frombuffer(text.encode("utf-32-le", "replace"), dtype=numpy.uint32).astype(numpy.uint64)
    count = max(1, len(codes) - SHINGLE + 1)
    hashes = numpy.zeros(count, dtype=numpy.uint64)
    for offset in range(min(SHINGLE, len(codes))):
        hashes = hashes * numpy.uint64(_PRIME) + codes[offset : offset + count]
    hashes = (hashes * numpy.uint64(_MIX)) >> numpy.uint64(32)
    return numpy.unique(hashes)
