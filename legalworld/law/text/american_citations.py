"""Citations of American acts, rules and cases, by eyecite.

eyecite is an optional extra: it takes 12 MB, a second to be imported and 45 MB of memory, and is imported when it is
asked for. What it leaves out is read beside it: sections that share a sign, rules of procedure, and what a short form
stands for where that is cited in full before. A short form of nothing that is known is no citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from .english_citations import EnglishCitation
from .lexicon import apart, pattern

LIBRARY: Final = "eyecite"


def reads_american() -> bool:
    """Whether eyecite is installed."""
    return find_spec(LIBRARY) is not None


def american_citations(text: str) -> tuple[EnglishCitation, ...]:
    """Citations of acts, rules and cases of the United States. ImportError where eyecite is not installed."""
    found = [*_rules(text)]
    for each in import_module(LIBRARY).get_citations(text):
        found += _american(text, each, [one for one in found if one.start < each.span()[0]])
    return tuple(apart(sorted(found, key=lambda one: (one.start, -one.end))))


def _american(text: str, found: Any, before: list[EnglishCitation]) -> Iterator[EnglishCitation]:
    groups: Mapping[str, str | None] = found.groups or {}
    start, end = found.span()
    match type(found).__name__:
        case "IdCitation":
            last = max(before, key=lambda one: one.start, default=None)
            if last is not None:
                yield replace(last, start=start, end=end)
        case "ShortCaseCitation":
            whole = (
                one for one in before if (one.volume, one.report) == (groups.get("volume"), groups.get("reporter"))
            )
            yield from (replace(one, start=start, end=end) for one in [*whole][-1:])
        case _ if groups.get("section"):
            yield from _sections(text, found, groups)
        case _ if groups.get("page"):
            yield _case(found, groups)


def _case(found: Any, groups: Mapping[str, str | None]) -> EnglishCitation:
    start, end = found.span()
    meta = found.metadata
    sides = [side for name in ("plaintiff", "defendant") if (side := getattr(meta, name, None))]
    return EnglishCitation(
        start,
        end,
        "case",
        number=groups["page"] or "",
        name=" v. ".join(sides),
        year=getattr(meta, "year", None) or "",
        court=getattr(meta, "court", None) or "",
        volume=groups.get("volume") or "",
        report=groups.get("reporter") or "",
    )


def _sections(text: str, found: Any, groups: Mapping[str, str | None]) -> Iterator[EnglishCitation]:
    """The section that eyecite found, and those behind it that share its sign."""
    start, end = found.span()
    rest = re.compile(r"(?:[.-]?\w+)*(?:\(\w{1,5}\))*").match(text, end)  # eyecite stops at the point of 240.10b-5
    whole = (groups["section"] or "") + (rest.group() if rest is not None else "")
    end = rest.end() if rest is not None else end
    law = " ".join(filter(None, (groups.get("title") or groups.get("chapter"), groups.get("reporter"))))
    number, below = _cut(whole)
    first = EnglishCitation(start, end, "provision", law, "section", number, below, year=found.metadata.year or "")
    yield first
    if pattern("english_law", "several").search(text, start, end) is None:
        return
    while (more := pattern("english_law", "one_more").match(text, end)) is not None:
        number, below = _cut(more["section"])
        yield replace(first, start=more.start("section"), end=more.end(), number=number, below=below)
        end = more.end()


def _cut(written: str) -> tuple[str, tuple[str, ...]]:
    number, *below = re.split(r"\)?\(", written.rstrip(")"))
    return number, tuple(below)


def _rules(text: str) -> Iterator[EnglishCitation]:
    """Rules of procedure and evidence, by the letters that stand for them."""
    for match in pattern("english_law", "rule_of").finditer(text):
        number, below = _cut(match["section"])
        law = " ".join(match["law"].split())
        yield EnglishCitation(match.start(), match.end(), "provision", law, "rule", number, below)
