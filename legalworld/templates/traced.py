"""Templates that tell of each piece of a rendering which line of which file it was written by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jinja2 import Template
from jinja2.runtime import Context

from ..model.immutable import immutable
from ..model.source import Span
from .syntax import Page
from .template_set import Rendered, TemplateSet


@immutable
class Piece:
    """A stretch of a rendering that one place wrote: words that stand there, or the value of a tag."""

    start: int
    end: int
    span: Span
    literal: bool


class TracedTemplates(TemplateSet):
    """A set of templates whose renderings can be traced; it renders as any other, some percent slower.

    `pieces_of(text)` gives the pieces of the last rendering that came out as `text`, blanks at both ends apart.
    """

    _written: list[tuple[Template, int, str]]
    _last: dict[str, tuple[Piece, ...]]

    def rendered(self, home: str, variables: Any) -> Rendered:
        self._written = []
        found = super().rendered(home, variables)
        text = found.text.strip()
        if text and text not in self._traces:
            self._traces[text] = tuple(self._placed(found.text))
        return found

    def pieces_of(self, text: str) -> tuple[Piece, ...]:
        """The pieces of a text that was rendered as a whole, in order; () where none was."""
        return self._traces.get(text, ())

    @property
    def _traces(self) -> dict[str, tuple[Piece, ...]]:
        if not hasattr(self, "_last"):
            self._last = {}
        return self._last

    def _compiled(self, home: str) -> Template:
        kept = home in self._templates
        template = super()._compiled(home)
        if not kept:
            self._watch(template)
        return template

    def _watch(self, template: Template) -> None:
        """Have a template note what it writes itself; what an included one wrote is noted already."""
        render = template.root_render_func

        def noting(context: Context) -> Iterator[str]:
            pieces: Any = render(context)
            while True:
                before = len(self._written)
                try:
                    text = next(pieces)
                except StopIteration:
                    return
                if len(self._written) == before:
                    self._written.append((template, pieces.gi_frame.f_lineno, text))
                yield text

        template.root_render_func = noting

    def _placed(self, text: str) -> Iterator[Piece]:
        """The pieces of the last rendering, counted from the first character that is no blank."""
        at = -(len(text) - len(text.lstrip()))
        for template, code_line, written in self._written:
            page = self._page_of(str(template.name))
            for line, span, literal in _lines(template, page, code_line, written):
                if at + len(line) > 0 and line:
                    yield Piece(max(at, 0), at + len(line), span, literal)
                at += len(line)

    def _page_of(self, home: str) -> Page:
        read = self._pages[home]
        return read.page


def _lines(template: Template, page: Page, code_line: int, written: str) -> Iterable[tuple[str, Span, bool]]:
    """What one instruction wrote, line by line: words that stand in the file each at their own line."""
    offset = template.get_corresponding_lineno(code_line)
    if (offset, code_line) in template.debug_info:  # an expression: its code is where its place is noted
        return [(written, page.span(offset), False)]
    first = written.strip().split("\n")[0]
    start = page.text.find(written, offset)
    start = start if start >= 0 else page.text.find(first, offset) if first else offset
    lines, at = [], max(start, 0)
    for line in written.splitlines(keepends=True):
        lines.append((line, page.span(min(at, len(page.text))), True))
        at += len(line)
    return lines
