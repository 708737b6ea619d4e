"""Values of declared types, by generators: what is written in many ways is one value, what cannot be is told."""

from __future__ import annotations

import calendar
import io
import random
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from ruamel.yaml import YAML

from legalworld.binding.bind import bind
from legalworld.binding.casefile import as_json, from_json, parse_data
from legalworld.binding.file import load_binding
from legalworld.language.amounts import amounts, rates
from legalworld.language.dates import in_words
from legalworld.language.link.linker import link
from legalworld.model.case import Case, Record, Sided, Typed, as_written, texts
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources
from legalworld.wording import diagnostics

SPEC = """
lw: 1
procedure: typed
title: Typed
locale: LOCALE
case:
  people:
    path: "$.people.{side}[*]"
    per: side
    each: one
    keys: [id, name, after]
    types: {id: {unique: yes}, after: {refers to: [people], many: yes}}
  claims:
    path: "$.claims[*]"
    each: claim
    keys: [n, text, amount, fee, filed, born, rate, count, agreed, kind, on, parts]
    types:
      n: {unique: yes}
      text: text
      amount: {type: amount, currency: CUR}
      fee: amount
      filed: date
      born: {type: date, partial: yes}
      rate: rate
      count: {type: number, unit: km}
      agreed: yes or no
      kind: {choices: [payment, declaration]}
      on: {refers to: [exhibits.id], many: yes}
      parts.amount: {type: amount, currency: CUR}
      parts.day: date
      parts.by: text
  exhibits: {path: "$.exhibits.{side}[*]", per: side, each: item, keys: [id, name], types: {id: {unique: yes}}}
  sum:      {path: $.sum, type: amount}
kinds: {P: party, J: judge}
roles:
  plaintiff: {title: Plaintiff, kind: party, side: plaintiff, each: people}
  judge:     {title: Judge, kind: judge}
visibility: |
  | field    | trial |
  |----------|-------|
  | people   | P J   |
  | claims   | P J   |
  | exhibits | P J   |
  | sum      | P J   |
stages:
  - stage: trial
    steps:
      - judge asks plaintiff: what is claimed
"""


@cache
def procedure(locale: str = "en", currency: str = "CNY") -> Procedure:
    spec = SPEC.replace("LOCALE", locale).replace("CUR", currency)
    linked = link(MemorySources({"specs/typed.yaml": spec}), "specs/typed.yaml")
    assert linked.procedure is not None, [diagnostics.message(one, "en") for one in linked.problems]
    return linked.procedure


def written(case: dict[str, Any]) -> str:
    out = io.StringIO()
    YAML().dump({"lw": "1", "case": "c", **case}, out)
    return out.getvalue()


def bound(case: dict[str, Any] | str, locale: str = "en", currency: str = "CNY") -> tuple[Case | None, Any, str]:
    text = case if isinstance(case, str) else written(case)
    data, problems = parse_data("case.yaml", text)
    assert data is not None, problems
    made, more = bind(procedure(locale, currency), data, record=None, binding=None, settings={})
    return made, more, text


def claim(**keys: Any) -> dict[str, Any]:
    return {"claims": [keys]}


def value(case: Case | None, key: str) -> Any:
    assert case is not None
    claims = case.fields["claims"]
    assert isinstance(claims, tuple) and isinstance(claims[0], Record)
    return claims[0][key]


def codes(problems: tuple[Diagnostic, ...]) -> list[str]:
    return [problem.code for problem in problems]


# ---- one value, written in many ways ---------------------------------------------------------------------------------

NUMERALS = "零壹贰叁肆伍陆柒捌玖"


def in_chinese(number: int) -> str:
    """A whole number below a hundred million, in the numerals of bills."""
    cn2an = pytest.importorskip("cn2an")
    return str(cn2an.an2cn(number, "up"))


def grouped(number: Decimal, group: str, point: str) -> str:
    return f"{number:,}".translate(str.maketrans({",": group, ".": point}))


def ways(number: Decimal, locale: str) -> Iterator[str]:
    """How people write a sum of yuan, so that it can be read in one way in the locale."""
    plain = f"{number}"
    whole = number == number.to_integral_value()
    group, point = (".", ",") if locale == "de" else (",", ".")
    yield from (
        (f"{plain}元", f"CNY {plain}", f"人民币{plain}元", f"￥{plain}", f"{plain} RMB", f"{plain} yuan")
        if (whole or locale != "de")
        else ()
    )
    yield from (grouped(number, group, point), f"{grouped(number, group, point)}元")
    yield f"CNY {grouped(number.quantize(Decimal('0.01')), group, point)}"
    if locale != "de":
        yield from (plain, f"{plain}元整", "".join(chr(ord(one) + 0xFEE0) if one.isdigit() else one for one in plain))
    if whole:
        yield from (f"{int(number)}.00" if locale != "de" else f"{int(number)},00", f"{in_chinese(int(number))}元整")
    for scale, unit in ((10**4, "万"), (10**8, "亿"), (10**6, " million")):
        scaled = number / scale
        if scaled >= 1 and len(f"{scaled.normalize():f}") <= 8:
            said = f"{scaled.normalize():f}".replace(".", point)
            yield from (f"{said}{unit}元",) if unit != " million" else (f"{said}{unit}", f"CNY {said}{unit}")


def sample(seed: str, count: int) -> list[Decimal]:
    drawn = random.Random(seed)
    numbers = [Decimal(drawn.randrange(1, 10 ** drawn.randint(1, 8))) for _ in range(count)]
    numbers += [Decimal(drawn.randrange(1, 10**8)) / 100 for _ in range(count)]
    return [*numbers, *(Decimal(10**power) for power in range(1, 9)), Decimal(1_050_000), Decimal(20_005_000)]


@pytest.mark.parametrize("locale", ["zh", "en", "de"])
def test_a_sum_is_one_value_however_it_is_written(locale: str) -> None:
    wrong, tried = [], 0
    for number in sample(locale, 20):
        found = {}
        for way in ways(number, locale):
            read = amounts(way, locale)
            tried += 1
            if [one.value for one in read] != [number] or {one.currency for one in read} - {"", "CNY", "¥"}:
                wrong.append((str(number), way, read))
            case, problems, _ = bound(claim(n="1", amount=way), locale)
            found[way] = (str(value(case, "amount")) if case else codes(problems), as_written(value(case, "amount")))
        assert len({said for said, _ in found.values()}) == 1, found
        assert all(way == kept for way, (_, kept) in found.items())
    assert not wrong, wrong[:10]
    assert tried > 400


TWO_WAYS = ("1.000元", "一万五", "1万5", "二百五", "三千五元", "1.000", "0.154", "日万分之五", "0.05% a day")


@pytest.mark.parametrize("text", TWO_WAYS)
def test_what_can_be_read_in_two_ways_is_told_with_both(text: str) -> None:
    key = "rate" if text in ("0.154", "日万分之五", "0.05% a day") else "amount"
    case, problems, source = bound(claim(n="1", **{key: text}), "zh")
    assert case is None and codes(problems) == ["LW759"]
    shown = diagnostics.message(problems[0], "en")
    both = rates(text, "zh") if key == "rate" else tuple(one.value for one in amounts(text, "zh"))
    assert len(both) == 2 and all(f"{number.normalize():f}" in shown for number in both), shown
    assert source.split("\n")[problems[0].span.line - 1].find(text) >= 0


RATES = {
    "15.4": ("15.4", "15.4%", "年利率15.4%", "15.4% a year", "15.40 %", "年化15.4%", "15.4% p.a."),
    "18": ("18%", "月利率1.5%", "月息1.5%", "1.5% a month", "1.5%/月", "千分之一百八十"),
    "8": ("8% per annum", "百分之八", "年息8%", "8"),
}


@pytest.mark.parametrize(("rate", "written_as"), [(rate, way) for rate, ways_ in RATES.items() for way in ways_])
def test_a_rate_is_per_cent_a_year(rate: str, written_as: str) -> None:
    case, problems, _ = bound(claim(n="1", rate=written_as), "zh")
    assert (str(value(case, "rate")), problems) == (rate, ())


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_every_day_is_read_in_each_of_its_forms_and_no_other_is(locale: str) -> None:
    kept = {"zh": "{y}年{m}月{d}日", "en": "{d} {name} {y}"}[locale]
    forms = ("{y}-{m:02}-{d:02}", "{y}/{m}/{d}", "{y}.{m}.{d}", "{y}年{m}月{d}日", "{d} {name} {y}", "{name} {d}, {y}")
    drawn = random.Random(locale)
    told = 0
    for _ in range(60):
        year, month, day = drawn.randint(1900, 2100), drawn.randint(1, 12), drawn.randint(1, 34)
        exists = day <= calendar.monthrange(year, month)[1]
        told += not exists
        holes = {"y": year, "m": month, "d": day, "name": calendar.month_name[month]}
        for form in forms:
            text = form.format(**holes)
            case, problems, _ = bound(claim(n="1", filed=text), locale)
            assert codes(problems) == ([] if exists else ["LW757"]), text
            if exists:
                assert str(value(case, "filed")) == kept.format(**holes), text
    assert told > 2


def test_a_day_in_words_and_one_with_a_time() -> None:
    from datetime import date

    words = in_words(date(2024, 9, 19))
    assert str(value(bound(claim(n="1", filed=words), "zh")[0], "filed")) == "2024年9月19日"
    assert str(value(bound(claim(n="1", filed="2024-09-19 9:30"))[0], "filed")) == "19 September 2024 9:30"
    assert str(value(bound(claim(n="1", born="1985"))[0], "born")) == "1985"
    assert codes(bound(claim(n="1", filed="5/6/2024"))[1]) == ["LW759"]
    assert str(value(bound(claim(n="1", filed="05.06.2024"), "de")[0], "filed")) == "2024-06-05"


# ---- what cannot be --------------------------------------------------------------------------------------------------

ABSURD: list[tuple[str, Any, str]] = [
    *(
        ("amount", text, "LW754")
        for text in ("约100万", "100-200万元", "NaN", "inf", "10^30", "很多", "100天", "5 km", "万", "元")
    ),
    *(("amount", text, "LW760") for text in ("-5", "-100万元", "1e30", "1" + "0" * 16, "99999999亿")),
    *(("amount", text, "LW761") for text in ("EUR 100", "100美元", "€1,000", "£5", "5 million dollars")),
    *(("amount", text, "LW767") for text in (["1", "2"], {"value": "1"})),
    *(("rate", text, "LW755") for text in ("high", "15.4-18%", "LPR", "NaN%", "")),
    *(("rate", text, "LW760") for text in ("-3%", "5000%")),
    *(("count", text, "LW758") for text in ("three miles", "3 kg", "NaN", "3-4", "about 3", "3km2")),
    *(
        ("filed", text, "LW756")
        for text in ("yesterday", "2024", "2024-05", "5月6日", "2024年5月6日左右", "20240506", "NaN")
    ),
    *(
        ("filed", text, "LW757")
        for text in ("31 April 2024", "2023-02-29", "2024-13-01", "2024年4月31日", "0 May 2024")
    ),
    *(("agreed", text, "LW763") for text in ("maybe", "视情况", "1", "yess", "是的吧")),
    *(("kind", text, "LW763") for text in ("paymnet", "both", "payment, declaration")),
    *(("on", text, "LW764") for text in ("E9", "nobody", ["E1", "E7"])),
    *(("text", text, "LW767") for text in (["a", "b"], {"a": "b"})),
    ("parts", "1000", "LW127"),
]
EXHIBITS = {"exhibits": {"plaintiff": [{"id": "E1"}, {"id": "E2"}]}}


@pytest.mark.parametrize(("key", "text", "code"), ABSURD)
def test_an_absurd_value_is_told_at_its_line_with_the_repair(key: str, text: Any, code: str) -> None:
    case, problems, source = bound({**EXHIBITS, **claim(n="1", **{key: text})})
    if text == "":
        assert problems == () and not value(case, key)
        return
    assert (case is None) == (code != "LW764") and codes(problems) == [code]  # what is referred to may be left out
    line = source.split("\n")[problems[0].span.line - 1]
    shown = next(iter(text.values())) if isinstance(text, dict) else text[-1] if isinstance(text, list) else text
    assert str(shown) in line or f"{key}:" in line
    for locale in ("zh", "en"):
        assert not re.search(r"\{\w+\}", diagnostics.message(problems[0], locale))
        assert " ," not in diagnostics.message(problems[0], locale)
        assert diagnostics.repair(problems[0], locale)


NEAR = {"kind": ("paymnet", "payment"), "agreed": ("yess", "yes"), "on": ("E11", "E1")}


@pytest.mark.parametrize("key", NEAR)
def test_what_was_probably_meant_is_said(key: str) -> None:
    wrong, meant = NEAR[key]
    _, problems, _ = bound({**EXHIBITS, **claim(n="1", **{key: wrong})})
    assert problems[0].nearest == meant


def test_wrong_values_below_a_key_are_told_where_they_stand() -> None:
    parts = [{"amount": "1,000", "day": "2024-05-01", "by": "Ann"}, {"amount": "x", "day": "2024-02-30", "amuont": "1"}]
    case, problems, source = bound(claim(n="1", parts=parts))
    assert case is None and sorted(codes(problems)) == ["LW129", "LW754", "LW757"]
    assert {problem.nearest for problem in problems} == {None, "amount"}
    assert len({problem.span.line for problem in problems}) == 3 and "amuont" in source


# ---- records that name one another -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_an_id_given_twice_is_told_whoever_gave_it(seed: int) -> None:
    drawn = random.Random(seed)
    ids = [f"E{number}" for number in range(8)]
    twice = drawn.choice(ids)
    spelt = drawn.choice([twice, twice.lower(), f" {twice}", twice.replace("E", "Ｅ")])
    sides: dict[str, list[dict[str, str]]] = {"plaintiff": []}
    for one in drawn.sample([*ids, spelt], len(ids) + 1):
        sides["plaintiff"].append({"id": one, "name": f"paper {one}"})
    _, problems, _ = bound({"exhibits": sides})
    assert codes(problems) == ["LW765"]
    assert problems[0].span.line > problems[0].also[0].line


def people(leads: dict[str, list[str]]) -> dict[str, Any]:
    return {"people": {"plaintiff": [{"id": one, "name": one, "after": list(ahead)} for one, ahead in leads.items()]}}


@pytest.mark.parametrize("seed", range(12))
def test_references_in_a_circle_are_told_and_others_are_not(seed: int) -> None:
    drawn = random.Random(seed)
    ids = [f"P{number}" for number in range(10)]
    leads = {one: drawn.sample(ids[at + 1 :], min(2, len(ids) - at - 1)) for at, one in enumerate(ids)}
    assert codes(bound(people(leads))[1]) == []
    late, early = sorted(drawn.sample(range(10), 2), reverse=True)
    reached = {ids[early]}
    for one in ids:
        reached |= set(leads[one]) if one in reached else set()
    leads[ids[late]] = [*leads[ids[late]], ids[early]]
    case, problems, _ = bound(people(leads))
    assert (case is not None) and bool(problems) == (ids[late] in reached)
    assert set(codes(problems)) <= {"LW766"}


def test_many_layers_of_references_take_no_time() -> None:
    layers = {f"L{at}": [f"L{at + 1}", f"L{at + 2}"] for at in range(60)} | {"L60": [], "L61": []}
    assert bound(people(layers))[1] == ()


def test_a_list_of_references_may_be_written_as_one_text() -> None:
    for text in ("E1、E2", "E1, E2", ["E1", "E2"], "e1；E2"):
        case, problems, _ = bound({**EXHIBITS, **claim(n="1", on=text)})
        assert (value(case, "on"), problems) == (("E1", "E2"), ())
    assert value(bound({**EXHIBITS, **claim(n="1", on="E2")})[0], "on") == ("E2",)


def test_two_currencies_in_one_field_are_told() -> None:
    claims = [{"n": "1", "fee": "EUR 5"}, {"n": "2", "fee": "$7"}, {"n": "3", "fee": "8"}]
    assert codes(bound({"claims": claims})[1]) == ["LW762"]
    assert codes(bound({"claims": claims[:1]})[1]) == []
    assert (
        codes(bound({"claims": [{"n": "1", "fee": "5元"}, {"n": "2", "fee": "¥7"}, {"n": "3", "fee": "8"}]}, "zh")[1])
        == []
    )


# ---- what becomes of a value -----------------------------------------------------------------------------------------


def test_a_case_that_was_written_is_the_same_again() -> None:
    whole = {
        **EXHIBITS,
        "claims": [
            {
                "n": "1",
                "amount": "100万元",
                "filed": "2024-05-06",
                "agreed": "true",
                "on": "E1、E2",
                "rate": "1.5% a month",
            }
        ],
        "sum": "EUR 1.000.000,00",
    }
    case, problems, _ = bound(whole)
    assert case is not None and problems == ()
    again = from_json(as_json(case), procedure())
    assert as_json(again) == as_json(case)
    assert list(map(repr, texts(again.fields["claims"]))) == list(map(repr, texts(case.fields["claims"])))
    assert [as_written(one) for one in texts(again.fields["claims"])] == [
        as_written(one) for one in texts(case.fields["claims"])
    ]
    assert str(again.fields["sum"]) == "EUR 1000000"


def test_a_value_that_a_command_gives_is_read_too() -> None:
    data, _ = parse_data("case.yaml", written({"sum": "1"}))
    assert data is not None
    case, problems = bind(procedure(), data, record=None, binding=None, settings={"sum": "2.5 million"})
    assert case is not None and case.fields["sum"] == "2500000" and isinstance(case.fields["sum"], Typed)
    _, problems = bind(procedure(), data, record=None, binding=None, settings={"sum": "a lot"})
    assert codes(problems) == ["LW754"] and problems[0].span.file == "--set"


def test_sided_fields_keep_their_sides() -> None:
    case, _, _ = bound(EXHIBITS)
    assert case is not None and isinstance(case.fields["exhibits"], Sided)


# ---- foreign data, and procedures that extend another ----------------------------------------------------------------

BINDING = """
lw: 1
binding: foreign
procedure: typed
records: $[*]
fields:
  claims:
    path: $.wants
    each: {n: $.no, amount: $.money, filed: $.day, agreed: $.ok}
"""


@pytest.mark.parametrize(
    ("record", "told", "kept"),
    [
        ({"no": "1", "money": "100万元", "day": "2024-05-06", "ok": "true"}, [], ["1", "1000000", "6 May 2024", "yes"]),
        (
            {"no": "1", "money": "about 5", "day": "31 April 2024"},
            ["LW754", "LW757"],
            ["1", "about 5", "31 April 2024"],
        ),
        ({"no": "1", "money": "EUR 5", "ok": "perhaps"}, ["LW761", "LW763"], ["1", "EUR 5", "perhaps"]),
    ],
)
def test_what_a_binding_finds_and_nobody_can_read_is_a_warning_and_stays_a_text(
    record: dict[str, str], told: list[str], kept: list[str]
) -> None:
    binding, problems = load_binding(MemorySources({"b.yaml": BINDING}), "b.yaml", procedure())
    assert binding is not None, problems
    case, found = bind(procedure(), [{"wants": [record]}], record=1, binding=binding, settings={})
    ours = [one for one in found if "LW752" <= one.code <= "LW769"]
    assert case is not None and {one.severity for one in ours} <= {"warning"}
    assert (sorted(codes(tuple(ours))), list(texts(case.fields["claims"]))) == (told, kept)


CHILD = """
lw: 1
procedure: child
title: Child
extends: typed
changes:
  - replace field sum: {path: $.sum, type: {type: amount, currency: EUR}}
"""


def test_a_child_has_the_types_of_its_parent_and_may_declare_others() -> None:
    parent = SPEC.replace("LOCALE", "en").replace("CUR", "CNY")
    child = CHILD.replace("title: Child", "title: Child\nlocale: en")
    linked = link(MemorySources({"specs/typed.yaml": parent, "specs/child.yaml": child}), "specs/child.yaml")
    assert linked.procedure is not None, [diagnostics.message(one, "en") for one in linked.problems]
    data, _ = parse_data("case.yaml", written({**claim(n="1", filed="31 April 2024"), "sum": "5元"}))
    assert data is not None
    _, problems = bind(linked.procedure, data, record=None, binding=None, settings={})
    assert sorted(codes(problems)) == ["LW757", "LW761"]
