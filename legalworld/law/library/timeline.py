"""Which held text of a law shows what an article said on a given day. No I/O.

A law's events (enactment, revisions, amendments) are in order of time, and a text is consolidated through one of them.
It also shows what an article said after another event if every event between the two is known not to have touched that
article. Anything else is unknown, never guessed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from ...model.immutable import immutable
from .law import ArticleNumber, Basis, LawEvent, Repeal


@immutable
class LawText:
    """A held text: its row in the store, and the event that it is consolidated through.

    `in_force`: stated by one of its files, or given by whom added it (then `basis` says so). `law`: that of its law.
    """

    id: int
    adopted: date
    in_force: date | None = None
    basis: Basis = "assumed"
    law: int = 0
    articles: int = 0


@immutable
class PickedText:
    """`since`, `until`: the days between which the article has these words, as far as is known."""

    text: LawText
    since: date
    until: date | None


@immutable
class Blocked:
    """No held text tells. `event`: the one in force on that day (unseen), or the one that changed the article."""

    why: Literal["unseen", "changed", "not_yet", "repealed", "no_text"]
    event: LawEvent | None = None
    repeal: Repeal | None = None


class Timeline:
    def __init__(self, events: Iterable[LawEvent], texts: Iterable[LawText], repeals: Iterable[Repeal] = ()) -> None:
        self.texts = tuple(sorted(texts, key=lambda text: text.adopted))
        self.events = _merged(events, self.texts)
        self._days = [event.since for event in self.events]
        self._places = {text.id: self._place(text) for text in self.texts}
        ends = [repeal for repeal in repeals if not self._days or self._days[-1] <= repeal.on]
        self.repeal = min(ends, key=lambda repeal: repeal.on, default=None)

    def pick(self, number: ArticleNumber | None, at: date | None) -> PickedText | Blocked:
        """The text that tells what the article said on that day (None: by the latest event)."""
        if self.repeal is not None and (at is None or at >= self.repeal.on):
            return Blocked("repealed", repeal=self.repeal)
        if not self.texts:
            return Blocked("no_text")
        place = len(self.until_day(at)) - 1
        if place < 0:
            return Blocked("not_yet", self.events[0])
        nearest_first = sorted(
            self.texts, key=lambda text: (abs(self._places[text.id] - place), -text.adopted.toordinal())
        )
        for text in nearest_first:
            if self._obstacle(self._places[text.id], place, number) is None:
                return PickedText(text, self._since(place, number), self._until(place, number))
        obstacle = self._obstacle(self._places[nearest_first[0].id], place, number)
        changed = obstacle is not None and obstacle.articles is not None
        return Blocked("changed", obstacle) if changed else Blocked("unseen", self.events[place])

    def since(self, text: LawText) -> date:
        return self.events[self._places[text.id]].since

    def until(self, text: LawText) -> date | None:
        """When a later event that may have changed anything, or the repeal, ended the text."""
        return self._until(self._places[text.id], None)

    def basis(self, text: LawText) -> Basis:
        if text.in_force is not None:
            return text.basis
        return "known" if self.events[self._places[text.id]].in_force is not None else "assumed"

    def of_year(self, year: int) -> date:
        """The day on which the last event of that year took effect; its last day where there is none."""
        return max((event.since for event in self.events if event.adopted.year == year), default=date(year, 12, 31))

    def until_day(self, at: date | None) -> tuple[LawEvent, ...]:
        """The events that took effect by a day (None: all)."""
        return self.events if at is None else self.events[: bisect_right(self._days, at)]

    def last_change(self, number: ArticleNumber | None, at: date | None) -> LawEvent | None:
        """The last event by a day that may have changed the article (None: an article that no amendment names)."""
        return next((event for event in reversed(self.until_day(at)) if not _spared(event, number)), None)

    def _place(self, text: LawText) -> int:
        return next(
            place for place, event in enumerate(self.events) if text.adopted in (event.adopted, event.published)
        )

    def _obstacle(self, first: int, second: int, number: ArticleNumber | None) -> LawEvent | None:
        """The first event between two places that may have changed the article (None: an article of any number that
        no amendment names)."""
        between = self.events[min(first, second) + 1 : max(first, second) + 1]
        return next((event for event in between if not _spared(event, number)), None)

    def _since(self, place: int, number: ArticleNumber | None) -> date:
        while place and _spared(self.events[place], number):
            place -= 1
        return self.events[place].since

    def _until(self, place: int, number: ArticleNumber | None) -> date | None:
        later = (event.since for event in self.events[place + 1 :] if not _spared(event, number))
        return next(later, self.repeal.on if self.repeal is not None else None)


def _spared(event: LawEvent, number: ArticleNumber | None) -> bool:
    return event.articles is not None and number not in event.articles


def _merged(events: Iterable[LawEvent], texts: Sequence[LawText]) -> tuple[LawEvent, ...]:
    """One event for each act, with all that any source tells of it, by the day it took effect."""
    acts: dict[date, LawEvent] = {}
    by_publication: dict[date, date] = {}
    given = {text.adopted: text for text in texts if text.in_force is not None}
    for event in (*events, *(LawEvent(text.adopted, text.in_force) for text in texts)):
        if event.published is not None and event.published != event.adopted:
            by_publication[event.published] = event.adopted
        acts[event.adopted] = _both(acts[event.adopted], event) if event.adopted in acts else event
    for published, adopted in by_publication.items():
        if published in acts and published != adopted:  # a file without a date of adoption
            other = acts.pop(published)
            acts[adopted] = _both(acts[adopted], replace(other, adopted=adopted))
    for adopted, text in given.items():
        adopted = adopted if adopted in acts else by_publication.get(adopted, adopted)
        acts[adopted] = replace(acts[adopted], in_force=text.in_force)
    return tuple(sorted(acts.values(), key=lambda event: (event.since, event.adopted)))


def _both(first: LawEvent, second: LawEvent) -> LawEvent:
    return LawEvent(
        first.adopted,
        first.in_force or second.in_force,
        first.articles if first.articles is not None else second.articles,
        first.name or second.name,
        first.published or second.published,
    )
