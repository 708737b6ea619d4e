"""What a procedure says of decisions by norms, and who goes by them: the shipped one with one thing changed."""

from __future__ import annotations

import pytest
from watching import SPEC, civil, linked, shipped, templates

from legalworld.checking.check import check
from legalworld.language.link.linker import link
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet

TRIAL = "specs/parts/civil-trial.yaml"


def problems_with(home: str, text: str) -> list[Diagnostic]:
    return [one for one in check(civil(), templates({home: text})) if one.span.file == home]


def codes(problems: list[Diagnostic]) -> set[str]:
    return {one.code for one in problems}


def test_the_shipped_procedure_has_none_of_these_problems() -> None:
    assert not isinstance(linked(), tuple)
    assert {"LW950", "LW951", "LW952"} & {one.code for one in check(civil(), templates({}))} == set()


@pytest.mark.parametrize("home", ["prompts/zh/civil/act/draft.pronounce.j2", "prompts/zh/civil/who/judge.j2"])
def test_no_prompt_of_a_model_reads_what_norms_decide(home: str) -> None:
    text = shipped()[home] + "{% for one in decided.orders %}{{ one.amount }}{% endfor %}"
    assert "LW950" in codes(problems_with(home, text))


@pytest.mark.parametrize("name", ["cm", "en-x", "规范"])
def test_norms_that_are_not_there_are_told_where_they_are_named(name: str) -> None:
    text = shipped()[TRIAL].replace("norms: cn    #", f"norms: {name}    #")
    sources = MemorySources({**shipped(), TRIAL: text})
    procedure = link(sources, SPEC).procedure
    assert procedure is not None
    found = [one for one in check(procedure, TemplateSet.of(sources, procedure)) if one.code == "LW951"]
    assert [(one.span.file, one.values["name"]) for one in found] == [(TRIAL, name)]


@pytest.mark.parametrize(
    "test",
    [
        '{% if "驳回" in (known.award | map(attribute="value") | list | last | join) %}x{% endif %}',
        '{% for one in heard if "同意" in one.text %}x{% endfor %}',
        '{% for one in known.findings if one.value == "没有" %}x{% endfor %}',
        '{% for one in known.disputes | map(attribute="value") | flat | select("contains", "时效") %}x{% endfor %}',
        '{% if "拒不到庭" in known.first_judgment %}x{% endif %}',
    ],
)
def test_who_decides_goes_by_no_words_of_others(test: str) -> None:
    home = (
        "prompts/zh/civil/offline/note.award.j2" if "judgment" not in test else "prompts/zh/civil/offline/note.weigh.j2"
    )
    assert "LW952" in codes(problems_with(home, shipped()[home] + test))


@pytest.mark.parametrize(
    "test",
    [
        '{% for one in known.decision if one.value == "支持" %}x{% endfor %}',
        '{% for one in known.claims if one.kind == "给付" %}x{% endfor %}',
        '{% if step.answer.id == "award" %}x{% endif %}',
        "{% for one in decided.orders %}x{% endfor %}",
    ],
)
def test_closed_answers_and_fields_may_be_tested(test: str) -> None:
    home = "prompts/zh/civil/offline/note.award.j2"
    assert "LW952" not in codes(problems_with(home, shipped()[home] + test))


def test_who_only_speaks_may_go_by_words() -> None:
    home = "prompts/zh/civil/offline/announce.pronounce.j2"
    text = shipped()[home] + '{% for one in heard if "同意" in one.text %}x{% endfor %}'
    assert "LW952" not in codes(problems_with(home, text))


PROPOSAL = "prompts/zh/civil/offline/answer.willing.j2"


@pytest.mark.parametrize(
    "test",
    [
        '{% for one in heard if "同意" in one.text %}x{% endfor %}',
        '{% for one in own.goal if "让步" in one.value.concession %}x{% endfor %}',
        '{% if "驳回" in (me.party.name ~ last.text) %}x{% endif %}',
        '{% for one in known.claims if one.text == "还钱" %}x{% endfor %}',
        '{% for one in known.claims | selectattr("text", "contains", "还") %}x{% endfor %}',
    ],
)
def test_whoever_gives_an_answer_goes_by_no_words(test: str) -> None:
    assert "LW952" in codes(problems_with(PROPOSAL, shipped()[PROPOSAL] + test))


@pytest.mark.parametrize(
    "test",
    [
        '{% for one in heard if one.text | says("申请") %}x{% endfor %}',
        '{% for one in heard if one.act == "ask" and not one.mine %}x{% endfor %}',
        "{% for one in own.parties if one.side == me.side %}x{% endfor %}",
        '{% for one in known.claims | selectattr("text", "eq", step.item) %}x{% endfor %}',
    ],
)
def test_what_is_closed_or_listed_may_be_tested_by_him(test: str) -> None:
    assert "LW952" not in codes(problems_with(PROPOSAL, shipped()[PROPOSAL] + test))


@pytest.mark.parametrize("kind", ["", "type: text", "type: {choices: [甲, 乙]}", "type: yes or no", "type: date"])
def test_a_value_of_the_case_may_be_tested_where_its_type_is_closed(kind: str) -> None:
    spec = "specs/parts/civil-case.yaml"
    home = "prompts/zh/civil/offline/note.award.j2"
    case = shipped()[spec]
    line = next(one for one in case.splitlines() if one.lstrip().startswith("matter:"))
    path = "$.first.strange"
    new = f'  strange: {{title: 某事, path: "{path}"{", " + kind if kind else ""}}}\n'
    changed = {**shipped(), spec: case.replace(line, new + line)}
    changed[home] += '{% if known.strange == "甲" %}x{% endif %}'
    sources = MemorySources(changed)
    procedure = link(sources, SPEC).procedure
    assert procedure is not None
    found = [one for one in check(procedure, TemplateSet.of(sources, procedure)) if one.code == "LW952"]
    assert bool(found) is (kind in ("", "type: text"))
