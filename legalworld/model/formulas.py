"""The tree of a formula: sums, days, comparisons and states of facts, as norms write them; and what a norm orders.

Conditions and formulas are one kind of tree: what type each part has is checked where its names are known.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from .ast import CalendarPeriod
from .immutable import immutable
from .source import Span

Operation = Literal["plus", "minus", "times", "over"]
Test = Literal["at least", "at most", "is", "after", "before", "includes"]
Quality = Literal["proved", "admitted", "open", "pleaded", "empty", "yes", "no"]
Choice = Literal["lower", "higher", "later", "earlier"]
LengthUnit = Literal["days", "months", "years"]
OrderWord = Literal["pay", "return", "dismiss", "minus"]


@immutable
class BareNumber:
    """A number as written: `0.5`, `1000`. Beside a sum it is one, in the sum's currency."""

    value: Decimal
    span: Span


@immutable
class DayFigure:
    """A day as written, ISO: `2020-08-20`."""

    day: str
    span: Span


@immutable
class ComparedText:
    """A text that something is compared with: `wound is minor`. Only linking tells it from a name."""

    text: str
    span: Span


@immutable
class FormulaTerm:
    """A name and what is meant of it: `paid`, `settled.date`, `case.judged`. Linked, `name` is the declared one."""

    name: str
    path: tuple[str, ...]
    span: Span

    @property
    def text(self) -> str:
        return ".".join((self.name, *self.path))


@immutable
class Joined:
    """All or any of several conditions."""

    kind: Literal["all", "any"]
    parts: tuple[Expression, ...]
    span: Span


@immutable
class Denied:
    """A condition that must not hold."""

    part: Expression
    span: Span


@immutable
class ValueTest:
    """`due is after case.judged`, `value at least 1000`, `settled.signed includes respondent`."""

    left: Expression
    test: Test
    right: Expression
    span: Span
    negated: bool = False


@immutable
class InPeriod:
    """`demanded is within 3 years of due`: not before the day, and not later than so long after it."""

    left: Expression
    period: CalendarPeriod
    right: Expression
    span: Span
    negated: bool = False


@immutable
class HasQuality:
    """`delivered is proved`, `price_cut is pleaded`."""

    what: Expression
    quality: Quality
    span: Span
    negated: bool = False


@immutable
class Arithmetic:
    """`left plus right`."""

    operation: Operation
    left: Expression
    right: Expression
    span: Span


@immutable
class PercentOf:
    """`130 percent of lpr at due`."""

    percent: BareNumber
    of: Expression
    span: Span


@immutable
class Chosen:
    """`lower of A and B`, `later of A and B`."""

    choice: Choice
    left: Expression
    right: Expression
    span: Span


@immutable
class Moved:
    """`1 day after due`; `sign` -1 for before."""

    period: CalendarPeriod
    sign: Literal[1, -1]
    base: Expression
    span: Span


@immutable
class LengthBetween:
    """`months from A to B`: whole ones, and a part of one by its days; B does not count."""

    unit: LengthUnit
    since: Expression
    until: Expression
    span: Span


@immutable
class TableAt:
    """`lpr at due`: what a table of published rates says on a day."""

    table: FormulaTerm
    day: Expression
    span: Span


@immutable
class Total:
    """`sum of paid after settled.date`: of the events of a fact, those after a day."""

    what: FormulaTerm
    after: Expression | None
    span: Span


@immutable
class CountOf:
    """`count of borrower`."""

    what: FormulaTerm
    span: Span


@immutable
class EdgeDay:
    """`first day of transfers`."""

    edge: Literal["first", "last"]
    what: FormulaTerm
    span: Span


@immutable
class Whole:
    """`whole (worked over 12)`: without what is behind the point."""

    of: Expression
    span: Span


Expression = (
    BareNumber
    | DayFigure
    | ComparedText
    | FormulaTerm
    | Joined
    | Denied
    | ValueTest
    | InPeriod
    | HasQuality
    | Arithmetic
    | PercentOf
    | Chosen
    | Moved
    | LengthBetween
    | TableAt
    | Total
    | CountOf
    | EdgeDay
    | Whole
)


@immutable
class InterestClause:
    """`interest on A at B from C to D`; without `until`: to payment."""

    base: FormulaTerm
    rate: Expression
    since: Expression
    until: Expression | None
    span: Span


@immutable
class Ruling:
    """What a norm orders: `pay owed plus interest on owed at rate from due to payment`, `dismiss`."""

    order: OrderWord
    amount: Expression | None
    interest: InterestClause | None
    span: Span
