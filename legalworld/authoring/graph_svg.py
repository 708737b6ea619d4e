"""A graph as a picture: an SVG file that needs nothing else, with the ways of runs upon it where there are some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from ..model.immutable import immutable, replace
from ..publication.chart_parts import FONT, INK, LINE, PAPER, SOFT, Chart, plain, short, tip
from ..runs.coverage import Passages
from .graph import Graph
from .graph_layout import SIZE, SMALL, Block, GraphLayout, Label, Panel, Stroke, wrapped

_EDGE: Final = 24.0
_TOP: Final = 52.0
_ROW: Final = 16.0
_BLUE: Final = "#0b5394"
_RED: Final = "#a63d00"
_GREEN: Final = "#1b6e3c"
_FILLS: Final = {"stage": "#f6f8fa", "phase": "#ffffff", "event": "#fbf7ef", "loop": "#fdfdfd", "box": "#ffffff"}
_ENDS: Final = {"end": ("#fdf0ea", _RED), "end of stage": ("#fdf0ea", _RED)}
_BORDERS: Final = ("stage", "phase", "loop", "only")
_BENDS: Final = {"onward": ("#edf6f0", _GREEN), "again": ("#edf6f0", _GREEN)}
_TEXTS: Final = {
    "head": (SIZE * 1.06, "700", INK),
    "condition": (SMALL, "", _BLUE),
    "small": (SMALL, "", SOFT),
    "pill": (SMALL, "", INK),
    "label": (SMALL, "700", _BLUE),
}


def picture(
    graph: Graph,
    say: Callable[..., str],
    *,
    subtitle: str = "",
    passed: Passages | None = None,
    columns: int = 0,
    marked: str = "",
) -> Chart:
    """The picture of a graph, in the language of `say`. `passed` colours what runs came to, by their share; `marked`: a
    place that stands out."""
    block = GraphLayout(say).page(graph, columns)
    keys = [say("graph_key")]
    if passed is not None:
        passed = _upon(passed, block)
        keys.append(say("graph_key_runs", runs=passed.runs))
    wide = max(block.wide + 2 * _EDGE, 640.0)
    lines = [line for key in keys for line in wrapped(key, wide - 2 * _EDGE, SMALL, 4)]
    top = _TOP + _ROW * len(lines)
    size = {"width": _n(wide), "height": _n(block.high + top + _EDGE)}
    root = Element("svg", {"viewBox": f"0 0 {size['width']} {size['height']}", **size, "role": "img"})
    root.set("font-family", FONT)
    root.set("aria-label", plain(graph.title))
    SubElement(root, "rect", {**size, "fill": PAPER})
    _arrows(root)
    _text(root, Label(_EDGE, 24, short(graph.title, wide - 2 * _EDGE, 16), "head"), size=16)
    for n, line in enumerate((short(subtitle, wide - 2 * _EDGE, SMALL), *lines)):
        _text(root, Label(_EDGE, 42 + _ROW * n, line, "small"))
    _draw(SubElement(root, "g", transform=f"translate({_n(_EDGE)} {_n(top)})"), block, _Pen(say, passed, marked))
    return Chart("graph", graph.title, " ".join(keys), root)


def _upon(passed: Passages, block: Block) -> Passages:
    """Where unfinished runs stand, by the innermost that is drawn."""
    drawn = {shape.place for shape in block.shapes if isinstance(shape, Panel)}
    stands = set()
    for place in passed.stands:
        while place and place not in drawn:
            place = place.rpartition("/")[0]
        stands.add(place)
    return replace(passed, stands=frozenset(stands - {""}))


@immutable
class _Pen:
    say: Callable[..., str]
    passed: Passages | None
    marked: str


def _draw(root: Element, block: Block, pen: _Pen) -> None:
    """All shapes: borders first, then lines, then what is read."""
    passed = pen.passed
    for shape in block.shapes:
        if isinstance(shape, Panel):
            _panel(root, shape, pen)
    for shape in block.shapes:
        if isinstance(shape, Stroke):
            _line(root, shape)
    for shape in block.shapes:
        if isinstance(shape, Label):
            count = passed.came.get(shape.branch, 0) if passed is not None and shape.branch[0] else None
            _text(root, shape, more="" if count is None else f" · {count}")


def _panel(root: Element, panel: Panel, pen: _Pen) -> None:
    """A rectangle that says, where the pointer rests, all that stands in it."""
    fill, edge = {**_ENDS, **_BENDS}.get(panel.kind, (_FILLS.get(panel.kind, "#eef4fb"), SOFT))
    way = panel.kind in _ENDS or panel.kind in _BENDS
    if panel.kind in _BORDERS:
        edge = "#9aa5b1"
    whole, passed = panel.whole, pen.passed
    if passed is not None and panel.kind != "stage":
        count = passed.at(panel.place)
        fill, edge = (_shade(count / passed.runs), edge) if count else (PAPER, LINE)
        whole = f"{whole}\n{pen.say('graph_came', count=count, runs=passed.runs)}"
    group = SubElement(root, "a", href=f"#{panel.link}") if panel.link else SubElement(root, "g")
    if panel.place and not way:
        group.set("id", panel.place)
    radius = "11" if way else "8" if panel.kind in ("split", "loop") else "4"
    size = {"x": _n(panel.x), "y": _n(panel.y), "width": _n(panel.wide), "height": _n(panel.high), "rx": radius}
    rect = SubElement(group, "rect", {**size, "fill": fill, "stroke": edge})
    if panel.dashed:
        rect.set("stroke-dasharray", "6 4")
    stands = passed is not None and panel.place in passed.stands
    if stands or (pen.marked and panel.place == pen.marked):
        rect.set("stroke", _RED if stands else _BLUE)
        rect.set("stroke-width", "3")
    tip(group, f"{whole}\n{pen.say('graph_stands')}" if stands else whole)


def _shade(share: float) -> str:
    """From pale to full, by the share of the runs."""
    low, high = (0xEA, 0xF3, 0xFB), (0xA9, 0xCF, 0xF0)
    return "#" + "".join(f"{round(a + (b - a) * min(share, 1.0)):02x}" for a, b in zip(low, high, strict=True))


def _line(root: Element, line: Stroke) -> None:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in line.points)
    colour = SOFT if line.kind == "flow" else _GREEN
    drawn = SubElement(root, "polyline", points=points, fill="none", stroke=colour)
    if line.kind == "way":
        drawn.set("stroke-dasharray", "2 3")
    if line.arrow:
        drawn.set("marker-end", f"url(#arrow-{line.kind})")


def _text(root: Element, words: Label, *, size: float = 0, more: str = "") -> None:
    letters, weight, colour = _TEXTS[words.kind]
    label = SubElement(root, "text", x=_n(words.x), y=_n(words.y), fill=colour)
    label.set("font-size", _n(size or letters))
    if weight:
        label.set("font-weight", weight)
    if words.anchor:
        label.set("text-anchor", words.anchor)
    label.text = plain(words.text) + more


def _arrows(root: Element) -> None:
    defs = SubElement(root, "defs")
    for kind, colour in (("flow", SOFT), ("way", _GREEN)):
        box = {"viewBox": "0 0 8 8", "refX": "7", "refY": "4", "markerWidth": "7", "markerHeight": "7"}
        marker = SubElement(defs, "marker", {"id": f"arrow-{kind}", **box, "orient": "auto"})
        SubElement(marker, "path", d="M0 0 L8 4 L0 8 z", fill=colour)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
