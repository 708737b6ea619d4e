"""What a value says, wherever it comes from: yes or no, a number, a day, or words; one reading for all who compare."""

from __future__ import annotations

from ..model.numbers import readings
from .dates import read_day
from .sentences.keywords import truth
from .sentences.quantities import amount

Said = bool | tuple[float, str] | str


def said(text: str, locale: str) -> Said:
    """What a text says by itself: yes or no, a number with its currency, a day (YYYY-MM-DD); else its words.

    A number that can be read in two ways says nothing but its words.
    """
    word = text.strip()
    yes = truth(word)
    if yes is not None:
        return yes
    day = read_day(word)
    if day is not None:
        return day.isoformat()
    found = readings(word, locale)
    if len(found) == 1:
        return float(found[0].value), found[0].currency
    written = amount(word, locale) if not found else None
    return (written, "") if written is not None else word


def same(one: str, other: str, locale: str) -> bool:
    """Whether two texts say the same: 是 and yes, 50,000 and 50000, 2 April 2024 and 2024-04-02; else word for word.

    A sum without a currency is the same as one with any.
    """
    if one.strip() == other.strip():
        return True
    left, right = said(one, locale), said(other, locale)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return left[0] == right[0] and (left[1] == right[1] or "" in (left[1], right[1]))
    return type(left) is type(right) and left == right
