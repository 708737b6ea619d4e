"""Lines over an order, such as turns or limits: a line for each series, a place for each point along the way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from ..model.immutable import immutable
from .chart_parts import COLOURS, LEFT, RIGHT, SOFT, Axis, Chart, axis_of, line, panel, ticks, tip, write

_TOP: Final = 30
_HIGH: Final = 180
_INDENT: Final = 44  # where values stand
_ROW: Final = 18  # of the legend


@immutable
class LineSeries:
    """A line. `values`: one for each place, None where there is none: the line has a gap there."""

    title: str
    values: tuple[float | None, ...]


def lines(name: str, title: str, places: Sequence[str], series: Sequence[LineSeries], *, text: str = "") -> Chart:
    """Return lines over places in their order; the legend stands below."""
    there = [value for one in series for value in one.values if value is not None]
    scale = axis_of(there)
    axis = Axis(scale.low, scale.high, _TOP + _HIGH, _TOP)  # upwards: what is more stands higher
    root = panel(title, text, _TOP + _HIGH + 30 + _ROW * len(series))
    for value in ticks(scale.low, scale.high):
        line(root, (LEFT + _INDENT, axis.x(value)), (RIGHT, axis.x(value)), stroke_width="1")
        write(root, LEFT + _INDENT - 6, axis.x(value) + 4, f"{value:g}", size=11, colour=SOFT, anchor="end")
    step = (RIGHT - LEFT - _INDENT) / max(1, len(places))
    across = [LEFT + _INDENT + step * (number + 0.5) for number in range(len(places))]
    for x, place in zip(across, places, strict=True):
        write(root, x, _TOP + _HIGH + 18, place, size=11, colour=SOFT, anchor="middle", room=step - 4)
    for number, one in enumerate(series):
        _line(root, one, across, (axis, number))
        below = _TOP + _HIGH + 38 + _ROW * number
        colour = COLOURS[number % len(COLOURS)]
        line(root, (LEFT, below - 4), (LEFT + 20, below - 4), colour, stroke_width="3")
        write(root, LEFT + 28, below, one.title, room=RIGHT - LEFT - 30)
    return Chart(name, title, text, root)


def _line(root: Element, one: LineSeries, across: Sequence[float], how: tuple[Axis, int]) -> None:
    """One line, with a dot at each value; `how`: its axis, and which of the lines it is."""
    axis, number = how
    colour = COLOURS[number % len(COLOURS)]
    points = [None if value is None else (x, axis.x(value)) for x, value in zip(across, one.values, strict=True)]
    for first, second in pairwise(points):
        if first is not None and second is not None:
            line(root, first, second, colour, stroke_width="2")
    for point, value in zip(points, one.values, strict=True):
        if point is not None:
            mark = SubElement(root, "g")
            tip(mark, f"{one.title}: {value:g}")
            SubElement(mark, "circle", cx=f"{point[0]:.1f}", cy=f"{point[1]:.1f}", r="3.4", fill=colour)
