"""The grader without a model: scores by rule what a judge model would read. It understands nothing, and says so.

A score rises with how much of the reference's wording the evidence has; without a reference, with how much was said and
how little it repeats itself. It orders a noisy or silent run below a plain one; it measures no quality.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from .grading import Question
from .rubric.definition import Metric
from .rules.sets import letter_pairs

NAME: Final = "offline"
ENOUGH: Final = 400  # letters, from which more does not count
CLOSE: Final = 0.1  # of the longer: two records that differ by less are equal
TOP: Final = 0.9  # of the scale; nothing that is measured by letters is perfect


def reply(asked: Question) -> str:
    """JSON as a judge model would write it; the same for the same question."""
    if asked.shown["records"]:
        return json.dumps(_compared(asked), ensure_ascii=False)
    rows = [_row(asked, unit) for unit in asked.shown["units"]]
    value: Any = {"scores": rows} if asked.ask.together else rows[0]
    return json.dumps(value, ensure_ascii=False)


def _row(asked: Question, unit: Mapping[str, Any]) -> dict[str, Any]:
    pieces = unit["evidence"]
    mine = [piece for piece in pieces if piece["target"]] if asked.ask.judged else pieces
    text = "\n".join(piece["text"] for piece in mine)
    share = _share(text, "\n".join((unit["item"], *(reference["text"] for reference in unit["reference"]))))
    key = next(each.key for each in asked.units if (each.key or "1") == unit["key"])
    row: dict[str, Any] = {"key": key} if asked.ask.together else {}
    for metric in asked.ask.metrics:
        row[metric.name] = {"score": _score(metric, share), "reason": f"{share:.2f}", "turns": []}
    return row


def _compared(asked: Question) -> dict[str, Any]:
    """Of two records, the one in which more different things are said; a tie where that is nearly the same."""
    first, second = (
        len(letter_pairs("\n".join(piece["text"] for piece in record["evidence"] if piece["target"])))
        for record in asked.shown["records"]
    )
    close = abs(first - second) <= CLOSE * max(first, second)
    wanted = 0 if close else 1 if first > second else -1
    answers = {}
    for metric in asked.ask.metrics:
        word = next(word for word, value in (metric.scale.choices or {}).items() if value == wanted)
        answers[metric.name] = {"score": word, "reason": f"{first} : {second}", "turns": []}
    return answers


def _share(text: str, reference: str) -> float:
    """How much of the reference's wording is there, and how much was said at all: 0 to 1."""
    wanted, there = letter_pairs(reference), letter_pairs(text)
    if not there:
        return 0.0
    fullness = min(len(there) / ENOUGH, 1.0)
    return (len(wanted & there) / len(wanted) + fullness) / 2 if wanted else fullness


def _score(metric: Metric, share: float) -> Any:
    scale = metric.scale
    if scale.choices is not None:
        words = sorted(scale.choices, key=lambda word: scale.choices[word])  # type: ignore[index]
        return words[min(int(share * len(words)), len(words) - 1)]
    value = scale.lowest + share * TOP * (scale.highest - scale.lowest)
    steps = round((value - scale.lowest) / scale.step) if scale.step else 0
    score = scale.lowest + steps * scale.step if scale.step else value
    return int(score) if score == int(score) else score
