"""Every page of a real run shows what it should: from a server, and from files with every request refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browsing import PATIENCE, Visit, eventually, needs_browser
from faulty import fault
from stand_in import standing_in
from studio_served import studio_served
from typed import lw

from legalworld.studio import guard, procedure_pages, run_pages

pytestmark = needs_browser
RUN = "small claims"
OF_RUN = ("about", "docs", "decisions", "citations", "checks", "scores", "tools", "conduct")
OF_TURN = ("seen", "prompt", "reply", "memory", "tools", "checks", "scores")
VIEWS = ("graph", "protocol", "matrix", "path", "coverage")
QUIET = (
    "document.querySelector('main [aria-busy=true]') === null && document.querySelector('main h1, main h2') !== null"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("looked at") / "runs"
    assert lw("run", "smallclaims", "--seed", 7, "--out", root / RUN).code == 0
    return root


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    with studio_served(root) as asked:
        yield f"http://127.0.0.1:{asked.port}{asked.doorway.base}"


def looked_at(page: Any, address: str) -> None:
    """Open an address; nothing of the page may have gone wrong, and something must stand there."""
    page.goto("about:blank")
    page.goto(address)
    page.locator("html[data-ready]").wait_for()
    eventually(page, QUIET, PATIENCE)
    assert page.locator("main .problem.error").all_inner_texts() == [], address
    assert len(page.locator("main").inner_text()) > 40, address


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A page whose script must not stumble."""
    with Visit(chromium).context(width=1280) as context:
        page = context.new_page()
        stumbled: list[str] = []
        page.on("pageerror", lambda error: stumbled.append(str(error)))
        yield page
        assert stumbled == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_page_of_a_server(address: str, page: Any, language: str) -> None:
    looked_at(page, f"{address}runs?lang={language}")
    page.locator(".run-line a").first.click()
    page.locator(".said").first.wait_for()
    for show in OF_RUN:
        looked_at(page, f"{address}run/{quote(RUN)}?show={show}&lang={language}")
    for show in OF_TURN:
        looked_at(page, f"{address}run/{quote(RUN)}?t=5&show={show}&lang={language}")
    looked_at(page, f"{address}run/{quote(RUN)}?show=docs&lang={language}")
    page.locator(".docs a").first.click()
    page.locator(".paper p").first.wait_for()
    procedure = page.locator(".run-bar h1 a").get_attribute("href").partition("/procedure/")[2].partition("?")[0]
    for view in VIEWS:
        looked_at(page, f"{address}procedure/{procedure}?run={quote(RUN)}&view={view}&lang={language}")


def test_every_page_of_a_file(root: Path, page: Any, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert lw("publish", root / RUN, "--prompts", "--out", site).code == 0
    files = sorted(path.as_uri() for path in site.glob("*.html"))
    refused: list[str] = []

    def refuse(route: Any) -> None:
        asked = route.request.url.partition("#")[0]
        if asked in files:
            route.continue_()
        else:
            refused.append(asked)
            route.abort()

    page.context.route("**/*", refuse)
    looked_at(page, f"{site.as_uri()}/index.html")
    page.locator(".run-line a").first.click()
    page.locator(".said").first.wait_for()
    run = page.url.partition("#")[0]
    for show in OF_TURN:
        looked_at(page, f"{run}#?t=5&show={show}")
    for show in OF_RUN:
        looked_at(page, f"{run}#?show={show}")
    page.locator(".run-bar h1 a").click()
    page.locator(".graph img").wait_for()
    procedure = page.url.partition("#")[0]
    for view in VIEWS:
        looked_at(page, f"{procedure}#?view={view}")
    assert refused == []


def test_a_page_of_another_origin_reads_nothing(address: str, chromium: Any) -> None:
    """What the studio's own page may ask, a page of another server may not, nor may it show the studio in a frame."""
    ask = "address => fetch(address).then(answer => answer.text(), () => 'refused')"
    with Visit(chromium).context(bypass_csp=True) as context, standing_in({}, "") as other:
        page = context.new_page()
        page.goto(address + "runs")
        assert '"rows"' in page.evaluate(ask, address + "d/runs")
        page.goto(other.url + "runs")
        assert page.evaluate(ask, address + "d/runs") == "refused"
    not_framed(address, chromium)


def not_framed(address: str, chromium: Any) -> None:
    with Visit(chromium).context() as context:
        page = context.new_page()
        page.set_content(f'<iframe src="data:text/html,shown"></iframe><iframe src="{address}runs"></iframe>')
        page.frame_locator("iframe >> nth=0").locator("text=shown").wait_for()
        page.wait_for_timeout(1500)
        assert [frame for frame in page.frames if frame.url.startswith(address)] == []


FAULTS = (
    (run_pages, "return part() if part is not None else None", "return None", "run/{run}?show=checks"),
    (run_pages, '            case "sight":\n', '            case "sights":\n', "run/{run}?t=5&show=seen"),
    (procedure_pages, 'case "coverage":', 'case "nothing":', "procedure/smallclaims?run={run}&view=coverage"),
    (procedure_pages, 'case "why":', 'case "nothing":', "procedure/smallclaims?run={run}&view=matrix&at={cell}"),
)


@pytest.mark.parametrize("one", FAULTS, ids=lambda one: one[3])
def test_a_fault_of_the_server_is_seen_on_a_page(address: str, chromium: Any, one: tuple[Any, str, str, str]) -> None:
    """What the server does not give is told on the page, and whoever looks at every page sees that."""
    module, old, new, place = one
    with Visit(chromium).context(width=1280) as context:
        page = context.new_page()
        cell = quote("representatives|own|talks")
        whole = address + place.format(run=quote(RUN), cell=cell)
        with fault(module, old, new), pytest.raises(AssertionError):
            looked_at(page, whole)


def test_a_studio_that_lets_itself_be_framed_is_noticed(address: str, chromium: Any) -> None:
    with fault(guard, "[*kept, *HEADERS]", "kept"), pytest.raises(AssertionError):
        not_framed(address, chromium)
