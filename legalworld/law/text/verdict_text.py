"""Which words of a criminal judgment are its operative part, and which of them stand in brackets."""

from __future__ import annotations

from typing import Final

from .lexicon import pattern

BLANK: Final = "\x01"  # stands for what is in brackets, and for what is not the operative part


def operative_part(text: str) -> tuple[int, int]:
    """Where the operative part begins and ends; the whole text where nothing says so."""
    start = 0
    for match in (*pattern("decision", "operative").finditer(text), *pattern("verdict", "begin").finditer(text)):
        if text[match.end() : match.end() + 8].strip():
            start = max(start, match.end())
    finish = pattern("verdict", "finish").search(text, start)
    return start, finish.start() if finish is not None and finish.start() > start else len(text)


def masked(text: str, start: int, stop: int) -> str:
    """The operative part alone, with what stands in brackets blotted out except a suspension of death."""
    pieces, behind, opened, depth = [BLANK * start], start, start, 0

    def blot(end: int) -> None:
        nonlocal behind
        pieces.extend((text[behind:opened], BLANK * (end - opened)))
        behind = end

    for mark in pattern("verdict", "brackets").finditer(text, start, stop):
        place = mark.start()
        if mark.group() == "\uff08":
            opened, depth = (opened if depth else place), depth + 1
        elif depth:
            depth -= 1
            if not depth and pattern("verdict", "suspended").search(text, opened, place) is None:
                blot(place + 1)
    if depth and pattern("verdict", "unclosed").match(text, opened + 1):
        closing = pattern("verdict", "unclosed_end").search(text, opened, stop)
        blot(closing.start() if closing is not None else stop)
    return "".join([*pieces, text[behind:stop]])
