"""Sentences drawn by seed from real data and from the project's own judgments, for labels of what a parser should find.

A label file holds places and values only: the words stay where they are (`ROOT/../shared/data`).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from places import DATA, ROOT

SENTENCE = re.compile(r"[^。\n]{6,220}[。\n]")
KINDS = {
    "money": re.compile("元|万|¥|罚金"),
    "rate": re.compile("%|％|利率|利息|倍|分之"),
    "citation": re.compile("《|第[^，。]{1,12}条"),
    "docket": re.compile(r"[（(〔\[][12]\d{3}[）)〕\]][^，。]{1,20}号"),
    "date": re.compile("年|月|日"),
    "verdict": re.compile("判处|犯[^，。]{1,20}罪"),
}
OWN = (ROOT / "tests" / "corpus" / "judgments.jsonl",)


def texts_in(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a record with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, below in value.items():
            yield from texts_in(below, f"{path}/{key}")
    elif isinstance(value, list):
        for number, below in enumerate(value):
            yield from texts_in(below, f"{path}/{number}")


def files() -> list[Path]:
    real = [file for folder in ("simucourt", "simcourt", "maser") for file in sorted((DATA / folder).rglob("*.json*"))]
    return [*real, *OWN]


def named(file: Path) -> str:
    return str(file.relative_to(ROOT if file in OWN else DATA))


@cache
def texts(file: Path) -> dict[str, str]:
    """Path -> text of one file of records."""
    raw = file.read_text(encoding="utf-8-sig")
    return dict(texts_in(list(_lines(raw)) if file.suffix == ".jsonl" else json.loads(raw)))


def _lines(raw: str) -> Iterator[Any]:
    """The records of JSON Lines; one line of ours is broken on purpose."""
    for line in filter(str.strip, raw.split("\n")):
        with suppress(json.JSONDecodeError):
            yield json.loads(line)


def sentences() -> Iterator[tuple[str, str, int, int]]:
    """(file, path, start, end) of every sentence."""
    for file in files():
        for path, text in texts(file).items():
            for found in SENTENCE.finditer(text):
                yield named(file), path, found.start(), found.end()


def text_at(file: str, path: str) -> str | None:
    """The text of a place; None where the data is not here."""
    whole = (ROOT / file) if (ROOT / file).exists() else DATA / file
    return texts(whole).get(path) if whole.exists() else None


def drawn(kind: str, count: int, seed: int, without: frozenset[str] = frozenset()) -> list[tuple[str, str, int, int]]:
    """So many sentences in which something of a kind may stand, in order of chance; no words twice, nor others'."""
    seen: dict[str, tuple[str, str, int, int]] = {}
    for place in sentences():
        text = text_at(*place[:2])
        assert text is not None
        words = text[place[2] : place[3]].strip()
        if KINDS[kind].search(words):
            seen.setdefault(words, place)
    order = sorted(seen.keys() - without)
    random.Random(f"{kind} {seed}").shuffle(order)
    return [seen[words] for words in order[:count]]
