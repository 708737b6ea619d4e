"""The mini-language under random input: trees survive being said in English and in Chinese, and nothing breaks it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from test_parser import NAMES, PARSER, show

from legalworld.language.sentences.keywords import KEYWORDS, MARKS, OPERATORS
from legalworld.language.sentences.tables import STARTS
from legalworld.model import ast as s
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
from legalworld.wording.diagnostics import catalogue, message

HERE = Span("", 1, 1)
DETERMINED = settings(derandomize=True, deadline=None)
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


atoms = st.one_of(
    spanned(s.Says, actors, tokens),
    spanned(s.Quantified, st.sampled_from(["all", "any"]), answers),
    spanned(s.Is, actors | deep_fields, values, st.booleans()),
    spanned(s.Compare, fields, st.sampled_from(["at least", "at most"]), numbers | fields),
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
heads = st.one_of(
    spanned(s.SpeakHead, st.just("asks"), lists, lists, st.none(), st.booleans()),
    spanned(
        s.SpeakHead,
        st.sampled_from(["announces", "states", "responds"]),
        lists,
        st.just(()) | lists,
        st.none(),
        st.booleans(),
    ),
    spanned(s.SpeakHead, st.just("presents"), lists, st.just(()) | lists, st.just(name("item")), st.booleans()),
    spanned(s.SpeakHead, st.just("notes"), lists, st.just(()), st.none(), st.booleans()),
    spanned(s.ModerateHead, actors, lists),
    spanned(s.ConverseHead, actors, actors),
    spanned(s.DriveHead, actors, lists),
    spanned(s.DraftHead, actors, documents),
    spanned(s.TakeHead, documents, actors),
    spanned(s.AssignHead, roles),
    spanned(s.PerformHead, st.just(name("trial"))),
    spanned(s.ForEachHead, st.just(name("item")), fields),
    spanned(s.RepeatHead, counts),
    spanned(s.SampleHead, counts, fields),
    spanned(s.ReopenHead, st.just(name("inquiry"))),
    spanned(s.IfHead, conditions),
    spanned(s.ElseHead),
    spanned(s.EndHead, st.just("stage"), st.none()),
    spanned(s.EndHead, st.just("case"), st.none() | documents),
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
VALUES_ZH = {"yes": "是", "no": "否", "empty": "空", "assigned": "已指定"}


class English:
    """Says a tree in English, as a list of words."""

    def say(self, node: Any) -> list[str]:
        words: list[str] = getattr(self, type(node).__name__)(node)
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
        return [node.quantifier, *self.say(node.answer)]

    def Is(self, node: s.Is) -> list[str]:
        return [*self.say(node.left), *(["is", "not"] if node.negated else ["is"]), node.right.text]

    def Compare(self, node: s.Compare) -> list[str]:
        return [*self.say(node.left), *node.comparison.split(), *self.say(node.right)]

    def Holds(self, node: s.Holds) -> list[str]:
        return self.say(node.what)

    def Speak(self, node: s.SpeakHead) -> list[str]:
        words = [*self.several(node.actors), *(["may"] if node.may else []), node.verb]
        words += self.say(node.item) if node.item else []
        to = self.several(node.to) if node.to else []
        return [*words, *(["to"] if to and node.verb != "asks" else []), *to]

    def Moderate(self, node: s.ModerateHead) -> list[str]:
        return [*self.say(node.chair), "moderates", *self.several(node.speakers)]

    def Converse(self, node: s.ConverseHead) -> list[str]:
        return [*self.say(node.opener), "and", *self.say(node.partner), "converse"]

    def Drive(self, node: s.DriveHead) -> list[str]:
        return [*self.say(node.driver), "drives", *self.several(node.participants)]

    def Draft(self, node: s.DraftHead) -> list[str]:
        return [*self.say(node.actor), "drafts", *self.say(node.document)]

    def Take(self, node: s.TakeHead) -> list[str]:
        return ["take", *self.say(node.document), "as", *self.say(node.actor)]

    def Assign(self, node: s.AssignHead) -> list[str]:
        return ["assign", *self.say(node.role)]

    def Perform(self, node: s.PerformHead) -> list[str]:
        return ["perform", *self.say(node.part)]

    def ForEach(self, node: s.ForEachHead) -> list[str]:
        return ["for", "each", *self.say(node.variable), "in", *self.say(node.within)]

    def Repeat(self, node: s.RepeatHead) -> list[str]:
        return ["repeat", str(node.rounds), "rounds"]

    def Sample(self, node: s.SampleHead) -> list[str]:
        return ["sample", str(node.count), "of", *self.say(node.within)]

    def Reopen(self, node: s.ReopenHead) -> list[str]:
        return ["reopen", *self.say(node.phase)]

    def If(self, node: s.IfHead) -> list[str]:
        return ["if", *self.say(node.condition)]

    def Else(self, _: s.ElseHead) -> list[str]:
        return ["else"]

    def End(self, node: s.EndHead) -> list[str]:
        return ["end", node.what, *(["with", *self.say(node.document)] if node.document else [])]


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
        return [{"all": "全体", "any": "任一"}[node.quantifier], *self.say(node.answer)]

    def Is(self, node: s.Is) -> list[str]:
        right = [VALUES_ZH[node.right.text]] if node.right.text in VALUES_ZH else self.say(node.right)
        return [*self.say(node.left), "不是" if node.negated else "为", *right]

    def Compare(self, node: s.Compare) -> list[str]:
        return [*self.say(node.left), {"at least": "至少", "at most": "至多"}[node.comparison], *self.say(node.right)]

    def Speak(self, node: s.SpeakHead) -> list[str]:
        to = ["向", *self.several(node.to)] if node.to else []
        words = [*self.several(node.actors), *(["可以"] if node.may else []), *to, VERBS_ZH[node.verb]]
        return [*words, *(self.say(node.item) if node.item else [])]

    def Moderate(self, node: s.ModerateHead) -> list[str]:
        return [*self.say(node.chair), "主持", *self.several(node.speakers)]

    def Converse(self, node: s.ConverseHead) -> list[str]:
        return [*self.say(node.opener), "与", *self.say(node.partner), "交谈"]

    def Drive(self, node: s.DriveHead) -> list[str]:
        return [*self.say(node.driver), "主导", *self.several(node.participants)]

    def Draft(self, node: s.DraftHead) -> list[str]:
        return [*self.say(node.actor), "起草", *self.say(node.document)]

    def Take(self, node: s.TakeHead) -> list[str]:
        return ["以", *self.say(node.actor), "名义", "采用", *self.say(node.document)]

    def Assign(self, node: s.AssignHead) -> list[str]:
        return ["指定", *self.say(node.role)]

    def Perform(self, node: s.PerformHead) -> list[str]:
        return ["进行", *self.say(node.part)]

    def ForEach(self, node: s.ForEachHead) -> list[str]:
        return ["就", *self.say(node.within), "中的每一项", *self.say(node.variable)]

    def Repeat(self, node: s.RepeatHead) -> list[str]:
        return ["重复", str(node.rounds), "轮"]

    def Sample(self, node: s.SampleHead) -> list[str]:
        return ["从", *self.say(node.within), "中抽取", str(node.count), "项"]

    def Reopen(self, node: s.ReopenHead) -> list[str]:
        return ["恢复", *self.say(node.phase)]

    def If(self, node: s.IfHead) -> list[str]:
        return ["如果", *self.say(node.condition)]

    def Else(self, _: s.ElseHead) -> list[str]:
        return ["否则"]

    def End(self, node: s.EndHead) -> list[str]:
        words = ["结束阶段"] if node.what == "stage" else ["终结案件"]
        return [*words, *(["并作出", *self.say(node.document)] if node.document else [])]


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


@settings(DETERMINED, max_examples=400)
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
    if isinstance(node, tuple):
        for inner in node:
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


@settings(DETERMINED, max_examples=1500)
@given(st.sampled_from([*STARTS, "token"]), LINES)
def test_no_line_breaks_the_parser(kind: str, text: str) -> None:
    check_line(kind, text)


@settings(DETERMINED, max_examples=300)
@given(st.sampled_from(STARTS), heads, st.integers(0, 60), st.integers(0, 3), SCRAPS)
def test_a_damaged_sentence_has_a_place(kind: str, tree: Any, at: int, removed: int, scrap: str) -> None:
    for saying in SAYINGS:
        text = saying(tree)
        check_line(kind, text[:at] + scrap + text[at + removed :])


def test_every_head_and_condition_is_said_above() -> None:
    assert {kind.__name__ for kind in (*get_args(s.Head), *get_args(s.Condition))} <= set(dir(English))
