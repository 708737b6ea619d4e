"""Whether what a text cites is law on a day: by a held text, else by the project's own list, else by known days.

    clerk = Clerk(library)                  # or Clerk(None): nothing was imported
    clerk.standing(citation, date(2024, 4, 16))

A law that nothing is known of, or of whose day no text is there, is unknown: that is never said to be wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final, Literal

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ..text.citations import Citation
from .article_numbers import parse_article, written, written_parts
from .law import ArticleNumber, FoundArticle, LawEvent
from .law_facts import folded, known
from .library import Catalogue, Library, without_texts
from .shipped import as_of, shipped
from .timeline import Timeline

Outcome = Literal["in_force", "no_such_article", "repealed", "not_yet", "unknown", "ambiguous"]
WRONG: Final = frozenset({"no_such_article", "repealed", "not_yet"})
_BY_CODE: Final[Mapping[str, Outcome]] = {
    diagnose.code_of(diagnose.repealed_law): "repealed",
    diagnose.code_of(diagnose.law_not_yet_in_force): "not_yet",
    diagnose.code_of(diagnose.unknown_article): "no_such_article",
    diagnose.code_of(diagnose.unknown_article_part): "no_such_article",
    diagnose.code_of(diagnose.ambiguous_law): "ambiguous",
}
_TEXTLESS: Final = diagnose.code_of(diagnose.missing_law_text)
_YEAR: Final = re.compile(r"[12][0-9]{3}")
Basis = Literal["text", "list", "known", ""]
"""What told: a held text, the list of citations that the project ships, the facts known of the law, nothing."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a citation stands on a day. `adopted`, `since`: the version that it was checked against, where one is known.

    `law` is the short name, `place` the article and its part in words; `code`: the problem that says why, "" for none.
    """

    outcome: Outcome
    law: str
    place: str
    basis: Basis = ""
    adopted: date | None = None
    since: date | None = None
    code: str = ""


class CitationChecker:
    """Checks citations against one library, or against what is known without any."""

    def __init__(self, library: Library | None) -> None:
        self._library = library
        held = library.catalogue() if library is not None else None
        self._catalogue: Catalogue = held if isinstance(held, Catalogue) else _bare()

    def standing(self, citation: Citation, at: date | None) -> Standing:
        """How a citation that says a law stands on a day (None: by the newest text that is known)."""
        number = parse_article(citation.article or "")
        parts = (_number(citation.paragraph), citation.item or 0, citation.sub_item or 0)
        place = (written(number) if number is not None else "") + written_parts(*parts)
        law = citation.law
        if law is None or (number is None and citation.article is not None):
            return Standing("ambiguous", law or "", place)
        meant = self._catalogue.names.meant(_versioned(law, citation.version))
        if isinstance(meant, Diagnostic):
            return Standing(_BY_CODE.get(meant.code, "unknown"), law, place, code=meant.code)
        law = self._catalogue.law(meant.name).short
        line = self._catalogue.line(meant.name)
        if meant.year:
            at = line.of_year(meant.year) or date(meant.year, 12, 31)
        if number is None:
            return self._whole(law, line, at)
        found = self._library.check(law, number, *parts[:2], point=parts[2], at=at) if self._library else None
        if isinstance(found, FoundArticle):
            return Standing("in_force", law, place, "text", found.version.adopted, found.since)
        if isinstance(found, Diagnostic) and found.code in _BY_CODE:
            outcome = _BY_CODE[found.code]
            event = _event(line, number, at) if outcome == "no_such_article" else None
            basis: Basis = "text" if outcome == "no_such_article" else "known"
            return Standing(outcome, law, place, basis, *_days(event), found.code)
        unknown = Standing("unknown", law, place, code=found.code if found else _TEXTLESS)
        facts = known().get(folded(meant.name))
        return _by_facts(unknown, line, number, at, facts.last if facts is not None else {})

    @staticmethod
    def _whole(law: str, line: Timeline, at: date | None) -> Standing:
        """A law that is cited without an article."""
        ended, events = _ended(line, at), _until(line, at)
        if ended is not None:
            return ended(law, "")
        if not events:
            return Standing("unknown", law, "", code=_TEXTLESS)
        return Standing("in_force", law, "", "known", *_days(events[-1]))


def _by_facts(
    unknown: Standing, line: Timeline, number: ArticleNumber, at: date | None, last: Mapping[date, int]
) -> Standing:
    """An article of which no text is held: what the project's list and the known facts of the law tell."""
    law, place = unknown.law, unknown.place
    ended = _ended(line, at)
    if ended is not None:
        return ended(law, place)
    whole = _event(line, None, at)
    if whole is not None and number.main > last.get(whole.adopted, number.main):
        return Standing(
            "no_such_article", law, place, "known", *_days(whole), diagnose.code_of(diagnose.unknown_article)
        )
    now, then = _event(line, number, at), _event(line, number, as_of())
    if (law, number) in shipped() and then is not None and now is then:
        return Standing("in_force", law, place, "list", *_days(now))
    return unknown


def _ended(line: Timeline, at: date | None) -> _Ended | None:
    """Whether the law is no longer, or not yet, in force on a day."""
    if line.repeal is not None and (at is None or at >= line.repeal.on):
        return _Ended("repealed", diagnose.code_of(diagnose.repealed_law))
    if line.events and at is not None and at < line.events[0].since:
        return _Ended("not_yet", diagnose.code_of(diagnose.law_not_yet_in_force))
    return None


@dataclass(frozen=True, slots=True)
class _Ended:
    outcome: Outcome
    code: str

    def __call__(self, law: str, place: str) -> Standing:
        return Standing(self.outcome, law, place, "known", code=self.code)


def _event(line: Timeline, number: ArticleNumber | None, at: date | None) -> LawEvent | None:
    """The last event by a day (None: of all) that may have changed the article."""
    return next((one for one in reversed(_until(line, at)) if one.articles is None or number in one.articles), None)


def _until(line: Timeline, at: date | None) -> tuple[LawEvent, ...]:
    return line.events if at is None else line.events[: bisect_right([event.since for event in line.events], at)]


def _days(event: LawEvent | None) -> tuple[date | None, date | None]:
    return (event.adopted, event.since) if event is not None else (None, None)


def _number(value: int | str | None) -> int:
    return value if isinstance(value, int) else 0


def _versioned(law: str, version: str | None) -> str:
    """The name with the year of a version that the text names."""
    year = (
        next((version[at : at + 4] for at in range(len(version) - 3) if version[at : at + 4].isdigit()), "")
        if version
        else ""
    )
    return f"{law}({year})" if year else law


@cache
def _bare() -> Catalogue:
    return without_texts()
