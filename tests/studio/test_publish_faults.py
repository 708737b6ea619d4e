"""What published pages leave out and hold is checked by something that a fault put into the publisher makes fail."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from browsing import SHORT, Visit, eventually, needs_browser
from faulty import fault
from studio_graded import graded
from test_publish import sealed, unpacked
from typed import lw

from legalworld.studio import answer_pool, publish, shell, withheld

RUN = "smallclaims"


class Site:
    """A run that was published with the publisher as it is now."""

    def __init__(self, run: Path, **choices: bool) -> None:
        self.run, self.folder = run, Path(tempfile.mkdtemp(dir=run.parent.parent))
        chosen = publish.PublishChoices(**{"prompts": False, "names": False, **choices}, language="en")
        made = publish.publish([(run.name, run)], self.folder / "site", chosen)
        assert isinstance(made, publish.PublishedSite) and made.problems == ()

    def page(self, name: str = "run-1-smallclaims.html") -> Path:
        return self.folder / "site" / name

    def answers(self, name: str = "run-1-smallclaims.html") -> dict[str, Any]:
        return dict(unpacked(self.page(name))["answers"])

    def close(self) -> None:
        shutil.rmtree(self.folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("published") / "runs" / RUN
    assert lw("run", RUN, "--seed", "7", "--out", run).code == 0
    graded(run, sealed(run)[0])
    return run


def nothing_sealed_is_there(site: Site) -> None:
    text = json.dumps(site.answers(), ensure_ascii=False)
    record = (site.run / "journal.jsonl").read_text(encoding="utf-8")
    assert [one for one in sealed(site.run) if one in text and one not in record] == []
    assert not [address for address in site.answers() if "sealed" in address or "/asked/" in address]
    assert not {"sealed", "asked"} & set(site.answers()[f"run/{RUN}/head"]["has"])


def no_name_is_there(site: Site) -> None:
    whole = json.dumps([site.answers(), site.answers("index.html")], ensure_ascii=False)
    assert [name for name in ("Hannah", "Osei", "Brightline") if name in whole] == []
    assert {"Ms Hannah", "Hannah Osei", "Osei"} <= set(withheld._parts("Ms Hannah Osei", frozenset()))
    assert "[Claimant]" in whole and "Claimant Claimant" not in whole and "Between [Claimant], Claimant" in whole


def no_prompt_is_there(site: Site) -> None:
    assert not [address for address in site.answers() if "/prompt/" in address]
    assert "prompts" not in site.answers()[f"run/{RUN}/head"]["has"]


def every_call_has_its_answers(site: Site) -> None:
    answers = site.answers()
    calls = answers[f"run/{RUN}/head"]["calls"]
    for turn in range(1, calls + 1):
        assert [answers[f"run/{RUN}/{what}/{turn}"]["turn"] for what in ("turn", "sight", "memory")] == [turn] * 3
    for turn in range(1, calls + 1):
        assert all(
            field["reason"]["en"] and field["state"]["name"] for field in answers[f"run/{RUN}/sight/{turn}"]["fields"]
        )
    assert len(answers[f"run/{RUN}/lines"]["lines"]) == answers[f"run/{RUN}/head"]["lines"]


def nothing_of_a_provider_is_there(site: Site) -> None:
    told = json.dumps(site.answers())
    kept = [{"a": {"provider_data": "of theirs"}}]
    assert publish._without_provider(kept) == [{"a": {"provider_data": ""}}]
    assert '"provider_data": ""' in told and told.count('"provider_data": ""') == told.count('"provider_data"')


def a_page_may_ask_nobody(site: Site) -> None:
    head = site.page().read_text(encoding="utf-8").partition("<body>")[0]
    assert "default-src &#39;none&#39;" in head or "default-src 'none'" in head
    assert "connect-src" not in head and "unsafe" not in head


def a_page_begins_in_the_language_of_its_reader(site: Site) -> None:
    for name in ("run-1-smallclaims.html", "index.html"):
        assert '"language":"en","chosen":false' in site.page(name).read_text(encoding="utf-8")


def the_list_names_case_and_procedure(site: Site) -> None:
    (row,) = site.answers("index.html")["runs"]["rows"]
    assert row["procedure_title"] and row["case_title"] and row["procedure_title"] != RUN


Check = Callable[[Site], None]
FAULTS: tuple[tuple[Check, ModuleType, str, str], ...] = (
    (nothing_sealed_is_there, withheld, "return LEFT_OUT", "return text"),
    (nothing_sealed_is_there, publish, 'left = {"prompts", "asked", "sealed"}', 'left = {"prompts", "asked"}'),
    (no_name_is_there, withheld, "found[person.name] = brackets.format(called)", "found[person.name] = called"),
    (no_name_is_there, withheld, "for count in range(len(words) - 1, 1, -1):", "for count in ():"),
    (no_name_is_there, withheld, "for word in {words[0], words[-1]} if len(words) > 1 else ():", "for word in ():"),
    (no_name_is_there, publish, "rows = [withhold(_row(", "rows = [(lambda row: row)(_row("),
    (no_prompt_is_there, publish, '(what != "prompt" or choices.prompts) and', ""),
    (
        every_call_has_its_answers,
        publish,
        "for turn in range(1, len(run.calls) + 1):",
        "for turn in range(1, len(run.calls)):",
    ),
    (every_call_has_its_answers, answer_pool, "self._places[known] = len(self.entries)", "self._places[known] = 0"),
    (nothing_of_a_provider_is_there, publish, '"" if name == "provider_data" else _without', "_without"),
    (a_page_may_ask_nobody, shell, "policy=f\"default-src 'none'; ", 'policy=f"'),
    (a_page_begins_in_the_language_of_its_reader, publish, "chosen=choices.chosen", "chosen=True"),
    (the_list_names_case_and_procedure, publish, "case_title=run.opened.case.title", 'case_title=""'),
)


def checked(run: Path, check: Check) -> None:
    site = Site(run)
    try:
        check(site)
    finally:
        site.close()


@pytest.mark.parametrize("check", dict.fromkeys(one[0] for one in FAULTS), ids=lambda check: check.__name__)
def test_a_published_page(run: Path, check: Check) -> None:
    checked(run, check)


@pytest.mark.parametrize("one", FAULTS, ids=lambda one: f"{one[0].__name__}-{one[3][:24].strip()}")
def test_a_fault_of_the_publisher_is_noticed(run: Path, one: tuple[Check, ModuleType, str, str]) -> None:
    check, module, old, new = one
    with fault(module, old, new), pytest.raises((AssertionError, KeyError, IndexError, TypeError)):
        checked(run, check)


# ---- in a browser ----------------------------------------------------------------------------------------------------


def seen_from_a_disk(visit: Visit, site: Site) -> None:
    """A page opened from a disk, every request refused: what was seen in a call, and its sealed values nowhere."""
    address = site.page().as_uri()
    with visit.context() as context:
        context.route(
            "**/*", lambda route: route.continue_() if route.request.url.startswith(address) else route.abort()
        )
        page = context.new_page()
        page.goto(f"{address}#?t=5&show=seen")
        page.locator(".said.now[data-turn='5']").wait_for()
        page.locator(".detail-body .fields > li").first.wait_for()
        eventually(page, "document.querySelector('.problem.error') === null", visit.limit)
        text = page.content()
        assert [one for one in sealed(site.run) if one in text] == []


@needs_browser
@pytest.mark.parametrize(
    "mutant",
    [
        None,
        (publish, "BY_TURN:\n            if (what", "BY_TURN[:1]:\n            if (what"),
        (shell, "script-src '{_allowed(script)}'", "script-src '{_allowed(style)}'"),
        (answer_pool, "return b64encode(zlib.compress(data, 9))", "return b64encode(zlib.compress(data, 9)[2:])"),
    ],
    ids=["as it is", "without what was seen", "a policy for another script", "no zlib"],
)
def test_a_page_from_a_disk(run: Path, chromium: Any, mutant: tuple[ModuleType, str, str] | None) -> None:
    from playwright.sync_api import Error

    if mutant is None:
        seen_from_a_disk(Visit(chromium), Site(run))
        return
    with fault(*mutant):
        site = Site(run)
    with pytest.raises((AssertionError, Error)):
        seen_from_a_disk(Visit(chromium, limit=SHORT), site)
