"""`lw graph`: what it writes, the ways of runs on it, and what it is told wrongly."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import CliRunner, Result

from legalworld.authoring.graph import graph
from legalworld.authoring.graph_svg import picture
from legalworld.authoring.protocol import protocol
from legalworld.cli.main import lw as program
from legalworld.model import procedure as p
from legalworld.model.events import Entered, Event
from legalworld.runs.coverage import passages
from legalworld.runs.open_run import OpenRun, open_run
from legalworld.wording import sentences


def lw(*words: str) -> Result:
    return CliRunner().invoke(program, words)


def opened(path: Path) -> OpenRun:
    run = open_run(path)
    assert isinstance(run, OpenRun)
    return run


def test_what_is_coloured_is_what_the_runs_came_to(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    assert lw("run", "civil", "--out", str(whole)).exit_code == 0
    assert lw("run", "civil", "--out", str(part), "--until", "FIT/debate").exit_code in (0, 3)
    runs = [opened(path) for path in (whole, part)]
    events, procedure = [run.events for run in runs], runs[0].procedure
    found = passages(procedure, events)
    assert (found.runs, found.elsewhere) == (2, ())
    for place, _ in p.places(procedure):
        if p.EVENT_MARK in place:
            continue
        came = sum(any(entered(event) == place for event in run) for run in events)
        assert found.came.get((place, "reached"), 0) == came, place
    assert found.stands == {[entered(event) for event in events[1] if entered(event)][-1]}
    say = sentences("protocol", "en")
    made = graph(protocol(procedure, "en", say), "phase")
    drawn = picture(made, say, passed=found)
    thick = [one for one in fromstring(drawn.file).iter() if one.get("stroke-width") == "3"]
    assert len(thick) == 1


def entered(event: Event) -> str:
    return event.place.partition("#")[0] if isinstance(event, Entered) else ""


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_each_form_and_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert lw("graph", "civil").exit_code == 0
    assert fromstring((tmp_path / "civil.svg").read_text("utf-8")).tag.endswith("svg")
    assert lw("graph", "civil", "--out", "civil.mmd").exit_code == 0
    assert "flowchart TD" in (tmp_path / "civil.mmd").read_text("utf-8")
    assert lw("graph", "civil", "--format", "dot", "--out", "-").stdout.startswith("digraph")
    found = json.loads(lw("graph", "civil", "--json").stdout)
    assert (found["procedure"], found["depth"], found["errors"]) == ("civil", "phase", 0)
    assert {edge["from"] for edge in found["edges"]} <= {node["id"] for node in found["nodes"]}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("civil", "--at", "nosuch"), "LW186"),
        (("civil", "--at", "FIT/nosuch"), "LW186"),
        (("nosuch",), "LW"),
        (("civil", "--run", "nosuch"), "LW"),
    ],
)
def test_what_is_not_there_is_told(
    words: tuple[str, ...], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = lw("graph", *words)
    assert ended.exit_code == 2 and code in ended.stderr and "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_run_of_another_procedure_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lw("run", "bargain", "--out", "run")
    ended = lw("graph", "civil", "--run", "run")
    assert ended.exit_code == 2 and "LW241" in ended.stderr
