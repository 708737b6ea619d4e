"""Articles that a short text cites, as parts of decisions have them: 民法典第五百七十九条, Limitation Act 1980 s 5."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.decision import Cite
from .citations import citations
from .english_citations import english_citations


def articles_cited(text: str) -> tuple[Cite, ...]:
    """Every article of a law that a text names; those of which it does not say the law are left out."""
    return tuple(_chinese(text)) or tuple(_english(text))


def _chinese(text: str) -> Iterator[Cite]:
    for one in citations(text):
        if one.law is not None and one.article is not None:
            item, paragraph = str(one.item or ""), str(one.paragraph or "")
            yield Cite(law=one.law, article=str(one.article), paragraph=paragraph, item=item)


def _english(text: str) -> Iterator[Cite]:
    for one in english_citations(text):
        if one.kind == "provision" and one.law and one.number:
            below = "".join(f"({part})" for part in one.below)
            yield Cite(law=one.law, article=f"{one.number}{below}")
