"""A sum knows its currency: it is never printed with another's sign, nor added to one of another.

Neighbours: six currencies, each by code, by sign and declared; languages; every filter that reckons, comparisons.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import codes, neutral

from legalworld.model.case import Typed
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateError, TemplateSet

SIGNS = {"CHF": "CHF ", "GBP": "£", "EUR": "€", "CNY": "¥", "USD": "$", "INR": "₹"}
LOCALES = ("en", "de", "fr", "zh")
WAYS = ("declared", "code", "sign")


def written(number: str, currency: str, way: str) -> str:
    if way == "declared":
        return Typed(number, number, currency)
    return f"{currency} {number}" if way == "code" else f"{SIGNS[currency]}{number}"


def shown(text: str, locale: str, **known: str) -> str:
    sources = MemorySources({f"prompts/{locale}/act/x.j2": text})
    return TemplateSet(sources, locale=locale).render(f"prompts/{locale}/act/x.j2", {"known": known})


def of_currency(words: str, currency: str) -> bool:
    """Whether words are a sum of this currency, and of no other of the six."""
    names = {code: (code, sign.strip()) for code, sign in SIGNS.items()}
    return any(name in words for name in names[currency]) and not any(
        name in words for code in names if code != currency for name in names[code]
    )


@pytest.mark.parametrize("locale", LOCALES)
def test_a_sum_is_written_with_its_own_currency_whatever_sign_is_named(locale: str) -> None:
    for currency, sign, way in product(SIGNS, SIGNS.values(), WAYS):
        words = shown(f'{{{{ known.a | money("{sign}") }}}}', locale, a=written("500", currency, way))
        assert of_currency(words, currency), (currency, sign, way, words)


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_reckoned_of_one_currency_stays_one_of_it(locale: str) -> None:
    for currency, first, second in product(SIGNS, WAYS, WAYS):
        known = {"a": written("500", currency, first), "b": written("200", currency, second), "n": "2"}
        for formula, number in (
            ("known.a | plus(known.b)", "700"),
            ("known.a | minus(known.b)", "300"),
            ("known.a | least(known.b)", "200"),
            ("known.a | times(known.n)", "1000"),
            ("known.n | times(known.a)", "1000"),
            ("known.a | over(known.n)", "250"),
            ("known.a | plus(known.b) | plus(known.b)", "900"),
        ):
            words = shown(f'{{{{ {formula} | money("£") }}}}', locale, **known)
            digits = "".join(filter(str.isdigit, words))
            assert (digits, of_currency(words, currency)) == (number, True), (currency, formula, first, second, words)
        assert shown("{{ known.a | over(known.b) }}", locale, **known) == "2.50"


@pytest.mark.parametrize("locale", LOCALES)
def test_sums_of_two_currencies_are_refused_in_words(locale: str) -> None:
    forms = (
        "{{ known.a | plus(known.b) }}",
        "{{ known.a | minus(known.b) }}",
        "{{ known.a | least(known.b) }}",
        "{{ known.a | over(known.b) }}",
        "{{ known.a | times(known.b) }}",
        "{% if known.a > known.b %}x{% endif %}",
        '{{ known.list | map(attribute="n") | total }}',
    )
    for one, other, first, second in product(SIGNS, SIGNS, WAYS, WAYS):
        known = {"a": written("500", one, first), "b": written("200", other, second)}
        known["list"] = ({"n": known["a"]}, {"n": known["b"]})  # type: ignore[assignment]
        form = forms[hash_of(one + other) % len(forms)]
        if one == other:
            continue
        for text in (form, '{{ known.list | map(attribute="n") | total }}'):
            with pytest.raises(TemplateError) as refused:
                shown(text, locale, **known)
            assert refused.value.problems[0].code == "LW578", (text, known)


def hash_of(word: str) -> int:
    """A number of a word, the same on every machine."""
    return sum(map(ord, word))


def test_a_number_without_a_currency_goes_with_any() -> None:
    for currency, way in product(SIGNS, WAYS):
        words = shown("{{ known.a | plus(known.b) | money }}", "en", a=written("500", currency, way), b="5")
        assert "505" in words


SPEC = """\
lw: 1
procedure: sums
title: Sums
locale: en
case:
  one:    {{title: One, path: $.one, type: {{type: amount, currency: {code}}}}}
  claims: {{path: "$.claims[*]", each: claim, keys: [n, sum], types: {{sum: {{type: amount, currency: {code}}}}}}}
kinds: {{J: judge}}
roles:
  judge: {{title: Judge, kind: judge}}
answers:
  award: {{type: amount, currency: {code}}}
visibility: |
  | field  | court |
  |--------|-------|
  | one    | J     |
  | claims | J     |
  | award  | J     |
stages:
  - stage: court
    title: T
    steps:
      - for each claim in claims:
          - judge notes: x
            answer: award
      - judge announces: x
        id: last
"""
PATHS = {
    "a field": '{{{{ known.one | money("{sign}") }}}}',
    "a key": '{{% for c in known.claims %}}{{{{ c.sum | money("{sign}") }}}}{{% endfor %}}',
    "an answer": '{{% for a in known.award %}}{{{{ a.value | money("{sign}") }}}}{{% endfor %}}',
    "what an answer is about": '{{% for a in known.award %}}{{{{ a.item.sum | money("{sign}") }}}}{{% endfor %}}',
}


@pytest.mark.parametrize("path", PATHS)
def test_a_form_with_the_sign_of_another_currency_is_told_at_the_check(path: str) -> None:
    for code, (other, sign) in product(SIGNS, SIGNS.items()):
        page = PATHS[path].format(sign=sign)
        found = codes(SPEC.format(code=code), {**neutral(), "prompts/en/sums/act/announce.last.j2": page})
        assert ("LW579" in found) == (code != other), (code, sign, found)
