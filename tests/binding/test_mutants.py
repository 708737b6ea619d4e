"""Records near those that a binding was written for: each ends in the right value, in a warning, or is refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT

from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.batch.warned import WarningCounts
from legalworld.binding.casefile import as_json, sealed_json
from legalworld.binding.idle import paths_of
from legalworld.binding.paths import Keys
from legalworld.runs.case_file import OpenedCase

FOREIGN = ROOT / "tests" / "binding" / "cases" / "foreign"
BINDINGS = sorted(path.stem for path in FOREIGN.glob("*.json*"))
Mutant = Callable[[random.Random, dict[str, Any]], str]


@cache
def opened(binding: str) -> OpenBinding:
    found = opened_for(binding, ROOT)
    assert isinstance(found, OpenBinding)
    return found


@cache
def original(binding: str) -> list[dict[str, Any]]:
    [file] = FOREIGN.glob(f"{binding}.json*")
    text = file.read_text("utf-8")
    data = [json.loads(line) for line in text.splitlines()] if file.suffix == ".jsonl" else json.loads(text)
    return data if isinstance(data, list) else [data]


def read(folder: Path, binding: str, records: list[dict[str, Any]]) -> tuple[list[Any], set[str]]:
    """For each record what somebody may see and what is sealed, or None; and the codes of all that was told."""
    for number, record in enumerate(records):
        (folder / f"{number}.json").write_text(json.dumps(record, ensure_ascii=False), "utf-8")
    counts, found, codes = WarningCounts(), list[Any](), set[str]()
    for one in cases_in(opened(binding).project, (str(folder),), binding, ROOT):
        if isinstance(one.matter, OpenedCase):
            counts.add(one.where, one.notes)
            case = one.matter.case
            found.append((json.loads(as_json(case))["fields"], json.loads(sealed_json(case))["sealed"]))
            codes |= {problem.code for problem in one.matter.problems}
        else:
            found.append(None)
            codes |= {problem.code for problem in one.matter}
    idle = counts.idle()
    return found, codes | {one.code for one in idle} | {f"{one.code} {one.values['name']}" for one in idle}


def strings(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(value, str):
        yield keys, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from strings(one, (*keys, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from strings(one, (*keys, number))


def put(record: Any, keys: tuple[Any, ...], value: Any) -> None:
    for key in keys[:-1]:
        record = record[key]
    record[keys[-1]] = value


def somewhere(draw: random.Random, record: dict[str, Any]) -> tuple[tuple[Any, ...], str]:
    return draw.choice([one for one in strings(record) if len(one[1]) > 1])


def renamed(draw: random.Random, record: dict[str, Any]) -> str:
    key = draw.choice([key for key, value in record.items() if value not in ("", "无", None)])
    record[f"{key}_2"] = record.pop(key)
    return key


def listed(draw: random.Random, record: dict[str, Any]) -> str:
    keys, text = somewhere(draw, record)
    put(record, keys, [text])
    return "/".join(map(str, keys))


def in_a_table(draw: random.Random, record: dict[str, Any]) -> str:
    keys, text = somewhere(draw, record)
    put(record, keys, {"值": text})
    return "/".join(map(str, keys))


def narrow(draw: random.Random, record: dict[str, Any]) -> str:
    table = str.maketrans("（）：", "():")
    for keys, text in list(strings(record)):
        put(record, keys, text.translate(table))
    return "()"


def bracketed(draw: random.Random, record: dict[str, Any]) -> str:
    """A remark in brackets behind a text, as transcripts have them."""
    keys, text = somewhere(draw, record)
    put(record, keys, draw.choice(["{}（略）", "（原审）{}", "{}(以下简称该方)"]).format(text))
    return "/".join(map(str, keys))


def broken_off(draw: random.Random, record: dict[str, Any]) -> str:
    keys, text = somewhere(draw, record)
    put(record, keys, text[: draw.randrange(1, len(text))])
    return "/".join(map(str, keys))


def another_kind(draw: random.Random, record: dict[str, Any]) -> str:
    """A number, a truth value or nothing where a text stood."""
    keys, _ = somewhere(draw, record)
    put(record, keys, draw.choice([None, 0, 3.5, True, [], {}]))
    return "/".join(map(str, keys))


def emptied(draw: random.Random, record: dict[str, Any]) -> str:
    keys, _ = somewhere(draw, record)
    put(record, keys, draw.choice(["", "无"]))
    return "/".join(map(str, keys))


MUTANTS: dict[str, Mutant] = {
    "renamed": renamed,
    "listed": listed,
    "in_a_table": in_a_table,
    "narrow": narrow,
    "emptied": emptied,
}
UNREADABLE: dict[str, Mutant] = {"bracketed": bracketed, "broken_off": broken_off, "another_kind": another_kind}


def normal(value: Any) -> Any:
    """Values as they are compared: brackets and colons of one width, a list of one as its item."""
    if isinstance(value, str):
        return value.translate(str.maketrans("（）：", "():"))
    if isinstance(value, list):
        return normal(value[0]) if len(value) == 1 and isinstance(value[0], str) else [normal(one) for one in value]
    if isinstance(value, dict):
        return {key: normal(one) for key, one in value.items()}
    return value


def taken(value: Any) -> set[str]:
    """All texts that were taken."""
    return {text for _, text in strings(normal(value))}


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("kind", MUTANTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_mutant_is_read_right_or_told(tmp_path: Path, binding: str, kind: str, seed: int) -> None:
    """What another spelling gives is what was there before, or less of it; never another text, unless told."""
    draw = random.Random(f"{binding}{kind}{seed}")
    record = draw.choice(original(binding))
    mutant = copy.deepcopy(record)
    where = MUTANTS[kind](draw, mutant)
    [before], quiet = read(_made(tmp_path, "a"), binding, [record])
    [after], codes = read(_made(tmp_path, "b"), binding, [mutant])
    if after is None:
        assert codes
        return
    strange = {text for text in taken(after) - taken(before) if not any(text in one for one in taken(before))}
    assert not strange or codes - quiet, (where, strange)


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("kind", UNREADABLE)
def test_no_mutant_ends_a_batch(tmp_path: Path, binding: str, kind: str) -> None:
    """Whatever a text has become, the record is taken or refused with a reason, and those beside it are taken."""
    draw = random.Random(f"{binding}{kind}")
    records = original(binding)
    for number in range(6):
        mutants = [copy.deepcopy(record) for record in records]
        where = UNREADABLE[kind](draw, mutants[0])
        after, codes = read(_made(tmp_path, str(number)), binding, mutants)
        assert len(after) == len(records) and "LW199" not in codes, where
        assert after[0] is not None or codes, where
        assert None not in after[1:], where


def _made(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


@pytest.mark.parametrize("count", [1, 70])
def test_seventy_exhibits_are_seventy(tmp_path: Path, count: int) -> None:
    record = copy.deepcopy(original("simcourt")[0])
    record["evidence"] = [[f"{n}.书证：第{n}号单据，证实第{n}笔款项。" for n in range(1, count + 1)], []]
    [after], _ = read(tmp_path, "simcourt", [record])
    assert after is not None and len(after[0]["exhibits"]["prosecution"]) == count


NAMES = ["林启川", "欧阳若虹", "张某", "云汀企业（有限合伙）", "江澜某某银行股份有限公司青塘支行", "祁某甲"]


@pytest.mark.parametrize("seed", range(12))
def test_names_in_any_order_are_the_same_names(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    names = draw.sample(NAMES, draw.randrange(1, 4))
    joint = draw.choice(["、", "；", "，", "\n"])
    role = draw.choice(["", "（反诉被告）", "(反诉被告)"])
    record = {**original("simucourt-civil")[0], "原告（公诉）": joint.join(f"{name}{role}" for name in names)}
    [after], codes = read(tmp_path, "simucourt-civil", [record])
    found = [party["name"] for party in after[0]["parties"]["plaintiff"]]
    assert [normal(name) for name in found] == [normal(name) for name in names] or codes


COMPLAINTS = [
    "原告：{p}，男，汉族。被告：{d}。诉讼请求：1.返还借款五千元。事实和理由：借款未还。",
    "原告：{p} 住江澜市青塘区。诉讼请求：1.返还借款五千元。事实和理由：借款未还。",
    "原告：{p}\n诉讼请求：返还借款五千元。事实和理由：借款未还。",
    "原告：{p}（身份证号略）诉讼请求：返还借款五千元。",
    "原告{p}诉称，借款未还，请求判令返还借款五千元。",
    "我是{p}，借给他五千元一直没有还。",
]


@pytest.mark.parametrize("complaint", COMPLAINTS)
@pytest.mark.parametrize("name", ["林启川", "张某", "江澜某某商贸有限公司"])
def test_the_text_of_a_complaint_is_no_name(tmp_path: Path, complaint: str, name: str) -> None:
    said = complaint.format(p=name, d="郑若虹")
    record = {"plaintiff_statement": said, "defendant_statement": "已经还清。"}
    [after], codes = read(tmp_path, "agentcourt", [record])
    [party] = after[0]["parties"]["plaintiff"]
    assert party["name"] in (name, "原告1") or "LW510" in codes, party


APPEALS = [
    "不服江澜市青塘区人民法院（2024）虚0105民初1号民事判决，向本院提起上诉。",
    "请求撤销江澜市青塘区人民法院作出的民事判决，依法改判不付利息。",
    "云汀企业不服一审判决，上诉请求：依法改判驳回对方的诉讼请求，认为人民法院认定事实错误。事实和理由：没有约定利息。",
    "上诉请求：1.依法改判；2.诉讼费由对方负担。",
]


@pytest.mark.parametrize("text", APPEALS)
def test_a_court_is_a_court_or_nothing(tmp_path: Path, text: str) -> None:
    record = {**original("simucourt-civil-appeal")[0], "上诉请求": text}
    [after], codes = read(tmp_path, "simucourt-civil-appeal", [record])
    court = after[0].get("matter", {}).get("court", "")
    assert court in ("", "江澜市青塘区人民法院") or "LW800" in codes, court


@pytest.mark.parametrize("binding", BINDINGS)
def test_an_entry_renamed_all_over_a_set_is_told(tmp_path: Path, binding: str) -> None:
    """Any entry that a rule or one of its alternatives reads, but for those that the binding says such data may lack.
    What stands at the places that the procedure declares needs no rule, and so no entry."""
    records = original(binding)
    _, quiet = read(_made(tmp_path, "before"), binding, [*records, *records])
    for number, key in enumerate(sorted(_read_entries(binding))):
        mutants = [_with_renamed(record, key) for record in records]
        if mutants != records:
            after, codes = read(_made(tmp_path, str(number)), binding, [*mutants, *mutants])
            assert codes - quiet or None in after, key


def _read_entries(binding: str) -> set[str]:
    """The last key of every path of a binding whose rule has to find something."""
    read_by = opened(binding).binding
    found = (one.path.segments[-1] for one in paths_of(read_by) if not read_by.lacks(one.rule))
    return {name for segment in found if isinstance(segment, Keys) for name in segment.names}


def _with_renamed(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return {(f"{name}_2" if name == key else name): _with_renamed(one, key) for name, one in value.items()}
    return [_with_renamed(one, key) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("binding", BINDINGS)
def test_a_longer_list_is_longer_or_told(tmp_path: Path, binding: str) -> None:
    """Seventy of what a record lists - exhibits, claims, persons - are seventy, or it is said what is odd."""
    for number, record in enumerate(original(binding)):
        for keys, items in _lists(record):
            mutant = copy.deepcopy(record)
            put(mutant, keys, [*items, *(f"另有第{n}项" if isinstance(items[0], str) else items[0] for n in range(70))])
            folder = f"{number}-" + "-".join(map(str, keys))
            [before], quiet = read(_made(tmp_path, f"{folder}-a"), binding, [record])
            [after], codes = read(_made(tmp_path, f"{folder}-b"), binding, [mutant])
            grown = after is not None and len(str(after)) > len(str(before))
            assert grown or after == before or codes - quiet, keys


def _lists(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    for key, one in value.items() if isinstance(value, dict) else ():
        if isinstance(one, list) and one and isinstance(one[0], (str, dict)):
            yield (*keys, key), one
        yield from _lists(one, (*keys, key))


@pytest.mark.parametrize("binding", ["lecardv2-query", "lecardv2-candidate", "cail2021-query", "cail2021-candidate"])
def test_a_name_that_the_binding_gives_is_told(tmp_path: Path, binding: str) -> None:
    record = {
        key: value.replace("被告人", "该人").replace("指控", "认为") if isinstance(value, str) else value
        for key, value in original(binding)[0].items()
    }
    [after], codes = read(tmp_path, binding, [record])
    assert after is None or "LW910" in codes
