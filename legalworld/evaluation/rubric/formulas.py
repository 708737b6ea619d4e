"""What a formula gives: over scores that may be missing, and beforehand the range that it can lie in.

A name stands for all scores of an item (a vector by unit) or for one figure. Arithmetic goes unit by unit; a gap on
one side is a gap. `mean`, `sum`, `count`, `min`, `max` take what is there; of nothing there is no mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, assert_never

from ..metrics.added import added_metrics, measured
from ..metrics.values import MissingScore, Reason, Value
from .definition import Apply, Expression, FormulaName, FormulaNumber

Vector = Mapping[str, Value]
Look = Callable[[FormulaName], "Vector | Value"]

_BY_UNIT: Final[Mapping[str, Callable[[float, float], Value]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else MissingScore(Reason.EMPTY),
    "f1": lambda precision, recall: 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
    ">=": lambda a, b: float(a >= b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    "<": lambda a, b: float(a < b),
    "==": lambda a, b: float(a == b),
}
AGGREGATES: Final = ("mean", "sum", "count", "min", "max", "first")


def evaluate(expression: Expression, look: Look) -> Value:
    """The figure of a formula; a vector that is left over is averaged."""
    value = _value(expression, look)
    return _aggregate("mean", [value]) if isinstance(value, Mapping) else value


def _value(expression: Expression, look: Look) -> Vector | Value:
    match expression:
        case FormulaNumber(value):
            return value
        case FormulaName():
            return look(expression)
        case Apply(function, arguments):
            values = [_value(each, look) for each in arguments]
            if function in AGGREGATES or function in added_metrics().parts:
                return _aggregate(function, values)
            if function == "complete":
                return _complete(values)
            if function == "weighted":
                return _weighted(values)
            if function == "per":
                return _per(values)
            if function == "sqrt":  # of one argument: with itself, unit by unit
                return _by_unit(values[0], values[0], lambda value, _: math.sqrt(max(value, 0.0)))
            if function == "abs":
                return _by_unit(values[0], values[0], lambda value, _: abs(value))
            return _by_unit(values[0], values[1], _BY_UNIT[function])
        case _:
            assert_never(expression)


def _aggregate(function: str, values: list[Vector | Value]) -> Value:
    """Over all that is there of all arguments. Of nothing but gaps it is a gap, for the gravest of their reasons."""
    flat = [one for value in values for one in (value.values() if isinstance(value, Mapping) else (value,))]
    there = [one for one in flat if not isinstance(one, MissingScore)]
    if incomplete := _incomplete(flat):
        return incomplete
    if function == "count":
        return float(len(there))
    if not there:
        gaps = [one for one in flat if isinstance(one, MissingScore)]
        grave = [gap for gap in gaps if gap.why != Reason.NOT_APPLICABLE]
        return next(iter((*grave, *gaps)), MissingScore(Reason.EMPTY))
    match function:
        case "sum":
            return math.fsum(there)
        case "min":
            return min(there)
        case "max":
            return max(there)
        case "first":
            return there[0]
        case "mean":
            return math.fsum(there) / len(there)
        case _:
            return measured(added_metrics().parts[function], there)


def _per(values: list[Vector | Value]) -> Vector:
    """Unit by unit, the mean of what each argument has for it."""
    vectors = [value for value in values if isinstance(value, Mapping)]
    keys = dict.fromkeys(key for vector in vectors for key in vector)
    return {key: _aggregate("mean", [vector[key] for vector in vectors if key in vector]) for key in keys}


def _incomplete(values: list[Value]) -> MissingScore | None:
    """A figure of which too much was lost: what is made of it and others is not made of the others alone."""
    gaps = (value for value in values if isinstance(value, MissingScore))
    return next((gap for gap in gaps if gap.why is Reason.INCOMPLETE), None)


def _weighted(values: list[Vector | Value]) -> Value:
    """Weights and figures in turn: the mean of what is there, each with its weight."""
    figures = [_aggregate("mean", [value]) for value in values]
    pairs = list(zip(figures[::2], figures[1::2], strict=True))
    if incomplete := _incomplete(figures):
        return incomplete
    there = [(w, one) for w, one in pairs if not isinstance(w, MissingScore) and not isinstance(one, MissingScore)]
    total = math.fsum(weight for weight, _ in there)
    if not total:
        return _aggregate("mean", [one for _, one in pairs])
    return math.fsum(weight * one for weight, one in there) / total


def _complete(values: list[Vector | Value]) -> Value:
    """The share of stages of which all is done: units that begin alike before a stroke are of one stage. A stage of
    which something could not be told is left out, unless it is known that something was not done."""
    stages: dict[str, list[Value]] = {}
    for vector in values:
        for key, value in vector.items() if isinstance(vector, Mapping) else [("", vector)]:
            stages.setdefault(key.partition("/")[0], []).append(value)
    return _aggregate("mean", [_all_done(of_stage) for of_stage in stages.values()])


def _all_done(values: list[Value]) -> Value:
    there = [value for value in values if not isinstance(value, MissingScore)]
    if any(value < 1 for value in there):
        return 0.0
    return next((value for value in values if isinstance(value, MissingScore)), 1.0)


def _by_unit(left: Vector | Value, right: Vector | Value, function: Callable[[float, float], Value]) -> Vector | Value:
    """A function of two figures; of vectors, for each unit that both have; a figure beside a vector is each unit's."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return {key: _pair(left[key], right[key], function) for key in left if key in right}
    if isinstance(left, Mapping):
        return {key: _pair(value, right, function) for key, value in left.items()}  # type: ignore[arg-type]
    if isinstance(right, Mapping):
        return {key: _pair(left, value, function) for key, value in right.items()}
    return _pair(left, right, function)


def _pair(left: Value, right: Value, function: Callable[[float, float], Value]) -> Value:
    gap = left if isinstance(left, MissingScore) else right
    return gap if isinstance(gap, MissingScore) else function(left, right)  # type: ignore[arg-type]


# ---- ranges ----------------------------------------------------------------------------------------------------------

Range = tuple[float, float]
ANY: Final[Range] = (-math.inf, math.inf)


def range_of(expression: Expression, known: Callable[[FormulaName], Range]) -> Range:
    """Between which values a formula must lie, given those of its names; a division may widen it to everything."""
    match expression:
        case FormulaNumber(value):
            return (value, value)
        case FormulaName():
            return known(expression)
        case Apply(function, arguments):
            ranges = [range_of(each, known) for each in arguments]
            return _range(function, ranges)
        case _:
            assert_never(expression)


def divides_by_zero(expression: Expression, known: Callable[[FormulaName], Range]) -> bool:
    """Whether something is divided by what can only be 0, so that the formula never gives a figure."""
    if not isinstance(expression, Apply):
        return False
    if expression.function == "/" and range_of(expression.arguments[1], known) == (0.0, 0.0):
        return True
    return any(divides_by_zero(each, known) for each in expression.arguments)


def _range(function: str, ranges: list[Range]) -> Range:
    low, high = min(one[0] for one in ranges), max(one[1] for one in ranges)
    if function in added_metrics().parts:
        return added_metrics().parts[function].range or (low, high)
    match function:
        case "mean" | "min" | "max" | "first" | "per":
            return (low, high)
        case "sum":
            return (-math.inf if low < 0 else low, math.inf if high > 0 else high)
        case "count":
            return (0.0, math.inf)
        case "sqrt":
            return (math.sqrt(max(low, 0.0)), math.sqrt(max(high, 0.0)))
        case "abs":
            return (max(0.0, low, -high), max(-low, high))
        case "f1":
            return (0.0, max(high, 0.0))
        case "weighted":
            return (min(one[0] for one in ranges[1::2]), max(one[1] for one in ranges[1::2]))
        case "+":
            return (ranges[0][0] + ranges[1][0], ranges[0][1] + ranges[1][1])
        case "-":
            return (ranges[0][0] - ranges[1][1], ranges[0][1] - ranges[1][0])
        case "*":
            return _corners(ranges, lambda a, b: a * b)
        case "/":
            divisor = ranges[1]
            return ANY if divisor[0] <= 0 <= divisor[1] else _corners(ranges, lambda a, b: a / b)
        case _:
            return (0.0, 1.0)  # comparisons


def _corners(ranges: list[Range], function: Callable[[float, float], float]) -> Range:
    found = [function(a, b) for a in ranges[0] for b in ranges[1]]
    return ANY if any(math.isnan(one) for one in found) else (min(found), max(found))


def names_in(expression: Expression) -> tuple[FormulaName, ...]:
    """Every name that a formula reads."""
    match expression:
        case FormulaName():
            return (expression,)
        case Apply(arguments=arguments):
            return tuple(name for each in arguments for name in names_in(each))
        case _:
            return ()
