"""Whom a text names, of those that the record itself names: the operator `named: {LABEL: [WORD, $.people[*].name]}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ..model.immutable import immutable
from ..model.text import BLANKS, folded
from . import paths
from .paths import Path

JOINT: Final = "\u3001"
_SHORTEST: Final = 2  # characters of a part of a name that still means its bearer


@immutable
class NameLabels:
    """Label -> the words that mean it, and the paths at which those stand whom it stands for. The words of label ""
    say nothing of who is meant."""

    words: Mapping[str, tuple[str, ...]]
    places: Mapping[str, tuple[Path, ...]]

    def label(self, texts: Sequence[str], scope: Any) -> str:
        """Return the labels of all whom some texts name, in the order of the table, joined by `JOINT`; "" where a text
        names nobody, or says anything else besides: who else is meant cannot be told."""
        names = {label: {_fold(name) for name in _texts(places, scope)} for label, places in self.places.items()}
        found: set[str] = set()
        for text in texts:
            meant = self._meant(_fold(text), names)
            if not meant:
                return ""
            found |= meant
        return JOINT.join(label for label in self.words if label in found)

    def _meant(self, text: str, names: Mapping[str, set[str]]) -> set[str]:
        known: dict[str, set[str]] = {}
        for label, words in self.words.items():
            for word in map(_fold, words):
                known.setdefault(word, set()).add(label)
        bearers: dict[str, set[str]] = {}
        for label, held in names.items():
            for name in held:
                bearers.setdefault(name, set()).add(label)
        known |= {name: labels for name, labels in bearers.items() if len(labels) == 1}  # of both sides: of neither
        found: set[str] = set()
        rest = text
        for word in sorted(filter(None, known), key=lambda word: (-len(word), word)):
            if word in rest:
                found |= known[word]
                rest = rest.replace(word, " ")
        if any(sign.isalnum() for sign in rest):
            return _part(text, names)
        return found - {""}


def _part(text: str, names: Mapping[str, set[str]]) -> set[str]:
    """Return the label of whose name a text is a part; empty where there is none, or more than one."""
    found = {label for label, held in names.items() if any(text in name for name in held)}
    return found if len(text) >= _SHORTEST and len(found) == 1 else set()


def _texts(places: Iterable[Path], scope: Any) -> Iterable[str]:
    return (found.value for path in places for found in paths.find(path, scope) if isinstance(found.value, str))


def _fold(text: str) -> str:
    return folded(text, BLANKS)
