"""A record that the procedure of a binding cannot play is refused with the binding's own reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playing import ROOT

from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.binding.refusals import read_refusals
from legalworld.language.yaml.nodes import MapNode
from legalworld.language.yaml.reader import read
from legalworld.model.diagnostics import Diagnostic
from legalworld.runs.case_file import OpenedCase
from legalworld.wording.diagnostics import message

TEXT = "甲市乙区人民检察院起诉书指控被告人林某犯盗窃罪，于2024年1月提起公诉。公诉机关指控，被告人林某窃得电缆一卷。"
BINDINGS = {"lecardv2-query": "query", "lecardv2-candidate": "qw"}


def problems_of(folder: Path, binding: str, text: str) -> list[Diagnostic]:
    record = {"id": "1", "pid": "1", "query": text, "qw": text, "fact": "窃得电缆一卷。", "reason": "a", "result": "b"}
    (folder / "1.json").write_text(json.dumps(record, ensure_ascii=False), "utf-8")
    opened = opened_for(binding, ROOT)
    assert isinstance(opened, OpenBinding)
    [one] = cases_in(opened.project, (str(folder),), binding, ROOT)
    problems = one.matter.problems if isinstance(one.matter, OpenedCase) else one.matter
    return [problem for problem in problems if problem.severity == "error"]


def told(folder: Path, binding: str, text: str) -> list[str]:
    return [problem.code for problem in problems_of(folder, binding, text)]


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("word", ["上诉人", "原审被告人", "抗诉机关", "二审", "终审裁定"])
@pytest.mark.parametrize("place", ["{word}林某不服。{text}", "{text}{word}"])
def test_a_decision_on_appeal_is_refused_with_the_reason_alone(
    tmp_path: Path, binding: str, word: str, place: str
) -> None:
    assert told(tmp_path, binding, TEXT) == []
    assert told(tmp_path, binding, place.format(word=word, text=TEXT)) == ["LW643"]


@pytest.mark.parametrize("binding", BINDINGS)
def test_the_reason_is_said_in_the_language_of_the_reader(tmp_path: Path, binding: str) -> None:
    [problem] = problems_of(tmp_path, binding, f"上诉人林某不服。{TEXT}")
    reasons = problem.values["because"]
    assert isinstance(reasons, dict)
    assert reasons["zh"] in message(problem, "zh") and reasons["en"] not in message(problem, "zh")
    assert reasons["en"] in message(problem, "en") and reasons["zh"] not in message(problem, "en")


@pytest.mark.parametrize(
    ("because", "taken"),
    [
        ("第二审的", True),
        ("{zh: 第二审的, en: on appeal}", True),
        ("{en: on appeal}", True),
        ("{}", False),
        ('""', False),
        ("{zh: [第二审的]}", False),
        ('{zh: ""}', False),
        ("[第二审的]", False),
    ],
)
def test_a_reason_is_a_text_or_a_text_by_language(because: str, taken: bool) -> None:
    node, _ = read("a.yaml", f"refuse:\n  - {{path: $.a, has: [上诉], because: {because}}}\n")
    assert isinstance(node, MapNode)
    found, wrong = read_refusals(node.entries[0].value)
    assert bool(found) is taken and bool(wrong) is not taken
