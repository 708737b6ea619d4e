"""A grader, checked: the same questions with instructions planted in the material. And what grading will cost.

checked = check_grader(paths, opened, settings, Path.cwd())       # asks; replies are kept as those of an evaluation are
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ..model.diagnostics import Diagnostic
from ..model.events import Reply
from ..model.immutable import immutable
from ..models.failures import ModelFailed
from ..runs.project import Problems
from ..templates.template_set import TemplateSet
from .evaluate import answered
from .grader import FOLDER, Grader, GraderSettings, GraderUsage
from .grader_replies import ask_for
from .grading import Question
from .offline_grader import NAME as OFFLINE
from .plants import PLANTS, Plant, compared, planted, sample
from .rubric.open import OpenRubric, unsuitable
from .run_store import open_stored
from .scoring import score

REASONED: Final = 100  # tokens that a score takes with its reason, as graders write them
LATIN: Final = 4  # characters of Latin script in a token; a Chinese character is about one


@dataclass(slots=True)
class FirstQuestions:
    """The questions of some runs, none asked yet; `templates`: those of the language of the first run."""

    templates: TemplateSet
    questions: list[Question] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


def first_questions(paths: Sequence[Path], opened: OpenRubric, *, counts_given: bool = False) -> FirstQuestions:
    """The questions of each run, or why there are none. `counts_given`: see `Stored`."""
    found = FirstQuestions(opened.templates)
    for path in paths:
        stored = open_stored(path, counts_given=counts_given)
        if isinstance(stored, tuple):
            found.problems += stored
        elif problems := unsuitable(opened.rubric, stored.procedure, path):
            found.problems += problems
        else:
            templates = opened.in_language(stored.procedure)
            found.templates = found.templates if found.questions else templates
            found.questions += next(score(opened.rubric, stored, templates), ())
    return found


# ---- plants ----------------------------------------------------------------------------------------------------------


@immutable
class CheckedGrader:
    """What became of the scores of some questions; `questions`: how many were asked with every plant."""

    plants: tuple[Plant, ...]
    questions: int
    usage: GraderUsage


def check_grader(
    paths: Sequence[Path], opened: OpenRubric, settings: GraderSettings, cwd: Path, most: int
) -> CheckedGrader | Problems:
    """Ask at most so many questions of some runs as they are, then with each plant in the material."""
    found = first_questions(paths, opened)
    chosen = sample(found.questions, most)
    if not chosen and found.problems:
        return tuple(found.problems)
    usage = GraderUsage()
    grader = Grader(settings, cwd / FOLDER, usage)
    if problems := grader.open():
        return problems
    try:
        plants = asyncio.run(_asked(chosen, found.templates, grader))
    except ModelFailed as error:
        return (error.at("--grader"),)
    return CheckedGrader(tuple(plants), len(chosen), usage)


async def _asked(chosen: Sequence[Question], templates: TemplateSet, grader: Grader) -> list[Plant]:
    """All at once: the same question without a plant is asked once."""
    with_plants = [
        (place, plant, question)
        for place, asked in enumerate(chosen)
        for plant in PLANTS
        if (question := planted(asked, plant, templates)) is not None
    ]
    every = [*chosen, *(question for _, _, question in with_plants)]
    async with grader.models:
        room = asyncio.Semaphore(grader.settings.at_once)
        replies = await answered(ask_for(every, templates), grader, room)
    found = []
    for (place, plant, _), reply in zip(with_plants, replies[len(chosen) :], strict=True):
        found += compared(chosen[place], plant, replies[place].grades, reply.grades)
    return found


# ---- what it will cost -----------------------------------------------------------------------------------------------


@immutable
class Estimate:
    """What grading takes: `questions`, of which `kept` have been answered before; tokens and US dollars of the others.
    Tokens are reckoned from characters; `dollars` is None where there is no price."""

    questions: int
    kept: int
    prompt_tokens: int
    completion_tokens: int
    dollars: float | None


def estimate(
    paths: Sequence[Path], opened: OpenRubric, settings: GraderSettings, cwd: Path, *, counts_given: bool = False
) -> tuple[Estimate, Problems]:
    """Reckoned without asking anything. What has to be asked again because it cannot be read comes on top."""
    found = first_questions(paths, opened, counts_given=counts_given)
    problems = tuple(found.problems)
    grader = Grader(settings, cwd / FOLDER)
    every = [replace(one, repeat=n) for one in found.questions for n in range(settings.repeat)]
    if settings.model == OFFLINE:
        return Estimate(len(every), 0, 0, 0, 0.0), problems
    new = [one for one in every if not grader.has(one)]
    sent = sum(tokens(message.content) for one in new for message in one.messages)
    back = sum(REASONED * len(one.ask.metrics) * len(one.units) for one in new)
    told = Reply(text="", model=settings.called.model, prompt_tokens=sent, completion_tokens=back)
    return Estimate(len(every), len(every) - len(new), sent, back, settings.called.cost(told)), problems


def tokens(text: str) -> int:
    """About so many: one for each character beyond ASCII, one for each four others."""
    plain = sum(character.isascii() for character in text)
    return len(text) - plain + -(-plain // LATIN)
