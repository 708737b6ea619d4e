"""Charts: nothing leaves its panel, what is undefined is a gap, a file is an SVG of its own."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest
from test_published_tables import contrast

from legalworld.publication.chart_parts import COLOURS, INK, PAPER, SOFT, WIDE, Axis, axis_of, plain, short, ticks
from legalworld.publication.heat_map import heat_map
from legalworld.publication.plots import (
    BAR_FILLS,
    BAR_INKS,
    MANY,
    Bar,
    ChartPoint,
    ChartRow,
    bars,
    differences,
    distribution,
)
from legalworld.publication.radar import RadarSeries, radar
from legalworld.publication.tables import PublishedTable, TableCell, TableHead
from legalworld.wording.columns import width


def row(title: str, *values: float, href: str = "#list/") -> ChartRow:
    points = tuple(ChartPoint(value, f"{value}", "#list/0=61") for value in values)
    return ChartRow(title, sum(values) / len(values), min(values), max(values), "n", href, points)


def test_colours_can_be_read() -> None:
    assert min(contrast(colour, PAPER) for colour in (*COLOURS, INK, SOFT)) >= 4.5
    assert min(contrast(fill, ink) for fill, ink in zip(BAR_FILLS, BAR_INKS, strict=True)) >= 4.5


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (-0.03, 0.012, [-0.03, -0.02, -0.01, 0, 0.01]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def test_an_axis_holds_every_value() -> None:
    axis = axis_of([3.0, 5.0], zero=True)
    assert axis.low < 0 and axis.high > 5 and axis.x(-9) == axis.left and axis.x(99) == axis.right
    assert axis_of([2.0]) == Axis(1.44, 2.56)
    assert axis_of([0.0], lowest=0.0) == Axis(0.0, 0.56)  # an error is never below 0


def test_labels_are_cut_to_their_room_and_told_whole() -> None:
    long = "很长的名称" * 20
    assert width(short(long, 100)) * 12 * 0.56 <= 100 and short(long, 100).endswith("…")
    chart = distribution("n", long, [row(long, 1, 2)])
    assert any(title.text == long for title in chart.root.iter("title"))


def test_what_turns_the_direction_of_writing_is_shown() -> None:
    assert plain("a\u202eb\u2066c\u200fd\x00\x1b") == "a<U+202E>b<U+2066>c<U+200F>d\u2400\u241b"
    assert plain("第一行\n第二行　三\r\n四") == "第一行\n第二行　三\n四"
    assert "<U+202E>" in distribution("n", "x\u202ey", [row("z", 1, 2)]).file.replace("&lt;", "<").replace("&gt;", ">")


def test_every_mark_stands_within_its_panel() -> None:
    """However long the names: labels are not wider than what they have, marks not beyond the edges."""
    names = ["openai/Qwen2.5-72B-Instruct-GPTQ-Int4", "模" * 40, "b"]
    for chart in (
        distribution("a", "t", [row(name, 0, 50, 100) for name in names], (0, 100)),
        differences("b", "t", [row(name, -3, 9) for name in names]),
        bars("c", "t", [Bar(name, (("win", 0.4), ("tie", 0.1), ("lose", 0.5)), "n=10") for name in names]),
    ):
        for text in chart.root.iter("text"):
            at, wide = float(text.get("x", "0")), width(text.text or "") * float(text.get("font-size", "12")) * 0.56
            left = at - {"end": wide, "middle": wide / 2}.get(text.get("text-anchor", ""), 0)
            assert left >= 0 and left + wide <= WIDE + 1, text.text
        for circle in chart.root.iter("circle"):
            assert 0 <= float(circle.get("cx", "-1")) <= WIDE


def test_many_points_are_one_mark_and_few_are_links() -> None:
    few, many = (distribution("a", "t", [row("m", *range(count))]) for count in (MANY, MANY + 1))
    assert len(list(few.root.iter("circle"))) == MANY and not list(few.root.iter("path"))
    (path,) = many.root.iter("path")
    assert str(path.get("d")).count("M") == MANY + 1 and not list(many.root.iter("circle"))


def test_only_rows_are_reached_by_the_tabulator() -> None:
    """A page of ten thousand dots is not walked through dot by dot: its rows lead to the same runs."""
    links = list(distribution("a", "t", [row("m", 1, 2, 3), row("k", 1, 2)]).root.iter("a"))
    assert sum(link.get("tabindex") != "-1" for link in links) == 2 and len(links) == 2 + 5 + 2


def test_the_radar_leaves_gaps() -> None:
    shares = (0.5, None, 0.5, 0.5, 0.0)
    chart = radar("r", "t", ("a", "b", "c", "d", "e"), [RadarSeries("m", shares)])
    assert chart is not None
    group = next(one for one in chart.root.iter("g") if one.get("stroke-width") == "2.2")
    assert len(list(group.iter("circle"))) == 4
    assert str(next(group.iter("path")).get("d")).count("M") == 3  # c-d, d-e, e-a
    assert radar("r", "t", ("a", "b"), []) is None


def test_a_file_is_an_svg_of_its_own() -> None:
    chart = distribution("a", "<t>&", [row("m</script>", 1, 2)])
    assert "href" in chart.inline and "</script>" not in chart.inline
    root = fromstring(chart.file)
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and "href" not in chart.file
    assert "href" in chart.inline  # making the file left the chart alone


def test_a_heat_map_shows_what_the_table_shows() -> None:
    cells = (TableCell("item", words=True), TableCell("1.00", shade=1.0, href="#list/"), TableCell("-"))
    table = PublishedTable("items", "Items", "item", (TableHead("a"), TableHead("b")), (cells,), shaded=True)
    root = heat_map(table).root
    texts = [text.text for text in root.iter("text")]
    assert {"Items", "item", "1.00", "-", "a", "b"} <= set(texts)
    fills = [one.get("fill") for one in root.iter("rect")][1:]
    assert fills == ["#16466e", "#ffffff"]
