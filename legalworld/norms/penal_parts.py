"""What offences and rules of sentencing are made of: tiers, bands, fines, circumstances, excuses, orders."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from ..model.decision import Cite
from ..model.formulas import Expression, FormulaTerm
from ..model.immutable import immutable

Effect = Literal["severe", "lenient", "mitigate", "exempt"]
Fault = Literal["intent", "negligence", ""]
ExcuseResult = Literal["not_responsible", "acquitted", "exempt"]


@immutable
class RangeTier:
    """A range: kinds of main penalty, months from and to (None: for life), what `extra` there is beside it.

    `low`, `high`: the figures between which this tier lies, of what its offence is measured by.
    """

    id: str
    when: Expression
    main: tuple[str, ...]
    least: int
    most: int | None
    extra: str
    cites: tuple[Cite, ...] = ()
    low: Expression | None = None
    high: Expression | None = None


@immutable
class Band:
    """A sum that a law leaves open between two ends: `low` and `high`, the same where the law fixes it."""

    low: Decimal
    high: Decimal


@immutable
class FineRow:
    """The least and the most of a fine, `when` a condition holds; None: no end."""

    least: Decimal | None
    most: Expression | None
    when: Expression | None


@immutable
class CircumstanceRule:
    """What makes a sentence lighter or heavier. `share`: by how many per cent, where a court decides by itself.

    `fault`: it counts for offences of intent, or of negligence, alone; `main`: where this kind of penalty is open, to
    which it then leads.
    """

    name: str
    title: str
    when: Expression
    duty: Literal["must", "may"]
    effects: tuple[Effect, ...]
    share: Decimal
    cites: tuple[Cite, ...] = ()
    fault: Fault = ""
    main: str = ""


@immutable
class Excuse:
    """Why nobody is punished, `when` a condition holds: he is not responsible, it was no offence, or it was so slight
    that its lowest range need not be used."""

    name: str
    title: str
    when: Expression
    result: ExcuseResult
    cites: tuple[Cite, ...] = ()


@immutable
class PenalOrder:
    """What is ordered beside a punishment, `when` a condition holds: a sum or a thing, given back or taken."""

    order: Literal["return", "forfeit"]
    amount: Expression | None
    what: FormulaTerm | None
    when: Expression | None
    cites: tuple[Cite, ...] = ()


@immutable
class Combination:
    """How several sentences become one: between the longest and their sum, up to the most of the kind.

    `most`: months by kind of penalty; `over`: the months that count instead where the sum is at least `total`.
    `instead`: which kinds a kind replaces. `share`: how far between the two ends, per cent, where a court decides by
    itself.
    """

    share: Decimal
    most: Mapping[str, int]
    over: Mapping[str, int]
    total: int
    instead: Mapping[str, tuple[str, ...]]
    cites: tuple[Cite, ...] = ()
