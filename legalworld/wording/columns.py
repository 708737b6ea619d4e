"""Text on a terminal: how wide it is, in columns one below the other, and without what could move the cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_TAB = "\u21e5   "  # a tab that can be seen


def columns() -> int:
    """The width of the terminal; 120 where there is none."""
    from shutil import get_terminal_size

    return get_terminal_size((120, 24)).columns


def width(text: str) -> int:
    """Columns that a text takes; a Chinese character takes two."""
    if text.isascii() and text.isprintable():
        return len(text)
    import wcwidth  # a tenth of the time in which a command starts

    return wcwidth.width(text, control_codes="ignore")


def fit(text: str, size: int, *, right: bool = False) -> str:
    """The text on exactly so many columns: what is too long ends in …, the rest is filled up."""
    import wcwidth

    if width(text) > size:
        text = wcwidth.clip(text, 0, size - 1, fillchar="", control_codes="ignore") + "…"
    return (wcwidth.rjust if right else wcwidth.ljust)(text, size, control_codes="ignore")


def table(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> Iterator[str]:
    """Rows with their columns one below the other; `right`: indices of the columns of numbers, which end in line."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (fit(cell, widths[index], right=index in right) for index, cell in enumerate(row))
        yield "  ".join(cells).rstrip()


def visible(text: str) -> str:
    """The text with everything that could move the cursor, or hide, replaced by a symbol for it."""
    return text if text.isprintable() else "".join(map(symbol, text))


def symbol(character: str) -> str:
    """What shows a character: itself, or where it cannot be seen a picture of it or its code point."""
    if character.isprintable() or character == "\u3000":
        return character
    from unicodedata import category

    point = ord(character)
    if character == "\t":
        return _TAB
    if point < 0x20:
        return chr(0x2400 + point)  # the block of control pictures
    if point == 0x7F:
        return "\u2421"
    if category(character) == "Cs":
        return "\ufffd"  # a byte that is no UTF-8
    return " " if category(character) == "Zs" else f"<U+{point:04X}>"
