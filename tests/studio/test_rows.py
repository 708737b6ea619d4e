"""The pages show what `lw show` shows: for every call of a civil and of a criminal run, row by row."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from studio_graded import graded
from typed import lw

from legalworld.engine.casting import cast
from legalworld.evaluation.score_files import SCORES
from legalworld.evaluation.soundness.report import CHECKS
from legalworld.index.run_row import read_row
from legalworld.model.events import Reply, Request, Turn
from legalworld.runs.loop import ReplayLog, replayed
from legalworld.runs.open_run import OpenRun, open_run
from legalworld.runs.show.checks import CITATIONS, VIOLATIONS
from legalworld.runs.show.decided_text import DECISION
from legalworld.runs.show.heard import HEARD
from legalworld.runs.show.memory import MEMORY, TOOLS
from legalworld.runs.show.sights import request_at, view_data
from legalworld.runs.show.turns import TURN, TURNS
from legalworld.runs.show.views import RunView, ShowRequest
from legalworld.studio.follow import standing
from legalworld.studio.run_pages import RunPages
from legalworld.studio.studio_run import StudioRun

PROCEDURES = ("civil", "criminal")


@pytest.fixture(scope="module", params=PROCEDURES)
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunPages:
    folder = tmp_path_factory.mktemp("runs") / request.param
    assert lw("run", request.param, "--seed", 7, "--out", folder).code == 0
    assert lw("eval", folder, "--rubric", "soundness").code == 0
    graded(folder, "as asked")
    opened = open_run(folder)
    assert isinstance(opened, OpenRun)
    return RunPages(StudioRun(folder.name, opened, folder.parent))


def shown(pages: RunPages, view: RunView[Any], **asked: Any) -> Any:
    """What `lw show` writes as JSON."""
    value, problems = view.read(pages.run.opened, ShowRequest(**asked))
    assert value is not None, problems
    return view.data(value)


def without_nothing(row: dict[str, Any], kept: frozenset[str] = frozenset()) -> dict[str, Any]:
    """A row without the keys that say nothing, which `lw show` leaves out."""
    return {key: value for key, value in row.items() if key in kept or (value not in (None, "", [], {}, 0, False))}


def views_of(opened: OpenRun) -> dict[str, list[dict[str, Any]]]:
    """Request -> its view as `lw show --view` has it, seen from outside while the record is played."""
    found: dict[str, list[dict[str, Any]]] = {}

    def watched(game: Generator[Turn, tuple[Reply, ...], Any]) -> Generator[Turn, tuple[Reply, ...], Any]:
        turn = next(game)
        while True:
            found.update({one.id: view_data(one.view) for one in turn.requests if isinstance(one, Request)})
            replies = yield turn
            try:
                turn = game.send(replies)
            except StopIteration as done:
                return done.value

    replayed(watched(opened.game()), ReplayLog(opened.loaded.lines))
    return found


def test_every_call_has_the_row_of_lw_show(pages: RunPages) -> None:
    rows = shown(pages, TURNS)["turns"]
    assert len(rows) > 60
    for row in rows:
        page = pages.answer(f"turn/{row['turn']}", {})
        assert page is not None
        found = page.model_dump(mode="json")["row"]
        assert found.pop("answered") is True
        kept = frozenset(row)
        assert without_nothing(found, kept) == row
        assert all(value in (None, "", [], {}, 0, False) for key, value in found.items() if key not in kept)


def test_every_call_saw_the_fields_of_lw_show(pages: RunPages) -> None:
    views = views_of(pages.run.opened)
    for number, call in enumerate(pages.run.calls, 1):
        page = pages.answer(f"sight/{number}", {})
        assert page is not None
        fields = page.model_dump(mode="json")["fields"]
        states = [one["state"] for one in fields]
        assert [{"field": s["name"], "whose": s["whose"], "entries": s["entries"]} for s in states] == views[call.id]
        assert all(one["cells"] for one in fields), "a field is seen by a cell of the matrix"


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_a_view_made_by_itself_is_the_same(pages: RunPages, share: float) -> None:
    number = max(1, round(share * len(pages.run.calls)))
    request = request_at(pages.run.opened, pages.run.calls[number - 1].id)
    page = pages.sights.at(number)
    assert request is not None and page is not None
    states = [(one.state.name, one.state.whose, list(one.state.entries)) for one in page.fields]
    assert states == [(one["field"], one["whose"], one["entries"]) for one in view_data(request.view)]


def test_the_cell_that_is_named_stands_where_it_is_said_to(pages: RunPages) -> None:
    """The line of the spec names the field, and lists the letter of who sees it."""
    seen = 0
    for number in range(1, len(pages.run.calls) + 1):
        page = pages.sights.at(number)
        assert page is not None
        for field in page.fields:
            for cell in field.cells:
                seen += 1
                assert cell.stage == page.stage and cell.kind == page.kind
                assert cell.text.startswith("|") and field.state.name in cell.text and page.letter in cell.text
    assert seen > 500


def test_every_prompt_is_that_of_lw_show(pages: RunPages) -> None:
    for number in range(1, len(pages.run.calls) + 1):
        row = shown(pages, TURN, turn=number, prompt=True)
        page = pages.answer(f"prompt/{number}", {})
        assert page is not None
        found = page.model_dump(mode="json")
        messages = []
        for message in found["messages"]:
            parts = [[part["home"], part["text"]] for part in message["parts"]]
            kept = {"role": message["role"], "content": message["content"], "parts": parts}
            messages.append(without_nothing({**kept, "calls": message["calls"], "call": message["call"]}, {"content"}))  # type: ignore[arg-type]
        assert messages == [{"content": "", **message} for message in row["prompt"]]
        assert found["tools"] == row.get("tools", [])


def test_what_was_heard_is_that_of_lw_show(pages: RunPages) -> None:
    for person in cast(pages.run.procedure, pages.run.opened.case):
        rows = shown(pages, HEARD, heard=person.id)["heard"]
        page = pages.answer(f"heard/{person.id}", {})
        assert page is not None
        found = page.model_dump(mode="json")["rows"]
        assert len(found) == len(rows)
        for one, row in zip(found, rows, strict=True):
            assert {key: one[key] for key in row if key in one and key != "lines"} == {
                key: value for key, value in row.items() if key in one and key != "lines"
            }
            assert [(line["speaker"], line["text"]) for line in one["lines"]] == [
                (line["speaker"], line["text"]) for line in row.get("lines", ())
            ]
            assert one["kind"] != "spoke" or pages.run.rows[one["turn"] - 1]["speaker"] == one["speaker"]


def test_memory_is_that_of_lw_show_when_each_stage_begins_and_at_the_end(pages: RunPages) -> None:
    people = {call.person for call in pages.run.calls}
    for person in people:
        last = max(number for number, call in pages.run.calls_by(person))
        page = pages.answer(f"memory/{last}", {})
        assert page is not None
        found = page.model_dump(mode="json")
        changed = shown(pages, MEMORY, memory=person)["writings"]
        before = [one for one in changed if pages.run.turn_of[one["request"]] < last]
        assert [(one["field"], one["how"], one["place"]) for one in found["changes"]] == [
            (one["field"], one["how"], one["place"]) for one in before
        ]
        kept = {one["field"]: one["value"] for one in before}
        for field in found["fields"]:
            value = kept.get(field["name"], "")
            assert (field["text"] or field["records"]) == (
                value if isinstance(value, str) else list(value)
            ) or not value


def test_tools_conduct_citations_and_decisions_are_those_of_lw_show(pages: RunPages) -> None:
    def of(address: str) -> dict[str, Any]:
        page = pages.answer(address, {})
        assert page is not None
        return page.model_dump(mode="json")

    def same(found: list[dict[str, Any]], rows: list[dict[str, Any]]) -> None:
        assert [{key: one[key] for key in row} for one, row in zip(found, rows, strict=True)] == rows

    same(of("tools")["calls"], shown(pages, TOOLS)["calls"])
    same(of("conduct")["violations"], shown(pages, VIOLATIONS)["violations"])
    cited, rows = of("citations"), shown(pages, CITATIONS)
    same(cited.pop("citations"), rows.pop("citations"))
    assert cited == rows
    assert [one["record"] for one in of("decisions")["decisions"]] == shown(pages, DECISION)


def test_checks_are_those_of_lw_show(pages: RunPages) -> None:
    page = pages.answer("checks", {})
    assert page is not None
    found, rows = page.model_dump(mode="json"), shown(pages, CHECKS)
    assert rows and any(row["places"] for row in rows), "checks that rest on places"
    assert len(found["rows"]) == len(rows)
    for one, row in zip(found["rows"], rows, strict=True):
        places, there = row.pop("places"), one.pop("places")
        assert row.pop("source") == "", "one run: where its documents are from is said once"
        assert {name: one[name] for name in row} == {**row, "missing": row["missing"] or ""}
        assert [{name: place[name] for name in kept} for place, kept in zip(there, places, strict=True)] == [
            {name: _empty(value, name) for name, value in place.items()} for place in places
        ]


def _empty(value: object, name: str) -> object:
    """A place as the page has it: 0 where no number is known."""
    return 0 if value is None and name in ("line", "start", "end") else value


def test_scores_are_those_of_lw_show(pages: RunPages) -> None:
    page = pages.answer("scores", {})
    assert page is not None
    found, rows = page.model_dump(mode="json"), shown(pages, SCORES)["evaluations"]
    assert len(found["evaluations"]) == len(rows) == 2, "one by rules, one by a grader"
    for one, row in zip(found["evaluations"], rows, strict=True):
        assert one["grader"] == row["grader"].get("model", "")
        assert row["scores"] and row["figures"]
        for kind in ("scores", "figures"):
            told = [{key: value for key, value in each.items() if key in row[kind][0]} for each in one[kind]]
            assert told == [{**each, "gap": each["gap"] or ""} for each in row[kind]]
        for name in ("rubric", "target", "finished", "given", "passes"):
            assert one[name] == row[name]


def test_what_a_grader_was_asked_stands_under_each_score_it_is_for(pages: RunPages) -> None:
    """Each question that `lw show --scores --prompt` has stands under all that it scores, and under nothing else."""
    told = shown(pages, SCORES, prompt=True)
    questions = 0
    for of, (evaluation, asked) in enumerate(zip(told["evaluations"], told["asked"], strict=True)):
        for n, score in enumerate(evaluation["scores"]):
            page = pages.answer(f"asked/{of}.{n}", {})
            assert page is not None
            wanted = [one for one in asked if score["item"] in one["items"] and score["key"] in one["units"]]
            found = page.model_dump(mode="json")["questions"]
            questions += len(found)
            assert [(one["question"], one["repeat"], one["reply"]) for one in found] == [
                (one["question"], one["repeat"], one["reply"]) for one in wanted
            ]
            assert [[(part["role"], part["content"]) for part in one["messages"]] for one in found] == [
                [tuple(part) for part in one["messages"]] for one in wanted
            ]
    assert questions >= 2
    last = len(told["evaluations"]) - 1
    beyond = (f"{last + 1}.0", f"{last}.{len(told['evaluations'][last]['scores'])}")
    for place in (*beyond, "", ".", "0", "0.", "0.0.0", "-1.0", "0.-1", "a.b", "９.0", "0." + "0" * 20):
        assert pages.answer(f"asked/{place}", {}) is None, place


def test_turns_are_those_of_the_list_and_calls_those_of_lw_show(pages: RunPages) -> None:
    head, row = pages.head, read_row(pages.run.opened.folder.path, pages.run.id)
    grown = standing(pages.run.id, pages)
    assert head.turns == grown.turns == row.turns
    assert head.calls == grown.calls == len(shown(pages, TURNS)["turns"]) > head.turns
    assert row.ending == head.ending != row.outcome, "the list names an ending as the page of the run does"
