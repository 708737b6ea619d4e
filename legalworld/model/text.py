"""Text from outside, made safe to keep; and texts made alike, so that they can be compared."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from .json_text import read_json

SIGNS: Final = re.compile(r"[\W_]+")
BLANKS: Final = re.compile(r"\s+")
# By what Unicode says of them; a test holds the classes against its tables.
# Newline functions: where a reader may see a line begin.
_BREAKS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Controls (Cc), bidirectional embeddings, overrides and isolates, interlinear annotations, noncharacters.
_HARMFUL: Final = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff"
# What else is a format character (Cf) that nobody sees: zero width, direction marks, the tag block. Joiners stay, by
# which emoji and several scripts are written, and so do the format characters that one does see.
_UNSEEN: Final = (
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_CONTROLS: Final = re.compile(f"[{_HARMFUL}]")
_HIDDEN: Final = re.compile(f"[{_UNSEEN}]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NAME: Final = re.compile(r"[^\w.-]+")


def clean(text: str, *, newline: str = "\n") -> str:
    """The text as everything after it may see it: no file, terminal or reader takes it for more than it shows.

    Whatever begins a line is a line feed (`newline`: another sign, for JSON, where one may not stand within a string).
    What is not seen goes. What a file cannot hold, a terminal would obey, or turns the order of what is read is U+FFFD:
    control characters but line feed and tab, lone surrogates, bidirectional overrides. A pair of surrogates becomes the
    character it stands for.
    """
    if text.isascii() and text.isprintable():
        return text
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _BREAKS.sub(newline, text)
    return _CONTROLS.sub("\ufffd", text if text.isascii() else _HIDDEN.sub("", text))


def clean_json_text(text: str) -> str:
    """JSON that is kept as text: its strings have no signs in them that `clean` exchanges, and it stays JSON."""
    return clean(text.replace("\r\n", "\n"), newline=" ")


def parse_json(text: str) -> Any:
    """JSON from outside, its strings `clean`: an escape says what the text itself may not hold.

    Raises ValueError for anything that is no JSON, or nested too deeply to be read.
    """
    return clean_json(read_json(text))


def clean_json(value: Any) -> Any:
    """Return a value read from JSON with all its strings and keys `clean`."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_json(item) for item in value]
        case dict():
            return {clean(key): clean_json(item) for key, item in value.items()}
        case _:
            return value


def plain_name(text: str) -> str:
    """A file name for a title or an id, at most 60 characters: anything a file system could object to is a hyphen."""
    name = _NAME.sub("-", clean(text)).strip("-.")[:60].rstrip("-.")
    return name or "-"


def folded(text: str, dropped: re.Pattern[str] | None = None) -> str:
    """The text as it is compared: full and half width made one (NFKC), `dropped` left out, no letter case."""
    text = unicodedata.normalize("NFKC", text)
    return (dropped.sub("", text) if dropped is not None else text).casefold()
