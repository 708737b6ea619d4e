"""Whether a cited article is law on a given day: by a held text, else the project's own list, else known dates.

    checker = CitationChecker(library)      # or CitationChecker(None): nothing was imported
    checker.standing(citation, date(2024, 4, 16))

A law about which nothing is known, or of which no text of that day is held, is unknown and never called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Final, Literal

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ..text.citations import Citation
from .article_numbers import parse_article, written, written_parts
from .law import ArticleNumber, FoundArticle, LawEvent
from .law_facts import Meant, known, name_key
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
_YEAR: Final = re.compile("[0-9]{4}")
Basis = Literal["text", "list", "known", ""]
"""What told: a held text, the list of citations that the project ships, the facts known of the law, nothing."""


@immutable
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
        self._catalogue: Catalogue = held if isinstance(held, Catalogue) else without_texts()

    def full_name(self, law: str) -> str:
        """The law of a short name in full; the words themselves where it is not known."""
        meant = self._catalogue.names.meant(law) if law else None
        return meant.name if isinstance(meant, Meant) else law

    def standing(self, citation: Citation, at: date | None) -> Standing:
        """How a citation that says a law stands on a day (None: by the newest text that is known)."""
        number = parse_article(citation.article or "")
        parts = (_number(citation.paragraph), citation.item or 0, citation.sub_item or 0)
        place = (written(number) if number is not None else "") + written_parts(*parts)
        law = citation.law
        if citation.misprint:
            return Standing("ambiguous", law or "", citation.misprint)
        if law is None or (number is None and citation.article is not None):
            return Standing("ambiguous", law or "", place)
        meant = self._catalogue.names.meant(_versioned(law, citation.version))
        if isinstance(meant, Diagnostic):
            return Standing(_BY_CODE.get(meant.code, "unknown"), law, place, code=meant.code)
        law = self._catalogue.law(meant.name).short
        line = self._catalogue.line(meant.name)
        if meant.year:
            at = line.of_year(meant.year)
        if number is None:
            return self._whole(law, line, at)
        answer = self._library.check(law, number, *parts[:2], point=parts[2], at=at) if self._library else None
        if isinstance(answer, FoundArticle):
            return Standing("in_force", law, place, "text", answer.version.adopted, answer.since)
        if isinstance(answer, Diagnostic) and answer.code in _BY_CODE:
            outcome = _BY_CODE[answer.code]
            if outcome != "no_such_article":
                return Standing(outcome, law, place, "known", code=answer.code)
            return Standing(outcome, law, place, "text", *_days(line.last_change(number, at)), answer.code)
        unknown = Standing("unknown", law, place, code=answer.code if answer else _TEXTLESS)
        facts = known().get(name_key(meant.name))
        return _by_facts(unknown, line, number, at, facts.last if facts is not None else {})

    @staticmethod
    def _whole(law: str, line: Timeline, at: date | None) -> Standing:
        """A law that is cited without an article."""
        ended, events = _outside(Standing("unknown", law, ""), line, at), line.until_day(at)
        if ended is not None:
            return ended
        if not events:
            return Standing("unknown", law, "", code=_TEXTLESS)
        return Standing("in_force", law, "", "known", *_days(events[-1]))


def _by_facts(
    unknown: Standing, line: Timeline, number: ArticleNumber, at: date | None, last: Mapping[date, int]
) -> Standing:
    """An article of which no text is held: what the project's list and the known facts of the law tell."""
    law, place = unknown.law, unknown.place
    ended = _outside(unknown, line, at)
    if ended is not None:
        return ended
    whole = line.last_change(None, at)
    if whole is not None and number.main > last.get(whole.adopted, number.main):
        return Standing(
            "no_such_article", law, place, "known", *_days(whole), diagnose.code_of(diagnose.unknown_article)
        )
    now, then = line.last_change(number, at), line.last_change(number, as_of())
    if (law, number) in shipped() and then is not None and now is then:
        return Standing("in_force", law, place, "list", *_days(now))
    return unknown


def _outside(unknown: Standing, line: Timeline, at: date | None) -> Standing | None:
    """How it stands where the law is no longer, or not yet, in force on a day."""
    if line.repeal is not None and (at is None or at >= line.repeal.on):
        return replace(unknown, outcome="repealed", basis="known", code=diagnose.code_of(diagnose.repealed_law))
    if line.events and at is not None and at < line.events[0].since:
        return replace(unknown, outcome="not_yet", basis="known", code=diagnose.code_of(diagnose.law_not_yet_in_force))
    return None


def _days(event: LawEvent | None) -> tuple[date | None, date | None]:
    return (event.adopted, event.since) if event is not None else (None, None)


def _number(value: int | str | None) -> int:
    return value if isinstance(value, int) else 0


def _versioned(law: str, version: str | None) -> str:
    """The name with the year of a version that the text names."""
    year = _YEAR.search(version or "")
    return f"{law}({year[0]})" if year is not None else law
