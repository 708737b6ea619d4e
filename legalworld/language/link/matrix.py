"""The visibility matrix: a Markdown table in a block scalar, cut into cells with their true places.

Which words a cell may hold is the mini-language's business (`parser.cell`, `parser.row_label`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from ..yaml.nodes import Scalar


@dataclass(frozen=True, slots=True)
class MatrixPiece:
    """The text of one cell without its padding, and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    label: MatrixPiece
    cells: tuple[MatrixPiece, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """`columns`: for each column the stages it is for."""

    columns: tuple[tuple[MatrixPiece, ...], ...]
    rows: tuple[Row, ...]


def _cells(line: str, span: Span) -> list[MatrixPiece]:
    """The cells of one table line."""
    pieces, start = [], line.find("|") + 1
    while 0 < start <= len(line):
        end = line.find("|", start)
        if end < 0:
            break
        raw = line[start:end]
        lead = len(raw) - len(raw.lstrip())
        text = raw.strip()
        pieces.append(MatrixPiece(text, span.shifted(start + lead, len(text))))
        start = end + 1
    return pieces


def _is_rule(line: str) -> bool:
    return not line.strip("|-: \t")


def parse(scalar: Scalar) -> tuple[Matrix, tuple[Diagnostic, ...]]:
    """The table in a scalar. Ragged rows and lines that are no row are problems; the rest is still given."""
    problems: list[Diagnostic] = []
    header: list[MatrixPiece] = []
    rows: list[Row] = []
    for line, span in zip(scalar.text.split("\n"), scalar.lines, strict=False):
        if not line.strip() or _is_rule(line):
            continue
        if not line.lstrip().startswith("|") or not line.rstrip().endswith("|"):
            problems.append(diagnose.malformed_matrix_line(span))
            continue
        pieces = _cells(line, span)
        if not header:
            header = pieces
        elif len(pieces) != len(header):
            problems.append(diagnose.uneven_matrix_row(span, found=len(pieces) - 1, expected=len(header) - 1))
        else:
            rows.append(Row(pieces[0], tuple(pieces[1:])))
    if not header:
        problems.append(diagnose.empty_matrix(scalar.span))
    return Matrix(tuple(_stages(piece) for piece in header[1:]), tuple(rows)), tuple(problems)


def _stages(piece: MatrixPiece) -> tuple[MatrixPiece, ...]:
    """`CD,DD` as its stages; full-width commas count."""
    stages, start = [], 0
    for word in piece.text.replace("，", ",").replace("、", ",").split(","):
        lead = len(word) - len(word.lstrip())
        stages.append(MatrixPiece(word.strip(), piece.span.shifted(start + lead, len(word.strip()))))
        start += len(word) + 1
    return tuple(stages)
