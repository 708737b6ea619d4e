"""A check as it is linked: its condition with every name resolved, and what comes of holding it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Final, Literal

from ...figures.tables import FigureTable
from ...model.decision import PartOrigin
from ...model.immutable import immutable
from ...model.source import Span

Severity = Literal["wrong", "odd", "note"]
SEVERITIES: Final[tuple[Severity, ...]] = ("wrong", "odd", "note")
Operation = Literal[
    "any",
    "all",
    "no",
    "at_most",
    "at_least",
    "before",
    "empty",
    "one_of",
    "among",
    "equal",
    "flag",
    "added",
    "multiplied",
]


@immutable
class PropertyName:
    """A property: of the part that the check goes through, or of the decision where `whole`."""

    property: str
    whole: bool


@immutable
class Constant:
    """A number, or one of the words that a property can have."""

    value: Decimal | str


@immutable
class CheckTest:
    """An operation over others. `denied`: it must not hold; `signs`: what stands between the parts of a sum."""

    operation: Operation
    parts: tuple[Expression, ...]
    denied: bool = False
    signs: tuple[str, ...] = ()


Expression = PropertyName | Constant | CheckTest


@immutable
class Check:
    """One check. `right`, `wrong`: texts about which it is content, and about which it raises an alarm.

    `over`: the list of parts it goes through, "" where it is held once against the decision."""

    id: str
    title: str
    over: str
    when: Expression | None
    must: Expression
    severity: Severity
    basis: str
    span: Span
    right: str = ""
    wrong: str = ""


@immutable
class Tier:
    """One range of a penalty: the words by which it is known, months from and to (None: life or more), the fine."""

    words: tuple[str, ...]
    least: int
    most: int | None
    fine: Literal["required", "may", "none"]


@immutable
class Offence:
    """A charge with its article and its tiers, the lightest first. `takes`: something is taken by it."""

    charge: str
    law: str
    article: str
    tiers: tuple[Tier, ...]
    takes: bool = False


@immutable
class TableUse:
    """A table that checks go by: `use` is what it is for, `since` the day from which that is the law."""

    use: str
    table: FigureTable
    since: date | None = None


@immutable
class LawSpan:
    """From which day a law is in force, and from which no more."""

    law: str
    since: date | None = None
    until: date | None = None


@immutable
class CheckFile:
    """A file of checks."""

    name: str
    title: str
    locale: str
    offences: tuple[Offence, ...]
    checks: tuple[Check, ...]
    tables: tuple[TableUse, ...] = ()
    laws: tuple[LawSpan, ...] = ()


@immutable
class CheckResult:
    """What came of one check for one part. `held` True or False, or None with `missing`: what was not there to see.

    `places`: those of the part and of every value that the condition read, in the order of the text.
    """

    check: Check
    part: str
    held: bool | None
    missing: str = ""
    places: tuple[PartOrigin, ...] = ()
