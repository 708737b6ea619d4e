"""Markdown files as YAML: what stands between the two `---` in front, on the lines that it has in the file."""

from __future__ import annotations

from typing import Final

from ..model.immutable import immutable
from ..model.source import Sources

FENCE: Final = "---"


def split(text: str) -> tuple[str, str]:
    """The YAML in front, its first line empty so that lines keep their numbers, and the Markdown below; without front
    matter all is YAML, so that reading it says what is wrong."""
    lines = text.removeprefix("\ufeff").split("\n")
    if lines[0].strip() != FENCE:
        return text, ""
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() == FENCE), len(lines))
    return "\n".join(["", *lines[1:end], ""]), "\n".join(lines[end + 1 :]).strip()


@immutable
class FrontMatter:
    """Sources in which each file is its front matter."""

    inner: Sources

    def read(self, path: str) -> str | None:
        text = self.inner.read(path)
        return None if text is None else split(text)[0]

    def names(self, folder: str) -> tuple[str, ...]:
        return self.inner.names(folder)
