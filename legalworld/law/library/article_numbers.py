"""Numbers of articles, paragraphs and items as people write them; the patterns are in `articles.toml`."""

from __future__ import annotations

import re
import unicodedata

from ..text.lexicon import pattern, words
from ..text.numerals import ordinal, spelled
from .law import ArticleNumber

LONGEST = 40  # characters of a number, with its marks


def parse_article(text: str) -> ArticleNumber | None:
    """675, 133-1, 第一百三十三条之一, 第133条之一; None for anything else."""
    match = _matched("article", text)
    if match is None:
        return None
    main, sub = ordinal(match["main"]), ordinal(match["sub"] or "")
    return ArticleNumber(main, sub or 0) if main and (sub or not match["sub"]) else None


def parse_count(text: str) -> int | None:
    """2, 第二款, 三, （三）, 第（三）项; None for anything else."""
    match = _matched("count", text)
    return (ordinal(match["n"]) or None) if match is not None else None


def parse_place(text: str) -> tuple[ArticleNumber, int, int, int] | None:
    """Article, paragraph, item and point of 第五百六十三条第一款第（四）项; 0 for what is not named."""
    number = parse_article(text)
    if number is not None:
        return number, 0, 0, 0
    match = pattern("articles", "place").match("".join(text.split())) if len(text) <= 2 * LONGEST else None
    number = parse_article(match["article"]) if match is not None else None
    if match is None or number is None:
        return None
    paragraph, item, point = (parse_count(match[part]) if match[part] else 0 for part in ("paragraph", "item", "point"))
    return None if paragraph is None or item is None or point is None else (number, paragraph, item, point)


def _matched(key: str, text: str) -> re.Match[str] | None:
    text = unicodedata.normalize("NFKC", text).strip()
    return pattern("articles", key).match(text) if len(text) <= LONGEST else None


def written(number: ArticleNumber) -> str:
    """第一百三十三条之一."""
    forms = words("articles", "written")
    sub = forms["sub"].format(sub=spelled(number.sub)) if number.sub else ""
    return forms["article"].format(main=spelled(number.main)) + sub


def written_parts(paragraph: int = 0, item: int = 0, point: int = 0) -> str:
    """第二款第（三）项第1目; a number of 0 is left out."""
    parts = {"paragraph": (paragraph, spelled(paragraph)), "item": (item, spelled(item)), "point": (point, point)}
    forms = words("articles", "written")
    return "".join(forms[part].format(n=shown) for part, (number, shown) in parts.items() if number)
