"""The view `lw show --scores`: every score of a run, what it is for, why, and the turns that it rests on."""

from __future__ import annotations

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..runs.open_run import OpenRun
from ..runs.project import Problems
from ..runs.show.views import RunView, ShowRequest
from ..wording import locale
from .results import Evaluation


def _read(opened: OpenRun, _: ShowRequest) -> tuple[list[Evaluation] | None, Problems]:
    from .score_files import all_kept

    path = opened.folder.path
    kept = list(all_kept(path))
    evaluations = [one for one in kept if not isinstance(one, Diagnostic)]
    problems = tuple(one for one in kept if isinstance(one, Diagnostic))
    if not evaluations:
        return None, problems or (diagnose.unscored_run(str(path)),)
    return evaluations, problems


def _text(evaluations: list[Evaluation], opened: OpenRun) -> str:
    from .report_text import explained
    from .run_store import said_in

    texts = said_in(opened.folder.path)
    return "\n\n".join("\n".join(explained(one, texts, locale())) for one in evaluations)


SCORES = RunView(
    ("scores",), _read, lambda found: {"evaluations": [one.model_dump(mode="json") for one in found]}, _text
)
