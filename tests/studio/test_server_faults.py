"""Each promise of the server is checked by something that a fault put into the server makes fail."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from faulty import notices
from studio_graded import graded
from studio_served import TOKEN, Asked, studio_served
from typed import lw

from legalworld.studio import app, guard, lines, run_list, run_pages, said, shelf, sights

RUN = "bargain"
Check = Callable[[Asked], None]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("faults") / "runs"
    assert lw("run", RUN, "--out", root / RUN).code == 0
    graded(root / RUN, "canary of the grader")
    broken = root / "broken"
    broken.mkdir()
    for name in ("run.yaml", "case.json", "sealed.json", "spec.zip"):
        os.link(root / RUN / name, broken / name)
    lines = (root / RUN / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (broken / "journal.jsonl").write_bytes(b"".join([*lines[:3], lines[3].replace(b"a", b"b", 1), *lines[4:]]))
    (root.parent / "elsewhere").symlink_to(root / RUN)
    (root / "link").symlink_to(root / RUN)
    return root


@pytest.fixture(scope="module")
def served(root: Path) -> Iterator[Asked]:
    with studio_served(root) as asked:
        yield asked


def origin(served: Asked) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{served.port}"}


def no_token_opens_nothing(served: Asked) -> None:
    for path in ("/o/x/d/runs", f"/o/{TOKEN[:-1]}/d/runs", "/d/runs", f"/o/{TOKEN}x/d/runs"):
        assert served.get(path).body == served.get("/").body
        asked = {"path": path, "method": "GET", "headers": [(b"host", f"127.0.0.1:{served.port}".encode())]}
        assert not guard.admits(asked, served.doorway), "nor does the door let it pass to what would not find it"


def another_host_opens_nothing(served: Asked) -> None:
    assert served.get("d/runs", {"Host": f"evil.example:{served.port}"}).status == 404


def another_origin_opens_nothing(served: Asked) -> None:
    assert served.get("d/runs", {"Origin": "http://evil.example"}).status == 404
    assert served.get("d/runs", {"Sec-Fetch-Site": "cross-site"}).status == 404


def a_frame_opens_nothing(served: Asked) -> None:
    framed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert served.get("runs", framed).status == 404
    linked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert served.get("d/runs", linked).status == 404


def what_changes_something_says_from_where_it_comes(served: Asked) -> None:
    assert served.get(f"d/run/{RUN}/sealed", method="POST").status == 404


def every_answer_is_sealed(served: Asked) -> None:
    for path in ("runs", "d/runs", "/", "/static/app.js"):
        assert "default-src 'none'" in served.get(path).headers["content-security-policy"]


def a_long_address_is_refused(served: Asked) -> None:
    assert served.get(f"d/runs?where={'x' * 9000}").status == 404


def no_name_leads_out_of_the_folder(served: Asked) -> None:
    for run in ("../elsewhere", "%2e%2e/elsewhere", "link", "bargain/../bargain"):
        assert served.get(f"d/run/{run}/head").status == 404


def a_run_that_is_gone_is_told(served: Asked) -> None:
    assert served.get("d/run/gone/head").code == "LW430"


def a_turn_beyond_the_end_is_told(served: Asked) -> None:
    calls = served.get(f"d/run/{RUN}/head").data["calls"]
    for turn in (0, calls + 1, "x"):
        for what in ("turn", "sight", "prompt"):
            assert served.get(f"d/run/{RUN}/{what}/{turn}").code == "LW431"


def a_damaged_run_is_told(served: Asked) -> None:
    assert served.get("d/run/broken/head").data["problems"]
    assert served.get("d/run/broken/lines").status == 409


def the_list_counts_what_is_damaged(served: Asked) -> None:
    found = served.get("d/runs").data
    while found["writing"]:
        found = served.get("d/runs").data
    assert (found["total"], found["damaged"]) == (2, 1)
    assert {row["id"]: row["case_title"] != "" or row["case"] != "" for row in found["rows"]} == {
        RUN: True,
        "broken": True,
    }
    assert {row["procedure_title"] for row in found["rows"]} == {"讨价还价"}


def lines_come_from_where_they_were_asked_for(served: Asked) -> None:
    whole = served.get(f"d/run/{RUN}/lines").data["lines"]
    assert served.get(f"d/run/{RUN}/lines?from=3&count=2").data["lines"] == whole[3:5]


def what_was_seen_is_that_of_the_call(served: Asked) -> None:
    pages = [served.get(f"d/run/{RUN}/sight/{turn}").data for turn in (1, 2)]
    assert [page["turn"] for page in pages] == [1, 2] and pages[0]["person"] != pages[1]["person"]
    limits = [[row["state"]["entries"] for row in page["fields"] if row["state"]["name"] == "limit"] for page in pages]
    assert limits[0] and limits[1] and limits[0] != limits[1], "each sees his own"


def words_are_found_where_they_were_said(served: Asked) -> None:
    line = next(one for one in served.get(f"d/run/{RUN}/lines").data["lines"] if one["said"] and len(one["text"]) > 12)
    hits = served.get(
        f"d/said?run={RUN}&words={line['turn'] and ''.join(f'%{byte:02X}' for byte in line['text'][2:9].encode())}"
    )
    assert line["turn"] in [hit["turn"] for hit in hits.data["hits"]]
    assert all(hit["hit"] == line["text"][2:9] for hit in hits.data["hits"])


def the_browser_chooses_the_language(served: Asked) -> None:
    for accepted, tongue in (
        *(("zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"), ("en-GB,en;q=0.9,zh;q=0.1", "en"), ("fr, zh;q=0.2", "zh-CN")),
        *(("de;q=1, en;q=0.3, zh;q=0.4", "zh-CN"), ("zh;q=0, en;q=0.1", "en"), ("zh;q=nonsense, en", "en")),
    ):
        assert f'<html lang="{tongue}"' in served.get("runs", {"Accept-Language": accepted}).body.decode(), accepted
    assert '<html lang="en"' in served.get("runs?lang=en", {"Accept-Language": "zh"}).body.decode()


def sealed_values_need_a_click_that_is_noted(served: Asked) -> None:
    before = len(served.noted)
    assert served.get(f"d/run/{RUN}/sealed").status == 404 and len(served.noted) == before
    page = served.get(f"d/run/{RUN}/sealed", origin(served), "POST").data
    assert page["value"]["sealed"]["secret"] and served.noted[before:] == [(page["at"], RUN)]
    head = served.get(f"d/run/{RUN}/head").data
    assert "sealed" in head["has"]
    for path in ("head", "lines?count=1000", "sight/1", "prompt/1", "docs"):
        assert str(page["value"]["sealed"]["secret"]) not in served.get(f"d/run/{RUN}/{path}").body.decode()


Fault = tuple[Check, ModuleType, str, str]
FAULTS: tuple[Fault, ...] = (
    (no_token_opens_nothing, guard, "return hmac.compare_digest(", "return True or hmac.compare_digest("),
    (
        no_token_opens_nothing,
        guard,
        'path.removeprefix("/o/").partition("/")[0]',
        'path.removeprefix("/o/")[: len(token)]',
    ),
    (
        another_host_opens_nothing,
        guard,
        "if len(hosts) != 1 or hosts[0].lower() not in doorway.hosts:",
        "if not hosts:",
    ),
    (another_origin_opens_nothing, guard, "if any(origin.lower() not in own for origin in origins):", "if False:"),
    (another_origin_opens_nothing, guard, "return all(site in _OWN_SITES for site in sites) or", "return True or"),
    (a_frame_opens_nothing, guard, 'return told == (["navigate"], ["document"]) and', "return"),
    (a_frame_opens_nothing, guard, ' and not below.startswith("d/")', ""),
    (
        what_changes_something_says_from_where_it_comes,
        guard,
        'if scope["method"] not in READS and not origins:',
        "if False:",
    ),
    (every_answer_is_sealed, guard, "[*kept, *HEADERS]", "kept"),
    (a_long_address_is_refused, guard, "> MOST_ADDRESS", "> 10 * MOST_ADDRESS"),
    (no_name_leads_out_of_the_folder, shelf, 'part.startswith(".") or', ""),
    (no_name_leads_out_of_the_folder, shelf, "path.is_symlink() or not", "not"),
    (
        a_run_that_is_gone_is_told,
        shelf,
        "        if folder is None:\n            return None\n        with self",
        "        folder = folder or self.root\n        with self",
    ),
    (a_turn_beyond_the_end_is_told, run_pages, "<= len(self.run.calls) or", "<= len(self.run.calls) + 1 or"),
    (a_damaged_run_is_told, app, 'if address == "head":', 'if address in ("head", "lines"):'),
    (a_damaged_run_is_told, run_pages, "        problems=problems,", "        problems=(),"),
    (
        the_list_counts_what_is_damaged,
        run_list,
        "            damaged=index.count(_DAMAGED),\n            choices",
        "            damaged=0,\n            choices",
    ),
    (the_list_counts_what_is_damaged, run_list, '{"procedure_title": self.titles(row.procedure)}', "{}"),
    (lines_come_from_where_they_were_asked_for, run_pages, 'first = int(query.get("from", 0))', "first = 0"),
    (lines_come_from_where_they_were_asked_for, lines, "max(first, 0) + count])", "])"),
    (what_was_seen_is_that_of_the_call, sights, "call = self.run.calls[turn - 1]", "call = self.run.calls[0]"),
    (
        words_are_found_where_they_were_said,
        said,
        "return None if at < 0 else (places[at],",
        "return None if at < 0 else (0,",
    ),
    (the_browser_chooses_the_language, app, "known is not None and weight > best", "known is not None"),
    (
        the_browser_chooses_the_language,
        app,
        'return "zh" if told == "zh" else "en" if told == "en" else preferred',
        "return preferred",
    ),
    (sealed_values_need_a_click_that_is_noted, app, "        self.note(at, identity)\n", ""),
    (
        sealed_values_need_a_click_that_is_noted,
        run_pages,
        "told = folder.sealed_json() if folder.info.sealed_sum else None",
        "told = None",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0].__name__}-{fault[3][:24].strip()}")
def test_a_fault_of_the_server_is_noticed(fault: Fault, served: Asked) -> None:
    check, module, old, new = fault
    notices(lambda: check(served), module, old, new)


def test_every_check_has_a_fault() -> None:
    checks = {
        value for name, value in globals().items() if callable(value) and getattr(value, "__module__", "") == __name__
    }
    asked = {
        one for one in checks if list(getattr(one, "__annotations__", {})) == ["served", "return"] and one is not origin
    }
    assert {fault[0] for fault in FAULTS} == {one for one in asked if not one.__name__.startswith("test_")}
