"""Finds the valid name that was probably meant by one that is not known."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the name, when at least 0.6 of the two agree; letter case and `-`, `_` or blank apart."""
    from difflib import SequenceMatcher

    folded = _folded(name)
    matcher = SequenceMatcher(b=folded, autojunk=False)
    best: tuple[float, str] | None = None
    for candidate in sorted(set(candidates)):
        matcher.set_seq1(_folded(candidate))
        if matcher.real_quick_ratio() < 0.6 or matcher.quick_ratio() < 0.6:
            continue
        score = matcher.ratio()
        if score >= 0.6 and (best is None or score > best[0]):
            best = (score, candidate)
    return None if best is None else best[1]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().replace("-", "_").replace(" ", "_")[:80]
