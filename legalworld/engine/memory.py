"""What persons keep: a field of text or of records, written by `revise` (replace) and `expand` (append) alone.

Each writing is kept with the documents that its writer could see, so that what rests on a document that is replaced
later can be dropped (LegalWorld, appendix E.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from ..model.case import MISSING, Record, Value
from ..model.equipment import Memory, MemoryField
from ..model.events import Remembered
from ..model.immutable import immutable
from ..model.text import parse_json
from .voices import unmarked

MOST_RECORDS = 200

Kept = str | tuple[dict[str, str], ...]


@immutable
class Memo:
    """One writing of a field: the whole field, and the documents (`NAME` or `NAME/SIDE`) that its writer could see."""

    value: Kept
    knows: frozenset[str]


Memories = Mapping[str, Mapping[str, tuple[Memo, ...]]]
"""Person -> field -> its writings, the last one counts."""


@immutable
class Unfit:
    """Why something cannot be written."""

    detail: str
    known: tuple[str, ...] = ()
    limit: int = 0


def remembered(memories: Memories, event: Remembered) -> Memories:
    """Append a writing; where something was dropped, keep what was left as the only one."""
    memo = Memo(event.value, frozenset(event.knows))
    fields = memories.get(event.person, {})
    before = fields.get(event.field, ()) if event.how != "drop" else ()
    return {**memories, event.person: {**fields, event.field: (*before, memo)}}


def current(memories: Memories, person: str, name: str) -> Kept:
    """What stands in a field now; "" for nothing."""
    memos = memories.get(person, {}).get(name, ())
    return memos[-1].value if memos else ""


def size(value: Kept) -> int:
    """Characters of a field."""
    return len(value) if isinstance(value, str) else sum(len(text) for record in value for text in record.values())


def written(field: MemoryField, kept: Kept, content: Any, how: Literal["revise", "expand"]) -> Kept | Unfit:
    """The field after a writing, or why it cannot be."""
    if not (field.revise if how == "revise" else field.expand):
        return Unfit(how, ("expand" if how == "revise" else "revise",))
    value = _records(field, kept, content, how) if field.keys else _text(kept, content, how)
    if isinstance(value, str):
        value = unmarked(value)
    if isinstance(value, Unfit):
        return value
    return value if size(value) <= field.longest else Unfit(f"{size(value)} > {field.longest}", limit=field.longest)


def _text(kept: Kept, content: Any, how: str) -> str | Unfit:
    if isinstance(content, list) and all(isinstance(line, str) for line in content):
        content = "\n".join(content)
    if not isinstance(content, str):
        return Unfit("content")
    before = kept if isinstance(kept, str) and how == "expand" else ""
    return f"{before}\n{content.strip()}".strip()


def _records(field: MemoryField, kept: Kept, content: Any, how: str) -> Kept | Unfit:
    """Records with the declared keys; the first key names a record, of which there is one."""
    if isinstance(content, str):
        try:
            content = parse_json(content)
        except ValueError:
            return Unfit("content", field.keys)
    given = content if isinstance(content, list) else [content]
    found = {record[field.keys[0]]: record for record in kept} if not isinstance(kept, str) else {}
    for each in given:
        record = _record(field, each)
        if isinstance(record, Unfit):
            return record
        name = record[field.keys[0]]
        if how == "expand" and name in found:
            return Unfit(f"{field.keys[0]} {name}", ("revise",))
        found[name] = {**found.get(name, {}), **record}
    return tuple(found.values()) if len(found) <= MOST_RECORDS else Unfit("content", limit=MOST_RECORDS)


def _record(field: MemoryField, given: Any) -> dict[str, str] | Unfit:
    if not isinstance(given, dict) or not given.get(field.keys[0]):
        return Unfit(field.keys[0], field.keys)
    record: dict[str, str] = {}
    for key, value in given.items():
        if key not in field.keys:
            return Unfit(str(key)[:40], field.keys)
        if not isinstance(value, str | int | float):
            return Unfit(key)
        choices = field.choices.get(key, ())
        if choices and str(value) not in choices:
            return Unfit(f"{key}: {value}"[:80], choices)
        record[key] = unmarked(str(value))
    return record


# ---- as templates read it --------------------------------------------------------------------------------------------


def named(declared: Memory | None, memories: Memories, person: str) -> Mapping[str, Value]:
    """Field -> what stands in it, for `memory.FIELD`."""
    if declared is None:
        return {}
    kept = {name: _value(field, current(memories, person, name)) for name, field in declared.fields.items()}
    return {**dict.fromkeys(declared.off, ""), **kept}


def noted(declared: Memory | None, values: Mapping[str, Value]) -> tuple[Mapping[str, Any], ...]:
    """The fields in their order, empty ones too, for `notes`."""
    fields = declared.fields.values() if declared is not None else ()
    return tuple(
        {
            "name": one.name,
            "title": one.title,
            "filled": bool(values[one.name]),
            "text": values[one.name] if not one.keys else "",
            "rows": _rows(one, values[one.name]),
            "keys": one.keys,
            "longest": one.longest,
            "revise": one.revise,
            "expand": one.expand,
            "choices": tuple({"key": key, "values": found} for key, found in one.choices.items()),
        }
        for one in fields
    )


def _rows(field: MemoryField, value: Value) -> tuple[tuple[Mapping[str, Any], ...], ...]:
    """The records of a field, each as its cells that are filled."""
    records = value if field.keys and isinstance(value, tuple) else ()
    return tuple(
        tuple({"key": key, "value": record[key]} for key in field.keys if record[key])
        for record in records
        if isinstance(record, Record)
    )


def _value(field: MemoryField, kept: Kept) -> Value:
    if not kept:
        return MISSING
    return kept if isinstance(kept, str) else tuple(Record(dict(record), field.keys) for record in kept)


# ---- provenance ------------------------------------------------------------------------------------------------------


def resting_on(memories: Memories, paper: str) -> Iterator[tuple[str, str, Memo]]:
    """(person, field, what is left) for each field that was written in sight of a document: its writings since then
    are dropped."""
    for person, fields in memories.items():
        for name, memos in fields.items():
            before = tuple(memo for memo in memos if paper not in memo.knows)
            if len(before) < len(memos):
                yield person, name, before[-1] if before else Memo("", frozenset())
