"""`lw grader`: may the scores of a grader be relied upon?"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import locale, say
from . import options
from .help import Group
from .inputs import graders_of, rubric_for_runs
from .output import got, here, path_of, remark, wants_json, warn, write_json
from .scores import evaluations_of, score_runs, usage_told

if TYPE_CHECKING:
    from ..evaluation.results import Evaluation
    from ..evaluation.trust import Calibration
    from ..ratings.collect import Returned


@click.group(cls=Group)
def grader() -> None:
    """Graders, checked."""


@grader.command(name="check")
@options.run_folders
@options.rubric
@options.graders
@options.repeat
@click.option("--most", metavar="N", type=click.IntRange(0, 10_000), default=12)
@click.option("--ratings", metavar="DIR", default="")
@options.asked_at_once
@options.deadline
@options.as_json
def grader_check(folders: Sequence[str], rubric: str, grader: tuple[str, ...], **given: Any) -> None:
    from ..evaluation.grader_check import check_grader
    from ..evaluation.report import reliabilities
    from ..evaluation.run_store import runs_in
    from ..evaluation.trust import retest, trust
    from ..evaluation.trust_report import TrustReport, as_json, terminal

    paths = runs_in([path_of(folder) for folder in folders])
    opened = rubric_for_runs(rubric, paths)
    people = _returned(given["ratings"])
    settings = graders_of(opened, grader, given["deadline"], given["repeat"], given["at_once"])
    scored = evaluations_of(score_runs(paths, opened, settings, name_each=False))
    reports = []
    for one in settings:
        checked = got(check_grader(paths, opened, one, here(), given["most"]))
        if checked.usage.asked:
            remark(usage_told(checked.usage))
        mine = [each for each in scored if each.graded_by == one.model]
        calibrated = _calibrated(people, mine) if people else {}
        lines = trust(opened.rubric, mine, checked.plants, reliabilities(scored), calibrated)
        reports.append(TrustReport(one.model, checked, lines, retest(mine)))
    if wants_json():
        write_json({"rubric": opened.rubric.name, "graders": [as_json(each) for each in reports]})
    else:
        click.echo("\n\n".join(terminal(each, locale()) for each in reports))
        if not any(each.checked.questions for each in reports):
            why = "grader.no_question" if opened.rubric.asks else "grader.nothing"
            click.echo(say(why, rubric=opened.rubric.name))
    sys.exit(0 if scored else 2)


def _returned(folder: str) -> Returned | None:
    """The sheets of people, where a folder of them is named."""
    from ..ratings.collect import gather

    if not folder:
        return None
    back = got(gather([path_of(folder)], None, locale()))
    warn(back.problems)
    return back


def _calibrated(back: Returned, mine: Sequence[Evaluation]) -> Mapping[str, Calibration]:
    """People and one grader, metric by metric, over what both rated."""
    from ..ratings.agreement import calibrations, graded

    scores = graded(back.key, mine)
    return calibrations(back.key, back.filled.values, next(iter(scores.values()), {}))
