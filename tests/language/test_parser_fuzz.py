"""The mini-language under random input: trees survive being said in English and in Chinese, and nothing breaks it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from test_parser import NAMES, PARSER, show

from legalworld.language.link.verbs import VERBS
from legalworld.language.sentences.keywords import KEYWORDS, MARKS, OPERATORS
from legalworld.language.sentences.parser import STARTS
from legalworld.model import ast as s
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
from legalworld.wording.diagnostics import catalogue, message

HERE = Span("", 1, 1)
TITLES = {known: name for name, known in NAMES.items() if not name.isascii() and "和" not in name}


def name(text: str) -> s.Name:
    return s.Name(text, HERE)


# ---- trees -----------------------------------------------------------------------------------------------------------
roles = st.sampled_from(["bench", "first", "second", "first_lawyer", "appellant", "appellee", "target"]).map(name)
relations = st.sampled_from(["lawyer", "client", "opponent"]).map(name)
actors = st.recursive(roles, lambda inner: st.builds(s.ActorOf, relations, inner, st.just(HERE)), max_leaves=3)
lists = st.lists(actors, min_size=1, max_size=3).map(tuple)
things = st.sampled_from(["evidence", "claims", "goal", "appeal", "price"]).map(name)
paths = st.lists(st.sampled_from(["by", "is", "grounds"]).map(name), max_size=2).map(tuple)
fields = st.builds(s.FieldOf, things, paths, st.none() | actors, st.just(HERE))
deep_fields = fields.filter(lambda field: bool(field.path))
documents = st.sampled_from(["judgment", "complaint", "record"]).map(name)
answers = st.sampled_from(["agreed", "withdrawn", "ruling"]).map(name)
tokens = st.sampled_from(["结束", "咨询结束", "对{role}说"]).map(lambda text: s.Token(text, HERE))
values = roles | st.sampled_from(["yes", "no", "empty", "assigned"]).map(name)
numbers = st.integers(0, 10**6).map(lambda value: s.Number(float(value), HERE))
counts = st.integers(1, 200)


def spanned(kind: Any, *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(kind, *parts, st.just(HERE))


measures = spanned(s.Measured, st.sampled_from(["value", "count", "sum"]), fields)
chosen = st.none() | st.sampled_from(["yes", "empty", "rejected"]).map(name)
dates = st.sampled_from(["judged", "served"]).map(name)
periods = spanned(s.CalendarPeriod, counts, st.sampled_from(["days", "working days", "weeks", "months", "years"]))
atoms = st.one_of(
    spanned(s.Says, actors, tokens),
    spanned(s.Quantified, st.sampled_from(["all", "any", "most"]), st.just(0), answers, chosen),
    spanned(s.Quantified, st.sampled_from(["at least", "at most"]), counts, answers, chosen),
    spanned(s.Unanimous, fields, st.booleans()),
    spanned(s.Is, actors | deep_fields, values, st.booleans()),
    spanned(s.Compare, measures, st.sampled_from(["at least", "at most"]), numbers | fields),
    spanned(s.DateTest, fields, st.sampled_from(["after", "before"]), st.booleans(), dates, st.none()),
    spanned(s.DateTest, fields, st.just("within"), st.booleans(), dates, periods),
    spanned(s.Holds, fields),
)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        spanned(s.Not, inner),
        spanned(s.And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        spanned(s.Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=5,
)


def head(verb: str, **parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Heads of a verb with some of these parts; None for a part that is not there."""
    given = st.fixed_dictionaries(parts).map(lambda drawn: {key: part for key, part in drawn.items() if part})
    return st.builds(s.Head, st.just(verb), given, st.just(HERE))


subjects = st.builds(s.Subject, lists, st.booleans(), st.just(HERE))
heads = st.one_of(
    head("speak", subject=subjects, act=st.just("asks"), to=lists),
    head(
        "speak",
        subject=subjects,
        act=st.sampled_from(["announces", "states", "responds"]),
        to=st.none() | lists,
    ),
    head("speak", subject=subjects, act=st.just("presents"), to=st.none() | lists, item=st.just(name("item"))),
    head("speak", subject=subjects, act=st.just("notes")),
    head("moderate", by=actors, speakers=lists),
    head("converse", both=st.tuples(actors, actors)),
    head("drive", by=actors, participants=lists),
    head("draft", by=actors, document=documents),
    head("take", document=documents, author=actors),
    head("assign", roles=st.lists(roles, min_size=1, max_size=3).map(tuple)),
    head("perform", part=st.just(name("trial"))),
    head("for_each", variable=st.just(name("item")), within=st.lists(fields, min_size=1, max_size=3).map(tuple)),
    head("repeat", rounds=counts),
    head("sample", size=counts, source=fields),
    head("vote", voters=lists),
    head(
        "decide", subject=st.builds(s.Subject, lists, st.just(False), st.just(HERE)), deciding=roles, kept_in=documents
    ),
    head("record", kept=fields),
    head("leave", subject=st.builds(s.Subject, lists, st.just(False), st.just(HERE))),
    head("enter", subject=st.builds(s.Subject, lists, st.just(False), st.just(HERE))),
    head(
        "read_out",
        subject=st.builds(s.Subject, lists, st.just(False), st.just(HERE)),
        phase=st.just(name("inquiry")),
        to=lists,
    ),
    head("reopen", phase=st.just(name("inquiry"))),
    head("continue", destination=st.just(name("inquiry"))),
    head("if", test=conditions),
    head("else"),
    head("end_stage"),
    head("end_case", document=st.none() | documents),
)


# ---- trees as words --------------------------------------------------------------------------------------------------
VERBS_ZH = {
    "asks": "询问",
    "announces": "宣布",
    "states": "陈述",
    "responds": "回应",
    "presents": "出示",
    "notes": "记录",
}
PERIODS_ZH = {"days": "日", "working days": "个工作日", "weeks": "周", "months": "个月", "years": "年"}
VALUES_ZH = {"yes": "是", "no": "否", "empty": "空", "assigned": "已指定"}


class English:
    """Says a tree in English, as a list of words."""

    def say(self, node: Any) -> list[str]:
        if isinstance(node, s.Head):
            words: list[str] = getattr(self, node.verb + "_" * (node.verb in ("if", "else", "continue")))(**node.parts)
        else:
            words = getattr(self, type(node).__name__)(node)
        return words

    def several(self, nodes: tuple[Any, ...]) -> list[str]:
        words = self.say(nodes[0])
        for node in nodes[1:]:
            words += [",", *self.say(node)]
        return words

    def Name(self, node: s.Name) -> list[str]:
        return [node.text]

    def Token(self, node: s.Token) -> list[str]:
        return [f"【{node.text}】"]

    def Number(self, node: s.Number) -> list[str]:
        return [f"{int(node.value)}"]

    def ActorOf(self, node: s.ActorOf) -> list[str]:
        return [node.relation.text, "of", *self.say(node.of)]

    def FieldOf(self, node: s.FieldOf) -> list[str]:
        words = [".".join(part.text for part in (node.field, *node.path))]
        return [*words, "of", *self.say(node.of)] if node.of else words

    def part(self, node: Any) -> list[str]:
        return ["(", *self.say(node), ")"] if isinstance(node, (s.And, s.Or)) else self.say(node)

    def joined(self, parts: tuple[Any, ...], word: str) -> list[str]:
        words = self.part(parts[0])
        for part in parts[1:]:
            words += [word, *self.part(part)]
        return words

    def And(self, node: s.And) -> list[str]:
        return self.joined(node.parts, "and")

    def Or(self, node: s.Or) -> list[str]:
        return self.joined(node.parts, "or")

    def Not(self, node: s.Not) -> list[str]:
        return ["not", *self.part(node.part)]

    def Says(self, node: s.Says) -> list[str]:
        return [*self.say(node.actor), "says", *self.say(node.token)]

    def Quantified(self, node: s.Quantified) -> list[str]:
        counted = [str(node.count), "votes"] if node.count else []
        value = ["is", *self.say(node.value)] if node.value else []
        return [*node.quantifier.split(), *counted, *self.say(node.answer), *value]

    def Unanimous(self, node: s.Unanimous) -> list[str]:
        return [*self.say(node.answer), *(["is", "not"] if node.negated else ["is"]), "the", "same"]

    def Measured(self, node: s.Measured) -> list[str]:
        return [*([] if node.kind == "value" else [node.kind, "of"]), *self.say(node.what)]

    def Is(self, node: s.Is) -> list[str]:
        return [*self.say(node.left), *(["is", "not"] if node.negated else ["is"]), node.right.text]

    def Compare(self, node: s.Compare) -> list[str]:
        return [*self.say(node.left), *node.comparison.split(), *self.say(node.right)]

    def DateTest(self, node: s.DateTest) -> list[str]:
        how = [node.test] if node.period is None else [node.test, *self.say(node.period), "of"]
        return [*self.say(node.left), *(["is", "not"] if node.negated else ["is"]), *how, *self.say(node.right)]

    def CalendarPeriod(self, node: s.CalendarPeriod) -> list[str]:
        return [str(node.count), *node.unit.split()]

    def Holds(self, node: s.Holds) -> list[str]:
        return self.say(node.what)

    def speak(self, subject: s.Subject, act: str, to: Any = (), item: Any = None) -> list[str]:
        words = [*self.several(subject.actors), *(["may"] if subject.may else []), act]
        words += self.say(item) if item else []
        return [*words, *(["to"] if to and act != "asks" else []), *(self.several(to) if to else [])]

    def moderate(self, by: Any, speakers: Any) -> list[str]:
        return [*self.say(by), "moderates", *self.several(speakers)]

    def converse(self, both: Any) -> list[str]:
        return [*self.say(both[0]), "and", *self.say(both[1]), "converse"]

    def drive(self, by: Any, participants: Any) -> list[str]:
        return [*self.say(by), "drives", *self.several(participants)]

    def draft(self, by: Any, document: Any) -> list[str]:
        return [*self.say(by), "drafts", *self.say(document)]

    def take(self, document: Any, author: Any) -> list[str]:
        return ["take", *self.say(document), "as", *self.say(author)]

    def assign(self, roles: Any) -> list[str]:
        return ["assign", *self.several(roles)]

    def perform(self, part: Any) -> list[str]:
        return ["perform", *self.say(part)]

    def for_each(self, variable: Any, within: Any) -> list[str]:
        return ["for", "each", *self.say(variable), "in", *self.several(within)]

    def repeat(self, rounds: int) -> list[str]:
        return ["repeat", str(rounds), "rounds"]

    def sample(self, size: int, source: Any) -> list[str]:
        return ["sample", str(size), "of", *self.say(source)]

    def vote(self, voters: Any) -> list[str]:
        return [*self.several(voters), "vote"]

    def decide(self, subject: s.Subject, deciding: s.Name, kept_in: s.Name) -> list[str]:
        return [*self.several(subject.actors), "decides", *self.say(deciding), "in", *self.say(kept_in)]

    def record(self, kept: Any) -> list[str]:
        return ["record", *self.say(kept)]

    def leave(self, subject: s.Subject) -> list[str]:
        return [*self.several(subject.actors), "leaves"]

    def enter(self, subject: s.Subject) -> list[str]:
        return [*self.several(subject.actors), "enters"]

    def read_out(self, subject: s.Subject, phase: Any, to: Any) -> list[str]:
        return [*self.several(subject.actors), "reads", *self.say(phase), "to", *self.several(to)]

    def continue_(self, destination: Any) -> list[str]:
        return ["continue", "with", *self.say(destination)]

    def reopen(self, phase: Any) -> list[str]:
        return ["reopen", *self.say(phase)]

    def if_(self, test: Any) -> list[str]:
        return ["if", *self.say(test)]

    def else_(self) -> list[str]:
        return ["else"]

    def end_stage(self) -> list[str]:
        return ["end", "stage"]

    def end_case(self, document: Any = None) -> list[str]:
        return ["end", "case", *(["with", *self.say(document)] if document else [])]


class Chinese(English):
    """Says the same tree in Chinese: other words, and the other order where Chinese has one."""

    def several(self, nodes: tuple[Any, ...]) -> list[str]:
        return ["、" if word == "," else word for word in super().several(nodes)]

    def Name(self, node: s.Name) -> list[str]:
        return [TITLES.get(node.text, node.text)]

    def ActorOf(self, node: s.ActorOf) -> list[str]:
        return [*self.say(node.of), "的", *self.say(node.relation)]

    def FieldOf(self, node: s.FieldOf) -> list[str]:
        words = [".".join([*self.say(node.field), *(part.text for part in node.path)])]
        return [*self.say(node.of), "的", *words] if node.of else words

    def And(self, node: s.And) -> list[str]:
        return self.joined(node.parts, "且")

    def Or(self, node: s.Or) -> list[str]:
        return self.joined(node.parts, "或者")

    def Not(self, node: s.Not) -> list[str]:
        return ["并非", *self.part(node.part)]

    def Says(self, node: s.Says) -> list[str]:
        return [*self.say(node.actor), "说", *self.say(node.token)]

    def Quantified(self, node: s.Quantified) -> list[str]:
        word = {"all": "全体", "any": "任一", "most": "多数", "at least": "至少", "at most": "至多"}[node.quantifier]
        value = ["是", *self.value(node.value)] if node.value else []
        return [word, *([str(node.count), "票"] if node.count else []), *self.say(node.answer), *value]

    def value(self, node: s.Name) -> list[str]:
        return [VALUES_ZH[node.text]] if node.text in VALUES_ZH else self.say(node)

    def Unanimous(self, node: s.Unanimous) -> list[str]:
        return [*self.say(node.answer), *(["不是"] if node.negated else []), "一致"]

    def Measured(self, node: s.Measured) -> list[str]:
        return [*self.say(node.what), *{"value": [], "count": ["的", "数量"], "sum": ["的", "合计"]}[node.kind]]

    def Is(self, node: s.Is) -> list[str]:
        right = [VALUES_ZH[node.right.text]] if node.right.text in VALUES_ZH else self.say(node.right)
        return [*self.say(node.left), "不是" if node.negated else "为", *right]

    def Compare(self, node: s.Compare) -> list[str]:
        return [*self.say(node.left), {"at least": "至少", "at most": "至多"}[node.comparison], *self.say(node.right)]

    def DateTest(self, node: s.DateTest) -> list[str]:
        where = [*self.say(node.left), "不在" if node.negated else "在", *self.say(node.right)]
        if node.period is not None:
            return [*where, "之后", *self.say(node.period), "内"]
        return [*where, {"after": "之后", "before": "之前"}[node.test]]

    def CalendarPeriod(self, node: s.CalendarPeriod) -> list[str]:
        return [str(node.count), PERIODS_ZH[node.unit]]

    def speak(self, subject: s.Subject, act: str, to: Any = (), item: Any = None) -> list[str]:
        addressed = ["向", *self.several(to)] if to else []
        words = [*self.several(subject.actors), *(["可以"] if subject.may else []), *addressed, VERBS_ZH[act]]
        return [*words, *(self.say(item) if item else [])]

    def moderate(self, by: Any, speakers: Any) -> list[str]:
        return [*self.say(by), "主持", *self.several(speakers)]

    def converse(self, both: Any) -> list[str]:
        return [*self.say(both[0]), "与", *self.say(both[1]), "交谈"]

    def drive(self, by: Any, participants: Any) -> list[str]:
        return [*self.say(by), "主导", *self.several(participants)]

    def draft(self, by: Any, document: Any) -> list[str]:
        return [*self.say(by), "起草", *self.say(document)]

    def take(self, document: Any, author: Any) -> list[str]:
        return ["以", *self.say(author), "名义", "采用", *self.say(document)]

    def assign(self, roles: Any) -> list[str]:
        return ["指定", *self.several(roles)]

    def perform(self, part: Any) -> list[str]:
        return ["进行", *self.say(part)]

    def for_each(self, variable: Any, within: Any) -> list[str]:
        return ["就", *self.several(within), "中的每一项", *self.say(variable)]

    def repeat(self, rounds: int) -> list[str]:
        return ["重复", str(rounds), "轮"]

    def sample(self, size: int, source: Any) -> list[str]:
        return ["从", *self.say(source), "中抽取", str(size), "项"]

    def vote(self, voters: Any) -> list[str]:
        return [*self.several(voters), "表决"]

    def decide(self, subject: s.Subject, deciding: s.Name, kept_in: s.Name) -> list[str]:
        return [*self.several(subject.actors), "判定", *self.say(deciding), "，", "记入", *self.say(kept_in)]

    def record(self, kept: Any) -> list[str]:
        return ["记明", *self.say(kept)]

    def leave(self, subject: s.Subject) -> list[str]:
        return [*self.several(subject.actors), "退庭"]

    def enter(self, subject: s.Subject) -> list[str]:
        return [*self.several(subject.actors), "到庭"]

    def read_out(self, subject: s.Subject, phase: Any, to: Any) -> list[str]:
        return [*self.several(subject.actors), "向", *self.several(to), "宣读", *self.say(phase), "的笔录"]

    def continue_(self, destination: Any) -> list[str]:
        return ["转入", *self.say(destination)]

    def reopen(self, phase: Any) -> list[str]:
        return ["恢复", *self.say(phase)]

    def if_(self, test: Any) -> list[str]:
        return ["如果", *self.say(test)]

    def else_(self) -> list[str]:
        return ["否则"]

    def end_stage(self) -> list[str]:
        return ["结束阶段"]

    def end_case(self, document: Any = None) -> list[str]:
        return ["终结案件", *(["并作出", *self.say(document)] if document else [])]


def close_up(words: list[str]) -> str:
    """The words with no space but where two English ones would become one."""
    text = words[0]
    for word in words[1:]:
        text += (" " if text[-1].isascii() and word[0].isascii() else "") + word
    return text


SAYINGS: list[Callable[[Any], str]] = [
    lambda node: " ".join(English().say(node)),
    lambda node: " ".join(Chinese().say(node)),
    lambda node: close_up(Chinese().say(node)),
]


@settings(max_examples=400)
@given(st.tuples(st.just("head"), heads) | st.tuples(st.just("condition"), conditions))
def test_a_tree_said_in_either_language_is_read_back(case: tuple[str, Any]) -> None:
    kind, tree = case
    for saying in SAYINGS:
        text = saying(tree)
        node, problems = getattr(PARSER, kind)(text, HERE)
        assert not problems, (text, [message(problem, "en") for problem in problems])
        assert show(node) == show(tree), text
        assert node.span.column == 1 and node.span.length == len(text)
        for inner in parts(node):
            span = inner.span
            written = text[span.column - 1 : span.column - 1 + span.length]
            if isinstance(inner, s.Name) and inner.text not in VALUES_ZH:
                assert inner.text == written
            if isinstance(inner, s.Token):
                assert f"【{inner.text}】" == written


def parts(node: Any) -> Iterator[Any]:
    """A node and all nodes in it."""
    if isinstance(node, tuple | dict):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from parts(inner)
    elif dataclasses.is_dataclass(node) and not isinstance(node, Span):
        yield node
        for field in dataclasses.fields(node):
            yield from parts(getattr(node, field.name))


# ---- anything at all -------------------------------------------------------------------------------------------------
SPELLINGS = sorted({word for spellings in KEYWORDS.values() for column in spellings for word in column})
SCRAPS = st.one_of(
    st.sampled_from(SPELLINGS),
    st.sampled_from(sorted(NAMES)),
    st.sampled_from(
        [
            *MARKS,
            *OPERATORS,
            "【",
            "】",
            "【结束】",
            "“",
            "”",
            '"',
            "{{",
            "}}",
            "{role}",
            " ",
            " ",
            "\n",
            "\t",
            "3",
            "三",
        ]
    ),
    st.text(max_size=4),
)
LINES = st.tuples(st.lists(SCRAPS, max_size=14), st.sampled_from(["", " ", "　"])).map(
    lambda made: made[1].join(made[0])
)


def check_line(kind: str, text: str) -> None:
    origin = Span("a/b.yaml", 7, 11)
    node, problems = getattr(PARSER, kind)(text, origin)
    assert (node is None) == bool(problems)
    for problem in problems:
        assert problem.code in catalogue()
        inside(problem.span, text, origin)
        rendered(problem)
    for inner in parts(node):
        inside(inner.span, text, origin)


def inside(span: Span, text: str, origin: Span) -> None:
    assert (span.file, span.line) == (origin.file, origin.line)
    assert origin.column <= span.column <= span.column + span.length <= origin.column + len(text)


def rendered(problem: Diagnostic) -> None:
    assert message(problem, "zh") and message(problem, "en")


@settings(max_examples=1000)
@given(st.sampled_from([*STARTS, "token"]), LINES)
def test_no_line_breaks_the_parser(kind: str, text: str) -> None:
    check_line(kind, text)


@settings(max_examples=200)
@given(st.sampled_from(STARTS), heads, st.integers(0, 60), st.integers(0, 3), SCRAPS)
def test_a_damaged_sentence_has_a_place(kind: str, tree: Any, at: int, removed: int, scrap: str) -> None:
    for saying in SAYINGS:
        text = saying(tree)
        check_line(kind, text[:at] + scrap + text[at + removed :])


def test_every_head_and_condition_is_said_above() -> None:
    said = {name.rstrip("_") for name in dir(English)}
    assert {*VERBS, *(kind.__name__ for kind in get_args(s.Condition))} <= said
