"""Charts along an axis: values with their mean and interval, differences around zero, shares of a whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from ..model.immutable import immutable
from ..wording.columns import width
from .chart_parts import (
    COLOURS,
    INK,
    LEFT,
    LINE,
    RIGHT,
    SOFT,
    Axis,
    Chart,
    axis_of,
    line,
    linked,
    panel,
    tip,
    write,
)

_TOP: Final = 28  # where rows begin
_ROW: Final = 46
MANY: Final = 80  # points of a row from which on they are one mark: the row's link leads to all of them


@immutable
class ChartPoint:
    """One value, what it is called, and where it comes from."""

    value: float
    title: str
    href: str = ""


@immutable
class ChartRow:
    """Values of one kind. `value` is their mean and `low`, `high` its interval, None where there is none; `note` stands
    at the right of the title; `faint`: nothing that stands out."""

    title: str
    value: float | None
    low: float | None
    high: float | None
    note: str = ""
    href: str = ""
    points: tuple[ChartPoint, ...] = ()
    colour: int = 0
    faint: bool = False


def distribution(
    name: str, title: str, rows: Sequence[ChartRow], bounds: tuple[float, float] | None = None, *, text: str = ""
) -> Chart:
    """A row for each: every value as a dot, the mean as a diamond on its interval. `bounds`: of the axis; an end that
    is not known is infinite."""
    values = [point.value for row in rows for point in row.points]
    whole = bounds if bounds is not None and all(map(math.isfinite, bounds)) else None
    return _rows(name, title, rows, axis_of(values, whole, lowest=bounds[0] if bounds else -math.inf), text)


def differences(name: str, title: str, rows: Sequence[ChartRow], *, text: str = "") -> Chart:
    """A row for each difference, with a line at 0; those that are no more than noise are faint."""
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    ends += [point.value for row in rows for point in row.points]
    return _rows(name, title, rows, axis_of(ends, zero=True), text, zero=True)


def _rows(name: str, title: str, rows: Sequence[ChartRow], axis: Axis, text: str, *, zero: bool = False) -> Chart:
    """`zero`: with a line at 0. Where a title does not fit beside its note, all notes have a line of their own."""
    wide = max((width(row.title) * 7.2 + width(row.note) * 6.2 for row in rows), default=0)
    lines = 2 if wide > RIGHT - LEFT - 10 else 1
    height = _ROW + 15 * (lines - 1)
    bottom = _TOP + height * len(rows)
    text = text or "; ".join(f"{row.title}: {row.note}" for row in rows)
    root = panel(title, text, bottom + 20)
    for number, row in enumerate(rows):
        middle = _TOP + height * (number + 1) - 16
        axis.lines(root, middle - 13, middle + 13)
        if zero:
            line(root, (axis.x(0), middle - 13), (axis.x(0), middle + 13), INK, stroke_width="1.2")
        _label(root, row, _TOP + height * number + 13, lines)
        _row(root, row, axis, middle)
    axis.values(root, bottom + 12)
    return Chart(name, title, text, root)


def _label(root: Element, row: ChartRow, y: float, lines: int) -> None:
    label = linked(root, row.href)
    beside = 6.2 * width(row.note) + 8 if lines == 1 else 0
    write(label, LEFT, y, row.title, weight="600", room=RIGHT - LEFT - beside)
    if lines == 1:
        write(label, RIGHT, y, row.note, size=11, colour=SOFT, anchor="end")
    else:
        write(label, LEFT, y + 15, row.note, size=11, colour=SOFT)


def _row(root: Element, row: ChartRow, axis: Axis, middle: float) -> None:
    colour = COLOURS[row.colour % len(COLOURS)]
    _points(root, row, axis, middle)
    if row.value is None:
        write(root, axis.left, middle + 4, "–", colour=SOFT)
        return
    strength = "0.45" if row.faint else "1"
    mark = SubElement(linked(root, row.href, reached=False), "g", opacity=strength)
    tip(mark, f"{row.title}: {row.note}")
    if row.low is not None and row.high is not None:
        ends = (axis.x(row.low), middle), (axis.x(row.high), middle)
        line(mark, *ends, colour, stroke_width="3", stroke_linecap="round")
    x = axis.x(row.value)
    corners = " ".join(f"{x + dx:.1f},{middle + dy:g}" for dx, dy in ((-6, 0), (0, -6), (6, 0), (0, 6)))
    shape = SubElement(mark, "polygon", points=corners, fill=colour, stroke="#ffffff")
    shape.set("stroke-width", "1.2")


def _points(root: Element, row: ChartRow, axis: Axis, middle: float) -> None:
    colour = COLOURS[row.colour % len(COLOURS)]
    places = [(axis.x(point.value), middle + _spread(number)) for number, point in enumerate(row.points)]
    if len(places) > MANY:
        path = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places)
        style = {"stroke": colour, "stroke-width": "4.4", "stroke-linecap": "round", "stroke-opacity": "0.4"}
        SubElement(linked(root, row.href, reached=False), "path", {"d": path, "fill": "none", **style})
        return
    for point, (x, y) in zip(row.points, places, strict=True):
        mark = linked(root, point.href, reached=False)
        tip(mark, point.title)
        SubElement(mark, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "2.6", "fill": colour, "opacity": "0.5"})


def _spread(number: int) -> float:
    """How far a dot stands above or below its line, so that equal values can be told apart; the same for every run."""
    return ((number * 5) % 9 - 4) * 1.7


@immutable
class Bar:
    """Parts of a whole one after the other: what each is called and its share, 0 to 1. `empty`: nothing was counted."""

    title: str
    shares: tuple[tuple[str, float], ...]
    note: str = ""
    href: str = ""


BAR_FILLS: Final = ("#0b5394", "#d7dce2", "#a63d00")
BAR_INKS: Final = ("#ffffff", "#1c2530", "#ffffff")


def bars(name: str, title: str, rows: Sequence[Bar], *, text: str = "") -> Chart:
    """A bar for each; a part has its share written in it where there is room."""
    root = panel(title, text, _TOP + 42 * len(rows) + 6)
    for number, row in enumerate(rows):
        top = _TOP + 42 * number
        whole = linked(root, row.href)
        write(whole, LEFT, top + 12, row.title, weight="600", room=RIGHT - LEFT - 6.2 * width(row.note) - 8)
        write(whole, RIGHT, top + 12, row.note, size=11, colour=SOFT, anchor="end")
        frame = {"fill": "none", "stroke": LINE}
        SubElement(whole, "rect", x=str(LEFT), y=str(top + 17), width=str(RIGHT - LEFT), height="18", attrib=frame)
        left = float(LEFT)
        for place, (part, share) in enumerate(row.shares):
            wide = share * (RIGHT - LEFT)
            piece = SubElement(whole, "g")
            tip(piece, f"{part}: {share:.0%}")
            fill = BAR_FILLS[place % len(BAR_FILLS)]
            SubElement(piece, "rect", x=f"{left:.1f}", y=str(top + 17), width=f"{wide:.1f}", height="18", fill=fill)
            if wide > 34:
                ink = BAR_INKS[place % len(BAR_INKS)]
                write(piece, left + wide / 2, top + 30, f"{share:.0%}", size=11, colour=ink, anchor="middle")
            left += wide
    return Chart(name, title, text, root)
