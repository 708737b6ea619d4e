"""Tables as Markdown and LaTeX: whatever a cell holds is printed, and nothing of it is obeyed."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from legalworld.publication.heat_map import SHADES, ink_on, shade_of
from legalworld.publication.tables import PublishedTable, TableCell, TableHead, fitting, latex, latex_text, markdown

HOSTILE = (
    "a|b",
    r"\end{tabular}\input{/etc/passwd}",
    "100% & $x_1$ #2 ~^{}",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "**bold** _it_ `code` [link](http://x)",
    "- 1. + = # !",
    "\u201c引号\u201d ' \" \u2212 \u00b1",
    "&amp; &lt;",
    "林启川诉郑若虹",
)


def table(*cells: str) -> PublishedTable:
    heads = (TableHead("甲", ("一", "二")), TableHead("b"))
    rows = tuple(
        (TableCell(cell, words=True), TableCell(cell, "[0, 1]\nn=3", "best"), TableCell("-0.5"), TableCell(cell))
        for cell in cells
    )
    return PublishedTable("t_1", "标题 | *x*", "模型", heads, rows, "- legend | *x*")


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_prints_every_cell_as_it_is(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown([table(text)]))
    cells = [token for before, token in pairwise(tokens) if before.type in ("td_open", "th_open")]
    heads, body = cells[:4], cells[4:]
    printed = ["".join(one.content for one in cell.children or ()) for cell in body]
    assert ["".join(one.content for one in head.children or ()) for head in heads] == ["模型", "甲 一", "甲 二", "b"]
    assert printed == [text, f"{text} [0, 1] n=3", "-0.5", text]
    kinds = {one.type for cell in body for one in cell.children or ()}
    assert kinds <= {"text", "text_special", "strong_open", "strong_close"}
    legend = [token for token in tokens if token.type == "inline"][-1]
    assert "".join(one.content for one in legend.children or ()) == "- legend | *x*"


def test_latex_escapes_what_means_something() -> None:
    assert latex_text(r"\input{x} 5% & $ # _ ~ ^") == (
        r"\textbackslash{}input\{x\} 5\% \& \$ \# \_ \textasciitilde{} \textasciicircum{}"
    )
    parts = list(fitting(table(*HOSTILE)))
    text = latex([table(*HOSTILE)])
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len(parts)
    assert r"\multicolumn{2}{c}{甲}" in text and r"\label{tab:t-1" in text
    bodies = [one.partition(r"\bottomrule")[0].strip().split("\n") for one in text.split(r"\midrule")[1:]]
    for part, body in zip(parts, bodies, strict=True):
        assert len(body) == len(HOSTILE)
        columns = sum(head.span for head in part.heads)
        assert all(len(re.findall(r"(?<!\\)&", line)) == columns for line in body)


@pytest.mark.skipif(shutil.which("xelatex") is None, reason="no xelatex on the path")
@pytest.mark.slow
def test_latex_is_set_by_latex(tmp_path: Path) -> None:
    head = r"\documentclass{article}\usepackage{booktabs,longtable,textcomp}\begin{document}"
    plain = latex([table(*(text for text in HOSTILE if text.isascii()))])
    plain = re.sub(r"[^\x00-\x7f]", "x", plain)  # fonts of Chinese are not what is tried here
    (tmp_path / "t.tex").write_text(f"{head}\n{plain}\n\\end{{document}}\n", encoding="utf-8")
    words = ("xelatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "t.tex")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_figures_can_be_read_on_every_shade() -> None:
    assert min(contrast(shade, ink_on(place)) for place, shade in enumerate(SHADES)) >= 4.5
    assert [luminance(shade) for shade in SHADES] == sorted(map(luminance, SHADES), reverse=True)
    assert (shade_of(0), shade_of(1), shade_of(None), shade_of(7)) == (0, 10, 0, 10)


@pytest.mark.parametrize("columns", [1, 7, 8, 18, 40])
@pytest.mark.parametrize("rows", [3, 33])
def test_latex_fits_a_page(columns: int, rows: int) -> None:
    """Every figure stands in one part, below its own head; a long table breaks, and no part is wider than a page."""
    heads = tuple(TableHead(f"h{number}") for number in range(columns))
    cells = [
        (TableCell(f"r{n}", words=True), *(TableCell(f"{n}.{c}", "n=12") for c in range(columns))) for n in range(rows)
    ]
    whole = PublishedTable("t", "title", "", heads, tuple(cells), "legend")
    parts = list(fitting(whole))
    assert [head for part in parts for head in part.heads] == list(heads)
    for part in parts:
        assert sum(len(head.title) for head in part.heads) <= 88 and (part.legend == "legend") == (part is parts[-1])
        for head, *figures in zip(part.heads, *(row[1:] for row in part.rows), strict=True):
            assert [one.text for one in figures] == [f"{n}.{head.title[1:]}" for n in range(rows)]
    text = latex([whole])
    assert text.count("\\end{longtable}") == (len(parts) if rows > 32 else 0)
    assert text.count(r"\label{") == len(parts) and text.count("legend") == 1
    assert len(parts) == 1 or columns > 7
