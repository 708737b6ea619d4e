"""What stands in the columns of offences, and in their examples: keys, and the words that experts have for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..language import diagnose
from ..language.surface_reader import SurfaceReader
from ..language.surfaces import Text
from ..model.decision import OrderKind

FORMS: Final[tuple[OrderKind, ...]] = ("deliver", "do", "refrain", "declare", "rescind", "change")
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "burden": ("claimant", "respondent", "noticed", "both"),
    "extra": ("none", "fine", "fine or alone", "fine or forfeiture", "forfeiture"),
    "duty": ("must", "may"),
    "effect": ("severe", "lenient", "mitigate", "exempt"),
    "fault": ("intent", "negligence", ""),
    "result": ("not_responsible", "acquitted", "exempt"),
    "order": ("return", "forfeit"),
    "life": ("life",),
    "shown": ("acquitted", "not_responsible", "exempt", "open", "probation", "fine", "forfeiture"),
    "form": FORMS,
    "reviewed": ("annul", "redo", "do", "unlawful", "void", "dismiss"),
}
"""Column -> the keys that can stand there; `shown` are those of examples, `reviewed` what becomes of an act."""
PenalWords = Mapping[str, Mapping[str, str]]


def plain_words() -> dict[str, dict[str, str]]:
    """The keys alone, each for itself: what can be written where no expert has words for them."""
    return {column: {key: key for key in keys} for column, keys in KEYS.items()}


def read_penal_words(written: Mapping[str, Mapping[str, Text]], reader: SurfaceReader) -> PenalWords:
    """The words of an expert beside the keys."""
    found = plain_words()
    for column, words in written.items():
        if column in found:
            found[column] |= column_words(column, words, reader)
        elif words:
            span, known = next(iter(words.values())).span, ", ".join(KEYS)
            reader.report(diagnose.unknown_norm_word(span, name=column, words=known, among=KEYS))
    return found


def column_words(column: str, words: Mapping[str, Text], reader: SurfaceReader) -> dict[str, str]:
    """The words for one column, each with the key that it means."""
    found: dict[str, str] = {}
    for word, key in words.items():
        if key.text not in KEYS[column]:
            known = ", ".join(KEYS[column])
            reader.report(diagnose.unknown_norm_word(key.span, name=key.text, words=known, among=KEYS[column]))
        else:
            found[word] = key.text
    return found
