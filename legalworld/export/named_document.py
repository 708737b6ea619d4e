"""The text of a document that a command names: a file, or a document of a run."""

from __future__ import annotations

from pathlib import Path

from ..files import regular
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..runs.open_run import open_run
from ..runs.project import Problems
from ..wording import say
from .export import chosen, papers

MOST = 20_000_000  # bytes of a file that is compared


def document_named(word: str) -> str | Problems:
    """The text that a word names: a file (Markdown, text, Word), or RUN:DOCUMENT."""
    path = Path(word)
    if path.is_file():
        return _file(path)
    run, colon, name = word.rpartition(":")
    if not colon:
        return _unread(word, say("run.no_such_file"))
    opened = open_run(Path(run))
    if isinstance(opened, tuple):
        return opened
    documents = chosen(papers(opened), (name,))
    return (documents,) if isinstance(documents, Diagnostic) else documents[-1].text


def _file(path: Path) -> str | Problems:
    try:
        data = regular.content(path, most=MOST)
        if path.suffix.lower() == ".docx":
            from ..files.word.text import word_text

            return word_text(data)
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        return _unread(str(path), getattr(error, "strerror", None) or str(error)[:120])


def _unread(path: str, detail: str) -> Problems:
    return (diagnose.unreadable_document(path, path=path, detail=detail),)
