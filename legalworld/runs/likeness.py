"""Whether a text tells of the running case: it is held against shingles of all texts of the case, sealed ones too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..model.text import SIGNS, folded

TELLING: Final = 40  # letters and digits that a text of the case must have to tell anything
SHINGLE: Final = 12
SHARE: Final = 0.25  # of one text's shingles: masked names and a changed paragraph leave more than that


class Likeness:
    """The texts of a case, to be found again in others. Signs, blanks and letter case make no difference."""

    def __init__(self, texts: Iterable[str]) -> None:
        whole = {folded(text, SIGNS) for text in texts}
        self._short = frozenset(text for text in whole if len(text) < TELLING)
        self._shingles = tuple(_shingles(text) for text in sorted(whole - self._short))

    def has(self, name: str) -> bool:
        """Whether one of the case's short texts is this very one: its number, say."""
        return bool(name) and folded(name, SIGNS) in self._short

    def tells(self, text: str) -> bool:
        """Whether a good part of one of the case's longer texts stands in this one."""
        found = _shingles(folded(text, SIGNS))
        return any(len(one & found) >= SHARE * len(one) for one in self._shingles)


def _shingles(text: str) -> frozenset[str]:
    return frozenset(text[start : start + SHINGLE] for start in range(len(text) - SHINGLE + 1))
