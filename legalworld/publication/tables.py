r"""Tables for papers: one value that a page shows, and that is written as Markdown and as LaTeX (booktabs).

Whatever stands in a cell is text: in both forms every character that means something there is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from ..model.immutable import immutable
from .chart_parts import plain

Mark = Literal["", "best", "second"]


@immutable
class TableHead:
    """A column, or several under one title."""

    title: str
    heads: tuple[str, ...] = ()

    @property
    def span(self) -> int:
        return max(1, len(self.heads))

    @property
    def texts(self) -> tuple[str, ...]:
        """What each column is called where there is but one line for it."""
        return tuple(f"{self.title} {head}" for head in self.heads) or (self.title,)


@immutable
class TableCell:
    """`note`: below the text, an interval or a number of cases, in lines; `shade`: 0 to 1, None for none; `words`: no
    figure; `href`: where it comes from."""

    text: str
    note: str = ""
    mark: Mark = ""
    shade: float | None = None
    href: str = ""
    words: bool = False


@immutable
class PublishedTable:
    """`name`: of its label and file; a row begins with what it is called. `corner`: the head above these;
    `shaded`: it can be drawn as a heat map."""

    name: str
    title: str
    corner: str
    heads: tuple[TableHead, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    legend: str = ""
    shaded: bool = False

    @property
    def deep(self) -> bool:
        """Whether any title stands over several columns."""
        return any(head.heads for head in self.heads)

    @property
    def wordy(self) -> tuple[bool, ...]:
        """Of each column, whether it holds words, which begin at the left, and no figures."""
        return tuple(all(cell.words for cell in column) for column in zip(*self.rows, strict=True))


# ---- Markdown --------------------------------------------------------------------------------------------------------

_MARKDOWN: Final = re.compile(r"([\\`*_\[\]<>#|~$&])")
_BLOCK: Final = re.compile(r"^(\d*)([-+=.)])")  # what would begin a list, or underline a heading, where a line begins


def markdown(tables: Sequence[PublishedTable]) -> str:
    """Tables of GitHub's Markdown, each below its title; the best in bold, the second underlined."""
    return "\n".join(line for table in tables for line in _markdown(table))


def _markdown(table: PublishedTable) -> Iterator[str]:
    heads = [table.corner, *(text for head in table.heads for text in head.texts)]
    yield from (f"## {markdown_text(table.title)}", "") if table.title else ()
    yield _bar([markdown_text(head) for head in heads])
    wordy = table.wordy or (True,) * len(heads)
    yield _bar(["---" if words else "---:" for words in wordy])
    for row in table.rows:
        yield _bar([_markdown_cell(cell) for cell in row])
    yield ""
    yield from (_BLOCK.sub(r"\1\\\2", markdown_text(table.legend)), "") if table.legend else ()


def _bar(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(cell: TableCell) -> str:
    text = markdown_text(cell.text)
    if cell.mark and text:
        text = f"**{text}**" if cell.mark == "best" else f"<u>{text}</u>"
    return " ".join(filter(None, (text, markdown_text(cell.note))))


def markdown_text(text: str) -> str:
    """Text that Markdown prints as it is."""
    return _MARKDOWN.sub(r"\\\1", plain(" ".join(text.split())))


# ---- LaTeX -----------------------------------------------------------------------------------------------------------

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "{-}",
    "[": "{[}",
    "]": "{]}",
    "\u2212": "$-$",
    "\u00b1": r"$\pm$",
    "\u0394": r"$\Delta$",
    "\u03ba": r"$\kappa$",
    "\u03c3": r"$\sigma$",
    "\u00b7": r"\textperiodcentered{}",
}
LATEX_HEAD: Final = (
    "% Set with XeLaTeX or LuaLaTeX. In the preamble:",
    r"%   \usepackage{booktabs,textcomp}",
    r"%   \usepackage{ctex}   % Chinese",
    "",
)


def latex(tables: Sequence[PublishedTable]) -> str:
    """Tables to be put into a paper, with their captions and labels."""
    return "\n".join((*LATEX_HEAD, *(line for table in tables for line in _latex(table))))


def _latex(table: PublishedTable) -> Iterator[str]:
    columns = sum(head.span for head in table.heads)
    wordy = table.wordy or (True,) * (columns + 1)
    yield r"\begin{table}[htbp]"
    yield r"\centering\small"
    if table.title:
        yield rf"\caption{{{latex_text(table.title)}}}"
    yield rf"\label{{tab:{re.sub(r'[^A-Za-z0-9]+', '-', table.name).strip('-')}}}"
    yield rf"\begin{{tabular}}{{{''.join('l' if words else 'r' for words in wordy)}}}"
    yield r"\toprule"
    yield from _latex_heads(table)
    yield r"\midrule"
    for row in table.rows:
        yield " & ".join(map(_latex_cell, row)) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    if table.legend:
        yield rf"\par\footnotesize {latex_text(table.legend)}"
    yield from (r"\end{table}", "")


def _latex_heads(table: PublishedTable) -> Iterator[str]:
    first = [latex_text(table.corner)]
    for head in table.heads:
        title = latex_text(head.title)
        first.append(rf"\multicolumn{{{head.span}}}{{c}}{{{title}}}" if head.heads else title)
    yield " & ".join(first) + r" \\"
    if table.deep:
        seconds = (latex_text(one) for head in table.heads for one in head.heads or ("",))
        yield " & ".join(("", *seconds)) + r" \\"


def _latex_cell(cell: TableCell) -> str:
    text = latex_text(cell.text)
    if cell.mark and text:
        text = rf"\textbf{{{text}}}" if cell.mark == "best" else rf"\underline{{{text}}}"
    note = rf"{{\scriptsize {latex_text(cell.note)}}}" if cell.note else ""
    return " ".join(filter(None, (text, note)))


def latex_text(text: str) -> str:
    """Text that LaTeX sets as it is."""
    return "".join(_LATEX.get(one, one) for one in plain(" ".join(text.split())))
