"""What stands behind the figures of a page: entries that are found by what they have in common, and opened one by one.

The page holds an index of all entries and a block for each, compressed; a block is inflated when a reader opens it.
What was said is cut as far as it must be for all of them to fit: by how much, the page says.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from ..model.immutable import immutable
from .chart_parts import plain

ROOM: Final = 7_000_000  # bytes of all blocks together, as they stand in the page
# Characters of what was said, and of reasons: the longest that fit.
LENGTHS: Final = ((2000, 2000), (700, 1000), (300, 500), (120, 300), (40, 120), (0, 60), (0, 15))
_LEVEL: Final = 6


@immutable
class Finding:
    """One score of an entry: why it is what it is and what it rests on. `figures`: which it is part of, by number;
    `group`: the heading that it stands under; `lines`: what else is to be said, each a line of its own."""

    title: str
    value: str
    lines: tuple[str, ...] = ()
    by: str = ""
    figures: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    group: str = ""
    item: str = ""


@immutable
class Source:
    """A run that findings rest on: how it is looked into, and who said what in the turns that they name."""

    run: str
    command: str
    turns: Mapping[int, tuple[str, str]]


@immutable
class Entry:
    """`marks`: one for each facet; `figures`: one for each figure, None for none; `sources`: group -> run."""

    title: str
    marks: tuple[str, ...]
    figures: tuple[float | None, ...]
    facts: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    sources: Mapping[str, Source] = field(default_factory=dict)


@immutable
class PackedEntries:
    """All entries, packed: base64 each. `said`, `reasons`: characters that were kept of either."""

    index: str
    blocks: tuple[str, ...]
    said: int
    reasons: int


def address(facets: Sequence[str], figure: int | None, marks: Mapping[str, str]) -> str:
    """Where the entries with these marks (facet -> mark) are listed, with a figure of theirs; marks are spelled in
    hexadecimal, which needs no escaping."""
    parts = [f"{facets.index(name)}={plain(value).encode('utf-8', 'replace').hex()}" for name, value in marks.items()]
    return "#list/" + "/".join([*parts, *([] if figure is None else [f"v={figure}"])])


def pack(entries: Iterable[Entry], facets: Sequence[str], figures: Sequence[str], *, room: int = ROOM) -> PackedEntries:
    """Entries are taken one after the other and none is kept: only their marks, figures and compressed blocks are, in
    every length that still fits."""
    index: list[list[Any]] = []
    blocks: dict[tuple[int, int], list[str]] = {lengths: [] for lengths in LENGTHS}
    sizes = dict.fromkeys(LENGTHS, 0)
    for entry in entries:
        index.append([plain(entry.title), list(map(plain, entry.marks)), [_rounded(value) for value in entry.figures]])
        for lengths in tuple(blocks):
            block = packed(_block(entry, *lengths))
            blocks[lengths].append(block)
            sizes[lengths] += len(block)
            if sizes[lengths] > room and len(blocks) > 1:
                del blocks[lengths]
    lengths = next(iter(blocks))
    told = {"facets": list(map(plain, facets)), "figures": list(map(plain, figures)), "entries": index}
    return PackedEntries(packed(told), tuple(blocks[lengths]), *lengths)


def packed(value: object) -> str:
    """JSON, compressed (zlib) and in base64: what a page may hold in any place."""
    return b64encode(zlib.compress(_json(value), _LEVEL)).decode("ascii")


def unpacked(value: object) -> str:
    """The same, uncompressed: what must be read where nothing can be inflated."""
    return b64encode(_json(value)).decode("ascii")


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _block(entry: Entry, said: int, reasons: int) -> dict[str, Any]:
    return {
        "names": [[plain(name), plain(value)] for name, value in entry.facts],
        "findings": [
            [
                plain(one.title),
                plain(one.value),
                [plain(_cut(line, reasons)) for line in one.lines],
                plain(one.by),
                list(one.figures),
                list(one.turns),
                plain(one.group),
                plain(one.item),
            ]
            for one in entry.findings
        ],
        "sources": {
            plain(group): {
                "run": plain(source.run),
                "command": plain(source.command),
                "turns": {n: [plain(who), plain(_cut(text, said))] for n, (who, text) in source.turns.items()},
            }
            for group, source in entry.sources.items()
        },
    }


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "…"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
