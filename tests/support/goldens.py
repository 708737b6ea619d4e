"""Files that hold what is expected, beside their tests; `LW_BLESS=1` (`make bless`) takes over what comes now."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from legalworld.model.diagnostics import Diagnostic
from legalworld.wording.diagnostics import render

BLESS = bool(os.environ.get("LW_BLESS"))


def text_of(file: Path) -> str:
    """A file as it is, line ends and broken bytes too."""
    return file.read_bytes().decode("utf-8", "surrogateescape")


def compare(expected: Path, text: str) -> None:
    """The text must be that of the file, to the byte."""
    if BLESS:
        expected.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert text == text_of(expected)


def in_both_languages(problems: Sequence[Diagnostic], source: Callable[[str], str | None]) -> str:
    """What is said about problems, first in Chinese; `source` gives the text of a file."""
    return "\n".join(render(problems, source, locale) for locale in ("zh", "en"))
