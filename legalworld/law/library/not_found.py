"""Why an article, or a part of one, was not found; and the part, where it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypedDict

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from .article_numbers import written, written_parts
from .law import ArticleNumber, FoundArticle, Law, Version
from .timeline import Blocked


class _ArticleName(TypedDict):
    law: str
    article_zh: str
    article_en: str


def _named(law: Law, number: ArticleNumber) -> _ArticleName:
    return {"law": law.short, "article_zh": written(number), "article_en": f"article {number}"}


def blocked(law: Law, number: ArticleNumber, by: Blocked, *, at: date | None, folder: Path) -> Diagnostic:
    """Why no held text tells what the article said."""
    held = tuple(f"{version.since}" for version in law.versions)
    place, named = law.short, _named(law, number)
    match by.why:
        case "repealed" if by.repeal is not None:
            return diagnose.repealed_law(place, law=law.short, date=by.repeal.on, by=by.repeal.by or "-")
        case "not_yet" if by.event is not None:
            return diagnose.law_not_yet_in_force(place, law=law.short, at=at or "", since=by.event.since)
        case "changed" if by.event is not None:
            act = by.event.name or str(by.event.adopted)
            day = at or by.event.since
            return diagnose.amended_article(place, **named, at=day, by=act, since=by.event.since)
        case "unseen" if by.event is not None:
            adopted, since = by.event.adopted, by.event.since
            return diagnose.missing_law_version(
                place, law=law.short, at=at or "", adopted=adopted, since=since, held=held
            )
        case _:
            return diagnose.missing_law_text(place, **named, path=str(folder))


def no_article(law: Law, number: ArticleNumber, version: Version, numbers: Sequence[ArticleNumber]) -> Diagnostic:
    last = numbers[-1] if numbers else ArticleNumber(0)
    return diagnose.unknown_article(
        law.short, **_named(law, number), adopted=version.adopted, count=len(numbers), last=str(last)
    )


def part(found: FoundArticle, paragraph: int, item: int, point: int) -> FoundArticle | Diagnostic:
    """The part of an article that was named, or which of it is not there."""
    paragraphs = found.article.paragraphs
    count = len(paragraphs)
    missing = diagnose.unknown_article_part(
        found.law.short,
        **_named(found.law, found.article.number),
        count=count,
        place_zh=written_parts(paragraph, item, point),
        place_en=_english(paragraph, item, point),
    )
    if paragraph and not 1 <= paragraph <= count:
        return missing
    among = (paragraphs[paragraph - 1],) if paragraph else paragraphs
    if not item:
        return missing if point else replace(found, paragraph=among[0] if paragraph else None)
    holders = [(owner, entry) for owner in among for entry in owner.items if entry.n == item]
    if len(holders) != 1:  # none, or it is not said of which paragraph
        return missing
    holder, held = holders[0]
    points = {entry.n: entry for entry in reversed(held.points)}  # of several with one number the first
    if point and point not in points:
        return missing
    return replace(found, paragraph=holder, item=held, point=points[point] if point else None)


def _english(paragraph: int, item: int, point: int) -> str:
    parts = (("paragraph", paragraph), ("item", item), ("point", point))
    return ", ".join(f"{name} {number}" for name, number in parts if number)
