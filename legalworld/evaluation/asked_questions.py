"""What a grader was asked, kept beside the scores that came of it, word for word.

RUN/scores/RUBRIC.GRADER.asked.jsonl.gz    # a line that says of which record and rubric; then a question each
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from ..files import packed, regular
from ..model.events import Message
from ..model.frozen import FrozenModel
from ..model.json_text import read_json
from .grading import Question
from .results import Evaluation

ENDING: Final = ".asked.jsonl.gz"
MOST: Final = 256 << 20
"""Bytes of the questions of one evaluation, at most."""


class AskedQuestion(FrozenModel):
    """One question to a grader. `items` x `units`: the scores that came of it; `repeat`: how often it was asked before;
    `reply`: its words, "" where none came."""

    question: str
    items: tuple[str, ...]
    units: tuple[str, ...]
    messages: tuple[tuple[str, str], ...]
    reply: str
    repeat: int = 0

    @property
    def sent(self) -> tuple[Message, ...]:
        """The messages as they were sent."""
        return tuple(Message(role=role, content=content) for role, content in self.messages)


def asked_question(question: Question, reply: str) -> AskedQuestion:
    """Return a question as it is kept."""
    return AskedQuestion(
        question=question.id,
        items=tuple(one.name for one in question.ask.metrics),
        units=tuple(one.key for one in question.units),
        messages=tuple((one.role, one.content) for one in question.messages),
        reply=reply,
        repeat=question.repeat,
    )


def keep_asked(file: Path, root: Path, evaluation: Evaluation, asked: Sequence[AskedQuestion]) -> None:
    """Write the questions beside an evaluation's `file`, whole or not at all; none, and an older file goes. Raises
    OSError."""
    place = file.with_suffix(ENDING)
    if not asked:
        place.unlink(missing_ok=True)
        return
    lines = [json.dumps(_head(evaluation)), *(one.model_dump_json() for one in asked)]
    text = "".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass")
    regular.write_whole(place, gzip.compress(text, 6, mtime=0), root)


def read_asked(file: Path, evaluation: Evaluation) -> Iterator[AskedQuestion]:
    """Yield the questions beside an evaluation's `file`; none where they are those of another record or rubric, or
    cannot be read."""
    try:
        lines = packed.text_content(file.with_suffix(ENDING), MOST).decode("utf-8", "surrogatepass").splitlines()
        if not lines or read_json(lines[0]) != _head(evaluation):
            return
        told = [AskedQuestion.model_validate(read_json(line)) for line in lines[1:]]
    except (OSError, EOFError, ValueError):
        return
    yield from told


def _head(evaluation: Evaluation) -> dict[str, Any]:
    return {"run": evaluation.run_digest, "rubric": evaluation.rubric_digest, "grader": evaluation.graded_by}
