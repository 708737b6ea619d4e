"""The citations that the project's own files rest on, with what they say in our own words: `shipped.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources

from ..text.citations import citations
from .article_numbers import parse_article
from .law import ArticleNumber


@dataclass(frozen=True, slots=True)
class Shipped:
    """`law` by its short name."""

    law: str
    number: ArticleNumber
    gist: str


@cache
def as_of() -> date:
    """The day whose texts number the articles."""
    return date.fromisoformat(str(_table()["as of"]))


@cache
def shipped() -> Mapping[tuple[str, ArticleNumber], Shipped]:
    """(law, article) -> the citation. Our own file: a mistake in it is our bug (ValueError)."""
    table, found = _table()["citations"], dict[tuple[str, ArticleNumber], Shipped]()
    assert isinstance(table, dict)
    for text, gist in table.items():
        cited = citations(text)
        number = parse_article(cited[0].article or "") if len(cited) == 1 else None
        if number is None or cited[0].law is None or not gist:
            raise ValueError(f"shipped.yaml: {text}")
        found[cited[0].law, number] = Shipped(cited[0].law, number, gist)
    return found


@cache
def _table() -> Mapping[str, object]:
    from ...binding.casefile import parse_data

    data, problems = parse_data("shipped.yaml", (resources.files(__package__) / "shipped.yaml").read_text("utf-8"))
    if data is None or problems:
        raise ValueError(f"shipped.yaml: {problems}")
    table: Mapping[str, object] = data.value
    return table
