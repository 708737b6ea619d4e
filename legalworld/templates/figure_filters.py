"""The filters that reckon: arithmetic on sums, days and terms, tables of rates and fees, the account of a debt.

The list of laws is here too: its order is such a table.

What they look at is what the template was given; a sum that nobody may see cannot be reckoned with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal, DivisionByZero, InvalidOperation
from typing import Any, Final

from jinja2 import pass_context
from jinja2.runtime import Context

from ..figures.ledger import Account, Payment, repeated, settled
from ..figures.sums import Sum, alike, read_money, read_sum, write_money, write_sum
from ..figures.tables import FigureTable
from ..figures.terms import last_day
from ..language import diagnose
from ..language.dates import read_day, written
from ..language.sentences.quantities import length_in
from .citation_list import citations, cited
from .values import RefusedValue, charge, entries_of, extent, text, uses
from .words import READINGS

# ---- arithmetic ------------------------------------------------------------------------------------------------------


def _reckoned(act: Callable[[Decimal, Decimal], Decimal], *, alike_only: bool = True) -> Callable[..., str]:
    """Of two numbers; nothing where one of them is none. What comes of a sum is one of the same currency.

    `alike_only`: they are added or compared, so that two currencies are refused; of others, one may be a sum.
    """

    @pass_context
    def run(context: Context, value: Any, other: Any) -> str:
        left, right = (_sum(context, one) for one in (value, other))
        if left is None or right is None:
            return ""
        if alike_only or (left.currency and right.currency):
            one_currency(left, right)
        try:
            number = act(left.value, right.value)
        except (DivisionByZero, InvalidOperation):
            return ""
        ratio = not alike_only and left.currency and right.currency
        return write_money(number) if ratio else left.of(number, right).words

    return run


def _sum(context: Context, value: Any) -> Sum | None:
    return read_money(text(value), context.environment.locale)  # type: ignore[attr-defined]


def one_currency(one: Sum, other: Sum) -> None:
    """Sums of two currencies are refused in words."""
    if not alike(one, other):
        left, right = (each.words if not each.declared else f"{each.currency} {each.words}" for each in (one, other))
        raise RefusedValue(lambda at, _: diagnose.two_currencies(at, one=left, other=right))


@pass_context
def _total(context: Context, value: Any) -> str:
    """The sum of all that are numbers."""
    entries = entries_of(value)
    charge(context, len(entries))
    whole = Sum(Decimal(0))
    for one in (found for entry in entries if (found := _sum(context, entry)) is not None):
        one_currency(whole, one)
        whole = whole.of(whole.value + one.value, one)
    return whole.words


# ---- days ----------------------------------------------------------------------------------------------------------


def _days_to(value: Any, other: Any) -> str:
    """How many days there are from one to another, both counted; nothing where the other is the earlier one."""
    since, until = read_day(text(value)), read_day(text(other))
    return str((until - since).days + 1) if since is not None and until is not None and since <= until else ""


@pass_context
def _last_day(context: Context, value: Any, length: Any, *words: Any, less: Any = "") -> str:
    """The last day of a term that begins on a day and is as long as a text says behind the last of the words."""
    said, since, fewer = text(length), read_day(text(value)), read_sum(text(less) or "0")
    charge(context, len(said) * len(words))
    behind = max((place + len(word) for word in map(text, words) if (place := said.rfind(word)) >= 0), default=-1)
    term = length_in(said[behind:]) if behind >= 0 else None
    if since is None or term is None or fewer is None:
        return ""
    return written(last_day(since, *term, less=int(fewer)), context.environment.locale)  # type: ignore[attr-defined]


# ---- tables ----------------------------------------------------------------------------------------------------------


def _table(context: Context, name: str) -> FigureTable:
    table = context.environment.tables(name)  # type: ignore[attr-defined]
    if not isinstance(table, FigureTable):
        raise RefusedValue(lambda at, _: diagnose.missing_figure_table(at, name=name))
    uses(context, table.home)
    return table


@pass_context
def _scaled(context: Context, value: Any, name: str) -> str:
    amount = _sum(context, value)
    found = _table(context, name).scaled(amount.value) if amount is not None else None
    return amount.of(found).words if amount is not None and found is not None else ""


@pass_context
def _published(context: Context, value: Any, name: str) -> str:
    day = read_day(text(value))
    found = _table(context, name).on(day) if day is not None else None
    return write_sum(found) if found is not None else ""


@pass_context
def _says(context: Context, value: Any, entry: str, *, table: str = READINGS) -> bool:
    """Whether a text says what a table lists words for, without denying it; nothing says nothing."""
    words, known = text(value), _table(context, table)
    charge(context, extent(words) * max(1, len(known.words.get(entry, ()))))
    return known.says(entry, words)


@pass_context
def _cited(context: Context, value: Any, name: str) -> str:
    words = text(value)
    charge(context, extent(words))
    return cited(words, _table(context, name).order)


@pass_context
def _citations(context: Context, value: Any) -> str:
    laws = entries_of(value)
    charge(context, sum(len(law["articles"]) for law in laws))
    return citations(laws, context.environment.locale)  # type: ignore[attr-defined]


# ---- the account of a debt -------------------------------------------------------------------------------------------


@pass_context
def _ledger(
    context: Context, value: Any, *, creditor: Any, also: Any = (), cap: str = "", times: int = 1, until: Any = ""
) -> tuple[Mapping[str, str], ...]:
    """One account, or none where nothing was lent. The agreed rate is that of the first entry which has one."""
    names = set(_names(creditor))
    rows = (*_records(value), *_records(also))
    payments = tuple(_payments(rows, names))
    charge(context, 20 * (len(payments) + len(rows)) + extent(value))
    agreed = next((number for row in rows if (number := read_sum(text(row.get("rate", "")))) is not None), None)
    since = min((payment.day for payment in payments if payment.lent), default=None)
    published = _table(context, cap).on(since) if cap and since is not None else None
    ceiling = published * times if published is not None else None
    used = min((number for number in (agreed, ceiling) if number is not None), default=None) if agreed else None
    account = settled(payments, used or Decimal(0), read_day(text(until)))
    if account is None:
        return ()
    locale = context.environment.locale  # type: ignore[attr-defined]
    rates = {"rate": used, "agreed": agreed, "published": published, "ceiling": ceiling}
    return ({**_words(account, locale), **{name: _rate(number) for name, number in rates.items()}},)


def _rate(number: Decimal | None) -> str:
    return write_sum(number) if number is not None else ""


def _words(account: Account, locale: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in Account.__dataclass_fields__:
        value = getattr(account, name)
        match value:
            case Decimal():
                found[name] = write_money(value)
            case date():
                found[name] = written(value, locale)
            case _:
                found[name] = str(value)
    return found


def _payments(rows: Iterable[Mapping[str, Any]], creditors: set[str]) -> Iterator[Payment]:
    for row in rows:
        lent = row.get("from") in creditors
        if not lent and row.get("to") not in creditors:
            continue
        amount, first, last = (row.get(key) or "" for key in ("amount", "date", "until"))
        number, day, end = read_sum(text(amount)), read_day(text(first)), read_day(text(last or first))
        if number is None or day is None or end is None:
            words = " ".join(text(part) for part in (first, last, amount) if part)
            raise RefusedValue(lambda at, _, said=words: diagnose.unreadable_payment(at, found=said))  # type: ignore[misc]
        for each in repeated(day, end) if last else (day,):
            yield Payment(each, number, lent)


def _records(value: Any) -> Iterator[Mapping[str, Any]]:
    """The records in lists in lists."""
    if isinstance(value, Mapping):
        yield value
    else:
        for entry in entries_of(value):
            yield from _records(entry)


def _names(value: Any) -> Iterator[str]:
    """Names, and those of persons, in lists in lists."""
    if isinstance(value, Mapping):
        yield text(value.get("name", ""))
    elif isinstance(value, str):
        yield value
    else:
        for entry in entries_of(value):
            yield from _names(entry)


FIGURE_FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "plus": _reckoned(lambda left, right: left + right),
    "minus": _reckoned(lambda left, right: left - right),
    "times": _reckoned(lambda left, right: left * right, alike_only=False),
    "over": _reckoned(lambda left, right: left / right, alike_only=False),
    "least": _reckoned(min),
    "total": _total,
    "days_to": _days_to,
    "last_day": _last_day,
    "scaled": _scaled,
    "published": _published,
    "says": _says,
    "cited": _cited,
    "citations": _citations,
    "ledger": _ledger,
}
