"""The text of a document that a command names: a file, or a document of a run."""

from __future__ import annotations

import os
from pathlib import Path

from ..files.document_text import DocumentText, document_text
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..runs.open_run import open_run
from ..runs.project import Problems
from ..wording import say
from .export import chosen, papers


def document_named(word: str) -> DocumentText | Problems:
    """The text that a word names: a file (Word, Markdown, a page of the web, text), or RUN:DOCUMENT."""
    path = Path(word)
    if os.path.lexists(path) and not path.is_dir():
        read = document_text(path)
        return (read,) if isinstance(read, Diagnostic) else read
    run, colon, name = word.rpartition(":")
    if not colon:
        return (diagnose.unreadable_document(word, path=word, detail=say("run.no_such_file")),)
    opened = open_run(Path(run))
    if isinstance(opened, tuple):
        return opened
    documents = chosen(papers(opened), (name,))
    return (documents,) if isinstance(documents, Diagnostic) else DocumentText(documents[-1].text)
