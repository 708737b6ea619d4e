"""Whether a sentence tells a punishment that is sealed: by value, in any spelling.

A length of time or a sum of the same value tells it, unless its clause can be shown to speak of something else. So what
no table knows counts as told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

from ...model.immutable import immutable
from .lengths import MeasuredLength, lengths, same_script, value
from .lexicon import endings, pattern, words
from .money import Money, MoneyRange, sums
from .numerals import fold, read, read_mixed
from .penalties import DEATH_KINDS, FINE, goes_on, is_earlier, penalties

_LONGEST_BARE: Final = 40  # characters: what is longer is not a term or a sum alone
_WIDEST: Final = 36  # months: ranges of statutes are wider
_LEAST_FINE: Final = 100  # yuan: what is less is counted, weighed, dated everywhere


@immutable
class SealedPunishment:
    """A punishment of the sealed outcome. `kind`: life, death, death_suspended, `fine`, or "" for any with a length;
    `length`, `amount` (yuan): its measure."""

    kind: str
    length: MeasuredLength | None = None
    amount: Decimal | None = None


def sealed_punishments(text: str) -> tuple[SealedPunishment, ...]:
    """The punishments that a sealed value tells, whoever wrote it; a text that is only a term or a sum is one."""
    found = [_of(one.kind, one.low, one.high) for one in penalties(text)]
    plain = same_script(text)
    if _has(plain, "sealed") or len(plain) <= _LONGEST_BARE:
        found += [SealedPunishment("", one) for one in _timed(plain)]
        found += [SealedPunishment(FINE, amount=amount) for amount in _fined(plain)]
    return tuple(dict.fromkeys(found))


def tells(sentence: str, sealed: Sequence[SealedPunishment]) -> bool:
    """Whether a sentence names one of the sealed punishments, other than one that somebody had before."""
    plain = same_script(sentence)
    if any(not clause.earlier and _told(clause, plain, sealed) for clause in _clauses(plain)):
        return True
    terms = [one.length for one in sealed if one.length is not None]
    return bool(terms) and _asks(plain) and _within_limits(plain, terms)


@immutable
class _Clause:
    start: int
    text: str
    earlier: bool


def _of(kind: str, low: Decimal | None, high: Decimal | None) -> SealedPunishment:
    if low is None or high is None:
        return SealedPunishment(kind)
    return SealedPunishment(FINE, amount=low) if kind == FINE else SealedPunishment("", MeasuredLength(0, 0, low, high))


def _timed(plain: str) -> Iterator[MeasuredLength]:
    """The lengths of a sealed text that are punishments: beside a word of it and of nothing else, or all of it."""
    for clause in _clauses(plain):
        for one in _lengths_of(clause.text):
            alone = not pattern("told_outcomes", "marks").sub(
                "", plain[: clause.start + one.start] + plain[clause.start + one.end :]
            )
            named = not one.loose or _beside_punishment(clause.text, one)
            punishes = named and not clause.earlier and _punishes(clause.text, "sealed")
            period = pattern("told_outcomes", "period").match(clause.text, one.end) is not None
            if alone or (punishes and not (one.bound or period or _has(clause.text, "other_length"))):
                yield MeasuredLength(0, 0, one.low, one.high, one.in_days)


def _fined(plain: str) -> Iterator[Decimal]:
    """The sums of a sealed text that are fines."""
    for clause in _clauses(plain):
        if _punishes(clause.text, "sealed_fine") and not clause.earlier:
            yield from (one for one in _numbers(clause.text) if one >= _LEAST_FINE)


def _clauses(plain: str) -> Iterator[_Clause]:
    at, was = 0, False
    texts = [one.group() for one in pattern("told_outcomes", "clause").finditer(plain) if one.group()]
    for before, text, after in zip(["", *texts], texts, [*texts[1:], ""], strict=False):
        was = is_earlier(text, after) or _was_convicted(before, text) or (was and goes_on(text))
        yield _Clause(at, text, was)
        at += len(text)


def _was_convicted(before: str, clause: str) -> bool:
    """Whether a clause goes on from one that is a day alone, and tells of what somebody was convicted then."""
    day = pattern("told_outcomes", "day_alone").fullmatch(before) is not None
    return day and not _has(clause, "proposed") and pattern("told_outcomes", "convicted").match(clause) is not None


def _told(clause: _Clause, sentence: str, sealed: Sequence[SealedPunishment]) -> bool:
    kinds = {one.kind for one in sealed if one.kind in DEATH_KINDS}
    if kinds and any(_named(clause, sentence, kind) for kind in kinds):
        return True
    terms = [one.length for one in sealed if one.length is not None]
    if terms and any(_tells_length(clause.text, sentence, one, terms) for one in _lengths_of(clause.text)):
        return True
    fines = {one.amount for one in sealed if one.amount is not None}
    return bool(fines) and _tells_fine(clause.text, sentence, fines)


def _named(clause: _Clause, sentence: str, kind: str) -> bool:
    """Whether a clause names death or life, unless as one end of what a statute allows."""
    found = pattern("told_outcomes", kind).search(sentence, clause.start)
    if found is None or found.start() >= clause.start + len(clause.text):
        return False
    return _has(clause.text, "proposed") or pattern("told_outcomes", "in_statute").search(sentence) is None


def _lengths_of(clause: str) -> list[MeasuredLength]:
    """The lengths of a clause, a number without a unit behind a word of punishment in months and in years."""
    found = lengths(clause)
    for match in pattern("told_outcomes", "unmarked").finditer(clause):
        number = value(match["number"])
        if number is not None:
            found += [MeasuredLength(*match.span(), number * size, number * size) for size in (1, 12)]
    return found


def _tells_length(clause: str, sentence: str, one: MeasuredLength, sealed: Sequence[MeasuredLength]) -> bool:
    if not any(one.covers(other) for other in sealed):
        return False
    if one.bound:
        return _asks(sentence)
    if one.loose and not _beside_punishment(clause, one):
        return False
    if one.high - one.low > _WIDEST:
        return _asks(sentence)
    period = pattern("told_outcomes", "period").match(clause, one.end) is not None
    if _punishes(clause, "punishment"):
        return not period or _punishes(clause[: one.start], "punishment")
    return not (period or _elsewhere(clause, sentence, "other_length"))


def _within_limits(sentence: str, sealed: Sequence[MeasuredLength]) -> bool:
    """Whether two limits that a sentence names hold a sealed term, and are closer than those of a statute."""
    found = lengths(sentence)
    pairs = [(one, other) for one, other in pairwise(found) if one.bound and other.bound]
    near = [(one.low, other.high) for one, other in pairs if other.high - one.low <= _WIDEST]
    return any(low <= term.low and term.high <= high for low, high in near for term in sealed)


def _asks(sentence: str) -> bool:
    """Whether a sentence asks for something of its own, and does not only say what the law allows."""
    return _has(sentence, "proposed") and not _has(sentence, "lawful")


def _beside_punishment(clause: str, one: MeasuredLength) -> bool:
    before = pattern("told_outcomes", "beside_punishment").search(clause, 0, one.start)
    return before is not None or pattern("told_outcomes", "behind_punishment").match(clause, one.end) is not None


def _tells_fine(clause: str, sentence: str, fines: set[Decimal]) -> bool:
    fined = _punishes(clause, "fine")
    if fined and fines & set(_numbers(clause)):
        return True
    if not fined and _elsewhere(clause, sentence, "other_sum"):
        return False
    ranges = [one for one in sums(fold(clause)) if isinstance(one, MoneyRange)] if fined else []
    return bool(fines & set(_sums(clause))) or any(one.low <= fine <= one.high for one in ranges for fine in fines)


def _sums(clause: str) -> Iterator[Decimal]:
    """Every exact sum of a clause."""
    yield from (one.amount for one in sums(fold(clause)) if isinstance(one, Money) and not one.approx)
    for match in pattern("told_outcomes", "sum").finditer(clause):
        yield from _read(match["before"] or match["behind"])


def _numbers(clause: str) -> Iterator[Decimal]:
    """Every sum of a clause that speaks of a fine, also one that names no currency."""
    yield from _sums(clause)
    for match in pattern("told_outcomes", "unmarked_fine").finditer(clause):
        yield from _read(match["number"])


def _read(figures: str) -> Iterator[Decimal]:
    written = figures.replace(" ", "")
    for thousand in endings("told_outcomes", "thousand"):
        written = written.replace(thousand, words("told_outcomes", "scale")[thousand])
    yield from (number for reader in (read, read_mixed) if (number := reader(written)) is not None)


def _elsewhere(clause: str, sentence: str, key: str) -> bool:
    """Whether a clause is shown to speak of something else: by its own words, or by those of its sentence where that
    has no word of punishment."""
    return _has(clause, key) or (not _punishes(sentence, "punishment") and _has(sentence, key))


def _punishes(text: str, key: str) -> bool:
    return _has(pattern("told_outcomes", "innocent").sub("\0", text), key)


def _has(text: str, key: str) -> bool:
    return any(word in text for word in endings("told_outcomes", key))
