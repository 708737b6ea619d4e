"""One of what is counted stands in the singular, in every English sentence that counts anything."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from legalworld.wording import fill, read_toml

ROOM = Path(__file__).parents[2] / "legalworld" / "wording"
VERBS = {
    *(
        "is",
        "has",
        "was",
        "as",
        "holds",
        "takes",
        "asks",
        "plays",
        "goes",
        "measures",
        "shows",
        "lacks",
        "reads",
        "keeps",
    ),
    *("counts", "tells", "comes", "does", "says", "sees", "enters", "minus", "always", "names", "its", "this", "needs"),
    "states",
}


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)


def sentences() -> set[str]:
    files = [ROOM / "en.toml", *sorted((ROOM / "diagnostics").glob("*.toml"))]
    return {text for file in files for text in texts(tomllib.loads(file.read_text("utf-8"))) if "{" in text}


COUNTED = sorted(
    (sentence, match["name"], match["noun"])
    for sentence in sentences()
    for match in re.finditer(r"\{(?P<name>\w+)\}(?: (?:more|other|further))? (?P<noun>[a-z]+s)\b", sentence)
)


@pytest.mark.parametrize(("sentence", "name", "noun"), [one for one in COUNTED if one[2] not in VERBS])
def test_one_is_singular(sentence: str, name: str, noun: str) -> None:
    """A plural that is not in the table fails here: it is either a verb, or a noun to be added to [singular]."""
    singular = read_toml("en.toml")["singular"]
    assert noun in singular, sentence
    for one in (1, "1"):
        assert re.search(rf"\b1(?: \w+)?? {noun}\b", fill(sentence, {name: one})) is None
    for other in (0, 2, 11, "21"):
        assert f" {noun}" in fill(sentence, {name: other})


def test_the_verb_goes_with_it() -> None:
    assert fill("{n} runs are left out", {"n": 1}) == "1 run is left out"
    assert fill("{n} more are the same", {"n": 1}) == "1 more is the same"
    assert fill("{n:,} files, {m} of them with errors", {"n": 1, "m": 0}) == "1 file, 0 of them with errors"
    assert fill("{n} runs of {m}", {"n": 11, "m": 1}) == "11 runs of 1"
