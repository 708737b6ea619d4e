"""A record that has a list or a text where its set has a table: taken all the same, or told; never lost in silence."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_mutants import BINDINGS, normal, original, put, read, strings, taken


def tables(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where tables stand in a record, itself left out."""
    for key, one in value.items() if isinstance(value, dict) else ():
        if isinstance(one, dict):
            yield (*keys, key)
        yield from tables(one, (*keys, key))


def at(record: Any, keys: tuple[Any, ...]) -> Any:
    for key in keys:
        record = record[key]
    return record


CASES = [(binding, keys) for binding in BINDINGS for keys in tables(original(binding)[0])]


@pytest.mark.parametrize("as_text", [False, True], ids=["list", "text"])
@pytest.mark.parametrize(("binding", "keys"), CASES, ids=lambda one: one if isinstance(one, str) else ".".join(one))
def test_a_table_in_another_form_is_taken_or_told(
    tmp_path: Path, binding: str, keys: tuple[Any, ...], as_text: bool
) -> None:
    record = original(binding)[0]
    mutant, text = copy.deepcopy(record), "一段文字，见附件。"
    put(mutant, keys, text if as_text else [at(record, keys)])
    for name in ("before", "after"):
        (tmp_path / name).mkdir()
    [before], quiet = read(tmp_path / "before", binding, [record])
    [after], codes = read(tmp_path / "after", binding, [mutant])
    there = {normal(one) for _, one in strings(mutant)} | {text}
    held = {normal(one) for _, one in strings(at(record, keys))}
    wanted = (taken(before) & there) | ({text} if as_text and taken(before) & held else set())
    assert after is None or wanted <= taken(after) or codes - quiet, wanted - taken(after)
