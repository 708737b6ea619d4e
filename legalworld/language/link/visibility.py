"""The visibility matrix, a Markdown table in a block scalar: its cells with their places, and what they grant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...model.diagnostics import Diagnostic
from ...model.procedure import Grant
from ...model.source import Span
from .. import diagnose
from ..spelling import nearest
from ..yaml.nodes import Scalar
from . import names
from .context import Context


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


# ---- what it grants --------------------------------------------------------------------------------------------------
def grants(context: Context, scalar: Scalar, phases: Mapping[str, tuple[str, ...]]) -> Iterator[Grant]:
    """What each cell of a matrix grants. `phases`: stage -> ids of its phases."""
    table = context.reader.kept(parse(scalar))
    for column in table.columns:
        for stage in column:
            if stage.text not in context.names.stages:
                context.reader.report(
                    diagnose.unknown_matrix_stage(stage.span, name=stage.text, among=context.names.stages)
                )
    for row in table.rows:
        yield from _row(context, table, row, phases)


def _row(context: Context, table: Matrix, row: Row, phases: Mapping[str, tuple[str, ...]]) -> Iterator[Grant]:
    label = context.reader.kept(context.parser.row_label(row.label.text, row.label.span))
    if label is None:
        return
    known = (*context.names.fields, *context.names.documents, *context.answers)
    if label.field.text not in known:
        context.reader.report(diagnose.unknown_matrix_row(label.field.span, name=label.field.text, among=known))
    condition = names.condition(context, label.condition) if label.condition is not None else None
    for column, piece in zip(table.columns, row.cells, strict=True):
        cell = context.reader.kept(context.parser.cell(piece.text, piece.span))
        for letter in cell.letters if cell is not None else ():
            if letter.text not in context.names.letters:
                near = nearest(letter.text, context.names.letters)
                context.reader.report(diagnose.unknown_matrix_letter(letter.span, name=letter.text, nearest=near))
                continue
            after = cell.after.text if cell is not None and cell.after is not None else ""
            for stage in column:
                if after and after not in phases.get(stage.text, ()):
                    near = nearest(after, phases.get(stage.text, ()))
                    context.reader.report(
                        diagnose.unknown_matrix_phase(letter.span, name=after, stage=stage.text, nearest=near)
                    )
                kind = context.names.letters[letter.text]
                yield Grant(label.field.text, label.whose, stage.text, kind, after, condition, piece.span)
