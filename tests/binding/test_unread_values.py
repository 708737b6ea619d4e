"""Values without a declared type that conditions ask for a yes or no, a number or one of some words: read, or told.

Made by a generator: where the condition stands, what it asks, in which language, and what the case says instead.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.binding.file import load_binding
from legalworld.engine.conditions import EvalContext, holds
from legalworld.engine.state import CaseState
from legalworld.language.link.linker import link
from legalworld.language.sentences.keywords import truth
from legalworld.model.case import Case
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.plan import walk
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources
from legalworld.wording import diagnostics

CHANCE = random.Random("unread values")
SPEC = """
lw: 1
procedure: asked
title: Asked
locale: LOCALE
case:
  people: {path: "$.people.{side}[*]", per: side, each: one, keys: [id, name, flag, away]}
  matter: {title: Matter, path: $.matter, keys: {flag: Flag, extra: Extra, deep: Deep}}
  goods:  {path: "$.goods[*]", each: item, keys: [id, flag, parts]}
  later:  {path: "$.later[*]", amends: goods, in force from: trial}
  flag:   {title: Flag, path: $.flag}
kinds: {P: party, J: judge}
roles:
  claimant: {title: Claimant, kind: party, side: claimant, each: people ABSENT}
  judge:    {title: Judge, kind: judge HELD}
visibility: |
  | field    | trial |
  |----------|-------|
  | people   | P J   |
  | goods ROW | P J   |
stages:
  - stage: trial
    STAGE
    phases:
      - phase: one
        PHASE
        steps:
          - judge announces: the sitting
            STEP
          - for each thing in goods:
              - judge announces: the thing
                LOOP
          - for each person in claimant:
              - judge announces: the person
                PERSON
      - phase: two
        steps:
          - if IF:
              - judge announces: it is so
          - else:
              - judge announces: it is not so
events:
  sudden:
    title: Sudden
    EVENT
    steps:
      - judge announces: what has come
"""
# Where the condition stands -> what it calls the value; the case in which the value stands alone on its line.
PLACES = {
    "IF": ("matter.flag", "matter:\n  flag: VALUE\n"),
    "STEP": ("matter.flag", "matter:\n  flag: VALUE\n"),
    "PHASE": ("flag", "flag: VALUE\n"),
    "STAGE": ("flag", "flag: VALUE\n"),
    "EVENT": ("matter.flag", "matter:\n  flag: VALUE\n"),
    "HELD": ("matter.flag", "matter:\n  flag: VALUE\n"),
    "ABSENT": ("one.away", "people:\n  claimant:\n    - id: A\n      name: Ann\n      away: VALUE\n"),
    "LOOP": ("thing.flag", "goods:\n  - id: G\n    flag: VALUE\n"),
    "AMENDED": ("thing.flag", "later:\n  - id: G\n    flag: VALUE\n"),
    "PERSON": ("person.flag", "people:\n  claimant:\n    - id: A\n      name: Ann\n      flag: VALUE\n"),
    "ROW": ("flag", "flag: VALUE\n"),
}
FRAMES = {
    "IF": "{0}", "STEP": "when: {0}", "PHASE": "when: {0}", "STAGE": "when: {0}", "LOOP": "when: {0}",
    "PERSON": "when: {0}", "EVENT": "whenever: {0}", "HELD": ', when: "{0}"', "ABSENT": ', absent if: "{0}"',
    "ROW": "if {0}",
}  # fmt: skip
YES_OR_NO = ("yes", "no", "是", "否", "Yes", "NO", " yes ", "true", "false", "TRUE")
NEITHER = (
    "Y", "y", "N", "1", "0", "√", "×", "✓", "Yes.", "Yes!", "yes, partly", "yess", "ye s", "yes yes", "ja", "oui", "si",
    "有", "没有", "对", "是的", "不是", "是。", "未", "已", "on", "off", "ok", "T", "F", "是/否", "n/a", "-", "?",
    "ＹＥＳ１",
)  # fmt: skip


@cache
def spec(place: str, condition: str, locale: str = "en") -> Procedure:
    where = "LOOP" if place == "AMENDED" else place
    text = SPEC.replace("LOCALE", locale)
    for name, frame in FRAMES.items():
        blank = "lw" if name == "IF" else ""
        text = text.replace(name, frame.format(condition) if name == where else blank.replace("lw", "judge is present"))
    if where != "EVENT":
        text = text[: text.index("events:")]
    linked = link(MemorySources({"asked.yaml": text}), "asked.yaml")
    assert linked.procedure is not None, [diagnostics.message(one, "en") for one in linked.problems]
    return linked.procedure


def bound(procedure: Procedure, case: str, **more: object) -> tuple[Case | None, tuple[Diagnostic, ...]]:
    data, problems = parse_data("c.yaml", f"lw: 1\ncase: c\n{case}")
    assert data is not None, problems
    return bind(procedure, data, record=None, **{"binding": None, "settings": {}, **more})  # type: ignore[arg-type]


def told(problems: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    return [one for one in problems if one.code in ("LW302", "LW303", "LW304", "LW305")]


def draws(count: int) -> list[tuple[str, str, str, str]]:
    values = [*YES_OR_NO, *NEITHER]
    values += ["".join(CHANCE.choices("yYnN01是否有无√×.。 eso", k=CHANCE.randint(1, 4))) for _ in range(count)]
    found = []
    for value in values:
        place = CHANCE.choice(list(PLACES))
        said = CHANCE.choice(("yes", "no", "是", "否"))
        found.append((place, CHANCE.choice(("{0} is ", "{0} is not ")) + said, CHANCE.choice(("en", "zh")), value))
    return found


@pytest.mark.parametrize(("place", "asks", "locale", "value"), draws(60))
def test_what_is_asked_for_yes_or_no_is_one_or_is_refused(place: str, asks: str, locale: str, value: str) -> None:
    name, case = PLACES[place]
    procedure = spec(place, asks.format(name), locale)
    case = case.replace("VALUE", f'"{value}"')
    made, problems = bound(procedure, case)
    found = told(problems)
    if truth(value) is not None or not value.strip():
        assert not found
        return
    line = next(number for number, text in enumerate(f"lw: 1\ncase: c\n{case}".splitlines(), 1) if f'"{value}"' in text)
    assert {(one.code, one.span.line) for one in found} == {("LW302", line)}
    assert made is None
    for one in found:
        for language in ("en", "zh"):
            words = diagnostics.message(one, language) + diagnostics.repair(one, language)
            assert " ".join(value.split()) in words and ("yes" in words)


@pytest.mark.parametrize("place", PLACES)
def test_each_place_of_a_condition_is_asked(place: str) -> None:
    name, case = PLACES[place]
    assert told(bound(spec(place, f"{name} is yes"), case.replace("VALUE", "Y"))[1])
    assert not told(bound(spec(place, f"{name} is yes"), case.replace("VALUE", "yes"))[1])


@pytest.mark.parametrize("value", ["yes", "no", "是", "否", "True", "partly", "in part"])
def test_every_value_that_is_let_pass_is_read_as_it_says(value: str) -> None:
    """What is no yes or no is let pass only where the procedure asks for that very word too."""
    also = "matter.flag is yes or matter.flag is partly or matter.flag is in_part"
    procedure = spec("IF", also)
    made, problems = bound(procedure, PLACES["IF"][1].replace("VALUE", value))
    if value == "in part":
        assert [one.code for one in told(problems)] == ["LW302"]
        return
    assert made is not None and not told(problems)
    step = next(step for step in walk(procedure.stages[0].phases[1].steps) if step.conditions)
    now = EvalContext(CaseState({}, {}, ""), made, {})
    assert holds(step.conditions[0], now) == (truth(value) is not False)


FIGURES = {
    "3": True, "3.5": True, "three": False, "about 3": False, "3-4": False, "n/a": False, "5,000": True,
    "£1,650": True, "80 km": True, "2024-05-06": True, "soon": False, "三十": True, "五万元": True, "1.000.0": False,
}  # fmt: skip


@pytest.mark.parametrize(("value", "read"), FIGURES.items())
@pytest.mark.parametrize("asks", ["matter.flag at least 2", "matter.flag at most 9", "matter.flag is 3"])
def test_what_is_compared_as_a_number_and_is_none_is_told(value: str, read: bool, asks: str) -> None:
    made, problems = bound(spec("IF", asks), f'matter:\n  flag: "{value}"\n')
    found = told(problems)
    assert made is not None
    assert bool(found) != read
    assert {(one.code, one.span.line, one.severity) for one in found} <= {("LW303", 4, "warning")}


WORDS = {
    "admitted": True, "rejected": True, "Admitted.": False, "admited": False, "withdrawn": False, "采信": False,
    "admitted ": True, "": True, "adm itted": False,
}  # fmt: skip


@pytest.mark.parametrize(("value", "read"), WORDS.items())
def test_a_word_that_no_condition_asks_for_is_told_where_several_are_asked_for(value: str, read: bool) -> None:
    procedure = spec("LOOP", "thing.flag is admitted or thing.flag is rejected")
    _, problems = bound(procedure, f'goods:\n  - id: G\n    flag: "{value}"\n')
    found = told(problems)
    assert bool(found) != read
    assert all("admitted, rejected" in diagnostics.message(one, "en") for one in found)


@pytest.mark.parametrize("value", ["Labour", "labour.", "Labor", "LABOUR "])
def test_nearly_the_one_word_that_is_asked_for_is_told(value: str) -> None:
    _, problems = bound(spec("IF", "matter.flag is labour"), f'matter:\n  flag: "{value}"\n')
    assert [one.nearest for one in told(problems)] == ["labour"]


@pytest.mark.parametrize("value", ["contract", "a long story about the sale of goods", "买卖合同"])
def test_another_word_than_the_one_that_is_asked_for_is_taken_as_it_is(value: str) -> None:
    assert not told(bound(spec("IF", "matter.flag is labour"), f'matter:\n  flag: "{value}"\n')[1])


NOTHING = ("N", "none", "None.", "n/a", "N/A", "nil", "-", "—", "/", "×", "✗", "0", "无", "没有", "（无）", "暂无", "x")


@pytest.mark.parametrize("value", NOTHING)
@pytest.mark.parametrize("asks", ["matter.flag", "matter.flag is empty", "not matter.flag", "matter.flag is not empty"])
def test_a_word_for_nothing_is_told_where_it_is_asked_whether_there_is_something(value: str, asks: str) -> None:
    _, problems = bound(spec("IF", asks), f'matter:\n  flag: "{value}"\n')
    assert [(one.code, one.span.line) for one in told(problems)] == [("LW305", 4)]


@pytest.mark.parametrize("value", ["IOU", "Ann", "no more than 5", "张三", "yes", "no", "否", "Nothing was paid"])
def test_a_text_is_something(value: str) -> None:
    """A no is none for a name alone, as the language has it."""
    assert not told(bound(spec("IF", "matter.flag"), f'matter:\n  flag: "{value}"\n')[1])


def test_a_value_of_a_command_and_of_foreign_data_is_read_by_the_same_reader() -> None:
    procedure = spec("IF", "matter.flag is yes")
    made, problems = bound(procedure, "matter:\n  flag: yes\n", settings={"matter.flag": "Y"})
    assert made is None and [one.code for one in told(problems)] == ["LW302"]
    assert bound(procedure, "matter:\n  flag: Y\n", settings={"matter.flag": "yes"})[0] is not None

    text = "lw: 1\nbinding: far\nprocedure: asked\nrecords: $[*]\nfields:\n  matter: {flag: $.f}\n"
    binding, faults = load_binding(MemorySources({"far.yaml": text}), "far.yaml", procedure)
    assert binding is not None, [diagnostics.message(one, "en") for one in faults]
    data, _ = parse_data("far.json", '[{"f": "Y"}]')
    made, problems = bind(procedure, data, record=1, binding=binding, settings={})
    assert made is not None
    assert [(one.code, one.severity) for one in told(problems)] == [("LW302", "warning")]


# ---- days that the calendar has not, in the middle of a text ---------------------------------------------------------

NO_DAYS = (
    "2024年4月31日",
    "2023年2月29日",
    "二〇二四年四月三十一日",
    "31 April 2024",
    "February 30, 2024",
    "2024-06-31",
    "2023/2/29",
)
DAYS = (
    *("2024年4月30日", "2024年2月29日", "30 April 2024", "2024-06-30"),
    *("0755-26-12", "2024-45-99", "（2024）江民初4月", "2024年", "31 April", "案号2024-04-3100"),
)


@pytest.mark.parametrize("day", [*NO_DAYS, *DAYS])
@pytest.mark.parametrize("around", ["{}", "于{}签收，次日还款", "Paid on {} in cash", "（{}）"])
def test_a_day_that_no_calendar_has_is_told_wherever_it_stands(day: str, around: str) -> None:
    case = f'matter:\n  extra: "{around.format(day)}"\n'
    made, problems = bound(spec("IF", "matter.flag is yes"), case)
    found = [one for one in problems if one.code == "LW309"]
    assert made is not None
    assert [(one.span.line, one.values["found"]) for one in found] == ([(4, day)] if day in NO_DAYS else [])
