"""The punishments that a text names, whoever names them: as values, so that two wordings of one can be compared.

What a judgment imposes, and on whom, `verdict` reads; here a recommendation, a request, a term served before count too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from ...model.immutable import immutable
from .lexicon import TextSpan, endings, pattern, words
from .money import Money, sums
from .numerals import fold, read

FINE, PROBATION, TERM = "fine", "probation", "term"
DEATH_KINDS: Final = frozenset(("life", "death", "death_suspended"))
_DAYS: Final = 30  # of a month, to order terms that have days
_SHORT: Final = 40  # characters: what is longer is not a term or a sum alone


@immutable
class MentionedPenalty(TextSpan):
    """`kind`: a key of the tables of verdicts, or `probation`, `fine`; `term` where a text says how long, not of what.

    `low`, `high`: its measure, in months (with thirtieths) or in yuan, the same unless the text names a range; None for
    life and death.
    """

    kind: str
    low: Decimal | None = None
    high: Decimal | None = None

    def covers(self, other: MentionedPenalty) -> bool:
        """Whether `other` is this punishment, or one within its range."""
        if self.kind != other.kind and TERM not in (self.kind, other.kind):
            return False
        if FINE in (self.kind, other.kind) and self.kind != other.kind:
            return False
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return self.low is other.low
        return self.low <= other.low and other.high <= self.high


def penalties(text: str) -> tuple[MentionedPenalty, ...]:
    """The punishments in a text, in their order. A text that is nothing but a term or a sum is one too."""
    if len(text) > _SHORT and not any(word in text for word in endings("penalties", "named")):
        return ()
    plain = fold(text)
    if (bare := pattern("penalties", "bare_term").fullmatch(plain)) is not None:
        length = _months(bare["low"])
        return (MentionedPenalty(0, len(text), TERM, length, length),) if length is not None else ()
    money = [one for one in sums(plain) if isinstance(one, Money)]
    beside = plain[: money[0].start] + plain[money[0].end :] if len(money) == 1 else plain
    if len(money) == 1 and pattern("penalties", "beside_sum").fullmatch(beside):
        return (MentionedPenalty(0, len(text), FINE, money[0].amount, money[0].amount),)
    return tuple(_found(plain, money))


def is_earlier(clause: str, after: str = "") -> bool:
    """Whether a clause tells of a punishment that somebody had before, and proposes none: by itself, or because the
    clause `after` it says when he was released."""
    if any(word in clause for word in endings("penalties", "proposed")):
        return False
    told = any(word in clause for word in endings("penalties", "earlier"))
    on_a_day = pattern("penalties", "on_a_day").search(fold(clause)) is not None
    return told or on_a_day or pattern("penalties", "released").fullmatch(fold(after)) is not None


def goes_on(clause: str) -> bool:
    """Whether a clause only adds to the punishment of the clause before it."""
    return clause.lstrip().startswith(endings("penalties", "further"))


def _found(text: str, money: list[Money]) -> Iterator[MentionedPenalty]:
    for token in pattern("penalties", "token").finditer(text):
        start, end = token.span()
        match token.lastgroup:
            case "death" | "death_suspended" | "life" as kind:
                yield MentionedPenalty(start, end, kind)
            case "fine":
                behind = pattern("penalties", "after_fine").match(text, end)
                at = behind.end() if behind is not None else end
                sum_ = next((one for one in money if end <= one.start <= at), None)
                if sum_ is not None:
                    yield MentionedPenalty(start, sum_.end, FINE, sum_.amount, sum_.amount)
            case _:
                yield from _timed(token, start, end)


def _timed(token: re.Match[str], start: int, end: int) -> Iterator[MentionedPenalty]:
    suffix = next((one for one in ("", "_2", "_3") if token["low" + one]), None)
    if suffix is None:  # a text that breaks off in the middle of a term
        return
    kind = PROBATION if suffix == "_3" else words("penalties", "kind")[token["which" + suffix]]
    low, high = _months(token["low" + suffix]), _months(token["high" + suffix] or token["low" + suffix])
    if low is not None and high is not None:
        yield MentionedPenalty(start, end, kind, low, high)


def _months(term: str) -> Decimal | None:
    """A term in months; its days as thirtieths of one. None where a number cannot be read."""
    parts = pattern("verdict", "term_parts").fullmatch(term.strip())
    if parts is None:
        return None
    if parts["half_year"] is not None:
        return Decimal(6)
    numbers = [read(parts[group]) if parts[group] else Decimal(0) for group in ("years", "months", "days")]
    if None in numbers:
        return None
    years, months, days = (number or Decimal(0) for number in numbers)
    days += 15 if parts["half_month"] else 0
    return years * 12 + months + (6 if parts["half"] else 0) + days / _DAYS
