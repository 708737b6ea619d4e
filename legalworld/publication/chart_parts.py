"""What all charts share: a panel of one width, its axis, its colours, and labels that fit. Charts are SVG elements.

A panel is as wide as a phone is (`WIDE`), so that nothing on it is scaled down until it cannot be read; a page sets
several side by side. Marks that stand for something are links to where it comes from; a file has none.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from ..model.immutable import immutable
from ..wording.columns import symbol, width

WIDE: Final = 400
LEFT, RIGHT = 10, WIDE - 10
FONT: Final = "'Noto Sans CJK SC','Source Han Sans SC','Microsoft YaHei','PingFang SC',system-ui,sans-serif"
INK, SOFT, LINE, PAPER = "#1c2530", "#4d5866", "#cfd6de", "#ffffff"
# Each at least 4.5 : 1 on white; told apart by dashes, too, where lines are drawn.
COLOURS: Final = ("#0b5394", "#a63d00", "#1b6e3c", "#7b3294", "#6b5900", "#00686d", "#9c1458", "#4a4a4a")
DASHES: Final = ("", "7 3", "2 3", "9 3 2 3", "5 2 1 2 1 2", "12 4", "1 2", "4 4")
_COLUMN: Final = 0.56  # of the size of the letters: what a column of text takes


@immutable
class Chart:
    """A chart to be shown. `name` is that of its file, `text` tells in words what can be seen."""

    name: str
    title: str
    text: str
    root: Element

    @property
    def inline(self) -> str:
        """As it stands in a page, with its links."""
        return tostring(self.root, encoding="unicode")

    @property
    def file(self) -> str:
        """As a file of its own: its title above, no links."""
        root = copy.deepcopy(self.root)
        root.set("xmlns", "http://www.w3.org/2000/svg")
        for link in [*root.iter("a")]:
            link.tag = "g"
            link.attrib.clear()
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def plain(text: str) -> str:
    """A text of others that neither hides nor moves anything: what cannot be seen, or turns the direction of writing,
    is shown as a symbol or a code point. Lines stay lines."""
    if text.isprintable():
        return text
    return "".join(one if one in "\n\u3000" else symbol(one) for one in text.replace("\r\n", "\n"))


def short(text: str, room: float, size: float = 12) -> str:
    """The beginning of a label, on so many pixels."""
    text, most = plain(" ".join(text.split())), int(room / (size * _COLUMN))
    if width(text) <= most:
        return text
    kept = ""
    for one in text:
        if width(kept + one) > most - 1:
            break
        kept += one
    return kept + "…"


def panel(title: str, text: str, height: float, wide: float = WIDE) -> Element:
    """An empty chart with its title as readers are told it, drawn on its first line."""
    root = Element("svg", viewBox=f"0 0 {_n(wide)} {_n(height)}", width=_n(wide), height=_n(height), role="img")
    root.set("font-family", FONT)
    root.set("aria-label", plain(f"{title}. {text}" if text else title))
    SubElement(root, "rect", width=_n(wide), height=_n(height), fill=PAPER)
    if title:
        write(root, LEFT, 16, title, weight="700", size=13, room=wide - 2 * LEFT)
    return root


def write(
    parent: Element,
    x: float,
    y: float,
    text: str,
    *,
    size: float = 12,
    colour: str = INK,
    anchor: str = "",
    weight: str = "",
    room: float = WIDE,
) -> Element:
    """A line of text; where it had to be cut the whole is its tooltip."""
    label = SubElement(parent, "text", x=_n(x), y=_n(y), fill=colour)
    label.set("font-size", _n(size))
    if anchor:
        label.set("text-anchor", anchor)
    if weight:
        label.set("font-weight", weight)
    label.text = short(text, room, size)
    if label.text != plain(text):
        title = SubElement(label, "title")
        title.text = plain(text)
    return label


def linked(parent: Element, href: str, *, reached: bool = True) -> Element:
    """Where the marks of one thing are put: a link, where it leads somewhere. `reached`: by the tabulator, too."""
    if not href:
        return SubElement(parent, "g")
    link = SubElement(parent, "a", href=href)
    if not reached:
        link.set("tabindex", "-1")
    return link


def line(
    parent: Element, start: tuple[float, float], end: tuple[float, float], colour: str = LINE, **more: str
) -> None:
    ends = {"x1": _n(start[0]), "y1": _n(start[1]), "x2": _n(end[0]), "y2": _n(end[1])}
    SubElement(parent, "line", {**ends, "stroke": colour, **{name.replace("_", "-"): more[name] for name in more}})


def tip(parent: Element, text: str) -> None:
    """What is said where the pointer rests."""
    title = SubElement(parent, "title")
    title.text = plain(text)


@immutable
class Axis:
    """From values to pixels, left to right."""

    low: float
    high: float
    left: float = LEFT + 4
    right: float = RIGHT - 4

    def x(self, value: float) -> float:
        """A value beyond an end is drawn at the end."""
        share = (value - self.low) / (self.high - self.low)
        return self.left + (self.right - self.left) * min(max(share, 0.0), 1.0)

    def lines(self, root: Element, top: float, bottom: float) -> None:
        """Lines at round values."""
        for value in ticks(self.low, self.high):
            line(root, (self.x(value), top), (self.x(value), bottom), stroke_width="1")

    def values(self, root: Element, y: float) -> None:
        """The round values themselves."""
        for value in ticks(self.low, self.high):
            x = self.x(value)
            anchor = "" if x < self.left + 12 else "end" if x > self.right - 12 else "middle"
            write(root, x, y, f"{value:g}", size=11, colour=SOFT, anchor=anchor)


def axis_of(
    values: Sequence[float],
    bounds: tuple[float, float] | None = None,
    *,
    zero: bool = False,
    lowest: float = -math.inf,
) -> Axis:
    """An axis that holds all values: the whole range where it is known, else what there is; `zero`: with 0 inside;
    `lowest`: below which there can be no value."""
    if bounds is not None:
        return Axis(*bounds)
    every = [*values, *([0.0] if zero else [])] or [0.0, 1.0]
    low, high = min(every), max(every)
    if low == high:
        low, high = low - 0.5, high + 0.5
    margin = 0.06 * (high - low)
    return Axis(max(low - margin, lowest), high + margin)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """At most so many round values within two others: steps of 1, 2 or 5 times a power of ten."""
    raw = (high - low) / (most - 1)
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def _n(value: float) -> str:
    """A coordinate, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")
