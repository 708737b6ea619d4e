"""A graph as text that other programs draw: Mermaid and DOT, from the same nodes and edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from ..model.immutable import immutable, replace
from ..publication.chart_parts import plain
from .graph import Box, Graph, GraphFrame, Part, Split, Way
from .graph_layout import BOX, SIZE, wrapped
from .protocol_words import Word

NodeKind = Literal["box", "split", "end", "jump"]
_INDENT: Final = "  "
_LINE: Final = "\n"
_DOT_LINES: Final = 4  # of a remark, that are shown


@immutable
class FlowNode:
    """`id`: of letters and digits; `inside`: the clusters in which it stands, the outermost first."""

    id: str
    kind: NodeKind
    place: str
    lines: tuple[str, ...]
    dashed: bool
    inside: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@immutable
class Cluster:
    id: str
    place: str
    label: str
    dashed: bool


@immutable
class FlowEdge:
    """`branch`: of a split, which of its ways; `label`: how that is said."""

    start: str
    end: str
    branch: str = ""
    label: str = ""
    dashed: bool = False


@immutable
class Flow:
    """A graph without its layout."""

    title: str
    nodes: tuple[FlowNode, ...]
    clusters: tuple[Cluster, ...]
    edges: tuple[FlowEdge, ...]


@immutable
class _Out:
    """An end of an edge that is still to be led somewhere."""

    start: str
    branch: str = ""


def flow(graph: Graph, say: Word) -> Flow:
    """The nodes and edges of a graph; ways out of the order lead to what they name, where it is drawn."""
    walker = _Walker(say)
    walker.sequence(graph.stages, (), ())
    for event in graph.events:
        walker.sequence((event,), (), ())
    return Flow(graph.title, tuple(walker.nodes), tuple(walker.clusters), (*walker.edges, *walker.jumps()))


class _Walker:
    def __init__(self, say: Word) -> None:
        self._say = say
        self.nodes: list[FlowNode] = []
        self.clusters: list[Cluster] = []
        self.edges: list[FlowEdge] = []
        self._ways: list[tuple[str, Way]] = []
        self._first: dict[str, str] = {}

    def sequence(self, parts: Sequence[Part], outs: tuple[_Out, ...], inside: tuple[str, ...]) -> tuple[_Out, ...]:
        """Parts one after the other; what comes of it is led to what follows."""
        for part in parts:
            if not outs and self.nodes and isinstance(part, Box | GraphFrame) and part.however:
                outs = (_Out(self.nodes[-1].id),)
            outs = self._part(part, outs, inside)
        return outs

    def jumps(self) -> Iterator[FlowEdge]:
        """The edges of ways that go on elsewhere or back."""
        for start, way in self._ways:
            for to in way.to:
                if to in self._first:
                    yield FlowEdge(start, self._first[to], dashed=True)

    def _part(self, part: Part, outs: tuple[_Out, ...], inside: tuple[str, ...]) -> tuple[_Out, ...]:
        match part:
            case Box():
                lines = (f"{part.number} {part.head}".strip(), *self._only(part.condition), *part.lines)
                node = self._node("box", part.place, lines, inside, dashed=bool(part.condition))
                self._lead(outs, node)
                for way in part.ways:
                    self.edges.append(FlowEdge(node, self._way(way, inside), dashed=True))
                return (_Out(node),) if part.follows else ()
            case Way():
                node = self._way(part, inside)
                self._lead(outs, node)
                return (_Out(node),) if part.kind == "again" else ()
            case Split():
                lines = (self._say("graph_asks", condition=part.told),)
                node = self._node("split", part.place, lines, inside)
                self._lead(outs, node)
                yes = self.sequence(part.yes, (_Out(node, "then"),), inside)
                return (*yes, *self.sequence(part.no, (_Out(node, "else"),), inside))
            case GraphFrame():
                return self._frame(part, outs, inside)

    def _frame(self, frame: GraphFrame, outs: tuple[_Out, ...], inside: tuple[str, ...]) -> tuple[_Out, ...]:
        if not frame.parts:
            head = replace(Box(frame.place, frame.number, frame.head), condition=frame.condition, follows=frame.follows)
            return self._part(head, outs, inside)
        label = " · ".join((f"{frame.number} {frame.head}".strip(), *self._only(frame.condition), *frame.lines))
        name = f"c{len(self.clusters) + 1}"
        self.clusters.append(Cluster(name, frame.place, label, bool(frame.condition)))
        first = len(self.nodes)
        ends = self.sequence(frame.parts, outs, (*inside, name))
        start = self.nodes[first].id
        self._first.setdefault(frame.place, start)
        if frame.kind == "loop":
            self._lead(ends, start, label=self._say("graph_again"), dashed=True)
        ends = ends if frame.follows else ()
        return ends or (outs if frame.condition else ())

    def _node(
        self, kind: NodeKind, place: str, lines: tuple[str, ...], inside: tuple[str, ...], *, dashed: bool = False
    ) -> str:
        name = f"n{len(self.nodes) + 1}"
        self.nodes.append(FlowNode(name, kind, place, tuple(filter(None, lines)), dashed, inside))
        self._first.setdefault(place, name)
        return name

    def _way(self, way: Way, inside: tuple[str, ...]) -> str:
        kind: NodeKind = "end" if way.kind in ("end", "end of stage") else "jump"
        node = self._node(kind, way.place, (" ".join(filter(None, (way.number, way.text))),), inside, dashed=way.only)
        self._ways.append((node, way))
        return node

    def _lead(self, outs: Sequence[_Out], to: str, *, label: str = "", dashed: bool = False) -> None:
        for out in outs:
            said = self._say(f"graph_{out.branch}") if out.branch else label
            self.edges.append(FlowEdge(out.start, to, out.branch, said, dashed))

    def _only(self, condition: str) -> tuple[str, ...]:
        return (self._say("only_if", condition=condition),) if condition else ()


# ---- Mermaid ---------------------------------------------------------------------------------------------------------

_SHAPES: Final[dict[NodeKind, tuple[str, str]]] = {
    "box": ("[", "]"),
    "split": ("{{", "}}"),
    "end": ("([", "])"),
    "jump": ("([", "])"),
}


def mermaid(graph: Graph, say: Word) -> str:
    """A graph as a Mermaid flowchart."""
    made = flow(graph, say)
    lines = ["---", f"title: {_yaml_text(made.title)}", "---", "flowchart TD", *_mermaid_inside(made, (), _INDENT)]
    for edge in made.edges:
        arrow = "-.->" if edge.dashed else "-->"
        label = f"|{_mermaid_text(edge.label)}|" if edge.label else ""
        lines.append(f"{_INDENT}{edge.start} {arrow}{label} {edge.end}")
    lines.append(f"{_INDENT}classDef only stroke-dasharray:6 4;")
    lines.append(f"{_INDENT}classDef end_ fill:#fdf0ea,stroke:#a63d00;")
    only = [node.id for node in made.nodes if node.dashed] + [one.id for one in made.clusters if one.dashed]
    ends = [node.id for node in made.nodes if node.kind == "end"]
    lines += [f"{_INDENT}class {','.join(ids)} {name};" for ids, name in ((only, "only"), (ends, "end_")) if ids]
    return "\n".join(lines) + "\n"


def _mermaid_inside(made: Flow, inside: tuple[str, ...], indent: str) -> Iterator[str]:
    for node in made.nodes:
        if node.inside == inside:
            opening, closing = _SHAPES[node.kind]
            yield f"{indent}{node.id}{opening}{_mermaid_text(node.text)}{closing}"
    for cluster, within in _clusters(made, inside):
        yield f"{indent}subgraph {cluster.id}[{_mermaid_text(cluster.label)}]"
        yield from _mermaid_inside(made, within, indent + _INDENT)
        yield f"{indent}end"


def _mermaid_text(text: str) -> str:
    """A text between quotes, in which no sign means anything to Mermaid."""
    marks = {ord(one): f"#{ord(one)};" for one in '"#<>&`\\|{}[]();'}
    return f'"{plain(text).translate(marks)}"'.replace("\n", "<br/>")


def _yaml_text(text: str) -> str:
    import json

    return json.dumps(plain(" ".join(text.split())), ensure_ascii=False)


# ---- DOT -------------------------------------------------------------------------------------------------------------

_DOT_SHAPES: Final[dict[NodeKind, str]] = {
    "box": "shape=box",
    "split": "shape=hexagon",
    "end": 'shape=box, style="rounded,filled", fillcolor="#fdf0ea"',
    "jump": "shape=box, style=rounded",
}


def dot(graph: Graph, say: Word) -> str:
    """A graph in the language of Graphviz."""
    made = flow(graph, say)
    lines = ["digraph procedure {", f"{_INDENT}label={_dot_text(made.title)}; labelloc=t; rankdir=TB;"]
    lines.append(f'{_INDENT}node [fontname="Noto Sans CJK SC", fontsize=11]; edge [fontsize=10];')
    lines += _dot_inside(made, (), _INDENT)
    for edge in made.edges:
        label = [f"label={_dot_text(edge.label)}"] if edge.label else []
        style = ["style=dashed, constraint=false"] if edge.dashed else []
        marks = f" [{', '.join((*label, *style))}]" if label or style else ""
        lines.append(f"{_INDENT}{edge.start} -> {edge.end}{marks};")
    return "\n".join((*lines, "}")) + "\n"


def _dot_inside(made: Flow, inside: tuple[str, ...], indent: str) -> Iterator[str]:
    for node in made.nodes:
        if node.inside == inside:
            shape = _DOT_SHAPES[node.kind]
            dashed = ", style=dashed" if node.dashed and "style" not in shape else ""
            lines = [line for one in node.lines for line in wrapped(one, BOX, SIZE, _DOT_LINES)]
            yield f"{indent}{node.id} [label={_dot_text(_LINE.join(lines))}, {shape}{dashed}];"
    for cluster, within in _clusters(made, inside):
        yield f"{indent}subgraph cluster_{cluster.id} {{"
        style = "dashed" if cluster.dashed else "solid"
        yield f"{indent}{_INDENT}label={_dot_text(cluster.label)}; labeljust=l; style={style};"
        yield from _dot_inside(made, within, indent + _INDENT)
        yield f"{indent}}}"


def _dot_text(text: str) -> str:
    return '"' + plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _clusters(made: Flow, inside: tuple[str, ...]) -> Iterator[tuple[Cluster, tuple[str, ...]]]:
    """The clusters that stand right inside these, each with all around its contents."""
    depth = len(inside)
    named = {
        node.inside[: depth + 1] for node in made.nodes if node.inside[:depth] == inside and len(node.inside) > depth
    }
    for cluster in made.clusters:
        if (*inside, cluster.id) in named:
            yield cluster, (*inside, cluster.id)
