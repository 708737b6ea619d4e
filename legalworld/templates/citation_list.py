"""The laws that a judgment rests on, as it lists them: each named once, its articles behind it, in a set order.

    cited("《B法》第三条、《A法》第五条、《B法》第一条第二款、第三款", ["A", "B"])
    -> "《A法》第五条，《B法》第一条第二款、第三款、第三条"

Which law comes first is data: beginnings of names in their order, of which the longest that fits counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from ..language.sentences.norm_words import CITED_ORDINAL, CITED_PARTS
from ..language.sentences.quantities import numeral

_LAW: Final = re.compile(r"\u300a[^\u300a\u300b]*\u300b")
_ARTICLE: Final = re.compile(r"\u7b2c([^\u7b2c\u6761]{1,12})\u6761(?:\u4e4b([^\u7b2c\u6761]{1,3}))?")
_LISTED, _COMMA = "\u3001", "\uff0c"
_SEPARATORS: Final = re.compile(f"[{_LISTED}{_COMMA}\uff1b]")


def cited(words: str, order: Sequence[str]) -> str:
    """The citations of a text, each once. Words that cite nothing stay as they are."""
    laws: dict[str, dict[str, None]] = {}
    titles = list(_LAW.finditer(words))
    ends = [*(title.start() for title in titles), len(words)][1:]
    for found, end in zip(titles, ends, strict=False):
        articles = laws.setdefault(found[0], {})
        articles.update(dict.fromkeys(_articles(words[found.end() : end])))
    named = sorted(laws, key=lambda law: _rank(law[1:-1], order))
    return _COMMA.join(law + _LISTED.join(sorted(laws[law], key=_number)) for law in named) or words


def citations(laws: Sequence[Mapping[str, Any]], locale: str) -> str:
    """Laws with their articles as a text: as Chinese documents cite them, else by their plain numbers."""
    if locale != "zh":
        named = (f"{law['law']} {', '.join(map(_plain_article, law['articles']))}".strip() for law in laws)
        return "; ".join(named)
    return _COMMA.join(
        f"\u300a{law['law']}\u300b{_LISTED.join(map(_chinese_article, law['articles']))}" for law in laws
    )


def _plain_article(article: Mapping[str, str]) -> str:
    parts = (article[key] for key, _ in CITED_PARTS[1:])
    return "".join((article["article"], *(f"({part})" for part in parts if part)))


def _chinese_article(article: Mapping[str, str]) -> str:
    parts = ((article[key], word) for key, word in CITED_PARTS)
    return "".join(f"{CITED_ORDINAL}{_spelled(number)}{word}" for number, word in parts if number)


def _spelled(number: str) -> str:
    """A number in Chinese words; a digit that is none of a number stays."""
    return str(import_module("cn2an").an2cn(str(number))) if number.isdigit() else number


def _articles(words: str) -> list[str]:
    """The articles behind a law; what names no article of its own (a further paragraph) stays with the one before."""
    found: list[str] = []
    for piece in filter(None, map(str.strip, _SEPARATORS.split(words))):
        if _ARTICLE.match(piece) or not found:
            found.append(piece)
        else:
            found[-1] += _LISTED + piece
    return found


def _number(article: str) -> tuple[int, int]:
    match = _ARTICLE.match(article)
    return (numeral(match[1]) or 0, numeral(match[2] or "") or 0) if match else (0, 0)


def _rank(law: str, order: Sequence[str]) -> int:
    """The place of the longest beginning that fits; behind all of them where none does."""
    fitting = [place for place, begins in enumerate(order) if law.startswith(begins)]
    return max(fitting, key=lambda place: len(order[place]), default=len(order))
