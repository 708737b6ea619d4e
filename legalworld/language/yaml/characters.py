"""What a file is made of before it is read as YAML: its size and encoding, and characters that nobody can see."""

from __future__ import annotations

import re
from typing import Final

from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from ..charset import kind_of

MAX_BYTES: Final = 1 << 20
MAX_DEPTH: Final = 64
MAX_NODES: Final = 100_000

_BYTE_ORDER_MARK = "\ufeff"
_UNDECODED = re.compile("[\udc80-\udcff]")
# Refused by YAML, or read by it as the end of a line, which no editor does (U+0085, U+2028, U+2029).
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
# Legal, and harmless within prose, but two names that differ in one of them look alike. U+200C and U+200D build emoji.
_INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069"
_SUSPECT = re.compile(f"[{_CONTROL}{_INVISIBLE}]")
_REFUSED = re.compile(f"[{_CONTROL}]")


def whole(path: str, text: str) -> Diagnostic | None:
    """What makes the file as a whole unreadable: its size, its format, or an encoding that is not UTF-8.

    Bytes that were not UTF-8 arrive as lone surrogates U+DC80 to U+DCFF (`errors="surrogateescape"`).
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return too_much(Span(path, 1, 1))
    return unreadable_text(path, text)


def foreign(path: str, text: str) -> Diagnostic | None:
    """Return a problem for a file that begins as one of a format that is no text."""
    head = text[:32]
    kind = kind_of(head.encode("utf-8", "surrogateescape" if _of_bytes(head) else "replace"))
    return diagnose.foreign_format(Span(path, 1, 1), kind=kind) if kind is not None else None


def unreadable_text(path: str, text: str) -> Diagnostic | None:
    """What makes the file as a whole no text: a format of its own, or an encoding that is not UTF-8."""
    if (problem := foreign(path, text)) is not None:
        return problem
    undecoded = _UNDECODED.search(text)
    zero = text.find("\0")
    if undecoded is None and zero < 0:
        return None
    first = min(place for place in (undecoded.start() if undecoded else -1, zero) if place >= 0)
    raw = text.encode("utf-8", "surrogateescape" if _of_bytes(text) else "replace")
    encoding = _likely_encoding(text, raw)
    if encoding:
        return diagnose.wrong_encoding(_at(path, text, first), encoding=encoding)
    if undecoded is None and len(_REFUSED.findall(text)) * 20 < len(text):
        return None  # text with a few stray control characters; `visible` names each
    return diagnose.invalid_utf8(_at(path, text, first))


def too_much(span: Span) -> Diagnostic:
    return diagnose.file_beyond_limits(span, size=MAX_BYTES >> 20, depth=MAX_DEPTH, nodes=MAX_NODES)


def visible(path: str, text: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text as YAML may see it, columns unchanged, and a problem for each kind of character replaced or hidden.

    A byte order mark is dropped and counts for no column; line ends become `\\n`.
    """
    problems: list[Diagnostic] = []
    text = text.removeprefix(_BYTE_ORDER_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    places: dict[str, list[int]] = {}
    for match in _SUSPECT.finditer(text):
        places.setdefault(match[0], []).append(match.start())
    for character, found in places.items():
        refused = _REFUSED.match(character) is not None
        span = _at(path, text, found[0])
        problems.append(
            diagnose.invisible_character(
                span, character=f"U+{ord(character):04X}", count=len(found), severity="error" if refused else "warning"
            )
        )
    return (_REFUSED.sub(" ", text) if places else text), tuple(problems)


def _at(path: str, text: str, offset: int) -> Span:
    before = text[:offset].removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    return Span(path, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1, 1)


def _of_bytes(text: str) -> bool:
    """Whether every lone surrogate stands for a byte."""
    return re.search("[\ud800-\udc7f\udd00-\udfff]", text) is None


def _likely_encoding(text: str, raw: bytes) -> str:
    """UTF-16, UTF-32, GBK or Big5 when the bytes read well so, else "" (damaged, binary, or something rarer)."""
    for mark, name in ((b"\xff\xfe\0\0", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")):
        if raw.startswith(mark):
            return name
    if b"\0" in raw:
        wide = any(_reads_well(raw[: len(raw) // 2 * 2], codec) for codec in ("utf-16-le", "utf-16-be"))
        return "UTF-16" if wide else ""
    bad = len(_UNDECODED.findall(text))
    good = sum(character > "\x7f" for character in text) - bad
    if good > bad:
        return ""  # UTF-8 with a damaged place
    for codec, name in (("gb18030", "GBK"), ("big5", "Big5")):
        if _reads_well(raw, codec):
            return name
    return ""


def _reads_well(raw: bytes, codec: str) -> bool:
    """Whether nearly every character is ASCII text, Chinese, or Chinese punctuation when read with this codec."""
    try:
        decoded = raw.decode(codec)
    except UnicodeDecodeError:
        return False
    plain = re.findall("[\t\n\r -~\u2010-\u2026\u3000-\u301f\u4e00-\u9fff\uff01-\uff5e]", decoded)
    return len(plain) * 20 >= len(decoded) * 19
