"""Words for the values of a decision: sums, deadlines, interest, punishments."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from ...model.decision import Amount, Deadline, InterestOrder, Penalty
from ...wording import sentences

CENTS: Final = 2
say = sentences("record")


def money(amount: Amount) -> str:
    """A sum with the code of its currency; whole, or with two places at least."""
    short = amount.value == amount.value.to_integral_value() or -int(amount.value.as_tuple().exponent) > CENTS
    return say(
        "money", amount=f"{amount.value:,f}" if short else f"{amount.value:,.{CENTS}f}", currency=amount.currency
    )


def number(value: Decimal) -> str:
    """A number without an exponent."""
    return f"{value:f}"


def deadline_words(within: Deadline | None) -> str:
    """By when something is to be done."""
    if within is None:
        return ""
    if within.by:
        return say("by_day", day=within.by)
    if within.days is None and within.months is None:
        return ""
    length = say("days", count=within.days) if within.days is not None else say("months", count=within.months)
    return say("within", length=length, event=say(within.since)) if within.since else say("within_days", length=length)


def interest_words(interest: InterestOrder) -> str:
    """Interest: on what, at what rate, from when to when; what is not said is left out."""
    base = money(interest.base) if interest.base is not None else interest.named
    rate = (
        say("rate", rate=number(interest.rate), per=say(interest.per or "open"))
        if interest.rate is not None
        else interest.formula
    )
    parts = (
        say("on_base", base=base) if base else "",
        rate,
        say("since", day=_day(interest.since)) if interest.since else "",
        say("until", day=_day(interest.until)) if interest.until else "",
        say("comes_to", amount=money(interest.so_far)) if interest.so_far is not None else "",
    )
    return say("interest_on", parts=" ".join(filter(None, parts)))


def _day(written: str) -> str:
    return written if written[:1].isdigit() else say(written)


def punishment_words(imposed: Penalty) -> str:
    """What is imposed: the main penalty, probation, a fine, rights, property."""
    term = imposed.term
    parts = [_length(term.name, term.months, term.days)] if term is not None else []
    if imposed.probation is not None:
        parts.append(_length(say("probation"), imposed.probation.months, imposed.probation.days))
    if imposed.fine is not None:
        parts.append(say("fine", amount=money(imposed.fine)))
    if imposed.rights is not None:
        parts.append(
            say("rights_life")
            if imposed.rights.life
            else _length(say("rights"), imposed.rights.months, imposed.rights.days)
        )
    if imposed.confiscation is not None:
        said = imposed.confiscation
        parts.append(say("confiscated", amount=money(said) if isinstance(said, Amount) else say(said)))
    return say("comma").join(parts)


def _length(name: str, months: int | None, days: int | None) -> str:
    long = [say("months", count=months)] if months else []
    long += [say("days", count=days)] if days else []
    return " ".join([name, *long]).strip()
