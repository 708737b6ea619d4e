"""What is to be known of a run beside its scores: who played, when, by which versions, for how many tokens.

Who said what in the turns that scores rest on; and the day of the judgment in its case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import date
from pathlib import Path
from typing import Final

from ..language.dates import read_day
from ..law.text.times import DAY, Date, times
from ..model import events as e
from ..model.case import texts
from ..model.immutable import immutable, replace
from ..model.source import Span
from ..models.habits import Adjustment
from ..runs.adjustments import adjustments
from ..runs.folder import RunFolder
from ..runs.journal import Session, replies, sessions
from ..runs.run_info import RunInfo
from .rubric.definition import Selection
from .run_store import open_stored
from .stored_run import WHOLE, Stored, within_places

LONGEST_DAY: Final = 40  # characters in which a day is looked for


@immutable
class Usage:
    """Tokens by what the provider said; `silent`: replies of which it did not say."""

    prompt: int = 0
    completion: int = 0
    replies: int = 0
    silent: int = 0

    def plus(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.replies + other.replies,
            self.silent + other.silent,
        )


@immutable
class RunFacts:
    """`usage`: backbone -> tokens; `served`: what the providers called their models; `judged`: the earliest day of a
    judgment that the case gives; `adjusted`: what was not sent to a model as it was set; `at`, `spoken`: tokens and
    turns by place."""

    info: RunInfo
    sessions: tuple[Session, ...]
    usage: Mapping[str, Usage]
    served: tuple[str, ...]
    turns: int
    judged: date | None
    adjusted: tuple[Adjustment, ...] = ()
    at: Mapping[str, Usage] = field(default_factory=dict)
    spoken: Mapping[str, int] = field(default_factory=dict)

    def usage_in(self, stages: Sequence[str]) -> Usage:
        """Return the tokens of some stages, of all where none is named."""
        found = Usage()
        for place, one in self.at.items():
            found = found.plus(one) if within_places(place, stages) else found
        return found

    def turns_in(self, stages: Sequence[str]) -> int:
        """Return the turns of some stages, of all where none is named."""
        if not stages:
            return self.turns
        return sum(count for place, count in self.spoken.items() if within_places(place, stages))


@immutable
class OpenedRun:
    """`said`: turn -> who and what. `facts` is None, and nothing was said, where the run cannot be opened."""

    facts: RunFacts | None = None
    said: Mapping[int, tuple[str, str]] = field(default_factory=dict)


def opened_run(path: Path, judged: Sequence[str] = ()) -> OpenedRun:
    """`judged`: fields of the case that give the day of a judgment, such as `bench.judged`."""
    folder, stored = RunFolder.open(path), open_stored(path)
    if not isinstance(folder, RunFolder) or isinstance(stored, tuple):
        return OpenedRun()
    usage, served = _usage(folder, stored)
    info = replace(folder.info, models=stored.models)  # who really played
    told = (tuple(sessions(folder.times)), usage, served, len(stored.numbers), _judged(stored, judged))
    spoken = Counter(piece.place for piece in stored.utterances if piece.turn)
    facts = RunFacts(info, *told, adjustments(folder.times), _usage_at(folder, stored), spoken)
    return OpenedRun(facts, said(stored))


def sent_otherwise(runs: Iterable[str]) -> Counter[Adjustment]:
    """What was not sent to a model as it was set -> in how many of the runs; of a run that is gone nothing is known."""
    found: Counter[Adjustment] = Counter()
    first: dict[Adjustment, Adjustment] = {}
    for run in dict.fromkeys(runs):
        folder = RunFolder.open(Path(run))
        for one in adjustments(folder.times) if isinstance(folder, RunFolder) else ():
            found[first.setdefault(replace(one, words=""), one)] += 1  # servers word the same in many ways
    return found


def said(stored: Stored) -> Mapping[int, tuple[str, str]]:
    """Turn -> who spoke or wrote in it, and what."""
    pieces = [*stored.utterances, *(piece for _, piece in stored.documents)]
    return {piece.turn: (piece.speaker, piece.text) for piece in pieces if piece.turn}


def _usage(folder: RunFolder, stored: Stored) -> tuple[Mapping[str, Usage], tuple[str, ...]]:
    persons = {event.id: event.person for event in stored.events if isinstance(event, e.Asked)}
    usage: dict[str, Usage] = {}
    served: Counter[str] = Counter()
    for line in replies(folder.journal):
        person = stored.persons.get(persons.get(line.request, ""))
        first = folder.info.models.get(person.role if person is not None else "", "")
        backbone = line.reply.by or first
        told, reply = None not in (line.reply.prompt_tokens, line.reply.completion_tokens), line.reply
        one = Usage(reply.prompt_tokens or 0, reply.completion_tokens or 0, 1, 0 if told else 1)
        usage[backbone] = usage.get(backbone, Usage()).plus(one)
        served[reply.model] += 1
    return usage, tuple(name for name in sorted(served) if name)


def _usage_at(folder: RunFolder, stored: Stored) -> Mapping[str, Usage]:
    """Tokens by the place where they were asked for."""
    places = {event.id: event.place for event in stored.events if isinstance(event, e.Asked)}
    usage: dict[str, Usage] = {}
    for line in replies(folder.journal):
        place, reply = places.get(line.request, ""), line.reply
        told = None not in (reply.prompt_tokens, reply.completion_tokens)
        one = Usage(reply.prompt_tokens or 0, reply.completion_tokens or 0, 1, 0 if told else 1)
        usage[place] = usage.get(place, Usage()).plus(one)
    return usage


def _judged(stored: Stored, fields: Iterable[str]) -> date | None:
    days = []
    for word in fields:
        name, *keys = word.split(".")
        selection = Selection("field", Span("--judged", 0, 0), name=name, keys=tuple(keys))
        days += [_day(text) for value in stored.field(selection, WHOLE) for text in texts(value)]
    return min((day for day in days if day is not None), default=None)


def _day(text: str) -> date | None:
    """A day in figures, or in words as they stand under a judgment."""
    if (day := read_day(text)) is not None:
        return day
    days = (one for one in times(text[:LONGEST_DAY]) if isinstance(one, Date) and one.precision == DAY)
    return next((date.fromisoformat(one.iso) for one in days if one.year is not None and not one.wrong), None)
