"""Checks held against a decision. A condition has three values: it holds, it does not, or something was not there."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...model.decision import Amount, PartOrigin, total
from ...model.immutable import immutable
from .definition import Check, CheckResult, CheckTest, Constant, Expression, PropertyName
from .schema import Held, Node, NotRead
from .sentences import subtracts


@immutable
class Truth:
    """Whether a condition holds; None with what was `missing`. `places`: where the values were read."""

    value: bool | None
    missing: str = ""
    places: tuple[PartOrigin, ...] = ()


def hold(check: Check, decision: Node) -> Iterator[CheckResult]:
    """What comes of a check: one result for each part that it applies to."""
    parts = decision.lists.get(check.over, ()) if check.over else (decision,)
    for part in parts:
        applies = _truth(check.when, part, decision) if check.when is not None else Truth(True)
        if applies.value is False:
            continue
        found = _truth(check.must, part, decision) if applies.value else applies
        origins = [origin for origin in (part.origin, *applies.places, *found.places) if origin is not None]
        places = tuple(sorted(dict.fromkeys(origins), key=_in_order))
        yield CheckResult(check, part.name, found.value, found.missing, places)


def _in_order(place: PartOrigin) -> tuple[bool, str, int, int]:
    """By documents and where in them; those of the case come last."""
    return place.start is None, place.source, place.start or 0, place.end or 0


def _truth(expression: Expression, part: Node, whole: Node) -> Truth:
    assert isinstance(expression, CheckTest)
    match expression.operation:
        case "any" | "all":
            return _joined(expression, part, whole)
        case "no":
            inner = _truth(expression.parts[0], part, whole)
            return Truth(None if inner.value is None else not inner.value, inner.missing, inner.places)
    values = [_value(one, part, whole) for one in expression.parts]
    places = tuple(one.origin for one in values if isinstance(one, Held) and one.origin is not None)
    gap = next((one.what for one in values if isinstance(one, NotRead)), None)
    if gap is not None:
        return Truth(None, gap, places)
    found = _compared(expression, [one.value for one in values if isinstance(one, Held)])
    if isinstance(found, str):
        return Truth(None, found, places)
    return Truth(found is not expression.denied, "", places)


def _joined(expression: CheckTest, part: Node, whole: Node) -> Truth:
    """All or any of several: decided by the first that decides; open where one that could is open."""
    found = [_truth(one, part, whole) for one in expression.parts]
    deciding = expression.operation == "any"
    places = tuple(place for one in found for place in one.places)
    if any(one.value is deciding for one in found):
        return Truth(deciding, "", places)
    missing = next((one.missing for one in found if one.value is None), None)
    return Truth(not deciding, "", places) if missing is None else Truth(None, missing, places)


Raw = Amount | Decimal | str | bool | tuple[str, ...] | None


def _compared(expression: CheckTest, values: list[Raw]) -> bool | str:
    """The result of a test, or what it could not see."""
    first, others = values[0], values[1:]
    match expression.operation:
        case "flag":
            return first is True
        case "empty":
            return first is None or first == ()
        case "equal" | "one_of":
            return any(first == other for other in others)
        case "among":
            return _among(first, others[0])
        case "before":
            known = isinstance(first, str) and isinstance(others[0], str) and len(first) == len(others[0])
            return str(first) < str(others[0]) if known else "day"
    one, other = _number(first), _number(others[0])
    if one is None or other is None:
        return "empty"
    if isinstance(first, Amount) and isinstance(others[0], Amount) and first.currency != others[0].currency:
        return "currency"
    return one <= other if expression.operation == "at_most" else one >= other


def _among(first: Raw, others: Raw) -> bool:
    """Whether any of some people is among others."""
    if not isinstance(first, tuple) or not isinstance(others, tuple):
        return False
    return bool(set(first) & set(others))


def _number(value: Raw) -> Decimal | None:
    if isinstance(value, Amount):
        return value.value
    return value if isinstance(value, Decimal) else None


def _value(expression: Expression, part: Node, whole: Node) -> Held | NotRead:
    match expression:
        case Constant(value=value):
            return Held(value)
        case PropertyName(property=name, whole=of_whole):
            return (whole if of_whole else part).values[name]
    parts = [_value(one, part, whole) for one in expression.parts]
    gap = next((one for one in parts if isinstance(one, NotRead)), None)
    if gap is not None:
        return gap
    return _reckoned(expression, [one for one in parts if isinstance(one, Held)])


def _reckoned(expression: CheckTest, parts: list[Held]) -> Held | NotRead:
    """A sum or product of values; sums of two currencies are none."""
    origin = next((one.origin for one in parts if one.origin is not None), None)
    numbers = [_number(one.value) for one in parts]
    sums = [one.value for one in parts if isinstance(one.value, Amount)]
    if any(one is None for one in numbers) or (sums and total(sums) is None):
        return NotRead("empty")
    result = numbers[0] or Decimal(0)
    for sign, number in zip(expression.signs, numbers[1:], strict=True):
        assert number is not None
        taken = subtracts(sign)
        if expression.operation == "added":
            result = result - number if taken else result + number
        elif taken and not number:
            return NotRead("zero")
        else:
            result = result / number if taken else result * number
    return Held(Amount(value=result, currency=sums[0].currency) if sums else result, origin)
