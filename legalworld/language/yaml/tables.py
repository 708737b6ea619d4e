"""A Markdown table in a block scalar: its rows, each cell with its place."""

from __future__ import annotations

import re

from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from .nodes import Scalar
from .repairs import shortened

_CELL = re.compile(r"\|([^|]*)(?=\|)")
_NOTE = re.compile(r"(?<=\|)[ \t]+#[^|]*$")  # behind the last bar of a row
_BARS = re.compile("[｜￨│┃]")


def pieces(pattern: re.Pattern[str], text: str, span: Span) -> tuple[Scalar, ...]:
    """What the group of a pattern finds in a text, without its padding, each with its place."""
    found = []
    for match in pattern.finditer(text):
        word = match[1].strip()
        start = match.end() - len(match[1].lstrip())
        found.append(Scalar(word, span.shifted(start, len(word))))
    return tuple(found)


def table(scalar: Scalar) -> tuple[list[tuple[Scalar, ...]], tuple[Diagnostic, ...]]:
    """The rows of the table in a scalar, its header first; of ragged rows and lines that are no row, problems alone."""
    problems: list[Diagnostic] = []
    rows: list[tuple[Scalar, ...]] = []
    for written, span in zip(scalar.text.split("\n"), scalar.lines, strict=False):
        line = _NOTE.sub("", written)
        if bar := _BARS.search(line):
            repair = shortened(_BARS.sub("|", line).strip())
            problems.append(
                diagnose.fullwidth_sign(span.shifted(bar.start(), 1), sign=bar[0], right="|", repair=repair)
            )
            line = _BARS.sub("|", line)
        if not line.strip() or not line.strip("|-: \t"):
            continue
        if not line.lstrip().startswith("|") or not line.rstrip().endswith("|"):
            problems.append(diagnose.malformed_matrix_line(span))
            continue
        cells = pieces(_CELL, line, span)
        if rows and len(cells) != len(rows[0]):
            problems.append(diagnose.uneven_matrix_row(span, found=len(cells) - 1, expected=len(rows[0]) - 1))
        else:
            rows.append(cells)
    if not rows:
        problems.append(diagnose.empty_matrix(scalar.span))
    return rows, tuple(problems)
