"""A radar of shares, 0 in the middle and 1 at the rim. What is undefined is a gap: its corner is left open."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import SubElement

from ..model.immutable import immutable
from .chart_parts import COLOURS, DASHES, LINE, SOFT, WIDE, Chart, line, linked, panel, plain, tip, write

MOST_AXES: Final = 16
_CENTRE, _RADIUS = (WIDE / 2, 190.0), 118.0


@immutable
class RadarSeries:
    """`shares`: one for each axis, 0 (worst) to 1 (best), None where there is no figure."""

    title: str
    shares: tuple[float | None, ...]
    href: str = ""


def radar(name: str, title: str, axes: Sequence[str], series: Sequence[RadarSeries], *, text: str = "") -> Chart | None:
    """The chart; None for fewer than three axes or too many."""
    if not 3 <= len(axes) <= MOST_AXES:
        return None
    root = panel(title, text, 352 + 20 * len(series))
    angles = [2 * math.pi * index / len(axes) - math.pi / 2 for index in range(len(axes))]
    for share in (0.25, 0.5, 0.75, 1.0):
        centre = {"cx": f"{_CENTRE[0]:g}", "cy": f"{_CENTRE[1]:g}", "r": f"{_RADIUS * share:g}"}
        SubElement(root, "circle", {**centre, "fill": "none", "stroke": LINE})
    for axis, angle in zip(axes, angles, strict=True):
        line(root, _CENTRE, _point(angle, 1.0))
        x, y = _point(angle, 1.12)
        anchor = "middle" if abs(math.cos(angle)) < 0.25 else "" if math.cos(angle) > 0 else "end"
        room = WIDE - 8 if anchor == "middle" else x - 4 if anchor == "end" else WIDE - x - 4
        write(root, x, y + 4, axis, size=11, colour=SOFT, anchor=anchor, room=room)
    for number, one in enumerate(series):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        group = SubElement(root, "g", stroke=colour, fill="none")
        group.set("stroke-width", "2.2")
        group.set("stroke-dasharray", dash or "none")
        tip(group, one.title)
        SubElement(group, "path", d=" ".join(_path(angles, one.shares)))
        for angle, here in zip(angles, one.shares, strict=True):
            if here is not None:
                x, y = _point(angle, here)
                SubElement(group, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="2.8", fill=colour, stroke="none")
        key = linked(root, one.href)
        y = 352 + 20 * number
        line(key, (14, y - 4), (44, y - 4), colour, stroke_width="2.6", stroke_dasharray=dash or "none")
        gaps = [plain(axis) for axis, here in zip(axes, one.shares, strict=True) if here is None]
        write(key, 52, y, one.title + (f" (– {', '.join(gaps)})" if gaps else ""), room=WIDE - 60)
    return Chart(name, title, text, root)


def _path(angles: Sequence[float], shares: Sequence[float | None]) -> Iterator[str]:
    """Lines between neighbours that both have a share; none to, from or across one that has not."""
    count = len(shares)
    for index in range(count):
        here, following = shares[index], shares[(index + 1) % count]
        if here is not None and following is not None:
            (x, y), (u, v) = _point(angles[index], here), _point(angles[(index + 1) % count], following)
            yield f"M{x:.1f} {y:.1f} L{u:.1f} {v:.1f}"


def _point(angle: float, share: float) -> tuple[float, float]:
    return _CENTRE[0] + _RADIUS * share * math.cos(angle), _CENTRE[1] + _RADIUS * share * math.sin(angle)
