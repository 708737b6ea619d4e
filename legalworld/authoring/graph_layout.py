"""Where the parts of a graph stand on a page: each part is laid out by itself, then set below or beside its neighbours.

No program of the system and no general layout: the tree says what stands where, so a step more moves only what follows
it. All lengths are pixels, from the upper left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ..model.immutable import immutable, replace
from ..publication.chart_parts import plain
from ..wording.columns import width
from .graph import Box, Graph, GraphFrame, Part, Split, Way

BOX: Final = 250.0
PILL: Final = 168.0
GAP, BESIDE, PAD, LANE = 24.0, 22.0, 14.0, 11.0
LINE, HEAD = 16.0, 17.0
SIZE, SMALL = 12.0, 11.0
_LATIN: Final = 0.56  # of the size of the letters: what a Latin letter takes
_FULL: Final = 1.02  # the same of a Chinese character
_TALL: Final = 1500.0  # from here on stages stand in several columns
_MOST_COLUMNS: Final = 4
_MARKS: Final = {"end": "■ ", "end of stage": "▪ ", "onward": "↷ ", "again": "↺ "}


# ---- shapes ----------------------------------------------------------------------------------------------------------


@immutable
class Panel:
    """A rectangle. `kind`: what it stands for; `place`: what runs that came there colour; `dashed`: only in some cases;
    `link`: a place that it leads to; `whole`: what is told where its words were cut."""

    x: float
    y: float
    wide: float
    high: float
    kind: str
    place: str = ""
    dashed: bool = False
    link: str = ""
    whole: str = ""


@immutable
class Label:
    """A line of text. `branch`: (place, kind) of the way that it names, of which runs are counted."""

    x: float
    y: float
    text: str
    kind: str
    anchor: str = ""
    branch: tuple[str, str] = ("", "")


@immutable
class Stroke:
    """A line with corners. `arrow`: its end has one; `kind`: flow, or a way out of the order."""

    points: tuple[tuple[float, float], ...]
    kind: str = "flow"
    arrow: bool = True


Shape = Panel | Label | Stroke


@immutable
class Block:
    """Some shapes and the room that they take. `axis`: how far from the left what follows is joined; `out`: whether
    anything may follow; `joined`: it follows what stands before it, even where nothing else may.
    `foot`: how far down the part itself reaches, where what stands beside it is taller."""

    wide: float
    high: float
    axis: float
    out: bool
    shapes: tuple[Shape, ...]
    joined: bool = False
    foot: float | None = None

    @property
    def below(self) -> float:
        """How far from the top what follows is joined."""
        return self.high if self.foot is None else self.foot


def _moved(shapes: Iterable[Shape], x: float, y: float) -> Iterator[Shape]:
    for shape in shapes:
        if isinstance(shape, Stroke):
            yield replace(shape, points=tuple((a + x, b + y) for a, b in shape.points))
        else:
            yield replace(shape, x=shape.x + x, y=shape.y + y)


def _length(text: str, size: float) -> float:
    """About how many pixels a text takes."""
    double = width(text) - len(text)
    return size * (_FULL * double + _LATIN * (len(text) - double))


_OPENS: Final = "“‘（【《〈「『〔[("
_CLOSES: Final = "”’）】》〉」』〕，。、；：！？…"
_PIECE: Final = re.compile(
    rf"[{re.escape(_OPENS)}]*+(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef{re.escape(_OPENS + _CLOSES)}]+)[{_CLOSES}]*\s*"
    rf"|[{re.escape(_OPENS)}]++[{_CLOSES}]*\s*|\s+|."
)


def wrapped(text: str, room: float, size: float, most: int) -> list[str]:
    """A text on lines of so many pixels, at most so many: a Chinese character may stand anywhere, a word is kept. No
    line begins with a mark that closes, or ends with one that opens."""
    lines = [""]
    for word in _PIECE.findall(plain(" ".join(text.split()))):
        while _length(lines[-1] + word.rstrip(), size) > room:
            if lines[-1]:
                lines.append("")
                word = word.lstrip()
                continue
            cut = next((n for n in range(len(word), 1, -1) if _length(word[:n], size) <= room), 1)
            lines[-1], word = word[:cut], word[cut:]
            lines.append("")
        lines[-1] += word
    lines = [line.rstrip() for line in lines if line.strip()]
    if len(lines) > most:
        last = lines[most - 1]
        while last and _length(last + "…", size) > room:
            last = last[:-1]
        lines = [*lines[: most - 1], last.rstrip("，。、, ") + "…"]
    return lines


# ---- parts -----------------------------------------------------------------------------------------------------------


class GraphLayout:
    """Lays out a graph. `say`: the sentences of the language that is read."""

    def __init__(self, say: Callable[..., str]) -> None:
        self._say = say

    def page(self, graph: Graph, columns: int = 0) -> Block:
        """All of a graph: its stages in as many columns as a screen wants (0), events in one of their own."""
        blocks = [self._part(part) for part in graph.stages]
        count = columns or max(1, min(_MOST_COLUMNS, round(sum(block.high for block in blocks) / _TALL + 0.3)))
        columns_ = _spread(blocks, count)
        shapes: list[Shape] = []
        ends: list[tuple[float, float, bool]] = []
        x = high = 0.0
        for column in columns_:
            block, _ = _stacked(column)
            shapes += _moved(block.shapes, x, PAD)
            if ends:
                shapes += _across(ends[-1], x, x + block.axis)
            ends.append((x + block.axis, PAD + block.below, block.out))
            x, high = x + block.wide + 2 * GAP, max(high, block.high + 2 * PAD)
        if graph.events:
            head = Label(x, PAD + SIZE, self._say("graph_events"), "head")
            block, _ = _stacked([replace(self._part(part), out=False) for part in graph.events])
            shapes += [head, *_moved(block.shapes, x, PAD + GAP)]
            x, high = x + block.wide, max(high, block.high + PAD + 2 * GAP)
        return Block(max(x, 0.0), high + PAD, 0, False, tuple(shapes))

    def _part(self, part: Part) -> Block:
        match part:
            case Box():
                return self._box(part)
            case Split():
                return self._split(part)
            case GraphFrame():
                return self._frame(part)
            case Way():
                block = self._pill(part, BOX)
                return replace(block, out=part.kind == "again")

    def _box(self, box: Box) -> Block:
        """A rectangle with its words, beside it the ways that lead away."""
        texts, whole = self._texts(box, BOX)
        high = PAD + sum(LINE if kind != "head" else HEAD for kind, _ in texts)
        panel = Panel(0, 0, BOX, high, "box", box.place, bool(box.condition), whole=whole)
        shapes: list[Shape] = [panel, *_written(texts, PAD * 0.7, PAD * 0.3)]
        wide = BOX
        y = 0.0
        for way in box.ways:
            pill = self._pill(way, PILL)
            shapes += _moved(pill.shapes, BOX + BESIDE, y)
            middle = y + pill.high / 2
            if middle < high:
                shapes.append(Stroke(((BOX, middle), (BOX + BESIDE, middle)), "way"))
            else:
                shapes.append(Stroke(((BOX - 8, high), (BOX - 8, middle), (BOX + BESIDE, middle)), "way"))
            y, wide = y + pill.high + 6, BOX + BESIDE + PILL
        return Block(wide, max(high, y - 6), BOX / 2, box.follows, tuple(shapes), box.however, high)

    def _texts(self, part: Box | GraphFrame, room: float) -> tuple[list[tuple[str, str]], str]:
        """(kind, line) of what stands in a part, and the whole of it."""
        inner = room - 2 * PAD * 0.7
        head = f"{part.number} {part.head}".strip()
        lines = [("head", one) for one in wrapped(head, inner, SIZE * 1.06, 2)]
        if part.condition:
            condition = self._say("only_if", condition=part.condition)
            lines += [("condition", one) for one in wrapped(condition, inner, SMALL, 2)]
        lines += [("small", one) for text in part.lines for one in wrapped(text, inner, SMALL, 2)]
        told = self._say("only_if", condition=part.condition) if part.condition else ""
        return lines, "\n".join(filter(None, (head, told, *part.lines)))

    def _pill(self, way: Way, wide: float) -> Block:
        text = _MARKS[way.kind] + " ".join(filter(None, (way.number, way.text)))
        lines = wrapped(text, wide - PAD, SMALL, 2)
        high = 8 + LINE * len(lines)
        link = way.to[0] if way.to else ""
        panel = Panel(0, 0, wide, high, way.kind, way.place, way.only, link, text)
        written = _written([("pill", one) for one in lines], PAD / 2, 2)
        return Block(wide, high, wide / 2, True, (panel, *written))

    def _split(self, split: Split) -> Block:
        """A question, below it the two ways side by side, which meet again where both go on."""
        lines = wrapped(self._say("graph_asks", condition=split.told), BOX - 2 * PAD, SMALL, 3)
        top = 10 + LINE * len(lines)
        panel = Panel(0, 0, BOX, top, "split", split.place, whole=split.condition)
        yes, no = (self._way_of(parts) for parts in (split.yes, split.no))
        apart = yes.wide + BESIDE + no.axis
        middle = (yes.axis + apart) / 2
        left = max(0.0, BOX / 2 - middle)
        middle, down = middle + left, top + GAP * 1.4
        head = _moved((panel, *_written([("small", one) for one in lines], PAD, 3)), middle - BOX / 2, 0)
        shapes: list[Shape] = [*head]
        foot = down + max(yes.high, no.high) + GAP * 0.7
        for key, block, x in (("then", yes, left), ("else", no, left + yes.wide + BESIDE)):
            axis = x + block.axis
            shapes.append(
                Stroke(((middle, top), (middle, top + 8), (axis, top + 8), (axis, down)), arrow=block.high > 0)
            )
            side = "end" if key == "then" else ""
            at = axis - 5 if key == "then" else axis + 5
            shapes.append(Label(at, top + 22, self._say(f"graph_{key}"), "label", side, (split.place, key)))
            shapes += _moved(block.shapes, x, down)
            if block.out:
                shapes.append(Stroke(((axis, down + block.below), (axis, foot), (middle, foot)), arrow=False))
        wide = max(left + yes.wide + BESIDE + no.wide, middle + BOX / 2)
        return Block(wide, foot, middle, yes.out or no.out, tuple(shapes))

    def _way_of(self, parts: Sequence[Part]) -> Block:
        if not parts:
            return Block(BESIDE * 2, 0, BESIDE, True, ())
        block, _ = _stacked([self._part(part) for part in parts])
        return block

    def _frame(self, frame: GraphFrame) -> Block:
        """A border around what stands together, with its name above and the ways between its parts at its left."""
        blocks = [self._part(part) for part in frame.parts]
        block, spots = _stacked(blocks)
        lanes = list(_lanes(frame.parts, spots))
        indent = PAD + LANE * len(lanes)
        room = max(block.wide + indent + PAD, BOX)
        texts, whole = self._texts(frame, room)
        if frame.kind == "loop":
            texts[0:1] = [(kind, f"⟳ {line}") for kind, line in texts[0:1]]
        top = PAD * 0.6 + sum(HEAD if kind == "head" else LINE for kind, _ in texts) + PAD * 0.6
        high = top + block.high + PAD
        shapes: list[Shape] = [Panel(0, 0, room, high, frame.kind, frame.place, bool(frame.condition), whole=whole)]
        shapes += _written(texts, PAD * 0.7, PAD * 0.4)
        shapes += _moved(lanes, indent, top)
        shapes += _moved(block.shapes, indent, top)
        out = bool(frame.condition) or ((block.out or not blocks) and frame.follows)
        return Block(room, high, indent + block.axis, out, tuple(shapes), frame.however)


# ---- one below the other ---------------------------------------------------------------------------------------------


def _stacked(blocks: Sequence[Block]) -> tuple[Block, list[tuple[float, float]]]:
    """Blocks one below the other on one axis, and where each begins."""
    axis = max((block.axis for block in blocks), default=0.0)
    wide = axis + max((block.wide - block.axis for block in blocks), default=0.0)
    shapes: list[Shape] = []
    spots: list[tuple[float, float]] = []
    y = 0.0
    for n, block in enumerate(blocks):
        spots.append((axis - block.axis, y))
        shapes += _moved(block.shapes, axis - block.axis, y)
        if n + 1 < len(blocks):
            if block.out or blocks[n + 1].joined:
                shapes.append(Stroke(((axis, y + block.below), (axis, y + block.high + GAP))))
            y += GAP
        y += block.high
    last = blocks[-1] if blocks else Block(0, 0, 0, True, ())
    return Block(wide, y, axis, last.out, tuple(shapes), foot=y - last.high + last.below), spots


def _lanes(parts: Sequence[Part], spots: Sequence[tuple[float, float]]) -> Iterator[Stroke]:
    """The ways from one part of a frame to another, each at a distance of its own from their left sides."""
    named = {part.place: n for n, part in enumerate(parts)}
    count = 0
    for n, part in enumerate(parts):
        ways = part.ways if isinstance(part, Box | GraphFrame) else ()
        for to in dict.fromkeys(to for way in ways for to in way.to if to in named):
            count += 1
            (x, y), (other, below) = spots[n], spots[named[to]]
            y, below = y + 20, below + (26 if named[to] == n else 10)
            lane = -LANE * count + LANE / 2
            yield Stroke(((x, y), (lane, y), (lane, below), (other, below)), "way")


def _spread(blocks: Sequence[Block], count: int) -> list[list[Block]]:
    """Blocks in at most so many columns, in their order, the tallest as low as can be."""
    low, high = max((block.high for block in blocks), default=0.0), sum(block.high + GAP for block in blocks)
    while high - low > 1:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_filled(blocks, middle)) <= count else (middle, high)
    return _filled(blocks, high)


def _filled(blocks: Sequence[Block], most: float) -> list[list[Block]]:
    columns: list[list[Block]] = []
    used = most
    for block in blocks:
        if not columns or used + GAP + block.high > most:
            columns.append([])
            used = -GAP
        columns[-1].append(block)
        used += GAP + block.high
    return columns


def _across(end: tuple[float, float, bool], left: float, axis: float) -> Iterator[Stroke]:
    """From the foot of a column to the top of the next."""
    x, y, out = end
    if out:
        gutter = left - GAP
        yield Stroke(((x, y), (x, y + 12), (gutter, y + 12), (gutter, 2.0), (axis, 2.0), (axis, PAD)))


def _written(texts: Sequence[tuple[str, str]], x: float, y: float) -> Iterator[Label]:
    """Lines of text, one below the other."""
    for kind, line in texts:
        y += HEAD if kind == "head" else LINE
        yield Label(x, y - 3, line, kind)
