"""A template that compares a typed value of the case with a word as which it is never kept: told in every language, for
every way to write the comparison; and what it does compare with, holds, however the case writes the value."""

from __future__ import annotations

import pytest

from legalworld.checking.check import check
from legalworld.language.link.linker import link
from legalworld.language.sentences.keywords import _TRUTHS
from legalworld.language.typed_values import yes_and_no
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet

LOCALES = ("zh", "en")
FORMS = (
    '{%% if known.paid == "%s" %%}x{%% endif %%}',
    '{%% if known.paid != "%s" %%}x{%% endif %%}',
    '{%% if "%s" == known.paid %%}x{%% endif %%}',
    '{%% if known.paid in ["%s", "KEPT"] %%}x{%% endif %%}',
    '{{ "x" if known.paid == "%s" and known.paid else "y" }}',
)
SPEC = """lw: 1
procedure: demo
title: Demo
locale: LOCALE
kinds: {C: clerk}
roles:
  clerk: {title: Clerk, kind: clerk}
case:
  paid: {title: Paid, path: $.paid, TYPE}
visibility: |
  | field | desk |
  |-------|------|
  | paid  | C    |
stages:
  - stage: desk
    title: Desk
    steps:
      - clerk states: whether it was paid
        id: tell
"""


def told(template: str, kind: str = "type: yes or no", locale: str = "zh", folder: str = "act") -> list[Diagnostic]:
    path = f"prompts/{'zh' if locale == 'zh' else 'en'}/demo/{folder}/state.tell.j2"
    spec = SPEC.replace("LOCALE", locale).replace("TYPE", kind)
    sources = MemorySources({"specs/demo.yaml": spec, path: template})
    procedure = link(sources, "specs/demo.yaml").procedure
    assert procedure is not None
    found = check(procedure, TemplateSet.of(sources, procedure))
    return [one for one in found if one.code == "LW425" and one.span.file == path]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("folder", ["act", "offline"])
def test_yes_and_no_in_other_words(locale: str, form: str, folder: str) -> None:
    kept = yes_and_no(locale)
    words = {"yes", "no", "是", "否", "Yes", "true", "有", "已付", *_TRUTHS} - set(kept)
    for word in sorted(words):
        (problem,) = told(form.replace("KEPT", kept[0]) % word, locale=locale, folder=folder)
        assert problem.values["word"] == word and problem.values["known"] == kept
    for word in kept:
        assert told(form.replace("KEPT", kept[0]) % word, locale=locale, folder=folder) == []


RECORDS = """lw: 1
procedure: demo
title: Demo
locale: en
kinds: {C: clerk}
roles:
  clerk: {title: Clerk, kind: clerk}
case:
  bills: {title: Bills, path: "$.bills[*]", each: bill, keys: [id, paid], types: {paid: yes or no}}
visibility: |
  | field | desk |
  |-------|------|
  | bills | C    |
stages:
  - stage: desk
    title: Desk
    steps:
      - for each bill in bills:
          - clerk states: whether it was paid
            id: tell
"""


@pytest.mark.parametrize("word", ["yes", "no", "是", "true", "Yes"])
@pytest.mark.parametrize("where", ["step.item.paid", "(known.bills | first).paid"])
def test_a_value_of_a_record(where: str, word: str) -> None:
    path = "prompts/en/demo/act/state.tell.j2"
    template = "{% if " + where + ' == "' + word + '" %}x{% endif %}'
    sources = MemorySources({"specs/demo.yaml": RECORDS, path: template})
    procedure = link(sources, "specs/demo.yaml").procedure
    assert procedure is not None
    found = [one for one in check(procedure, TemplateSet.of(sources, procedure)) if one.code == "LW425"]
    assert bool(found) is (word not in ("yes", "no"))


@pytest.mark.parametrize("word", ["cash", "cheque"])
def test_a_choice(word: str) -> None:
    kind = "type: {choices: [cash, transfer]}"
    assert bool(told('{% if known.paid == "' + word + '" %}x{% endif %}', kind)) is (word == "cheque")


@pytest.mark.parametrize(
    "template",
    [
        "{% if known.paid %}x{% endif %}",
        '{% if known.paid == "" %}x{% endif %}',
        '{% if "is" in known.paid %}x{% endif %}',
        "{{ known.paid }}",
    ],
)
def test_what_is_no_such_comparison_is_not_told(template: str) -> None:
    assert told(template) == []


def test_a_field_without_a_type_may_be_anything() -> None:
    assert told('{% if known.paid == "yes" %}x{% endif %}', "required: no") == []
