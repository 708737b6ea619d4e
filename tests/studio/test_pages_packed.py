"""A published page: opened from a disk with every request refused, and in a browser that cannot unpack it."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import Visit, fails, needs_browser
from made_pages import RUN, citations, told_run
from stand_in import SHELL, STATIC, boot

from legalworld.studio.responses_procedure import GraphPage

pytestmark = needs_browser
TURNS = 12


def pack() -> str:
    """A run of which every answer is in the page; a text that stands in several of them is kept once."""
    told = told_run(TURNS) | citations()
    answers = {name: answer({}) if callable(answer) else answer for name, answer in told.items()}
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"></svg>'
    graph = GraphPage(name=RUN, depth="phase", svg=svg, runs=1, elsewhere=())
    answers[f"procedure/{RUN}/graph?lang=en&depth=phase"] = graph.model_dump(mode="json")
    seen = answers[f"run/{RUN}/sight/3"]
    seen["fields"][0]["state"] = {"$": 1}
    pool = [[{"value": "kept once"}], {"name": "field", "whose": "all", "title": "A field", "entries": {"$": 0}}]
    packed = {"pool": pool, "answers": answers, "files": {RUN: "made.html"}}
    return base64.b64encode(zlib.compress(json.dumps(packed).encode())).decode()


def published(visit: Visit, folder: Path, page: str = "run", *, chosen: bool = True) -> str:
    """The address of a file that holds script, style and data."""
    foot = f"<script>{visit.script}</script>"
    head = f"<style>{(STATIC / 'app.css').read_text(encoding='utf-8')}</style>"
    file = folder / "made.html"
    begun = boot(page, RUN, "", "en", pack(), chosen=chosen)
    file.write_text(SHELL.format(language="en", head=head, boot=begun, foot=foot), encoding="utf-8")
    return file.as_uri()


def a_file_needs_nobody(visit: Visit, folder: Path) -> None:
    asked: list[str] = []

    def refuse(route: Any) -> None:
        asked.append(route.request.url.partition("#")[0])
        route.continue_() if asked[-1] == (folder / "made.html").as_uri() else route.abort()

    with visit.context() as context:
        context.route("**/*", refuse)
        page = context.new_page()
        page.goto(published(visit, folder) + "#?t=3&show=seen")
        page.locator(".said.now >> text=words 3").wait_for()
        page.locator(".fields summary").click()
        page.locator(".entry >> text=kept once").wait_for()
        page.keyboard.press("j")
        page.locator(".said.now >> text=words 4").wait_for()
        page.locator(".tabs >> text=Reply").click()
        page.locator(".detail-body .sent >> text=words 4").wait_for()
        page.locator(".find input").fill("words 11")
        page.locator(".find output >> text=1").wait_for()
        page.locator(".find input").press("Enter")
        page.locator(".said.now >> text=11").first.wait_for()
        page.reload()
        page.locator(".said.now >> text=11").first.wait_for()
        page.locator(".tongue").click()
        page.locator(".tabs >> text=回复").wait_for()
        assert set(asked) == {(folder / "made.html").as_uri()}


def an_older_browser_is_told_so(visit: Visit, folder: Path) -> None:
    with visit.context() as context:
        page = context.new_page()
        page.add_init_script("delete window.DecompressionStream")
        page.goto(published(visit, folder))
        for words in ("This browser has no DecompressionStream", "这个浏览器没有 DecompressionStream"):
            page.locator(f"text={words}").wait_for()


def a_procedure_is_that_of_its_runs(visit: Visit, folder: Path) -> None:
    with visit.context() as context:
        page = context.new_page()
        page.goto(published(visit, folder, "procedure") + f"#?run={RUN}")
        page.locator(".graph img").wait_for()
        assert page.evaluate("document.querySelector('.graph img').naturalWidth") == 40


def a_file_speaks_the_language_of_its_reader(visit: Visit, folder: Path) -> None:
    for locale, chosen, tongue in (
        ("zh-CN", False, "zh-CN"),
        ("en-GB", False, "en"),
        ("zh-CN", True, "en"),
        ("fr", False, "en"),
    ):
        with visit.context(locale=locale) as context:
            page = context.new_page()
            page.goto(published(visit, folder, chosen=chosen))
            page.locator(".said").first.wait_for()
            assert page.evaluate("document.documentElement.lang") == tongue, (locale, chosen)


CHECKS: dict[Callable[[Visit, Path], None], tuple[tuple[str, str], ...]] = {
    a_file_needs_nobody: (
        ('names[0]==="$"', 'names[0]==="#"'),
        ("paramsOf(location.hash.replace(", "paramsOf(location.search.replace("),
        ('boot.source==="packed"?', "false?"),
    ),
    a_file_speaks_the_language_of_its_reader: (
        ("if(boot.chosen)return boot.language", "return boot.language"),
        ("if(boot.chosen)return boot.language;", ""),
    ),
    a_procedure_is_that_of_its_runs: (("queryOf(rest)", "queryOf(query)"),),
    an_older_browser_is_told_so: (
        ('if(typeof DecompressionStream==="undefined")throw new Fault("old_browser")', "void 0"),
    ),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_page(check: Callable[[Visit, Path], None], chromium: Any, tmp_path: Path) -> None:
    check(Visit(chromium), tmp_path)


FAULTS = [(check, mutant) for check, mutants in CHECKS.items() for mutant in mutants]


@pytest.mark.parametrize(("check", "mutant"), FAULTS, ids=[mutant[0] for _, mutant in FAULTS])
def test_a_fault_is_noticed(
    check: Callable[[Visit, Path], None], mutant: tuple[str, str], chromium: Any, tmp_path: Path
) -> None:
    fails(lambda visit: check(visit, tmp_path), chromium, mutant)
