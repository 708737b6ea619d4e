"""Text from outside, made safe to keep; and texts made alike, so that they can be compared."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Final

SIGNS: Final = re.compile(r"[\W_]+")
BLANKS: Final = re.compile(r"\s+")
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def clean(text: str, controls: re.Pattern[str] = _CONTROLS) -> str:
    """The text as everything after it may see it: what a file cannot hold, or a terminal would obey, is U+FFFD.

    Lone surrogates and `controls` (all control characters but line feed and tab) are replaced, a pair of surrogates
    becomes the character it stands for, CR LF becomes LF.
    """
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return controls.sub("\ufffd", text.replace("\r\n", "\n"))


def parse_json(text: str) -> Any:
    """JSON from outside, its strings `clean`: an escape says what the text itself may not hold.

    Raises ValueError for anything that is no JSON, or nested too deeply to be read.
    """
    try:
        return clean_json(json.loads(text))
    except RecursionError:
        raise ValueError("nested too deeply") from None


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


def folded(text: str, dropped: re.Pattern[str] | None = None) -> str:
    """The text as it is compared: full and half width made one (NFKC), `dropped` left out, no letter case."""
    text = unicodedata.normalize("NFKC", text)
    return (dropped.sub("", text) if dropped is not None else text).casefold()
