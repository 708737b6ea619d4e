"""Pages as people use them who cannot see them well: axe finds nothing serious, in any window, language and light."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import Visit, fails, needs_browser
from made_pages import RUN, citations, matrix, run_list, told_run

pytestmark = needs_browser
PAGES = {
    "runs": ".run-line a",
    f"run/{RUN}": ".said",
    f"run/{RUN}?t=3&show=seen": ".fields summary",
    f"run/{RUN}?t=3&show=prompt": ".message",
    f"run/{RUN}?show=about&t=": ".detail-body",
    f"run/{RUN}?cite=0": ".law",
    "procedure/made?view=matrix&at=field%7Call%7CB": ".why p",
}
SEEN = (("zh", 390, "light"), ("en", 1024, "dark"), ("zh", 1600, "light"), ("en", 390, "dark"))


@pytest.fixture(scope="session")
def axe(installed: Path) -> str:
    """The script of axe."""
    return (installed / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def nothing_serious(visit: Visit, axe: str, path: str, seen: tuple[str, int, str]) -> None:
    language, width, light = seen
    answers = told_run(30) | citations() | matrix() | {"runs": run_list([RUN, "b", "c"])}
    mark = "&" if "?" in path else "?"
    with visit.at(answers, f"{path}{mark}lang={language}", width=width, color_scheme=light) as (page, _):
        page.locator(PAGES[path]).first.wait_for(state="attached")
        page.evaluate(axe)
        found = page.evaluate("axe.run().then(result => result.violations)")
        told = [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]
        assert told == []


@pytest.mark.parametrize("seen", SEEN, ids=lambda seen: "-".join(map(str, seen)))
@pytest.mark.parametrize("path", PAGES)
def test_nothing_serious_is_found(path: str, seen: tuple[str, int, str], axe: str, chromium: Any) -> None:
    nothing_serious(Visit(chromium), axe, path, seen)


FAULTS = ((f"run/{RUN}", ('"aria-label":say("stages"),"aria-expanded":drawer', '"aria-expanded":drawer')),)


@pytest.mark.parametrize(("path", "mutant"), FAULTS, ids=["a button without a name"])
def test_a_fault_is_noticed(path: str, mutant: tuple[str, str], axe: str, chromium: Any) -> None:
    def check(visit: Visit) -> None:
        nothing_serious(visit, axe, path, SEEN[0])

    fails(check, chromium, mutant)
