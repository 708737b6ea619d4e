"""The visibility matrix: a Markdown table in a block scalar, cut into cells with their true places.

Which words a cell may hold is the mini-language's business (`parser.cell`, `parser.row_label`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model.source import Problem, Span
from .reader import Scalar


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one cell without its padding, and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    label: Piece
    cells: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """`columns`: for each column the stages it is for."""

    columns: tuple[tuple[Piece, ...], ...]
    rows: tuple[Row, ...]


def _cells(line: str, span: Span) -> list[Piece]:
    """The cells of one table line."""
    pieces, start = [], line.find("|") + 1
    while 0 < start <= len(line):
        end = line.find("|", start)
        if end < 0:
            break
        raw = line[start:end]
        lead = len(raw) - len(raw.lstrip())
        text = raw.strip()
        pieces.append(Piece(text, span.shifted(start + lead, len(text))))
        start = end + 1
    return pieces


def _is_rule(line: str) -> bool:
    return not line.strip("|-: \t")


def parse(scalar: Scalar) -> tuple[Matrix, tuple[Problem, ...]]:
    """The table in a scalar. Ragged rows and lines that are no row are problems; the rest is still given."""
    problems: list[Problem] = []
    header: list[Piece] = []
    rows: list[Row] = []
    for line, span in zip(scalar.text.split("\n"), scalar.lines, strict=False):
        if not line.strip() or _is_rule(line):
            continue
        if not line.lstrip().startswith("|") or not line.rstrip().endswith("|"):
            problems.append(Problem("LW050", span, {}))
            continue
        pieces = _cells(line, span)
        if not header:
            header = pieces
        elif len(pieces) != len(header):
            problems.append(Problem("LW051", span, {"found": len(pieces) - 1, "expected": len(header) - 1}))
        else:
            rows.append(Row(pieces[0], tuple(pieces[1:])))
    if not header:
        problems.append(Problem("LW052", scalar.span, {}))
    return Matrix(tuple(_stages(piece) for piece in header[1:]), tuple(rows)), tuple(problems)


def _stages(piece: Piece) -> tuple[Piece, ...]:
    """`CD,DD` as its stages; full-width commas count."""
    stages, start = [], 0
    for word in piece.text.replace("，", ",").replace("、", ",").split(","):
        lead = len(word) - len(word.lstrip())
        stages.append(Piece(word.strip(), piece.span.shifted(start + lead, len(word.strip()))))
        start += len(word) + 1
    return tuple(stages)
