"""Marks in a reply that nobody declared: what they enclose may be a thought, a call or anything, so it is not spoken.

Models set apart what they think and call in marks of their own; a table (`model/dialect.toml`) knows only those that
were met. Of all others this much is certain: the procedure did not ask for them, and nobody sent them. So a reply that
holds paired tags of any name and kind of bracket, a tag in angle brackets, or control tokens is asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple
from unicodedata import category

from ..model.dialect import known_dialect
from ..model.reply_form import ReplyForm
from .reply_reader import QUOTES, holds_marks, read

LONGEST: Final = 320  # characters of one mark, with its attributes
SHOWN: Final = 60  # characters of a mark that are told
_WORD: Final = r"[^\W\d_](?:[\w.\-·▁]|:(?=\w)){0,60}"
_NAME: Final = rf"{_WORD}(?: [\w.\-]{{1,30}}){{0,3}}"
_PAIRS: Final = {"(": ")", "[": "]", "{": "}", "<": ">", "（": "）", "［": "］", "｛": "｝", "＜": "＞", "〈": "〉"}
_MORE_PAIRS: Final = {"《": "》", "「": "」", "『": "』", "【": "】", "〔": "〕", "〖": "〗", "‹": "›", "«": "»"}
_TRIANGLES: Final = {"◁": "▷", "◀": "▶", "◄": "►", "◃": "▹", "◂": "▸", "⊲": "⊳"}
_BRACKETS: Final = {**_PAIRS, **_MORE_PAIRS, **_TRIANGLES, "“": "”", "‘": "’"}
_IN_PROSE: Final = frozenset("([{（［｛〈《「『【〔〖‹«“‘")
_ANGLES: Final = "<＜"
_INVISIBLE: Final = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_ESCAPED: Final = re.compile(r"&(?:lt|gt|#0*6[02]|#x0*3[ce]);?", re.IGNORECASE)
_CLOSER: Final = re.compile(rf"(?P<o>[^\w\s/\\／])\s{{0,3}}[/\\／]\s{{0,3}}(?P<name>{_NAME})\s{{0,3}}(?P<c>[^\w\s])")
_TAG: Final = re.compile(rf"[<＜](?P<name>{_WORD})(?P<more>\s[^<>＜＞]{{0,300}})?\s{{0,3}}[/\\／]?[>＞]")
_CONTROL: Final = re.compile(r"<[|｜][^<>]{0,200}>|<[^<>|｜\n]{0,100}[|｜]>|<!(?:--|\[|[A-Za-z])|<\?[A-Za-z]")
_ODD: Final = re.compile(rf"(?P<o>[^\w\s]){_WORD}")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_COLON: Final = re.compile("[：:]")
_HOLE: Final = re.compile(r"\{\w+\}")


class _Found(NamedTuple):
    start: int
    mark: str


def foreign_mark(text: str, form: ReplyForm) -> str:
    """The first mark in words that is none of the procedure's and stands in nothing that the speaker was sent.

    "" where there is none.
    """
    words = _plain(text)
    found = min(_candidates(words, form), default=None)
    known = _thought_or_call(words)
    if known is not None and (found is None or known.start <= found.start):
        return known.mark[:SHOWN]
    return found.mark[:SHOWN] if found is not None else ""


def foreign_mark_in(value: Any, form: ReplyForm) -> str:
    """The first such mark in the texts of a value, however deep they lie in it."""
    return next((mark for text in _texts(value) if (mark := foreign_mark(text, form))), "")


def mark_name(mark: str) -> str:
    """A mark without its brackets: said in a prompt, it does not become something that the speaker was sent."""
    return re.sub(r"[^\w\s:=.\-]+", " ", mark).strip() or "…"


def certain(text: str, form: ReplyForm, begin: int = 0) -> int:
    """How much of a text that is still coming can be shown: nothing of it can become a part of what a mark encloses.

    Up to `begin` it is known already. Brackets that prose is full of hold nothing up within a line.
    """
    for found in _OPENERS.finditer(text, begin):
        at, sign = found.start(), found[0]
        if sign == "&":
            if _ESCAPED.match(text, at) or len(text) - at < 7:
                return at
            continue
        begins_line = not text[text.rfind("\n", 0, at) + 1 : at].strip()
        if sign in _LIGHT and not begins_line:
            continue
        if not _harmless(text, at, form):
            return at
    return len(text)


_OPENERS: Final = re.compile("[" + re.escape("".join(_BRACKETS)) + "&⟨⟪⟦❮❬⦃]")
_LIGHT: Final = frozenset("(（《〈「『“‘")


def _harmless(text: str, at: int, form: ReplyForm) -> bool:
    """Whether a bracket that opens at a place is closed, and begins no tag whatever comes."""
    closing = _BRACKETS.get(text[at], "")
    following = text[at + 1 : at + 5].lstrip() if text[at] in _ANGLES else ""
    if following and not following[0].isalpha() and following[0] not in "/\\／|｜!?<＜":
        return True
    end = text.find(closing, at + 1, at + LONGEST) if closing else -1
    line = text.find("\n", at, end if end >= 0 else at + LONGEST)
    if end < 0 or line >= 0:
        return line >= 0 and text[at] not in _ANGLES
    inner = text[at + 1 : end].strip(text[at] + closing + " ")
    if not inner or not re.match(_NAME, inner):
        return bool(inner) and inner[0] not in "/\\／|｜!?"
    return _declared(inner, form) or _sent(text[at : end + 1], form)


# ---- what is looked for ----------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """The text without signs that nobody sees, its angle brackets as such."""
    text = _INVISIBLE.sub("", text)
    return _ESCAPED.sub(_unescaped, text) if "&" in text else text


def _unescaped(found: re.Match[str]) -> str:
    return "<" if re.search(r"(?i)lt|60|3c", found[0]) else ">"


def _candidates(text: str, form: ReplyForm) -> Iterator[_Found]:
    code = [found.span() for found in _CODE.finditer(text)]
    names: set[str] = set()
    for found in _CLOSER.finditer(text):
        if _counterpart(found["o"]) == found["c"] and _closes(text, found, code):
            names.add(found["name"].casefold().split()[0])
            if not _excused(text, *found.span(), form):
                yield _Found(found.start(), found[0])
    for found in _TAG.finditer(text):
        if not _inside(found.start(), code) and not _excused(text, *found.span(), form) and _is_tag(text, found, names):
            yield _Found(found.start(), found[0])
    for found in _CONTROL.finditer(text):
        if not _inside(found.start(), code) and not _excused(text, *found.span(), form):
            yield _Found(found.start(), found[0])
    if not text.isascii():
        yield from _oddly_bracketed(text, form)


def _oddly_bracketed(text: str, form: ReplyForm) -> Iterator[_Found]:
    """Names in brackets that no prose has: each may open something."""
    for found in _ODD.finditer(text):
        odd = found["o"] in _TRIANGLES or (category(found["o"]) in ("Ps", "Pi") and found["o"] not in _IN_PROSE)
        end = text.find(_counterpart(found["o"]), found.end(), found.end() + LONGEST) if odd else -1
        if end >= 0 and "\n" not in text[found.start() : end] and not _excused(text, found.start(), end + 1, form):
            yield _Found(found.start(), text[found.start() : end + 1])


def _closes(text: str, found: re.Match[str], code: list[tuple[int, int]]) -> bool:
    """Whether what looks like a closing tag is one: a bracket says it alone; of other signs the opening must stand
    before it. In a line of code it must as well."""
    span = next((span for span in code if span[0] <= found.start() < span[1]), None)
    if span is None and (found["o"] in _BRACKETS or category(found["o"]) in ("Ps", "Pi")):
        return True
    opening = rf"{re.escape(found['o'])}\s{{0,3}}{re.escape(found['name'])}[^\n]{{0,300}}?{re.escape(found['c'])}"
    return re.compile(opening, re.IGNORECASE).search(text, span[0] if span else 0, found.start()) is not None


def _is_tag(text: str, found: re.Match[str], closed: set[str]) -> bool:
    """Whether a name in angle brackets is a tag: no comparison, no token in two brackets, no element without words."""
    name, more = found["name"], found["more"] or ""
    if name.casefold() in closed:
        return True
    if name.casefold() in known_dialect().spoken:
        return False
    before, after = text[: found.start()][-1:], text[found.end() : found.end() + 1]
    if before in _ANGLES and before and after in (">", "＞"):
        return False
    compared = before.isascii() and before.isalnum() and after.isascii() and after.isalnum()
    return not (compared and more and "=" not in more)


def _excused(text: str, start: int, end: int, form: ReplyForm) -> bool:
    """Whether a mark is said to be one, in quotation marks, or was declared or sent."""
    before = text[start - 1] if start else ""
    if before in QUOTES and QUOTES[before] == text[end : end + 1]:
        return True
    return _declared(text[start + 1 : end - 1].strip(), form) or _sent(text[start:end], form)


def _declared(inner: str, form: ReplyForm) -> bool:
    """Whether these are the words of a token, or of one with a value."""
    head = _COLON.split(inner, maxsplit=1)[0].strip()
    return _tokens(form).fullmatch(inner) is not None or _tokens(form).fullmatch(head) is not None


def _sent(mark: str, form: ReplyForm) -> bool:
    """Whether a mark stands in what the speaker was sent; his own words prove nothing."""
    return any(mark in message.content for message in form.sent if message.role != "assistant")


def _tokens(form: ReplyForm) -> re.Pattern[str]:
    names = form.answer.names if form.answer is not None else ()
    return _any_of((*form.tokens, *form.leading, *form.ending, *form.within, *form.raising, *form.values, *names))


@lru_cache(maxsize=256)
def _any_of(tokens: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the tokens, or what stands before the colon of one; a hole stands for any words."""
    words = {word for token in tokens for word in (token, _COLON.split(token, maxsplit=1)[0]) if word.strip()}
    return re.compile("|".join(".*".join(map(re.escape, _HOLE.split(word))) for word in sorted(words)) or "(?!)", re.I)


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _counterpart(sign: str) -> str:
    """The bracket that closes one; of a sign that is no bracket, the sign itself."""
    if sign in _BRACKETS:
        return _BRACKETS[sign]
    return chr(ord(sign) + 1) if category(sign) in ("Ps", "Pi") else sign


# ---- what the table knows --------------------------------------------------------------------------------------------


def _thought_or_call(text: str) -> _Found | None:
    """The first mark that the table of the package knows: whoever was to read it has not."""
    dialect, at = known_dialect(), 0
    if not holds_marks(text, dialect):
        return None
    for segment in read(text, dialect).segments:
        if segment.kind != "words":
            return _Found(at, segment.raw.strip().split("\n")[0])
        at += len(segment.raw)
    return None


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for item in value:
                yield from _texts(item)
        case Mapping():
            for key, item in value.items():
                yield from _texts(key)
                yield from _texts(item)
