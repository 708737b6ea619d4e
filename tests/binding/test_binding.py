"""Case files and bindings against files: broken ones beside the complete text of what is said about them.

`binding/cases/NAME`: case files, bound to `binding/spec.yaml` as they are. `binding/bindings/NAME.yaml`: bindings, used
on `binding/source.json`. `LW_BLESS=1` rewrites what is expected.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from goldens import compare, in_both_languages, text_of
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from ruamel.yaml import YAML

from legalworld.binding.bind import bind as bind_by
from legalworld.binding.bind import detect
from legalworld.binding.casefile import as_json, from_json, parse_data, sealed_json, unsealed
from legalworld.binding.file import BindingSurface, load_binding
from legalworld.files.project_files import Disk
from legalworld.language.link.linker import link
from legalworld.model.case import MISSING, Case, Record, Sided, Value
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources
from legalworld.runs.totals import written_total
from legalworld.wording import diagnostics

bind = partial(bind_by, total=written_total)

FOLDER = Path(__file__).parent / "cases"
CASES = sorted(path for path in (FOLDER / "cases").iterdir() if not path.name.endswith(".expected.txt"))
BINDINGS = sorted((FOLDER / "bindings").glob("*.yaml"))
NATIVE = ("bargain", "jiedai", "laodong", "wuye")
SAMPLE = "cases/legalworld-sample.json"


@cache
def tiny() -> Procedure:
    found = link(MemorySources({"spec.yaml": text_of(FOLDER / "spec.yaml")}), "spec.yaml").procedure
    assert found is not None
    return found


@cache
def shipped(name: str) -> Procedure:
    found = link(Disk(ROOT), f"specs/{name}.yaml").procedure
    assert found is not None
    return found


@cache
def sample() -> Any:
    data, problems = parse_data(SAMPLE, text_of(ROOT / SAMPLE))
    assert data is not None and not problems
    return data


@cache
def legalworld() -> Any:
    binding, problems = load_binding(Disk(ROOT), "bindings/legalworld.yaml", shipped("civil"))
    assert binding is not None and not problems
    return binding


def native(text: str, name: str = "case.yaml", **set_: str) -> tuple[Case | None, tuple[Diagnostic, ...]]:
    """A case of the tiny procedure, bound as it is."""
    data, problems = parse_data(name, text)
    if data is None:
        return None, problems
    case, more = bind(tiny(), data, record=None, binding=None, settings=set_)
    return case, (*problems, *more)


def bound(fields: str, record: Any) -> tuple[Case | None, tuple[Diagnostic, ...]]:
    """One record taken by a binding with these fields, people apart."""
    people = "  people:\n    left: {path: $.p, each: {name: $}}\n    right: {path: $.p, each: {name: $}}\n"
    head = "lw: 1\nbinding: demo\nprocedure: tiny\nmissing: [无]\nshapes: {court: any}\nfields:\n"
    lines = "".join(f"  {line}\n" for line in fields.splitlines())
    binding, problems = load_binding(MemorySources({"b.yaml": head + people + lines}), "b.yaml", tiny())
    assert binding is not None, in_both_languages(problems, {"b.yaml": head + people + lines}.get)
    return bind(tiny(), {"p": "某人", **record}, record=None, binding=binding, settings={})


def value(fields: str, record: Any, name: str = "") -> Value | Sided:
    """The first field of those lines (or the one named) in one record."""
    case, problems = bound(fields, record)
    assert case is not None, in_both_languages(problems, {}.get)
    name = name or fields.partition(":")[0]
    found = {**case.fields, **case.sealed}[name]
    return found.values["left"] if isinstance(found, Sided) else found


def plain(found: Any) -> Any:
    """A value with its records as dicts, what is missing left out."""
    if isinstance(found, Record):
        return {key: plain(one) for key, one in found.items() if one != MISSING}
    return [plain(one) for one in found] if isinstance(found, tuple) else found


def read_back(case: Case, procedure: Procedure) -> Case:
    """The case, written and read."""
    return unsealed(from_json(as_json(case), procedure), sealed_json(case), procedure)


# ---- goldens ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_case_file(path: Path) -> None:
    _, problems = native(text_of(path), path.name)
    texts = {path.name: text_of(path), "spec.yaml": text_of(FOLDER / "spec.yaml")}
    compare(path.with_name(f"{path.name}.expected.txt"), in_both_languages(problems, texts.get))


@pytest.mark.parametrize("path", BINDINGS, ids=lambda path: path.stem)
def test_binding_file(path: Path) -> None:
    texts = {name: text_of(FOLDER / name) for name in ("spec.yaml", "source.json")} | {path.name: text_of(path)}
    binding, problems = load_binding(MemorySources(texts), path.name, tiny())
    if binding is not None:
        data, _ = parse_data("source.json", texts["source.json"])
        problems += bind(tiny(), data, record=1, binding=binding, settings={})[1]
    compare(path.with_suffix(".expected.txt"), in_both_languages(problems, texts.get))


SETTINGS = {
    "unknown_field": {"appelants": "甲"},
    "evaluation_only": {"real": "胜诉"},
    "no_side": {"facts": "借款"},
    "unknown_side": {"facts.leftt": "借款"},
    "no_key": {"matter": "借款"},
    "unknown_key": {"goal.left.setle": "是"},
    "list_of_records": {"people.left": "甲"},
    "below_a_text": {"court.name": "甲"},
}


def test_settings_that_name_nothing() -> None:
    blocks = []
    for name, given_ in SETTINGS.items():
        case, problems = native(text_of(FOLDER / "cases" / "one_instead_of_a_list.yaml"), **given_)
        assert case is None
        errors = tuple(problem for problem in problems if problem.severity == "error")
        blocks.append(f"{name}: {given_}\n{in_both_languages(errors, {}.get)}")
    compare(FOLDER / "settings.expected.txt", "\n".join(blocks))


def test_a_record_that_is_not_there() -> None:
    case, problems = bind(shipped("civil"), sample(), record=9, binding=legalworld(), settings={})
    assert case is None
    compare(FOLDER / "record_9.expected.txt", in_both_languages(problems, {}.get))
    for number in (0, -1, 6):
        assert bind(shipped("civil"), sample(), record=number, binding=legalworld(), settings={})[0] is None


def own_codes() -> list[str]:
    return [code for code in sorted(diagnostics.catalogue()) if "LW120" <= code < "LW140"]


def test_every_code_is_shown() -> None:
    shown = "".join(map(text_of, FOLDER.rglob("*.expected.txt")))
    assert [code for code in own_codes() if code not in shown] == []


@pytest.mark.parametrize("code", own_codes())
def test_example_of_the_catalogue_shows_its_code(code: str) -> None:
    example = diagnostics.catalogue()[code].get("example")
    if example is None:
        return
    if "binding:" in example:
        _, problems = load_binding(MemorySources({"b.yaml": example}), "b.yaml", shipped("civil"))
    else:
        data, problems = parse_data("example.yaml", example)
        problems += bind(shipped("civil"), data, record=None, binding=None, settings={})[1]
    assert code in {problem.code for problem in problems}


# ---- dates -----------------------------------------------------------------------------------------------------------
DATED = """lw: 1
procedure: dated
case:
  docket: {title: 立案信息, path: $.first.docket, keys: [filed, heard]}
  appeal: {path: $.appeal}
kinds: {J: judge}
roles: {judge: {title: 审判长, kind: judge}}
dates:
  filed:  {title: 起诉日, from: docket.filed}
  again:  {from: docket.filed}
  heard:  {title: 开庭日, from: docket.heard, is: 5 days after filed}
  appeal_day: {from: appeal}
stages:
  - stage: trial
    steps:
      - judge announces: 开庭
        when: filed is before heard and again is before appeal_day
"""
DAYS = """lw: 1
case: days
first:
  docket:
    filed: 2023-02-30
    heard: 2024年5月
appeal: 不上诉
"""


def test_days_that_a_case_gives_must_be_in_the_calendar() -> None:
    procedure = link(MemorySources({"dated.yaml": DATED}), "dated.yaml").procedure
    assert procedure is not None

    def problems(text: str, **settings: str) -> tuple[Diagnostic, ...]:
        data, _ = parse_data("days.yaml", text)
        case, found = bind(procedure, data, record=None, binding=None, settings=settings)
        assert (case is None) == bool(found)
        return found

    compare(FOLDER / "dates.expected.txt", in_both_languages(problems(DAYS), {"days.yaml": DAYS}.get))
    assert problems("lw: 1\nfirst: {docket: {filed: 2024-02-29, heard: 6 May 2024}}\nappeal:\n") == ()
    (problem,) = problems("lw: 1\nfirst: {docket: {filed: 2024-02-29}}\n", **{"docket.filed": "2023-02-29"})
    assert problem.code == "LW490"


# ---- native cases ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NATIVE)
def test_shipped_case(name: str) -> None:
    procedure = shipped("bargain" if name == "bargain" else "civil")
    data, _ = parse_data(f"cases/{name}.yaml", text_of(ROOT / "cases" / f"{name}.yaml"))
    case, problems = bind(procedure, data, record=None, binding=None, settings={})
    assert case is not None and problems == ()
    assert case.id == name and case.title != name
    assert set(case.fields) | set(case.sealed) == set(procedure.fields)
    assert read_back(case, procedure) == case


def test_one_thing_counts_as_a_list_of_one() -> None:
    case, problems = native(text_of(FOLDER / "cases" / "one_instead_of_a_list.yaml"))
    assert case is not None and problems == ()
    fields = case.fields
    assert plain(fields["people"].values["left"]) == [{"name": "林启川"}]  # type: ignore[union-attr]
    assert plain(fields["claims"]) == [{"text": "返还借款"}]
    assert fields["articles"] == ("民法典第六百七十五条",)
    assert fields["questions"] == Sided({"left": ("能不能起诉",), "right": MISSING})
    assert case.sealed["answers"] == Sided({"left": ("可以",), "right": MISSING})


def test_an_empty_list_is_not_a_missing_one() -> None:
    case, _ = native(text_of(FOLDER / "cases" / "one_instead_of_a_list.yaml"))
    assert case is not None
    assert case.fields["appellants"] == ()
    assert case.fields["court"] is MISSING
    again = from_json(as_json(case), tiny())
    assert again.fields == case.fields
    assert again.sealed == {}


def test_declared_keys_keep_their_order() -> None:
    case, _ = native("lw: 1\npeople: {left: {level: {b: 2, a: 1}, name: 甲}, right: {name: 乙}}\n")
    assert case is not None
    for one in (case, read_back(case, tiny())):
        (person,) = one.fields["people"].values["left"]  # type: ignore[union-attr]
        assert tuple(person) == ("name", "age", "level")
        assert person["age"] is MISSING
        assert tuple(person["level"].items()) == (("b", "2"), ("a", "1"))


@pytest.mark.parametrize("written", ["", '""', "null", "~", "[]", "{}", "[null]"])
def test_missing_is_missing(written: str) -> None:
    case, _ = native(f"lw: 1\npeople: {{left: {{name: 甲}}, right: {{name: 乙}}}}\nmatter: {written or '{}'}\n")
    assert case is not None or written.startswith("[")
    case, _ = native(f"lw: 1\npeople: {{left: {{name: 甲, age: {written or '~'}}}, right: {{name: 乙}}}}\n")
    assert case is not None
    (person,) = case.fields["people"].values["left"]  # type: ignore[union-attr]
    assert not person["age"]


def test_numbers_and_truths_of_json_are_text_as_written() -> None:
    people = '"people": {"left": {"name": "甲", "age": 1.10, "level": true}, "right": {"name": 007.5e3}}'
    case, problems = native('{"lw": 1, "case": 20, ' + people.replace("007", "7") + "}", "case.json")
    assert case is not None and problems == ()
    assert case.id == "20"
    (person,) = case.fields["people"].values["left"]  # type: ignore[union-attr]
    assert (person["age"], person["level"]) == ("1.10", "true")


def test_json_lines_under_either_name() -> None:
    lines = "".join(
        json.dumps({"lw": "1", "case": name, "people": {"left": {"name": "甲"}, "right": {"name": "乙"}}}) + "\n"
        for name in "ab"
    )
    for name in ("cases.jsonl", "cases.json"):
        data, problems = parse_data(name, "\ufeff" + lines)
        assert data is not None and problems == ()
        case, _ = bind(tiny(), data, record=2, binding=None, settings={})
        assert case is not None and case.id == "b"


def test_a_case_without_a_name_is_called_like_its_file() -> None:
    people = {"left": {"name": "甲"}, "right": {"name": "乙"}}
    for content, record, name in (
        ({"lw": "1", "people": people}, None, "set"),
        ([{"lw": "1", "people": people}] * 3, 2, "set-2"),
        ([{"lw": "1", "people": people}] * 3, None, "set-1"),
    ):
        data, _ = parse_data("cases/set.json", json.dumps(content))
        case, _ = bind(tiny(), data, record=record, binding=None, settings={})
        assert case is not None and (case.id, case.title) == (name, name)


def test_what_no_terminal_should_see_is_replaced() -> None:
    case, _ = native(
        json.dumps({"lw": "1", "people": {"left": {"name": "a\x1b[31m\r\nb\ud800c"}, "right": {"name": " 乙 "}}}),
        "case.json",
    )
    assert case is not None
    names = [case.fields["people"].values[side][0]["name"] for side in ("left", "right")]  # type: ignore[union-attr]
    assert names == ["a\ufffd[31m\nb\ufffdc", "乙"]
    as_json(case).encode()


def changed(old: str, new: str) -> Procedure:
    """The tiny procedure with one line of its spec changed; never checked."""
    text = text_of(FOLDER / "spec.yaml")
    assert old in text
    procedure = link(MemorySources({"spec.yaml": text.replace(old, new)}), "spec.yaml").procedure
    assert procedure is not None
    return procedure


@pytest.mark.parametrize("path", ["$.real.court", "$.real", "$..court", "$"])
def test_a_seen_field_is_never_taken_from_where_an_outcome_stands(path: str) -> None:
    record = {"lw": "1", "people": {"left": {"name": "甲"}, "right": {"name": "乙"}}, "real": {"court": "胜诉"}}
    case, problems = bind(changed("$.appeal.court", path), record, record=None, binding=None, settings={})
    assert case is None
    assert {problem.code for problem in problems} & {"LW138", "LW128"}
    assert "胜诉" not in in_both_languages(problems, {}.get)


def test_a_declared_path_that_cannot_be_read() -> None:
    record = {"lw": "1", "people": {"left": {"name": "甲"}, "right": {"name": "乙"}}}
    case, problems = bind(changed("$.appeal.court", "$.appeal."), record, record=None, binding=None, settings={})
    assert case is None
    assert [(problem.code, problem.span.file) for problem in problems] == [("LW136", "spec.yaml")]


# ---- --set -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "text", "name", "expected"),
    [
        ("appellants", "林启川，郑若虹", "appellants", ["林启川", "郑若虹"]),
        ("appellants", "林启川、郑若虹,苏晚晴", "appellants", ["林启川", "郑若虹", "苏晚晴"]),
        ("appellants", "", "appellants", []),
        ("articles", "撤销原判，改判驳回；负担诉讼费", "articles", ["撤销原判，改判驳回", "负担诉讼费"]),
        ("articles", "撤销原判，改判驳回\n负担诉讼费", "articles", ["撤销原判，改判驳回", "负担诉讼费"]),
        ("court", " 江澜市中级人民法院 ", "court", "江澜市中级人民法院"),
        ("court", "", "court", MISSING),
        ("facts.left", "借款未还", "facts", "借款未还"),
        ("goal.left.settle", "是", "goal", {"settle": "是"}),
        ("matter.court", "江澜市青塘区人民法院", "matter", {"court": "江澜市青塘区人民法院"}),
        ("questions.left", "能起诉吗？", "questions", ["能起诉吗？"]),
    ],
)
def test_set(words: str, text: str, name: str, expected: Any) -> None:
    case, problems = native(text_of(FOLDER / "cases" / "one_instead_of_a_list.yaml"), **{words: text})
    assert case is not None and problems == ()
    found = case.fields[name]
    assert plain(found.values["left"] if isinstance(found, Sided) else found) == expected


def test_set_keeps_the_other_keys_and_the_other_side() -> None:
    text = (
        "lw: 1\npeople: {left: {name: 甲}, right: {name: 乙}}\ngoal: {left: {aim: 赢, settle: 否}, right: {aim: 拖}}\n"
    )
    case, _ = native(text, **{"goal.left.settle": "是"})
    assert case is not None
    goal = case.fields["goal"]
    assert isinstance(goal, Sided)
    assert {side: plain(one) for side, one in goal.values.items()} == {
        "left": {"aim": "赢", "settle": "是"},
        "right": {"aim": "拖"},
    }


# ---- the operators ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "record", "expected"),
    [
        ("court: $.a.b", {"a": {"b": " x "}}, "x"),
        ("court: $.a.b", {"a": {"b": "无"}}, MISSING),
        ("court: $.a[*].b", {"a": [{"b": "x"}, {"b": "无"}, {"b": "y"}]}, "x\ny"),
        ("court: $.a[*].b", {"a": {"b": "x"}}, "x"),
        ("court: $.a", {"a": ["x", "y"]}, "x\ny"),
        ("court: {first of: [$.a, $.b, $.c]}", {"a": "无", "b": "x", "c": "y"}, "x"),
        ("court: {first of: [$.a, {path: $.b, map: {x: 甲}}]}", {"b": "x"}, "甲"),
        ("articles: {path: '$.条文{n}', numbered: 1-3}", {"条文1": "x", "条文2": "无", "条文3": "y"}, ["x", "y"]),
        ("articles: {path: $.a, split: 、}", {"a": "x、 y、、无"}, ["x", "y"]),
        ('articles: {path: $.a, split: [；, "\\n"]}', {"a": "x；y\nz"}, ["x", "y", "z"]),
        ("articles: {path: $.a, split: 、}", {"a": ["x、y", "z"]}, ["x", "y", "z"]),
        ("court: {path: $.a, match: '法院：{}，'}", {"a": "案号：1，法院：青塘，原告：甲"}, "青塘"),
        ("court: {path: $.a, match: '法院：{}，'}", {"a": "没有写"}, MISSING),
        ("court: {path: $.a, match: ['甲{}', '乙{}']}", {"a": "乙方"}, "方"),
        ("matter: {path: $.a, match: '（{number}）{court}：'}", {"a": "（8号）青塘：x"},
         {"number": "8号", "court": "青塘"}),
        ("court: {path: $.a, match: '（{_}）{court}'}", {"a": "（8号）青塘"}, "青塘"),
        ("appellants: {path: $.a, map: {双方: [原告, 被告]}}", {"a": "双方"}, ["原告", "被告"]),
        ("appellants: {path: $.a, map: {双方: [原告, 被告]}}", {"a": "原告"}, ["原告"]),
        ("appellants: {path: $.a, map: {没有: ''}}", {"a": "没有"}, MISSING),
        ("court: {path: $.a, map: {甲: $.b, 乙: $.c}}", {"a": "乙", "b": "x", "c": "y"}, "y"),
        ("court: {path: $.a, map: {甲: $.b, 乙: $.c}}", {"a": "丙", "b": "x", "c": "y"}, MISSING),
        ("court: {path: $.a, map: {true: 是}}", {"a": True}, "是"),
        ("claims: {path: $.a, each: {n: '第{n}项', text: $}}", {"a": ["x", None, "y"]},
         [{"n": "第1项", "text": "x"}, {"n": "第2项", "text": "y"}]),
        ("claims: {path: $.a.*, each: {text: $.b}}", {"a": {"i": {"b": "x"}, "j": {"c": "y"}}}, [{"text": "x"}]),
        ("claims: {path: '$.a{n}', numbered: 2-5, each: {n: '{n}', text: $}}", {"a2": "x", "a5": "y"},
         [{"n": "2", "text": "x"}, {"n": "5", "text": "y"}]),
        ("claims: {path: $.a, split: ；, each: {n: {path: $, match: '{}．'}, text: {path: $, match: '．{}'}}}",
         {"a": "1．返还；2．赔偿；"}, [{"n": "1", "text": "返还"}, {"n": "2", "text": "赔偿"}]),
        ("claims: {path: $.a, split: ；, match: '{n}．{text}'}", {"a": "1．返还；2．赔偿；"},
         [{"n": "1", "text": "返还"}, {"n": "2", "text": "赔偿"}]),
        ("claims: $.a", {"a": [{"text": "x", "judged": "支持"}]}, [{"text": "x"}]),
        ("facts: '$.{side}.f'", {"left": {"f": "x"}}, "x"),
        ("facts: {path: '$.{side}', map: {甲: '$.{side}2'}}", {"left": "甲", "left2": "y"}, "y"),
        ("facts: {left: $.f}", {"f": "x"}, "x"),
        ("goal: {left: {aim: $.f, settle: {first of: [$.g, $.h]}}}", {"f": "x", "h": "否"},
         {"aim": "x", "settle": "否"}),
        ("real: {one: $.r.x, two: {three: $.r.y, four: $.r.z}}", {"r": {"x": "1", "y": ["a", "无"]}},
         {"one": "1", "two": {"three": ["a"]}}),
        ("real: {x: '$.a[*]', y: {path: '$.b{n}', numbered: 1-3}, z: $.c}", {"a": ["p"], "b2": "q", "c": "r"},
         {"x": ["p"], "y": ["q"], "z": "r"}),
        ("real: $.r", {"r": {"x": ["1", {"y": "无"}], "z": ""}}, {"x": ["1"]}),
        ("articles: {path: $.a, match: '第{}条'}", {"a": ["第一条", "二", "第三条"]}, ["一", "三"]),
    ],
)  # fmt: skip
def test_rule(rule: str, record: Any, expected: Any) -> None:
    assert plain(value(rule, record)) == expected


@pytest.mark.parametrize("case", YAML(typ="safe").load(text_of(FOLDER / "words.yaml")), ids=lambda case: case["rule"])
def test_words_of_a_rule(case: Any) -> None:
    found = value(case["rule"], case["record"])
    assert (None if found is MISSING else plain(found)) == case["taken"]


def test_a_field_that_is_not_bound_keeps_its_declared_path_and_an_empty_one_is_not_taken() -> None:
    record = {"appeal": {"court": "x"}, "matter": {"court": "y"}}
    assert value("court:", record) is MISSING
    assert value("matter:\n  court: $.matter.court", record, "court") == "x"


def test_names_in_a_path_may_be_chinese_and_need_quotation_marks_only_for_signs() -> None:
    record = {"原告（公诉）": {"诉请 判令": "x"}, "a.b": "y", "it's": "z"}
    assert value("court: \"$.原告（公诉）['诉请 判令']\"", record) == "x"
    assert value("court: \"$['a.b']\"", record) == "y"
    assert value("court: \"$['it\\\\'s']\"", record) == "z"


def test_chinese_spelling_of_a_range() -> None:
    assert value("articles: {path: '$.a{n}', numbered: 1至2}", {"a1": "x", "a2": "y"}) == ("x", "y")


def test_a_long_text_and_a_mean_pattern_take_no_time() -> None:
    text = "甲乙" * 100_000
    assert value("court: {path: $.a, match: '甲{a1}乙{_}甲{_}乙{_}丙'}", {"a": text}) is MISSING


# ---- the LegalWorld format -------------------------------------------------------------------------------------------


def texts(found: Any) -> Iterator[str]:
    """Every text within a value, a field or a whole case."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, Sided):
        yield from texts(dict(found.values))
    elif isinstance(found, Mapping):
        for one in found.values():
            yield from texts(one)
    elif isinstance(found, (tuple, list)):
        for one in found:
            yield from texts(one)


def leaves(data: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(data, dict):
        for key, one in data.items():
            yield from leaves(one, (*where, key))
    elif isinstance(data, list):
        for number, one in enumerate(data):
            yield from leaves(one, (*where, number))
    elif isinstance(data, str):
        yield where, data


OUTCOMES = {"dispute", "court_finding", "court_opinion", "final_judgment", "legal_basis", "reference_answer"}


@pytest.mark.parametrize("number", range(1, 6))
def test_sample_record(number: int) -> None:
    procedure = shipped("civil")
    case, problems = bind(procedure, sample(), record=number, binding=legalworld(), settings={})
    assert case is not None and problems == ()
    assert case.id == f"90000{number}"
    assert read_back(case, procedure) == case
    assert all(case.fields["parties"].values.values())  # type: ignore[union-attr]
    hidden = {text for where, text in leaves(sample().value[number - 1]) if OUTCOMES & set(where) and len(text) > 4}
    told = list(texts(case.fields))
    assert not [text for text in told for secret in hidden if secret in text]
    assert not [text for text in told if text in ("无", "null", "")]
    assert not [secret for secret in hidden if secret in as_json(case)]


LATER = {"appellant_claim", "appellee_defense", "new_evidence"}  # papers that speak of the recorded judgment
RULED = {"court_finding", "court_opinion", "final_judgment", "legal_basis"}


def belongs(where: tuple[Any, ...], start: str) -> tuple[bool, bool]:
    """Whether somebody may see what stands there, and whether it is sealed, in a run that begins at a stage."""
    secret = bool(OUTCOMES & set(where)) or where[-1] == "judgment_date"
    named_again = where[-1] == "name" and "party_info" not in where
    if "judges" in where or where[-1] == "original_id" or named_again:
        return False, False
    if start and "first_instance" in where and secret:
        return bool(RULED & set(where)), False  # the recorded judgment is read; nothing of that stage is compared
    if start and where[-1] == "reference_answer":
        return False, True
    return not secret and (bool(start) or not LATER & set(where)), secret


@pytest.mark.parametrize("start", ["", "appeal"])
@pytest.mark.parametrize("number", range(1, 6))
def test_every_text_of_a_record_goes_where_it_belongs(number: int, start: str) -> None:
    """Each leaf is replaced by a marker: granted fields hold none that is an outcome, and nothing else is lost but the
    later papers of a record whose first instance is played."""
    record = json.loads(json.dumps(sample().value[number - 1]))
    markers = {}
    for where, text in leaves(record):
        if where[-1] != "appellant" and text not in ("无", ""):
            markers[where] = f"marker-{len(markers)}-"
            place = record
            for key in where[:-1]:
                place = place[key]
            place[where[-1]] = markers[where]
    begun = legalworld().begun(tuple(stage.id for stage in shipped("civil").stages), start)
    case, problems = bind(shipped("civil"), record, record=None, binding=begun, settings={})
    told = {problem.code for problem in problems}  # a marker is of no shape, no date, no kind
    assert case is not None and told <= {"LW756", "LW763", "LW800"}
    told, hidden = "\n".join(texts(case.fields)), "\n".join(texts(case.sealed))
    for where, marker in markers.items():
        assert (marker in told, marker in hidden) == belongs(where, start), where


def test_the_sample_is_detected_and_a_native_case_is_not() -> None:
    assert detect([legalworld()], sample()) == (legalworld(),)
    for name in NATIVE:
        data, _ = parse_data(f"cases/{name}.yaml", text_of(ROOT / "cases" / f"{name}.yaml"))
        assert detect([legalworld()], data) == ()
    assert detect([legalworld()], [{"original_id": 1}]) == ()
    assert detect([legalworld()], []) == ()


def test_a_single_record_needs_no_list() -> None:
    case, problems = bind(shipped("civil"), sample().value[2], record=None, binding=legalworld(), settings={})
    assert case is not None and problems == ()
    assert case.id == "900003"


def test_both_appeal_each_with_his_own_requests() -> None:
    begun = legalworld().begun(tuple(stage.id for stage in shipped("civil").stages), "appeal")
    case, _ = bind(shipped("civil"), sample(), record=4, binding=begun, settings={})
    assert case is not None
    assert case.fields["appellants"] == ("原告", "被告")
    requests = case.fields["appeal_requests"]
    assert isinstance(requests, Sided)
    assert "64000" in str(requests.values["plaintiff"]) and "驳回祁漫川" in str(requests.values["defendant"])


def test_every_binding_key_has_a_place_in_the_surface() -> None:
    assert {"fields", "records", "detect", "missing", "called", "id"} <= {
        field.name for field in fields(BindingSurface)
    }


# ---- anything at all -------------------------------------------------------------------------------------------------

KEYS = st.sampled_from(
    [
        *("extracted_info", "party_info", "plaintiff", "defendant", "name", "first_instance", "second_instance"),
        *("appellant", "evidence", "claim", "plaintiff_evidence", "plaintiff_claim", "appellant_claim", "people"),
        *("left", "right", "lw", "matter", "court", "claims", "story", "real", "appeal", "by", "序号", ""),
    ]
)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["原告", "双方"])
)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=30
)


@settings(max_examples=300)
@given(data=ANYTHING, record=st.none() | st.integers(-1, 3))
def test_binding_never_raises(data: Any, record: int | None) -> None:
    for procedure, binding in ((shipped("civil"), legalworld()), (shipped("civil"), None), (tiny(), None)):
        case, problems = bind(procedure, data, record=record, binding=binding, settings={"appellants": "a"})
        diagnostics.render(problems, lambda _: None, "zh")
        assert (case is None) == any(problem.severity == "error" for problem in problems)
        if case is not None:
            assert read_back(case, procedure) == case


@settings(max_examples=200)
@given(text=st.text(max_size=60) | st.sampled_from(['{"a":', "[1,2", "a: [", "\ud800", "- a\n- b", "{}", "\0"]))
def test_parsing_never_raises(text: str) -> None:
    for name in ("a.json", "a.jsonl", "a.yaml", "a"):
        data, problems = parse_data(name, text)
        assert (data is None) <= bool(problems)


PATHS = ["$", "$.a", "$.{side}", "$.a{n}", "$.a[*].b", "$..x", "a", "", "$.", "1-3", "、", "{x}", "{}、{y}"]
FORMS = st.recursive(
    st.sampled_from(PATHS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "first of", "numbered", "split", "match", "map", "each", "left", "right", "name"])
            | st.sampled_from(["n", "text", "court", "aim"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=300)
@given(
    fields=st.dictionaries(
        st.sampled_from([*"xy", *("people", "matter", "claims", "facts", "real")]), FORMS, max_size=4
    ),
    data=ANYTHING,
)
def test_no_binding_makes_it_raise(fields: Any, data: Any) -> None:
    text = json.dumps({"lw": "1", "binding": "b", "procedure": "tiny", "fields": fields}, ensure_ascii=False)
    binding, problems = load_binding(MemorySources({"b.yaml": text}), "b.yaml", tiny())
    assert (binding is None) == any(problem.severity == "error" for problem in problems)
    diagnostics.render(problems, lambda _: text, "zh")
    if binding is not None:
        bind(tiny(), data, record=None, binding=binding, settings={})
