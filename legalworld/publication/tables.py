r"""Tables for papers: one value that a page shows, and that is written as Markdown and as LaTeX (booktabs).

Whatever stands in a cell is text: in both forms every character that means something there is escaped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, Literal

from ..model.immutable import immutable, replace
from ..wording.columns import width
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
    r"%   \usepackage{booktabs,longtable,textcomp}",
    r"%   \usepackage{ctex}   % Chinese",
    "",
)
_LINE: Final = 88  # letters that a line of small print holds on a page
_LONG: Final = 32  # rows above which a table may break over pages
_SMALL: Final = 0.7  # a letter of a note, beside one of the text
_GAP: Final = 2.0  # letters between two columns


def latex(tables: Sequence[PublishedTable]) -> str:
    """Tables to be put into a paper, with their captions and labels; what is wider than a page stands in several, and
    what is longer breaks over pages."""
    parts = (part for table in tables for part in fitting(table))
    return "\n".join((*LATEX_HEAD, *(line for part in parts for line in _latex(part))))


def fitting(table: PublishedTable) -> Iterator[PublishedTable]:
    """Yield a table in parts none of which is wider than a page, unless one column is; each begins with what its rows
    are called, and the legend stands below the last."""
    groups: list[list[int]] = [[]]
    wide = [_wide(table, place) for place in range(sum(head.span for head in table.heads) + 1)]
    room, at = _LINE - wide[0], 1
    for number, head in enumerate(table.heads):
        need = math.fsum(wide[at : at + head.span])
        at += head.span
        if need > room and groups[-1]:
            groups.append([])
            room = _LINE - wide[0]
        groups[-1].append(number)
        room -= need
    starts = [1, *(1 + total for total in accumulate(head.span for head in table.heads))]
    for number, group in enumerate(groups, 1):
        if len(groups) == 1:
            yield table
            return
        first, last = starts[group[0]], starts[group[-1] + 1]
        title, name = f"{table.title} ({number}/{len(groups)})", f"{table.name}-{number}"
        rows = tuple((row[0], *row[first:last]) for row in table.rows)
        legend = table.legend if number == len(groups) else ""
        heads = tuple(table.heads[one] for one in group)
        yield replace(table, name=name, title=title, heads=heads, rows=rows, legend=legend)


def _wide(table: PublishedTable, place: int) -> float:
    """How many letters a column takes, with the gap behind it."""
    heads = [table.corner, *(text for head in table.heads for text in (head.heads or (head.title,)))]
    cells = [row[place] for row in table.rows if place < len(row)]
    texts = [width(cell.text) + _SMALL * width(cell.note) for cell in cells]
    return max([float(width(heads[place])), *texts]) + _GAP


def _latex(table: PublishedTable) -> Iterator[str]:
    columns = sum(head.span for head in table.heads)
    wordy = table.wordy or (True,) * (columns + 1)
    layout = "".join("l" if words else "r" for words in wordy)
    label = rf"\label{{tab:{re.sub(r'[^A-Za-z0-9]+', '-', table.name).strip('-')}}}"
    rows = [" & ".join(map(_latex_cell, row)) + r" \\" for row in table.rows]
    caption = rf"\caption{{{latex_text(table.title)}}}" if table.title else ""
    heads = (r"\toprule", *_latex_heads(table), r"\midrule")
    if len(rows) > _LONG:
        yield from (r"\begingroup\small", rf"\begin{{longtable}}{{{layout}}}", rf"{caption}{label} \\")
        yield from (*heads, r"\endfirsthead", *heads, r"\endhead", *rows, r"\bottomrule", r"\end{longtable}")
        yield from ((rf"{{\footnotesize {latex_text(table.legend)}\par}}",) if table.legend else ())
        yield from (r"\endgroup", "")
        return
    yield from (r"\begin{table}[htbp]", r"\centering\small", *filter(None, (caption,)), label)
    yield from (rf"\begin{{tabular}}{{{layout}}}", *heads, *rows, r"\bottomrule", r"\end{tabular}")
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
