"""The articles that the project's own files cite, each summarised in our own words: `shipped.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache

from ..text.citations import citations
from .article_numbers import parse_article
from .law import ArticleNumber
from .own_data import own_data


def as_of() -> date:
    """The day whose texts number the articles."""
    return date.fromisoformat(own_data("shipped.yaml")["as of"])


@cache
def shipped() -> Mapping[tuple[str, ArticleNumber], str]:
    """(short name of a law, article) -> its gist. Our own file: a mistake in it is our bug (ValueError)."""
    gists: dict[tuple[str, ArticleNumber], str] = {}
    for text, gist in own_data("shipped.yaml")["citations"].items():
        cited = citations(text)
        number = parse_article(cited[0].article or "") if len(cited) == 1 else None
        if number is None or cited[0].law is None or not gist:
            raise ValueError(f"shipped.yaml: {text}")
        gists[cited[0].law, number] = gist
    return gists
