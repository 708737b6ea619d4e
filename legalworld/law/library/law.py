"""Laws as values: what a statute file holds, and what a lookup gives."""

from __future__ import annotations

from datetime import date
from typing import Literal, NamedTuple

from ...model.immutable import immutable

Basis = Literal["given", "stated", "known", "assumed"]
"""How it is known when a text came into force: who added it, its file, the table of laws, or only its date."""


class ArticleNumber(NamedTuple):
    """The number of an article, in the order of the law: 133, 133-1, 134. `sub` is 0 where there is none."""

    main: int
    sub: int = 0

    def __str__(self) -> str:
        return f"{self.main}-{self.sub}" if self.sub else str(self.main)


@immutable
class ArticleItem:
    """An item of a paragraph, or (among `points`) a point of an item. `text` is as printed, its own mark included.

    A point with the number 0 is a line of the item's own that follows its first one.
    """

    n: int
    text: str
    points: tuple[ArticleItem, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return (self.text, *(point.text for point in self.points))


@immutable
class Paragraph:
    n: int
    text: str
    items: tuple[ArticleItem, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return (self.text, *(line for item in self.items for line in item.lines))


@immutable
class Article:
    """`path`: the headings above it, outermost first. `deleted`: the number is kept, the text is gone."""

    number: ArticleNumber
    paragraphs: tuple[Paragraph, ...]
    path: tuple[str, ...] = ()
    title: str = ""
    deleted: bool = False

    @property
    def text(self) -> str:
        """The words of the law, a line for each paragraph, item and point."""
        return "\n".join(line for paragraph in self.paragraphs for line in paragraph.lines)


@immutable
class LawEvent:
    """An enactment, revision or amendment. `articles`: those it touched; None: any may have changed.

    `in_force` is None where only the date of adoption is known; `name`: of an amending act that has one.
    """

    adopted: date
    in_force: date | None = None
    articles: frozenset[ArticleNumber] | None = None
    name: str = ""
    published: date | None = None

    @property
    def since(self) -> date:
        """When it took effect: if that is not known, its adoption."""
        return self.in_force or self.adopted


@immutable
class Repeal:
    """`law` as the repealing text names it."""

    law: str
    on: date
    by: str


@immutable
class Version:
    """A text of a law that the library holds, consolidated through the event of `adopted`.

    `since`: first day in force; `until`: first day on which another text holds, or the law is repealed, if ever.
    """

    id: int
    adopted: date
    since: date
    until: date | None
    basis: Basis
    articles: int


@immutable
class Law:
    """`name` in full; `short` as people say it. `versions` by date; none where only the name is known."""

    name: str
    short: str
    versions: tuple[Version, ...] = ()
    events: tuple[LawEvent, ...] = ()
    repealed: Repeal | None = None


@immutable
class FoundArticle:
    """An article that was asked for, and the part of it.

    `since` and `until` are the article's own: from the last event that may have changed it to the next one.
    """

    law: Law
    version: Version
    article: Article
    since: date
    until: date | None
    paragraph: Paragraph | None = None
    item: ArticleItem | None = None
    point: ArticleItem | None = None

    @property
    def text(self) -> str:
        """The words of the smallest part that was asked for."""
        if self.point is not None:
            return self.point.text
        part = self.item or self.paragraph
        return "\n".join(part.lines) if part is not None else self.article.text


def as_data(found: FoundArticle) -> dict[str, object]:
    """What was found, for JSON."""
    part = {"paragraph": found.paragraph, "item": found.item, "point": found.point}
    return {
        "law": found.law.short,
        "name": found.law.name,
        "article": str(found.article.number),
        **{name: piece.n if piece is not None else None for name, piece in part.items()},
        "text": found.text,
        "path": list(found.article.path),
        "adopted": str(found.version.adopted),
        "since": str(found.since),
        "until": str(found.until) if found.until else None,
        "basis": found.version.basis,
    }


# ---- what a file holds -----------------------------------------------------------------------------------------------


@immutable
class Statute:
    """One file of a law: the whole, or the book `part` of it. `adopted` tells its versions apart.

    `events`: dates of the header; `repeals`: laws that it says it ends.
    """

    name: str
    part: str
    adopted: date
    in_force: date | None
    articles: tuple[Article, ...]
    events: tuple[LawEvent, ...] = ()
    repeals: tuple[Repeal, ...] = ()
    digest: str = ""
    source: str = ""


@immutable
class Amendment:
    """An amending act without articles of its own."""

    name: str
    law: str
    event: LawEvent
    digest: str = ""
    source: str = ""
