"""Text in columns of a terminal, where a Chinese character takes two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def columns() -> int:
    """The width of the terminal; 120 where there is none."""
    from shutil import get_terminal_size

    return get_terminal_size((120, 24)).columns


def width(text: str) -> int:
    from wcwidth import wcwidth

    return sum(max(wcwidth(character), 0) for character in text)


def fit(text: str, size: int, *, right: bool = False) -> str:
    """The text on exactly so many columns: what is too long ends in …, the rest is filled up."""
    from wcwidth import wcwidth

    used, cut = 0, len(text)
    for index, character in enumerate(text):
        used += max(wcwidth(character), 0)
        if used > size:
            cut = index
            break
    shown = text
    if cut < len(text):
        shown = text[:cut]
        while shown and width(shown) > size - 1:
            shown = shown[:-1]
        shown += "…"
    space = " " * (size - width(shown))
    return space + shown if right else shown + space


def table(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> Iterator[str]:
    """Rows with their columns one below the other; `right`: indices of those that end in line, numbers."""
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (fit(word, wide[index], right=index in right) for index, word in enumerate(row))
        yield "  ".join(cells).rstrip()
