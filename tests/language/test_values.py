"""One reading for a value, wherever it comes from: numbers by the marks of a language, yes and no in both, days."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neighbours import played

from legalworld.figures.sums import read_sum
from legalworld.language.dates import written
from legalworld.language.sentences.quantities import amount
from legalworld.language.values import same
from legalworld.model.events import Captured, Request, Spoke
from legalworld.model.numbers import readings

GROUPS = {"en": (",", "."), "zh": (",", "."), "de": (".", ","), "fr": (" ", ","), "it": (".", ","), "ch": ("'", ".")}
MONEY = ("{} EUR", "€{}", "{} euros", "{}€", "EUR {}", "$ {}", "US${}", "{} dollars", "£{}")


def grouped(number: int, mark: str) -> str:
    return f"{number:,}".replace(",", mark)


@given(st.integers(0, 10**9), st.integers(0, 99), st.sampled_from([*GROUPS]), st.sampled_from(MONEY))
def test_a_sum_with_cents_is_read_as_it_was_written(whole: int, cents: int, locale: str, form: str) -> None:
    """In the marks of any language, whatever the language of the procedure is: two places are cents."""
    group, point = GROUPS[locale]
    text = form.format(f"{grouped(whole, group)}{point}{cents:02}")
    for reader in ("en", "zh", "de", "xx"):
        found = readings(text, reader)
        assert [Decimal(one.value) for one in found] == [Decimal(f"{whole}.{cents:02}")], (text, reader, found)
        assert found[0].currency


@given(st.integers(1, 999), st.integers(0, 999), st.sampled_from([",", "."]))
def test_three_places_behind_a_mark_go_by_the_language_or_are_refused(left: int, right: int, mark: str) -> None:
    text = f"{left}{mark}{right:03}"
    thousands, places = Decimal(left * 1000 + right), Decimal(f"{left}.{right:03}")
    for locale, group in (("en", ","), ("zh", ","), ("de", ".")):
        (one,) = readings(text, locale)
        assert Decimal(one.value) == (thousands if mark == group else places)
        money = {Decimal(found.value) for found in readings(f"{text} EUR", locale)}
        assert money == ({thousands} if mark == group else {thousands, places})  # money has no three places
    assert {Decimal(found.value) for found in readings(text, "xx")} == {thousands, places}
    assert amount(text, "xx") is None or thousands == places


@pytest.mark.parametrize(
    "text", ["1万元", "20k", "$80m", "80至90元", "第3次报价80", "1.2.3", "", "many", "3 or 4", "2 million"]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert not [found for locale in GROUPS for found in readings(text, locale)]


@pytest.mark.parametrize(
    ("dash", "locale"), list(product(("-", "--", "\u2013", "\u2014"), ("en", "zh", "de", "fr", "xx")))
)
def test_a_dash_may_stand_for_the_cents(dash: str, locale: str) -> None:
    """A sum of so many thousands is never so many and a fraction, whatever stands around it."""
    for sum_, whole in (("14.200,{}", 14200), ("14,200.{}", 14200), ("500,{}", 500), ("1.000.000,{}", 1000000)):
        for around in ("{}", "{} EUR", "EUR {}", "€{}", "{} euros"):
            found = readings(around.format(sum_.format(dash)), locale)
            assert [Decimal(one.value) for one in found] == [whole], (around, sum_)
    assert not readings(f"3,{dash}4", locale)


def test_a_sum_is_read_with_its_currency() -> None:
    found = [read_sum(word) for word in ("€14,200", "4.200,00 EUR", "$ 1,000.50", "5")]
    assert found == [Decimal("14200"), Decimal("4200.00"), Decimal("1000.50"), Decimal("5")]


@pytest.mark.parametrize(("one", "other"), list(product(("是", "yes", "true", "Yes"), ("是", "yes", "true"))))
def test_yes_is_yes_in_both_languages(one: str, other: str) -> None:
    assert same(one, other, "zh")
    assert not same(one, "否", "zh")
    assert not same(one, "no", "en")


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)))
def test_a_day_is_the_same_in_every_form(day: date) -> None:
    forms = [day.isoformat(), written(day, "en"), written(day, "zh")]
    assert all(same(one, other, "en") for one in forms for other in forms)


# ---- in a procedure --------------------------------------------------------------------------------------------------
HEADS = {
    "en": "lw: 1\nprocedure: v\ntitle: V\nlocale: en\ncase: {away: {path: $.away}}\nkinds: {J: judge}\n"
    "roles: {judge: {title: Judge, kind: judge}}\n",
    "zh": "语言版本: 1\n流程: v\n标题: 值\n案件: {away: {路径: $.away}}\n类别: {J: judge}\n"
    "角色: {judge: {标题: 法官, 种类: judge}}\n",
}
VALUES = {
    "是": "yes",
    "yes": "yes",
    "true": "yes",
    "否": "no",
    "no": "no",
    "false": "no",
    "50,000": "50000",
    "50000元": "50000",
}


ASKED = [one for one in product(HEADS, VALUES, ("是", "yes", "否", "no", "50000")) if "50000" not in VALUES[one[1]]]
"""A number where a yes or no is asked for is refused with the case."""
ASKED += [(locale, given, "50000") for locale in HEADS for given in ("50,000", "50000元")]


@pytest.mark.parametrize(("locale", "given_as", "asked_as"), ASKED)
def test_a_field_is_what_a_condition_asks_whichever_way_both_are_written(
    locale: str, given_as: str, asked_as: str
) -> None:
    text = HEADS[locale] + (
        "stages:\n  - stage: c\n    title: C\n    steps:\n      - judge announces: x\n        id: there\n"
        f"      - judge announces: x\n        id: held\n        when: away is {asked_as}\n"
    )
    game = played(text, f"lw: 1\ncase: c\ntitle: t\naway: {given_as}\n")
    held = any(event.place == "c/held" for event in game.of(Spoke))
    assert held == (VALUES[given_as] == VALUES.get(asked_as, asked_as))


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ("4.200,00 EUR", "EUR 4200.00"),
        ("12,5", "12.5"),
        ("14,200 euros", "EUR 14200"),
        ("€14,200", "€14200"),
        ("80 km", "80"),
    ],
)
def test_an_answer_keeps_its_number_and_its_currency(reply: str, kept: str) -> None:
    text = HEADS["en"] + (
        "stages:\n  - stage: c\n    title: C\n    steps:\n      - judge notes: x\n        answer: due is number\n"
        "      - judge announces: x\n        id: held\n        when: due at least 10\n"
    )
    game = played(
        text, "lw: 1\ncase: c\ntitle: t\naway: x\n", lambda request: f"<<due: {reply}>>" if request.form.answer else "x"
    )
    (captured,) = game.of(Captured)
    assert captured.value == kept
    assert any(event.place == "c/held" for event in game.of(Spoke))


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_number_that_can_be_read_in_two_ways_is_asked_again_with_both(locale: str) -> None:
    text = HEADS[locale] + (
        "stages:\n  - stage: c\n    title: C\n    steps:\n      - judge notes: x\n        answer: due is number\n"
    )
    replies = iter(["<<due: 4.200 EUR>>", "<<due: 4200 EUR>>"])

    def say(request: Request) -> str:
        return next(replies)

    game = played(text, "lw: 1\ncase: c\ntitle: t\naway: x\n", say)
    again = game.task(game.requests[1])
    assert "4.200" in again
    assert "4200" in again
    (captured,) = game.of(Captured)
    assert captured.value == "EUR 4200"
