"""The view `lw show --scores`: every score of a run, what it is for, why, and the turns that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..model.diagnostics import Diagnostic
from ..model.source import Span
from ..runs.lifecycle import OpenRun
from ..runs.project import Problems
from ..runs.show.views import RunView, ShowRequest
from ..wording import locale
from .results import Evaluation


@dataclass(frozen=True, slots=True)
class KeptScores:
    """The evaluations beside a run. `texts`: turn -> what was said in it."""

    evaluations: list[Evaluation]
    texts: Mapping[int, str]


def _read(opened: OpenRun, _: ShowRequest) -> tuple[KeptScores | None, Problems]:
    from .run_store import said_in
    from .score_files import all_kept

    path = opened.folder.path
    kept = list(all_kept(path))
    evaluations = [one for one in kept if not isinstance(one, Diagnostic)]
    problems = tuple(one for one in kept if isinstance(one, Diagnostic))
    if not evaluations:
        return None, problems or (Diagnostic("LW337", Span(str(path), 0, 0), {}),)
    return KeptScores(evaluations, said_in(path)), problems


def _data(scores: KeptScores) -> dict[str, Any]:
    return {"evaluations": [one.model_dump(mode="json") for one in scores.evaluations]}


def _text(scores: KeptScores) -> str:
    from .report_text import explained

    return "\n\n".join("\n".join(explained(one, scores.texts, locale())) for one in scores.evaluations)


SCORES = RunView(("scores",), _read, _data, _text)
