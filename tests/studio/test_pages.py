"""What pages do with what they are given, in a real browser. Each check fails for a fault put into the script."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import sleep
from typing import Any
from unicodedata import category

import pytest
from browsing import Visit, eventually, fails, needs_browser, opened
from made_pages import RUN, citations, matrix, run_list, sight, told_run, turn_page

from legalworld.studio.responses_run import CiteMark

pytestmark = needs_browser
HOSTILE = (
    "<img src=x onerror=window.hit=1><script>window.hit=1</script> \u202etext\u202c\u0000\u200b </p><b id=in>b</b>"
)
SMALL = [chr(code) for code in (0x202A, 0x202E, 0x2066, 0x2069, 0x200B, 0x200F, 0x3164, 0xE0041, 0xE0101, 0x2028)]
NAMES = ("a b/%2e%2e/c", "..a/b..", "x#y?z=1&w", "甲/乙", "100%")


def now(page: Any) -> str:
    """The number of the turn that is marked in the transcript."""
    return str(page.locator(".said.now .n").first.inner_text())


# ---- texts of others -------------------------------------------------------------------------------------------------


def hostile_text_is_text(visit: Visit) -> None:
    answers = told_run(5, lambda n: HOSTILE, case_title=HOSTILE) | {"runs": run_list([HOSTILE.replace("/", "|")])}
    with visit.at(answers, f"run/{RUN}?t=2&show=reply") as (page, server):
        page.locator(".said >> text=onerror").first.wait_for()
        page.locator(".detail-body >> text=onerror").first.wait_for()
        assert page.evaluate("[window.hit ?? 0, document.querySelectorAll('main img, main script, #in').length]") == [
            0,
            0,
        ]
        text = page.locator("#app").inner_text()
        assert "⟨U+202E⟩" in text and not re.search("[\u202a-\u202e\u200b\u0000]", text)
        assert page.evaluate("getComputedStyle(document.querySelector('.said .words p > *')).unicodeBidi") == "isolate"
        opened(page, server.url + "runs")
        page.locator(".run-line >> text=onerror").first.wait_for()
        assert page.evaluate("[window.hit ?? 0, document.querySelectorAll('main img, main script').length]") == [0, 0]


def nothing_hidden_is_left(visit: Visit) -> None:
    """Every character of every kind that is not seen, by samples of the large kinds and whole of the small ones."""
    kinds: dict[str, list[str]] = {}
    for code in range(0x10FFFF):
        one = chr(code)
        if (kind := category(one)) in ("Cc", "Cf", "Co", "Zl", "Zp") and one not in "\n\t\r":
            kinds.setdefault(kind, []).append(one)
    hidden = {one for found in kinds.values() for one in found[:: 1 + len(found) // 200]} | set(SMALL)
    text = "".join(f"a{one}" for one in sorted(hidden))
    with visit.at(told_run(2, lambda n: text), f"run/{RUN}?t=1&show=reply") as (page, _):
        page.locator(".detail-body .sent").first.wait_for()
        while page.locator(".detail-body .more").count():
            page.locator(".detail-body .more").first.click()
        shown = str(page.locator(".detail-body .sent").first.evaluate("element => element.textContent"))
        assert "⟨U+202E⟩" in shown and len(shown) > len(hidden)
        assert sorted({f"{ord(one):x}" for one in hidden & set(shown)}) == []


def a_turn_of_five_megabytes_is_shown_by_pieces(visit: Visit) -> None:
    long = "很长的一段话。" * 750_000
    with visit.at(told_run(3, lambda n: long if n == 2 else "short"), f"run/{RUN}?t=2&show=reply") as (page, _):
        page.locator(".detail-body .more").first.wait_for()
        size = "document.getElementById('app').textContent.length"
        assert page.evaluate(size) < 60_000
        page.locator(".detail-body .more").first.click()
        eventually(page, f"{size} > 60000", visit.limit)
        assert page.evaluate(size) < 200_000


def a_hundred_thousand_turns_are_read_by_ranges(visit: Visit) -> None:
    with visit.at(told_run(100_000), f"run/{RUN}?t=100000") as (page, server):
        page.locator(".said.now >> text=words 100000").wait_for()
        assert page.locator(".transcript .row").count() < 120
        assert len([address for address in server.asked if "/lines" in address]) <= 6
        page.locator(".transcript .rows").evaluate("box => { box.scrollTop = 0; }")
        page.locator(".said .n", has_text=re.compile("^1$")).wait_for()
        assert len([address for address in server.asked if "/lines" in address]) <= 8


def names_of_runs_reach_the_server_as_they_are(visit: Visit) -> None:
    with visit.at({"runs": run_list(NAMES)}, "runs") as (page, server):
        page.locator(".run-line a").nth(len(NAMES) - 1).wait_for()
        for n, name in enumerate(NAMES):
            server.answers[f"run/{name}/head"] = told_run(1, id=name, case_title=f"case {n}")[f"run/{RUN}/head"]
        for n in range(len(NAMES)):
            opened(page, server.url + "runs")
            page.locator(".run-line a").nth(n).click()
            page.locator("h1", has_text=f"case {n}").wait_for()


# ---- addresses, keys, searching --------------------------------------------------------------------------------------


def an_address_leads_to_the_same_place(visit: Visit) -> None:
    with visit.at(told_run(60), f"run/{RUN}?t=58&show=reply&find=words") as (page, _):
        page.locator(".said.now >> text=words 58").wait_for()
        assert page.locator(".tabs [aria-current]").inner_text() == "Reply"
        page.locator(".said.now mark").first.wait_for()
        page.keyboard.press("k")
        page.locator(".said.now >> text=words 57").wait_for()
        opened(page, page.url)
        page.locator(".said.now >> text=words 57").wait_for()
        assert page.locator(".tabs [aria-current]").inner_text() == "Reply"
        page.locator("nav.tabs >> text=Seen").click()
        page.locator(".fields >> text=A field").wait_for()
        page.go_back()
        page.locator(".detail-body .sent >> text=words 57").wait_for()


def the_turn_asked_for_stays_in_sight(visit: Visit) -> None:
    answers = told_run(900, lambda n: "words of some length. " * (1 + n * 7 % 40))
    lines = answers[f"run/{RUN}/lines"]
    answers |= {f"run/{RUN}/lines": lambda query: [sleep(0.4), lines(query)][1]}
    answers |= {
        f"run/{RUN}/turn/450": turn_page(450, 900, "x").model_dump(mode="json"),
        f"run/{RUN}/sight/450": sight(450).model_dump(mode="json"),
    }
    with visit.at(answers, f"run/{RUN}?t=450") as (page, _):
        page.locator(".said.now >> text=words").wait_for()
        page.wait_for_timeout(900)
        box = page.locator(".said.now").bounding_box()
        assert box is not None and 90 < box["y"] < 500
        page.mouse.move(500, 500)
        page.mouse.wheel(0, 900)
        page.wait_for_timeout(600)
        moved = page.locator(".said.now").bounding_box()
        assert moved is None or moved["y"] < box["y"] - 300


def keys_go_through_turns(visit: Visit) -> None:
    with visit.at(told_run(9), f"run/{RUN}?t=3") as (page, _):
        page.locator(".said.now").wait_for()
        page.keyboard.press("j")
        eventually(page, "location.search.includes('t=4')", visit.limit)
        page.keyboard.press("k")
        page.keyboard.press("k")
        eventually(page, "location.search.includes('t=2')", visit.limit)
        page.keyboard.press("Escape")
        eventually(page, "!location.search.includes('t=')", visit.limit)
        page.keyboard.press("/")
        page.keyboard.type("jk")
        eventually(page, "location.search.includes('find=jk')", visit.limit)
        assert "t=" not in page.url


def words_are_found_in_a_run(visit: Visit) -> None:
    hit = {"run": RUN, "line": 0, "speaker": "甲", "before": "", "hit": "words", "after": ""}
    said = {"words": "words", "total": 2, "ready": True, "hits": [hit | {"turn": n, "line": n - 1} for n in (4, 7)]}
    with visit.at(told_run(9) | {"said": said}, f"run/{RUN}") as (page, server):
        page.locator(".find input").fill("words")
        page.locator(".find output >> text=2").wait_for()
        page.locator(".find input").press("Enter")
        page.locator(".said.now >> text=4").first.wait_for()
        page.locator(".find input").press("Enter")
        page.locator(".said.now mark").first.wait_for()
        eventually(page, "location.search.includes('t=7')", visit.limit)
        assert [address for address in server.asked if f"run={RUN}" in address]


def runs_are_filtered_sorted_and_searched(visit: Visit) -> None:
    hit = {"run": "b", "turn": 3, "line": 2, "speaker": "甲", "before": "x", "hit": "there", "after": "y"}
    answers = {"runs": run_list(["a", "b"]), "said": {"words": "there", "total": 1, "ready": True, "hits": [hit]}}
    with visit.at(answers, "runs") as (page, server):
        page.locator(".run-line a").nth(1).wait_for()
        page.locator("select").first.select_option("other")
        eventually(page, "location.search.includes('procedure=other')", visit.limit)
        page.locator("[role=columnheader] button", has_text="tokens").click()
        page.locator("[aria-sort=ascending]").wait_for()
        page.locator("[role=columnheader] button", has_text="tokens").click()
        page.locator("[aria-sort=descending]").wait_for()
        page.locator("input[type=search]").first.fill("there")
        page.locator(".hit mark").wait_for()
        assert any("procedure=other" in address and "sort=-tokens" in address for address in server.asked)
        assert page.locator(".hit a").get_attribute("href").endswith("run/b?t=3&find=there")


def a_citation_opens_its_article(visit: Visit) -> None:
    marks = {1: (CiteMark(start=0, end=3, citation=0),)}
    with visit.at(told_run(3, lambda n: "第五条 said", marks) | citations(), f"run/{RUN}") as (page, server):
        page.locator(".said .cite").click()
        page.locator(".law >> text=第五条的文字").wait_for()
        asked = next(address for address in server.asked if "/article" in address)
        assert "article=5" in asked and "at=2024-01-01" in asked


def an_empty_cell_says_why(visit: Visit) -> None:
    with visit.at(matrix(), "procedure/made?view=matrix") as (page, _):
        page.locator("td.closed button").click()
        page.locator(".why >> text=no cell opens it here").wait_for()
        assert "at=field" in page.url
        page.locator("td.open button").click()
        page.locator(".why >> text=a cell opens it").wait_for()


def the_language_changes_and_the_place_stays(visit: Visit) -> None:
    with visit.at(told_run(9), f"run/{RUN}?t=3&show=reply&lang=en") as (page, _):
        page.locator(".tabs >> text=Reply").wait_for()
        page.locator(".tongue").click()
        page.locator(".tabs >> text=回复").wait_for()
        assert page.evaluate("document.documentElement.lang") == "zh-CN"
        assert "t=3" in page.url and "show=reply" in page.url


def what_is_not_there_is_said(visit: Visit) -> None:
    with visit.at(told_run(9), f"run/{RUN}?t=4000") as (page, server):
        page.locator(".detail >> text=there is nothing at this address").wait_for()
        page.locator(".said >> text=words 5").wait_for()
        opened(page, server.url + "run/other?lang=zh")
        page.locator("main >> text=没有这个地址").wait_for()


# ---- small windows, paper --------------------------------------------------------------------------------------------


def a_phone_shows_a_sheet_and_a_drawer(visit: Visit) -> None:
    with visit.at(told_run(30), f"run/{RUN}", width=390) as (page, _):
        page.locator(".said").first.wait_for()
        assert not page.locator(".detail").is_visible() and not page.locator(".stages").is_visible()
        page.locator(".said .n").nth(1).click()
        page.locator(".detail.sheet").wait_for()
        box = page.locator(".detail.sheet").bounding_box()
        assert box is not None and box["y"] > 150 and abs(box["y"] + box["height"] - 844) < 2
        page.keyboard.press("Escape")
        page.locator(".detail.sheet").wait_for(state="hidden")
        page.locator("[aria-controls=stages]").click()
        page.locator(".stages").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def paper_gets_every_turn(visit: Visit) -> None:
    with visit.at(told_run(300), f"run/{RUN}") as (page, _):
        page.locator(".said").first.wait_for()
        assert page.locator(".said").count() < 100
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        eventually(page, "document.querySelectorAll('.said').length === 300", visit.limit)
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        eventually(page, "document.querySelectorAll('.said').length < 100", visit.limit)


def the_print_button_waits_for_all_of_it(visit: Visit) -> None:
    with visit.at(told_run(1900), f"run/{RUN}") as (page, server):
        page.locator(".said").first.wait_for()
        page.evaluate("() => { window.print = () => { window.printed = true; }; }")
        page.locator(".run-links button").click()
        eventually(page, "window.printed === true", visit.limit)
        asked = {address.partition("from=")[2] for address in server.asked if "/lines" in address}
        assert len(asked) == 5


CHECKS: dict[Callable[[Visit], None], tuple[tuple[str, str], ...]] = {
    hostile_text_is_text: (
        (".replace(HIDDEN,", '.replace("",'),
        ('a3("bdi",{class:"own",children:marked(', 'a3("span",{children:marked('),
        ("children:marked(plain(text),find)}", "dangerouslySetInnerHTML:{__html:text}}"),
    ),
    nothing_hidden_is_left: ((r"[\p{C}\p{Zl}\p{Zp}]", r"[\p{Cc}\p{Zl}\p{Zp}]"),),
    a_turn_of_five_megabytes_is_shown_by_pieces: (("const clipped=text.length>room*1.2", "const clipped=false"),),
    a_hundred_thousand_turns_are_read_by_ranges: (
        ("let chunk=Math.floor(Math.max(0,from)/CHUNK2)", "let chunk=0"),
        ('if(goal.where==="top")host.scrollTop=', 'if(goal.where==="top")host.scrollLeft='),
    ),
    names_of_runs_reach_the_server_as_they_are: (("map(encodeURIComponent).join", "map(String).join"),),
    an_address_leads_to_the_same_place: (
        ('find(name=>name===asked)??"seen"', 'find(name=>false)??"seen"'),
        ('addEventListener("popstate",moved)', 'addEventListener("popstated",moved)'),
    ),
    the_turn_asked_for_stays_in_sight: (
        ("if(aim.current!==null){reach(aim.current)}", "if(aim.current!==null){}"),
        ("Math.abs(host.scrollTop-put.current)>2", "false"),
    ),
    keys_go_through_turns: (
        ("j:()=>step(1)", "j:()=>step(0)"),
        ("input, textarea, select, [contenteditable]", "textarea"),
    ),
    words_are_found_in_a_run: (("(hit+by+count)%count", "0"),),
    runs_are_filtered_sorted_and_searched: (
        ("set({sort:next})", "set({})"),
        ("set({[name]:event.currentTarget.value})", "set({})"),
    ),
    a_citation_opens_its_article: (("changes:{cite:mark.citation}", "changes:{}"),),
    an_empty_cell_says_why: (("pick:()=>set({at:", "pick:()=>set({on:"),),
    the_language_changes_and_the_place_stays: (
        ("to:changed(route,{lang:other})", 'to:{page:"runs",id:"",params:{lang:other}}'),
    ),
    what_is_not_there_is_said: (("if(answer.ok)return body", "return body"),),
    a_phone_shows_a_sheet_and_a_drawer: (
        ("hidden:sheet&&!shown", "hidden:false"),
        ("hidden:folded&&!open", "hidden:true"),
    ),
    the_print_button_waits_for_all_of_it: (("lines.need(0,last);", ""),),
    paper_gets_every_turn: (('addEventListener("beforeprint",begin2)', 'addEventListener("before",begin2)'),),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_page(check: Callable[[Visit], None], chromium: Any) -> None:
    check(Visit(chromium))


FAULTS = [(check, mutant) for check, mutants in CHECKS.items() for mutant in mutants]


@pytest.mark.parametrize(("check", "mutant"), FAULTS, ids=[f"{check.__name__}-{mutant[1]}" for check, mutant in FAULTS])
def test_a_fault_is_noticed(check: Callable[[Visit], None], mutant: tuple[str, str], chromium: Any) -> None:
    fails(check, chromium, mutant)
