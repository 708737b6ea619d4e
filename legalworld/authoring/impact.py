"""What a change of expert files touches: prompts, documents, the course of a run, and prose that has grown stale."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final, Literal

from ..language.sentences.keywords import KEYWORDS
from ..language.sentences.quantities import numeral
from ..model.immutable import immutable
from ..model.procedure import EVENT_MARK, Interruption, Phase, Procedure, Stage, places
from ..model.source import Span
from .kept_prompts import KeptPrompt

Kind = Literal["changed", "new", "gone"]
_UNITS: Final = "|".join(sorted((*KEYWORDS["TURNS"].en, *KEYWORDS["TURNS"].zh), key=len, reverse=True))
_COUNT: Final = re.compile(rf"((?<!\d)\d+|[\u3007\u4e00-\u9fff]{{1,4}}?)\s?(?:{_UNITS})")
_LIMIT_LINE: Final = re.compile(
    r"^\s*(?:-\s*)?[^\s#:：]+(?: [^\s#:：]+)?\s*[:：]\s*(?:\d+|[\u3007\u4e00-\u9fff]{1,4})\s?\S*\s*$"
)
_LONGEST: Final = 120


@immutable
class TouchedPrompt:
    """A prompt that reads differently: TARGET/STAGE/PHASE/ROLE.ACT.WHAT.txt."""

    name: str
    kind: Kind

    @property
    def role(self) -> str:
        return self.name.rpartition("/")[2].partition(".")[0]

    @property
    def place(self) -> str:
        """STAGE[/PHASE]."""
        return self.name.partition("/")[2].rpartition("/")[0]


@immutable
class StalePhrase:
    """Words that say a number of turns, or a choice, that a change has done away with."""

    span: Span
    words: str
    was: str
    now: str
    place: str


@immutable
class OfflineCourse:
    """What came of a case played offline: how it ended, its documents, calls, and the tokens that were sent."""

    outcome: str = ""
    documents: Mapping[tuple[str, str], str] = field(default_factory=dict)
    calls: int = 0
    tokens: int = 0


@immutable
class TouchedProcedure:
    """What a change touches of one procedure, played in one case; `prompts` of `total` that are looked at.

    `kept`: the prompts are under snapshots. `tests`: FILE:LINE of those that name a place where a prompt differs.
    `titles`: what people call documents and roles.
    """

    spec: str
    case: str
    kept: bool
    total: int
    prompts: tuple[TouchedPrompt, ...]
    before: OfflineCourse
    after: OfflineCourse
    stale: tuple[StalePhrase, ...] = ()
    tests: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def documents(self) -> tuple[tuple[str, str, Kind], ...]:
        """(document, side, how it differs), in the order in which they are made."""
        before, after = self.before.documents, self.after.documents
        keys = dict.fromkeys((*after, *before))
        found = ((key, "new" if key not in before else "gone" if key not in after else "changed") for key in keys)
        return tuple((*key, kind) for key, kind in found if before.get(key) != after.get(key))  # type: ignore[misc]

    @property
    def untouched(self) -> bool:
        same = (self.before.outcome, self.before.calls) == (self.after.outcome, self.after.calls)
        return not (self.prompts or self.documents or self.stale) and same


def touched_prompts(before: Mapping[str, KeptPrompt], after: Mapping[str, KeptPrompt]) -> tuple[TouchedPrompt, ...]:
    """The prompts that read differently, sorted by name."""
    found = []
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            found.append(TouchedPrompt(name, "new" if old is None else "gone"))
        elif old.text != new.text:
            found.append(TouchedPrompt(name, "changed"))
    return tuple(found)


def at_places(prompts: tuple[TouchedPrompt, ...]) -> Mapping[tuple[str, str], int]:
    """(role, STAGE[/PHASE]) -> how many of the prompts are for him there, in the order of their names."""
    found: dict[tuple[str, str], int] = {}
    for prompt in prompts:
        key = (prompt.role, prompt.place)
        found[key] = found.get(key, 0) + 1
    return found


# ---- prose that has grown stale --------------------------------------------------------------------------------------


def limits(procedure: Procedure) -> Mapping[str, int]:
    """Place -> the number of turns, rounds or times that it is bounded by."""
    found = {}
    for place, what in places(procedure):
        most = what.budget if isinstance(what, Stage) else 0 if isinstance(what, Phase) else None
        most = what.limit if isinstance(what, Interruption) else most
        most = getattr(what, "most_turns", 0) if most is None else most
        if most:
            found[place[place.index(EVENT_MARK) :] if EVENT_MARK in place else place] = most
    return found


def stale_phrases(before: Procedure, after: Procedure, texts: Mapping[str, str]) -> tuple[StalePhrase, ...]:
    """Where texts still say a number of turns or a choice that the procedure has no longer.

    The same number may be meant for something else: what is found is to be looked at, not to be changed unseen.
    """
    old, new = limits(before), limits(after)
    moved = {place: (old[place], new[place]) for place in old if place in new and old[place] != new[place]}
    lost = {
        choice: answer.called
        for name, answer in before.answers.items()
        for choice in answer.values
        if name in after.answers and choice not in after.answers[name].values and len(choice) > 1
    }
    found = (*_counts(moved, texts), *_choices(lost, texts))
    return tuple(dict.fromkeys(sorted(found, key=lambda one: (one.span.file, one.span.line, one.span.column))))


def _counts(moved: Mapping[str, tuple[int, int]], texts: Mapping[str, str]) -> Iterator[StalePhrase]:
    by_number: dict[int, str] = {}
    for place, (was, _) in moved.items():
        by_number.setdefault(was, place)
    for path, text in texts.items() if moved else ():
        for n, line in enumerate(text.split("\n"), 1):
            if path.endswith((".yaml", ".yml")) and _LIMIT_LINE.match(line.partition("#")[0]):
                continue  # a limit itself
            for match in _COUNT.finditer(line[: _LONGEST * 20]):
                number = int(match[1]) if match[1].isdecimal() else numeral(match[1])
                if number in by_number:
                    place = by_number[number]
                    span = Span(path, n, match.start() + 1, len(match[0]))
                    yield StalePhrase(span, match[0], str(moved[place][0]), str(moved[place][1]), place)


def _choices(lost: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[StalePhrase]:
    for path, text in texts.items() if lost else ():
        for n, line in enumerate(text.split("\n"), 1):
            for choice, answer in lost.items():
                if (at := line.find(choice)) >= 0:
                    yield StalePhrase(Span(path, n, at + 1, len(choice)), choice, choice, "", answer)
