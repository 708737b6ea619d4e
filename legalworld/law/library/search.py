"""Search of articles and cases by words (BM25); a ranker, where one is given, reorders the best hits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from ...model.immutable import immutable
from ...model.text import SIGNS, folded
from .index import Index, words
from .law import Article
from .law_facts import short_name
from .reranker import Ranker
from .store import CaseRecord, Store

POOL = 50  # hits that a ranker orders anew
MAX_QUERY = 2000  # characters of a query that are read
MAX_TOP = 200

_Hit = TypeVar("_Hit")

# A word in the heading above an article, or in the name of its law, says less than one in its text.
_ARTICLE_FIELDS: Mapping[str, float] = {"text": 1.0, "path": 0.2, "law": 0.3}
_CASE_FIELDS: Mapping[str, float] = {"text": 1.0, "title": 0.6, "cause": 1.0}


@immutable
class CaseHit:
    """`snippet`: the stretch of the text that has most of the words."""

    score: float
    case: CaseRecord
    snippet: str


def article_index(folder: Path, store: Store) -> Index:
    def rows(after: int, count: int) -> list[tuple[int, int, Mapping[str, str]]]:
        return [
            (row, version, {"text": _whole(article), "path": " ".join(article.path), "law": short_name(law)})
            for row, version, law, article in store.articles_after(after, count)
        ]

    return Index(folder, "article", _ARTICLE_FIELDS, rows)


def _whole(article: Article) -> str:
    return f"{article.title}\n{article.text}"


def case_index(folder: Path, store: Store) -> Index:
    def rows(after: int, count: int) -> list[tuple[int, int, Mapping[str, str]]]:
        return [
            (case.id, 0, {"text": case.text, "title": case.title, "cause": case.cause})
            for case in store.cases_after(after, count)
        ]

    return Index(folder, "case", _CASE_FIELDS, rows)


def search_cases(
    index: Index, store: Store, query: str, *, top: int, without: Collection[str], ranker: Ranker | None
) -> list[CaseHit]:
    """The most similar cases. `without`: numbers (案号) or digests of cases that must not be found."""
    top = max(1, min(top, MAX_TOP))
    # 〔2023〕, (2023) and （2023） are one
    left_out = {folded(number, SIGNS) for number in without if number}
    count = max(top, POOL if ranker else 0)
    hits = index.search(store, query, count + 10 * len(left_out))
    cases = store.cases(row for _, row in hits)
    kept = [
        (score, cases[row])
        for score, row in hits
        if row in cases and not left_out.intersection((folded(cases[row].number, SIGNS), cases[row].digest))
    ][:count]
    if ranker is not None:
        kept = ranked(ranker, query, kept, [snippet(case.text, query, 600) for _, case in kept])
    return [CaseHit(score, case, snippet(case.text, query)) for score, case in kept[:top]]


def ranked(
    ranker: Ranker, query: str, hits: list[tuple[float, _Hit]], texts: Sequence[str]
) -> list[tuple[float, _Hit]]:
    """The hits in the order of the ranker's scores, which replace theirs; of equal ones the better by words first."""
    scores = ranker.scores(query, texts) if texts else []
    order = sorted(range(len(hits)), key=lambda at: (-scores[at], at))
    return [(scores[at], hits[at][1]) for at in order]


def snippet(text: str, query: str, width: int = 120) -> str:
    """At most `width` characters of the text, around most of the query's words."""
    flat = " ".join(text.split())
    if len(flat) <= width:
        return flat
    places = sorted({at for word in set(words(query)) for at in _places(flat, word)})
    best = max(places, key=lambda at: (sum(at <= other < at + width - 10 for other in places), -at), default=0)
    start = max(0, min(best - 10, len(flat) - width))
    return ("\u2026" if start else "") + flat[start : start + width] + ("\u2026" if start + width < len(flat) else "")


def _places(text: str, word: str) -> list[int]:
    """The first places of a word."""
    places, at = list[int](), text.find(word)
    while at >= 0 and len(places) < 20:
        places.append(at)
        at = text.find(word, at + 1)
    return places
