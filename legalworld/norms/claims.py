"""What claims ask for, told by the words of their text: each head is a part that is decided by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final

from ..model.decision import Amount, Claim
from .definition import ClaimHead, Value, Words
from .material import AskedClaim

AMOUNT: Final = "amount"
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


SumOf = Callable[[str], Decimal | None]
"""The one sum that some words state; None where they state none or several."""


def heads_of(text: str, heads: Mapping[str, ClaimHead]) -> tuple[str, ...]:
    """The heads that a text names, in its order; where one word stands in another, the longer one counts."""
    return tuple(_placed(text, heads))


def _placed(text: str, heads: Mapping[str, ClaimHead]) -> dict[str, int]:
    """Each head that a text names, and where it first does."""
    named = {word.lower(): head.id for head in heads.values() for word in head.words}
    placed: dict[str, int] = {}
    for one in _any_of(tuple(named)).finditer(text.lower()) if named else ():
        placed.setdefault(named[one.group()], one.start())
    return placed


@lru_cache(64)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Any of some words, the longest first; made once for all claims of a case, which are asked for again and again."""
    return re.compile("|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))))


def denies(text: str, words: Words) -> bool:
    """Whether a claim is that nothing is owed: it is decided by what is, in the other direction."""
    return any(word.lower() in text.lower() for word in words.denials)


def asked(
    words: Words,
    name: str,
    text: str,
    sides: Sequence[str],
    known: Mapping[str, Value],
    *,
    sum_of: SumOf = lambda _: None,
) -> tuple[AskedClaim, ...]:
    """A claim as the parts that it is made of: one for each head (1a, 1b), itself where it names one or none.

    `sides`: who makes it, and who is claimed against. A sum that is claimed is that of the only head that is no costs;
    of several each has what is written behind it, where that adds up to the whole, else it cannot be told.
    """
    placed = _placed(text, words.heads)
    by = sides[1] if denies(text, words) and len(sides) > 1 else sides[0]
    if len(placed) < 2:
        return (AskedClaim(name, next(iter(placed), ""), by, known),)
    rest = {key: value for key, value in known.items() if key != AMOUNT}
    whole = known.get(AMOUNT)
    sums = _sums(words, text, placed, (whole, sum_of))
    joint = whole if isinstance(whole, Decimal) and not sums else None
    values = {head: {**rest, AMOUNT: sums[head]} if head in sums else rest for head in placed}
    return tuple(
        AskedClaim(f"{name}{_letter(at)}", head, by, values[head], name, None if words.heads[head].costs else joint)
        for at, head in enumerate(placed)
    )


def in_record(claim: AskedClaim, currency: str) -> Claim:
    """A claim as a record of a decision keeps it: its head for its text."""
    value = claim.values.get(AMOUNT)
    amount = Amount(value=value, currency=currency) if isinstance(value, Decimal) else None
    return Claim(id=claim.id, text=claim.head, by=claim.by, amount=amount)


def _letter(place: int) -> str:
    return LETTERS[place] if place < len(LETTERS) else f".{place + 1}"


def _sums(words: Words, text: str, placed: Mapping[str, int], of: tuple[Value | None, SumOf]) -> dict[str, Decimal]:
    """The sum of each head that is no costs, as far as it can be told. `of`: the sum of all, and what reads one."""
    stated, sum_of = of
    whole = stated if isinstance(stated, Decimal) else sum_of(text)
    paid = [head for head in placed if not words.heads[head].costs]
    if len(paid) == 1:
        return {paid[0]: stated} if isinstance(stated, Decimal) else {}
    ends = [*placed.values(), len(text)][1:]
    behind = {head: sum_of(text[start:end]) for (head, start), end in zip(placed.items(), ends, strict=True)}
    found = {head: value for head, value in behind.items() if head in paid and value is not None}
    before = sum_of(text[: next(iter(placed.values()))])
    adds_up = whole is None or sum(found.values(), Decimal(0)) == whole
    first = [head in found for head in paid] == sorted((head in found for head in paid), reverse=True)
    return found if adds_up and first and before is None else {}  # a sum behind one that has none may be that of both
