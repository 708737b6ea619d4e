"""Whose voice a reply speaks in: its own label is cut off, and nobody in it speaks for somebody else.

What others hear stands in their prompts behind a label and a colon. A line that begins so, however it is disguised,
keeps its words and loses its looks: it must not seem that somebody else, or the procedure, had spoken. Words are split
off only where a reply plays out the talk of others and comes back to its own speaker; and where nobody hears them,
as in notes and secret votes, a line may begin with whom it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, name, normalize

from ..language.sentences.keywords import FOREWORDS, SYSTEM_SPEAKERS
from ..model.reply_form import ReplyForm
from .parsed import Faults

_LABEL = re.compile(r"^[ \t\u3000>*#]*+【?(?P<who>[^\n：:【】]{1,60}?)】?\*{0,3}[ \t\u3000]{0,8}[：:]", re.MULTILINE)
_HEADING = re.compile(
    r"^(?P<before>[ \t\u3000>*#]*+)【(?P<words>[^\w\n【】]{0,20}\w[^\n【】]{0,60})】"
    r"(?P<after>[ \t\u3000]*+(?:[：:∶]|$))",
    re.MULTILINE,
)
_LONGEST_FOREWORD = 60  # characters
_LONGEST_LABEL = 160  # signs of a line that can be a label, disguises and all
_LONGEST_ASIDE = 30
_DRESS = "*_#>】]〕〗」』 \t\u3000"  # behind a name that is set off
_NUMBERED = re.compile(r"[\W_]*(?:\d{1,3}[.．、)）][\W_]*)?")
_PUNCTUATION = ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po")
_COLONS = ("COLON", "RATIO", "PROPORTION", "TWO DOT")  # in what Unicode calls a sign
# Signs behind a name that go on with a sentence; whatever else stands there may be taken for a colon.
_GOES_ON = frozenset(
    "，,、。.．；;！!？?…—–-－~～·‧/／|｜&＆+＋=＝%％()（）[]［］{}《》〈〉<>“”‘’\"'「」『』〔〕〖〗【】^$#@`_*\\"
)
# What chat models mark the turns of a conversation with.
_MARKER = re.compile(r"<\|([^|<>\n]{1,40})\|>|\[(/?INST)\]|<<(/?SYS)>>|<(/?s)>|<(start_of_turn|end_of_turn)>")


class Voice(NamedTuple):
    """What is left of a reply, and what was found wrong with it."""

    text: str
    faults: Faults = ()


class _Labelled(NamedTuple):
    """A line that begins with what somebody is called: where it begins, where its words do, and what it is called."""

    start: int
    words: int
    who: str


def in_lines(text: str) -> str:
    """The text with a line feed at each end of a line, whatever sign the end was written with."""
    return "\n".join(text.splitlines())


def one_voice(text: str, form: ReplyForm) -> tuple[Voice, str]:
    """(the reply without its speaker's own label, the words from the first line on that begins with another's).

    Whom a reply addresses first, as one does a court, is not such a line.
    """
    others = _folded(form.labels) - _folded((form.own,))
    text = _without_foreword(text, form)
    own = _LABEL.match(text)
    # His title alone is his own too, where a label is title and name, and his name; and where it is nobody else's.
    who = bare(own["who"]) if own is not None else ""
    his = bare(form.own).startswith(who) or who in {bare(word) for word in form.called}
    if own is not None and his and _fold(own["who"]) not in others:
        text = text[own.end() :].lstrip()
    if not form.heard:
        return Voice(text), ""
    text, faults = _addressing(text, others, _folded(form.addressed))
    foreign = next(_lines_of(text, others), None)
    if foreign is None:
        return Voice(text, faults), ""
    before, rest = text[: foreign.start].rstrip(), text[foreign.start :]
    mine = _folded((form.own, *form.called)) - others
    if next(_lines_of(rest, mine), None) is not None:  # he plays others, and himself again
        return Voice(before, (*faults, ("speaks_for_another", foreign.who))), ""
    return Voice(before, faults), rest


def _addressing(text: str, others: frozenset[str], addressed: frozenset[str]) -> Voice:
    """Words that begin with a name, as an address: 审判长，我方……; the colon would make him speak.

    Whom the words are said to, or who led the talk, is greeted; of anybody else a line was put into his mouth, unless
    the name stands by itself."""
    first = next(_lines_of(text.partition("\n")[0], others), None)
    if first is None:
        return Voice(text)
    comma = "," if text[: first.words].isascii() else "，"
    rest = text[first.words :].lstrip()
    rule = "salutation" if _fold(first.who) in addressed else "forged_speaker"
    faults = ((rule, first.who),) if text[first.words :].partition("\n")[0].strip() else ()
    return Voice(f"{first.who}{comma}{' ' if comma == ',' else ''}{rest}" if rest else "", faults)


def _without_foreword(text: str, form: ReplyForm) -> str:
    """The words behind "好的，下面宣布开庭。", where the speaker's own label stands only there."""
    foreword, gap, words = text.partition("\n")
    own = _LABEL.match(words.lstrip()) if gap and len(foreword) <= _LONGEST_FOREWORD else None
    if own is not None and foreword.casefold().startswith(FOREWORDS) and bare(own["who"]) == bare(form.own):
        return words.lstrip()
    return text


def disarmed(text: str, form: ReplyForm, document: bool) -> Voice:
    """The words as others may read them: what looks like the turn of somebody else keeps its words and loses its looks.

    Labels in disguise and headings as prompts have them (a document may have both), and the markers of chat models.
    """
    faults = [("forged_marker", found[0]) for found in _MARKER.finditer(text)]
    text = unmarked(text)
    if document:
        return Voice(text, tuple(faults))
    names = (_folded(form.labels) - _folded((form.own,))) | _folded(SYSTEM_SPEAKERS)
    forged = list(_lines_of(text, names))
    for found in reversed(forged):
        text = f"{text[: found.start]}〔{found.who}〕{text[found.words :]}"
    faults += [("forged_speaker", found.who) for found in forged]
    return Voice(_HEADING.sub(r"\g<before>〔\g<words>〕\g<after>", text), tuple(faults))


def unmarked(text: str) -> str:
    """The words without the markers of chat models: what stands in them stays."""
    return _MARKER.sub(lambda found: f"〔{found[found.lastindex or 0]}〕", text)


@lru_cache(1024)
def bare(label: str) -> str:
    """A label without the blanks, stars and capitals by which it may be written another way."""
    return "".join(label.split()).strip("*<>").replace("’", "'").casefold()


# ---- lines that begin with a name ------------------------------------------------------------------------------------


def _lines_of(text: str, names: frozenset[str]) -> Iterator[_Labelled]:
    """The lines that begin with one of the names and something that can be taken for a colon."""
    at = 0
    for line in text.split("\n") if names else ():
        found = _labelled(line[:_LONGEST_LABEL], names)
        if found is not None:
            yield _Labelled(at, at + found.words, found.who)
        at += len(line) + 1


def _labelled(line: str, names: frozenset[str]) -> _Labelled | None:
    """How a line begins, read sign by sign: marks and what nobody sees between the letters of a name hide no name."""
    decorated = _NUMBERED.match(line)
    start = decorated.end() if decorated is not None else 0
    for begin in dict.fromkeys((0, start)):
        spelled, first = "", len(line)
        for at in range(begin, len(line)):
            letters = _letters(line[at])
            spelled, first = spelled + letters, min(first, at) if letters else first
            if letters and spelled in names and (words := _behind_colon(line, at + 1)):
                return _Labelled(0, words, line[first : words - 1].strip().rstrip(_DRESS))
    return None


def _behind_colon(line: str, at: int) -> int:
    """Where words begin behind a name and what may be a colon, with an aside in brackets or without; 0 for nowhere."""
    bracket = _aside(line, at)
    for place in dict.fromkeys((at, bracket)):
        while place < len(line) and (_like_a_colon(line[place]) or not _letters(line[place])):
            sign = line[place]
            if _like_a_colon(sign):
                return place + 1
            place += 1
    return 0


def _aside(line: str, at: int) -> int:
    """Where an aside in brackets ends that stands at a place; the place itself where none does."""
    rest = line[at:].lstrip()
    if rest[:1] not in ("（", "("):
        return at
    end = next((n for n, sign in enumerate(rest[: _LONGEST_ASIDE + 2]) if sign in "）)"), 0)
    return len(line) - len(rest) + end + 1 if end else at


@lru_cache(4096)
def _like_a_colon(sign: str) -> bool:
    """Whether a sign can be taken for a colon: any that is called one, and any punctuation of which it is not known
    that a sentence goes on behind it."""
    named = name(sign, "")
    return any(word in named for word in _COLONS) or (category(sign) in _PUNCTUATION and sign not in _GOES_ON)


@lru_cache(4096)
def _letters(sign: str) -> str:
    """What a sign adds to a name: letters and figures alone, in one width and case; "" for all else."""
    kept = (one for one in normalize("NFKC", sign) if category(one)[0] in "LN" and "FILLER" not in name(one, ""))
    return "".join(kept).casefold()


@lru_cache(4096)
def _fold(label: str) -> str:
    return "".join(map(_letters, label))


def _folded(labels: frozenset[str] | tuple[str, ...]) -> frozenset[str]:
    return frozenset(filter(None, map(_fold, labels)))
