"""A rater's sheet: its columns, what stands in their cells, what may be entered, and what the columns are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from ..evaluation.report_text import Word
from ..files.spreadsheet import Choice, Link, Sheet, SheetColumn
from ..wording import say, sentences
from .filled_sheets import Heads
from .pairwise import LABELS
from .plan import Key, RatingItem, SheetRow

READ: Final = "read"
"""The folder beside a sheet that holds what is to be read."""

LOCALES: Final = ("zh", "en")
Cell = Callable[[SheetRow, RatingItem], str | Link]


def sheet(key: Key, rater: str, locale: str) -> Sheet:
    """The sheet of a rater, to be written as a workbook or as CSV."""
    word = sentences("ratings", locale)
    rows = key.of(rater)
    items = [key.by_id[row.thing] for row in rows]
    columns = list(_columns(key, any(item.reference for item in items), word))
    return Sheet(
        word("file"),
        word("title", title=key.title, rater=rater, tag=key.tag),
        tuple(word(f"{key.kind}_note_{n}") for n in range(1, 4)),
        tuple(column for column, _ in columns),
        tuple(tuple(cell(row, item) for _, cell in columns) for row, item in zip(rows, items, strict=True)),
        len(columns) - 2,
        tuple(_choice(item, word) for item in items),
        frozenset(n for n, item in enumerate(items) if n == 0 or item.record != items[n - 1].record),
    )


def _columns(key: Key, referred: bool, word: Word) -> Iterator[tuple[SheetColumn, Cell]]:
    """Each column with what stands in it; the last two are to be filled in. `referred`: some item has a reference."""
    yield SheetColumn(word("head_id"), 15), lambda row, _: row.id
    yield SheetColumn(word("head_record"), 7), lambda _, item: item.record
    yield SheetColumn(word("head_part"), 20), lambda _, item: _part(item)
    yield SheetColumn(word("head_item"), 15), lambda _, item: item.title
    if key.kind == "ratings":
        yield SheetColumn(word("head_asks"), 36), lambda _, item: item.asks
        yield SheetColumn(word("head_scale"), 46), lambda _, item: _anchors(item, word)
        yield SheetColumn(word("head_read"), 22), lambda _, item: Link(_where(item, word), _page(item))
    else:
        yield SheetColumn(word("head_asks"), 56), lambda _, item: item.asks
        for label in LABELS:
            yield SheetColumn(word("head_read_pair", label=label), 12), partial(_pair_link, f"-{label}")
    if referred:
        yield SheetColumn(word("head_reference"), 34), lambda _, item: item.reference
    rating, remark = _open_heads(key)
    yield SheetColumn(word(rating), 9, open=True), lambda *_: ""
    yield SheetColumn(word(remark), 32, open=True), lambda *_: ""


def _open_heads(key: Key) -> tuple[str, str]:
    return ("head_rating", "head_remark") if key.kind == "ratings" else ("head_verdict", "head_reason")


def _page(item: RatingItem, label: str = "") -> str:
    """Where the record of an item is read, from the folder of the sheet. `label`: of one record of a pair."""
    anchor = f"#{item.places[0]}" if item.places else ""
    return f"{READ}/{item.record}{label}.html{anchor}"


def _pair_link(label: str, _: SheetRow, item: RatingItem) -> Link:
    return Link(f"{item.record}{label}", _page(item, label))


def _part(item: RatingItem) -> str:
    return f"{item.unit}\n({item.group})" if item.unit else item.group


def _anchors(item: RatingItem, word: Word) -> str:
    """What the bands of the scale mean, or the scale alone."""
    return "\n".join(f"{band}{word('colon')}{text}" for band, text in item.anchors) or item.scale.in_short


def _where(item: RatingItem, word: Word) -> str:
    """Which turns: those that lie close together from the first to the last, else the whole record."""
    if not item.places:
        return word("read_all", record=item.record)
    return word("read_part", record=item.record, first=item.turns[0], last=item.turns[-1])


def _choice(item: RatingItem, word: Word) -> Choice:
    scale = item.scale
    error = word("only", scale=scale.in_short)
    return Choice(tuple(scale.choices or ()), scale.lowest, scale.highest, scale.step == 1, error)


def heads(key: Key, locale: str) -> Heads:
    """The heads in the language of the messages first, then in the other."""
    order = sorted(LOCALES, key=lambda each: each != locale)
    columns = zip(("id", "rating", "remark"), ("head_id", *_open_heads(key)), strict=True)
    return {name: tuple(say(f"ratings.{word}", each) for each in order) for name, word in columns}
