"""Typing mistakes in case files: told before anything is played, at the line, with what was meant.

Each mistake is made in a line drawn by a seed, in cases of several procedures and both languages. What is asked is the
same of all: the first thing that is told points to the line, and where a word was misspelt the word that was meant is
named. What is read as it was meant (full-width figures, another separator) needs no message: then the case must be the
same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from places import ROOT

from legalworld.model.diagnostics import Diagnostic
from legalworld.runs.case_file import CaseFile, OpenedCase, bound_case, open_case_file
from legalworld.runs.project import Project, open_project

PLAYED = {
    "jiedai": "civil",
    "quexi-huokuan": "quexi",
    "kuaijian": "criminal",
    "zhangyuan": "administrative",
    "fenjian": "labour-arbitration",
    "smallclaims-garden": "smallclaims",
}
DRAWN = 4
"""Lines of each case in which each mistake is made."""


@dataclass(frozen=True)
class Mistake:
    """`fits`: lines in which it can be made. `meant`: what a message must propose, from the line ("" = no proposal)."""

    name: str
    fits: re.Pattern[str]
    make: Callable[[re.Match[str]], str]
    meant: Callable[[re.Match[str]], str] = lambda match: ""
    below: int = 0


def swapped(word: str) -> str:
    """A word with two letters in the wrong order."""
    at = next(at for at in range(len(word) // 2, len(word) - 1) if word[at] != word[at + 1])
    return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"


KEY = r"^(?P<in>[ -]*)(?P<key>{}): (?P<value>[^\[\]{{}}\n\"'>]+)$"
KEYS = re.compile(KEY.format(r"[a-z_]{4,}"))
TOP = re.compile(r"^(?P<key>[a-z_]{4,}):(?P<value>.*)$")
AMOUNT = re.compile(KEY.format("amount|preservation_fee|minimum_wage"))
DAY = re.compile(
    KEY.format("filed|hearing|judged|date|received|complaint|defence|answer|application|served|issued|birth")
)
CHINESE_DAY = re.compile(DAY.pattern.replace(r"[^\[\]{}\n\"'>]+", r"\d{4}年\d+月\d+日"))
WHOLE_DAY = re.compile(CHINESE_DAY.pattern.replace("|birth", ""))  # a birth may be a month of a year
YES = re.compile(KEY.format("settle|voluntary|withdraw"))
ID = re.compile(r"^(?P<in>[ -]*)(?P<key>id): (?P<value>[^\x00-\x7f]+\d)$")
MANY = re.compile(r"^(?P<in> *)(?P<key>claims|exhibits): \[(?P<value>[^\],]+), (?P<rest>[^\]]+)\]$")
ONE = re.compile(r"^(?P<in> *)(?P<key>claims): \[(?P<value>\d)\]$")
LEVEL = re.compile(r"^(?P<in> {6,})(?P<key>[a-z_]+): (?P<value>low|medium|high)$")
CHOICE = re.compile(KEY.format("type|proves|plea|opinion|attended|stance|account").replace("]+)$", "]{1,6})$"))
SPLICE = re.compile(
    r"^(?P<before>.*[{ ](?:exhibit|to|head|about): )(?P<value>[^\x00-\x7f,}]{1,2}\d|[CD]\d)(?P<after>[,}].*)$"
)
FLOW = re.compile(r"^(?P<before> *- \{[a-z_]+: [^{}\"'\[\],]+)(?P<sign>, )(?P<after>[a-z_]+: .*\})$")
BY = re.compile(r"^(?P<in> +)(?P<key>by): (?P<value>[^\[\]{}\n]{3,})$")


def put(value: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    """The line with its value written otherwise."""
    return lambda match: f"{match['in']}{match['key']}: {value(match['value'])}"


def key(change: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    return lambda match: f"{match['in']}{change(match['key'])}: {match['value']}"


def same_key(match: re.Match[str]) -> str:
    return match["key"]


def same_value(match: re.Match[str]) -> str:
    return match["value"]


MISTAKES = (
    # keys
    Mistake("a key with two letters swapped", KEYS, key(swapped), same_key),
    Mistake("a key without its last letter", KEYS, key(lambda word: word[:-1]), same_key),
    Mistake("a key with a letter twice", KEYS, key(lambda word: word[:2] + word[1:]), same_key),
    Mistake("a key with a capital", KEYS, key(str.capitalize), same_key),
    Mistake("a key in capitals", KEYS, key(str.upper), same_key),
    Mistake("a top key swapped", TOP, lambda found: f"{swapped(found['key'])}:{found['value']}", same_key),
    Mistake("a top key without its end", TOP, lambda found: f"{found['key'][:-1]}:{found['value']}", same_key),
    Mistake("a top key with a plural", TOP, lambda found: f"{found['key']}s:{found['value']}", same_key),
    # YAML
    Mistake("a tab", KEYS, lambda found: "\t" + found[0].lstrip()),
    Mistake("no blank behind the colon", KEYS, lambda found: found[0].replace(": ", ":", 1), below=1),
    Mistake("a full-width colon", KEYS, lambda found: found[0].replace(": ", "：", 1)),
    Mistake("a full-width colon and a blank", KEYS, lambda found: found[0].replace(": ", "： ", 1)),
    Mistake("an open quotation mark", KEYS, put(lambda word: f'"{word}')),
    Mistake("a quotation mark too many", KEYS, put(lambda word: f'"{word}""')),
    Mistake("two colons", KEYS, put(lambda word: f"{word}: x")),
    Mistake(
        "a key given twice",
        KEYS,
        lambda found: f"{found[0].replace('- ', '  ')}\n{found[0].replace('- ', '  ')}",
        below=1,
    ),
    Mistake("a list of one", KEYS, put(lambda word: f"[{word}]")),
    Mistake("a table", KEYS, put(lambda word: f"{{value: {word}}}")),
    Mistake("a full-width comma in braces", FLOW, lambda found: f"{found['before']}，{found['after']}"),
    Mistake("no comma in braces", FLOW, lambda found: f"{found['before']} {found['after']}"),
    Mistake("a full-width brace", FLOW, lambda found: found[0].replace("{", "｛")),
    Mistake("an open brace", FLOW, lambda found: found[0][:-1], below=3),
    # sums
    Mistake("about", AMOUNT, put(lambda word: f"约{word}")),
    Mistake("a letter for a nought", AMOUNT, put(lambda word: f"{word.partition('.')[0][:-1]}O")),
    Mistake("a range", AMOUNT, put(lambda word: f"{word.partition('.')[0]}-900000000")),
    Mistake("two points", AMOUNT, put(lambda word: f"1.0.{word.partition('.')[0]}")),
    Mistake("a minus", AMOUNT, put(lambda word: f"-{word}")),
    Mistake("another currency", AMOUNT, put(lambda word: f"{word.partition('.')[0]} EUR")),
    Mistake("a unit of time", AMOUNT, put(lambda word: f"{word.partition('.')[0]}天")),
    Mistake("words for a sum", AMOUNT, put(lambda word: "若干元")),
    Mistake("a word behind", AMOUNT, put(lambda word: f"{word.partition('.')[0]}元左右")),
    Mistake(
        "full-width figures",
        AMOUNT,
        put(lambda word: "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in word)),
    ),
    Mistake("the unit that is understood", AMOUNT, put(lambda word: f"{word}元")),
    Mistake("a colloquial sum", AMOUNT, put(lambda word: "一万五")),
    # days
    Mistake("a day of no calendar", CHINESE_DAY, put(lambda word: re.sub(r"\d+月\d+日", "2月30日", word))),
    Mistake("a month of no calendar", CHINESE_DAY, put(lambda word: re.sub(r"\d+月", "13月", word))),
    Mistake("the last sign missing", CHINESE_DAY, put(lambda word: word[:-1])),
    Mistake("no day", WHOLE_DAY, put(lambda word: word.partition("月")[0] + "月")),
    Mistake("no year", CHINESE_DAY, put(lambda word: word.partition("年")[2])),
    Mistake("a digit too many", CHINESE_DAY, put(lambda word: f"2{word}")),
    Mistake("a letter in a day", CHINESE_DAY, put(lambda word: word.replace("2", "Z", 1))),
    Mistake("a word for a day", CHINESE_DAY, put(lambda word: "上个月底")),
    Mistake("a day and something", CHINESE_DAY, put(lambda word: f"{word}左右")),
    Mistake("hyphens for the signs", CHINESE_DAY, put(lambda word: re.sub("[年月]", "-", word)[:-1])),
    # yes, choices
    Mistake("neither yes nor no", YES, put(lambda word: "再说")),
    Mistake("a yes misspelt", YES, put(lambda word: "shi")),
    Mistake("a choice without its end", CHOICE, put(lambda word: word[:-1]), same_value),
    Mistake("a choice with a sign too many", CHOICE, put(lambda word: f"{word}人"), same_value),
    Mistake("a choice of nothing", CHOICE, put(lambda word: "乱写")),
    Mistake("a level misspelt", LEVEL, put(swapped), same_value),
    Mistake("a level of no framework", LEVEL, put(lambda word: "extreme")),
    Mistake("a dimension misspelt", LEVEL, key(swapped), same_key),
    # what refers to something
    Mistake("an id given twice", ID, put(lambda word: re.sub(r"\d+$", lambda n: str(int(n[0]) % 2 + 1), word))),
    Mistake("a reference to nothing", ONE, lambda found: f"{found['in']}{found['key']}: [7]"),
    Mistake(
        "one of several to nothing", MANY, lambda found: f"{found['in']}{found['key']}: [{found['value']}, 原证77]"
    ),
    Mistake(
        "a full-width comma in a list",
        MANY,
        lambda found: f"{found['in']}{found['key']}: [{found['value']}，{found['rest']}]",
    ),
    Mistake("a list as a text", MANY, lambda found: f"{found['in']}{found['key']}: {found['value']}、{found['rest']}"),
    Mistake("one for a list", ONE, lambda found: f"{found['in']}{found['key']}: {found['value']}"),
    Mistake("a reference misspelt", SPLICE, lambda found: f"{found['before']}{found['value'][0]}9{found['after']}"),
    Mistake("a person misspelt", BY, put(lambda word: f"{word[:-1]}某"), same_value),
)


@cache
def project(spec: str) -> Project:
    opened = open_project(spec, ROOT)
    assert isinstance(opened, Project) and opened.procedure is not None
    return opened


def opened(path: Path, spec: str) -> tuple[OpenedCase | None, tuple[Diagnostic, ...]]:
    file = open_case_file(project(spec), str(path), "", ROOT)
    if not isinstance(file, CaseFile):
        return None, file
    found = bound_case(project(spec), file, None, {}, ROOT)
    return (found, found.problems) if isinstance(found, OpenedCase) else (None, found)


@cache
def lines(case: str) -> tuple[str, ...]:
    """Of a case all but what is only for evaluation."""
    text = (ROOT / "cases" / f"{case}.yaml").read_text("utf-8")
    return tuple(text.split("\n"))


@cache
def before(case: str, folder: Path) -> tuple[str, frozenset[tuple[str, int]]]:
    """What the case says as it is, and what is told of it."""
    path = folder / "before.yaml"
    path.write_text("\n".join(lines(case)), "utf-8")
    found, problems = opened(path, PLAYED[case])
    assert found is not None
    return said(found), frozenset((problem.code, problem.span.line) for problem in problems)


def said(case: OpenedCase) -> str:
    """All values of a case, whatever way they are written."""
    return repr(case.case.fields)


def drawn(mistake: Mistake, case: str) -> Iterator[tuple[int, str, re.Match[str]]]:
    """(line, the text with the mistake in it, what stood there)"""
    whole = lines(case)
    last = next((at for at, line in enumerate(whole) if line.startswith(("real:", "truth:"))), len(whole))
    fitting = [(at, found) for at, line in enumerate(whole[:last]) if (found := mistake.fits.match(line))]
    for at, found in random.Random(f"{mistake.name} {case}").sample(fitting, min(DRAWN, len(fitting))):
        yield at + 1, "\n".join([*whole[:at], mistake.make(found), *whole[at + 1 :]]), found


@dataclass
class Tally:
    made: int = 0
    right: int = 0
    silent: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    unrepaired: list[str] = field(default_factory=list)


def tally(mistake: Mistake, folder: Path) -> Tally:
    found = Tally()
    for case, spec in PLAYED.items():
        as_it_was, known = before(case, folder)
        for line, text, match in drawn(mistake, case):
            path = folder / f"{case}.yaml"
            path.write_text(text, "utf-8")
            read, problems = opened(path, spec)
            new = [one for one in problems if (one.code, one.span.line) not in known]
            first = min(new, key=lambda one: (one.severity, one.span.line), default=None)
            name, wanted = f"{case}:{line} {match[0].strip()[:40]}", mistake.meant(match)
            found.made += 1
            if first is None:
                fine = read is not None and said(read) == as_it_was
                found.silent += [] if fine else [name]
            elif not any(line <= place.line <= line + mistake.below for place in (first.span, *first.also)):
                fine = False
                found.elsewhere.append(f"{name} {first.code}:{first.span.line}")
            else:
                fine = not wanted or wanted in (first.nearest, *map(str, first.values.values()))
                found.unrepaired += [] if fine else [f"{name} {first.code} {first.nearest}"]
            found.right += fine
    return found


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_a_typing_mistake_is_told_at_its_line_with_what_was_meant(mistake: Mistake, tmp_path: Path) -> None:
    found = tally(mistake, tmp_path)
    assert found.made >= 3, "the mistake fits hardly anywhere: it says nothing"
    assert (found.silent, found.elsewhere, found.unrepaired) == ([], [], [])
