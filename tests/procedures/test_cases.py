"""The shipped cases agree with themselves, name nobody real, and keep every outcome where only scoring may look."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonpath_ng import parse as path
from places import ROOT
from ruamel.yaml import YAML

NATIVE = ("jiedai", "laodong", "wuye")
SIDES = ("plaintiff", "defendant")
LEVELS = {"high", "medium", "low"}
OUTCOME_KEYS = {"admitted", "cross", "dispute", "disposition", "findings", "opinion", "reason", "result", "xval"}
OUTCOME_WORDS = ("本院认为", "法院认为", "本院查明", "经审理查明", "判决如下", "采信", "不予支持", "予以支持")
SUM = re.compile(r"(\d+(?:\.\d+)?)元")
NUMBER = re.compile(r"（20\d\d）[^（）、，。；\s]*?号")
CITATION = re.compile(r"（(?:《.+?》(?:第[零一二三四五六七八九十百千]+[条款项]、?)+；?)+）$")

# Numbers of the articles on court fees: upper bound of the tier, rate on the part within it.
TIERS = ((10_000, "0"), (100_000, "0.025"), (200_000, "0.02"), (500_000, "0.015"), (1_000_000, "0.01"))


def read(file: Path) -> Any:
    """A YAML file with every scalar as text, as the project reads it."""
    return YAML(typ="base").load(file)


def texts(node: Any, *, without: tuple[str, ...] = ()) -> Iterator[Any]:
    """Every text below a node, leaving out what lies under the named keys."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in without:
                yield from texts(value, without=without)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value, without=without)
    else:
        yield node


def keys(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from keys(value)
    elif isinstance(node, list):
        for value in node:
            yield from keys(value)


def sums(found: Iterator[str]) -> set[Decimal]:
    """The sums of money in these texts, in yuan."""
    return {Decimal(amount) for text in found for amount in SUM.findall(text)}


def fee(amount: Decimal) -> Decimal:
    """Fee of a property case, in yuan: 50 up to 10,000, then by tier (up to two million)."""
    bounds = [(Decimal(bound), Decimal(rate)) for bound, rate in (*TIERS, (2_000_000, "0.009"))]
    tiers = (max(min(amount, high) - low, Decimal(0)) * rate for (low, _), (high, rate) in pairwise(bounds))
    return cents(sum(tiers, Decimal(50)))


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def interest(principal: Decimal, first: date, last: date) -> Decimal:
    """Interest in yuan at 15.4 % a year of 365 days, both days counted."""
    return cents(principal * Decimal("0.154") * ((last - first).days + 1) / 365)


@pytest.fixture(params=NATIVE)
def case(request: pytest.FixtureRequest) -> Any:
    return read(ROOT / "cases" / f"{request.param}.yaml")


@pytest.fixture(scope="module")
def records() -> Any:
    return json.loads((ROOT / "cases" / "legalworld-sample.json").read_text(encoding="utf-8"))


def names(case: Any, side: str) -> set[str]:
    return {party["name"] for party in case["parties"][side]}


def granted(case: Any) -> Any:
    """What some role may see at some place: all but the section for evaluation and the reference answers."""
    return {key: value for key, value in case.items() if key != "real"}


# ---- native cases ----------------------------------------------------------------------------------------------------


def test_every_native_case_of_the_civil_procedure_is_tested() -> None:
    files = {file.stem: file.read_text(encoding="utf-8") for file in (ROOT / "cases").glob("*.yaml")}
    assert {name for name, text in files.items() if "\nparties:" in text and "\ncounsel:" in text} == {
        *NATIVE,
        *("quexi-huokuan", "xiaoe-zujin"),  # of procedures that extend it
    }


@pytest.mark.parametrize("name", NATIVE)
def test_a_case_is_called_like_its_file(name: str) -> None:
    case = read(ROOT / "cases" / f"{name}.yaml")
    assert (case["lw"], case["case"]) == ("1", name)


def test_no_value_is_empty(case: Any) -> None:
    assert all(isinstance(text, str) and text.strip() for text in texts(case))


def test_every_party_is_complete(case: Any) -> None:
    for side in SIDES:
        for party in case["parties"][side]:
            assert set(party["persona"].values()) <= LEVELS
            assert len(party["persona"]) == 4
            if party["type"] == "自然人":
                assert {"gender", "birth", "ethnicity", "occupation", "address"} <= set(party)
            else:
                assert {"address", "representative", "representative_title"} <= set(party)
                assert not {"gender", "birth", "ethnicity"} & set(party)
        assert set(case["counsel"][side]) == {"name", "firm"}
        assert set(case["goal"][side]) - {"offer", "concession"} == {"goal", "bottom_line", "settle"}
        assert case["goal"][side]["settle"] in {"是", "否"}
    everybody = [party["id"] for side in SIDES for party in case["parties"][side]]
    assert len(everybody) == len(set(everybody))


def test_evidence_is_complete_and_refers_to_what_exists(case: Any) -> None:
    claims = {claim["n"] for claim in case["first"]["claims"]}
    seen: list[str] = []
    for side in SIDES:
        late = case["appeal"][side].get("evidence", [])
        for item in [*case["first"][side]["evidence"], *late]:
            wanted = {"id", "name", "kind", "form", "source", "content", "purpose", "by", "claims"}
            assert set(item) - {"figures", "says"} == (wanted | {"late_reason"} if item in late else wanted)
            assert item["by"] in names(case, side)
            assert set(item["claims"]) <= claims
            seen.append(item["id"])
    assert len(seen) == len(set(seen))
    judged = [item["id"] for instance in case["real"].values() for item in instance["evidence"]]
    assert judged == seen


def test_claims_state_their_sums(case: Any) -> None:
    claims = case["first"]["claims"]
    assert [claim["n"] for claim in claims] == [str(n) for n in range(1, len(claims) + 1)]
    for claim in claims:
        if claim["kind"] == "给付":
            assert Decimal(claim["amount"]) in sums(iter([claim["text"]]))
        else:
            assert "amount" not in claim


def test_each_side_has_questions_with_cited_answers(case: Any) -> None:
    for side in SIDES:
        assert len(case["consultation"][side]) >= 3
        for entry in case["consultation"][side]:
            assert entry["question"].endswith("？")
            assert CITATION.search(entry["answer"]), entry["answer"]


def test_each_side_can_appeal_and_answer(case: Any) -> None:
    for side in SIDES:
        assert {"requests", "reasons", "response"} <= set(case["appeal"][side])
        assert case["first"]["matter"]["number"] in case["appeal"][side]["requests"][0]
    known = names(case, "plaintiff") | names(case, "defendant") | {"原告", "被告"}
    assert set(case["appeal"]["by"]) <= known


def test_no_outcome_can_be_seen(case: Any) -> None:
    assert not OUTCOME_KEYS & set(keys(granted(case)))
    told = list(texts(granted(case), without=("answer",)))
    assert not [text for text in told for word in OUTCOME_WORDS if word in text]
    decided = sums(texts([instance["disposition"] for instance in case["real"].values()]))
    claimed = {Decimal(claim["amount"]) for claim in case["first"]["claims"] if "amount" in claim}
    assert not (decided - claimed) & sums(iter(told))


def test_nobody_is_real(case: Any) -> None:
    assert case["first"]["matter"]["court"].startswith("江澜市")
    assert case["appeal"]["court"].startswith("江澜市")
    for text in texts(case):
        assert all("虚" in number for number in NUMBER.findall(text))
        assert not re.search(r"\d{11,}", text)


def test_the_parties_tell_their_own_story(case: Any) -> None:
    for side in SIDES:
        facts = case["first"][side]["facts"]
        assert "我" in facts
        assert len(facts) >= 150
    assert "defence" in case["first"]["defendant"]
    assert "defence" not in case["first"]["plaintiff"]


# ---- the sums --------------------------------------------------------------------------------------------------------


def test_the_loan_adds_up() -> None:
    case = read(ROOT / "cases" / "jiedai.yaml")
    principal, interest_paid = Decimal(985_000), Decimal(0)
    for _ in range(18):
        due = cents(principal * Decimal("0.154") / 12)
        interest_paid += due
        principal -= 15_000 - due
    filed = date(2024, 1, 8)
    owed = interest(principal, date(2022, 9, 13), filed)
    offset = interest(principal, date(2022, 9, 13), date(2022, 11, 15))
    left = principal - (50_000 - offset)
    later = interest(left, date(2022, 11, 16), filed)

    first, second = case["real"]["first"], case["real"]["second"]
    assert {interest_paid, 270_000 - interest_paid, principal, owed} <= sums(iter([first["opinion"]]))
    assert {offset, 50_000 - offset, left, later} <= sums(iter([second["opinion"]]))
    assert principal in sums(iter(first["disposition"][:1]))
    assert left in sums(iter(second["disposition"][1:2]))

    claimed = sum((Decimal(claim.get("amount", 0)) for claim in case["first"]["claims"]), Decimal(0))
    assert claimed == 1_000_000 + interest(Decimal(1_000_000), date(2022, 9, 13), filed)
    total = fee(claimed).quantize(Decimal(1))
    lost = (total * (principal + owed) / claimed).quantize(Decimal(1))
    assert {total, lost, total - lost} <= sums(iter([first["fees"]]))
    lost = (total * (left + later) / claimed).quantize(Decimal(1))
    assert {total, lost, total - lost, fee(principal + owed)} <= sums(iter([second["fees"]]))


def test_the_dismissal_adds_up() -> None:
    case = read(ROOT / "cases" / "laodong.yaml")
    day = Decimal(9_800) / Decimal("21.75")
    claims = [Decimal(claim["amount"]) for claim in case["first"]["claims"]]
    assert claims == [Decimal(9_800 * 6 * 2), cents(day * 4 * 2), cents(day * 12 * 2)]
    assert sum(claims) == Decimal("132018.39")
    assert int(Decimal(date(2024, 12, 16).timetuple().tm_yday) / 365 * 5) == 4


def test_nobody_appeals_in_the_simple_case() -> None:
    case = read(ROOT / "cases" / "wuye.yaml")
    assert case["appeal"]["by"] == []
    assert [case["goal"][side]["settle"] for side in SIDES] == ["是", "是"]
    assert [party["type"] for side in SIDES for party in case["parties"][side]] == ["自然人", "自然人"]
    assert fee(Decimal(case["first"]["claims"][1]["amount"])) / 2 in sums(iter([case["real"]["first"]["fees"]]))


# ---- records in the LegalWorld format --------------------------------------------------------------------------------

RECORD = {"case_cause", "case_background", "appellant", "party_info", "first_instance", "second_instance"}
PARTY = {
    *("name", "type", "gender", "ethnicity", "birth_date", "address", "representative"),
    *("legal_persona_profile", "questions"),
}
HEAD = {"case_number", "court", "judgment_date", "legal_basis", "judges"}
FIRST = HEAD | {"plaintiff_claim", "facts_and_reasons", "defendant_plea", "evidence"}
SECOND = HEAD | {"appellant_claim", "appellee_defense", "new_evidence"}
FOUND = {"court_finding", "court_opinion", "final_judgment"}


def parties(info: Any) -> Iterator[Any]:
    for side in SIDES:
        one_or_more = info["party_info"][side]
        yield from one_or_more if isinstance(one_or_more, list) else [one_or_more]


def test_the_records_have_the_keys_of_the_format(records: Any) -> None:
    assert [record["original_id"] for record in records] == [900001, 900002, 900003, 900004, 900005]
    for record in records:
        info = record["extracted_info"]
        assert set(info) == RECORD
        assert set(info["first_instance"]) == FIRST | FOUND
        assert set(info["second_instance"]) == SECOND | FOUND
        assert all(set(party) == PARTY for party in parties(info))


def test_the_records_show_what_they_are_for(records: Any) -> None:
    company, two, nulls, both, late = (record["extracted_info"] for record in records)
    assert company["party_info"]["plaintiff"]["type"] == "法人"
    assert [party["type"] for party in two["party_info"]["defendant"]] == ["自然人", "法人"]
    assert sum(value is None or value in {"", "无"} for value in texts(nulls)) >= 15
    assert [info["appellant"] for info in (company, two, nulls, both, late)] == ["被告", "原告", "被告", "双方", "被告"]
    assert len(both["second_instance"]["appellant_claim"]) == 2
    assert all(late["second_instance"]["new_evidence"].values())


def test_the_records_are_long_enough_to_play(records: Any) -> None:
    for record in records:
        first = record["extracted_info"]["first_instance"]
        assert 150 <= len(first["facts_and_reasons"]) <= 300
        assert 2 <= len(first["plaintiff_claim"]["claim"]) <= 3
        for exhibits in first["evidence"].values():
            assert exhibits is None or 2 <= len(exhibits) <= 4
        for party in parties(record["extracted_info"]):
            assert party["questions"] is None or len(party["questions"]) == 3
            assert all(CITATION.search(entry["reference_answer"]) for entry in party["questions"] or ())


@pytest.mark.parametrize(("place", "parts", "total"), [
    (0, ("86400", "4320"), "90720"),
    (1, ("90000", "4860"), "94860"),
    (2, ("150000", "-30000"), "120000"),
    (3, ("64000", "21600"), "85600"),
    (4, ("31286.40", "24000", "9000", "3000", "800"), "68086.40"),
])  # fmt: skip
def test_the_sums_of_a_record_add_up(records: Any, place: int, parts: tuple[str, ...], total: str) -> None:
    first = records[place]["extracted_info"]["first_instance"]
    assert sum(map(Decimal, parts)) == Decimal(total)
    stated = sums(iter([first["facts_and_reasons"]]))
    assert {abs(Decimal(part)) for part in parts} | {Decimal(total)} <= stated
    assert sums(iter(first["plaintiff_claim"]["claim"])) - {Decimal(36800)} <= stated


def test_nobody_in_a_record_is_real(records: Any) -> None:
    for record in records:
        info = record["extracted_info"]
        for instance in (info["first_instance"], info["second_instance"]):
            assert (instance["court"] or "江澜市").startswith("江澜市")
            assert "虚" in (instance["case_number"] or "虚")
        assert not [text for text in texts(info) if text and re.search(r"\d{11,}", text)]


# ---- the binding -----------------------------------------------------------------------------------------------------


def paths(form: Any) -> Iterator[str]:
    """Every JSONPath that a form of the binding takes a value from."""
    if isinstance(form, dict):
        for key, value in form.items():
            if key != "when":
                yield from paths(value)
    elif isinstance(form, list):
        for value in form:
            yield from paths(value)
    elif form and form.startswith("$"):  # nothing: a field that is not taken
        yield form


def values(form: Any) -> Iterator[Any]:
    """The forms that each give one value: a path, or a table of operators."""
    if not form or isinstance(form, str) or {"path", "first of", "when"} & set(form):
        yield form
    else:
        for part in form.values():
            yield from values(part)


def test_the_binding_finds_its_records(records: Any) -> None:
    binding = read(ROOT / "bindings" / "legalworld.yaml")
    assert [match.value for match in path(binding["records"]).find(records)] == records
    for record in records:
        assert all(path(place).find(record) for place in [binding["id"], *binding["detect"]])


def test_every_value_of_the_binding_is_found_in_some_record(records: Any) -> None:
    for form in values(read(ROOT / "bindings" / "legalworld.yaml")["fields"]):
        assert not form or any(
            match.value for place in paths(form) for record in records for match in path(place).find(record)
        )


def test_only_the_evaluation_binds_an_outcome() -> None:
    fields = read(ROOT / "bindings" / "legalworld.yaml")["fields"]
    ends = {name: {place.rsplit(".", 1)[-1] for place in paths(form)} for name, form in fields.items()}
    outcomes = {"dispute", "court_finding", "court_opinion", "judgment_result", "final_judgment", "legal_basis"}
    assert {name for name, found in ends.items() if found & outcomes} == {"real"}
    assert not [place for name in ends for place in paths(fields[name]) if place.endswith(("_instance", "_info"))]


def test_only_references_bind_the_reference_answers() -> None:
    fields = read(ROOT / "bindings" / "legalworld.yaml")["fields"]
    owners = [name for name, form in fields.items() for text in paths(form) if text.endswith("reference_answer")]
    assert set(owners) == {"references"}
