"""Facts that a text tells in the words that experts listed; what it tells in others is not read.

A fact is told by the first of its phrases that stands in the text and is not denied in its clause. What is read says
what the text says, not that it is so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from ..language.amounts import numbers
from ..language.dates import read_day
from ..language.sentences.norm_words import (
    PROSE_CLAUSE,
    PROSE_FIRST,
    PROSE_MOST,
    PROSE_PERSONS,
    PROSE_UNITS,
)
from ..model.decision import Party
from .definition import Fact, FactPhrase, Kind, NormSet, Saying, Value
from .material import Tendered
from .phrase_link import plain

_LOCALE: Final = "zh"


def told_in(norms: NormSet, text: str, persons: Mapping[str, Sequence[str]]) -> dict[str, tuple[Saying, ...]]:
    """Fact -> what a text says of it, each value once. `persons`: the ids of those on each side."""
    return _told(norms, norms.phrases, plain(text), persons, {})


def named_in(norms: NormSet, text: str, parties: Sequence[Party]) -> dict[str, tuple[Saying, ...]]:
    """Fact -> what the words of an exhibit say of it. Persons are meant where they are named, by a name that nobody
    else bears; phrases that mean all of a side, whoever that is, are not used."""
    sides = tuple(dict.fromkeys(party.side for party in parties))
    looked, chars = plain(text), {}
    names = Counter(party.name for party in parties)
    for party in sorted(parties, key=lambda one: -len(one.name)):
        first = tuple(PROSE_PERSONS.values())[min(sides.index(party.side), len(PROSE_PERSONS) - 1)]
        mark = chr(first + parties.index(party))
        if party.name and names[party.name] == 1 and parties.index(party) < PROSE_MOST:
            looked, chars[mark] = looked.replace(plain(party.name), mark), party.id
    used = [one for one in norms.phrases if one.named or not ({*one.keys.values(), one.value} & {*PROSE_PERSONS})]
    return _told(norms, used, looked, {}, chars)


def _told(
    norms: NormSet,
    phrases: Sequence[FactPhrase],
    looked: str,
    persons: Mapping[str, Sequence[str]],
    marked: Mapping[str, str],
) -> dict[str, tuple[Saying, ...]]:
    found: dict[str, tuple[Saying, ...]] = {}
    for phrase in phrases:
        if phrase.fact not in found:
            fact = norms.words.facts[phrase.fact]
            said = [
                Saying(
                    tuple(persons[value]) if isinstance(value, str) and value in persons else value,
                    _keys(phrase, fact, persons, (words, marked)),
                )
                for value, words in _values(phrase, looked, fact.kind)
            ]
            if said:
                found[phrase.fact] = tuple({(one.value, tuple(sorted(one.keys.items()))): one for one in said}.values())
    return found


def exhibits_of(name: str, side: str, told: Mapping[str, tuple[Saying, ...]]) -> tuple[Tendered, ...]:
    """What a text tells as exhibits of one side: as many as it has values for one fact."""
    most = max((len(said) for said in told.values()), default=0)
    rows = ({fact: said[place] for fact, said in told.items() if place < len(said)} for place in range(most))
    return tuple(Tendered(f"{name}/{place}", side, says) for place, says in enumerate(rows, 1))


def _values(phrase: FactPhrase, text: str, kind: Kind) -> Iterator[tuple[Value, str]]:
    """Each value with the words that tell it."""
    for found in re.finditer(phrase.pattern, text):
        before = re.split(PROSE_CLAUSE, text[: found.start()])[-1]
        if any(word in before or (word in found.group() and word not in phrase.told) for word in phrase.denials):
            continue
        value = phrase.value if phrase.value is not None else _value(found[1], kind)
        if isinstance(value, Decimal) and phrase.value is None:
            value = value * phrase.factor
        if value is not None:
            yield value, found.group()


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


def _keys(
    phrase: FactPhrase, fact: Fact, persons: Mapping[str, Sequence[str]], said: tuple[str, Mapping[str, str]]
) -> dict[str, Value]:
    """What belongs to a value: persons of a side, those whom the words name, a text, a value within the words.

    `said`: the words, and the person for whom each mark in them stands.
    """
    words, marked = said
    keys: dict[str, Value] = {}
    for key, who in phrase.keys.items():
        first = PROSE_PERSONS.get(who) if phrase.named else None
        named = tuple(
            dict.fromkeys(marked[one] for one in words if first is not None and first <= ord(one) < first + PROSE_MOST)
        )
        keys[key] = named if first is not None else tuple(persons[who]) if who in persons else who
    for key, pattern in phrase.within.items():
        within = re.search(pattern, words)
        value = _value(within[1], fact.keys[key]) if within is not None else None
        if value is not None:
            keys[key] = value
    return keys
