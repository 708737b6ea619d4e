"""The text of a document that a person hands in, in whatever format: Word, a page of the web, Markdown, plain text.

Formats are told by what a file holds, not by its name. Every command that takes a document reads it here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ..language import diagnose
from ..language.charset import GBK, decoded, is_html, kind_of
from ..language.yaml.characters import unreadable_text
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..wording import say
from . import regular
from .html_text import html_text
from .project_files import unreadable
from .word.text import word_text

SUFFIXES: Final = (".md", ".txt", ".docx", ".html", ".htm")
"""Names of files that are taken for documents where a folder is named."""

_LINE_END: Final = re.compile("\r\n?")

MOST: Final = 20_000_000
"""Bytes of a document."""


@immutable
class DocumentText:
    """The text as people see it, and what is to be said of how it was read."""

    text: str
    problems: tuple[Diagnostic, ...] = ()


def document_text(path: str | Path, *, most: int = MOST) -> DocumentText | Diagnostic:
    """The text of a document on the disk."""
    try:
        data = regular.content(path, most=most)
    except FileNotFoundError:
        return diagnose.unreadable_document(str(path), path=str(path), detail=say("run.no_such_file"))
    except (OSError, ValueError) as error:
        return unreadable(str(path), error if isinstance(error, OSError) else OSError(str(error)))
    return text_of(str(path), data)


def text_of(name: str, data: bytes) -> DocumentText | Diagnostic:
    """The text of a document's bytes; `name`: its file, for messages."""
    if data.startswith(b"PK\x03\x04"):
        try:
            return _worded(name, word_text(data))
        except ValueError as error:
            return diagnose.unreadable_word_file(name, detail=str(error)[:200])
    if (kind := kind_of(data)) is not None:
        return diagnose.foreign_format(name, kind=kind)
    read = decoded(data)
    if not read.encoding and (problem := unreadable_text(name, read.text)) is not None:
        return problem
    told = (diagnose.assumed_gbk_encoding(name),) if read.encoding == GBK else ()
    if is_html(read.text):
        return _worded(name, html_text(read.text), told)
    return DocumentText(_LINE_END.sub("\n", read.text), told)


def _worded(name: str, text: str, problems: tuple[Diagnostic, ...] = ()) -> DocumentText | Diagnostic:
    """The text of a format that can hold pictures alone."""
    return DocumentText(text, problems) if text.strip() else diagnose.wordless_document(name)
