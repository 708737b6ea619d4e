"""Where in its range a sentence lies. The range is law, the point is not: each step of how it was found is told.

A recommendation in the range is adopted. Else the point begins as far into the tier as the deed lies between the
figures of the tier, or as the rules of sentencing say, and each circumstance moves it by its share.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from typing import Final

from ..figures.sums import cents
from ..model.decision import Amount, Length, PartOrigin, Penalty, ReckonedLine, Term, ThinKind
from ..model.immutable import immutable
from .definition import SentencingRules
from .formula_values import reckon
from .penal_parts import CircumstanceRule, RangeTier
from .penal_range import FINES, LONGEST, ChargeScope, PenalRange, fine_lawful, lawful_months, probation_lawful

WHOLE: Final = Decimal(100)
_TENTH: Final = Decimal("0.1")


@immutable
class SentencedPoint:
    """A punishment, how it was reckoned, and what in it is a matter of discretion."""

    punishment: Penalty
    reckoning: tuple[ReckonedLine, ...] = ()
    thin: tuple[tuple[ThinKind, str], ...] = ()


def point(case: ChargeScope, found: PenalRange, tier: RangeTier, held: tuple[CircumstanceRule, ...]) -> SentencedPoint:
    """The punishment of a charge."""
    rules, asked = case.rules, case.charge.recommended
    if asked is not None and found.most is None and rules.words.get("life", {}).get(asked.main) is not None:
        return SentencedPoint(Penalty(term=Term(kind="life", name=asked.main), fine=_fine(case, found, 0)[0]))
    thin: list[tuple[ThinKind, str]] = []
    bounds = lawful_months(asked, found, rules) if asked is not None else None
    lines: tuple[ReckonedLine, ...] = ()
    if asked is not None and bounds is not None and bounds[0] == bounds[1]:
        main, months = asked.main, bounds[0]
    else:
        begun, lines = _begun(case, tier, held)
        main, months = _within(rules, found, begun, (asked.main, *bounds) if asked is not None and bounds else None)
        lines = (*lines, _line(rules, "point", "at_most", Decimal(months)))
        thin.append(("discretion", ""))
    fine, chosen = _fine(case, found, months)
    thin += [("discretion", FINES)] if chosen else []
    if found.extra == "forfeiture":
        thin.append(("discretion", found.extra))
    probation, chosen = _probation(case, found, (main, months))
    thin += [("discretion", "probation")] if chosen else []
    punishment = Penalty(
        term=Term(kind="months", name=main, months=months),
        probation=Length(months=probation) if probation is not None else None,
        fine=fine,
        confiscation="unsaid" if found.extra == "forfeiture" else None,
    )
    return SentencedPoint(punishment, lines, tuple(thin))


def _begun(
    case: ChargeScope, tier: RangeTier, held: tuple[CircumstanceRule, ...]
) -> tuple[Decimal, tuple[ReckonedLine, ...]]:
    """The months at which a court that decides by itself arrives, before the range bounds them."""
    most = tier.most if tier.most is not None else LONGEST
    share, name = _share(case, tier)
    start = tier.least + (most - tier.least) * share / WHOLE
    lines = [_line(case.rules, name, "plus", start.quantize(_TENTH))]
    begun = start
    for rule in held:
        moved = (start * rule.share / WHOLE) * (1 if "severe" in rule.effects else -1)
        begun += moved
        step = "plus" if moved > 0 else "minus"
        origin = PartOrigin(hand="norm", source=case.offence.id, detail=rule.name)
        label = f"{rule.title} {rule.share}%"
        lines += [ReckonedLine(label=label, operation=step, value=abs(moved).quantize(_TENTH), origin=origin)]
    return max(begun, Decimal(0)), tuple(lines)


def _share(case: ChargeScope, tier: RangeTier) -> tuple[Decimal, str]:
    """How far into its tier a deed lies, per cent: by what it is measured by, where that is known."""
    if case.offence.scale is not None and tier.low is not None and tier.high is not None:
        value, low, high = (reckon(one, case.scope).number for one in (case.offence.scale, tier.low, tier.high))
        if value is not None and low is not None and high is not None and high > low:
            return min(max((value - low) * WHOLE / (high - low), Decimal(0)), WHOLE), "scale"
    return case.rules.start, "start"


def _line(rules: SentencingRules, name: str, step: str, value: Decimal) -> ReckonedLine:
    label = rules.titles.get(name, name)
    return ReckonedLine(label=label, operation=step, value=value, origin=PartOrigin(hand="norm", source=name))


def _within(
    rules: SentencingRules, found: PenalRange, begun: Decimal, asked: tuple[str, int, int] | None
) -> tuple[str, int]:
    """A whole number of months in the range, and in what is recommended; and a kind of penalty that it fits."""
    months = int(begun.to_integral_value(ROUND_DOWN))
    most = found.most if found.most is not None else LONGEST
    months = min(max(months, found.least, 1), most)
    if asked is not None:
        return asked[0], min(max(months, asked[1]), asked[2])
    fitting = [name for name in found.main if rules.penalties[name][0] <= months <= rules.penalties[name][1]]
    if fitting:
        return fitting[0], months
    nearest = min(found.main, key=lambda name: abs(rules.penalties[name][0] - months))
    return nearest, max(months, rules.penalties[nearest][0])


def _fine(case: ChargeScope, found: PenalRange, months: int) -> tuple[Amount | None, bool]:
    """The fine: as recommended, else so much for each month, between its ends; and whether it was chosen."""
    asked = case.charge.recommended
    if asked is not None and fine_lawful(asked.fine, found):
        assert isinstance(asked.fine, Decimal)
        return Amount(value=asked.fine, currency=case.currency), False
    if not found.extra.startswith(FINES) or found.fine_least is None:
        return None, False
    value = max(case.rules.fine_month * months, found.fine_least)
    value = min(value, found.fine_most) if found.fine_most is not None else value
    return Amount(value=cents(value), currency=case.currency), True


def _probation(case: ChargeScope, found: PenalRange, term: tuple[str, int]) -> tuple[int | None, bool]:
    """Probation: as recommended, or the shortest lawful where it must be given; and whether it was chosen."""
    asked, rules = case.charge.recommended, case.rules
    if asked is not None and asked.probation is not None and probation_lawful(asked.probation, term, found, rules):
        return asked.probation, False
    shortest = max(rules.lengths.get(term[0], (0, 0))[0], term[1])
    if found.must and probation_lawful(shortest, term, found, rules):
        return shortest, True
    return None, False
