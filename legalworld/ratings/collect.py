"""Sheets that came back, compared with a grader and with each other.

back = gather([Path("returned")], None)                 # sheets and key, found in files and folders
found = compared(back, evaluations=[...], grader=...)   # ratings: stored evaluations; pairs: a grader, asked now
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..evaluation.evaluate import AT_ONCE, OpenRubric, all_kept, read_evaluation
from ..evaluation.grader import FOLDER, Grader, GraderSettings
from ..evaluation.grading import Question, stricter
from ..evaluation.grading import graded as read_reply
from ..evaluation.metrics.agreement import Preference
from ..evaluation.metrics.values import MissingScore, Reason
from ..evaluation.results import Evaluation
from ..evaluation.run_store import RunStore, runs_in
from ..evaluation.stored_run import Stored
from ..files.project_files import unreadable
from ..files.spreadsheet import SUFFIXES, read
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..models.litellm_client import ModelFailed
from ..runs.project import Problems
from ..wording import say
from .export import KEY
from .filled_sheets import Filled, Heads, collect
from .pairwise import preference, question
from .plan import Key, RatedRecord, turned_for
from .rater_agreement import Pairs, Ratings, graded, pairs, ratings

LOCALES = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Back:
    """What raters gave back. `home`: the folder of the key, from which its paths are told."""

    key: Key
    home: Path
    files: tuple[Path, ...]
    filled: Filled
    problems: Problems

    def path(self, run: str) -> Path:
        """Where a run of the key lies, seen from here."""
        return Path(os.path.normpath(self.home / run))


def gather(words: Sequence[Path], key_file: Path | None, locale: str, but: Path | None = None) -> Back | Problems:
    """The sheets in files and folders, read against their key; `but` is to be written and no sheet."""
    named, problems = _files(words)
    named = [one for one in named if but is None or one.absolute() != but.absolute()]
    file = key_file or next(iter(_keys(words)), None)
    if file is None:
        return (*problems, diagnose.missing_rating_key(str(words[0]) if words else "--key", name=KEY))
    key = read_key(file)
    if isinstance(key, Diagnostic):
        return (*problems, key)
    grids = []
    for one in named:
        found = read(one)
        problems += found.problems
        if found.grids:
            grids.append(found.grids)
    filled = collect(key, grids, heads(key, locale))
    return Back(key, file.parent, tuple(named), filled, (*problems, *filled.problems))


def _files(words: Sequence[Path]) -> tuple[list[Path], Problems]:
    """Sheets by name; in a folder all that may be one, but what a spreadsheet keeps for itself while it is open."""
    found: list[Path] = []
    problems = []
    for word in words:
        if word.is_file():
            found.append(word)
        elif word.is_dir():
            inside = sorted(one for one in word.rglob("*") if one.suffix.lower() in SUFFIXES and one.is_file())
            found += [one for one in inside if not one.name.startswith(("~$", ".~", "."))]
        else:
            problems.append(diagnose.missing_path(str(word)))
    return list(dict.fromkeys(found)), tuple(problems)


def _keys(words: Sequence[Path]) -> Iterator[Path]:
    """The keys beside the sheets, or up to two folders above them."""
    for word in words:
        for folder in (word, *word.absolute().parents[:2]):
            if (folder / KEY).is_file():
                yield folder / KEY


def read_key(file: Path) -> Key | Diagnostic:
    try:
        return Key.model_validate_json(file.read_bytes())
    except OSError as error:
        return unreadable(str(file), error)
    except ValueError:
        return diagnose.unreadable_rating_key(str(file))


def heads(key: Key, locale: str) -> Heads:
    """What the columns are called, in the language of the messages first, then in the other."""
    order = sorted(LOCALES, key=lambda one: one != locale)
    rating, remark = ("head_rating", "head_remark") if key.kind == "ratings" else ("head_verdict", "head_reason")
    return Heads(*(tuple(say(one, "ratings", word) for one in order) for word in ("head_id", rating, remark)))


# ---- ratings ---------------------------------------------------------------------------------------------------------


def compare_ratings(back: Back, named: Sequence[Path]) -> tuple[Ratings, Problems]:
    """With the stored evaluations of the rated runs, or those that are named."""
    found, problems = _evaluations(back, named)
    scores = graded(back.key, found)
    return ratings(back.key, back.filled.values, scores), problems


def _evaluations(back: Back, named: Sequence[Path]) -> tuple[list[Evaluation], Problems]:
    """Those of the key's rubric; one of another wording, or of a run that has gone on since, is told and left out."""
    key, found, problems = back.key, [], []
    digests = {digest for record in key.records for digest in record.digests}
    for path in named or [back.path(run) for record in key.records for run in record.runs]:
        for one in _stored(path, key.rubric):
            if isinstance(one, Diagnostic):
                problems.append(one)
            elif one.rubric_digest == key.digest and one.run_digest in digests:
                found.append(one)
            else:
                problems.append(
                    diagnose.changed_since_export(one.run, rubric=key.rubric, grader=str(one.grader.get("model", "")))
                )
    return found, tuple(problems)


def _stored(path: Path, rubric: str) -> Iterator[Evaluation | Diagnostic]:
    """The evaluation in a file, or those beside the runs that a folder is or holds."""
    if path.is_file():
        yield read_evaluation(path)
        return
    for one in (found for run in runs_in([path]) for found in all_kept(run)):
        if isinstance(one, Diagnostic) or one.rubric == rubric:
            yield one


# ---- pairs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judge:
    """Who is asked to compare the pairs as the annotators were."""

    opened: OpenRubric
    settings: GraderSettings
    cwd: Path


def compare_pairs(back: Back, judges: Sequence[Judge]) -> tuple[Pairs, Problems]:
    """With graders that are asked the same, each pair in an order of its own."""
    found: dict[str, Mapping[str, Preference | MissingScore]] = {}
    problems: list[Diagnostic] = []
    for judge in judges:
        told, wrong = _judged(back, judge)
        problems += wrong
        if told:
            found[judge.settings.model] = told
    return pairs(back.key, back.filled.preferences, found), tuple(problems)


def _judged(back: Back, judge: Judge) -> tuple[Mapping[str, Preference | MissingScore], Problems]:
    if judge.opened.rubric.digest != back.key.digest:
        return {}, (
            diagnose.changed_since_export(
                judge.opened.rubric.file, rubric=back.key.rubric, grader=judge.settings.model
            ),
        )
    grader = Grader(judge.settings, judge.cwd / FOLDER)
    if wrong := grader.open():
        return {}, wrong
    runs, problems = _runs(back)
    try:
        return asyncio.run(_all(back.key, runs, judge, grader)), problems
    except ModelFailed as error:
        return {}, (*problems, error.at("--grader"))


def _runs(back: Back) -> tuple[dict[str, tuple[Stored, Stored]], Problems]:
    """Label -> the two runs of a pair, as they were when the sheets were made."""
    openings, found, problems = RunStore(), {}, []
    for record in back.key.records:
        opened = [openings.open(back.path(run)) for run in record.runs]
        bad = [problem for one in opened if isinstance(one, tuple) for problem in one]
        good = [one for one in opened if not isinstance(one, tuple)]
        if bad:
            problems += bad
        elif tuple(one.chain for one in good) != record.digests:
            problems.append(diagnose.changed_since_export(record.runs[0], rubric=back.key.rubric, grader=""))
        else:
            found[record.label] = (good[0].stored, good[1].stored)
    return found, tuple(problems)


async def _all(
    key: Key, runs: Mapping[str, tuple[Stored, Stored]], judge: Judge, grader: Grader
) -> dict[str, Preference | MissingScore]:
    turned = turned_for(key, f"grader {judge.settings.model}")
    room = asyncio.Semaphore(AT_ONCE)
    asked = [
        (record, question(judge.opened.rubric, runs[record.label], ask, judge.opened.templates, record.label in turned))
        for record in key.records
        if record.label in runs
        for name, ask in judge.opened.rubric.asks.items()
        if any(one.record == record.label and one.ask == name and one.settled is None for one in key.things)
    ]
    async with grader:

        async def one(asking: Question) -> Mapping[str, float | MissingScore]:
            async with room:
                return await _labels(asking, judge, grader)

        replies = await asyncio.gather(*(one(asking) for _, asking in asked))
    found: dict[str, Preference | MissingScore] = {}
    for (record, asking), labels in zip(asked, replies, strict=True):
        found |= dict(_of_record(key, record, asking, labels, record.label in turned))
    return found


async def _labels(asking: Question, judge: Judge, grader: Grader) -> Mapping[str, float | MissingScore]:
    """Metric -> value of the label; what cannot be read is asked once more, more strictly."""
    reply = await grader.reply(asking)
    found = read_reply(asking, reply)
    if isinstance(found, str):
        again = replace(asking, messages=stricter(asking, reply, judge.opened.templates))
        found = read_reply(again, await grader.reply(again))
    if isinstance(found, str):
        return {metric.name: MissingScore(Reason.UNREADABLE, found) for metric in asking.ask.metrics}
    return {name: one.value for (name, _), one in found.items()}


def _of_record(
    key: Key, record: RatedRecord, asking: Question, labels: Mapping[str, float | MissingScore], turned: bool
) -> Iterable[tuple[str, Preference | MissingScore]]:
    for one in key.things:
        if one.record == record.label and one.ask == asking.ask.item.name:
            value = labels[one.item]
            yield one.id, value if isinstance(value, MissingScore) else preference(value, turned)


__all__ = ["Back", "Judge", "compare_pairs", "compare_ratings", "gather", "heads", "read_key"]
