"""Why something is seen, is not, is new, or was taken back: held against the grants of the procedure and the views."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from browser import needs_browser
from browsing import launched
from typed import lw

from legalworld.model.events import Left, Spoke, Withheld
from legalworld.model.procedure import Grant
from legalworld.runs.open_run import OpenRun, open_run
from legalworld.studio.procedure_pages import ProcedurePages
from legalworld.studio.responses_run import SightPage
from legalworld.studio.run_pages import RunPages
from legalworld.studio.studio_run import StudioRun


@pytest.fixture(scope="module", params=["civil", "criminal"])
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunPages:
    folder = tmp_path_factory.mktemp("runs") / request.param
    assert lw("run", request.param, "--seed", 11, "--out", folder).code == 0
    opened = open_run(folder)
    assert isinstance(opened, OpenRun)
    return RunPages(StudioRun(folder.name, opened, folder.parent))


@pytest.fixture(scope="module")
def sights(pages: RunPages) -> list[SightPage]:
    found = [pages.sights.at(number) for number in range(1, len(pages.run.calls) + 1)]
    return [page for page in found if page is not None]


def granted(pages: RunPages, name: str, whose: str, kind: str) -> list[Grant]:
    """The grants that may show something to a kind of person, found without the cells of the pages."""
    return [
        grant
        for grant in pages.run.procedure.grants
        if grant.what == name and grant.kind == kind and (whose in (grant.whose, "all") or grant.whose == "all")
    ]


def left_before(pages: RunPages, turn: int, stage: str) -> set[str]:
    """The phases of a stage that were over at a call."""
    number = pages.run.events.index(pages.run.calls[turn - 1])
    over = (event for event in pages.run.events[:number] if isinstance(event, Left) and event.level == "phase")
    return {event.place.partition("/")[2] for event in over if event.place.partition("/")[0] == stage}


def test_why_something_is_not_seen_agrees_with_the_grants(pages: RunPages, sights: list[SightPage]) -> None:
    codes: Counter[str] = Counter()
    for page in sights:
        for one in page.unseen:
            codes[one.code] += 1
            grants = granted(pages, one.name, one.whose, page.kind)
            here = [grant for grant in grants if grant.stage == page.stage]
            what = (pages.run.id, page.turn, one.name, one.whose, one.code)
            assert one.reason.zh and one.reason.en and "{" not in one.reason.zh + one.reason.en, what
            match one.code:
                case "no_cell":
                    assert not grants, what
                case "not_here":
                    assert grants and not here, what
                case "later":
                    over = left_before(pages, page.turn, page.stage)
                    assert here and all(grant.after and grant.after not in over for grant in here), what
                case "condition":
                    assert any(grant.condition is not None for grant in here), what
                case _:
                    assert here, what
    assert codes["no_cell"] and codes["not_here"] and codes["empty"]


def test_nothing_is_both_seen_and_not_seen(sights: list[SightPage]) -> None:
    for page in sights:
        seen = {(one.state.name, one.state.whose) for one in page.fields}
        unseen = [(one.name, one.whose) for one in page.unseen]
        assert not seen.intersection(unseen) and len(unseen) == len(set(unseen))


def test_what_is_new_and_what_was_taken_back_is_the_difference_to_the_call_before(sights: list[SightPage]) -> None:
    last: dict[str, SightPage] = {}
    fresh: Counter[str] = Counter()
    for page in sights:
        now = {(one.state.name, one.state.whose): one for one in page.fields}
        back = {(one.name, one.whose) for one in page.back if one.kind == "field"}
        before = last.get(page.person)
        assert page.before == (before.turn if before is not None else 0)
        then = {(one.state.name, one.state.whose): one for one in before.fields} if before is not None else {}
        assert back == then.keys() - now.keys()
        for key, one in now.items():
            fresh[one.fresh] += 1
            if before is None:
                assert (one.fresh, one.since, one.opened) == ("", page.turn, page.turn)
            elif key not in then:
                assert (one.fresh, one.since, one.opened) == ("new", page.turn, page.turn)
            elif then[key].state != one.state:
                assert (one.fresh, one.since, one.opened) == ("changed", page.turn, then[key].opened)
            else:
                assert (one.fresh, one.since, one.opened) == ("", then[key].since, then[key].opened)
        last[page.person] = page
    assert fresh["new"] and fresh["changed"]


def test_talk_that_was_withheld_is_told_once_to_each_who_had_heard_it(pages: RunPages, sights: list[SightPage]) -> None:
    told = [(page.person, one.name, one.turns) for page in sights for one in page.back if one.kind == "words"]
    expected = []
    for number, event in enumerate(pages.run.events):
        if isinstance(event, Withheld):
            for person in event.persons:
                if any(turn > pages.run.turn_after[number] for turn, _ in pages.run.calls_by(person)):
                    expected.append((person, event.phase))
    assert sorted((person, phase) for person, phase, _ in told) == sorted(expected)
    by_request = pages.run.turn_of
    for person, phase, turns in told:
        heard = {
            by_request[event.request]
            for event in pages.run.events
            if isinstance(event, Spoke) and person in event.heard_by and event.place.rpartition("/")[0] == phase
        }
        assert set(turns) <= heard and turns


def test_the_matrix_gives_the_same_reason_wherever_it_is_asked(pages: RunPages) -> None:
    """A cell of the table is open where a grant says so, for every row, kind and stage."""
    opened = pages.run.opened
    asked = ProcedurePages(opened.project, opened.procedure)
    matrix = asked.matrix()
    for row in matrix.rows:
        for kind in matrix.kinds:
            for stage in matrix.stages:
                query = {"what": [row.what], "whose": [row.whose], "kind": [kind.id], "stage": [stage.id]}
                why = asked.why(query)
                cells = [one for one in row.cells if (one.kind, one.stage) == (kind.id, stage.id)]
                grants = [
                    grant
                    for grant in opened.procedure.grants
                    if (grant.what, grant.whose, grant.kind, grant.stage) == (row.what, row.whose, kind.id, stage.id)
                ]
                assert why.seen == bool(cells) == bool(grants)
                assert why.reasons[0].zh and why.reasons[0].en


def test_every_speech_stands_in_the_row_of_its_call(pages: RunPages) -> None:
    rows = {line.turn: line for line in pages.transcript.rows if line.kind == "call"}
    assert sorted(rows) == list(range(1, len(pages.run.calls) + 1))
    assert [line.n for line in pages.transcript.rows] == list(range(len(pages.transcript.rows)))
    spoken = [event for event in pages.run.events if isinstance(event, Spoke) and event.text]
    for event in spoken:
        row = rows[pages.run.turn_of[event.request]]
        assert row.said and row.speaker == event.speaker and event.text[:1000] in row.text
    assert sum(line.said for line in rows.values()) == len({event.request for event in spoken})


def test_headings_are_those_of_the_transcript(pages: RunPages) -> None:
    """The file that the run left has a heading only where something follows; all of them are rows."""
    text = (pages.run.opened.folder.path / "transcript.md").read_text(encoding="utf-8")
    written = [line.lstrip("# ") for line in text.splitlines() if line.startswith(("## ", "### "))][1:]
    rows = [line.text.partition("\n")[0] for line in pages.transcript.rows if line.kind in ("stage", "phase")]
    left = iter(rows)
    assert all(any(row == heading for row in left) for heading in written)
    assert [part.title for part in pages.transcript.parts] == rows


@needs_browser
def test_a_published_page_shows_what_was_seen_with_every_request_refused(pages: RunPages, tmp_path: Path) -> None:
    folder = pages.run.opened.folder.path
    assert lw("publish", folder, "--out", tmp_path / "site", "--names", "--lang", "en").code == 0
    (file,) = (tmp_path / "site").glob("run-*.html")
    turn = len(pages.run.calls) // 2
    sight = pages.sights.at(turn)
    assert sight is not None
    asked, wrong = [], []
    with launched() as chromium:
        page = chromium.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))

        def refuse(route: object) -> None:
            asked.append(route.request.url.partition("#")[0])  # type: ignore[attr-defined]
            if asked[-1] == file.as_uri():
                route.continue_()  # type: ignore[attr-defined]
            else:
                route.abort()  # type: ignore[attr-defined]

        page.route("**/*", refuse)
        page.goto(f"{file.as_uri()}#t={turn}&show=seen")
        page.locator("html[data-ready]").wait_for()
        page.locator(f"text={sight.fields[0].state.title or sight.fields[0].state.name}").first.wait_for()
        text = page.locator("body").inner_text()
    place = f"{Path(sight.fields[0].cells[0].file).name}:{sight.fields[0].cells[0].line}"
    assert place in text and sight.speaker in text
    assert set(asked) == {file.as_uri()} and wrong == []
