"""What a record's sealed values say of its outcome, found again in values that somebody may see.

Punishments are compared by value, however they are written: a sentence that holds a sealed one goes, unless it is shown
to tell of an earlier conviction or of something else. Of a civil outcome the operative sentences and findings are
looked for word for word, since its bare sums stand in every honest claim.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ..model.case import MISSING, Record, Sided, Value, texts
from ..model.immutable import immutable
from .pieces import OWN_NUMBERS, sentences_of, stripped

_QUOTED: Final = re.compile("\u201c[^\u201c\u201d]*\u201d")
_PLAIN: Final = re.compile(r"[\W_]+")
SHORTEST: Final = 16  # characters of a sealed sentence that is looked for, without its marks


@immutable
class OutcomeReader:
    """Who reads punishments: those that a sealed text tells, as values of his own, and whether a sentence tells one of
    them."""

    sealed: Callable[[str], Sequence[Any]]
    tells: Callable[[str, Sequence[Any]], bool]


NO_READER: Final = OutcomeReader(lambda _: (), lambda *_: False)


class SealedOutcome:
    """The outcome that the sealed values of a record tell. `decided`: those that hold a decision of a court; `cites`:
    what shows that a sentence quotes the law, which everybody may."""

    def __init__(
        self,
        sealed: Mapping[str, Value | Sided],
        reader: OutcomeReader,
        decided: Mapping[str, Value | Sided],
        cites: re.Pattern[str],
        known: Sequence[str] = (),
    ) -> None:
        self._reader = reader
        told = [text for value in sealed.values() for text in all_texts(value)]
        self._penalties = tuple(dict.fromkeys(penalty for text in told for penalty in reader.sealed(text)))
        found = [] if self._penalties else [text for value in decided.values() for text in all_texts(value)]
        whole = {
            plain(stripped(one, (OWN_NUMBERS,)))
            for text in found
            for one in sentences_of(_QUOTED.sub("", text))  # a statute that is quoted, or what a party said
            if cites.search(one) is None
        }
        said = [plain(text) for text in known]
        looked_for = (one for one in whole if len(one) >= SHORTEST and not any(one in text for text in said))
        self._sentences = tuple(sorted(looked_for))

    def without(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text without the sentences that name a sealed punishment; and these sentences."""
        if not self._penalties:
            return text, ()
        kept: list[str] = []
        left: list[str] = []
        for sentence in sentences_of(text):
            (left if self._reader.tells(sentence, self._penalties) else kept).append(sentence)
        return ("".join(kept).strip() if left else text), tuple(one.strip() for one in left)

    def told_in(self, text: str) -> str:
        """A sentence of the sealed values that stands in a text; "" for none."""
        if not self._sentences:
            return ""
        alike = plain(text)
        return next((one for one in self._sentences if one in alike), "")


def plain(text: str) -> str:
    """The text without marks and blanks, full and half width made one."""
    return _PLAIN.sub("", unicodedata.normalize("NFKC", text)).casefold()


def changed(value: Value | Sided, change: Callable[[str], str]) -> Value | Sided:
    """A value with each of its texts changed; what is left empty is missing."""
    if isinstance(value, Sided):
        return Sided({side: _changed(one, change) for side, one in value.values.items()})
    return _changed(value, change)


def _changed(value: Value, change: Callable[[str], str]) -> Value:
    match value:
        case str():
            return change(value) or MISSING
        case tuple():
            changed_ones = (_changed(one, change) for one in value)
            return tuple(one for one in changed_ones if one != MISSING)
        case Record():
            kept = {key: new for key, one in value.items() if (new := _changed(one, change)) != MISSING}
            return Record(kept, tuple(value)) if kept or not value else MISSING
        case _:
            return value


def all_texts(value: Value | Sided) -> Iterator[str]:
    """Return every text of a value, of all sides."""
    for one in value.values.values() if isinstance(value, Sided) else (value,):
        yield from texts(one)
