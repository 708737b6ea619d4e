"""Facts that a text tells in the words that experts listed; what it tells in others is not read.

A fact is told by the first of its phrases that stands in the text and is not denied in its clause. What is read says
what the text says, not that it is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from ..language.amounts import numbers
from ..language.dates import read_day
from ..language.sentences.norm_words import PROSE_CLAUSE, PROSE_FIRST, PROSE_UNITS
from .definition import FactPhrase, Kind, NormSet, Saying, Value
from .material import Tendered
from .phrase_link import plain

_LOCALE: Final = "zh"


def told_in(norms: NormSet, text: str, persons: Mapping[str, Sequence[str]]) -> dict[str, tuple[Saying, ...]]:
    """Fact -> what a text says of it, each value once. `persons`: the ids of those on each side."""
    looked = plain(text)
    found: dict[str, tuple[Saying, ...]] = {}
    for phrase in norms.phrases:
        if phrase.fact not in found:
            said = dict.fromkeys(_values(phrase, looked, norms.words.facts[phrase.fact].kind))
            said = {tuple(persons[one]) if isinstance(one, str) and one in persons else one: None for one in said}
            if said:
                keys = _keys(phrase, persons)
                found[phrase.fact] = tuple(Saying(value, keys) for value in said)
    return found


def exhibits_of(name: str, side: str, told: Mapping[str, tuple[Saying, ...]]) -> tuple[Tendered, ...]:
    """What a text tells as exhibits of one side: as many as it has values for one fact."""
    most = max((len(said) for said in told.values()), default=0)
    rows = ({fact: said[place] for fact, said in told.items() if place < len(said)} for place in range(most))
    return tuple(Tendered(f"{name}/{place}", side, says) for place, says in enumerate(rows, 1))


def _values(phrase: FactPhrase, text: str, kind: Kind) -> Iterator[Value]:
    for found in re.finditer(phrase.pattern, text):
        before = re.split(PROSE_CLAUSE, text[: found.start()])[-1]
        if any(word in before or (word in found.group() and word not in phrase.told) for word in phrase.denials):
            continue
        value = phrase.value if phrase.value is not None else _value(found[1], kind)
        if isinstance(value, Decimal) and phrase.value is None:
            value = value * phrase.factor
        if value is not None:
            yield value


def _value(text: str, kind: Kind) -> Value | None:
    if kind == "day":
        return _day(text)
    unit = Decimal(PROSE_UNITS.get(text[-1], 1))
    listed = numbers(text.rstrip("".join(PROSE_UNITS)), _LOCALE)
    return listed[0] * unit if listed else None


def _day(text: str) -> date | None:
    """A day; a month alone is its first day."""
    end, first = PROSE_FIRST
    return read_day(text if text.endswith(end) else text + first)


def _keys(phrase: FactPhrase, persons: Mapping[str, Sequence[str]]) -> dict[str, Value]:
    """What belongs to a value: persons of a side, or a text."""
    return {key: tuple(persons[said]) if said in persons else said for key, said in phrase.keys.items()}
