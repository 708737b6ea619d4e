"""What a template of `know/` has in hand: an entry of `shown`, its value told in a way that fits every shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..language.amounts import in_full
from ..model.case import MISSING, Record, Value, called, texts
from ..model.punctuation import Punctuation, punctuation


def told(entry: Mapping[str, Any], titles: Mapping[str, str], locale: str) -> Mapping[str, Any]:
    """An entry of `shown`: whatever its value is, it is in `rows` as texts, and as the titled texts of records.

    There numbers have the unit or the currency that is declared for them; `value` is the number alone.
    """
    return {
        **{"title": "", "by": "", "silent": False, "unlisted": ()},
        **entry,
        "rows": tuple(_row(one, titles, locale) for one in _records(entry.get("value", ()))),
        "item_label": in_words(entry, punctuation(locale)),
    }


def in_words(entry: Mapping[str, Any], marks: Punctuation) -> str:
    """What an answer is about, the outer loops first; what the reader may not see is told by its number."""
    item = entry.get("item", MISSING)
    label = called(item) if item else entry.get("numbered", "")
    return marks.listed.join(filter(None, (*entry.get("outer", ()), label)))


def _records(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,)


def _row(value: Value, titles: Mapping[str, str], locale: str) -> Mapping[str, Any]:
    """A text, or what a record says: a cell for each key that has a value."""
    if isinstance(value, str):
        return {"text": in_full(value, locale), "cells": ()}
    parts = value.items() if isinstance(value, Record) else (("", value),)
    cells = ((titles.get(key, key), tuple(in_full(text, locale) for text in texts(part))) for key, part in parts)
    return {"text": "", "cells": tuple({"title": title, "values": said} for title, said in cells if said)}
