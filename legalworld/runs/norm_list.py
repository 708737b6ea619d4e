"""The norms of a project as a list: what each is called, its articles, since when, whether it was checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from ..files.project_files import Disk
from ..model.decision import Cite
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..norms.definition import Norm, NormSet, OffenceNorm, ReviewNorm
from ..norms.link import ALWAYS
from ..norms.read import folders
from ..wording import sentences
from ..wording.columns import table
from .norm_articles import article_checker, norm_articles
from .norm_sets import open_norms

_HEADS: Final = ("set", "id", "title", "cited", "force", "examples", "checked")


@immutable
class ListedNorm:
    """One norm or offence of a set. `since` is "" where it was always in force; `checked`: what was compared, as its
    author says; `unheld`: its articles of which nothing here tells how they stand.
    """

    set: str
    id: str
    title: str
    articles: tuple[str, ...]
    since: str
    until: str
    examples: int
    checked: str
    unchecked: bool
    file: str
    unheld: tuple[str, ...]

    def row(self) -> dict[str, object]:
        """What JSON says of it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def listed_norms(disk: Disk, cwd: Path) -> tuple[tuple[ListedNorm, ...], tuple[Diagnostic, ...]]:
    """Every norm of a project, set by set, and what is wrong with sets that cannot be used."""
    found: list[ListedNorm] = []
    problems: list[Diagnostic] = []
    checker = article_checker(cwd)
    for folder in folders(disk):
        opened = open_norms(disk, folder)
        problems += [one for one in opened.problems if opened.norms is None]
        if opened.norms is not None:
            articles = norm_articles(opened, checker)
            found += _of(opened.norms, frozenset(one.label for one in articles if one.unchecked))
    return tuple(found), tuple(problems)


def _of(norms: NormSet, unheld: frozenset[str]) -> Iterator[ListedNorm]:
    for norm in norms.norms.values():
        yield _listed(norms, norm, _cites(norm), unheld)
    for review in norms.reviews.values():
        grounds = (cite for one in review.grounds for cite in one.cites)
        yield _listed(norms, review, (*grounds, *(cite for one in review.gives for cite in one.cites)), unheld)
    for offence in norms.offences.values():
        yield _listed(norms, offence, offence.cites, unheld)


def _cites(norm: Norm) -> tuple[Cite, ...]:
    parts = (*(one.cites for one in norm.gives), *(one.cites for one in norm.pleas))
    return tuple(cite for part in (*parts, *(one.cites for one in norm.liability)) for cite in part)


def _listed(
    norms: NormSet, one: Norm | OffenceNorm | ReviewNorm, cites: tuple[Cite, ...], unheld: frozenset[str]
) -> ListedNorm:
    articles = tuple(dict.fromkeys(f"{cite.law} {cite.article}" for cite in cites))
    since = str(one.since) if one.since != ALWAYS else ""
    until = str(one.until) if one.until is not None else ""
    return ListedNorm(
        *(norms.name, one.id, one.title, articles, since, until, len(one.examples), one.checked),
        unchecked=one.unchecked,
        file=one.home,
        unheld=tuple(article for article in articles if article in unheld),
    )


def norms_text(norms: Sequence[ListedNorm], locale: str) -> str:
    """A line for each norm."""
    word = sentences("norms", locale)
    if not norms:
        return word("none")
    rows = [[word(f"head_{name}") for name in _HEADS]]
    for one in norms:
        force = " - ".join(part for part in (one.since, one.until) if part) or "-"
        state = word("unchecked") if one.unchecked else word("checked")
        if one.unheld and not one.unchecked:
            state += word("unheld", count=len(one.unheld))
        articles = word("among").join(one.articles[:3]) + (word("more") if len(one.articles) > 3 else "")
        rows.append([one.set, one.id, one.title, articles or "-", force, str(one.examples), state])
    return "\n".join(table(rows, frozenset({5})))
