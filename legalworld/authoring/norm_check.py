"""What is wrong with a folder of norms, its examples and the articles that it cites included."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from ..language import diagnose
from ..law.library.citation_checker import CitationChecker
from ..law.library.library import Library, held_in, library_folder
from ..law.text.citations import Citation, citations
from ..model.diagnostics import Diagnostic
from ..model.source import Sources, Span
from ..norms.definition import NormSet
from ..norms.examples import wrong_examples
from ..norms.link import ALWAYS
from ..runs.norm_sets import OpenedNorms, open_norms


def norm_problems(sources: Sources, folder: str, cwd: Path) -> tuple[Diagnostic, ...]:
    """Every problem of a folder of norms, those of one file behind each other."""
    opened = open_norms(sources, folder)
    if opened.norms is None:
        return opened.problems
    more = (*opened.problems, *wrong_examples(opened.norms), *_articles(opened, opened.norms, cwd))
    return tuple(sorted(more, key=lambda one: (one.span.file, one.span.line, one.span.column)))


def _articles(opened: OpenedNorms, norms: NormSet, cwd: Path) -> Iterator[Diagnostic]:
    """Citations that are no law on the first day of their norm, by the library where there is one, else by what is
    known without; of what is not known nothing is said."""
    library = Library.open(library_folder(cwd)) if held_in(library_folder(cwd)) else None
    checker = CitationChecker(None if isinstance(library, Diagnostic) else library)
    days = {one.home: one.since for one in norms.norms.values()}
    days |= {one.home: one.since for one in norms.offences.values()}
    days |= {one.home: one.since for one in norms.reviews.values()}
    for text, span in opened.cited:
        since = days.get(span.file, ALWAYS)
        for citation in citations(text):
            yield from _stands(checker, citation, span, since)


def _stands(checker: CitationChecker, citation: Citation, span: Span, since: date) -> Iterator[Diagnostic]:
    found = checker.standing(citation, since if since != ALWAYS else None)
    cite = f"{found.law}{found.place}"
    match found.outcome:
        case "no_such_article":
            yield diagnose.unknown_cited_article(span, cite=cite)
        case "repealed" | "not_yet":
            yield diagnose.article_not_in_force(span, cite=cite, day=str(since))
