"""What is wrong with a folder of norms, its examples and the articles that it cites included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Sources
from ..norms.examples import wrong_examples
from ..runs.norm_articles import NormArticle, article_checker, norm_articles
from ..runs.norm_sets import open_norms


@immutable
class CheckedNorms:
    """What is wrong with a folder of norms; `unchecked`: of each file the articles of which nothing here tells how they
    stand, so that they are neither right nor wrong."""

    problems: tuple[Diagnostic, ...]
    unchecked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def check_norms(sources: Sources, folder: str, cwd: Path) -> CheckedNorms:
    """Every problem of a folder of norms, those of one file behind each other."""
    opened = open_norms(sources, folder)
    if opened.norms is None:
        return CheckedNorms(opened.problems)
    articles = tuple(norm_articles(opened, article_checker(cwd)))
    unchecked: dict[str, dict[str, None]] = {}
    for one in articles:
        if one.unchecked:
            unchecked.setdefault(one.span.file, {})[one.cite] = None
    more = (*opened.problems, *wrong_examples(opened.norms), *(told for one in articles for told in _problem(one)))
    problems = tuple(sorted(more, key=lambda one: (one.span.file, one.span.line, one.span.column)))
    return CheckedNorms(problems, {file: tuple(cites) for file, cites in unchecked.items()})


def norm_problems(sources: Sources, folder: str, cwd: Path) -> tuple[Diagnostic, ...]:
    """The problems alone."""
    return check_norms(sources, folder, cwd).problems


def _problem(article: NormArticle) -> Iterator[Diagnostic]:
    """Why an article is no law on a day of its norm."""
    match article.outcome:
        case "no_such_article":
            yield diagnose.unknown_cited_article(article.span, cite=article.cite)
        case "repealed" | "not_yet" if article.day is not None:
            yield diagnose.article_not_in_force(article.span, cite=article.cite, day=str(article.day))
        case "repealed" | "not_yet":
            yield diagnose.article_no_longer_in_force(article.span, cite=article.cite)
