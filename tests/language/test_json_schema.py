"""The schema that `lw schema` writes: what an editor of YAML takes for right and wrong, without us."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from goldens import BLESS
from jsonschema import Draft202012Validator
from places import ROOT, SPEC_FILES
from ruamel.yaml import YAML
from typed import lw

from legalworld.authoring.picture import Picture
from legalworld.authoring.project_schema import declared_names
from legalworld.files.project_files import Disk, Snapshot
from legalworld.language.json_schema import json_schema, spellings
from legalworld.language.schema import SpecSurface
from legalworld.language.surface_reader import read_node
from legalworld.language.surfaces import Surface, canonical, known_keys, written_keys
from legalworld.language.value_words import NAMES, TRUTH, WORDS
from legalworld.language.yaml.nodes import ListNode, Node, Scalar
from legalworld.wording import read_toml
from legalworld.wording.keys import explained

HELP = ROOT / "legalworld" / "wording" / "keys.toml"


@cache
def picture() -> Picture:
    return Picture(Snapshot(Disk(ROOT)))


@cache
def validator(names: bool) -> Draft202012Validator:
    schema = json_schema(SpecSurface, declared_names(picture()) if names else None, explained)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def read(text: str) -> Any:
    """As an editor reads it: YAML 1.2, and what JSON has no word for as text."""
    return json.loads(json.dumps(YAML(typ="safe").load(text), default=str))


def wrong(text: str, names: bool = True) -> list[str]:
    return [error.message for error in validator(names).iter_errors(read(text))]


@pytest.mark.parametrize("names", [False, True])
def test_every_shipped_spec_passes(names: bool) -> None:
    found = {str(file): wrong(file.read_text("utf-8"), names) for file in SPEC_FILES}
    assert len(found) > 30 and {file: told for file, told in found.items() if told} == {}


def test_what_the_linker_asks_for_is_what_the_schema_offers() -> None:
    """Every value of a shipped file that the linker looks up is in the table where its key has one, with its names."""
    offered, held = declared_names(picture()), Counter[tuple[str, str]]()
    for main in picture().procedures():
        procedure, names = picture().linked(main).procedure, picture().read_names(main)[1]
        assert procedure is not None
        for path in procedure.files:
            node = read_node(picture(), path)[0] if path.startswith("specs/") else None
            for key in written_keys(SpecSurface, node) if node is not None else ():
                place = key.model.__name__, key.attribute
                for word in scalars(key.value) if place in NAMES else ():
                    assert word.text in offered[NAMES[place]], (place, word)
                    if word.span in names.values:
                        held[place] += 1
                        if NAMES[place] in ("kinds", "kinds or roles", "stages", "personas", "checklists", "acts"):
                            assert {*names.values[word.span][1]} <= {*offered[NAMES[place]]}, place
    assert len(held) > 15


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    return [one for one in node.items if isinstance(one, Scalar)] if isinstance(node, ListNode) else []


def test_the_tables_speak_of_keys_that_there_are() -> None:
    models: dict[str, type[Surface]] = {model.__name__: model for model in Surface.__subclasses__()}
    for model, attribute in (*TRUTH, *WORDS, *NAMES):
        assert attribute in known_keys(models[model]).shapes, (model, attribute)


WHOLE = """lw: 1
procedure: civil
title: 标题
case:
  claims: {title: 请求, path: $.claims, required: yes}
kinds: {C: client, J: judge}
roles:
  plaintiff: {title: 原告, kind: client, side: plaintiff}
  judge: {title: 审判长, kind: judge}
target: [plaintiff_lawyer]
documents:
  complaint: {title: 民事起诉状, sections: [诉讼请求]}
stages:
  - stage: LC
    title: 法律咨询
    budget: 30 turns
    steps:
      - judge asks plaintiff: 说什么
        id: ask
        answer: willing is yes or no
        default: no
"""

MISTAKES = [
    *(("lw: 1", "lw: 2"), ("lw: 1\n", ""), ("title: 标题", "titel: 标题"), ("title: 标题", "标题目: 标题")),
    *(("procedure: civil", "procedure: [civil]"), ("title: 标题", "title: {a: b}"), ("case:", "cases:")),
    *(("required: yes", "required: ye"), ("required: yes", "required: 1"), ("required: yes", "requird: yes")),
    *((", path: $.claims", ""), ("path: $.claims", "path: [a, b]")),
    ("{title: 请求, path: $.claims, required: yes}", "x"),
    *(("kinds: {C: client, J: judge}", "kinds: [client]"), ("C: client", "C: [client]"), ("kinds:", "kind:")),
    *(("kind: client", "kind: clinet"), ("kind: judge", "kind: 法官"), ("side: plaintiff}", "side: [a]}")),
    *(("side: plaintiff}", "sides: plaintiff}"), ("side: plaintiff}", "represents: nobody_here}")),
    *(("side: plaintiff}", "assigned: perhaps}"), ("side: plaintiff}", "persona: cheerful_person}")),
    *(("side: plaintiff}", "each: claimz}"), ("roles:", "rolls:")),
    ("target: [plaintiff_lawyer]", "target: [lawyer_x]"),
    *(("target: [plaintiff_lawyer]", "target: {a: b}"), ("{title: 民事起诉状, ", "{"), ("sections:", "section:")),
    *(("sections: [诉讼请求]", "holds: [nothing_such]"), ("sections: [诉讼请求]", "refers to: [no_field]")),
    *(("stages:", "stage:"), ("  - stage: LC\n    title", "  - title"), ("budget: 30 turns", "budjet: 30 turns")),
    *(("steps:", "step:"), ("    budget: 30 turns\n", "    phases: all\n"), ("        id: ask", "        idd: ask")),
    *(("        id: ask", "        id: [ask]"), ("        id: ask", "        produces: complain"),),
    *(("        id: ask", "        checklist: nolist"), ("        id: ask", "        reveals: everything")),
    *(("target:", "extends: civl\ntarget:"), ("target:", "include: [parts/civil-tria.yaml]\ntarget:")),
    *(("target:", "example: cases/jieda.yaml\ntarget:"), ("target:", "tools:\n  x: {who: juge}\ntarget:")),
    *(("target:", "tools:\n  x: {operation: dance}\ntarget:"), ("target:", "decisions:\n  x: {}\ntarget:")),
    ("target:", "memory:\n  client: {cue: x, stages: ZZ, fields: {}}\ntarget:"),
    ("target:", "conduct: {a: b}\ntarget:"),
]  # fmt: skip


def test_the_whole_that_mistakes_are_made_in_is_right() -> None:
    assert wrong(WHOLE) == []
    assert len(MISTAKES) >= 40


@pytest.mark.parametrize(("right", "mistake"), MISTAKES)
def test_a_mistake_is_told(right: str, mistake: str) -> None:
    assert WHOLE.count(right) >= 1
    assert wrong(WHOLE.replace(right, mistake, 1)) != []


@pytest.mark.parametrize("key", ["至多", "at most", "at_most"])
def test_a_key_may_be_written_in_every_spelling(key: str) -> None:
    assert wrong(WHOLE.replace("        id: ask", f"        {key}: 3 turns")) == []
    assert key in spellings("at_most")


# ---- what keys mean --------------------------------------------------------------------------------------------------

ROW = re.compile(r"^\| `([a-z_ ]+)(?:: [^`]*)?`(?:　`[^`]+`)? \| ([^|]+?) \|", re.MULTILINE)
LINK = re.compile(r"\[([^]]+)\]\([^)]*\)")
KEYS = {canonical(name): name for name in known_keys(SpecSurface).writable}


def told(page: Path) -> dict[str, str]:
    """Key -> its row, where it has one alone."""
    rows = ROW.findall(page.read_text("utf-8").partition("<!-- made")[0])
    count = Counter(key for key, _ in rows)
    return {key: LINK.sub(r"\1", text).strip() for key, text in rows if count[key] == 1}


def test_what_a_key_means_is_what_the_reference_says() -> None:
    pages = {"zh": told(ROOT / "docs" / "language.md"), "en": told(ROOT / "docs" / "en" / "language.md")}
    keys = sorted(pages["zh"].keys() & pages["en"].keys() & every_key(SpecSurface, set()))
    text = "# What keys mean, as the tables of docs/language.md and docs/en/language.md say it; made by `make bless`.\n"
    for key in keys:
        lines = "".join(
            f"{language} = {json.dumps(page[key], ensure_ascii=False)}\n" for language, page in pages.items()
        )
        text += f'\n["{key}"]\n{lines}'
    if BLESS:
        HELP.write_text(text, "utf-8")
        read_toml.cache_clear()
    assert HELP.read_text("utf-8") == text
    assert len(keys) > 60 and "\n" in explained("evaluation only")


def every_key(model: type[Surface], seen: set[type[Surface]]) -> set[str]:
    seen.add(model)
    known = known_keys(model)
    found = {name.replace("_", " ") for name in known.writable}
    for shape in known.shapes.values():
        while shape.of is not None:
            shape = shape.of
        if shape.kind == "surface" and shape.model not in seen:
            found |= every_key(shape.model, seen)
    return found


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_the_names_of_the_project_it_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "mine.yaml").write_text(WHOLE.replace("procedure: civil", "procedure: mine"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert lw("schema", "--names", "--out", "schema.json").code == 0
    schema = json.loads(Path("schema.json").read_text("utf-8"))
    kinds = schema["$defs"]["RoleSurface"]["properties"]["kind"]["enum"]
    assert {"client", "judge"} <= {*kinds}
    plain = json.loads(lw("schema").out)
    assert "enum" not in plain["$defs"]["RoleSurface"]["properties"]["kind"]
