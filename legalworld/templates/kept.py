"""What is known of a template, and its code, in a form that another process can use.

A template whose text was read before need not be read again: what it reads and includes, and its compiled code, are
looked up by the digest of its home and text. Only templates without a problem are kept, so that nothing that is told
depends on what is kept. Where this lies, and that it is what was written, is the affair of those who keep it
(`files/template_shelf.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from types import CodeType
from typing import Final, Protocol

from ..model.source import Span
from .reads import Findings, Included, PathRead, TableRead


class KeptTemplates(Protocol):
    """Code, and tuples of words and numbers, by a key of 32 bytes. `get` gives what was put under this key by the same
    version, or None."""

    def get(self, key: bytes) -> object: ...

    def put(self, key: bytes, value: object) -> None: ...


_found: list[Callable[[], KeptTemplates | None]] = []


def keep_templates_on(shelf: Callable[[], KeptTemplates | None]) -> None:
    """Look templates up on a shelf from now on, and put there what is not on it. It is opened when it is needed."""
    _found[:] = [shelf]


def keep_no_templates() -> None:
    """Read every template anew from now on."""
    _found.clear()


_FINDINGS: Final = b"findings"
_CODE: Final = b"code"


def findings_kept(home: str, text: str) -> Findings | None:
    """What a template reads and includes, where that is kept."""
    rows = _get(_FINDINGS, home, text)
    if not isinstance(rows, tuple):
        return None
    return Findings((), tuple(_use(home, *row) for row in rows))


def keep_findings(home: str, text: str, findings: Findings) -> None:
    """Keep what is known of a template in which nothing is wrong."""
    if _found and not findings.problems:
        _put(_FINDINGS, home, text, tuple(map(_row, findings.uses)))


def code_kept(home: str, text: str) -> CodeType | None:
    """The code of a template, where that is kept."""
    found = _get(_CODE, home, text)
    return found if isinstance(found, CodeType) else None


def keep_code(home: str, text: str, code: CodeType) -> None:
    """Keep the code of a template that passed the check."""
    if _found:
        _put(_CODE, home, text, code)


# ---- one use of a template, as a row

Use = PathRead | Included | TableRead
Row = tuple[object, ...]


def _row(use: Use) -> Row:
    place = (use.span.line, use.span.column, use.span.length)
    if isinstance(use, PathRead):
        return (*place, "path", use.path, use.printed, use.written_in)
    if isinstance(use, TableRead):
        return (*place, "table", use.name, use.entry)
    return (*place, "included", use.name)


def _use(home: str, line: int, column: int, length: int, kind: str, *rest: object) -> Use:
    span = Span(home, line, column, length)
    if kind == "path":
        path, printed, written_in = rest
        return PathRead(path, span, printed, written_in)  # type: ignore[arg-type]
    if kind == "table":
        name, entry = rest
        return TableRead(name, span, entry)  # type: ignore[arg-type]
    return Included(rest[0], span)  # type: ignore[arg-type]


# ---- by digest


def _get(kind: bytes, home: str, text: str) -> object:
    shelf = _found[0]() if _found else None
    return shelf.get(_key(kind, home, text)) if shelf is not None else None


def _put(kind: bytes, home: str, text: str, value: object) -> None:
    shelf = _found[0]()
    if shelf is not None:
        shelf.put(_key(kind, home, text), value)


def _key(kind: bytes, home: str, text: str) -> bytes:
    parts = (kind, home.encode("utf-8", "surrogatepass"), text.encode("utf-8", "surrogatepass"))
    return sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).digest()
