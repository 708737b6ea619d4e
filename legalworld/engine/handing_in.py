"""Documents handed in: whether words are one, and where it is when they are not.

A model that was to hand in a document may say that it has: in an earlier turn, or with a tool.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..language.sentences.keywords import AFTERWORDS, OFFERS, REFERENCES

_HEAD = 8  # lines above which a title stands
_LONGEST = 200  # characters of a preamble
_LONGEST_REPEAT = 200  # characters that a reply which goes on may say once more
_SHORTEST_REPEAT = 6
_DRESS = "#*《》【】 \u3000"
_RULE = re.compile(r"\n[-*—]{3,40}\Z")
_SPOKEN = ("。", "：", ":", "！", "!", "？", "?", "~", ".")


def absent(sections: tuple[str, ...], text: str) -> tuple[str, ...]:
    """The sections of a document whose names stand nowhere in a text."""
    return tuple(section for section in sections if section not in text)


def holds(sections: tuple[str, ...], text: str) -> bool:
    """Whether a text is a document of these sections, not a sentence about it: it names most, on more than one line.

    Of a document without sections nobody can tell.
    """
    lines = len(sections) < 3 or "\n" in text.strip()
    return bool(sections) and lines and 2 * len(absent(sections, text)) <= len(sections)


def without_preamble(title: str, text: str) -> tuple[str, str]:
    """(a document, words before it that are none of it): those that end as speech does, above the line of its title.

    A court's name stands above the title, too; it ends with no stop.
    """
    lines = text.splitlines(keepends=True)
    at = next((n for n, line in enumerate(lines[:_HEAD]) if line.strip().strip(_DRESS) == title), 0)
    said = [n for n in range(at) if lines[n].rstrip().endswith(_SPOKEN)]
    before = "".join(lines[: said[-1] + 1]) if said else ""
    return (text[len(before) :].lstrip(), before.strip()) if 0 < len(before) <= _LONGEST else (text, "")


def without_afterword(text: str) -> tuple[str, str]:
    """(a document, words behind it that are none of it): a last paragraph of one line that offers it, or changes."""
    before, gap, last = text.rstrip().rpartition("\n\n")
    if gap and offers(last):
        return _RULE.sub("", before.rstrip()).rstrip(), last.strip()
    return text, ""


def offers(text: str) -> bool:
    """Whether words are one line, below a rule or not, that offers what was written, or changes to it."""
    words = text.strip().strip(f"{_DRESS}-—\n").casefold()
    offered = words.startswith(AFTERWORDS) and any(word in words for word in OFFERS)
    return offered and "\n" not in words and len(words) <= _LONGEST


def refers_back(text: str) -> bool:
    """Whether words point to what was said before: as above."""
    words = text.casefold()
    return any(word in words for word in REFERENCES)


def fullest(sections: tuple[str, ...], *texts: str) -> str:
    """Of several texts the one that names most sections, of equals the first."""
    return min(texts, key=lambda text: len(absent(sections, text)))


def put_together(pieces: Sequence[str]) -> str:
    """Words that came in several replies, each going on where the one before broke off, without what is repeated."""
    whole = ""
    for piece in pieces:
        most = min(_LONGEST_REPEAT, len(whole), len(piece))
        again = next((n for n in range(most, _SHORTEST_REPEAT - 1, -1) if whole.endswith(piece[:n])), 0)
        whole += piece[again:]
    return whole
