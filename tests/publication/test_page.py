"""The page: one file, no request, nothing of what others wrote is obeyed; entries are inflated when they are opened."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from browser import dom, needs_browser

from legalworld.publication.entries import LENGTHS, Entry, Finding, Source, address, pack
from legalworld.publication.page import Charts, Facts, Lines, PageSection, PublishedPage, figure_files, rendered
from legalworld.publication.plots import ChartPoint, ChartRow, distribution
from legalworld.publication.tables import PublishedTable, TableCell, TableHead

HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "'\"><svg onload=document.title='owned'>",
    "{{ 7 * 7 }}{% raw %}",
    "--><!--",
    "]]>&amp;&#60;",
    "\u202etxt.exe\u2066\u2069\u200f",
    "javascript:document.title='owned'",
    "\x00\x1b[31m\ud800",
)
EVERYTHING = " ".join(HOSTILE)
FACETS = ("model", "case")


def entries(count: int = 3) -> Iterator[Entry]:
    for n in range(count):
        finding = Finding(f"{EVERYTHING} {n}", "5", (EVERYTHING,), EVERYTHING, (0,), (1, 2), EVERYTHING, EVERYTHING)
        other = Finding("other", "1", figures=(1,), group=EVERYTHING)
        source = Source(EVERYTHING, EVERYTHING, {1: (EVERYTHING, EVERYTHING), 2: ("x", "said in full")})
        facts = ((EVERYTHING, EVERYTHING),)
        yield Entry(
            f"{EVERYTHING} #{n}",
            (EVERYTHING, f"case {n}"),
            (float(n), None),
            facts,
            (finding, other),
            {EVERYTHING: source},
        )


def page(count: int = 3) -> PublishedPage:
    href = address(FACETS, 0, {"model": EVERYTHING})
    cell = TableCell(EVERYTHING, EVERYTHING, "best", 0.5, href)
    heads = (TableHead(EVERYTHING, (EVERYTHING, "b")), TableHead("c"))
    table = PublishedTable("t", EVERYTHING, EVERYTHING, heads, ((cell, cell, cell, cell),), EVERYTHING)
    points = (ChartPoint(1, EVERYTHING, href), ChartPoint(2, EVERYTHING, href))
    chart = distribution("c", EVERYTHING, [ChartRow(EVERYTHING, 1.5, 1, 2, EVERYTHING, href, points)], text=EVERYTHING)
    blocks = (Lines((EVERYTHING,), warn=True), Facts(((EVERYTHING, EVERYTHING),)), table, Charts((chart,)))
    sections = (PageSection("one", EVERYTHING, blocks), PageSection("two", "Two", blocks, folded=True))
    return PublishedPage(EVERYTHING, EVERYTHING, sections, pack(entries(count), FACETS, (EVERYTHING, "second")))


class Elements(HTMLParser):
    """Every element with its attributes; the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self.scripts:
            self.scripts[-1] += data


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_nothing_hostile_becomes_an_element_or_a_request(locale: str) -> None:
    text = rendered(page(), locale)
    found = Elements(text)
    tags = {tag for tag, _ in found.elements}
    assert not tags & {"img", "iframe", "link", "object", "embed", "audio", "video", "base", "form"}
    scripts = [attributes for tag, attributes in found.elements if tag == "script"]
    assert [one.get("type") for one in scripts] == ["text/plain"] * 5 + [None]  # words, index, three entries, ours
    for _, attributes in found.elements:
        assert not any(name.startswith("on") or name in ("src", "style") for name in attributes)
        assert str(attributes.get("href") or "#").startswith("#")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f\x00\x1b]", text)
    assert "http://" not in text and "https://" not in text


def test_the_policy_lets_our_own_script_and_style_run_and_nothing_else() -> None:
    text = rendered(page(), "en")
    policy = next(a["content"] or "" for tag, a in Elements(text).elements if tag == "meta" and "http-equiv" in a)
    assert policy.startswith("default-src 'none'; ")
    for name in ("script", "style"):
        body = text.rpartition(f"<{name}>")[2].partition(f"</{name}>")[0]
        digest = base64.b64encode(sha256(body.encode("utf-8")).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


def inflated(block: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(block)))


def test_an_entry_is_a_block_of_its_own() -> None:
    listing = page(2).listing
    assert listing is not None and len(listing.blocks) == 2
    index, block = inflated(listing.index), inflated(listing.blocks[1])
    assert index["facets"] == ["model", "case"] and index["entries"][1][2] == [1.0, None]
    assert [one[4] for one in block["findings"]] == [[0], [1]]
    (source,) = block["sources"].values()
    assert source["turns"]["2"] == ["x", "said in full"]


def test_what_was_said_is_cut_until_all_fits() -> None:
    """Six hundred runs of twenty turns that share no word: less is kept of each, and the page says how much."""
    draw = random.Random(7)
    words = "".join(chr(draw.randrange(0x4E00, 0x9FA5)) for _ in range(40_000))

    def long(n: int) -> Entry:
        turns = {t: ("甲", words[(n * 97 + t * 1931) % 30_000 :][:3000]) for t in range(20)}
        return Entry(str(n), ("m", "c"), (1.0,), sources={"": Source("r", "lw", turns)})

    whole = pack(map(long, range(3)), FACETS, ("f",))
    assert (whole.said, whole.reasons) == LENGTHS[0]
    cut = pack(map(long, range(60)), FACETS, ("f",), room=700_000)
    assert cut.said < LENGTHS[0][0] and sum(map(len, cut.blocks)) <= 700_000
    said = inflated(cut.blocks[0])["sources"][""]["turns"]["3"][1]
    assert len(said) == cut.said + 1 and said.endswith("…")
    assert f"at most {cut.said} characters" in rendered(PublishedPage("t", "", (), cut), "en")


def test_figures_are_files_with_names_of_their_own() -> None:
    files = figure_files(page())
    assert sorted(files) == ["c-2.svg", "c.svg"]
    for text in files.values():
        names = {(one.tag.rpartition("}")[2], *one.attrib) for one in fromstring(text).iter()}
        assert not {name for one in names for name in one} & {
            "a",
            "script",
            "image",
            "img",
            "href",
            "onerror",
            "onload",
        }


@needs_browser
@pytest.mark.slow
def test_a_browser_lists_what_is_behind_a_figure_and_opens_an_entry(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(rendered(page(), "en"), encoding="utf-8")
    listed = dom(file, address(FACETS, 0, {"case": "case 1"}))
    assert 'data-ready="yes"' in listed and "1 of 3" in listed
    opened = dom(file, "#entry/2/v=0")
    entry = opened.partition('id="entries"')[2]
    assert "case 2" in entry and '<details open="">' in entry
    assert "&lt;/script&gt;&lt;script&gt;" in entry and ">other<" not in entry  # only what the figure is made of
    for text in (listed, opened):
        assert "<title>owned" not in text and "<img" not in text.partition("</style>")[2]
        assert "&lt;img src=x onerror" in text


@needs_browser
@pytest.mark.slow
def test_a_browser_says_that_an_entry_is_damaged(tmp_path: Path) -> None:
    text = rendered(page(1), "en")
    block = page(1).listing.blocks[0]  # type: ignore[union-attr]
    file = tmp_path / "page.html"
    file.write_text(text.replace(block, block[: len(block) // 2]), encoding="utf-8")
    assert "the page is damaged or incomplete" in dom(file, "#entry/0")
