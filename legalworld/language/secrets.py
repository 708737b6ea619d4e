"""Finds what looks like a key (of an API) in a text, so that it can be refused where it stands and is never echoed.

Nobody can tell a key from a name for certain. A word is taken for a key where it begins as keys of known services do,
or where a run of its letters and digits is too long and too mixed for a name that people made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_PREFIXED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk|ak|gsk|xai|hf|r8|nvapi|fw|pplx|tgp|ghp|gho|glpat|key|api)[-_]|AKIA|AIza|xox[abp]-)"
    r"[A-Za-z0-9_.~+/=-]{12,}"
)
_WORD: Final = re.compile(r"[A-Za-z0-9]{16,}")
_PIECE: Final = re.compile(r"[A-Za-z0-9]{10,}")
_STRETCH: Final = re.compile(r"[A-Za-z0-9_+/=-]{28,}")
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
_UUID: Final = re.compile(r"(?i)(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])")
_DIGEST: Final = re.compile(r"(?i)sha(?:256|512)[:-][0-9a-f]+")
_RUNS: Final = re.compile(r"\d+|[a-z]+|[A-Z][a-z]*")
MOST_RUNS: Final = 6  # stretches of digits, of small letters, of a capital with small ones: "Qwen3Coder480BA35B" has 6
SHORT_RUNS: Final = 2.0  # characters of such a stretch on average: 1.6 in random characters, 3 in names


def keys_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield where something begins and ends that looks like a key; places may overlap."""
    digests = [found.span() for found in _DIGEST.finditer(text)]
    for found in _UUID.finditer(text):
        yield found.span()
    for found in _PREFIXED.finditer(text):
        if any(_mixed(piece) for piece in _PIECE.findall(found[0])):
            yield found.span()
    for found in _STRETCH.finditer(text):
        if _mixed(found[0]) and len(found[0]) < SHORT_RUNS * len(_RUNS.findall(found[0])):
            yield found.span()
    for found in _WORD.finditer(text):
        if any(start <= found.start() and found.end() <= end for start, end in digests):
            continue
        word = found[0]
        if _mixed(word) and (_HEXADECIMAL.fullmatch(word) or len(_RUNS.findall(word)) > MOST_RUNS):
            yield found.span()


def looks_like_key(text: str) -> bool:
    """Return whether something in a text looks like a key."""
    return next(keys_in(text), None) is not None


def masked(text: str, sign: str = "*") -> str:
    """Return the text with a sign in place of each character of what looks like a key."""
    for start, end in list(keys_in(text)):
        text = text[:start] + sign * (end - start) + text[end:]
    return text


def _mixed(word: str) -> bool:
    """Whether a word holds both digits and letters."""
    return any(sign.isdigit() for sign in word) and any(sign.isalpha() for sign in word)
