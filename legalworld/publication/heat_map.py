"""A heat map: rows by columns, the darker the higher. A cell without a value is left white and says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import SubElement

from .chart_parts import INK, LEFT, LINE, SOFT, Chart, linked, panel, tip, write
from .tables import PublishedTable, TableCell

# From white to blue; on each the figure is dark or white, whichever has the contrast (at least 4.5 : 1).
SHADES: Final = (
    *("#ffffff", "#eaf1f8", "#d5e3f1", "#c0d5ea", "#abc7e3", "#94b8da"),
    *("#7ca9d1", "#34719f", "#2a6390", "#205580", "#16466e"),
)
_FIRST_DARK: Final = 7
_LABEL, _CELL, _ROW = 200, 84, 26


def shade_of(share: float | None) -> int:
    """Which of the shades a share (0 to 1) has."""
    return 0 if share is None else round(min(max(share, 0.0), 1.0) * (len(SHADES) - 1))


def ink_on(shade: int) -> str:
    return "#ffffff" if shade >= _FIRST_DARK else INK


def heat_map(table: PublishedTable) -> Chart:
    """The table as a picture: a cell is shaded by its share, and has its figure in it."""
    columns = [head for column in table.heads for head in column.texts]
    root = panel(table.title, table.legend, 62 + _ROW * len(table.rows), _LABEL + _CELL * len(columns) + 2 * LEFT)
    for number, head in enumerate(columns):
        write(
            root, _LABEL + _CELL * number + _CELL / 2, 42, head, size=11, anchor="middle", colour=SOFT, room=_CELL - 6
        )
    for place, row in enumerate(table.rows):
        top = 52 + _ROW * place
        write(root, LEFT, top + 17, row[0].text, room=_LABEL - LEFT - 6)
        for number, cell in enumerate(_spread(row[1:], len(columns))):
            shade = shade_of(cell.shade)
            left = _LABEL + _CELL * number
            box = linked(root, cell.href)
            tip(box, " · ".join(filter(None, (row[0].text, columns[number], cell.text, cell.note))))
            where = {"x": str(left), "y": str(top), "width": str(_CELL - 2), "height": str(_ROW - 2)}
            SubElement(box, "rect", {**where, "fill": SHADES[shade], "stroke": LINE})
            write(box, left + _CELL / 2 - 1, top + 17, cell.text, anchor="middle", colour=ink_on(shade), room=_CELL - 4)
    return Chart(table.name, table.title, table.legend, root)


def _spread(cells: Sequence[TableCell], count: int) -> Sequence[TableCell]:
    return [*cells, *[TableCell("–")] * (count - len(cells))]
