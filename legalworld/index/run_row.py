"""What a list of runs tells of one: read from its `run.yaml`, its journal and the scores beside it.

The journal is verified line by line, and the bound case by its sum; `lw replay` says what else does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from ..evaluation.results import Evaluation
from ..evaluation.score_files import all_kept
from ..files.regular import Stamp
from ..language import diagnose
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..model.text import clean
from ..runs.changes import as_played
from ..runs.folder import RunFolder
from ..runs.journal import VerifiedLines, events_in, load

RunStatus = Literal["ended", "unfinished", "damaged"]
STATUSES: Final[tuple[RunStatus, ...]] = ("ended", "unfinished", "damaged")

# As the journal writes them, without their sums; within a string the quotes would be escaped.
_SPOKE: Final = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"spoke",')
_ENTERED: Final = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"entered",')
_ANSWER: Final = re.compile(rb'\{"n":[0-9]+,"answer":')
_ENDED: Final = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"ended",')
READ: Final = ("run.yaml", "case.json", "sealed.json", "journal.jsonl")
"""The files of a run that its row rests on."""


def stamped(folder: Path) -> str:
    """By what these files are known to be those that were read; "" where a change of one might not show."""
    stamps = [Stamp.of(folder / name) for name in READ]
    found = "".join(f"{stamp.inode:x} {stamp.size:x} {stamp.mtime:x} {stamp.ctime:x}/" for stamp in stamps)
    return found if all(stamp.settled for stamp in stamps) else ""


@immutable
class ScoreRow:
    """A figure of an evaluation that lies beside a run; None where it could not be worked out."""

    rubric: str
    grader: str
    figure: str
    value: float | None


@immutable
class RunRow:
    """A run. `run`: its folder below the one that is listed, with slashes. `model`: who played the role under test.

    `models`, `options`: as `role=name`, in order. `status`: a run that is not over is `unfinished`, whether it waits,
    was interrupted or is being played; of a `damaged` one nothing else is known. `ending`: what the outcome is
    called, "" where it has no title. `tokens`: None where nobody counted.
    """

    run: str
    procedure: str = ""
    case: str = ""
    target: str = ""
    model: str = ""
    models: str = ""
    options: str = ""
    seed: int = 0
    status: RunStatus = "damaged"
    outcome: str = ""
    ending: str = ""
    place: str = ""
    turns: int = 0
    tokens: int | None = None


def read_row(folder: Path, run: str) -> RunRow:
    """The row of the run in a folder."""
    opened = RunFolder.open(folder)
    if not isinstance(opened, RunFolder):
        return RunRow(run)
    info = opened.info
    told, lines = _Told(), VerifiedLines(opened.journal)
    try:
        for line in lines:
            told.take(line)
    except ValueError:
        lines.problem = lines.problem or diagnose.damaged_run_file(str(folder), name=opened.journal.name)
    if lines.problem is not None or opened.damage():
        return RunRow(run, clean(info.procedure), clean(info.case), clean(info.target), seed=info.seed)
    models = info.models
    if told.by:  # several played one role, which only the calls tell
        models = as_played(models, events_in(load(opened.journal, brief=True).lines), told.by)
    return RunRow(
        run,
        clean(info.procedure),
        clean(info.case),
        clean(info.target),
        clean(models.get(info.target, "")),
        _joined(models),
        _joined(info.options),
        info.seed,
        "ended" if told.ended else "unfinished",
        clean(told.outcome),
        clean(told.ending),
        clean(told.place),
        told.turns,
        told.tokens,
    )


def read_scores(folder: Path) -> Iterator[ScoreRow]:
    """The figures of all evaluations beside a run; a file that holds none, or was changed by hand, is passed over."""
    for evaluation in all_kept(folder):
        if isinstance(evaluation, Evaluation):
            for figure in evaluation.figures:
                yield ScoreRow(evaluation.rubric, evaluation.graded_by, figure.formula, figure.value)


def _joined(pairs: Mapping[str, str]) -> str:
    return clean(", ".join(f"{name}={value}" for name, value in sorted(pairs.items())))


class _Told:
    """What the lines of a journal say, taken one after another."""

    def __init__(self) -> None:
        self.turns = 0
        self.tokens: int | None = None
        self.place = self.outcome = self.ending = ""
        self.ended = False
        self.by: dict[str, str] = {}  # request -> who answered in another's place

    def take(self, line: bytes) -> None:
        """Without its sum and its last brace. Raises ValueError for a line that is none of ours."""
        if _SPOKE.match(line):
            self.turns += 1
        elif _ENTERED.match(line):
            self.place = str(_event(line).get("place", ""))
        elif _ENDED.match(line):
            event = _event(line)
            self.ended, self.outcome = True, str(event.get("outcome", ""))
            self.ending = str(event.get("title", ""))
        elif _ANSWER.match(line):
            answer = _object(line)
            reply = answer.get("reply")
            self._count(reply)
            if isinstance(reply, dict) and reply.get("by"):
                self.by[str(answer.get("answer"))] = str(reply["by"])

    def _count(self, reply: object) -> None:
        if not isinstance(reply, dict):
            raise ValueError("an answer without a reply")
        counted = [reply.get(name) for name in ("prompt_tokens", "completion_tokens")]
        numbers = [number for number in counted if isinstance(number, int)]
        if numbers:
            self.tokens = (self.tokens or 0) + sum(numbers)


def _object(line: bytes) -> dict[str, Any]:
    value = read_json(line + b"}")
    if not isinstance(value, dict):
        raise ValueError("a line that is no object")
    return value


def _event(line: bytes) -> dict[str, Any]:
    event = _object(line)["event"]
    if not isinstance(event, dict):
        raise ValueError("an event that is no object")
    return event
