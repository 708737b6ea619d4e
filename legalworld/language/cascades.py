"""One mistake told once: what follows from a line that stands in the wrong place is counted, and not told.

A line that cannot be placed takes what stands below it to another place, where nothing fits any more. Only the first of
these faults can be mended as it is told; what is behind it is seen when it is mended.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ..model.diagnostics import MORE, Diagnostic
from . import diagnose

_MISPLACED: Final = diagnose.codes_of(diagnose.invalid_indentation)
_LACKING: Final = diagnose.codes_of(diagnose.missing_key, diagnose.missing_sentence)
_FOLLOWING: Final = (_MISPLACED | _LACKING) | diagnose.codes_of(
    diagnose.duplicate_key,
    diagnose.expected_mapping,
    diagnose.unknown_key,
    diagnose.wrong_value_shape,
    diagnose.neither_key_nor_item,
    diagnose.unintended_continuation,
)


def folded(problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The problems of one file in their order, without those that follow from the first misplaced line.

    That one says under `more` how many they are. Folding again what was folded, and more behind it, adds up.
    """
    kept: list[Diagnostic] = []
    first: int | None = None
    for problem in problems:
        if first is None and problem.code in _MISPLACED:
            first = len(kept)
        elif first is not None and problem.code in _FOLLOWING and _behind(kept[first], problem):
            kept[first] = _with_more(kept[first], 1 + _more(problem))
            continue
        kept.append(problem)
    return tuple(kept)


def _behind(first: Diagnostic, problem: Diagnostic) -> bool:
    """Whether a problem may follow from another: it is told below, or something is missing above, which went astray."""
    return problem.span.line >= first.span.line or problem.code in _LACKING


def _more(problem: Diagnostic) -> int:
    more = problem.values.get(MORE, 0)
    return more if isinstance(more, int) else 0


def _with_more(problem: Diagnostic, count: int) -> Diagnostic:
    return replace(problem, values={**problem.values, MORE: _more(problem) + count})
