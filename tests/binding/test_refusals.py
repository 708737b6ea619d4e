"""A record that the procedure of a binding cannot play is refused with the binding's own reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playing import ROOT

from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.binding.paths import Match
from legalworld.binding.refusals import read_notes, told_of_record
from legalworld.language.yaml.nodes import MapNode
from legalworld.language.yaml.reader import read
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
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
    found, wrong = read_notes(node.entries[0].value, words=True)
    assert bool(found) is taken and bool(wrong) is not taken


def told_at(note: str, record: object) -> list[str]:
    """What a record is told to hold beside what is taken."""
    node, _ = read("a.yaml", f"tell:\n  - {note}\n")
    assert isinstance(node, MapNode)
    notes, wrong = read_notes(node.entries[0].value, words=False)
    assert not wrong
    found = told_of_record(notes, Match((), record), Span("a.json", 1, 1), {"无"})
    return [str(one.values["text"]) for one in found]


@pytest.mark.parametrize(
    ("note", "record", "told"),
    [
        ("{path: $.a, because: b}", {"a": "急躁"}, ["急躁"]),
        ("{path: $.a, because: b}", {"a": {"tone": "急躁"}}, ['{"tone": "急躁"}']),
        ("{path: $.a, because: b}", {"a": ["急躁", "多疑"]}, ['["急躁", "多疑"]']),
        ("{path: $..a, because: b}", {"b": [{"c": {"a": "急躁"}}]}, ["急躁"]),
        ("{path: $.a, because: b}", {"a": ""}, []),
        ("{path: $.a, because: b}", {"a": " 无 "}, []),
        ("{path: $.a, because: b}", {"a": []}, []),
        ("{path: $.a, because: b}", {"a": None, "b": "急躁"}, []),
        ('{path: $.a, has: ["撤回{_}请求"], because: b}', {"a": "原告撤回第2项请求。"}, ["撤回第2项请求"]),
        ('{path: $.a, has: ["撤回{_}请求"], because: b}', {"a": "原告撤回申请。请求判令"}, []),
        ('{path: $.a, has: ["撤回（{_}）"], because: b}', {"a": "撤回(部分)"}, ["撤回(部分)"]),
        ("{path: $.a, has: [变更, 撤回], because: b}", {"a": "撤回后又变更"}, ["变更"]),
    ],
)
def test_what_no_field_takes_is_told_as_it_stands(note: str, record: object, told: list[str]) -> None:
    assert told_at(note, record) == told


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize(
    "note", ["{path: $.a}", "{because: b}", "{path: $.a, has: [], because: b, of: c}", "$.a", "[]"]
)
def test_a_note_that_says_too_little_is_none(note: str, words: bool) -> None:
    node, _ = read("a.yaml", f"tell:\n  - {note}\n")
    assert isinstance(node, MapNode)
    found, wrong = read_notes(node.entries[0].value, words=words)
    assert not found and [one.code for one in wrong] == ["LW644"]


@pytest.mark.parametrize(
    ("binding", "where"),
    [
        ("legalworld", ("extracted_info", "party_info", "plaintiff")),
        ("legalworld", ("extracted_info", "party_info", "defendant")),
        ("j1-civil", ("specific_characters", "plaintiff")),
    ],
)
@pytest.mark.parametrize("key", ["personality", "speaking_style", "interaction_guidelines"])
def test_how_somebody_behaves_in_words_is_told(tmp_path: Path, binding: str, where: tuple[str, ...], key: str) -> None:
    [file] = (ROOT / "tests" / "binding" / "cases" / "foreign").glob(f"{binding}.json*")
    record = json.loads(file.read_text("utf-8").splitlines()[0]) if file.suffix == ".jsonl" else None
    record = record or json.loads(file.read_text("utf-8"))[0]
    party = record
    for step in where:
        party = party[step]
    for one in party if isinstance(party, list) else [party]:
        one[key] = "急躁，爱打断人"
    (tmp_path / "1.json").write_text(json.dumps([record], ensure_ascii=False), "utf-8")
    opened = opened_for(binding, ROOT)
    assert isinstance(opened, OpenBinding)
    [case] = cases_in(opened.project, (str(tmp_path),), binding, ROOT)
    assert isinstance(case.matter, OpenedCase), case.matter
    told = [one for one in case.matter.problems if one.code == "LW245"]
    assert [one.values["text"] for one in told] == ["急躁，爱打断人"]
    assert str(told[0].values["field"]).endswith(key)
