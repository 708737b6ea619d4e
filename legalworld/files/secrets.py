"""Keys of this machine, found in whatever is to leave it: as they are, encoded, turned round, or in pieces.

A provider may echo the key that it was sent in any of these forms. What only looks like a key is `language.secrets`' to
find; here are those that the environment holds.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

_NAMES: Final = re.compile(r"(?i)(KEY|TOKEN|SECRET|PASSWORD)$")
_PLAIN: Final = re.compile(r"[^A-Za-z0-9]+")
_ESCAPED: Final = re.compile(r"\\(?:[nrtbf]|u[0-9A-Fa-f]{4})")  # as JSON writes signs that are no letters
SHORTEST: Final = 8  # characters; what is shorter stands in any text
PIECE: Final = 12  # characters of a key that no other text has by chance


def keys_here() -> tuple[str, ...]:
    """Values of the environment that are keys."""
    return tuple(value for name, value in os.environ.items() if _NAMES.search(name) and len(value) >= SHORTEST)


def folders_here() -> tuple[str, ...]:
    """The home folder and the working folder, as they are written."""
    return tuple(f"{folder}{os.sep}" for folder in (Path.home(), Path.cwd()) if len(folder.parts) > 1)


def echoes(text: str, keys: tuple[str, ...] | None = None) -> bool:
    """Whether a text holds a key, in whatever form; those of the environment where none are named."""
    keys = keys_here() if keys is None else keys
    if not keys:
        return False
    if any(form in text for key in keys for form in _forms(key)):
        return True
    plain = _PLAIN.sub("", _ESCAPED.sub("", text))
    return any(_PLAIN.sub("", key) in plain for key in keys if len(_PLAIN.sub("", key)) >= SHORTEST)


@lru_cache(256)
def _forms(key: str) -> tuple[str, ...]:
    """All that a key may look like in a text."""
    data = key.encode("utf-8", "surrogateescape")
    forms = {key, key[::-1], quote(key, safe=""), data.hex(), data.hex().upper(), *_in_base64(data)}
    if len(key) >= 2 * PIECE:
        forms |= {key[at : at + PIECE] for at in range(len(key) - PIECE + 1)}
    return tuple(form for form in forms if len(form) >= SHORTEST)


def _in_base64(data: bytes) -> Iterator[str]:
    """What stands for the bytes in base64, wherever they begin in what is encoded: the signs that they alone decide."""
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        start = (8 * before + 5) // 6
        end = (before + len(data)) * 8 // 6
        yield encoded[start:end]
        yield encoded[start:end].translate(_URL)


_URL: Final = str.maketrans("+/", "-_")
