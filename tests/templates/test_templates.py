"""Templates: where each is found, what is refused and how that is said, what is read, and what comes out."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from goldens import compare
from jinja2 import Template, UndefinedError, nodes
from jinja2.defaults import DEFAULT_NAMESPACE
from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext
from places import ROOT, TOP_SPECS

from legalworld.files.project_files import Disk
from legalworld.language.link.linker import link
from legalworld.model.case import MISSING, Record, Typed
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.numbers import money
from legalworld.model.source import MemorySources
from legalworld.templates.metered_tree import metered
from legalworld.templates.runtime import Environment
from legalworld.templates.shown import told
from legalworld.templates.syntax import MAX_LENGTH, Page, parse
from legalworld.templates.template_set import TemplateError, TemplateSet
from legalworld.templates.values import MAX_OUTPUT, METER, Meter, RefusedValue
from legalworld.templates.words import LOOP
from legalworld.wording.diagnostics import catalogue, render

FOLDER = Path(__file__).parent / "cases"
BAD = sorted(path.stem for path in FOLDER.glob("*.j2"))
ATTACKS = FOLDER / "attacks.tsv"

HOME = "prompts/zh/x.j2"
ITEM = Record({"name": "借条", "purpose": "证明借贷关系"}, ("name", "purpose", "source"))
NAMES: Mapping[str, Any] = {
    "me": {"title": "原告", "name": "张三", "roles": ("plaintiff", "appellant"), "party": ITEM},
    "step": {"turn": 2, "to": ("被告李四", "被告王五"), "item": MISSING, "item_mine": True, "cue": "核对身份"},
    "own": {
        "facts": ({"side": "plaintiff", "title": "原告", "value": "2021年借款。"},),
        "evidence": ({"side": "plaintiff", "title": "原告", "value": (ITEM, ITEM)},),
    },
    "known": {
        "claims": (
            {"n": "1", "text": "还本", "amount": "50,000"},
            {"n": "2", "text": "付息", "amount": "约五千"},
        ),
        "no": MISSING,
    },
    "heard": (
        {"speaker": "审判长", "text": "请陈述。", "mine": False},
        {"speaker": "原告", "text": "好。", "mine": True},
    ),
    "last": {"speaker": "原告", "text": "好。", "mine": True},
}


def one(text: str, **others: str) -> TemplateSet:
    """A set of the template HOME and of others by name."""
    return TemplateSet(MemorySources({HOME: text, **{f"prompts/zh/{name}.j2": body for name, body in others.items()}}))


def rendered(text: str, names: Mapping[str, Any] = NAMES, **others: str) -> str:
    return one(text, **others).render(HOME, names)


def refused(text: str, names: Mapping[str, Any] = NAMES, **others: str) -> tuple[str, int, int]:
    """Code, line and column of the first problem of a rendering."""
    with pytest.raises(TemplateError) as caught:
        rendered(text, names, **others)
    first = caught.value.problems[0]
    return first.code, first.span.line, first.span.column


# ---- what is refused -------------------------------------------------------------------------------------------------


def bad() -> TemplateSet:
    texts = {f"prompts/zh/{name}.j2": (FOLDER / f"{name}.j2").read_text("utf-8") for name in BAD}
    return TemplateSet(MemorySources(texts))


@pytest.mark.parametrize("name", BAD)
def test_a_bad_template_is_told_where_and_how_to_mend_it(name: str) -> None:
    templates, home = bad(), f"prompts/zh/{name}.j2"
    problems = templates.check(home)
    text = render(problems, lambda path: (FOLDER / Path(path).name).read_text("utf-8"), "zh")
    compare(FOLDER / f"{name}.txt", text)
    assert not re.search(r"\{\w+\}", render(problems, lambda path: None, "en"))
    if any(problem.severity == "error" for problem in problems):
        with pytest.raises(TemplateError):
            templates.render(home, NAMES)


def test_every_code_of_the_static_check_has_a_bad_template() -> None:
    codes = {problem.code for name in BAD for problem in bad().check(f"prompts/zh/{name}.j2")}
    assert {f"LW{number}" for number in range(100, 118)} - {"LW118", "LW119"} <= codes


@pytest.mark.parametrize("code", [f"LW{number}" for number in range(100, 120)])
def test_the_example_of_a_message_is_one(code: str) -> None:
    entry = catalogue()[code]
    assert entry["zh"] and entry["en"] and entry["help_zh"] and entry["help_en"]
    if example := entry.get("example"):
        assert code in {problem.code for problem in one(example).check(HOME)}


def test_attacks_are_refused_each_with_its_place() -> None:
    """Each line of the file: code:column+length of every problem, a tab, the attack."""
    expected = ATTACKS.read_text("utf-8")
    found = ""
    for attack in (line.partition("\t")[2] for line in expected.splitlines()):
        problems = one(attack).check(HOME)
        assert any(problem.severity == "error" for problem in problems), attack
        with pytest.raises(TemplateError):
            rendered(attack)
        places = (f"{problem.code}:{problem.span.column}+{problem.span.length}" for problem in problems)
        found += f"{' '.join(places)}\t{attack}\n"
    compare(ATTACKS, found)


UNCHECKED = (
    *("{{ me.name.upper() }}", "{{ me.keys() }}", "{{ me.__class__ }}", "{{ me['__class__'] }}", "{{ ''.__class__ }}"),
    *("{{ me.name.format }}", "{{ step.to.index }}", "{{ step.to.__len__() }}", "{{ range(3) }}", "{{ self }}"),
    *(
        "{{ own }}",
        "{{ lipsum() }}",
        "{{ cycler }}",
        "{{ heard|map(attribute='__class__')|list }}",
        "{{ thing.secret }}",
    ),
    *("{% for e in heard %}{{ loop.__class__ }}{% endfor %}", "{% for e in heard %}{{ loop.previtem }}{% endfor %}"),
    *("{% if 1 == nothing %}{% endif %}", "{% if nothing == 1 %}{% endif %}", "{% if 'x' == nothing %}{% endif %}"),
    *("{% if 1 in nothing %}{% endif %}", "{% if nothing in me.roles %}{% endif %}", "{% if 1 < nothing %}{% endif %}"),
    *("{{ thing }}", "{{ thing() }}", "{{ me[thing] }}", "{% for e in thing %}{% endfor %}", "{{ 'x' ~ thing }}"),
)


@pytest.mark.parametrize("text", UNCHECKED)
def test_nothing_rests_on_the_check_alone(text: str) -> None:
    """What the check refuses, run without it: values have no attributes and methods, and there are no globals."""

    class Thing:
        secret = "秘密"

    environment = Environment(lambda home: pytest.fail("nothing is included"))
    tree = parse(environment, Page(HOME, text))
    assert not isinstance(tree, Diagnostic)
    template = Template.from_code(environment, environment.code(HOME, tree), {})
    context = template.new_context({**NAMES, "thing": Thing(), METER: Meter()})
    with pytest.raises((RefusedValue, SecurityError, UndefinedError)):
        "".join(template.root_render_func(context))


@pytest.mark.parametrize("name", sorted(name for name in dir(LoopContext) if name not in LOOP.named))
def test_a_loop_tells_what_templates_may_ask_of_it_and_nothing_else(name: str) -> None:
    """Whatever else Jinja keeps in it, neither by its name nor by a key."""
    for asked in (f"loop.{name}", f"loop[{name!r}]"):
        test_nothing_rests_on_the_check_alone(f"{{% for e in heard %}}{{% if {asked} %}}x{{% endif %}}{{% endfor %}}")


@pytest.mark.parametrize("name", sorted(DEFAULT_NAMESPACE))
def test_there_are_no_functions_of_jinja(name: str) -> None:
    assert name not in Environment(lambda home: pytest.fail("nothing is included")).globals
    test_nothing_rests_on_the_check_alone(f"{{% if {name} %}}x{{% endif %}}")


@pytest.mark.parametrize("word", ["''", "3", "'甲', ''", "'甲', 3", "me.name"])
@pytest.mark.parametrize("used", ["drop({})", "pieces({})", "trim({})"])
def test_words_of_a_filter_are_words(word: str, used: str) -> None:
    assert "LW108" in {problem.code for problem in one(f"{{{{ me.name|{used.format(word)} }}}}").check(HOME)}


@pytest.mark.parametrize("value", ["甲", Record({"name": "甲"}, ("name",)), ("甲", Record({"name": "乙"}, ("name",)))])
def test_a_text_is_told_as_a_text_and_a_record_by_its_cells(value: Any) -> None:
    for part, row in zip(
        value if isinstance(value, tuple) else (value,), told({"value": value}, {}, "zh")["rows"], strict=True
    ):
        cells = ({"title": "name", "values": (part["name"],)},) if isinstance(part, Record) else ()
        assert row == {"text": part if isinstance(part, str) else "", "cells": cells}


def test_values_are_never_read_as_templates() -> None:
    names = {"me": {"name": "{{ own.facts }}{% include 'x' %}", "title": "<b>&"}}
    assert rendered("{{ me.name }}{{ me.title }}", names) == "{{ own.facts }}{% include 'x' %}<b>&"


NARROW = (  # a name where it is not sure to mean something, or does not mean what it says
    ("{% if me.name %}{% set x = me.title %}{% endif %}{{ x }}", "LW109"),
    ("{% if me.name %}{% set x = 1 %}{% elif me.title %}{% else %}{% set x = 2 %}{% endif %}{{ x }}", "LW109"),
    ("{% for s in heard %}{% set x = s.text %}{% endfor %}{{ x }}", "LW109"),
    ("{% for s in heard %}{% set x = s.text %}{% else %}{{ x }}{% endfor %}", "LW109"),
    ("{{ x }}{% set x = me.name %}", "LW109"),
    ("{% set x = x %}", "LW109"),
    ("{% set x = me.name %}{% include 'part' %}", "LW109"),
    ("{% include 'giving' %}{{ 甲 }}", "LW109"),
    ("{% set x = me.name %}{% set x = me.title %}", "LW113"),
    ("{% set x = me.name %}{% for s in heard %}{% set x = s.text %}{% endfor %}", "LW113"),
    ("{% set x = me.name %}{% for x in heard %}{% endfor %}", "LW113"),
    ("{% for s in heard %}{% set s = me.name %}{% endfor %}", "LW113"),
    ("{% set known = other.facts %}{{ known.x }}", "LW113"),
    ("{% set __meter__ = 1 %}{% include 'giving' %}", "LW113"),
    ("{% set ｋｎｏｗｎ = other.facts %}{{ known.x }}", "LW117"),
    ("{% set x = known.claims %}{{ x|first|trim }}{{ x[me.name] }}", "LW106"),
    ("{% set x = heard|last %}{{ x.txet }}", "LW110"),
    ("{% set x = own.facts %}{{ x }}", "LW111"),
)


@pytest.mark.parametrize(("text", "code"), NARROW)
def test_a_name_means_one_thing_where_it_is_sure_to_mean_it(text: str, code: str) -> None:
    assert refused(text, part="{{ x }}", giving="{% set 甲 = me.name %}{{ 甲 }}")[0] == code


def test_an_included_template_may_give_a_name_that_is_given_around_it() -> None:
    assert rendered("{% set 甲 = '外' %}{% include 'p' %}{{ 甲 }}", p="{% set 甲 = '内' %}{{ 甲 }}") == "内外"


def test_a_near_name_is_offered() -> None:
    with pytest.raises(TemplateError) as caught:
        rendered("{% set 总金额 = me.name %}{{ 总金颔 }}")
    assert "是否想写“总金额”？" in render(caught.value.problems, lambda path: None, "zh")


# ---- what is bounded -------------------------------------------------------------------------------------------------

LOOPS = "{% for a in known.long %}{% for b in known.long %}{% for c in known.long %}"
ENDS = "{% endfor %}" * 3
LONG = {
    "known": {"long": tuple(map(str, range(1000))), "text": "字" * 10_000, "wide": "\u3000" * 100_000, "quote": '"'}
}


@pytest.mark.parametrize(
    "text",
    [
        f"{LOOPS}{ENDS}",
        f"{LOOPS}{{{{ known.text }}}}{ENDS}",
        f"{LOOPS}{{% if a in known.text %}}{{% endif %}}{ENDS}",
        f"{LOOPS}{{% if known.long|unique|list == known.long %}}{{% endif %}}{ENDS}",
        f"{LOOPS}{{% if (known.wide|plain ~ known.wide|trim) %}}{{% endif %}}{ENDS}",
        f"{LOOPS}{{% include 'other' %}}{ENDS}",
        "{{ " + " ~ ".join(["known.text"] * 45) + " }}",
        "{% for a in known.long %}{{ known.text }}{% endfor %}",
        "{% set a = known.text ~ known.text %}" + "".join(f"{{% set a{n} = a ~ '' %}}" for n in range(1999)),
        "{% set a0 = known.text %}" + "".join(f"{{% set a{n + 1} = a{n} ~ a{n} %}}" for n in range(40)),
        "{% set a0 = known.quote %}" + "".join(f"{{% set a{n + 1} = a{n}|json %}}" for n in range(60)),
        "{% set d = known.text %}" + LOOPS + "{% set e = d ~ d %}" + ENDS,
    ],
)
def test_a_template_cannot_hang_or_fill_the_memory(text: str) -> None:
    with pytest.raises(TemplateError) as caught:
        rendered(text, LONG, other="{# nothing #}")
    assert [problem.code for problem in caught.value.problems] == ["LW118"]


def test_includes_that_double_at_each_step_are_stopped() -> None:
    others = {f"t{n}": f"{{% include 't{n + 1}' %}}" * 30 for n in range(7)}
    assert refused("{% include 't0' %}", t7="x", **others)[0] == "LW118"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "LW116"),
        ("{{ " + "(" * 60 + "me.name" + ")" * 60 + " }}", None),
        ("{{ " + "not " * 3000 + "me.name }}", "LW116"),
        ("{{ me.name" + "|trim" * 3000 + " }}", "LW116"),
        ("{{ known" + ".a" * 3000 + " }}", "LW116"),
        ("{% if " + " or ".join(["me.name"] * 3000) + " %}{% endif %}", "LW116"),
        ("{% if me.name %}" * 900 + "{% endif %}" * 900, "LW116"),
        ("{{ " + "[" * 900 + "]" * 900 + " }}", "LW116"),
        ("{{ " + "9" * 6000 + " }}", "LW100"),
        ("{% set a0 = me.name %}" + "".join(f"{{% set a{n + 1} = a{n} %}}" for n in range(900)), None),
        ("{% set a0 = known.a %}" + "".join(f"{{% set a{n + 1} = a{n}.b %}}" for n in range(900)), "LW116"),
        ("{% set a0 = known.no %}" + "".join(f"{{% set a{n + 1} = a{n} or a{n} %}}" for n in range(900)), None),
        ("{% set a0 = known.a %}" + "".join(f"{{% set a{n + 1} = a{n} or a{n}.b{n} %}}" for n in range(900)), "LW116"),
        ("字" * (MAX_LENGTH + 1), "LW116"),
        ("字" * (MAX_LENGTH - 10), None),
        ("{{ '" + "字" * 60_000 + "' }}", None),
        ("{ " * 30_000, None),
        ("{" * 60_000, "LW116"),
        ("{%raw%}" * 9000, "LW101"),
        ("{#" * 30_000, "LW101"),
        ("{% if me.name %}" + "{% elif me.title %}" * 2000 + "{% endif %}", None),
    ],
)
def test_what_is_too_deep_or_too_long_is_a_problem_and_no_crash(text: str, code: str | None) -> None:
    templates = one(text)
    codes = [problem.code for problem in templates.check(HOME)]
    assert codes == ([] if code is None else [code])
    if code is None:
        assert len(templates.render(HOME, NAMES)) <= MAX_OUTPUT


# ---- where templates are found ---------------------------------------------------------------------------------------


FOUND = (
    *("zh/act/ask", "zh/act/ask.judge", "zh/act/note", "zh/civil/act/ask", "zh/civil/act/state"),
    *("zh/court/act/ask.judge", "zh/court/act/state", "zh/bargain/act/ask.judge.FIT"),
)
FORMS = (
    "zh/civil/complaint",
    "zh/court/complaint",
    "zh/complaint",
    "zh/list",
    "list",
    "old",
    "zh/bargain/deed",
    "a/b/c",
)


def forms() -> MemorySources:
    texts = {f"prompts/{name}.j2": "" for name in FOUND} | {f"documents/{name}.j2": "" for name in FORMS}
    return MemorySources(texts | {"documents/zh/civil/layout.yaml": "", "documents/zh/a.md": ""})


def test_own_folders_go_before_neutral_ones_and_in_them_the_special_before_the_general() -> None:
    civil = TemplateSet(forms(), procedure="civil", wording=("court",))
    assert civil.find(("act/ask.judge", "act/ask")) == "prompts/zh/court/act/ask.judge.j2"
    assert civil.find(("act/ask.client", "act/ask")) == "prompts/zh/civil/act/ask.j2"
    assert civil.find(("act/ask.judge.FIT", "act/state")) == "prompts/zh/civil/act/state.j2"
    assert civil.find(("act/note.judge", "act/note")) == "prompts/zh/act/note.j2"
    alone = TemplateSet(forms(), procedure="civil")
    assert alone.find(("act/ask.judge", "act/ask")) == "prompts/zh/civil/act/ask.j2"
    other = TemplateSet(forms(), procedure="arbitration")
    assert other.find(("act/ask.judge", "act/ask")) == "prompts/zh/act/ask.judge.j2"
    assert other.find(("act/state",)) is None
    assert civil.find(("../documents/complaint", "act/none", "")) is None
    assert TemplateSet(forms(), locale="en", procedure="civil").find(("act/ask",)) is None


def test_forms_are_found_like_prompts_and_a_projects_own_at_their_old_place() -> None:
    civil = TemplateSet(forms(), procedure="civil", wording=("court",))
    assert civil.find(("documents/complaint",)) == "documents/zh/civil/complaint.j2"
    court = TemplateSet(forms(), procedure="asp2lj", wording=("court",))
    assert court.find(("documents/complaint",)) == "documents/zh/court/complaint.j2"
    other = TemplateSet(forms(), procedure="arbitration")
    assert other.find(("documents/complaint",)) == "documents/zh/complaint.j2"
    assert [other.find((f"documents/{name}",)) for name in ("list", "old", "deed", "b/c", "a/b/c")] == [
        *("documents/list.j2", "documents/old.j2"),
        *(None, None, None),
    ]


def test_a_procedure_has_its_own_folders_and_the_neutral_files_and_no_others() -> None:
    neutral = {"prompts/zh/act/ask.j2", "prompts/zh/act/ask.judge.j2", "prompts/zh/act/note.j2"}
    neutral |= {f"documents/{name}.j2" for name in ("zh/complaint", "zh/list", "list", "old")}
    assert set(TemplateSet(forms()).homes) == neutral
    mine = {"prompts/zh/civil/act/ask.j2", "prompts/zh/civil/act/state.j2", "documents/zh/civil/complaint.j2"}
    assert set(TemplateSet(forms(), procedure="civil").homes) == neutral | mine
    assert TemplateSet(forms()).wording_folders == ("bargain", "civil", "court")


def test_what_a_procedure_extends_comes_before_what_all_share() -> None:
    names = (
        "prompts/zh/act/ask",
        "prompts/zh/civil/act/ask",
        "prompts/zh/civil/act/state",
        "prompts/zh/court/act/state",
    )
    forms = (
        "documents/complaint",
        "documents/zh/civil/complaint",
        "documents/zh/court/judgment",
        "documents/zh/other/judgment",
    )
    sources = MemorySources({f"{name}.j2": "" for name in (*names, *forms, "prompts/zh/other/act/state")})
    court = TemplateSet(sources, procedure="court", wording=("civil", "base"))
    assert court.find(("act/ask",)) == "prompts/zh/civil/act/ask.j2"
    assert court.find(("act/state",)) == "prompts/zh/court/act/state.j2"
    assert court.find(("documents/complaint",)) == "documents/zh/civil/complaint.j2"
    assert court.find(("documents/judgment",)) == "documents/zh/court/judgment.j2"
    assert TemplateSet(sources, procedure="base").find(("documents/complaint",)) == "documents/complaint.j2"
    assert set(court.homes) == {f"{name}.j2" for name in (*names, *forms[:3])}
    assert court.elsewhere == {"other": {"act/state"}}


def test_an_include_is_found_like_a_prompt() -> None:
    parts = {"prompts/zh/part.j2": "所有", "prompts/zh/civil/part.j2": "民事"}
    sources = MemorySources({HOME: "{% include 'part' %}", **parts})
    assert TemplateSet(sources).render(HOME, {}) == "所有"
    assert TemplateSet(sources, procedure="civil").render(HOME, {}) == "民事"


def test_a_template_that_is_not_there_is_a_problem() -> None:
    templates = TemplateSet(MemorySources({}))
    assert [problem.code for problem in templates.check(HOME)] == ["LW114"]
    assert templates.reads(HOME) == ()
    with pytest.raises(TemplateError):
        templates.render(HOME, {})


def test_problems_of_an_included_template_are_told_once_for_all() -> None:
    templates = one("{% include 'part' %}", other="{% include 'part' %}", part="{{ fact }}")
    homes = (HOME, "prompts/zh/other.j2", "prompts/zh/part.j2")
    assert [problem.span.file for problem in templates.check_all(homes)] == ["prompts/zh/part.j2"]
    assert all(len(templates.check(home)) == 1 for home in homes)


def chain(length: int) -> dict[str, str]:
    return {f"t{n}": f"{{% include 't{n + 1}' %}}" for n in range(length - 1)} | {f"t{length - 1}": "底"}


def test_includes_go_eight_deep_and_no_deeper() -> None:
    assert rendered("{% include 't0' %}", **chain(8)) == "底"
    assert refused("{% include 't0' %}", **chain(9))[0] == "LW116"
    late = "{% include 't5' %}{% include 't0' %}"  # the deep end is known already when the long way comes to it
    assert refused(late, **chain(9))[0] == "LW116"


# ---- what a template reads -------------------------------------------------------------------------------------------

ENTRY = "own.evidence.[].value"
READS = {
    "{{ me.name }}{{ me['title'] }}": ["me.name!", "me.title!"],
    "{% if step.item %}{{ step.item.name }}{% endif %}": ["step.item", "step.item.name!"],
    "{% for e in own.facts %}{{ e.value }}{% endfor %}": ["own.facts", "own.facts.[].value!"],
    "{% for e in own.evidence %}{% for i in e.value if i.name %}{{ i.purpose }}{% endfor %}{% endfor %}": [
        *("own.evidence", ENTRY, f"{ENTRY}.[].name", f"{ENTRY}.[].purpose!"),
    ],
    "{{ own.facts[0].value }}{{ (own.facts|first).title }}": [
        *("own.facts.[].value!", "own.facts", "own.facts.[].title!"),
    ],
    "{{ step.to|join('、') }}": ["step.to", "step.to.[]!"],
    "{{ step.to|select('eq', me.name)|list|length }}": ["step.to", "me.name"],
    "{{ own.evidence|map(attribute='value.name')|join }}": ["own.evidence", f"{ENTRY}.name!"],
    "{{ own.evidence|map(attribute='title')|join }}": ["own.evidence", "own.evidence.[].title!"],
    "{{ heard|selectattr('mine')|join('', attribute='text') }}": ["heard", "heard.[].mine", "heard.[].text!"],
    "{{ (own.evidence|map(attribute='value'))[0].name }}{{ (heard|map(attribute='text')|first) }}": [
        *("own.evidence", ENTRY, f"{ENTRY}.name!", "heard", "heard.[].text!"),
    ],
    "{{ known.reply or me.name }}": ["known.reply!", "me.name!"],
    "{% for e in own.facts or other.facts %}{{ e.value }}{% endfor %}": [
        *("own.facts", "other.facts", "own.facts.[].value!", "other.facts.[].value!"),
    ],
    "{{ 'x' if 'a' in known.answer else last.text|default('无') }}": ["known.answer", "last.text!"],
    "{{ known.claims }}{% if known.claims %}{% endif %}": ["known.claims!"],
    "{% if known.claims %}{{ known.claims }}{% endif %}": ["known.claims!"],
    "{# own.facts #}{% raw %}{{ own.facts }}{% endraw %}": [],
    "{% for c in me.clients %}{{ c.party.name }}{{ loop.index }}{% endfor %}": [
        "me.clients",
        "me.clients.[].party.name!",
    ],
    "{{ known.facts is defined and step.turn is odd and known.a is eq known.b }}": [],
    "{% set 事实 = own.facts %}{% for e in 事实 %}{{ e.value }}{% endfor %}": ["own.facts", "own.facts.[].value!"],
    "{% set 答 = known.reply or me.name %}{{ 答 }}": ["known.reply!", "me.name!"],
    "{% set 末 = heard|last %}{% set 说 = 末.text %}{{ 末.speaker }}{{ 说 }}": [
        *("heard", "heard.[].text!", "heard.[].speaker!"),
    ],
    "{% if known.a %}{% set x = known.b %}{% else %}{% set x = own.facts[0].value %}{% endif %}{{ x }}": [
        *("known.a", "known.b!", "own.facts.[].value!"),
    ],
    "{% set 项 = own.evidence|map(attribute='value')|flat %}{{ 项|map(attribute='name')|join }}": [
        *("own.evidence", ENTRY, f"{ENTRY}.[].name!"),
    ],
}


@pytest.mark.parametrize("text", READS)
def test_reads_are_constant_paths_in_order(text: str) -> None:
    templates = one(text)
    found = [".".join(read.path) + "!" * read.printed for read in templates.reads(HOME)]
    if READS[text]:
        assert (found, templates.check(HOME)) == (READS[text], ())


def test_a_read_is_placed_where_it_stands_first_and_reads_through_includes() -> None:
    part = "\n{{ me.name }}{{ own['facts'][0].value }}"
    templates = one("你是{{ me.name }}。\n{% include 'part' %}{{ known.claims }}", part=part)
    places = [(".".join(read.path), read.span) for read in templates.reads(HOME)]
    assert [(path, span.file, span.line, span.column, span.length) for path, span in places] == [
        ("me.name", HOME, 1, 6, 7),
        ("own.facts.[].value", "prompts/zh/part.j2", 2, 17, 21),
        ("known.claims", HOME, 2, 24, 12),
    ]


# ---- what comes out --------------------------------------------------------------------------------------------------

RENDERINGS = {
    "{{ me.title }}{{ me.name }}，第{{ step.turn }}次": "原告张三，第2次",
    "{% if step.item %}有{% else %}无{% endif %}{{ step.item.name }}{{ me.party.source.x }}": "无",
    "{% for e in known.no %}x{% else %}没有{% endfor %}": "没有",
    "{% for e in own.evidence %}\n {% for i in e.value %}\n{{ loop.index }} {{ i.name }}\n {% endfor %}\n"
    "{% endfor %}\n": "1 借条\n2 借条\n",
    "{% for s in heard if s.mine %}{{ s.text }}{{ '；' if not loop.last }}{% endfor %}": "好。",
    "{{ '，' if me.name == '李四' }}{{ me.name ~ '、' ~ step.turn }}": "张三、2",
    "{{ own.facts[0].value }}{{ own.facts[5].value }}{{ own.facts.0.title }}": "2021年借款。原告",
    "{{ step.to|join('、') }}|{{ step.to|last }}{{ step.to|length }}": "被告李四、被告王五|被告王五2",
    "{{ me.party.source|default('待补充') }}{{ me.name|default('x') }}{{ known.no|default('无') }}": "待补充张三无",
    "{{ heard|selectattr('mine')|map(attribute='text')|join }}": "好。",
    "{{ heard|rejectattr('speaker', 'eq', '原告')|join('', attribute='text') }}": "请陈述。",
    "{{ known.claims|selectattr('n', 'in', ['2', '3'])|map(attribute='text')|join }}": "付息",
    "{{ known.claims|rejectattr('text', 'in', '付息，还本')|list|length }}": "0",
    "{{ known.claims|selectattr('text', 'contains', '本')|map(attribute='n')|join }}"
    "|{{ step.to|reject('contains', '李')|join }}|"
    "{{ '有' if me.roles is contains 'appellant' }}{{ '有' if me.name is contains '李' }}": "1|被告王五|有",
    "{% set 轮 = step.turn %}{{ known.claims|selectattr('n', 'eq', 轮)|map(attribute='text')|join }}": "付息",
    "{{ step.to|select('eq', me.name)|join }}{{ step.to|reject('eq', step.to[1])|join }}": "被告李四",
    "{{ ['a', 'b', 'a']|unique|join }}{{ ['', 'c']|select|join }}{{ ['', 'c']|reject('eq', 'c')|list|length }}": "abc1",
    "{{ '  字  '|trim }}{{ '第一行。\n\n　　第二行 a\n b'|plain }}": "字第一行。第二行 a b",
    "{{ '甲。乙。'|trim('。') }}{{ '（丙）'|trim('（）') }}。": "甲。乙丙。",
    "{{ 'a\nb'|indent(2) }}": "a\n  b",
    "{{ '甲丙丁'|drop('甲', '乙') }}{{ '乙甲丙丁'|drop('甲', '乙') }}{{ '丙甲'|drop('甲') }}": "丙丁丙丁丙甲",
    "{{ ['甲', '乙']|pick }}{{ [] | pick }}": "乙",
    "{% for c in known.claims %}{{ '大' if c.amount > 10000 else '小' }}{{ '一' if c.n == 1 }}{% endfor %}": "大一小",
    "{% if 'appellant' in me.roles and '李四' in step.to[0] and step.item not in me.roles %}是{% endif %}": "是",
    "{% if 1 < step.turn <= 2 %}是{% endif %}{% if step.item < 3 or step.item > 1 %}否{% endif %}": "是",
    "{{ '有' if me.party is defined }}{{ '无' if step.item is none }}{{ '偶' if step.turn is even }}": "有无偶",
    "{{ '无' if problem is not defined }}{{ problem|default('')|join }}": "无",
    "{%- if me.name -%}\n  甲  \n{%- endif +%}\n乙": "甲\n乙",
    "{% raw %}{{ me.name }}{% endraw %}{# 注 #}": "{{ me.name }}",
    "第一行\r\n第二行\r\n": "第一行\n第二行",
    "{% set 总额 = known.claims|map(attribute='amount')|total %}\n{{ 总额 }}元，{{ 总额 }}元": "50000元，50000元",
    "{% set 甲 = me.name %}{% for s in heard %}{% set 乙 = 甲 ~ s.text %}{{ 乙 }}{% endfor %}": "张三请陈述。张三好。",
    "{% for s in heard %}{% if s.mine %}{% set 句 = '我' %}{{ 句 }}{% endif %}{% endfor %}"
    "{% set 句 = '终' %}{{ 句 }}": "我终",
    "{% if me.name %}{% set x = '有' %}{% elif 1 %}{% set x = '二' %}{% else %}{% set x = '无' %}{% endif %}"
    "{{ x }}": "有",
    "{% set 说 = ['甲', '乙']|pick %}{{ 说 }}{{ 说 }}": "乙乙",
    "{% set 无 = known.no %}{{ 无 or '待补充' }}{% for x in 无 %}{{ x }}{% endfor %}": "待补充",
}


@pytest.mark.parametrize("text", RENDERINGS)
def test_rendering(text: str) -> None:
    assert rendered(text, {**NAMES, "__pick__": lambda size: size - 1}) == RENDERINGS[text]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("1480.00", "£1,480.00"),
        ("1,480.00", "£1,480.00"),
        ("376.4", "£376.4"),
        ("0", "£0"),
        ("-1234567", "-£1,234,567"),
        ("$1480", "$1,480"),
        ("US$1480.50", "US$1,480.50"),
        ("EUR 12000", "EUR 12,000"),
        ("€12000", "€12,000"),
        ("12000 USD", "12,000 USD"),
        ("12000€", "12,000€"),
        ("1480元", "1480元"),
        ("to be assessed", "to be assessed"),
        ("14,80", "£14.80"),
        ("", ""),
    ],
)
def test_money(written: str, words: str) -> None:
    assert rendered('{{ known.n|money("£") }}', {"known": {"n": written}}) == words


@pytest.mark.parametrize("locale", ["en", "zh", "de", "it", "fr", "pl", "en-GB", "pt-BR"])
@pytest.mark.parametrize("number", ["1234567.89", "1480", "0.5", "999", "-1000000", "12"])
def test_the_language_decides_how_money_is_printed_and_reads_it_again(locale: str, number: str) -> None:
    printed = money(number, "", locale)
    digits = printed.replace("\u00a0", "").replace("\u202f", "")
    group, point = (".", ",") if locale in ("de", "it", "pt-BR", "fr", "pl") else (",", ".")
    assert digits.replace(group, "").replace(point, ".") == number
    assert money(printed, "", locale) == printed  # what is printed already stays so
    assert ("\u00a0" in printed) == (locale in ("fr", "pl") and len(number.strip("-").partition(".")[0]) > 3)


@pytest.mark.parametrize(
    ("label", "found"), [("二、", "乙"), ("三、", "丙；丁"), ("四、", ""), ("", ""), ("丁", "")], ids=str
)
def test_the_labels_of_a_part_may_be_reckoned(label: str, found: str) -> None:
    words = {"known": {"text": "一、甲二、乙三、丙；丁", "label": label, "end": "三、"}}
    assert rendered("{{ known.text|between(known.label, known.end) }}", words) == found


@pytest.mark.parametrize(
    ("number", "words"),
    [
        *[("1", "一"), ("10", "十"), ("12", "十二"), ("110", "一百一十"), ("1-2", "1-2"), ("300005000", "三亿零五千")],
        *[("2024年5月10日", "二〇二四年五月十日"), ("2025-12-31", "二〇二五年十二月三十一日")],
        *[
            ("二〇二四年五月十日", "二〇二四年五月十日"),
            ("2024年5月10日上午", "2024年5月10日上午"),
            ("2024年2月30日", "2024年2月30日"),
        ],
    ],
)
def test_numeral(number: str, words: str) -> None:
    assert rendered("{{ known.n|numeral }}", {"known": {"n": number}}) == words
    assert rendered("{{ known.n|numeral }}", {"known": {"n": Typed(number, number)}}) == words  # a declared number
    if number.isdigit():
        assert rendered("{{ known.n|numeral }}", {"known": {"n": int(number)}}) == words


@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        ("漏水；“甲；乙。”为证。减半", "漏水|“甲；乙。”为证|减半"),
        ("一件", "一件"),
        ("；。 ；", ""),
        ("甲“没有收尾；乙", "甲“没有收尾|乙"),
    ],
)
def test_pieces_of_a_text(words: str, pieces: str) -> None:
    assert rendered('{{ known.n|pieces("；", "。")|join("|") }}', {"known": {"n": words}}) == pieces


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("我们对账，他给我写“我欠我们货款”，我公司没收", "双方对账，他给原告写“我欠我们货款”，原告没收"),
        ("没有", "没有"),
        ("", ""),
    ],
)
def test_said_in_other_words(words: str, said: str) -> None:
    template = '{{ known.n|reworded("我公司", "原告", "我们", "双方", "我", "原告") }}'
    assert rendered(template, {"known": {"n": words}}) == said


def test_other_words_do_not_grow_without_end() -> None:
    with pytest.raises(TemplateError):
        rendered("{{ known.n" + '|reworded("我", "我我我我我我我我")' * 9 + " }}", {"known": {"n": "我"}})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("甲\n{{ me.party.nmae }}", ("LW110", 2, 4)),
        ("{{ known.unknown }}", ("LW110", 1, 4)),
        ("{% if known.unknown is defined %}{% endif %}", ("LW110", 1, 4)),
        ("甲{{ known.claims }}", ("LW111", 1, 5)),
        ("{{ known.claims ~ '' }}", ("LW111", 1, 4)),
        ("\n{% for x in known.claims[0].text %}{% endfor %}", ("LW112", 2, 4)),
        ("{{ me.name }}{{ known.claims[0].text.x }}", ("LW110", 1, 17)),
        ("{{ problem|join }}", ("LW109", 1, 4)),
        ("{{ ['甲']|pick }}", ("LW119", 1, 4)),
        ("{% include 'part' %}", ("LW110", 3, 4)),
    ],
)
def test_what_values_lack_is_told_at_the_tag_that_asks(text: str, problem: tuple[str, int, int]) -> None:
    assert refused(text, part="\n\n{{ known.unknown }}") == problem


def test_the_nearest_key_of_a_record_is_named() -> None:
    with pytest.raises(TemplateError) as caught:
        rendered("{{ me.party.nmae }}")
    text = render(caught.value.problems, lambda path: None, "zh")
    assert "“me.party.nmae”里没有“nmae”，是否想写“name”？" in text


WORK = {
    "{{ me.name }}": (3, []),  # an output, a key, a name
    "{% for e in heard %}{{ e.text }}{% endfor %}": (6, [1 + 3]),
    "{% for e in heard if e.mine %}{{ e.text }}{% else %}{{ me.name }}{% endfor %}": (
        11,
        [1 + 2, 3],
    ),  # each, and each that fits
    "{% for e in heard if e.mine %}{% for f in own.facts if f.mine %}{{ f.value }}{% endfor %}{% endfor %}": (
        14,
        [1 + 2, 9, 1 + 2, 3],
    ),
    "{% for e in heard %}{% for f in own.facts %}{{ f.value }}{% endfor %}{% endfor %}": (10, [1 + 7, 1 + 3]),
    "{% for e in heard|list %}{% if e.mine == e.text %}a{% endif %}{% endfor %}": (13, [1 + 9]),
}


@pytest.mark.parametrize("text", WORK)
def test_the_work_of_a_template_and_of_each_entry_of_a_loop_is_its_nodes(text: str) -> None:
    tree = parse(Environment(lambda home: Template("")), Page(HOME, text))
    assert isinstance(tree, nodes.Template)
    loops = list(tree.find_all(nodes.For))
    whole = _paid(metered(tree).body[0].nodes[0])  # type: ignore[attr-defined]
    paid = [(loop.iter.args[0].value, loop.test and _paid(loop.body[0].nodes[0])) for loop in loops]  # type: ignore[attr-defined]
    assert (whole, [work for each in paid for work in each if work is not None]) == WORK[text]


def _paid(node: nodes.Node) -> int:
    """The work that a filter before an output is paid."""
    assert isinstance(node, nodes.Filter) and isinstance(node.node, nodes.Const)
    return int(node.node.value)


def test_a_loop_pays_for_what_it_does() -> None:
    """A condition that few entries fit costs little, however much would be done with each of them."""
    body = "{{ e.text }}" * 40
    text = "{% for e in heard %}{% for f in heard if f.text == 'no one' %}" + body + "{% endfor %}{% endfor %}"
    names = {**NAMES, "heard": [{"text": str(number)} for number in range(300)]}
    assert rendered(text, names) == ""
    assert refused(text.replace(" if f.text == 'no one'", ""), names)[0] == "LW118"


# ---- the shipped templates -------------------------------------------------------------------------------------------


@cache
def shipped_texts() -> dict[str, str]:
    """The shipped templates, and the tables they scale by."""
    files = [*(ROOT / "prompts").rglob("*.j2"), *(ROOT / "documents").rglob("*.[jy]*")]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}


@pytest.mark.parametrize("name", sorted(path.stem for path in TOP_SPECS))
def test_shipped_templates_pass(name: str) -> None:
    procedure = link(Disk(ROOT), f"specs/{name}.yaml").procedure
    assert procedure is not None
    templates = TemplateSet.of(MemorySources(shipped_texts()), procedure)
    assert render(templates.check_all(templates.homes), shipped_texts().get, "zh") == ""


LONGEST_LINE = 160
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}")


@pytest.mark.parametrize("room", ["documents", "prompts"])
def test_a_line_of_a_shipped_template_can_be_read(room: str) -> None:
    """A paragraph of prose may be as long as its author wants; tags on a line that is longer come to no more."""
    unread = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / room).rglob("*.j2"))
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if len(line) > LONGEST_LINE and sum(map(len, TAG.findall(line))) > LONGEST_LINE
    ]
    assert unread == []


LONG_CHAIN = 60
CHAIN = re.compile(r"\w[\w.]*(?:\s*\|\s*\w+(?:\((?:[^()]|\([^()]*\))*\))?){2,}")


@pytest.mark.parametrize("room", ["documents", "prompts"])
def test_a_chain_of_filters_is_written_once_in_a_shipped_template(room: str) -> None:
    """Longer ones have a name by `set`."""
    repeated = []
    for path in sorted((ROOT / room).rglob("*.j2")):
        text = path.read_text("utf-8")
        chains = [" ".join(chain.split()) for tag in TAG.findall(text) for chain in CHAIN.findall(tag)]
        repeated += [
            f"{path.relative_to(ROOT)}: {chain}"
            for chain in dict.fromkeys(chains)
            if len(chain) > LONG_CHAIN and chains.count(chain) > 1
        ]
    assert repeated == []
