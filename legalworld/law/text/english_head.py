"""What an English judgment says of the case before it decides: who is on which side, and what is claimed.

Used where a judgment is read without a case. What is not written in one of these ways is left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...model.decision import Amount, Claim, PartOrigin, Party
from .english import english_sums
from .lexicon import pattern, words

TABLE: Final = "english_head"


def english_parties(text: str, document: str = "") -> tuple[Party, ...]:
    """Return the parties by their titles; none where a title is borne by nobody, or one name stands twice."""
    found = pattern(TABLE, "between").search(text)
    named = [*_between(found), *_more(text, found.end())] if found is not None else list(_lines(text))
    names = [one["name"] for one in named]
    sides = {side for one in named if (side := _side(one["title"]))}
    if len(sides) != 2 or len(set(names)) != len(names):
        return ()
    return tuple(
        Party(
            id=one["name"],
            name=one["name"],
            side=_side(one["title"]),
            titles=(one["title"].removesuffix("s"),),
            origin=PartOrigin(hand="text", source=document, start=int(one["start"]), end=int(one["end"])),
        )
        for one in named
    )


def _side(title: str) -> str:
    """Return the side of a title, whatever number stands before it."""
    return str(words(TABLE, "side").get(title.lower().split()[-1], ""))


def _more(text: str, start: int) -> Iterator[dict[str, str]]:
    """Names with their titles that go on a list: "..., First Defendant, and C Ltd, Second Defendant"."""
    while (found := pattern(TABLE, "more").match(text, start)) is not None:
        low, start = found.start("name"), found.end()
        yield {
            "name": found["name"],
            "title": _titled(found["title"]),
            "start": str(low),
            "end": str(found.end("name")),
        }


def _titled(title: str) -> str:
    return " ".join(title.split()).title()


def _between(found: re.Match[str]) -> Iterator[dict[str, str]]:
    for name, title in (("first", "first_title"), ("second", "second_title")):
        start, end = found.span(name)
        yield {"name": found[name], "title": _titled(found[title]), "start": str(start), "end": str(end)}


def _lines(text: str) -> Iterator[dict[str, str]]:
    """Names that stand on a line of their own before what they are."""
    for found in pattern(TABLE, "named").finditer(text):
        start, end = found.span("name")
        yield {"name": found["name"], "title": _titled(found["title"]), "start": str(start), "end": str(end)}


def english_claims(text: str, stop: int, document: str = "") -> tuple[Claim, ...]:
    """Return what is claimed, sum by sum; nothing where a sum of that sentence is not said to be for anything."""
    found = pattern(TABLE, "claimed").search(text, 0, stop)
    if found is None:
        return ()
    sums = [one for one in english_sums(text[: found.end()]) if one.start >= found.start() and one.currency]
    after = [text[one.end : found.end()] for one in sums]
    labels = [
        pattern("decision_english", "for_what").match(said) or pattern(TABLE, "apposed").match(said) for said in after
    ]
    if not sums or any(label is None for label in labels) or any(one.high is not None or one.per for one in sums):
        return ()
    return tuple(
        Claim(
            id=str(number),
            text=label["label"].strip(),
            amount=Amount(value=one.amount, currency=one.currency),
            origin=PartOrigin(hand="text", source=document, start=one.start, end=one.end + label.end()),
        )
        for number, (one, label) in enumerate(zip(sums, labels, strict=True), 1)
        if label is not None
    )
