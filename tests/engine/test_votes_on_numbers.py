"""A panel votes on a number: what comes of it is the median, the mean, or the number that enough of them name.

Neighbours: one to five voters, whole sums and fractions, four kinds of answers, both locales, one currency and two,
somebody who says nothing; reckoned here by hand with fractions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from neighbours import opened, played

from legalworld.model import events as e
from legalworld.model.votes import Voted

SPEC = """\
lw: 1
procedure: panel
title: Panel
locale: {locale}
kinds: {{J: judge}}
roles:
  arbiter: {{title: Arbiter, kind: judge, persons: {count}}}
  clerk: {{title: Clerk, kind: judge}}
{declared}visibility: |
  | field | court |
  |-------|-------|
  | award | J     |
stages:
  - stage: court
    title: Court
    steps:
      - arbiter vote: how much
        answer: award{form}
        carried by: {how}
      - clerk announces: much
        when: award at least 100
"""
KINDS = {  # form, declaration, how a number is said, how it is kept
    "number": (" is number", "", "{}", "{}"),
    "money": (" is number", "", "£{}", "£{}"),
    "amount": ("", "answers:\n  award: {type: amount, currency: CHF}\n", "CHF {}", "{}"),
    "rate": ("", "answers:\n  award: {type: rate}\n", "{}%", "{}"),
}
SUMS = [
    ("700",),
    ("90", "120"),
    ("100", "100", "250"),
    ("10", "20", "30", "100"),
    ("0", "12.5", "99.99", "100", "300"),
    ("1", "1", "2"),
]
HOW = {"median": ("median", "中位数"), "mean": ("mean", "平均数"), "most": ("most", "多数")}


def outcome(kind: str, how: str, said: tuple[str, ...]) -> tuple[Fraction | None, str]:
    values = sorted(map(Fraction, said))
    middle = len(values) // 2
    if how == "median":
        value = values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2
    elif how == "mean":
        value = sum(values, Fraction()) / len(values)
    else:
        most = max(values, key=values.count)
        return (most, kind) if values.count(most) * 2 > len(values) else (None, kind)
    cents = value * 100
    whole = cents.numerator // cents.denominator + (cents % 1 >= Fraction(1, 2))
    return Fraction(whole, 100), kind


@pytest.mark.parametrize(("locale", "kind"), [*product(("en", "zh"), KINDS)])
def test_a_number_comes_of_the_votes(locale: str, kind: str) -> None:
    form, declared, spoken, kept = KINDS[kind]
    for how, said in product(HOW, SUMS):
        word = HOW[how][locale == "zh"]
        spec = SPEC.format(locale=locale, count=len(said), declared=declared, form=form, how=word)
        assert opened(spec).procedure is not None, opened(spec).problems
        waiting = [f"<<award: {spoken.format(one)}>>" for one in said]

        def say(request: e.Request, waiting: list[str] = waiting) -> str:
            return waiting.pop(0) if request.form.answer is not None else "much"

        game = played(spec, "lw: 1\ncase: c\n", say)
        (voted,) = [one for one in game.events if isinstance(one, Voted)]
        value, _ = outcome(kind, how, said)
        empty = kept.format("")
        assert (voted.result == "") == (value is None), (how, said, voted)
        if value is not None:
            assert voted.result.startswith(empty) and Fraction(voted.result.removeprefix(empty)) == value, (how, said)
        much = any(isinstance(one, e.Spoke) and one.speaker == "Clerk" for one in game.events)
        assert much == (value is not None and value >= 100), (how, said)


@pytest.mark.parametrize("how", ["median", "mean"])
def test_two_currencies_and_silence(how: str) -> None:
    spec = SPEC.format(locale="en", count=3, declared="", form=" is number\n        default: 60", how=how)
    between = "£20" if how == "median" else "£23.33"
    for said, result in {("£10", "€10", "£10"): "", ("£10", "£20", "£40"): between, ("10", "20", ""): "15"}.items():
        waiting = {f"arbiter-{number}": word for number, word in enumerate(said, 1)}

        def say(request: e.Request, waiting: dict[str, str] = waiting) -> str:
            word = waiting.get(request.person, "")
            return f"<<award: {word}>>" if word else "I cannot say."

        game = played(spec, "lw: 1\ncase: c\n", say)
        (voted,) = [one for one in game.events if isinstance(one, Voted)]
        assert voted.result == result, said  # a vote that is not given is no vote, whatever silence counts as
