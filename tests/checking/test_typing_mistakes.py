"""Typing mistakes in real procedures: told at the line, one for each, whatever else they upset.

Each mistake is made in lines drawn by a seed. What is asked is the same of all: somebody who reads the first message
looks at the right line, and is not sent to others.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from places import ROOT

from legalworld.language.link.linker import link
from legalworld.language.yaml.nodes import MapNode, Node, Scalar
from legalworld.language.yaml.reader import read
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources

SPECS = ("bargain", "quexi", "xiaoe", "smallclaims")
DRAWN = 8
"""Lines of each procedure in which each mistake is made."""


@dataclass(frozen=True)
class Mistake:
    name: str
    fits: re.Pattern[str]
    make: Callable[[str], str]


MISTAKES = (
    Mistake("a tab", re.compile(r"^ {4,}\S"), lambda line: "\t" + line.lstrip()),
    Mistake("a full-width space", re.compile(r"^ {4,}\S"), lambda line: "\u3000" + line[2:]),
    Mistake("one space less", re.compile(r"^ {4,}[\w-]"), lambda line: line[1:]),
    Mistake("one space more", re.compile(r"^ {4,}[\w-]"), lambda line: " " + line),
    Mistake("two spaces less", re.compile(r"^ {6,}[\w-]"), lambda line: line[2:]),
    Mistake("two spaces more", re.compile(r"^ {4,}[\w-]"), lambda line: "  " + line),
    Mistake("three spaces more", re.compile(r"^ {2,}[\w-]"), lambda line: "   " + line),
    Mistake("no space behind the colon", re.compile(r"^ +[\w ]+: [^ {\[|]"), lambda line: line.replace(": ", ":", 1)),
    Mistake("a full-width colon", re.compile(r"^ +[\w ]+: [^ {\[|]"), lambda line: line.replace(": ", "：", 1)),
    Mistake(
        "a full-width comma",
        re.compile(r"^ +\w+: +\{\w+: [^{}\"'\[]*, \w+: "),
        lambda line: line.replace(", ", "，", 1),
    ),
    Mistake("a full-width brace", re.compile(r"^ +\w+: +\{\w+: [^{}\"'\[]*\}$"), lambda line: line.replace("{", "｛")),
    Mistake("a full-width bar", re.compile(r"^ +\| \w"), lambda line: line.replace("|", "｜", 1)),
    Mistake(
        "a key misspelt",
        re.compile(r"^ +(until|at most|title|basis|produces): "),
        lambda line: line.replace(":", "x:", 1),
    ),
)


def sources(text: str, spec: str) -> MemorySources:
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in ("specs", "personas", "skills")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }
    return MemorySources({**texts, f"specs/{spec}.yaml": text})


def drawn(mistake: Mistake, spec: str) -> list[tuple[int, str]]:
    """(line number, the text with the mistake in that line)"""
    lines = (ROOT / "specs" / f"{spec}.yaml").read_text(encoding="utf-8").split("\n")
    fitting = [number for number, line in enumerate(lines) if mistake.fits.search(line)]
    chosen = random.Random(f"{mistake.name} {spec}").sample(fitting, min(DRAWN, len(fitting)))
    return [
        (number + 1, "\n".join([*lines[:number], mistake.make(lines[number]), *lines[number + 1 :]]))
        for number in sorted(chosen)
    ]


def told(spec: str, text: str) -> tuple[Diagnostic, ...]:
    problems = link(sources(text, spec), f"specs/{spec}.yaml").problems
    return tuple(problem for problem in problems if problem.severity == "error")


def said(node: Node | None) -> object:
    """What a file says, wherever its lines stand."""
    match node:
        case None:
            return None
        case Scalar(text):
            return text
        case MapNode(entries):
            return {entry.key.text: said(entry.value) for entry in entries}
        case _:
            return [said(item) for item in node.items]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_a_typing_mistake_is_told_once_and_at_its_line(mistake: Mistake) -> None:
    made, elsewhere, many, silent = 0, [], [], []
    for spec in SPECS:
        for line, text in drawn(mistake, spec):
            made += 1
            problems = told(spec, text)
            if not problems:
                written = (ROOT / "specs" / f"{spec}.yaml").read_text(encoding="utf-8")
                same = said(read(spec, text)[0]) == said(read(spec, written)[0])  # the one line of its block
                silent += [] if same else [f"{spec}:{line}"]
                continue
            first = min(problems, key=lambda problem: (problem.span.file, problem.span.line))
            if first.span.line != line:
                elsewhere.append(f"{spec}:{line} {first.code}:{first.span.line}")
            if len(problems) > 2:
                many.append(f"{spec}:{line} {[problem.code for problem in problems]}")
    assert made >= 4, "the mistake fits hardly anywhere: it says nothing"
    assert not silent, silent
    assert not elsewhere, elsewhere
    assert not many, many
