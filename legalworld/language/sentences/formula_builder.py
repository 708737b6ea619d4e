"""The callbacks of the grammar for formulas of norms: from its rules to nodes of `model.formulas`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, cast

from lark import Transformer, v_args

from ...model import formulas as f
from ...model.ast import CalendarPeriod
from ...model.formulas import Expression, FormulaTerm, InterestClause, Ruling
from ...model.source import Span
from .lexer import Word
from .quantities import amount
from .sentence_parts import built

_LENGTHS: Final[Mapping[str, f.LengthUnit]] = {"DAYSOF": "days", "MONTHSOF": "months", "YEARSOF": "years"}
_EDGES: Final = {"FIRSTDAYOF": "first", "FIRSTDAY": "first", "LASTDAYOF": "last", "LASTDAY": "last"}


def _figure(word: Word) -> Decimal:
    """The number of a word, exact where it is written in digits alone."""
    plain = str(word)
    return Decimal(plain) if plain.replace(".", "", 1).isdecimal() else Decimal(str(amount(plain) or 0))


@v_args(wrapper=built)
class FormulaBuilder(Transformer[Any, Any]):
    """Methods are called as those of `TreeBuilder`, which has them all: with what the children say, and the span."""

    @v_args(inline=True)
    def figure(self, word: Word) -> f.BareNumber:
        return f.BareNumber(_figure(word), word.span)

    @v_args(inline=True)
    def day_figure(self, word: Word) -> f.DayFigure:
        return f.DayFigure(str(word), word.span)

    @v_args(inline=True)
    def term(self, *words: Word) -> FormulaTerm:
        names = [word for word in words if word.type == "NAME"]
        first, last = names[0].span, names[-1].span
        span = Span(first.file, first.line, first.column, last.column + last.length - first.column)
        return FormulaTerm(str(names[0]), tuple(map(str, names[1:])), span)

    def grouped(self, inner: Expression, span: Span) -> Expression:
        return replace(inner, span=span)

    # ---- conditions --------------------------------------------------------------------------------------------------
    def every(self, *parts: Expression, span: Span) -> f.Joined:
        return f.Joined("all", parts, span)

    def some(self, *parts: Expression, span: Span) -> f.Joined:
        return f.Joined("any", parts, span)

    denied = f.Denied

    def quality_is(self, what: Expression, quality: Any, span: Span) -> f.HasQuality:
        return f.HasQuality(what, quality, span)

    def quality_is_not(self, what: Expression, quality: Any, span: Span) -> f.HasQuality:
        return f.HasQuality(what, quality, span, True)

    def sums_compared(self, left: Expression, comparison: Any, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, comparison, right, span)

    def equals(self, left: Expression, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, "is", right, span)

    def differs(self, left: Expression, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, "is", right, span, True)

    def includes(self, left: Expression, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, "includes", right, span)

    def is_later(self, left: Expression, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, "after", right, span)

    def is_not_later(self, left: Expression, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, "after", right, span, True)

    def is_earlier(self, left: Expression, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, "before", right, span)

    def is_not_earlier(self, left: Expression, right: Expression, span: Span) -> f.ValueTest:
        return f.ValueTest(left, "before", right, span, True)

    def is_within(
        self, left: Expression, one: Expression | CalendarPeriod, other: Expression | CalendarPeriod, span: Span
    ) -> f.InPeriod:
        period, right = _ordered(one, other)
        return f.InPeriod(left, period, right, span)

    def is_not_within(
        self, left: Expression, one: Expression | CalendarPeriod, other: Expression | CalendarPeriod, span: Span
    ) -> f.InPeriod:
        return replace(self.is_within(left, one, other, span=span), negated=True)

    # ---- sums --------------------------------------------------------------------------------------------------------
    def added(self, left: Expression, right: Expression, span: Span) -> f.Arithmetic:
        return f.Arithmetic("plus", left, right, span)

    def subtracted(self, left: Expression, right: Expression, span: Span) -> f.Arithmetic:
        return f.Arithmetic("minus", left, right, span)

    def multiplied(self, left: Expression, right: Expression, span: Span) -> f.Arithmetic:
        return f.Arithmetic("times", left, right, span)

    def quotient(self, left: Expression, right: Expression, span: Span) -> f.Arithmetic:
        return f.Arithmetic("over", left, right, span)

    percent_of = f.PercentOf

    def percents_of(self, of: Expression, percent: f.BareNumber, span: Span) -> f.PercentOf:
        return f.PercentOf(percent, of, span)

    def chosen(self, choice: Any, left: Expression, right: Expression, span: Span) -> f.Chosen:
        return f.Chosen(cast(f.Choice, choice.partition(" ")[0]), left, right, span)

    def total(self, what: FormulaTerm, after: Expression | None = None, *, span: Span) -> f.Total:
        return f.Total(what, after, span)

    def total_since(self, after: FormulaTerm, what: FormulaTerm, span: Span) -> f.Total:
        return f.Total(what, after, span)

    count_term = f.CountOf
    whole = f.Whole

    # ---- days --------------------------------------------------------------------------------------------------------
    def moved_after(self, one: Expression | CalendarPeriod, other: Expression | CalendarPeriod, span: Span) -> f.Moved:
        period, base = _ordered(one, other)
        return f.Moved(period, 1, base, span)

    def moved_before(self, one: Expression | CalendarPeriod, other: Expression | CalendarPeriod, span: Span) -> f.Moved:
        period, base = _ordered(one, other)
        return f.Moved(period, -1, base, span)

    @v_args(inline=True)
    def length_word(self, word: Word) -> f.BareNumber:
        """The unit of a length, behind its days; kept as a figure's place, for keywords make no nodes."""
        return f.BareNumber(Decimal(list(_LENGTHS).index(word.type)), word.span)

    def length(self, *parts: Any, span: Span) -> f.LengthBetween:
        """The unit stands before the days in English, behind them in Chinese."""
        if isinstance(parts[0], str):
            return f.LengthBetween(cast(f.LengthUnit, parts[0]), parts[1], parts[2], span)
        return f.LengthBetween([*_LENGTHS.values()][int(parts[2].value)], parts[0], parts[1], span)

    @v_args(wrapper=None, inline=True)
    def edge_day(self, *parts: Word | FormulaTerm) -> f.EdgeDay:
        edge = next(_EDGES[one.type] for one in parts if isinstance(one, Word) and one.type in _EDGES)
        what = next(one for one in parts if isinstance(one, FormulaTerm))
        first, last = parts[0].span, parts[-1].span
        span = Span(first.file, first.line, first.column, last.column + last.length - first.column)
        return f.EdgeDay("first" if edge == "first" else "last", what, span)

    table_at = f.TableAt

    # ---- orders ------------------------------------------------------------------------------------------------------
    def interest(
        self, base: FormulaTerm, rate: Expression, since: Expression, until: Expression | None = None, *, span: Span
    ) -> InterestClause:
        return InterestClause(base, rate, since, until, span)

    def pays(self, *parts: Expression | InterestClause, span: Span) -> Ruling:
        return _ruling("pay", parts, span)

    def returns(self, *parts: Expression | InterestClause, span: Span) -> Ruling:
        return _ruling("return", parts, span)

    def lessens(self, *parts: Expression | InterestClause, span: Span) -> Ruling:
        return _ruling("minus", parts, span)

    @v_args(inline=True)
    def dismisses(self, word: Word) -> Ruling:
        return Ruling("dismiss", None, None, word.span)


def _ruling(order: f.OrderWord, parts: tuple[Expression | InterestClause, ...], span: Span) -> Ruling:
    sums = [one for one in parts if not isinstance(one, InterestClause)]
    clauses = [one for one in parts if isinstance(one, InterestClause)]
    return Ruling(order, sums[0] if sums else None, clauses[0] if clauses else None, span)


def _ordered(one: Expression | CalendarPeriod, other: Expression | CalendarPeriod) -> tuple[CalendarPeriod, Expression]:
    """A period and what it is reckoned from, in whichever order they stand."""
    if isinstance(one, CalendarPeriod):
        return one, cast(Expression, other)
    return cast(CalendarPeriod, other), one
