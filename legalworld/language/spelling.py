"""Finds the valid name that was probably meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.text import folded


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the name, when at least 0.6 of the two agree; letter case and `-`, `_` or blank apart."""
    from difflib import SequenceMatcher

    key = _key(name)
    matcher = SequenceMatcher(b=key, autojunk=False)
    best: tuple[float, str] | None = None
    for candidate in sorted(set(candidates)):
        matcher.set_seq1(_key(candidate))
        if matcher.real_quick_ratio() < 0.6 or matcher.quick_ratio() < 0.6:
            continue
        score = matcher.ratio()
        if score >= 0.6 and (best is None or score > best[0]):
            best = (score, candidate)
    return None if best is None else best[1]


def _key(name: str) -> str:
    return folded(name).replace("-", "_").replace(" ", "_")[:80]
