"""A table that a record writes as a list of tables is the same table, whichever way it was cut; whom a text names."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT
from test_mutants import opened, original, strings

from legalworld.batch.cases import cases_in
from legalworld.binding.casefile import as_json, sealed_json
from legalworld.binding.merges import Merge, merged, read_merge
from legalworld.binding.named import NameLabels
from legalworld.binding.paths import Match, read
from legalworld.binding.paths import Path as JsonPath
from legalworld.model.case import Case
from legalworld.runs.case_file import OpenedCase

RELEASED = json.loads((ROOT / "cases" / "legalworld-sample.json").read_text("utf-8"))
TABLES = [
    ("first_instance",),
    ("first_instance", "evidence"),
    ("first_instance", "evidence", "plaintiff_evidence"),
    ("first_instance", "evidence", "defendant_evidence"),
    ("first_instance", "plaintiff_claim"),
    ("first_instance", "final_judgment"),
    ("second_instance",),
    ("second_instance", "new_evidence"),
    ("second_instance", "appellant_claim"),
    ("second_instance", "appellee_defense"),
]


def bound(folder: Path, record: dict[str, Any], start: str) -> tuple[Any, list[str]]:
    """What somebody may see and what is sealed of a record, None where it is refused; and the codes told."""
    (folder / "one.json").write_text(json.dumps([record], ensure_ascii=False), "utf-8")
    [one] = cases_in(opened("legalworld").project, (str(folder / "one.json"),), "legalworld", ROOT, start=start)
    if not isinstance(one.matter, OpenedCase):
        return None, [problem.code for problem in one.matter]
    case: Case = one.matter.case
    told = [problem.code for problem in one.matter.problems]
    return (json.loads(as_json(case))["fields"], json.loads(sealed_json(case))["sealed"]), told


def cut(draw: random.Random, table: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of a table in their order, in one list of tables or more; some say again, emptily, what others do."""
    parts: list[dict[str, Any]] = [{}]
    for key, value in table.items():
        if draw.random() < 0.4:
            parts.append({})
        parts[-1][key] = value
    for key in draw.sample(list(table), draw.randrange(len(table) + 1)):
        parts[-1].setdefault(key, draw.choice(["", None]))
    return [part for part in parts if part]


def at(record: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        record = record[key]
    return record


@pytest.mark.parametrize("start", ["", "appeal"])
@pytest.mark.parametrize("seed", range(12))
def test_a_table_cut_into_a_list_is_the_same_table(tmp_path: Path, seed: int, start: str) -> None:
    draw = random.Random(f"{seed}{start}")
    record = draw.choice([one for one in RELEASED if one["extracted_info"]["appellant"] in ("原告", "被告")])
    mutant = copy.deepcopy(record)
    for keys in sorted(draw.sample(TABLES, draw.randrange(1, len(TABLES))), key=len, reverse=True):
        above = at(mutant["extracted_info"], keys[:-1])
        if isinstance(above.get(keys[-1]), dict) and above[keys[-1]]:
            above[keys[-1]] = cut(draw, above[keys[-1]])
    assert bound(tmp_path, mutant, start) == bound(tmp_path, record, start)


@pytest.mark.parametrize("start", ["", "appeal"])
def test_an_entry_said_twice_is_taken_once_and_told(tmp_path: Path, start: str) -> None:
    mutant = copy.deepcopy(RELEASED[0])
    first = mutant["extracted_info"]["first_instance"]
    mutant["extracted_info"]["first_instance"] = [first, {"court": "云汀市中级人民法院", "case_number": ""}]
    before, _ = bound(tmp_path, RELEASED[0], start)
    after, told = bound(tmp_path, mutant, start)
    assert after == before and told == ["LW912"]


@pytest.mark.parametrize("side", ["plaintiff", "defendant"])
@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("form", ["numbered", "cut", "listed", "texts", "one name"])
def test_exhibits_in_every_form_are_those_exhibits(tmp_path: Path, form: str, count: int, side: str) -> None:
    """By numbers in one table or several, in a list, as plain texts; two of one number are two."""
    names = [f"第{n}号送货单" for n in range(count)]
    exhibits = [{"evidence": name, "dispute": f"法院对{name}不予采信"} for name in names]
    numbered = {f"evidence_{n}": one for n, one in enumerate(exhibits, 1)}
    forms = {
        "numbered": numbered,
        "cut": [{key: one} for key, one in numbered.items()],
        "listed": exhibits,
        "texts": names,
        "one name": [{"evidence_1": one} for one in exhibits],
    }
    record = copy.deepcopy(RELEASED[0])
    record["extracted_info"]["first_instance"]["evidence"][f"{side}_evidence"] = forms[form]
    after, told = bound(tmp_path, record, "")
    assert [one["name"] for one in after[0]["evidence"][side]] == names and not told
    assert not [text for _, text in strings(after[0]) if "不予采信" in text]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.a", Merge(("a",), False)),
        ("$.a.b.*", Merge(("a", "b"), True)),
        ("$", None),
        ("$.*", None),
        ("$.a[0]", None),
        ("$.a[*].b", None),
        ("a", None),
    ],
)
def test_where_tables_are_put_together_is_a_way_down_by_names(path: str, found: Merge | None) -> None:
    assert read_merge(path) == found


def test_what_is_no_list_of_tables_stays() -> None:
    for value in ("文字", ["文字"], [], [{"a": "1"}, "文字"], {"a": "1"}, None):
        record = Match((0,), {"a": value})
        assert merged(record, (Merge(("a",), False),)) == (record, ())


# ---- who is named ----------------------------------------------------------------------------------------------------

SIDES = {"plaintiff": "原告", "defendant": "被告"}


def people(draw: random.Random) -> dict[str, list[str]]:
    names = ["林启川", "郑若虹", "江澜市云汀餐饮管理有限公司", "林启", "青塘（江澜）贸易有限公司", "原野", "张某甲"]
    draw.shuffle(names)
    return {"plaintiff": names[: draw.randrange(1, 3)], "defendant": names[3 : draw.randrange(4, 6)]}


def with_people(record: dict[str, Any], held: dict[str, list[str]], appellant: Any) -> dict[str, Any]:
    mutant = copy.deepcopy(record)
    info = mutant["extracted_info"]
    for side, names in held.items():
        info["party_info"][side] = [{**info["party_info"][side], "name": name} for name in names]
    info["appellant"] = appellant
    return mutant


FRAMES = [
    "{}",
    "上诉人{}",
    "上诉人：{}",
    "{}（上诉人）",
    "上诉人（原审{label}）{}",
    "{label}{}",
    " {} 。",
    "{label}（{}）",
]


@pytest.mark.parametrize("start", ["", "appeal"])
@pytest.mark.parametrize("seed", range(20))
def test_an_appellant_by_name_is_his_side(tmp_path: Path, seed: int, start: str) -> None:
    """In any frame, one or all of a side: the same case as with the name of the side."""
    draw = random.Random(f"{seed}{start}")
    held, side = people(draw), draw.choice(list(SIDES))
    names = draw.sample(held[side], draw.randrange(1, len(held[side]) + 1))
    said = draw.choice(FRAMES).format(draw.choice(["、", "和", "，", "及"]).join(names), label=SIDES[side])
    record = RELEASED[0]
    by_side, _ = bound(tmp_path, with_people(record, held, SIDES[side]), start)
    by_name, told = bound(tmp_path, with_people(record, held, draw.choice([said, [said]])), start)
    assert by_side is not None and by_name == by_side, (said, held, told)


@pytest.mark.parametrize("seed", range(8))
def test_names_of_both_sides_are_both(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    held = people(draw)
    one, other = draw.choice(held["plaintiff"]), draw.choice(held["defendant"])
    for said in (
        f"{other}、{one}",
        [one, other],
        "双方当事人",
        "原被告",
        "原告、被告",
        "被告和原告均上诉",
        "原审原告及原审被告",
    ):
        after, _ = bound(tmp_path, with_people(RELEASED[0], held, said), "")
        assert after is not None and after[0]["appellants"] == ["原告", "被告"], said


@pytest.mark.parametrize("said", ["第三人江澜物流公司", "原告之父林大川", "被告的工会", "检察机关", "原告、第三人"])
def test_who_is_not_known_is_not_guessed(tmp_path: Path, said: str) -> None:
    held = {"plaintiff": ["林启川"], "defendant": ["郑若虹"]}
    after, told = bound(tmp_path, with_people(RELEASED[0], held, said), "")
    assert after is None and "LW197" in told
    after, told = bound(tmp_path, with_people(RELEASED[0], held, said), "appeal")
    assert after is None and "LW911" in told


def test_a_name_of_both_sides_tells_nobody() -> None:
    path = {side: read(f"$.{side}[*]") for side in SIDES}
    places = {SIDES[side]: (one,) for side, one in path.items() if isinstance(one, JsonPath)}
    named = NameLabels({"原告": ("原告",), "被告": ("被告",)}, places)
    scope = {"plaintiff": ["张某", "林启川"], "defendant": ["张某", "张某甲"]}
    known = {
        "张某": "",
        "张某甲": "被告",
        "林启川": "原告",
        "启川": "原告",
        "川": "",
        "原告张某": "",
        "林启川、张某甲": "原告、被告",
    }
    assert {text: named.label([text], scope) for text in known} == known


@pytest.mark.parametrize("form", ["one table", "texts apart"])
def test_papers_of_both_that_nobody_tells_apart_are_told(tmp_path: Path, form: str) -> None:
    """Both appeal, and there is one petition: nobody can say whose; it is not taken, and that is said."""
    held = {"plaintiff": ["林启川"], "defendant": ["郑若虹"]}
    mutant = with_people(RELEASED[0], held, "双方")
    claim = mutant["extracted_info"]["second_instance"]["appellant_claim"]
    mutant["extracted_info"]["second_instance"]["appellant_claim"] = claim if form == "one table" else "撤销原判"
    after, told = bound(tmp_path, mutant, "appeal")
    assert not after[0]["appeal_requests"] and "LW642" in told


def test_the_field_of_an_odd_value_is_the_field_it_stands_in(tmp_path: Path) -> None:
    """Two values of one record stand at one place of a JSON file; each warning names its own field."""
    record = copy.deepcopy(original("legalworld")[0])
    party = record["extracted_info"]["party_info"]["plaintiff"]
    for one in party if isinstance(party, list) else [party]:
        one |= {"type": "合作社", "birth_date": "2024年13月1日"}
    (tmp_path / "one.json").write_text(json.dumps([record], ensure_ascii=False), "utf-8")
    [one] = cases_in(opened("legalworld").project, (str(tmp_path / "one.json"),), "legalworld", ROOT)
    assert isinstance(one.matter, OpenedCase)
    odd = {problem.values["field"] for problem in one.matter.problems if problem.code in ("LW763", "LW756")}
    assert odd <= {"parties.plaintiff.type", "parties.plaintiff.birth"} and "parties.plaintiff.type" in odd
