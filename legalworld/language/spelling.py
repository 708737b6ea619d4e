"""Finds the valid name that was probably meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from unicodedata import normalize

from ..model.text import folded

_LONGEST: Final = 400  # characters of what may be several names
_AROUND: Final = " \t\u3000\"'“”‘’「」『』[]{}()"


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the name, when at least 0.6 of the two agree; letter case and `-`, `_` or blank apart."""
    from difflib import SequenceMatcher

    known = set(candidates)
    if (bare := _without_signs(name)) != name and bare and all(part in known for part in bare.split(", ")):
        return bare
    key = _key(name)
    matcher = SequenceMatcher(b=key, autojunk=False)
    best: tuple[float, str] | None = None
    for candidate in sorted(known):
        matcher.set_seq1(_key(candidate))
        if matcher.real_quick_ratio() < 0.6 or matcher.quick_ratio() < 0.6:
            continue
        score = matcher.ratio()
        if score >= 0.6 and (best is None or score > best[0]):
            best = (score, candidate)
    return None if best is None else best[1]


def _without_signs(name: str) -> str:
    """The name, or the names, in signs of an ordinary width, without quotation marks and brackets around them."""
    narrow = normalize("NFKC", name[:_LONGEST]).replace("、", ",").strip(_AROUND)
    return ", ".join(part.strip(_AROUND) for part in narrow.split(",") if part.strip(_AROUND))


def _key(name: str) -> str:
    return folded(name).replace("-", "_").replace(" ", "_")[:80]
