"""Pages that follow what is played: one stream a browser, closed when nobody looks; a server that goes and comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browsing import Visit, eventually, fails, needs_browser, opened
from made_pages import RUN, run_list, told_run
from stand_in import StandIn, standing_in

from legalworld.studio.responses import Grew

pytestmark = needs_browser
TABS = 8
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def grew(turns: int, tokens: int = 0) -> Any:
    given: dict[str, Any] = {
        "run": RUN,
        "lines": turns,
        "turns": turns,
        "calls": turns,
        "status": "unfinished",
        "live": True,
        "torn": False,
    }
    return Grew(**given, place="p/q", tokens=tokens, cost=0.25).model_dump(mode="json")


def followed(page: Any, server: StandIn, streams: int) -> None:
    """Wait until so many streams are open."""
    for _ in range(200):
        if len(server.streams) == streams:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{len(server.streams)} streams are open, not {streams}")


def more_is_said_while_one_looks(visit: Visit) -> None:
    answers = told_run(3, live=True, status="unfinished")
    with visit.at(answers, f"run/{RUN}") as (page, server):
        page.locator(".said >> text=words 3").wait_for()
        followed(page, server, 1)
        server.answers |= told_run(5, live=True, status="unfinished")
        server.tell("run", grew(5, 77))
        page.locator(".said >> text=words 5").wait_for()
        page.locator(".figures >> text=77").wait_for()
        server.tell("gone", {"run": RUN})
        page.locator(".problem.warning").wait_for()
        assert page.locator(".said >> text=words 5").is_visible()


def the_list_tells_tokens_and_money(visit: Visit) -> None:
    with visit.at({"runs": run_list([RUN], live=True)}, "runs") as (page, server):
        page.locator(".status.live").wait_for()
        eventually(page, "performance.getEntriesByType('resource').length > 1", visit.limit)
        followed(page, server, 1)
        for _ in range(40):
            server.tell("run", grew(12, 4321))
            page.wait_for_timeout(100)
            if page.locator(".run-line >> text=4,321").count():
                break
        page.locator(".run-line >> text=$0.25").wait_for()
        server.answers["runs"] = run_list([RUN, "second"])
        server.tell("list", {"total": 2, "damaged": 0})
        page.locator(".run-line a >> text=made").nth(1).wait_for()


def eight_tabs_share_one_stream(visit: Visit) -> None:
    answers = told_run(3, live=True, status="unfinished")
    with standing_in(answers, visit.script) as server, visit.context() as context:
        pages = [context.new_page() for _ in range(TABS)]
        for page in pages:
            opened(page, f"{server.url}run/{RUN}")
            page.locator(".said >> text=words 3").wait_for()
        pages[0].wait_for_timeout(400)
        assert len(server.streams) == 1
        server.answers |= told_run(4, live=True, status="unfinished")
        server.tell("run", grew(4))
        for page in pages:
            page.locator(".said >> text=words 4").wait_for()
        pages[0].close()  # who held the stream goes: another takes it up
        pages[1].wait_for_timeout(400)
        followed(pages[1], server, 1)
        server.answers |= told_run(5, live=True, status="unfinished")
        server.tell("run", grew(5))
        for page in pages[1:]:
            page.locator(".said >> text=words 5").wait_for()


def a_hidden_page_lets_go(visit: Visit) -> None:
    with visit.at(told_run(3, live=True), f"run/{RUN}") as (page, server):
        followed(page, server, 1)
        page.evaluate(HIDE, True)
        followed(page, server, 0)
        page.evaluate(HIDE, False)
        followed(page, server, 1)


def a_server_that_comes_back_goes_on(visit: Visit) -> None:
    answers = told_run(9, live=True)
    with visit.context() as context:
        page = context.new_page()
        with standing_in(answers, visit.script) as server:
            port = server.server_port
            opened(page, f"{server.url}run/{RUN}?t=2")
            page.locator(".fields >> text=A field").wait_for()
        page.locator(".tabs >> text=Prompt").click()
        page.locator(".problem >> text=cannot be reached").first.wait_for()
        assert page.locator(".said >> text=words 5").is_visible()
        with standing_in(answers, visit.script, port) as server:
            page.locator(".tabs >> text=Seen").click()
            page.locator(".fields >> text=A field").wait_for()
            page.locator(".tabs >> text=Prompt").click()
            page.locator(".detail-body >> text=asked 2").wait_for()
            followed(page, server, 1)
            server.answers |= told_run(10, live=True)
            server.tell("run", grew(10))
            page.locator(".said >> text=words 10").wait_for()


def another_token_is_told(visit: Visit) -> None:
    with visit.at(told_run(3), f"run/{RUN}") as (page, server):
        page.locator(".said >> text=words 3").wait_for()
        server.base = "/o/renewed/"
        page.locator(".said .n").nth(1).click()
        page.locator(".problem >> text=token in this address").first.wait_for()


CHECKS: dict[Callable[[Visit], None], tuple[tuple[str, str], ...]] = {
    more_is_said_while_one_looks: (
        ("setGrown(news.data)", "void 0"),
        ('if(news.kind==="gone")setGone(true)', "void 0"),
    ),
    the_list_tells_tokens_and_money: (("[news.data.run]:news.data", ""), ("else setRound(n=>n+1)", "")),
    eight_tabs_share_one_stream: (
        ('const shared="locks"in navigator&&', "const shared=false&&"),
        ('post({say:"news",news})};', "};"),
    ),
    a_hidden_page_lets_go: (("if(document.hidden)end();else", ""),),
    a_server_that_comes_back_goes_on: (("answer.catch(()=>kept.delete(address));", "answer.catch(()=>0);"),),
    another_token_is_told: (('answer.status===404?"other_token":"unreachable"', '"unreachable"'),),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_page(check: Callable[[Visit], None], chromium: Any) -> None:
    check(Visit(chromium))


FAULTS = [(check, mutant) for check, mutants in CHECKS.items() for mutant in mutants]


@pytest.mark.parametrize(("check", "mutant"), FAULTS, ids=[f"{check.__name__}-{mutant[0]}" for check, mutant in FAULTS])
def test_a_fault_is_noticed(check: Callable[[Visit], None], mutant: tuple[str, str], chromium: Any) -> None:
    fails(check, chromium, mutant)
