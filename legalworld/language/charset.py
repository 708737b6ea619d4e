"""What bytes are as text: UTF-8, UTF-16, or Chinese as Windows saves it; or a format that is no text.

One answer for every reader of files: what one command reads, all read, and what one refuses, all refuse alike.
"""

from __future__ import annotations

import re
from typing import Final

from ..model.immutable import immutable

UTF_8: Final = "UTF-8"
UTF_16: Final = "UTF-16"
GBK: Final = "GBK"
HEAD: Final = 1 << 16
"""Bytes of a long file by which its encoding is told."""

_KINDS: Final = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP (.docx, .xlsx, .odt, .ofd)"),
    (b"PK\x05\x06", "ZIP"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "OLE (.doc, .xls, .wps)"),
    (b"{\\rtf", "RTF"),
    (b"\x89PNG\r\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"\x1f\x8b", "gzip"),
    (b"Rar!\x1a", "RAR"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"SQLite format 3", "SQLite"),
)
_HTML: Final = re.compile(r"\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I)
_MARKS: Final = ((b"\xff\xfe\0\0", ""), (b"\xff\xfe", UTF_16), (b"\xfe\xff", UTF_16))
_PLAIN: Final = re.compile(r"[\x00-\x7f]+")
_COMMON: Final = 0.8  # share of the Chinese characters of a text that are common ones or punctuation


@immutable
class DecodedText:
    """A text without a byte order mark; bytes that are in no known encoding stand in it as lone surrogates.

    `encoding` is "" where it is not known.
    """

    text: str
    encoding: str


def decoded(data: bytes) -> DecodedText:
    """The text of a file read whole."""
    encoding = encoding_of(data)
    if encoding:
        return DecodedText(data.decode(codec_of(encoding)), encoding)
    return DecodedText(data.decode("utf-8", "surrogateescape").removeprefix("\ufeff"), "")


def codec_of(encoding: str) -> str:
    """The name of the codec; of UTF-8 for an encoding that is not known."""
    return {UTF_16: "utf-16", GBK: "gb18030"}.get(encoding, "utf-8-sig")


def encoding_of(data: bytes, *, cut: bool = False) -> str:
    """The encoding of a text; "" where it is none that is read. `cut`: it is only the beginning of one."""
    if kind_of(data) is not None:
        return ""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name if name and _decodes(data[: len(data) // 2 * 2] if cut else data, "utf-16") else ""
    if cut:
        data = data[: data.rfind(b"\n") + 1] or data[: max(len(data) - 4, 0)]
    if _decodes(data, "utf-8"):
        return UTF_8
    return GBK if _is_gbk(data) else ""


def kind_of(data: bytes) -> str | None:
    """The name of the format that begins so, where it is one that is no text."""
    return next((name for mark, name in _KINDS if data.startswith(mark)), None)


def is_html(text: str) -> bool:
    """Whether a text is a page of the web."""
    return _HTML.match(text.removeprefix("\ufeff")) is not None


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _is_gbk(data: bytes) -> bool:
    """Whether bytes read as Chinese: by the common characters of GB 2312, which no text of another encoding hits."""
    if b"\0" in data:
        return False
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    foreign = _PLAIN.sub("", text)
    return sum(map(_common, foreign)) >= _COMMON * len(foreign)


def _common(sign: str) -> bool:
    """Whether a character is punctuation, of full width, or one of the 3,755 most frequent of GB 2312."""
    pair = sign.encode("gb18030")
    return len(pair) == 2 and pair[1] >= 0xA1 and (0xA1 <= pair[0] <= 0xA3 or 0xB0 <= pair[0] <= 0xD7)
