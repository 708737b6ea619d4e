"""A real browser that looks at the pages of the studio, as they are or with a fault put into their script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from browser import FOUND, needs_browser
from stand_in import STATIC, Answer, StandIn, standing_in

from legalworld.model.immutable import immutable

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
SCRIPT = (STATIC / "app.js").read_text(encoding="utf-8")
PATIENCE, SHORT = 60_000, 4_000  # milliseconds: for what must come, however busy the machine; for what a fault prevents
Mutant = tuple[str, str]


@immutable
class Visit:
    """`script`: what the pages run; `limit`: milliseconds to wait for anything."""

    chromium: Any
    script: str = SCRIPT
    limit: int = PATIENCE

    @contextmanager
    def context(self, width: int = 1280, **options: Any) -> Iterator[Any]:
        """A browser of its own, with nothing kept from before."""
        context = self.chromium.new_context(viewport={"width": width, "height": 844}, **options)
        context.set_default_timeout(self.limit)
        try:
            yield context
        finally:
            context.close()

    @contextmanager
    def at(self, answers: Mapping[str, Answer], path: str, **options: Any) -> Iterator[tuple[Any, StandIn]]:
        """A page that has begun, and the server that it asks."""
        with standing_in(answers, self.script) as server, self.context(**options) as context:
            page = context.new_page()
            opened(page, server.url + path)
            yield page, server


def opened(page: Any, address: str) -> None:
    """Open an address and wait until its script has begun."""
    page.goto(address)
    page.locator("html[data-ready]").wait_for()


def eventually(page: Any, expression: str, limit: int) -> None:
    """Wait until an expression holds in the page. Asked from outside: what polls within is refused by the policy."""
    for _ in range(limit // 50):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"not within {limit} ms: {expression}")


@contextmanager
def launched() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=FOUND, args=list(FLAGS))
        try:
            yield chromium
        finally:
            chromium.close()


def mutated(mutant: Mutant) -> str:
    """The script with a fault in it."""
    old, new = mutant
    assert SCRIPT.count(old) == 1, f"{old!r} stands {SCRIPT.count(old)} times in app.js"
    return SCRIPT.replace(old, new)


def fails(check: Callable[[Visit], None], chromium: Any, mutant: Mutant) -> None:
    """A check that lets a fault pass checks nothing."""
    from playwright.sync_api import Error

    with pytest.raises((AssertionError, Error)):
        check(Visit(chromium, mutated(mutant), SHORT))


__all__ = ["PATIENCE", "SCRIPT", "Visit", "eventually", "fails", "launched", "needs_browser", "opened"]
