"""Evaluations kept beside their runs: written, read, and shown by `lw show --scores`.

RUN/scores/RUBRIC.GRADER.json          # one Evaluation; `lw report` reads nothing else
RUN/scores/RUBRIC.GRADER.given.json    # one in which documents were scored that nobody in the run wrote
RUN/scores/RUBRIC.GRADER.asked.jsonl.gz    # what its grader was asked, see `asked_questions`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from ..files import regular
from ..files.project_files import unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.json_text import read_model
from ..model.text import plain_name
from ..runs.damage import damage_of
from ..runs.journal import standing
from ..runs.open_run import OpenRun
from ..runs.project import Problems
from ..runs.show.prompts import messages_text
from ..runs.show.views import RunView, ShowRequest
from ..wording import locale, say
from .asked_questions import AskedQuestion, keep_asked, read_asked
from .results import Evaluation
from .rubric.definition import Rubric

SCORES_FOLDER: Final = "scores"


def keep(path: Path, evaluation: Evaluation, asked: Sequence[AskedQuestion] = ()) -> None:
    """Write an evaluation beside its run, whole or not at all, and before it what its grader was asked. Raises
    OSError."""
    file = _file(path, evaluation)
    regular.make_folder(file.parent, path)
    keep_asked(file, path, evaluation, asked)
    regular.write_whole(file, summed(evaluation), path)


def _file(path: Path, evaluation: Evaluation) -> Path:
    grader = evaluation.graded_by or "rules"
    name = f"{plain_name(evaluation.rubric)}.{plain_name(grader)}{'.given' if evaluation.given else ''}.json"
    return path / SCORES_FOLDER / name


def summed(evaluation: Evaluation) -> bytes:
    """An evaluation as it is kept: with a sum of all the rest, so that a value changed by hand is seen."""
    body = evaluation.model_dump_json(indent=1).encode("utf-8").removesuffix(b"\n}")
    return b'%b,\n "sum": "%b"\n}\n' % (body, _sum(body))


def _sum(body: bytes) -> bytes:
    return sha256(body).hexdigest()[:16].encode()


def kept(path: Path, rubric: Rubric) -> Iterator[Evaluation | Diagnostic]:
    """The evaluations beside a run, of one rubric; a file that is none, or of an older wording, is a problem."""
    for evaluation in all_kept(path):
        if isinstance(evaluation, Diagnostic):
            yield evaluation
        elif evaluation.rubric == rubric.name:
            same = evaluation.rubric_digest == rubric.digest
            yield evaluation if same else diagnose.outdated_scores(str(path), rubric=rubric.name)


def all_kept(path: Path) -> Iterator[Evaluation | Diagnostic]:
    """The evaluations beside a run, whatever wording of their rubrics made them; of the
    record as it stands alone."""
    try:
        files = [file for name, file in regular.below(path / SCORES_FOLDER, path) if name.endswith(".json")]
    except FileNotFoundError:
        return
    except OSError as error:
        yield unreadable(str(error.filename or path), error)
        return
    files = [file for file in files if file.parent == path / SCORES_FOLDER and not file.name.startswith(".")]
    if files and (problems := damage_of(path)):
        yield from problems
        return
    recorded = standing(path / "journal.jsonl").chain if files else ""
    for file in files:
        evaluation = read_evaluation(file, path)
        if isinstance(evaluation, Evaluation) and evaluation.run_digest != recorded:
            yield diagnose.scores_of_another_record(str(file), path=str(file))
        else:
            yield evaluation


def read_evaluation(file: Path, root: Path | None = None) -> Evaluation | Diagnostic:
    """What `lw eval` wrote, below the folder `root`; a file that holds something else is a problem."""
    try:
        data = regular.content(file, root)
        body, _, told = data.rpartition(b',\n "sum": "')
        evaluation = read_model(Evaluation, body + b"\n}" if body else data)
    except (OSError, ValueError):
        return diagnose.unreadable_scores(str(file), path=str(file))
    if told != b'%b"\n}\n' % _sum(body):
        return diagnose.altered_scores(str(file), path=str(file))
    return evaluation


def asked_of(path: Path, evaluation: Evaluation) -> tuple[AskedQuestion, ...]:
    """Return what was asked of the grader of an evaluation kept beside a run."""
    return tuple(read_asked(_file(path, evaluation), evaluation))


# ---- the view of a run: every score, what it is for, why, and the turns that it rests on -----------------------------


@immutable
class ShownScores:
    """Evaluations; with each, where it was wanted, what its grader was asked."""

    evaluations: tuple[Evaluation, ...]
    asked: tuple[tuple[AskedQuestion, ...], ...] = ()


def _read(opened: OpenRun, wanted: ShowRequest) -> tuple[ShownScores | None, Problems]:
    read = list(all_kept(opened.folder.path))
    evaluations = [each for each in read if isinstance(each, Evaluation)]
    problems = tuple(each for each in read if isinstance(each, Diagnostic))
    if not evaluations:
        return None, problems or (diagnose.unscored_run(str(opened.folder.path)),)
    path = opened.folder.path
    asked = [asked_of(path, each) for each in evaluations] if wanted.prompt else []
    return ShownScores(tuple(evaluations), tuple(asked)), problems


def _text(shown: ShownScores, opened: OpenRun) -> str:
    from .report_text import explained
    from .run_facts import opened_run

    said = opened_run(opened.folder.path).said
    texts = {turn: f"{who} | {text}" for turn, (who, text) in said.items()}
    told = []
    for number, evaluation in enumerate(shown.evaluations):
        lines = [*explained(evaluation, texts, locale())]
        if shown.asked:
            lines += ["", *_asked_text(shown.asked[number], opened)]
        told.append("\n".join(lines))
    return "\n\n".join(told)


def _asked_text(asked: Sequence[AskedQuestion], opened: OpenRun) -> Iterator[str]:
    """What a grader was asked, and said, question by question."""
    if not asked:
        yield say("score.nothing_asked")
    for one in asked:
        items, units = ", ".join(one.items), ", ".join(filter(None, one.units))
        yield (
            f"=== {one.question}  {items}"
            + (f"  〔{units}〕" if units else "")
            + (f"  #{one.repeat + 1}" if one.repeat else "")
        )
        yield messages_text(one.sent, opened.project.templates)
        yield "--- " + say("score.grader_reply")
        yield one.reply + "\n"


def _data(shown: ShownScores) -> dict[str, object]:
    told: dict[str, object] = {"evaluations": [evaluation.model_dump(mode="json") for evaluation in shown.evaluations]}
    if shown.asked:
        told["asked"] = [[one.model_dump(mode="json") for one in each] for each in shown.asked]
    return told


SCORES = RunView(("scores",), _read, _data, _text)
