"""The graph of a procedure: every stage, step, branch and end is on it once, nothing is drawn over another, and what
stands elsewhere does not move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from playing import project

from legalworld.authoring.graph import Box, Depth, Graph, GraphFrame, Split, Way, graph, parts_in
from legalworld.authoring.graph_layout import SMALL, Block, GraphLayout, Panel, Stroke, wrapped
from legalworld.authoring.graph_svg import picture
from legalworld.authoring.graph_text import Flow, dot, flow, mermaid
from legalworld.authoring.protocol import Protocol, protocol
from legalworld.model import procedure as p
from legalworld.model.immutable import replace
from legalworld.runs.coverage import coverage
from legalworld.wording import sentences

SPECS = sorted(
    str(path.relative_to(ROOT / "specs").with_suffix(""))
    for path in (ROOT / "specs").rglob("*.yaml")
    if "procedure:" in path.read_text("utf-8") and path.parent.name != "parts"
)
shipped = pytest.mark.parametrize("spec", SPECS)
deep = pytest.mark.parametrize("depth", ["stage", "phase", "step"])


@cache
def procedure_of(spec: str) -> p.Procedure:
    procedure = project(spec).procedure
    assert procedure is not None
    return procedure


@cache
def told(spec: str, language: str = "zh") -> Protocol:
    return protocol(procedure_of(spec), language, sentences("protocol", language))


@cache
def made(spec: str, depth: Depth, language: str = "zh") -> Graph:
    return graph(told(spec, language), depth)


def flow_of(spec: str, depth: Depth) -> Flow:
    return flow(made(spec, depth), told(spec).phrases.word)


def parts_of(drawn: Graph) -> list[Box | Split | GraphFrame | Way]:
    return [*parts_in((*drawn.stages, *drawn.events))]


# ---- what is on it ---------------------------------------------------------------------------------------------------


@shipped
def test_every_branch_of_a_procedure_is_an_edge(spec: str) -> None:
    """But for a way on which nothing is done and behind which nothing follows."""
    branches = coverage(procedure_of(spec), ()).branches
    drawn = flow_of(spec, "step")
    places = {node.id: node.place for node in drawn.nodes}
    led = {(places[edge.start], edge.branch) for edge in drawn.edges if edge.branch}
    forks = {(one.place, one.kind) for one in branches if one.kind in ("then", "else")}
    splits = {part.place: part for part in parts_of(made(spec, "step")) if isinstance(part, Split)}
    assert {place for place, _ in forks} <= set(splits)
    for place, kind in forks - led:
        assert not (splits[place].yes if kind == "then" else splits[place].no)


@shipped
def test_every_stage_phase_and_step_is_drawn_once_at_the_depth_of_steps(spec: str) -> None:
    procedure = procedure_of(spec)
    drawn = [part.place for part in parts_of(made(spec, "step")) if part.place]
    assert len(drawn) == len(set(drawn))
    wanted = set()
    for place, what in p.places(procedure):
        plain = place[place.index(p.EVENT_MARK) :] if p.EVENT_MARK in place else place
        if not isinstance(what, p.Stage | p.Phase | p.Interruption) and not what.ACTS and what.blocks:
            continue  # a loop without steps of its own, a group: drawn as what stands in it
        wanted.add(plain)
    assert wanted - set(drawn) == set()


@shipped
@deep
def test_every_end_of_the_protocol_is_on_the_graph(spec: str, depth: Depth) -> None:
    ways = [part for part in parts_of(made(spec, depth)) if isinstance(part, Way)]
    ways += [way for part in parts_of(made(spec, depth)) if isinstance(part, Box | GraphFrame) for way in part.ways]
    events = {line for event in procedure_of(spec).interruptions for line in told(spec).course.event(event)}
    ends = set(told(spec).course.ends.values())
    if depth == "stage":
        ends -= {end for end in ends if all(line in events for line in told(spec).course.ended_at(end))}
    assert {way.number for way in ways if way.kind == "end"} == ends


@shipped
@deep
def test_every_edge_leads_between_nodes_and_every_node_is_come_to(spec: str, depth: Depth) -> None:
    drawn = flow_of(spec, depth)
    ids = [node.id for node in drawn.nodes]
    assert len(ids) == len(set(ids))
    assert {edge.start for edge in drawn.edges} | {edge.end for edge in drawn.edges} <= set(ids)
    starts = {ids[0]}
    events = {event.id for event in procedure_of(spec).interruptions}
    come_to = starts | {edge.end for edge in drawn.edges}
    lost = [node for node in drawn.nodes if node.id not in come_to]
    assert len(lost) <= len(events), [node.place for node in lost]


# ---- how it is drawn -------------------------------------------------------------------------------------------------


def laid(spec: str, depth: Depth, columns: int = 0) -> Block:
    return GraphLayout(told(spec).phrases.word).page(made(spec, depth), columns)


def apart(one: Panel, other: Panel) -> bool:
    return (
        one.x + one.wide <= other.x
        or other.x + other.wide <= one.x
        or one.y + one.high <= other.y
        or other.y + other.high <= one.y
    )


def inside(one: Panel, other: Panel) -> bool:
    return (
        other.x <= one.x
        and other.y <= one.y
        and one.x + one.wide <= other.x + other.wide
        and one.y + one.high <= other.y + other.high
    )


@shipped
@deep
@pytest.mark.parametrize("columns", [0, 1, 5])
def test_nothing_is_drawn_over_another(spec: str, depth: Depth, columns: int) -> None:
    block = laid(spec, depth, columns)
    panels = [shape for shape in block.shapes if isinstance(shape, Panel)]
    for n, one in enumerate(panels):
        assert one.x >= 0 and one.y >= 0 and one.x + one.wide <= block.wide and one.y + one.high <= block.high
        for other in panels[n + 1 :]:
            assert apart(one, other) or inside(other, one) or inside(one, other), (one.place, other.place)
    for line in (shape for shape in block.shapes if isinstance(shape, Stroke)):
        assert all(0 <= x <= block.wide and 0 <= y <= block.high for x, y in line.points)


def crossing(line: Stroke, panels: list[Panel]) -> Iterator[Panel]:
    """The panels that a line goes through, other than those that it joins and those around it."""
    for (x, y), (to, below) in zip(line.points, line.points[1:], strict=False):
        left, right, top, bottom = min(x, to), max(x, to), min(y, below), max(y, below)
        for panel in panels:
            wide, high = panel.x + panel.wide, panel.y + panel.high
            if left < wide - 1 and right > panel.x + 1 and top < high - 1 and bottom > panel.y + 1:
                yield panel


@shipped
@deep
def test_no_line_goes_through_what_it_does_not_join(spec: str, depth: Depth) -> None:
    shapes = laid(spec, depth).shapes
    frames = ("stage", "phase", "event", "loop", "only")
    panels = [shape for shape in shapes if isinstance(shape, Panel) and shape.kind not in frames]
    for line in (shape for shape in shapes if isinstance(shape, Stroke)):
        assert [panel.place for panel in crossing(line, panels)] == []


def test_a_step_more_moves_nothing_of_another_stage_or_of_what_stands_before_it() -> None:
    """Each stage is laid out by itself: of all others every shape stays."""
    procedure = procedure_of("civil")
    stage = next(one for one in procedure.stages if len(one.phases) > 2)
    phase = stage.phases[1]
    more = replace(phase.steps[0], info=replace(phase.steps[0].info, id="one_more"))
    longer = replace(stage, phases=(stage.phases[0], replace(phase, steps=(*phase.steps, more)), *stage.phases[2:]))
    changed = replace(procedure, stages=tuple(longer if one is stage else one for one in procedure.stages))
    before, after = (graph(protocol(one, "zh", sentences("protocol", "zh")), "step") for one in (procedure, changed))
    layout = GraphLayout(sentences("protocol", "zh"))
    for one, other in zip(before.stages, after.stages, strict=True):
        shapes = [layout.page(replace(before, stages=(part,), events=())).shapes for part in (one, other)]
        if one.place != stage.id:
            assert shapes[0] == shapes[1]
        else:
            last = next(
                n for n, shape in enumerate(shapes[1]) if isinstance(shape, Panel) and "one_more" in shape.place
            )
            y = shapes[1][last].y  # type: ignore[union-attr]
            above = [{s for s in side if isinstance(s, Panel) and s.y < y and s.kind == "box"} for side in shapes]
            assert above[0] == above[1] != set()


def test_a_way_to_another_phase_is_a_line_at_the_margin() -> None:
    for spec in SPECS:
        for stage in made(spec, "phase").stages:
            if not isinstance(stage, GraphFrame):
                continue
            here = {part.place for part in stage.parts}
            ways = {
                (part.place, to)
                for part in stage.parts
                if isinstance(part, Box | GraphFrame)
                for way in part.ways
                for to in way.to
                if to in here
            }
            page = GraphLayout(told(spec).phrases.word).page(Graph("", (stage,), ()))
            margins = [s for s in page.shapes if isinstance(s, Stroke) and s.kind == "way" and len(s.points) == 4]
            assert len(margins) >= len(ways)


# ---- strange texts ---------------------------------------------------------------------------------------------------

HOSTILE = [
    '"]; click n1 "javascript:alert(1)"',
    "</text><script>alert(1)</script>",
    "a\nend\nsubgraph x",
    "%%{init: {'theme':'dark'}}%%",
    "\u202eesrever\u202c \x1b[31m \x00",
    '\\"; node [label="x"]',
    "長" * 400,
    "w" * 900,
    "",
]


@pytest.mark.parametrize("text", HOSTILE)
@deep
def test_a_text_of_an_author_is_never_more_than_a_text(text: str, depth: Depth) -> None:
    procedure = procedure_of("civil")
    stages = tuple(
        replace(stage, title=text, phases=tuple(replace(phase, title=text) for phase in stage.phases))
        for stage in procedure.stages
    )
    strange = replace(procedure, title=text, stages=stages)
    told_ = protocol(strange, "en", sentences("protocol", "en"))
    drawn, honest = graph(told_, depth), made("civil", depth, "en")
    word = told_.phrases.word
    root = fromstring(picture(drawn, word).file)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg", "g", "rect", "text", "title", "polyline", "defs", "marker", "path",
    }  # fmt: skip
    shown = [mermaid(drawn, word), mermaid(honest, word)]
    assert len(shown[0].splitlines()) == len(shown[1].splitlines())
    graphviz = [dot(drawn, word), dot(honest, word)]
    assert len(graphviz[0].splitlines()) == len(graphviz[1].splitlines())
    for line in graphviz[0].splitlines():
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', graphviz[0])
    assert "click" not in bare and "script" not in bare
    for output in (*shown, *graphviz, picture(drawn, word).file):
        assert all(sign.isprintable() or sign == "\n" for sign in output)


# ---- a part of it ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["FIT", "FIT/mediation", "@mediation_over"])
def test_a_place_alone_is_drawn_step_by_step(at: str) -> None:
    drawn = graph(told("civil"), "step", at)
    (alone,) = (*drawn.stages, *drawn.events)
    inner = [part.place for part in parts_in((alone,))]
    assert at in inner and any(isinstance(part, Box | Way) for part in parts_in((alone,)))
    assert all(place.startswith((at.partition("/")[0], "@")) for place in inner if place)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(["原告", "“是否恢复”", "（书面）", "LPR", "《民法典》第675条"]), min_size=1),
    st.integers(60, 200),
)
def test_no_line_begins_with_a_mark_that_closes(words: list[str], room: int) -> None:
    text = "，".join(words) + "。"
    lines = wrapped(text, room, SMALL, 99)
    assert "".join(lines) == text
    assert not [line for line in lines if line[0] in "，。”）》" or line[-1] in "“（《"]
