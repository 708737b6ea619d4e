"""What claims ask for, told by the words of their text: each head is a part that is decided by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from .definition import ClaimHead, Value, Words
from .material import AskedClaim

AMOUNT: Final = "amount"
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def heads_of(text: str, heads: Mapping[str, ClaimHead]) -> tuple[str, ...]:
    """The heads that a text names, in its order; where one word stands in another, the longer one counts."""
    named = {word.lower(): head.id for head in heads.values() for word in head.words}
    if not named:
        return ()
    longest = sorted(named, key=lambda word: (-len(word), word))
    found = re.finditer("|".join(map(re.escape, longest)), text.lower())
    return tuple(dict.fromkeys(named[one.group()] for one in found))


def denies(text: str, words: Words) -> bool:
    """Whether a claim is that nothing is owed: it is decided by what is, in the other direction."""
    return any(word.lower() in text.lower() for word in words.denials)


def asked(
    words: Words, name: str, text: str, sides: Sequence[str], known: Mapping[str, Value]
) -> tuple[AskedClaim, ...]:
    """A claim as the parts that it is made of: one for each head (1a, 1b), itself where it names one or none.

    `sides`: who makes it, and who is claimed against. A sum that is claimed is that of the only head that is no costs;
    of several it cannot be told how much is for which.
    """
    heads = heads_of(text, words.heads)
    by = sides[1] if denies(text, words) and len(sides) > 1 else sides[0]
    if len(heads) < 2:
        return (AskedClaim(name, heads[0] if heads else "", by, known),)
    return tuple(_parts(words, name, heads, (by, known)))


def _parts(
    words: Words, name: str, heads: Sequence[str], claim: tuple[str, Mapping[str, Value]]
) -> Iterator[AskedClaim]:
    by, known = claim
    paid = [head for head in heads if not words.heads[head].costs]
    rest = {key: value for key, value in known.items() if key != AMOUNT}
    for place, head in enumerate(heads):
        letter = LETTERS[place] if place < len(LETTERS) else f".{place + 1}"
        whole = [head] == paid and isinstance(known.get(AMOUNT), Decimal)
        yield AskedClaim(f"{name}{letter}", head, by, known if whole else rest)
