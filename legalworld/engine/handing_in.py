"""Documents handed in: whether words are one, and where it is when they are not.

A model that was to hand in a document may say that it has: in an earlier turn, or with a tool.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..language.sentences.keywords import AFTERWORDS, ANNEXES, FOREWORDS, OFFERS, REFERENCES, WRITTEN_DAY
from .nearest import plain

_LONGEST = 200  # characters of a preamble to a document without parts
_LONGEST_HEADING = 40  # letters of a line that ends with a title
_LONGEST_SIGNATURE = 40  # characters of a line that signs
_SHORTEST_SENTENCE = 16
_LONGEST_REPEAT = 200  # characters that a reply which goes on may say once more
_SHORTEST_REPEAT = 6
_DRESS = "#*《》【】 \u3000"
_IN_BRACKETS = re.compile(r"[（(【\[][^（）()\n]*[。.！!][)）】\]]")
_RULE = re.compile(r"\n[-*—]{3,40}\Z")
_UNRULED = re.compile(r"\A(?:[-*—]{3,40}\s*\n)+")
_DAY_LINE = re.compile(rf"[^\n]{{0,8}}?(?:{WRITTEN_DAY})[^\n]{{0,6}}")
_ANNOUNCES = ("：", ":")
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


def without_preamble(title: str, text: str, sections: tuple[str, ...] = ()) -> tuple[str, str]:
    """(a document, words before it that are none of it): those that end or begin as speech does, above its title.

    A court's name stands above the title, too; it ends with no stop. Where parts of the document stand above, the title
    is another's; of a document without parts nobody can tell by more than the length.
    """
    lines = text.splitlines(keepends=True)
    at = next((n for n, line in enumerate(lines) if titled(title, line)), 0)
    said = [n for n in range(at) if _spoken(lines[n])]
    before = "".join(lines[: said[-1] + 1]) if said else ""
    foreign = len(absent(sections, before)) == len(sections) if sections else len(before) <= _LONGEST
    return (text[len(before) :].lstrip(), before.strip()) if before and foreign else (text, "")


def titled(title: str, line: str) -> bool:
    """Whether a line is a title, alone or behind a court's name: blanks, marks, width and case of letters apart."""
    wanted, there = plain(title), plain(line)
    behind = there.endswith(wanted) and len(there) <= _LONGEST_HEADING and not _spoken(line)
    return bool(wanted) and (there == wanted or behind)


def _spoken(line: str) -> bool:
    words = line.strip().strip(_DRESS)
    return (
        words.endswith(_SPOKEN) or words.casefold().startswith(FOREWORDS) or bool(_RULE.fullmatch(f"\n{line.strip()}"))
    )


def without_afterword(text: str, sections: tuple[str, ...] = ()) -> tuple[str, str]:
    """(a document, words behind it that are none of it).

    Behind the day on which it is signed: from the first line on that is neither a signature nor an annex. Else the last
    paragraphs that offer it, or changes.
    """
    signed = _signed(text.rstrip())
    foreign = len(absent(sections, text[signed:])) == len(sections) if sections else 2 * signed > len(text)
    if signed and foreign:  # a letter is dated above
        return _RULE.sub("", text[:signed].rstrip()).rstrip(), _UNRULED.sub("", text[signed:].strip())
    before, gap, last = text.rstrip().rpartition("\n\n")
    if gap and (offers(last) or _aside(last)):
        before, behind = without_afterword(_RULE.sub("", before.rstrip()).rstrip(), sections)
        return before, "\n\n".join(filter(None, (behind, last.strip())))
    return text, ""


def _aside(text: str) -> bool:
    """Whether a last paragraph is a sentence in brackets, as writers speak about what they wrote: no form ends so."""
    words = text.strip().strip("*")
    return bool(_IN_BRACKETS.fullmatch(words)) and len(words) <= _LONGEST


def _signed(text: str) -> int:
    """Where words begin behind the day and the signatures of a document; 0 where none do."""
    places, at = [], 0
    for line in text.splitlines(keepends=True):
        places.append((at, line.strip()))
        at += len(line)
    day = next((n for n in reversed(range(len(places))) if _DAY_LINE.fullmatch(places[n][1].strip(_DRESS))), None)
    if day is None:
        return 0
    for at, line in places[day + 1 :]:
        if line.casefold().startswith(ANNEXES):
            return 0
        if line and not _signature(line):
            return at
    return 0


def _signature(line: str) -> bool:
    """Whether a line behind the day belongs to a document: a name, a seal, that a copy is true; not what offers it."""
    words = line.strip(_DRESS)
    rule = bool(_RULE.fullmatch(f"\n{line}"))
    short = len(words) <= _LONGEST_SIGNATURE and not words.casefold().startswith((*AFTERWORDS, *FOREWORDS))
    said = words.rstrip('）)”’"')
    sentence = said.endswith(_SPOKEN) and (said.endswith(_ANNOUNCES) or len(said) > _SHORTEST_SENTENCE)
    return rule or (short and not sentence)


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
