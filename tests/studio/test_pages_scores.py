"""What pages show of scores: to the owner also what a grader was asked; of a run in the list how it ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browsing import Visit, eventually, fails, needs_browser, opened
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
        rubric="r", title="", grader="g", target="", finished=True, given=False, figures=(), passes={}, scores=scores
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


SECRET = "what nobody was to know"


def what_is_sealed_comes_by_a_click(visit: Visit) -> None:
    sealed = {"at": "2026-01-02T03:04:05+00:00", "value": {"sealed": {"hidden": SECRET}}}
    answers = told_run(3, has=("sealed",)) | {f"POST run/{RUN}/sealed": sealed}
    with visit.at(answers, f"run/{RUN}?show=about") as (page, server):
        page.locator(".sealed button").wait_for()
        assert not [address for address in server.asked if "sealed" in address]
        before = page.url
        page.locator(".sealed button").click()
        page.locator(f".sealed >> text={SECRET}").wait_for()
        page.locator(".sealed time >> text=2026-01-02").wait_for()
        assert len([address for address in server.asked if address.startswith("POST ")]) == 1 and page.url == before
        opened(page, page.url)
        page.locator(".sealed button").wait_for()
        assert page.get_by_text(SECRET).count() == 0, "nothing keeps it"


def without_anything_sealed_nothing_is_offered(visit: Visit) -> None:
    with visit.at(told_run(3, has=("scores",)), f"run/{RUN}?show=about") as (page, _):
        page.locator(".cast").wait_for()
        assert page.locator(".sealed").count() == 0


def figures_bear_their_titles(visit: Visit) -> None:
    answers = scored()
    figure = {"formula": "LC_whole", "title": "Advice as a whole", "value": 0.5, "gap": "", "detail": ""}
    answers[f"run/{RUN}/scores"]["evaluations"][0] |= {"figures": [figure], "title": "The rubric"}
    with visit.at(answers, SHOW) as (page, _):
        page.locator("dt >> text=Advice as a whole").wait_for()
        page.locator("dt code >> text=LC_whole").wait_for()
        page.locator("h3 >> text=The rubric").wait_for()


def a_decision_is_worded_in_the_language_of_the_page(visit: Visit) -> None:
    text = {"en": "Head (first)\nClaims\n  1  pay a sum  granted", "zh": "裁判\n请求\n  1  付款  支持"}
    decision = {"name": "first", "title": "First", "doc": "", "text": text, "record": {}}
    answers = told_run(3, has=("decisions",)) | {f"run/{RUN}/decisions": {"decisions": [decision]}}
    with visit.at(answers, f"run/{RUN}?show=decisions") as (page, _):
        page.locator(".decided-row >> text=pay a sum · granted").wait_for()
        page.locator(".tongue").click()
        page.locator(".decided-row >> text=付款 · 支持").wait_for()


def the_list_is_asked_again_while_it_is_read(visit: Visit) -> None:
    reading = run_list(["a"]) | {"writing": True}
    with visit.at({"runs": reading}, "runs") as (page, server):
        page.locator(".run-line >> text=Won 0").wait_for()
        server.answers["runs"] = {
            **reading,
            "writing": False,
            "rows": [reading["rows"][0] | {"procedure_title": "Its title"}],
        }
        page.locator(".run-line a >> text=Its title").wait_for()


def while_runs_are_read_nobody_is_said_to_have_been_silent(visit: Visit) -> None:
    said = {"words": "there", "total": 0, "more": False, "ready": False, "hits": []}
    with visit.at({"runs": run_list(["a"]), "said": said}, "runs?said=there") as (page, server):
        page.locator(".counted >> text=still being read").wait_for()
        assert page.get_by_text("Nobody said that").count() == 0
        server.answers["said"] = said | {"ready": True}
        page.get_by_text("Nobody said that").wait_for()
        server.answers["said"] = said | {"ready": True, "more": True, "total": 500}
        opened(page, server.url + "runs?said=there")
        page.locator(".counted >> text=at least 500 places").wait_for()


def runs_are_chosen_for_a_procedure(visit: Visit) -> None:
    rows = {"zh": "分支", "en": "A branch"}
    row = {"place": "p/q", "title": rows, "kind": "reached", "file": "made.yaml", "line": 3, "came": 1, "missed": False}
    page_of = {"name": "made", "runs": 1, "rows": [row], "reached": 1, "all": 1}
    answers = {"runs": run_list(["a", "b"]), "procedure/made/coverage": page_of}
    answers["procedure/made/head"] = {"name": "made", "title": "A made procedure", "locale": "en"}
    with visit.at(answers, "procedure/made?view=coverage&run=a") as (page, server):
        page.locator("h1 >> text=A made procedure").wait_for()
        page.locator(".choose summary").click()
        page.locator(".choose input").nth(1).check()
        eventually(page, "location.search.includes('run=a&run=b')", visit.limit)
        page.locator("th >> text=A branch").wait_for()
        page.locator(".choose input").nth(0).uncheck()
        eventually(page, "!location.search.includes('run=a') && location.search.includes('run=b')", visit.limit)
        for asked in ("run=a&run=b", "run=b"):
            assert any("/coverage?" in address and address.endswith(asked) for address in server.asked)


CHECKS: dict[Callable[[Visit], None], tuple[tuple[str, str], ...]] = {
    what_was_asked_is_fetched_when_it_is_unfolded: (
        ("place:`${n2}.${of}`", "place:`${n2}.0`"),
        ('row.by!=="rule"', "true"),
    ),
    what_is_sealed_comes_by_a_click: (
        (
            "const[asked,setAsked]=d2(false);const got=useGot(asked?",
            "const[asked,setAsked]=d2(true);const got=useGot(asked?",
        ),
        ("source.reveal(`run/${head.id}/sealed`)", "source.get(`run/${head.id}/sealed`)"),
    ),
    without_anything_sealed_nothing_is_offered: (('head.has.includes("sealed")', "true"),),
    figures_bear_their_titles: (("name:figure.title||figure.formula", "name:figure.formula"),),
    a_decision_is_worded_in_the_language_of_the_page: (
        ("a3(Decided,{text:told(one.text)})", "a3(Decided,{text:one.text.en})"),
    ),
    the_list_is_asked_again_while_it_is_read: (("if(list?.writing!==true)return void 0", "return void 0"),),
    while_runs_are_read_nobody_is_said_to_have_been_silent: (
        ('empty:ready?a3(Nothing,{why:"not_said"}):null', 'empty:a3(Nothing,{why:"not_said"})'),
        ('more?"said_at_least":"said_counted"', '"said_counted"'),
    ),
    runs_are_chosen_for_a_procedure: (
        ("chosen2.has(id)?runs.filter(one=>one!==id):[...runs,id]", "[id]"),
        ("text:title||route.id", "text:route.id"),
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
