"""Stored runs, scored: by the rubric that is named, or the only one of the project for their procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from ..evaluation.evaluate import EvaluationOutcome
from ..evaluation.evaluate import evaluate as score
from ..evaluation.grader import GraderSettings, grader_settings
from ..evaluation.results import Evaluation
from ..evaluation.rubric.open import OpenRubric, open_rubric, rubrics_for
from ..language import diagnose
from ..model.immutable import immutable, replace
from ..runs.project import Problems
from .errors import got, in_python
from .event_loop import outside_loops


@immutable
class Evaluated:
    """What came of scoring runs: `evaluations`, each kept beside its run; `failed`: run -> why it has none."""

    evaluations: tuple[Evaluation, ...]
    failed: Mapping[Path, Problems]


def evaluated(
    paths: Sequence[Path], rubric: str, home: Path, *, grader: str = "offline", repeat: int = 1, given: bool = False
) -> Evaluated:
    """Score runs by one grader. What is wrong with one run leaves the others alone. Raises LegalWorldError where the
    rubric or the grader cannot be used."""
    opened = got(rubric_for(rubric, paths, home))
    settings = got(grader_for(opened, grader, home))
    work = partial(score, paths, opened, replace(settings, repeat=repeat), cwd=home, counts_given=given)
    outcomes: tuple[EvaluationOutcome, ...] = outside_loops(work)
    done = tuple(one.evaluation for one in outcomes if one.evaluation is not None)
    return Evaluated(done, {one.path: in_python(one.problems) for one in outcomes if one.evaluation is None})


def rubric_for(word: str, paths: Sequence[Path], home: Path) -> OpenRubric | Problems:
    """The rubric that is named, else the only one of the project for the procedure of the first run."""
    known = (word,) if word else rubrics_for(paths[0], home) if paths else ()
    if len(known) != 1:
        return (diagnose.missing_rubric("--rubric", known=tuple(known)),)
    return open_rubric(known[0], home)


def grader_for(opened: OpenRubric, name: str, home: Path, *, deadline: float = 600.0) -> GraderSettings | Problems:
    """A grader as the rubric wants graders to be asked."""
    found = grader_settings(name, home, deadline=deadline)
    if isinstance(found, tuple):
        return found
    wanted = opened.rubric.grader
    temperature, tokens = float(wanted.get("temperature", "0")), int(wanted.get("max tokens", "4096"))
    return replace(found, temperature=temperature, max_tokens=tokens)
