"""A name that a message puts in quotation marks stands where the message points, or the message says whose it is.

Whoever reads “judge” looks for that word in the line that is shown. Each broken project of `diagnostics/` is asked, and
shipped procedures in which names are mistyped, or taken for one another, in lines drawn by a seed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from test_check import PROJECTS, problems_in, project, shipped

from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources, Span
from legalworld.wording.diagnostics import catalogue

LACKING = "it is missing, and so stands nowhere"
FILE = "a file, named by its path"
WHOSE = "the message says of it what it is: a stage, a part, a procedure, a field, somebody who is meant there"
DERIVED = "of several lines, or what a name of a template stands for, set further up"
ELSEWHERE = {
    **dict.fromkeys(("LW042 key", "LW065 name", "LW071 key", "LW270 key"), LACKING),
    **dict.fromkeys(("LW045 path", "LW047 path", "LW720 path", "LW721 path", "LW722 path", "LW726 path"), FILE),
    **dict.fromkeys(("LW095 name", "LW289 name"), FILE),
    **dict.fromkeys(("LW056 stage", "LW087 stage", "LW238 stage", "LW088 stages", "LW084 places"), WHOSE),
    **dict.fromkeys(("LW066 part", "LW083 owner", "LW406 procedure", "LW408 procedure", "LW411 original"), WHOSE),
    **dict.fromkeys(
        ("LW726 role", "LW726 item", "LW768 type", "LW269 actor", "LW385 actor", "LW078 known", "LW402 key"), WHOSE
    ),
    **dict.fromkeys(("LW876 name", "LW876 decision"), WHOSE),
    **dict.fromkeys(("LW455 name", "LW084 path", "LW111 path", "LW112 path", "LW425 path", "LW952 path"), DERIVED),
}
QUOTED = re.compile(r"[“《]\{(\w+)\}[”》]")
MISTAKES = 12
"""Lines of each procedure in which a name is mistyped, and as many in which one stands for another."""


@cache
def quoted(code: str) -> frozenset[str]:
    """The holes of a message that stand in quotation marks."""
    entry = catalogue()[code]
    return frozenset(hole for locale in ("zh", "en") for hole in QUOTED.findall(entry[locale]))


def line_at(sources: MemorySources, span: Span) -> str:
    lines = re.split(r"\r\n|\r|\n", sources.read(span.file) or "")
    return "".join(lines[span.line - 1].split()) if 0 < span.line <= len(lines) else ""


def unseen(problems: Iterable[Diagnostic], sources: MemorySources) -> Iterator[str]:
    """The names in quotation marks that stand in no line to which their message points."""
    for problem in problems:
        shown = "\n".join(line_at(sources, span) for span in (problem.span, *problem.also))
        for hole in quoted(problem.code):
            value = problem.values[hole]
            for name in value if isinstance(value, tuple | list | set | frozenset) else (value,):
                if name != "" and "".join(str(name).split()) not in shown and f"{problem.code} {hole}" not in ELSEWHERE:
                    yield f"{problem.span.file}:{problem.span.line} {problem.code} {hole}: {name} not in {shown!r}"


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_what_a_message_quotes_stands_where_it_points(folder: object) -> None:
    sources = project(folder)  # type: ignore[arg-type]
    assert not list(unseen(problems_in(sources, "specs/demo.yaml"), sources))


def test_every_exception_is_one() -> None:
    for name in ELSEWHERE:
        code, hole = name.split()
        assert hole in quoted(code), f"{name} is quoted in no message"


# ---- names mistyped, and taken for one another -----------------------------------------------------------------------
SPECS = ("bargain", "quexi", "xiaoe", "smallclaims", "maser", "labour-arbitration", "enforcement-objection", "asp2lj")
SENTENCE = re.compile(
    r"^ +- (?!stage|phase|rule)[^:#]+:|^ +(answer|when|until|call|reviewed by|closed to|present|tie): "
)
ROW = re.compile(r"^ +\| \w+ ")
ENTRY = re.compile(r"^ +\w+: +\{")
WORD = re.compile(r"(?<![\w“{$.\[/])[a-z_]{3,}(?![\w”:}/])|[\u4e00-\u9fff]{2,}")


def mistyped(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return chance.choice((word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word[:at] + "x" + word[at:]))


def mistakes(text: str, name: str) -> Iterator[tuple[int, str]]:
    """(line number, the text with a name in that line mistyped, or with another name of the file in its place)"""
    chance, lines = random.Random(name), text.split("\n")
    fitting = [n for n, line in enumerate(lines) if SENTENCE.search(line) or ROW.search(line) or ENTRY.search(line)]
    names = sorted({*re.findall(r"(?m)^  (\w+): +\{", text), "judge", "appellant"})
    for other in (False, True):
        for number in sorted(chance.sample(fitting, min(MISTAKES, len(fitting)))):
            words = list(WORD.finditer(lines[number]))
            if not words:
                continue
            word = chance.choice(words)
            instead = chance.choice(names) if other else mistyped(word[0], chance)
            line = lines[number][: word.start()] + instead + lines[number][word.end() :]
            yield number + 1, "\n".join([*lines[:number], line, *lines[number + 1 :]])


@pytest.mark.parametrize("spec", SPECS)
def test_a_mistyped_name_is_told_as_it_is_written(spec: str) -> None:
    texts, path = shipped(), f"specs/{spec}.yaml"
    told, wrong = 0, []
    for number, text in mistakes(texts[path], spec):
        sources = MemorySources({**texts, path: text})
        problems = problems_in(sources, path)
        told += bool(problems)
        wrong += [f"line {number} changed: {one}" for one in unseen(problems, sources)]
    assert told >= 4, "hardly any mistake is told: this says nothing"
    assert not wrong, "\n".join(wrong)
