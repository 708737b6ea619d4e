"""What a list of runs tells of one: read from its `run.yaml`, its journal and the scores beside it.

Nothing is verified here: a line of the journal is believed as it stands. `lw replay` says what does not fit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

from ..evaluation.results import Evaluation
from ..evaluation.score_files import all_kept
from ..model.immutable import immutable
from ..model.text import clean
from ..runs.folder import RunFolder

RunStatus = Literal["ended", "unfinished", "damaged"]
STATUSES: Final[tuple[RunStatus, ...]] = ("ended", "unfinished", "damaged")

# As the journal writes them; within a string the quotes would be escaped.
_SPOKE: Final = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"spoke",')
_ENTERED: Final = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"entered",')
_ANSWER: Final = re.compile(rb'\{"n":[0-9]+,"answer":')
_ENDED: Final = re.compile(rb'\{"n":[0-9]+,"event":\{"kind":"ended",')
LONGEST_LINE: Final = 64 << 20  # bytes


@immutable
class Stamp:
    """By what a file is known to be the one that was read: bytes and nanoseconds; both 0 where there is none."""

    size: int
    mtime: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        try:
            found = path.stat()
        except OSError:
            return cls(0, 0)
        return cls(found.st_size, found.st_mtime_ns)


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
    was interrupted or is being played; of a `damaged` one nothing else is known. `tokens`: None where nobody counted.
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
    place: str = ""
    turns: int = 0
    tokens: int | None = None


def read_row(folder: Path, run: str) -> RunRow:
    """The row of the run in a folder."""
    opened = RunFolder.open(folder)
    if not isinstance(opened, RunFolder):
        return RunRow(run)
    info = opened.info
    told = _Told()
    try:
        for line in _lines(opened.journal):
            told.take(line)
    except (OSError, ValueError):
        return RunRow(run, clean(info.procedure), clean(info.case), clean(info.target), seed=info.seed)
    return RunRow(
        run,
        clean(info.procedure),
        clean(info.case),
        clean(info.target),
        clean(info.models.get(info.target, "")),
        _joined(info.models),
        _joined(info.options),
        info.seed,
        "ended" if told.ended else "unfinished",
        clean(told.outcome),
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


def _lines(path: Path) -> Iterator[bytes]:
    """The whole lines of a journal, one at a time; a last one that is torn is left out. Raises OSError, ValueError."""
    with open(path, "rb") as file:
        while line := file.readline(LONGEST_LINE):
            if not line.endswith(b"\n"):
                if len(line) == LONGEST_LINE:
                    raise ValueError("a line longer than any that is written")
                return
            yield line


class _Told:
    """What the lines of a journal say, taken one after another."""

    def __init__(self) -> None:
        self.turns = 0
        self.tokens: int | None = None
        self.place = self.outcome = ""
        self.ended = False

    def take(self, line: bytes) -> None:
        """Raises ValueError for a line that is none of ours."""
        if _SPOKE.match(line):
            self.turns += 1
        elif _ENTERED.match(line):
            self.place = str(json.loads(line)["event"].get("place", ""))
        elif _ENDED.match(line):
            self.ended, self.outcome = True, str(json.loads(line)["event"].get("outcome", ""))
        elif _ANSWER.match(line):
            self._count(json.loads(line).get("reply"))

    def _count(self, reply: object) -> None:
        if not isinstance(reply, dict):
            raise ValueError("an answer without a reply")
        counted = [reply.get(name) for name in ("prompt_tokens", "completion_tokens")]
        numbers = [number for number in counted if isinstance(number, int)]
        if numbers:
            self.tokens = (self.tokens or 0) + sum(numbers)
