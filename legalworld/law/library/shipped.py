"""The articles that the project's own files cite, each summarised in our own words: `shipped.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from ..text.citations import citations
from .article_numbers import parse_article
from .law import ArticleNumber
from .own_data import own_data


@dataclass(frozen=True, slots=True)
class Shipped:
    """`law` by its short name."""

    law: str
    number: ArticleNumber
    gist: str


@cache
def as_of() -> date:
    """The day whose texts number the articles."""
    return date.fromisoformat(own_data("shipped.yaml")["as of"])


@cache
def shipped() -> Mapping[tuple[str, ArticleNumber], Shipped]:
    """(law, article) -> the citation. Our own file: a mistake in it is our bug (ValueError)."""
    found: dict[tuple[str, ArticleNumber], Shipped] = {}
    for text, gist in own_data("shipped.yaml")["citations"].items():
        cited = citations(text)
        number = parse_article(cited[0].article or "") if len(cited) == 1 else None
        if number is None or cited[0].law is None or not gist:
            raise ValueError(f"shipped.yaml: {text}")
        found[cited[0].law, number] = Shipped(cited[0].law, number, gist)
    return found
