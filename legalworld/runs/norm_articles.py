"""How the articles that norms cite stand on the first and the last day of each norm, and which could not be checked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from ..law.library.citation_checker import WRONG, CitationChecker
from ..law.library.library import Library, held_in, library_folder
from ..law.text.articles_cited import articles_cited
from ..law.text.citations import citations
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..norms.link import ALWAYS
from .norm_sets import OpenedNorms


@immutable
class NormArticle:
    """One article where a norm cites it. `label` is what lists call it; `cite`: the law and the article in words.

    `outcome` is the worse one of the two days, `day` the day of it; None is now, for a norm that does not say until
    when.
    """

    label: str
    cite: str
    span: Span
    outcome: str
    day: date | None

    @property
    def wrong(self) -> bool:
        """Whether it is no law on that day."""
        return self.outcome in WRONG

    @property
    def unchecked(self) -> bool:
        """Whether nothing here tells how it stands; such an article is neither right nor wrong."""
        return not self.wrong and self.outcome != "in_force"


def article_checker(cwd: Path) -> CitationChecker:
    """By the library of a folder where there is one that can be used, else by what is known without."""
    folder = library_folder(cwd)
    library = Library.open(folder) if held_in(folder) else None
    return CitationChecker(None if isinstance(library, Diagnostic) else library)


def norm_articles(opened: OpenedNorms, checker: CitationChecker) -> Iterator[NormArticle]:
    """Every article that a folder of norms cites, as often as it does."""
    norms = opened.norms
    assert norms is not None
    days = {one.home: (one.since, one.until) for one in norms.norms.values()}
    days |= {one.home: (one.since, one.until) for one in norms.offences.values()}
    days |= {one.home: (one.since, one.until) for one in norms.reviews.values()}
    for text, span in opened.cited:
        since, until = days.get(span.file, (ALWAYS, None))
        yield from _articles(checker, text, span, (since if since != ALWAYS else None, until))


def _articles(checker: CitationChecker, text: str, span: Span, ends: tuple[date | None, ...]) -> Iterator[NormArticle]:
    """The articles of one text. Of acts in English no text can be held, so that none of them is checked."""
    found = citations(text)
    for one in found:
        standings = [(checker.standing(one, day), day) for day in ends]
        standing, day = max(standings, key=lambda pair: (pair[0].outcome in WRONG, pair[0].outcome != "in_force"))
        label = f"{one.law or standing.law} {one.article or ''}".rstrip()
        yield NormArticle(label, f"{standing.law}{standing.place}", span, standing.outcome, day)
    for cite in () if found else articles_cited(text):
        label = f"{cite.law} {cite.article}"
        yield NormArticle(label, label, span, "unknown", ends[0])
