"""Whatever stands in a template file, the check answers; whatever passes it renders soon, and to a bounded text."""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jinja2 import Environment, TemplateSyntaxError
from jinja2.lexer import Token
from places import ROOT

from legalworld.model.case import MISSING, Record
from legalworld.model.source import MemorySources
from legalworld.templates import words
from legalworld.templates.figure_filters import FIGURE_FILTERS
from legalworld.templates.runtime import FILTERS, TESTS
from legalworld.templates.runtime import Environment as OurEnvironment
from legalworld.templates.template_set import TemplateError, TemplateSet
from legalworld.templates.values import MAX_OUTPUT
from legalworld.wording.diagnostics import render

HOME = "prompts/zh/fuzz.j2"
JINJA = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
OURS = OurEnvironment(lambda home: JINJA.from_string(""))
FUZZ = settings(max_examples=300, suppress_health_check=list(HealthCheck))

ITEM = Record({"name": "借条", "kind": "书证", "amount": "50000"}, ("name", "kind", "amount", "source"))
SAID = tuple(
    {"speaker": f"原告{n}", "text": "我认为\n事实清楚。" * 20, "mine": n % 2 == 0, "act": "state", "phase": "debate"}
    for n in range(200)
)
SIDED = {
    "facts": ({"side": "plaintiff", "title": "原告", "value": "2021年3月借款五万元。" * 100},),
    "evidence": ({"side": "plaintiff", "title": "原告", "value": (ITEM,) * 50},),
}
NAMES = {
    "me": {
        **{"title": "原告", "label": "原告张三", "name": "张三", "role": "plaintiff", "kind": "client"},
        **{"side": "plaintiff", "roles": ("plaintiff",), "party": ITEM, "clients": (), "persona": ()},
    },
    "scene": {
        **{
            "procedure": "民事诉讼",
            "stage": "FIT",
            "title": "一审",
            "phase": "",
            "phase_title": "",
            "basis": ("第一条",),
        },
        "options": {"exchange": "yes"},
    },
    "step": {
        **{"act": "ask", "id": "x", "cue": "核对身份", "basis": (), "to": ("被告",), "item": MISSING, "item_owner": ""},
        **{"item_mine": False, "about": "", "calls": (), "close": "", "end": "", "pass": "", "answer": MISSING},
        **{"document": MISSING, "turn": 1, "left": 29, "round": 1},
    },
    **{"own": SIDED, "other": SIDED, "known": {"claims": (ITEM,) * 30, "text": "判决" * 5000, "no": MISSING}},
    "shown": {"name": "facts", "whose": "own", "title": "事实", "entries": SIDED["facts"]},
    **{"heard": SAID, "new": SAID[-2:], "last": SAID[-1], "problem": ("没有结论",), "__pick__": lambda size: 7},
}

# ---- texts of any kind -----------------------------------------------------------------------------------------------

SCRAPS = """
{{ }} {% %} {# #} {%- -%} {%+ +%} {{- -}} {{+ #}{# } { % # - + ~ | . .. , : ; ( ) [ ] { } == != <= >= < > = !
* ** / // @ $ `
" ' "a" 'b' "\\" "\\x" "\\u4e00" 0 1 12 1.5 1e5 1_000 0x1f 007 1__0 a.b.c x[0] x["b"] x[y] x[1:2]
if elif else endif for in endfor recursive include raw endraw set endset macro endmacro call endcall block endblock
extends import from as with without context ignore missing filter endfilter print do trans
autoescape continue break
not and or is none None true false True False loop self super caller varargs
me own other known heard new last step scene shown problem e x y me.name own.facts known.claims heard|length loop.index
join length first default trim list unique selectattr map(attribute="text") indent(4) numeral plain pick defined odd
{%raw%} {%endraw%} {%if%} {%if me%} {%endif%} {%else%} {%for e in heard%} {%endfor%} {%include"fuzz"%} {{me.name}}
{%set x=heard%} {{x}}
原告 ， 。 “ ” ｛｛ ｝｝ ％ （ ） \u2028 \x00 \ufeff \ud800 \U0001f600 é ² ٣
"""
scraps = st.sampled_from([*SCRAPS.split(), " ", "  ", "\n", "\r\n", "\t", "\n\n"])
texts = st.lists(scraps | st.text(max_size=4), max_size=30).map("".join) | st.lists(scraps, max_size=40).map(" ".join)


@FUZZ
@given(texts)
def test_the_check_answers_whatever_stands_in_a_file(text: str) -> None:
    templates = TemplateSet(MemorySources({HOME: text}))
    problems = templates.check(HOME)
    templates.reads(HOME)
    assert render(problems, {HOME: text}.get, "zh").count("LW") >= len(problems)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    for problem in problems:
        line = lines[problem.span.line - 1]
        assert 1 <= problem.span.column <= len(line) + 1
        assert problem.span.column - 1 + problem.span.length <= len(line)


@FUZZ
@given(texts)
def test_what_passes_the_check_renders_or_says_why(text: str) -> None:
    rendered(text)


BLANKS = st.sampled_from(["", "", " ", "\n", "  ", " \n", "\n ", "\n\n ", "甲", "甲 ", " 甲\n", "\u3000", "\x1f"])
ENDS = {"{{": ("}}", "-}}", "+}}"), "{%": ("%}", "-%}", "+%}"), "{#": ("#}", "-#}", "+#}")}
READABLE = ("x", "raw", " raw ", "endraw", "0x1f+1_0", "٣.٥", "{'a\\n': [(2)]}", "(2]", "[2}")
WHOLE = (
    "\n  {%+ x %}\n",
    "{% raw %}\n{{ {%- endraw %}\n",
    "\n {%- raw-%} {{\n {% endraw -%} ",
    "{%raw%}{%+endraw+%}\n甲",
)
ANY_INSIDE = st.lists(scraps.filter(lambda scrap: not set(scrap) & set("{}%#") or len(scrap) == 1), max_size=5)


@st.composite
def tags(draw: st.DrawFn) -> str:
    """A tag that ends, and what stands before it."""
    opener = draw(st.sampled_from([*ENDS]))
    inside = draw(st.sampled_from(READABLE) | ANY_INSIDE.map(" ".join))
    end, sign = draw(st.sampled_from(ENDS[opener])), draw(st.sampled_from(["", "", "-", "+"]))
    return f"{draw(BLANKS)}{opener}{sign}{draw(BLANKS)}{inside}{draw(BLANKS)}{end}"


@settings(FUZZ, max_examples=500)
@given(texts | st.lists(tags() | st.sampled_from(WHOLE), max_size=4).map("".join))
def test_tokens_are_those_of_jinja(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n") + "."  # Jinja forgives an open comment only where a text ends
    assert tokens(OURS, text) == tokens(JINJA, text)


def tokens(environment: Environment, text: str) -> list[tuple[str, object]] | None:
    """Kinds and values of all tokens; None for a text that cannot be read."""
    try:
        found: list[Token] = list(environment.lexer.tokenize(text))
    except (TemplateSyntaxError, SyntaxError, ValueError):
        return None
    return [(token.type, token.value) for token in found]


def test_tokens_of_the_shipped_templates_are_those_of_jinja() -> None:
    files = [file for folder in ("prompts", "documents") for file in (ROOT / folder).rglob("*.j2")]
    assert len(files) > 1000
    for file in files:
        text = file.read_text("utf-8")
        found = tokens(OURS, text)
        assert found is not None and found == tokens(JINJA, text), file


# ---- templates that are mostly right ---------------------------------------------------------------------------------

LISTS = {
    **{"heard": "said", "new": "said", "own.facts": "sided", "own.evidence": "sided", "shown.entries": "sided"},
    **{"known.claims": "item", "known.no": "item", "step.to": "text", "me.roles": "text", "problem": "text"},
}
PARTS = {"said": ".text", "sided": ".title", "item": ".name", "text": ""}
WORDS = ("me.name", "step.turn", "last.text", "known.text", "known.no", "step.item.name", "'文字'", "7")
OF_WORDS = ("|trim", "|plain", "|numeral", "|money('£')", "|indent(20)", "|default('无')", "|length")
OF_LISTS = ("|list", "|unique", "|select", "|reject('none')", "|default('')", "|select('in', ['a', '原告'])")
Scope = tuple[tuple[str, str], ...]


@st.composite
def a_list(draw: st.DrawFn, scope: Scope) -> tuple[str, str]:
    """An expression for a list, and what its entries are."""
    name, kind = draw(
        st.sampled_from(
            [
                *LISTS.items(),
                *((f"{name}.value", "item") for name, of in scope if of == "sided"),
                *((name, of.removeprefix("list of ")) for name, of in scope if of.startswith("list of ")),
            ]
        )
    )
    uses = draw(st.lists(st.sampled_from(OF_LISTS if kind == "text" else OF_LISTS[2:5]), max_size=2))
    if kind == "said":
        uses += draw(st.lists(st.sampled_from(["|selectattr('mine')", "|rejectattr('act', 'eq', 'ask')"]), max_size=1))
    return name + "".join(uses), kind


@st.composite
def a_text(draw: st.DrawFn, scope: Scope, depth: int = 2) -> str:
    entries = [name + PARTS[kind] for name, kind in scope if kind in PARTS]
    plain = st.sampled_from([*WORDS, *entries]).map(
        lambda word: word.replace("loop_index", "loop.index" if scope else "1")
    )
    match draw(st.integers(0, 4)) if depth else 0:
        case 1:
            joined, kind = draw(a_list(scope))
            use = "join('、')" if kind == "text" else f"map(attribute='{PARTS[kind][1:]}')|join('；')"
            return f"({joined}|{use})"
        case 2:
            return f"({draw(a_text(scope, depth - 1))} ~ {draw(a_text(scope, depth - 1))})"
        case 3:
            one, other = draw(a_text(scope, depth - 1)), draw(a_text(scope, depth - 1))
            return f"({one} if {draw(a_condition(scope))} else {other})"
        case 4:
            chosen, kind = draw(a_list(scope))
            taken = draw(st.sampled_from(["|first)", "|last)", "|pick)", ")[0]", "|map(attribute='x')|first)"]))
            if taken.startswith("|map") and kind != "text":
                return f"({chosen}{taken.replace('x', PARTS[kind][1:])}"
            return f"({chosen}{taken.replace('|map(attribute=' + repr('x') + ')', '')}{PARTS[kind]}"
    return draw(plain) + "".join(draw(st.lists(st.sampled_from(OF_WORDS[:-1]), max_size=2)))


@st.composite
def a_condition(draw: st.DrawFn, scope: Scope) -> str:
    one, other = draw(a_text(scope, 0)), draw(a_text(scope, 0))
    signs = ["and", "or", "==", "!=", "<", ">=", "in", "not in", "is eq", "is ne"]
    test = draw(st.sampled_from(["defined", "none", "odd", "not even", "in ['a']", "contains 'a'", "string"]))
    return draw(
        st.sampled_from([one, f"not {one}", f"{one} {draw(st.sampled_from(signs))} {other}", f"{one} is {test}"])
    )


@st.composite
def a_block(draw: st.DrawFn, scope: Scope = (), depth: int = 4) -> str:
    loops = sum(name in "abc" for name, _ in scope)
    match draw(st.integers(0, 7)) if depth else 0:
        case 1 | 2:
            return "".join(draw(st.lists(a_block(scope, depth - 1), max_size=4)))
        case 3:
            inner = a_block(scope, depth - 1)
            return f"{{% if {draw(a_condition(scope))} %}}{draw(inner)}{{% else %}}{draw(inner)}{{% endif %}}"
        case 4 | 5 if loops < 3:
            entries, kind = draw(a_list(scope))
            name = "abc"[loops]
            inner = (*scope, (name, kind))
            test = f" if {name}{PARTS[kind]}" if draw(st.booleans()) else ""
            return f"{{% for {name} in {entries}{test} %}}{draw(a_block(inner, depth - 1))}{{% endfor %}}"
        case 6 | 7:
            name = f"名{draw(st.integers(0, 10**6))}"  # hardly ever the same twice: that would be refused
            match draw(st.integers(0, 2)):
                case 0:
                    value, kind = draw(a_text(scope)), "text"
                case 1:
                    value, of = draw(a_list(scope))
                    kind = f"list of {of}"
                case _:
                    (value, kind), way = draw(a_list(scope)), draw(st.sampled_from(["first", "last"]))
                    value = f"({value})|{way}"
            inner = (*scope, (name, kind))
            return f"{{% set {name} = {value} %}}{draw(a_block(inner, depth - 1))}{draw(a_block(inner, depth - 1))}"
    return draw(st.sampled_from(["原告说\n", "字" * 200, "{# 注 #}"])) + f"{{{{ {draw(a_text(scope))} }}}}"


class Traced(Mapping[str, object]):
    """A record that notes what is taken out of it, by path."""

    def __init__(self, values: Mapping[str, object], path: tuple[str, ...], seen: set[tuple[str, ...]]) -> None:
        self.values_, self.path, self.seen = values, path, seen

    def __getitem__(self, key: str) -> object:
        self.seen.add((*self.path, key))
        return traced(self.values_[key], (*self.path, key), self.seen)

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_)

    def __len__(self) -> int:
        return len(self.values_)


def traced(value: object, path: tuple[str, ...], seen: set[tuple[str, ...]]) -> object:
    """Two entries of a list show what is taken from its entries, as well as hundreds."""
    if isinstance(value, Mapping):
        return Traced(value, path, seen)
    if isinstance(value, tuple):
        return tuple(traced(entry, (*path, "[]"), seen) for entry in value[:2])
    return value


@settings(FUZZ, max_examples=100)
@given(a_block())
def test_loops_and_filters_end_and_nothing_is_taken_that_the_reads_do_not_name(text: str) -> None:
    """The checker's proof of who sees what rests on the reads."""
    templates = TemplateSet(MemorySources({HOME: text}))
    rendered(text, templates)
    seen: set[tuple[str, ...]] = set()
    names = {name: value if name == "__pick__" else traced(value, (name,), seen) for name, value in NAMES.items()}
    with suppress(TemplateError):
        templates.render(HOME, names)
    read = {path.path[:end] for path in templates.reads(HOME) for end in range(1, len(path.path) + 1)}
    assert seen <= read


def test_the_namespace_of_these_tests_can_be_rendered() -> None:
    assert rendered(
        "{% for a in heard %}{% for b in own.evidence %}{{ a.text|plain }}{{ b.title }}{% endfor %}{% endfor %}"
    )


def test_every_filter_and_test_of_the_check_is_there_to_run() -> None:
    assert FILTERS.keys() | FIGURE_FILTERS.keys() == words.FILTERS.keys()
    assert TESTS.keys() == words.TESTS.keys()


def rendered(text: str, templates: TemplateSet | None = None) -> str:
    """The rendering; "" for a template that is refused."""
    templates = templates or TemplateSet(MemorySources({HOME: text}))
    errors = [problem for problem in templates.check(HOME) if problem.severity == "error"]
    begin = time.process_time()
    try:
        found = templates.render(HOME, NAMES)
    except TemplateError as error:
        assert error.problems
        return ""
    assert not errors
    assert time.process_time() - begin < 5  # a hang, not a slow machine: the limits allow about half a second
    assert len(found) <= MAX_OUTPUT
    return found
