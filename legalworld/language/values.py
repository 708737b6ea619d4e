"""What a value says, wherever it comes from: yes or no, a number, a day, or words; one reading for all who compare."""

from __future__ import annotations

from ..model.case import Typed
from ..model.numbers import CODES, SIGNS, WrittenNumber, kept_number, own_currency, readings
from .amounts import amounts
from .dates import read_day
from .sentences.keywords import truth

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
    number = number_in(text if isinstance(text, Typed) else word, locale)
    return (float(number.value), number.currency) if number is not None else word


def number_in(text: str, locale: str) -> WrittenNumber | None:
    """The one number that a text is: 80, 80 km, £1,650, 5.5万元, 壹佰万元; None where it is none, or might be two.

    The currency that goes without saying in a language is left out. A value that was read before, as that of a
    declared type, is in plain figures, and a sum of the currency that is declared for it.
    """
    if isinstance(text, Typed):
        kept = kept_number(text)
        unit = text.unit if text.unit in CODES else ""
        return WrittenNumber(kept.value, kept.currency or unit) if kept is not None else None
    found = readings(text, locale)
    if found:
        return found[0] if len(found) == 1 else None
    sums = amounts(text, locale)
    if len(sums) != 1:
        return None
    own = own_currency(locale)
    implied = own if sums[0].currency == own or own in SIGNS.get(sums[0].currency, ()) else ""
    return WrittenNumber(f"{sums[0].value:f}", "" if implied else sums[0].currency, implied)


def one_currency(one: str, other: str) -> bool:
    """Whether two sums may be of one currency: they say so, one says none, or a sign is of several."""
    return not one or not other or one == other or bool(SIGNS.get(one, {one}) & SIGNS.get(other, {other}))


def same(one: str, other: str, locale: str) -> bool:
    """Whether two texts say the same: 是 and yes, 50,000 and 50000, 2 April 2024 and 2024-04-02; else word for word.

    A sum without a currency is the same as one with any.
    """
    if one.strip() == other.strip():
        return True
    left, right = said(one, locale), said(other, locale)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return left[0] == right[0] and one_currency(left[1], right[1])
    return type(left) is type(right) and left == right
