"""Whose voice a reply speaks in: its own label is cut off, and nobody in it speaks for somebody else.

What others hear stands in their prompts behind a label and a colon. A reply that writes such a line itself, however it
disguises it, must not look as if somebody else, or the procedure, had spoken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, normalize

from ..language.sentences.keywords import FOREWORDS, SYSTEM_SPEAKERS
from ..model.events import ReplyForm

Faults = tuple[tuple[str, str], ...]

_LABEL = re.compile(r"^[ \t\u3000>*#]*+【?(?P<who>[^\n：:【】]{1,60}?)】?\*{0,3}[ \t\u3000]{0,8}[：:]", re.MULTILINE)
# The same with whatever looks like it: bullets, other brackets, other colons.
_ALIKE = re.compile(
    r"^[^\S\n]*+[>*#•·‣◦\-–— \t]*+(?:\d{1,2}[.、)）])?[ \t\u3000]*+[【\[〔〖「『<]?"
    r"(?P<who>[^\n：:∶꞉︰﹕˸ː【】]{1,60}?)[】\]〕〗」』>]?[*_]{0,3}\s{0,8}[：:∶꞉︰﹕˸ː]",
    re.MULTILINE,
)
_HEADING = re.compile(
    r"^(?P<before>[ \t\u3000>*#]*+)【(?P<words>[^\w\n【】]{0,20}\w[^\n【】]{0,60})】"
    r"(?P<after>[ \t\u3000]*+(?:[：:∶]|$))",
    re.MULTILINE,
)
_LONGEST_FOREWORD = 60  # characters
_ASIDE = re.compile(r"[（(][^（()）]{0,30}[)）]\Z")
# What chat models mark the turns of a conversation with.
_MARKER = re.compile(r"<\|([^|<>\n]{1,40})\|>|\[(/?INST)\]|<<(/?SYS)>>|<(/?s)>|<(start_of_turn|end_of_turn)>")


class Voice(NamedTuple):
    """What is left of a reply, and what was found wrong with it."""

    text: str
    faults: Faults = ()


def one_voice(text: str, form: ReplyForm) -> Voice:
    """The reply without its speaker's own label, and without all that follows where it speaks for somebody else."""
    others = _others(form)
    text = _without_foreword(text, form)
    own = _LABEL.match(text)
    # His title alone is his own too, where a label is title and name, and his name; and where it is nobody else's.
    who = bare(own["who"]) if own is not None else ""
    his = bare(form.own).startswith(who) or who in {bare(word) for word in form.called}
    if own is not None and his and who not in others:
        text = text[own.end() :].lstrip()
    for found in _LABEL.finditer(text):
        if bare(found["who"]) in others:
            return Voice(text[: found.start()].rstrip(), (("speaks_for_another", found["who"].strip()),))
    return Voice(text)


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
    names = _others(form) | SYSTEM_SPEAKERS
    forged = [found for found in _ALIKE.finditer(text) if any(word in names for word in _readings(found["who"]))]
    for found in reversed(forged):
        text = f"{text[: found.start()]}〔{found['who'].strip()}〕{text[found.end() :]}"
    faults += [("forged_speaker", found["who"].strip()) for found in forged]
    return Voice(_HEADING.sub(r"\g<before>〔\g<words>〕\g<after>", text), tuple(faults))


def unmarked(text: str) -> str:
    """The words without the markers of chat models: what stands in them stays."""
    return _MARKER.sub(lambda found: f"〔{found[found.lastindex or 0]}〕", text)


def _others(form: ReplyForm) -> set[str]:
    return {bare(label) for label in form.labels} - {bare(form.own)}


@lru_cache(1024)
def bare(label: str) -> str:
    """A label without the blanks, stars and capitals by which it may be written another way."""
    return "".join(label.split()).strip("*<>").replace("’", "'").casefold()


def _readings(who: str) -> Iterator[str]:
    """What a label may be read as: without signs that nobody sees, without what is said about it in brackets."""
    seen = bare("".join(sign for sign in normalize("NFKC", who) if category(sign) not in ("Cf", "Mn", "Cc")))
    yield seen
    yield _ASIDE.sub("", seen)
    yield seen.strip("()")
