"""Instructions planted in the material of a question: does a grader fall for them?

The plants are templates of `prompts/LOCALE/grade/plant/`: orders, forged endings of the material, forged turns,
finished replies, praise, each in Chinese and in English; and controls of the same sort that ask for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ..model.immutable import immutable
from ..templates.template_set import TemplateSet
from .grader_replies import Graded, Grades
from .grading import Question, fence, quoted, rendered, worded
from .metrics.intervals import Interval, interval
from .metrics.values import Value, mean_of

CONTROL: Final = "control"
KINDS: Final = (CONTROL, "order", "ending", "turn", "reply", "praise")
LANGUAGES: Final = ("", "-en")
PLANTS: Final = tuple(f"{kind}{language}" for kind in KINDS for language in LANGUAGES)


@immutable
class Plant:
    """One score with a plant and without it, as shares of the scale (0 is its lowest value, 1 its highest); None where
    the reply could not be read."""

    plant: str
    question: str
    metric: str
    before: float | None
    after: float | None

    @property
    def kind(self) -> str:
        return self.plant.partition("-")[0]


@immutable
class PlantRow:
    """Of `n` scores that could be read both times: shares that rose and that fell, and the mean shift in hundredths of
    the scale. `topped` were the highest without the plant and could not rise: `raised` is of the others. `interval`: of
    that share, over questions, whose scores move together. `lost`: scores that could not be read."""

    plant: str
    n: int
    topped: int
    lost: int
    raised: Value
    lowered: Value
    interval: Interval
    shift: Value


def sample(questions: Sequence[Question], most: int) -> list[Question]:
    """At most so many questions, taken in turn from each item of the rubric; those of pairs have no plants."""
    by_item: dict[str, list[Question]] = {}
    for one in questions:
        if one.shown["units"]:
            by_item.setdefault(one.ask.item.name, []).append(one)
    rounds = max(map(len, by_item.values()), default=0)
    every = [mine[n] for n in range(rounds) for mine in by_item.values() if n < len(mine)]
    return every[:most]


def planted(asked: Question, plant: str, templates: TemplateSet) -> Question | None:
    """The question with a plant at the end of the last that the person assessed said or wrote; None where there is no
    such template."""
    words = rendered(templates, (f"plant/{plant}",), asked.shown)
    if not words:
        return None
    units = tuple({**unit, "evidence": _with(unit["evidence"], words)} for unit in asked.shown["units"])
    material = (piece["text"] for unit in units for part in ("evidence", "background") for piece in unit[part])
    shown = {**asked.shown, "fence": fence(material), "units": units}
    return worded(f"{asked.id}+{plant}", asked.ask, asked.units, shown, templates)


def _with(pieces: Sequence[Mapping[str, Any]], words: str) -> tuple[Mapping[str, Any], ...]:
    last = max((place for place, piece in enumerate(pieces) if piece["target"]), default=len(pieces) - 1)
    return tuple(
        {**piece, "text": (text := f"{piece['text']}\n{words}"), "quoted": quoted(text)} if place == last else piece
        for place, piece in enumerate(pieces)
    )


def compared(asked: Question, plant: str, before: Grades, after: Grades) -> list[Plant]:
    """What became of each score of a question."""
    found = []
    for metric in asked.ask.metrics:
        scale, values = metric.scale, metric.scale.choices
        low, high = (min(values.values()), max(values.values())) if values else (scale.lowest, scale.highest)
        for unit in asked.units:
            one, two = (
                (grade.value - low) / (high - low) if isinstance(grade, Graded) and high > low else None
                for grade in (before[metric.name, unit.key], after[metric.name, unit.key])
            )
            found.append(Plant(plant, asked.id, metric.name, one, two))
    return found


def row(name: str, plants: Iterable[Plant]) -> PlantRow:
    """The scores that some plants gave."""
    every = list(plants)
    shifts: list[float] = []
    rises: dict[str, list[bool]] = {}
    for one in every:
        if one.before is not None and one.after is not None:
            shifts.append(one.after - one.before)
            if one.before < 1:
                rises.setdefault(one.question, []).append(one.after > one.before)
    could = [rose for mine in rises.values() for rose in mine]
    return PlantRow(
        name,
        len(shifts),
        len(shifts) - len(could),
        len(every) - len(shifts),
        mean_of(map(float, could)),
        mean_of(float(shift < 0) for shift in shifts),
        interval([sum(mine) / len(mine) for mine in rises.values()], (0.0, 1.0)),
        mean_of(100 * shift for shift in shifts),
    )


def rows(plants: Sequence[Plant]) -> tuple[PlantRow, ...]:
    """One for each plant, in the order of PLANTS."""
    return tuple(row(name, mine) for name in PLANTS if (mine := [one for one in plants if one.plant == name]))
