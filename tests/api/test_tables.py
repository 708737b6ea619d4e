"""Tables of runs, row by row against the lines of their journals, which are read here as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import legalworld as lw
from legalworld.api.tables import _library

FORMS = ("turns", "calls", "spending", "decisions", "scores")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> lw.Project:
    """A civil case and a bargain, both scored where there is a rubric; a callable plays one role."""
    project = lw.open_project(tmp_path_factory.mktemp("tables"))
    project.procedure("civil").play(seed=3, out="runs/civil")
    project.procedure("bargain").play(actors={"buyer": lambda request: "六百。"}, out="runs/bargain")
    project.run("runs/civil").evaluate("environment")
    return project


def lines(run: lw.Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run.folder / "journal.jsonl").read_text("utf-8").splitlines()]


def events(run: lw.Run, kind: str) -> list[dict[str, Any]]:
    return [line["event"] for line in lines(run) if line.get("event", {}).get("kind") == kind]


def answers(run: lw.Run) -> dict[str, dict[str, Any]]:
    return {line["answer"]: line["reply"] for line in lines(run) if "answer" in line}


def both(project: lw.Project) -> Iterator[lw.Run]:
    runs = project.runs()
    assert [run.folder.name for run in runs] == ["bargain", "civil"]
    yield from runs


def test_turns_are_the_speeches_of_the_journal(project: lw.Project) -> None:
    for run in both(project):
        roles = {event["id"]: event["role"] for event in events(run, "asked")}
        rows = run.turns().rows
        spoken = events(run, "spoke")
        assert len(rows) == len(spoken) > 5
        for row, event in zip(rows, spoken, strict=True):
            reply = answers(run).get(event["request"], {})
            assert row["turn"] == event["request"] and row["role"] == roles.get(event["request"], "")
            assert all(row[name] == event[name] for name in ("place", "act", "speaker", "text", "to"))
            assert row["prompt_tokens"] == reply.get("prompt_tokens")


def test_calls_are_the_answers_of_the_journal(project: lw.Project) -> None:
    for run in both(project):
        replies = answers(run)
        asked = [event for event in events(run, "asked") if event["id"] in replies]
        rows = run.calls().rows
        assert len(rows) == len(asked) > 5
        for row, event in zip(rows, asked, strict=True):
            assert row["request"] == event["id"] and row["answered"] == replies[event["id"]]["model"]
            assert all(row[name] == event[name] for name in ("place", "act", "role", "speaker"))
            assert row["model"] == run.models[event["role"]]


def test_decisions_are_the_parts_of_the_journal(project: lw.Project) -> None:
    civil = project.run("runs/civil")
    parts, rows = events(civil, "decided"), civil.decisions().rows
    assert len(rows) == len(parts) > 3
    for number, (row, event) in enumerate(zip(rows, parts, strict=True), 1):
        assert row["number"] == number and json.loads(row["filled"]) == event["filled"]
        assert all(row[name] == event.get(name, "") for name in ("place", "decision", "part", "name", "about", "by"))
    assert project.run("runs/bargain").decisions().rows == ()


def test_scores_are_those_beside_the_run(project: lw.Project) -> None:
    civil = project.run("runs/civil")
    (file,) = (civil.folder / "scores").glob("*.json")
    kept = json.loads(file.read_text("utf-8"))
    rows = civil.scores().rows
    figures = [(one["formula"], one["value"]) for one in kept["figures"]]
    items = [(one["item"], one["value"]) for one in kept["scores"]]
    assert [(row["name"], row["value"]) for row in rows] == figures + items and figures and items


def test_only_callables_and_models_are_spending(project: lw.Project) -> None:
    assert project.run("runs/civil").spending().rows == ()
    (row,) = project.run("runs/bargain").spending().rows
    asked = [event for event in events(project.run("runs/bargain"), "asked") if event["role"] == "buyer"]
    assert (row["role"], row["calls"], row["silent"]) == ("buyer", len(asked), len(asked))
    assert row["dollars"] is None, "what a callable costs nobody here knows"


@pytest.mark.parametrize("form", FORMS)
def test_several_runs_are_one_table(form: str, project: lw.Project) -> None:
    runs = project.runs()
    table = getattr(runs, form)()
    assert table.rows == tuple(row for run in runs for row in getattr(run, form)())
    names = [name for name, _ in table.columns]
    assert all(list(row) == names for row in table)


def test_a_damaged_run_is_told_and_the_others_stay(project: lw.Project, tmp_path: Path) -> None:
    other = lw.open_project(tmp_path)
    for name in ("a", "b", "c"):
        other.procedure("bargain").play(out=f"runs/{name}")
    journal = tmp_path / "runs" / "b" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"place"', b'"pla\xffe"', 1))
    table = other.runs().turns()
    assert {row["run"] for row in table} == {
        row["run"] for run in (other.run("runs/a"), other.run("runs/c")) for row in run.turns()
    }
    assert [one.code for one in table.problems] == ["LW140"]
    with pytest.raises(lw.LegalWorldError):
        other.run("runs/b")
    for name in ("a", "c"):
        (tmp_path / "runs" / name / "journal.jsonl").write_bytes(b"nothing\n")
    with pytest.raises(lw.LegalWorldError):
        other.runs().turns()
    assert len(other.runs("elsewhere")) == 0 and other.runs("elsewhere").turns().rows == ()


# ---- frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_pandas_frame_is_the_table(form: str, project: lw.Project) -> None:
    pandas = pytest.importorskip("pandas")
    table = getattr(project.runs(), form)()
    frame = table.to_pandas()
    assert list(frame.columns) == [name for name, _ in table.columns] and len(frame) == len(table)
    for row, found in zip(table, frame.to_dict("records"), strict=True):
        assert {name: None if value is pandas.NA or value != value else value for name, value in found.items()} == row


@pytest.mark.parametrize("form", FORMS)
def test_a_polars_frame_is_the_table(form: str, project: lw.Project) -> None:
    pytest.importorskip("polars")
    table = getattr(project.runs(), form)()
    assert table.to_polars().to_dicts() == list(table.rows)


@pytest.mark.parametrize("form", FORMS)
def test_an_arrow_table_is_the_table(form: str, project: lw.Project) -> None:
    pytest.importorskip("pyarrow")
    table = getattr(project.runs(), form)()
    assert table.to_arrow().to_pylist() == list(table.rows)


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_a_library_that_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(lw.LegalWorldError) as raised:
        _library(name)
    assert f"pip install {name}" in raised.value.render("zh") and f"pip install {name}" in raised.value.render("en")
    assert [one.code for one in raised.value.problems] == ["LW881"]
