"""The one-line mini-language: cases as files, the parse tables, the tables of words."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from goldens import compare

from legalworld.language import yaml_keys
from legalworld.language.link.verbs import VERBS
from legalworld.language.sentences import keywords
from legalworld.language.sentences.norm_words import FORMULA_STARTS
from legalworld.language.sentences.parser import MOST_CHARACTERS, MOST_NESTING, STARTS, Parser, terminals
from legalworld.language.sentences.quantities import numeral
from legalworld.model.ast import Head, Name, Subject, Token
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
from legalworld.wording.diagnostics import catalogue, message

HERE = Path(__file__).parent / "sentences"
FILES = sorted(path for path in HERE.glob("*.txt") if path.name != "names.txt")


def declared() -> dict[str, str]:
    """Every name of `names.txt` -> the id it stands for."""
    ids = {}
    for line in (HERE / "names.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            for name in line.split():
                ids[name.replace("_pleadings", " pleadings")] = line.split()[0]
    return ids


NAMES = declared()
PARSER = Parser(NAMES)


# Verb -> the parts of its head in the order in which they are printed, under the names they have there.
PARTS = {
    "speak": {"act": "verb", "subject": "actors", "to": "to", "item": "item"},
    "moderate": {"by": "chair", "speakers": "speakers"},
    "drive": {"by": "driver", "participants": "participants"},
    "converse": {"opener": "opener", "partner": "partner"},
    "draft": {"by": "actor", "document": "document"},
    "take": {"document": "document", "author": "actor"},
    "assign": {"roles": "roles"},
    "perform": {"part": "part"},
    "for_each": {"variable": "variable", "within": "within"},
    "repeat": {"rounds": "rounds"},
    "sample": {"size": "count", "source": "source"},
    "vote": {"voters": "voters"},
    "record": {"kept": "what"},
    "leave": {"subject": "actors"},
    "enter": {"subject": "actors"},
    "read_out": {"subject": "reader", "phase": "phase", "to": "to"},
    "reopen": {"phase": "phase"},
    "continue": {"destination": "destination"},
    "if": {"test": "condition"},
    "else": {},
    "end_stage": {},
    "end_case": {"document": "document"},
}


def show_head(head: Head) -> str:
    """A head by the name of its verb, its parts in one order for both languages."""
    parts = dict(head.parts)
    if head.verb == "converse":
        parts["opener"], parts["partner"] = parts.pop("both")
    assert parts.keys() <= PARTS[head.verb].keys()
    said = [f"what={head.verb.removeprefix('end_')}"] if head.verb.startswith("end_") else []
    for part, name in PARTS[head.verb].items():
        value = parts.get(part)
        if isinstance(value, Subject):
            said.append(f"{name}={show(value.actors)}")
        elif value is not None:
            said.append(f"{name}={show(value)}")
    if head.verb == "speak" and parts["subject"].may:
        said.append("may=True")
    verb = "end" if head.verb.startswith("end_") else head.verb
    return f"{verb.title().replace('_', '')}({', '.join(said)})"


def show(node: object) -> str:
    """A node without its spans; names as their ids; fields that say nothing left out."""
    match node:
        case Name(text):
            return NAMES.get(text, text)
        case Token(text):
            return f"【{text}】"
        case Head():
            return show_head(node)
        case tuple():
            return "[" + ", ".join(map(show, node)) + "]"
    if dataclasses.is_dataclass(node):
        fields = {field.name: getattr(node, field.name) for field in dataclasses.fields(node) if field.name != "span"}
        said = [f"{key}={show(value)}" for key, value in fields.items() if value not in ((), None, False, "")]
        return f"{type(node).__name__.removesuffix('Phrase')}({', '.join(said)})"
    return str(node)


def read(kind: str, text: str) -> str:
    """What a line becomes: its tree, or its problems with column and length."""
    node, problems = getattr(PARSER, kind)(text, Span("case", 1, 1))
    assert (node is None) == bool(problems)
    return "\n".join(map(complaint, problems)) if problems else show(node)


def complaint(problem: Diagnostic) -> str:
    span = problem.span
    return f"{problem.code} {span.column}+{span.length} {message(problem, 'zh')}"


def worked_out(text: str) -> str:
    """The text of a file of cases with every outcome worked out anew."""
    blocks = []
    for block in re.split(r"\n\n+", text.strip("\n")):
        lines = [line for line in block.split("\n") if not line.startswith("    ")]
        cases = [line for line in lines if not line.startswith("#")]
        outcomes = {line: read(*(part.strip() for part in line.split("|", 1))) for line in cases}
        if len(set(outcomes.values())) > 1:
            lines += [f"    {line} -> {outcome}" for line, outcome in outcomes.items()]
        else:
            lines += [f"    {line}" for outcome in set(outcomes.values()) for line in outcome.split("\n")]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cases(path: Path) -> None:
    compare(path, worked_out(path.read_text("utf-8")))


def test_every_verb_of_the_grammar_is_linked() -> None:
    grammar = (Path(keywords.__file__).parent / "grammar.lark").read_text("utf-8")
    heads = grammar.partition("\nhead:")[2].partition("\n\n")[0]
    assert set(re.findall(r"-> (\w+)", heads)) == VERBS.keys()


# ---- words -----------------------------------------------------------------------------------------------------------
EVERY_START = (*STARTS, *FORMULA_STARTS)  # two tables of one grammar: that of norms is loaded where one is read


def test_keywords_are_those_of_the_grammar() -> None:
    known = set().union(*map(terminals, EVERY_START))
    assert known - keywords.KEYWORDS.keys() - set(keywords.MARKS.values()) == {"DAY", "NAME", "NUMBER", "TEXT", "TOKEN"}
    assert keywords.KEYWORDS.keys() - known == set()


@pytest.mark.parametrize("start", EVERY_START)
def test_a_spelling_is_one_keyword(start: str) -> None:
    kinds = terminals(start) & keywords.KEYWORDS.keys()
    spellings = [word for kind in kinds for column in keywords.KEYWORDS[kind] for word in column]
    assert len(spellings) == len(set(spellings))


def test_reserved_words() -> None:
    reserved = {"asks", "is", "of", "for each", "至少", "结束阶段", "的", "与", "end case"}
    free = {"ask", "text", "list", "次", "空", "case", "stage", "first", "lawyer", "开头", "with", "文书"}
    assert {word for word in reserved | free if keywords.is_keyword(word)} == reserved


@pytest.mark.parametrize(
    ("text", "value"),
    [("三", 3), ("十", 10), ("十五", 15), ("二十", 20), ("九十九", 99), ("一百零五", 105), ("两百", 200), ("〇", 0)],
)
def test_numerals(text: str, value: int) -> None:
    assert numeral(text) == value


@pytest.mark.parametrize("text", ["", "三三", "一审", "3", "甲"])
def test_no_numerals(text: str) -> None:
    assert numeral(text) is None


def test_truth() -> None:
    said = [keywords.truth(word) for word in ("yes", "是", "true", "no", "否", " False ", "不", "maybe", "")]
    assert said == [True, True, True, False, False, False, None, None, None]


def test_yaml_keys_have_one_alias_each() -> None:
    keys = list(yaml_keys.YAML_KEYS.values())
    assert len(set(keys)) == len(keys)


# ---- messages --------------------------------------------------------------------------------------------------------
CODES = [f"LW{number:03}" for number in range(20, 40)]


def test_every_code_is_raised_by_a_case() -> None:
    found = set(re.findall(r"LW\d{3}", "".join(path.read_text("utf-8") for path in FILES)))
    assert set(CODES) - found == {"LW021"}  # by the tests below


@pytest.mark.parametrize("code", CODES)
def test_sentences_have_no_hole_left(code: str) -> None:
    entry = catalogue()[code]
    assert all(entry[key] for key in ("zh", "en", "help_zh", "help_en"))
    example = entry.get("example", "")
    problems = [p for kind in ("head", "condition") for p in getattr(PARSER, kind)(example, Span("", 1, 1))[1]]
    assert not example or code in {problem.code for problem in problems} or code == "LW020"
    for problem in problems:
        for locale in ("zh", "en"):
            assert re.findall(r"\{[a-z_]+\}", message(problem, locale)) in ([], ["{role}"], ["{role}", "{n}"])


# ---- bounds ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "bench asks " + "x" * MOST_CHARACTERS,
        "if " + "(" * (MOST_NESTING + 1) + "shielded" + ")" * (MOST_NESTING + 1),
        "if " + "not " * (MOST_NESTING + 1) + "shielded",
        "甲的" * (MOST_NESTING + 1) + "乙陈述",
    ],
)
def test_too_long_or_too_deep(text: str) -> None:
    _, problems = PARSER.head(text, Span("case", 1, 1))
    assert [problem.code for problem in problems] == ["LW021"]


def test_a_line_of_countless_readings_is_given_up() -> None:
    parser = Parser({"甲" * length for length in range(1, 30)} | {"甲和甲"})
    for text in ("甲" * MOST_CHARACTERS, "和甲" * 200, ("甲甲 " * 160), "如果" + "甲和甲" * 100):
        _, problems = parser.head(text, Span("case", 1, 1))
        assert problems


def test_no_alias_of_another_kind_of_file_hides_one_of_a_procedure() -> None:
    """Keys of models and checks are joined to the others: a word that both have would mean one of them alone."""
    source = Path(yaml_keys.__file__).read_text("utf-8")
    written = re.findall(r'^    "([^"]+)": "', source, re.MULTILINE)
    assert len(written) == len(set(written))
