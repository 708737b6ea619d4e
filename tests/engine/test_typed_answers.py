"""What is answered is read once, as the type that is declared for it: kept as written and as a value, or asked again.

Neighbours: types, currencies, locales, ways to write the same, values that do not fit; both languages of the spec.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, codes, neutral, played

from legalworld.model.captured import Captured
from legalworld.model.events import Request, Spoke, Violated

SPEC = """\
lw: 1
procedure: typed
title: Typed
locale: {locale}
case:
  claims:
    path: "$.claims[*]"
    each: claim
    keys: [text, amount]
    types: {{amount: {{type: amount, currency: {currency}}}}}
kinds: {{J: judge, P: party}}
roles:
  judge: {{title: Judge, kind: judge}}
  party: {{title: Party, kind: party}}
answers:
  award: {declared}
documents: {{order: {{title: Order}}}}
visibility: |
  | field  | court |
  |--------|-------|
  | claims | J P   |
  | award  | J P   |
stages:
  - stage: court
    title: T
    steps:
      - judge notes: how much
        id: note
        answer: award
      - judge announces: x
        id: held
        when: {condition}
      - party states: x
        id: last
"""
CASE = "lw: 1\ncase: c\nclaims: [{text: t, amount: 1000}]\n"
SHOWN = "{% for a in known.award %}[{{ a.value }}|{{ a.value | as_written }}]{% endfor %}"
ORDER = {"prompts/{}/typed/act/state.last.j2": SHOWN}


def play(
    declared: str, said: list[str], *, locale: str = "en", currency: str = "CHF", condition: str = "award"
) -> Game:
    opening, closing = ("【", "】") if locale == "zh" else ("<<", ">>")
    left = list(said)

    def say(request: Request) -> str:
        return f"{opening}award: {left.pop(0)}{closing}" if request.form.answer is not None else "word"

    spec = SPEC.format(locale=locale, currency=currency, declared=declared, condition=condition)
    english = {path.removeprefix("prompts/en/"): text for path, text in neutral().items() if "/en/" in path}
    more = {f"prompts/{locale}/{path}": text for path, text in english.items()} if locale not in ("en", "zh") else {}
    more |= {path.format(locale): text for path, text in ORDER.items()}
    game = played(spec, CASE, say, more=more)
    assert not left, "not asked again"
    return game


def kept(game: Game) -> Captured:
    return game.of(Captured)[0]


def shown(game: Game) -> str:
    return game.task(game.said("last")[0])


FITS = {
    ("{type: amount, currency: CHF}", "en"): {
        "500": "500",
        "CHF 500": "500",
        "CHF 1,250.50": "1250.50",
        "500 francs": "500",
    },
    ("{type: amount, currency: EUR}", "de"): {"1.250,50 EUR": "1250.50", "€ 500": "500", "500,00": "500"},
    ("{type: amount, currency: CNY}", "zh"): {"5万元": "50000", "壹佰万元": "1000000", "500.5元": "500.50"},
    ("amount", "en"): {"£500": "GBP 500", "EUR 12,000": "EUR 12000"},
    ("rate", "en"): {"8%": "8", "1.5% a month": "18", "15.4": "15.4"},
    ("rate", "de"): {"1,125 %": "1.125", "8": "8"},
    ("number", "de"): {"1,125": "1.125", "80": "80"},
    ("date", "en"): {"6 May 2024": "6 May 2024", "2024-05-06": "6 May 2024"},
    ("date", "zh"): {"2024-05-06": "2024年5月6日", "2024年5月6日": "2024年5月6日"},
    ("yes or no", "en"): {"yes": "yes"},
}
UNFIT = {
    ("{type: amount, currency: CHF}", "en"): ["£500", "about 500", "-5", "4.250 CHF"],
    ("{type: amount, currency: CNY}", "zh"): ["500美元", "大约五百", "5至6万元"],
    ("date", "en"): ["31 April 2024", "5/6/2024", "soon"],
    ("rate", "en"): ["high", "-3%"],
}


@pytest.mark.parametrize(("declared", "locale"), FITS)
def test_what_fits_is_kept_as_written_and_as_a_value(declared: str, locale: str) -> None:
    for said, value in FITS[declared, locale].items():
        game = play(declared, [said], locale=locale)
        event = kept(game)
        assert (event.value, event.source) == (value, "reply"), said
        assert str(event.said) == value
        assert f"[{value}|{said}]" in shown(game) or declared == "yes or no", (said, shown(game))
        again = type(event).model_validate_json(event.model_dump_json())
        assert again == event and type(again.said) is type(event.said)


@pytest.mark.parametrize(("declared", "locale"), UNFIT)
def test_what_does_not_fit_is_asked_again_with_what_is_wrong(declared: str, locale: str) -> None:
    good = next(iter(FITS[declared, locale]))
    for said in UNFIT[declared, locale]:
        game = play(declared, [said, good], locale=locale)
        assert kept(game).value == FITS[declared, locale][good], said
        assert [one.rule for one in game.of(Violated)] == ["no_answer"], said
        again = game.task(game.said("note")[1])
        assert "award" in again and "no_answer" not in again and "other_currency" not in again, again


def test_conditions_compare_the_value_in_every_locale() -> None:
    """A point stays a point where the language writes a comma; no sum compares with one of another currency."""
    for locale, (bound, holds) in product(("en", "de", "fr", "zh"), ((1, True), (2, False), (1000, False))):
        said = "1.125" if locale in ("en", "zh") else "1,125"
        for declared in ("rate", "number"):
            game = play(declared, [said], locale=locale, condition=f"award at least {bound}")
            assert ("held" in {place for one in game.of(Spoke) for place in one.place.split("/")}) == holds, (
                locale,
                bound,
            )


def test_what_is_compared_with_another_currency_is_told_at_the_check() -> None:
    for one, other in product(("CHF", "GBP", "CNY"), repeat=2):
        spec = SPEC.format(
            locale="en", currency=one, declared=f"{{type: amount, currency: {other}}}", condition="award"
        )
        inner = "      - for each claim in claims:\n          - judge announces: x\n"
        inner += "            when: claim.amount at most award\n"
        spec = spec.replace("      - party states", inner + "      - party states")
        assert ("LW989" in codes(spec)) == (one != other)


def told(declared: str, answer: str = "award", more: str = "") -> list[str]:
    spec = SPEC.format(locale="en", currency="CHF", declared=declared, condition="award")
    found = codes(spec.replace("answer: award\n", f"answer: {answer}\n{more}"))
    return [code for code in found if code != "LW095"]  # all of what the other neighbours use stands in the project


def test_what_no_answer_can_be_and_what_says_its_form_twice_is_told() -> None:
    for declared in ("choice", "{type: reference}"):
        assert "LW576" in told(declared), declared
    for declared, form in product(("amount", "date", "rate"), ("text", "list", "one of A, B", "yes or no")):
        assert "LW577" in told(declared, f"award is {form}"), (declared, form)
    assert not told("amount", "award is number")


def test_a_default_is_read_as_the_answer_is() -> None:
    defaults = {"CHF 500": None, "500": None, "£500": "LW761", "much": "LW754", "4.250 CHF": "LW759"}
    for default, code in defaults.items():
        found = told("{type: amount, currency: CHF}", more=f"        default: {default}\n")
        assert (found == []) if code is None else (code in found), (default, found)
