"""Numbers of articles, paragraphs and items, as people write them; the patterns of `layout.toml`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from .law import ArticleNumber

LONGEST = 40  # characters of a number, with its marks


@cache
def layout() -> Mapping[str, Mapping[str, Any]]:
    """Section -> name -> compiled pattern (of `written`: the text itself)."""
    import tomllib

    table = tomllib.loads((resources.files(__package__) / "layout.toml").read_text("utf-8"))
    holes = {"{digits}": table.pop("digits"), "{date}": table.pop("date")}

    def compiled(text: str) -> re.Pattern[str]:
        for hole, pattern in holes.items():
            text = text.replace(hole, pattern)
        return re.compile(text)

    return {
        section: dict(entries) if section == "written" else {key: compiled(text) for key, text in entries.items()}
        for section, entries in table.items()
    }


def parse_article(text: str) -> ArticleNumber | None:
    """675, 133-1, 第一百三十三条之一, 第133条之一; None for anything else."""
    text = unicodedata.normalize("NFKC", text).strip()
    found = layout()["number"]["article"].match(text) if len(text) <= LONGEST else None
    if found is None:
        return None
    main, sub = numeral(found["main"]), numeral(found["sub"] or "")
    return ArticleNumber(main, sub or 0) if main and (sub or not found["sub"]) else None


def parse_count(text: str) -> int | None:
    """2, 第二款, 三, （三）, 第（三）项; None for anything else."""
    text = unicodedata.normalize("NFKC", text).strip()
    found = layout()["number"]["count"].match(text) if len(text) <= LONGEST else None
    return (numeral(found["n"]) or None) if found is not None else None


def parse_place(text: str) -> tuple[ArticleNumber, int, int, int] | None:
    """Article, paragraph, item and point of 第五百六十三条第一款第（四）项; 0 for what is not named."""
    number = parse_article(text)
    if number is not None:
        return number, 0, 0, 0
    found = layout()["number"]["place"].match("".join(text.split())) if len(text) <= 2 * LONGEST else None
    number = parse_article(found["article"]) if found is not None else None
    if found is None or number is None:
        return None
    counts = [parse_count(found[part]) if found[part] else 0 for part in ("paragraph", "item", "point")]
    paragraph, item, point = counts
    return None if paragraph is None or item is None or point is None else (number, paragraph, item, point)


@lru_cache(4096)
def numeral(text: str) -> int | None:
    """三百零一 or 301 -> 301; None for what is no number."""
    if text.isascii():
        return int(text) if text.isdigit() else None
    from cn2an import cn2an

    try:
        return int(cn2an(text, "normal"))
    except ValueError:
        return None


def written(number: ArticleNumber) -> str:
    """第一百三十三条之一."""
    words = layout()["written"]
    sub = words["sub"].format(sub=_spelled(number.sub)) if number.sub else ""
    return str(words["article"].format(main=_spelled(number.main)) + sub)


def written_parts(paragraph: int = 0, item: int = 0, point: int = 0) -> str:
    """第二款第（三）项第1目; a number of 0 is left out."""
    words, parts = layout()["written"], []
    if paragraph:
        parts.append(words["paragraph"].format(n=_spelled(paragraph)))
    if item:
        parts.append(words["item"].format(n=_spelled(item)))
    if point:
        parts.append(words["point"].format(n=point))
    return "".join(parts)


@lru_cache(4096)
def _spelled(number: int) -> str:
    from cn2an import an2cn

    words = layout()["written"]
    return re.sub(words["ten"], words["ten_written"], str(an2cn(number, "low")))
