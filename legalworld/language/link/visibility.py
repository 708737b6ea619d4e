"""The visibility matrix, a Markdown table in a block scalar: its cells with their places, and what they grant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...model.diagnostics import Diagnostic
from ...model.procedure import Grant, Stage
from ...model.source import Span
from .. import diagnose
from ..schema import SpecSurface
from ..spelling import nearest
from ..yaml.nodes import Scalar
from . import names
from .context import Context

_CELL = re.compile(r"\|([^|]*)(?=\|)")
_STAGE = re.compile("(?:^|[,\uff0c\u3001])([^,\uff0c\u3001]*)")


def _pieces(pattern: re.Pattern[str], text: str, span: Span) -> tuple[Scalar, ...]:
    """What the group of a pattern finds in a text, without its padding, each with its place."""
    pieces = []
    for match in pattern.finditer(text):
        word = match[1].strip()
        start = match.end() - len(match[1].lstrip())
        pieces.append(Scalar(word, span.shifted(start, len(word))))
    return tuple(pieces)


def table(scalar: Scalar) -> tuple[list[tuple[Scalar, ...]], tuple[Diagnostic, ...]]:
    """The rows of the table in a scalar, its header first; of ragged rows and lines that are no row, problems alone."""
    problems: list[Diagnostic] = []
    rows: list[tuple[Scalar, ...]] = []
    for line, span in zip(scalar.text.split("\n"), scalar.lines, strict=False):
        if not line.strip() or not line.strip("|-: \t"):
            continue
        if not line.lstrip().startswith("|") or not line.rstrip().endswith("|"):
            problems.append(diagnose.malformed_matrix_line(span))
            continue
        cells = _pieces(_CELL, line, span)
        if rows and len(cells) != len(rows[0]):
            problems.append(diagnose.uneven_matrix_row(span, found=len(cells) - 1, expected=len(rows[0]) - 1))
        else:
            rows.append(cells)
    if not rows:
        problems.append(diagnose.empty_matrix(scalar.span))
    return rows, tuple(problems)


# ---- what it grants --------------------------------------------------------------------------------------------------
def grants(context: Context, specs: list[SpecSurface], stages: tuple[Stage, ...]) -> Iterator[Grant]:
    """What each cell of each matrix grants."""
    phases = {stage.id: tuple(phase.id for phase in stage.phases if phase.id) for stage in stages}
    for matrix in (spec.visibility for spec in specs if spec.visibility is not None):
        rows = context.reader.kept(table(matrix))
        columns = [_pieces(_STAGE, cell.text, cell.span) for row in rows[:1] for cell in row[1:]]
        for column in columns:
            context.reader.all_known(column, context.names.stages, diagnose.unknown_matrix_stage)
        for row in rows[1:]:
            yield from _row(context, columns, row, phases)


def _row(
    context: Context, columns: list[tuple[Scalar, ...]], row: tuple[Scalar, ...], phases: Mapping[str, tuple[str, ...]]
) -> Iterator[Grant]:
    label = context.reader.kept(context.parser.row_label(row[0].text, row[0].span))
    if label is None:
        return
    known = (*context.names.fields, *context.names.documents, *context.answers)
    if label.whose == "minutes":
        stage = Scalar(label.field.text, label.field.span)
        context.reader.known(stage, context.names.stages, diagnose.unknown_stage)
    elif label.field.text not in known:
        context.reader.report(diagnose.unknown_matrix_row(label.field.span, name=label.field.text, among=known))
    condition = names.condition(context, label.condition) if label.condition is not None else None
    for stages, written in zip(columns, row[1:], strict=True):
        cell = context.reader.kept(context.parser.cell(written.text, written.span))
        after = cell.after.text if cell is not None and cell.after is not None else ""
        for letter in cell.letters if cell is not None else ():
            kind = context.names.letters.get(letter.text)
            if kind is None:
                near = nearest(letter.text, context.names.letters)
                context.reader.report(diagnose.unknown_matrix_letter(letter.span, name=letter.text, nearest=near))
                continue
            for stage in stages:
                own_phases = phases.get(stage.text, ())
                if after and after not in own_phases:
                    near = nearest(after, own_phases)
                    context.reader.report(
                        diagnose.unknown_matrix_phase(letter.span, name=after, stage=stage.text, nearest=near)
                    )
                yield Grant(label.field.text, label.whose, stage.text, kind, after, condition, written.span)
