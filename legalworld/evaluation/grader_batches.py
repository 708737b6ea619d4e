"""A grader's questions handed to a provider's batch interface, and the replies fetched when they are there.

A batch fills the store of replies; scores are made of it as ever. What it leaves open is asked directly: a question
that the provider failed on, and those that follow from a reply that could not be read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.regular import write_whole
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..model.procedure import ModelDefaults
from ..models.failures import ModelFailed
from ..models.provider_batch import BatchState, ProviderBatches, refused, request
from ..runs.project import Problems
from .grader import FOLDER, Grader, GraderSettings, GraderUsage
from .grader_check import FirstQuestions, first_questions
from .grading import Question
from .rubric.open import OpenRubric

BATCHES: Final = "batches"  # below the replies


@immutable
class BatchRound:
    """What became of a grader's batches when they were looked at.

    `waiting`: those that are not over, by name; `fetched`: replies that came, `failed`: questions without one;
    `handed_in`: questions given to new batches. `problems`: why some runs have no questions.
    """

    waiting: dict[str, BatchState]
    fetched: int
    failed: int
    handed_in: int
    problems: Problems = ()

    @property
    def over(self) -> bool:
        """Whether nothing is to be waited for: the scores can be made."""
        return not self.waiting and not self.handed_in


def batch_round(
    paths: Sequence[Path],
    opened: OpenRubric,
    settings: GraderSettings,
    cwd: Path,
    usage: GraderUsage | None = None,
    *,
    counts_given: bool = False,
) -> BatchRound | Problems:
    """Fetch what has come, and hand in what nobody has been asked yet, unless a batch is still being answered."""
    if (failed := refused(settings.endpoint)) is not None:
        return (failed.at("--grader"),)
    handed_in = _HandedIn(cwd / FOLDER / BATCHES)
    try:
        questions = partial(first_questions, paths, opened, counts_given=counts_given)
        return asyncio.run(_round(questions, Grader(settings, cwd / FOLDER, usage), handed_in))
    except ModelFailed as error:
        return (error.at("--grader"),)


async def _round(first: Callable[[], FirstQuestions], grader: Grader, handed_in: _HandedIn) -> BatchRound:
    endpoint = grader.settings.endpoint
    async with ProviderBatches(endpoint) as provider:
        waiting: dict[str, BatchState] = {}
        fetched, failed = 0, set[str]()
        for batch, questions in handed_in.of(endpoint.called).items():
            state = await provider.look_up(batch)
            if not state.over:
                waiting[batch] = state
                continue
            came = {key: reply for key, reply in state.replies.items() if key in questions}
            for key, reply in came.items():
                grader.keep(key, questions[key], reply)
                grader.usage.add(reply, grader.settings.called)
            fetched += len(came)
            failed |= set(questions) - set(came)
            handed_in.forget(batch)
        if waiting:
            return BatchRound(waiting, fetched, len(failed), 0)
        new, problems = _unasked(first(), grader, failed)
        settings = grader.settings
        defaults = ModelDefaults(temperature=settings.temperature, max_tokens=settings.max_tokens)
        bodies = {key: request(endpoint, one.messages, defaults, one.schema) for key, one in new.items()}
        async for batch, keys in provider.hand_in(bodies):
            handed_in.note(batch, endpoint.called, {key: new[key] for key in keys})
        return BatchRound({}, fetched, len(failed), len(new), problems)


def _unasked(found: FirstQuestions, grader: Grader, failed: Collection[str]) -> tuple[dict[str, Question], Problems]:
    """The questions to which there is no reply, by what it would be kept by; not those that a batch has failed on."""
    every = [replace(one, repeat=n) for one in found.questions for n in range(grader.settings.repeat)]
    new = {key: one for one in every if not grader.has(one) and (key := grader.key(one)) not in failed}
    return new, tuple(found.problems)


class _HandedIn:
    """Which batches are out, a file for each: `{"model": ..., "questions": {key: id}}`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, model: str) -> dict[str, dict[str, str]]:
        """The batches of a model, in the order of their names, with their questions; a file that cannot be read is
        none of ours."""
        found = {}
        for file in sorted(self._folder.glob("*.json")):
            try:
                told: Any = read_json(regular.text(file))
                if told["model"] == model:
                    found[str(told["batch"])] = {str(key): str(name) for key, name in told["questions"].items()}
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                continue
        return found

    def note(self, batch: str, model: str, questions: dict[str, Question]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        told = {"batch": batch, "model": model, "questions": {key: one.id for key, one in questions.items()}}
        write_whole(self._file(batch), json.dumps(told, ensure_ascii=False).encode("utf-8"))

    def forget(self, batch: str) -> None:
        self._file(batch).unlink(missing_ok=True)

    def _file(self, batch: str) -> Path:
        """By the digest of its name, which is a provider's and may hold anything."""
        return self._folder / f"{blake2b(batch.encode('utf-8', 'replace'), digest_size=12).hexdigest()}.json"
