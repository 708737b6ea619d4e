"""What pages show of scores: to the owner also what a grader was asked; of a run in the list how it ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browsing import Visit, fails, needs_browser, opened
from made_pages import RUN, run_list, told_run

from legalworld.studio.responses_assessed import (
    AskedMessage,
    AskedPage,
    AskedRow,
    EvaluationPage,
    ScoredItem,
    ScoreList,
)

pytestmark = needs_browser
QUESTION = "Was <b>every</b> claim answered?"
SHOW = f"run/{RUN}?show=scores"


def scored(*, owner: bool = True) -> dict[str, Any]:
    """A run with a score by rule and two by a grader, of which the last was asked about."""
    words = dict.fromkeys(("gap", "detail", "reason", "raw", "capped", "truth"), "")
    scores = tuple(
        ScoredItem(
            **{"item": f"i{n}", "key": "", "title": f"Item {n}", "value": 1.0, "by": by, "left_out": 0, "repeats": ()},
            **{"turns": (1,), "documents": (), "parts": {}},
            **words,
        )
        for n, by in enumerate(("rule", "openai/grader", "openai/grader"))
    )
    page = EvaluationPage(
        rubric="r", grader="g", target="", finished=True, given=False, figures=(), passes={}, scores=scores
    )
    message = AskedMessage(role="user", content=QUESTION)
    asked = AskedPage(questions=(AskedRow(question="q", repeat=1, messages=(message,), reply="Seven."),))
    parts = ("scores", "asked") if owner else ("scores",)
    return told_run(3, has=parts) | {
        f"run/{RUN}/scores": ScoreList(evaluations=(page,), problems=()).model_dump(mode="json"),
        f"run/{RUN}/asked/0.1": AskedPage(questions=()).model_dump(mode="json"),
        f"run/{RUN}/asked/0.2": asked.model_dump(mode="json"),
    }


def what_was_asked_is_fetched_when_it_is_unfolded(visit: Visit) -> None:
    for place in (SHOW, f"{SHOW}&t=1"):
        with visit.at(scored(), place) as (page, server):
            page.locator(".score").nth(2).wait_for()
            assert [page.locator(".score").nth(n).locator(".asked").count() for n in range(3)] == [0, 1, 1]
            assert not [address for address in server.asked if "/asked/" in address]
            for n in (1, 2):
                page.locator(".score").nth(n).locator("summary").first.click()
                page.locator(".score").nth(n).locator(".asked > summary").click()
            page.locator(".score").nth(2).get_by_text(QUESTION).wait_for()
            assert "Seven." in page.locator(".score").nth(2).inner_text()
            page.locator(".score").nth(1).locator(".asked .nothing, .asked p").first.wait_for()
            assert QUESTION not in page.locator(".score").nth(1).inner_text()


def a_page_without_questions_offers_none(visit: Visit) -> None:
    with visit.at(scored(owner=False), SHOW) as (page, _):
        page.locator(".score").nth(2).wait_for()
        assert page.locator(".asked").count() == 0


def the_list_names_an_ending_by_its_title(visit: Visit) -> None:
    with visit.at({"runs": run_list(["a", "b"])}, "runs") as (page, server):
        page.locator(".run-line >> text=Won 1").wait_for()
        server.answers["runs"] = run_list(["a", "b"], live=True)
        opened(page, server.url + "runs")
        page.locator(".run-line .c-status >> text=p").first.wait_for()
        assert page.get_by_text("Won 1").count() == 0


def of_a_damaged_run_no_count_is_claimed(visit: Visit) -> None:
    listed = run_list(["a", "b"])
    listed["rows"][1] |= {"status": "damaged", "turns": 0}
    with visit.at({"runs": listed}, "runs") as (page, _):
        page.locator(".run-line >> text=b").first.wait_for()
        counts = page.locator(".run-line .c-turns[role=cell]").all_inner_texts()
        assert [text.split()[0] for text in counts] == ["0", "–"]


CHECKS: dict[Callable[[Visit], None], tuple[tuple[str, str], ...]] = {
    what_was_asked_is_fetched_when_it_is_unfolded: (
        ("place:`${n2}.${of}`", "place:`${n2}.0`"),
        ('row.by!=="rule"', "true"),
    ),
    a_page_without_questions_offers_none: (('head.has.includes("asked")', "true"),),
    of_a_damaged_run_no_count_is_claimed: (('status==="damaged"?"–":', ""),),
    the_list_names_an_ending_by_its_title: (("row.ending||row.outcome", "row.outcome"),),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_page(check: Callable[[Visit], None], chromium: Any) -> None:
    check(Visit(chromium))


FAULTS = [(check, mutant) for check, mutants in CHECKS.items() for mutant in mutants]


@pytest.mark.parametrize(("check", "mutant"), FAULTS, ids=[f"{check.__name__}-{mutant[1]}" for check, mutant in FAULTS])
def test_a_fault_is_noticed(check: Callable[[Visit], None], mutant: tuple[str, str], chromium: Any) -> None:
    fails(check, chromium, mutant)
