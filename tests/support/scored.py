"""A shipped rubric's formula, over scores that a test gives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from playing import ROOT

from legalworld.evaluation.metrics.values import Value
from legalworld.evaluation.rubric.definition import FormulaName
from legalworld.evaluation.rubric.formulas import Vector, evaluate
from legalworld.evaluation.rubric.open import OpenRubric, open_rubric

Known = Mapping[str, Value] | Value


@cache
def rubric(name: str) -> OpenRubric:
    found = open_rubric(name, ROOT)
    assert isinstance(found, OpenRubric), found
    return found


def figure(name: str, formula: str, /, **known: Known) -> Value:
    """What a formula of the rubric gives for items (unit -> score, or one score), parts (`law__recall`) and formulas.

    An item that is not given has no scores. Names that nobody knows are an error.
    """
    opened = rubric(name).rubric
    items = {*opened.measures, *(metric.name for ask in opened.asks.values() for metric in ask.metrics)}
    unknown = {key for key in known if key.partition("__")[0] not in items | opened.formulas.keys()}
    assert not unknown, unknown

    def vector(key: str) -> Vector:
        value = known.get(key, {})
        return value if isinstance(value, Mapping) else {"": value}

    def look(one: FormulaName) -> Vector | Value:
        if one.name in opened.formulas:
            given = known.get(one.name)
            return figure(name, one.name, **known) if given is None or isinstance(given, Mapping) else given
        if one.name in opened.groups:
            members = opened.groups[one.name]
            return {f"{member}/{key}": value for member in members for key, value in vector(member).items()}
        return vector(f"{one.name}__{one.part}" if one.part else one.name)

    return evaluate(opened.formulas[formula].expression, look)
