"""Rates of interest, percentages, and rates that follow a published one (LPR).

Nothing is made out of a period that is not there: a percentage without one has `per` None, a daily rate no annual one
(365 or 360 days is for the contract to say).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from ...model.immutable import immutable
from .english import each_of, in_figures
from .lexicon import TextSpan, apart, endings, finder, pattern, words
from .numerals import plain, read

MONTH: Final = "month"
LOOK: Final = 26  # code points in which a percentage's period may stand before it
MOST_WORDS: Final = 10  # between a published rate and who published it when


@immutable
class Rate(TextSpan):
    """So many per cent each year, month, day; `per` None for a share that has no period."""

    rate_pct: Decimal
    per: str | None = None
    approx: bool = False

    @property
    def annual_pct(self) -> Decimal | None:
        """Twelve times a monthly rate; None for any other."""
        return self.rate_pct * 12 if self.per == MONTH else None


@immutable
class RateFormula(TextSpan):
    """A published rate, times or plus something: `formula` "LPR1Y*4", "LPR5Y+0.5%", "PBC_LOAN*1.3".

    `as_of` says which day's rate: a word of the table, or a date; None where the text does not say.
    """

    formula: str
    as_of: str | None = None


def rates(text: str) -> list[Rate | RateFormula]:
    """Every rate of a folded text, in order; none overlap."""
    formulas = [_formula(text, match) for match in pattern("rates", "index").finditer(text)]
    shares = [rate for match in pattern("rates", "percent").finditer(text) if (rate := _percent(text, match))]
    tenths = [rate for match in pattern("rates", "fen").finditer(text) if (rate := _fen(match))]
    return apart([*formulas, *shares, *tenths, *_of_english(text)])


def _of_english(text: str) -> Iterator[Rate | RateFormula]:
    """Rates as in English: 8% per annum, 1.5 per cent a month, 4% above the Bank of England base rate."""
    for match in pattern("english", "rate").finditer(text):
        per = each_of(match)
        if match["base"] is not None:
            base = words("english", "base_rate")[match["base"]]
            yield RateFormula(*match.span(), f"{base}+{plain(Decimal(match['number']))}%")
        elif per is not None or "%" not in match.group():
            yield Rate(*match.span(), Decimal(match["number"]), per)
    for match in pattern("english", "rate_in_words").finditer(text):
        if (number := in_figures(match["number"])) is not None:
            yield Rate(*match.span(), number, each_of(match))


# ---- percentages -----------------------------------------------------------------------------------------------------


def _percent(text: str, match: re.Match[str]) -> Rate | None:
    value = read(match["arabic"] or match["chinese"])
    if value is None:
        return None
    share = Decimal(words("rates", "share")[match["sign"] or match["of"]])
    start, end = match.span()
    approx = text.endswith(endings("rates", "about"), 0, start)
    rate = Rate(start, end, value * share, None, approx)
    begin, per = _period_before(text, start)
    if per is None and (behind := pattern("rates", "per_behind").match(text, end)) is not None:
        end, per = behind.end(), next(period for period in behind.groups() if period is not None)
    return rate if per is None else replace(rate, start=begin, end=end, per=words("rates", "per")[per])


def _period_before(text: str, start: int) -> tuple[int, str | None]:
    """Where the words that name the period begin, and the period: a year's rate, each day, or "month" alone."""
    low = max(0, start - LOOK)
    for mark in "\uff0c\u3002\uff1b\n%":
        low = max(low, text.rfind(mark, low, start) + 1)
    for key in ("each", "named"):
        if periods := [*pattern("rates", key).finditer(text, low, start)]:
            return periods[-1].start(), periods[-1]["per"]
    bare = pattern("rates", "bare").search(text, max(0, start - 4), start)
    return (bare.start("per"), bare["per"]) if bare else (start, None)


def _fen(match: re.Match[str]) -> Rate | None:
    """Tenths and hundredths as lenders say them: of a month's interest one tenth is one per cent."""
    per = words("rates", "per")[match["per"]]
    unit = Decimal(words("rates", "fen")[per])
    whole = read(match["fen"]) if match["fen"] else Decimal(0)
    written = match["li"] or match["only_li"]
    small = read(written) if written else Decimal(5 * bool(match["half"]))
    if whole is None or small is None:
        return None
    return Rate(match.start(), match.end(), (whole + small / 10) * unit, per)


# ---- published rates -------------------------------------------------------------------------------------------------


def _formula(text: str, match: re.Match[str]) -> RateFormula:
    indexes = words("rates", "index")
    name = indexes[max(filter(match.group().startswith, indexes), key=len)]
    start, term, as_of, factor = _said_before(text, match.start())
    end, behind, added = _said_behind(text, match.end())
    factor = behind or factor
    formula = name + (term or "") + (f"*{plain(factor)}" if factor is not None else "")
    if added:
        formula += f"{'+' if added > 0 else '-'}{plain(abs(added))}%"
    return RateFormula(start, end, formula, as_of)


def _said_before(text: str, start: int) -> tuple[int, str | None, str | None, Decimal | None]:
    """(where it begins, term, as of when, how many times), each None where it is not said."""
    term = as_of = factor = None
    begin = end = start
    for _ in range(MOST_WORDS):
        if (times := _times_before(text, end)) is not None:
            begin = end = times.start()
            factor = read(times["times"])
            continue
        word = finder("rates", "term", "as_of", "publishers", "fill").find(text, end, max(0, start - 70))
        if word is None:
            break
        end -= len(word)
        if word in words("rates", "term") and term is None:
            term, begin = words("rates", "term")[word], end
        elif word in words("rates", "as_of"):
            as_of, begin = as_of or words("rates", "as_of")[word], end
    return begin, term, as_of, factor


def _times_before(text: str, end: int) -> re.Match[str] | None:
    if not text.endswith(("\u500d", "\u500d\u7684"), 0, end):
        return None
    return pattern("rates", "times_before").search(text, max(0, end - 12), end)


def _said_behind(text: str, end: int) -> tuple[int, Decimal | None, Decimal]:
    """(where it ends, how many times, per cents added)."""
    place = end
    for _ in range(4):
        skipped = max((len(word) for word in endings("rates", "end") if text.startswith(word, place)), default=0)
        if match := pattern("rates", "times").match(text, place):
            factor = read(match["times"] or match["factor"])
            return (match.end(), factor, Decimal(0)) if factor is not None else (end, None, Decimal(0))
        if match := pattern("rates", "shift").match(text, place):
            return _shifted(match, end)
        place += skipped
    return end, None, Decimal(0)


def _shifted(shift: re.Match[str], end: int) -> tuple[int, Decimal | None, Decimal]:
    """Points are added; a percentage is added by a sign, else it is a share of the rate (上浮50% = 1.5 times)."""
    sign = 1 if words("rates", "direction")[shift["direction"]] == "+" else -1
    value = read(shift["points"] or shift["share"] or shift["percent"])
    if value is None:
        return end, None, Decimal(0)
    if shift["points"] is not None:
        return shift.end(), None, sign * value / 100
    if len(shift["direction"]) == 1:
        return shift.end(), None, sign * value
    return shift.end(), 1 + sign * value / 100, Decimal(0)
