"""The text of a page of the web: what a browser shows of it, a paragraph a line."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_BLOCKS: Final = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "br",
        "caption",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
    }
    | {
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "legend",
        "li",
        "main",
    }
    | {"nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_UNSEEN: Final = frozenset(
    {"iframe", "noscript", "object", "script", "select", "style", "svg", "template", "textarea", "title", "video"}
)
_VOID: Final = frozenset({"base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")


def html_text(page: str) -> str:
    """The words of a page; scripts, styles and what is hidden are none. Never fails."""
    reader = _PageReader(hiding=True)
    reader.feed(page)
    reader.close()
    if reader.unseen:  # something hidden has no end: rather too much is read than too little
        reader = _PageReader(hiding=False)
        reader.feed(page)
        reader.close()
    lines = (" ".join(line.split(" ")).strip(" ") for line in "".join(reader.words).split("\n"))
    return "\n".join(line for line in lines if line)


class _PageReader(HTMLParser):
    def __init__(self, *, hiding: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.unseen: list[str] = []  # open elements that are not shown, and those inside them
        self._hiding = hiding

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        hidden = self._hiding and ("hidden" in told or _HIDDEN.search(told.get("style") or "") is not None)
        if (hidden or tag in _UNSEEN or self.unseen) and tag not in _VOID:
            self.unseen.append(tag)
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.unseen:
            while self.unseen.pop() != tag:
                pass
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.words.append(_BLANKS.sub(" ", data))

    def _break(self, tag: str) -> None:
        if self.unseen:
            return
        if tag in _BLOCKS:
            self.words.append("\n")
        elif tag in ("td", "th"):
            self.words.append(" ")
