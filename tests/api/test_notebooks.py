"""The notebooks of the documents, executed as a notebook does: cell by cell, in a thread whose event loop runs."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from places import ROOT

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(notebook: Path) -> list[CodeType]:
    """The code of each cell, in which `await` may stand outside of functions."""
    read = json.loads(notebook.read_text("utf-8"))
    code = ["".join(cell["source"]) for cell in read["cells"] if cell["cell_type"] == "code"]
    return [
        compile(text, f"{notebook.name}[{n}]", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT) for n, text in enumerate(code)
    ]


async def executed(notebook: Path) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    for code in cells(notebook):
        done = eval(code, names)
        if inspect.iscoroutine(done):
            await done
    return names


def run_notebook(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    return asyncio.run(executed(FOLDER / name))


def recorded(folder: Path, kind: str) -> list[dict[str, Any]]:
    """The events of a kind in the journals of some runs, in the order of the runs."""
    lines = (
        line for file in sorted(folder.glob("seed-*/journal.jsonl")) for line in file.read_text("utf-8").splitlines()
    )
    events = (json.loads(line).get("event", {}) for line in lines)
    return [event for event in events if event.get("kind") == kind]


def test_there_are_two_and_nothing_is_kept_in_them() -> None:
    assert [file.stem for file in NOTEBOOKS] == ["expert", "researcher"]
    for file in NOTEBOOKS:
        code = [cell for cell in json.loads(file.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_the_expert_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run_notebook("expert.ipynb", tmp_path, monkeypatch)
    assert names["problems"] == () and names["run"].status == names["other"].status == "ended"
    assert {row["text"] for row in names["mine"].turns() if row["role"] == "buyer"} >= {"六百，多一分也没有。"}
    assert names["mine"].models["buyer"] == "python:buyer"


def test_the_researcher_s_and_its_tables_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run_notebook("researcher.ipynb", tmp_path, monkeypatch)
    tables, runs = names["tables"], tmp_path / "runs"
    spoken, decided, asked = (recorded(runs, kind) for kind in ("spoke", "decided", "asked"))
    assert [(row["place"], row["speaker"], row["text"]) for row in tables["turns"]] == [
        (event["place"], event["speaker"], event["text"]) for event in spoken
    ]
    assert [row["request"] for row in tables["calls"]] == [event["id"] for event in asked]
    assert [(row["name"], json.loads(row["filled"])) for row in tables["decisions"]] == [
        (event["name"], event["filled"]) for event in decided
    ]
    kept = [json.loads(file.read_text("utf-8")) for file in sorted(runs.glob("seed-*/scores/*.json"))]
    values = [one["value"] for each in kept for one in (*each["figures"], *each["scores"])]
    assert [row["value"] for row in tables["scores"]] == values and len(kept) == 2
    assert len(spoken) > 50 and len(decided) > 5
    if names["frame"] is not None:
        assert [None if value != value else value for value in names["frame"]["value"]] == values
    assert names["resumed"].status == "ended" and names["resumed"].models["buyer"].endswith("offline")
