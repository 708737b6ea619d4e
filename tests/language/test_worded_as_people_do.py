"""Articles, apostrophes and 质证 are read as people write them: every such wording means the plain one.

Neighbours: every head of the grammar in both languages, conditions, who is meant in keys; each article in every place
before a name, each apostrophe for every `X of Y`; names that hold an article or an apostrophe themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from neighbours import opened, played

from legalworld.language.sentences import parser as parsing
from legalworld.language.sentences.keywords import KEYWORDS, VERBS
from legalworld.language.sentences.parser import Parser
from legalworld.model.events import Request
from legalworld.model.source import Span

NAMES = (
    *("judge", "plaintiff", "defendant", "lawyer", "witness", "exhibits", "judgment", "hearing", "reason", "decision"),
    *("appellant", "outcome", "agreed", "liable", "record", "list", "the Crown", "A Clerk", "a", "Ann's friend"),
    *("审判长", "原告", "被告", "代理律师", "证据", "判决书"),
)
PARSER = Parser(NAMES)
# Alias of the grammar -> a plain sentence of it; `X of Y` where it can stand.
HEADS = {
    "speak": (
        *("judge asks lawyer of plaintiff", "judge announces to witness", "lawyer of defendant may respond"),
        *("lawyer of plaintiff states", "lawyer of plaintiff presents item to defendant", "judge notes"),
    ),
    "moderate": ("judge moderates lawyer of plaintiff, lawyer of defendant",),
    "drive": ("judge drives plaintiff, lawyer of defendant",),
    "converse": ("lawyer of plaintiff and plaintiff converse",),
    "draft": ("judge drafts judgment", "lawyer of plaintiff drafts judgment"),
    "decide": ("judge decides reason in decision",),
    "take": ("take judgment as lawyer of plaintiff",),
    "leave": ("lawyer of plaintiff leaves",),
    "enter": ("plaintiff, lawyer of defendant enter",),
    "read_out": ("judge reads hearing to lawyer of defendant",),
    "assign": ("assign appellant",),
    "perform": ("perform hearing",),
    "for_each": ("for each item in exhibits of plaintiff", "for each one in lawyer of defendant, witness"),
    "repeat": ("repeat 3 rounds",),
    "sample": ("sample 2 of exhibits of plaintiff",),
    "reopen": ("reopen hearing",),
    "vote": ("judge, lawyer of plaintiff, witness vote",),
    "record": ("record outcome of witness",),
    "continue": ("continue with hearing",),
    "if": ("if exhibits of plaintiff is empty", "if lawyer of plaintiff is absent", "if all agreed"),
    "else": ("else",),
    "end_stage": ("end stage",),
    "end_case": ("end case", "end case with judgment"),
}
OTHERS = {
    "condition": (
        "lawyer of plaintiff says 【done】",
        "count of exhibits of plaintiff at least 2",
        "agreed of witness is yes",
    ),
    "actors": ("lawyer of plaintiff, witness and judge", "lawyer of opponent of plaintiff"),
    "assignees": ("lawyer of plaintiff", "opposing parties of plaintiff", "those who answered yes to agreed"),
    "off_the_record": ("judge if agreed",),
}
ARTICLES = ("the", "a", "an", "The")
APOSTROPHES = ("'", "\u2019")
ENGLISH = [*((("head", one)) for many in HEADS.values() for one in many)]
ENGLISH += [(start, one) for start, many in OTHERS.items() for one in many]


def bare(node: Any) -> Any:
    """A node without the places of its words."""
    if isinstance(node, Span):
        return None
    if is_dataclass(node) and not isinstance(node, type):
        return (type(node).__name__, *(bare(getattr(node, one.name)) for one in fields(node) if one.compare))
    if isinstance(node, dict):
        return {key: bare(value) for key, value in node.items()}
    return tuple(map(bare, node)) if isinstance(node, tuple) else node


def read(start: str, text: str) -> Any:
    node, problems = getattr(PARSER, start)(text, Span("demo.yaml", 1, 1))
    assert node is not None, (text, [(one.code, one.values) for one in problems])
    return bare(node)


def declared(text: str) -> Iterator[int]:
    """Where a declared name stands in a plain sentence."""
    for found in re.finditer(r"[A-Za-z_]+", text):
        if found[0] in NAMES:
            yield found.start()


def worded(text: str) -> Iterator[str]:
    """A plain sentence worded otherwise: articles before its names, one, all; apostrophes for `X of Y`."""
    places = list(declared(text))
    for article, place in product(ARTICLES, places):
        yield f"{text[:place]}{article} {text[place:]}"
    whole = text
    for place in reversed(places):
        whole = f"{whole[:place]}the {whole[place:]}"
    yield whole
    for mark in APOSTROPHES:
        for own in (rf"\2{mark}s \1", rf"the \2{mark}s \1"):
            yield re.sub(r"\b(lawyer|exhibits|outcome|agreed) of (plaintiff|defendant|witness)\b", own, text)
        yield re.sub(r"\blawyer of opponent of plaintiff\b", f"lawyer of the plaintiff{mark}s opponent", text)


def test_every_head_of_the_grammar_is_among_them() -> None:
    grammar = (Path(parsing.__file__).parent / "grammar.lark").read_text("utf-8")
    rule = grammar[grammar.index("\nhead:") : grammar.index("\nsubject:")]
    assert set(re.findall(r"->\s+(\w+)", rule)) == set(HEADS)
    spoken = " ".join(sentence for many in HEADS.values() for sentence in many)
    for verb in VERBS:
        assert any(re.search(rf"\b{word}\b", spoken) for word in KEYWORDS[verb].en), verb


@pytest.mark.parametrize(("start", "plain"), ENGLISH)
def test_articles_and_apostrophes_change_nothing(start: str, plain: str) -> None:
    meant = read(start, plain)
    for other in worded(plain):
        assert read(start, other) == meant, other


@pytest.mark.parametrize("subject", ["被告", "被告的代理律师", "被告、原告", "被告 可以"])
def test_examining_evidence_is_a_word_for_responding(subject: str) -> None:
    meant = read("head", f"{subject} 回应")
    for gap in ("", " ", "\u3000"):
        assert read("head", f"{subject}{gap}质证") == meant
    assert read("head", "质证 陈述")[2]["subject"][1][0][1] == "质证", "elsewhere it may be a name"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the Crown states", "the Crown"),
        ("the A Clerk states", "A Clerk"),
        ("A Clerk states", "A Clerk"),
        ("a states", "a"),
        ("the a states", "a"),
        ("Ann's friend states", "Ann's friend"),
        ("the “record” states", "record"),
        ("the list states", "list"),
    ],
)
def test_a_declared_name_is_never_cut(text: str, name: str) -> None:
    assert read("head", text)[2]["subject"][1][0][1] == name


@pytest.mark.parametrize("text", ["the", "judge the states", "judge's states", "'s lawyer states", "judge' states"])
def test_what_nobody_would_write_is_no_sentence(text: str) -> None:
    node, problems = PARSER.head(text, Span("demo.yaml", 1, 1))
    assert node is None and problems, text


SPEC = """\
lw: 1
procedure: small
title: Small
kinds: {{P: party, L: lawyer, J: judge}}
roles:
  plaintiff: {{title: Plaintiff, kind: party, side: one}}
  defendant: {{title: Defendant, kind: party, side: two}}
  counsel: {{title: counsel, kind: lawyer, side: one, represents: plaintiff}}
  judge: {{title: Judge, kind: judge}}
stages:
  - stage: court
    title: Court
    steps:
      - {first}: what is claimed
      - {second}: what is said to it
        answer: agreed is yes or no
      - {third}: it is over
        when: {when}
"""
PLAIN = {
    "first": "lawyer of plaintiff states",
    "second": "judge asks defendant",
    "third": "judge announces",
    "when": "agreed of defendant",
}
WORDED = {
    "first": ("the plaintiff's lawyer states", "the lawyer of the plaintiff states", "plaintiff\u2019s lawyer states"),
    "second": ("the judge asks the defendant", "The judge asks a defendant"),
    "third": ("the judge announces",),
    "when": ("the defendant's agreed", "defendant's agreed"),
}


def test_played_it_is_the_same() -> None:
    def say(request: Request) -> str:
        return "<<agreed: yes>>" if request.form.answer is not None else "words"

    case = "lw: 1\ncase: c\n"
    usual = played(SPEC.format(**PLAIN), case, say).events
    for key, others in WORDED.items():
        for other in others:
            spec = SPEC.format(**{**PLAIN, key: other})
            assert opened(spec).problems == opened(SPEC.format(**PLAIN)).problems, other
            assert played(spec, case, say).events == usual, other
