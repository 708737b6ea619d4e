"""Studies in `read/` beside the complete text of what is wrong with each; and neighbours of good ones, which stay good
or are told to be wrong at the very place. `LW_BLESS=1` rewrites the expectations."""

from __future__ import annotations

import random
import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from goldens import compare, in_both_languages
from places import ROOT

from legalworld.language.yaml_keys import YAML_KEYS
from legalworld.model.source import MemorySources
from legalworld.studies.definition import Study
from legalworld.studies.layout import lines_of
from legalworld.studies.open import check_study
from legalworld.studies.read_study import read_study

FILES = sorted((Path(__file__).parent / "read").glob("*.yaml"))
SHIPPED = sorted((ROOT / "studies").rglob("*.yaml"))
GOOD = [*SHIPPED, Path(__file__).parent / "read" / "chinese.yaml"]
ELSEWHERE = {"LW829", "LW919", "LW920", "LW809", "LW922", "LW923", "LW924", "LW925", "LW926", "LW927", "LW928"}
"""Told when cases are read or a study is played: tests of their own."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_wrong_with_a_study(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    problems = check_study(file, ROOT)
    texts = in_both_languages(problems, lambda path: (ROOT / path).read_text("utf-8"))
    compare(file.with_suffix(".txt"), texts)
    if file.stem.startswith("LW"):
        assert file.stem in {one.code for one in problems}
    else:
        assert problems == ()


def test_every_message_of_studies_has_a_file() -> None:
    told = tomllib.loads((resources.files("legalworld.wording") / "diagnostics" / "studies.toml").read_text("utf-8"))
    assert set(told) - ELSEWHERE == {file.stem for file in FILES if file.stem.startswith("LW")}


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_a_shipped_study_has_no_error(file: Path) -> None:
    assert [one for one in check_study(file, ROOT) if one.severity == "error"] == []


def read(text: str) -> Study:
    study, problems = read_study(MemorySources({"studies/x.yaml": text}), "studies/x.yaml")
    assert study is not None, [(one.code, one.span, one.values) for one in problems]
    return study


def shape(study: Study) -> object:
    """What a study comes to, whatever language it is written in and however its entries are ordered."""
    points = {name: sorted(str(sorted(p.facts.items())) for p in one.points) for name, one in study.conditions.items()}
    lines = {name: sorted(line.label for line in lines_of(one, study)) for name, one in study.tables.items()}
    columns = {name: sorted(c.name for c in one.columns) for name, one in study.tables.items()}
    return points, lines, columns, sorted(study.cases), sorted(study.scoring)


@pytest.mark.parametrize("file", GOOD, ids=lambda file: file.stem)
def test_keys_in_the_other_language_say_the_same(file: Path) -> None:
    text = file.read_text("utf-8")
    chinese = {key: word for word, key in YAML_KEYS.items()}
    words = (fact for one in read(text).conditions.values() for fact, _ in one.words)
    options = {fact.removeprefix("option ") for fact in words if fact.startswith("option ")}  # names, no keys
    other = text
    for word, key in sorted(YAML_KEYS.items(), key=lambda pair: -len(pair[0])):
        here, there = (word, key) if "研究:" in text else (key, chinese[key])
        if here not in options:
            other = re.sub(rf"(^|[{{,]|- )(\s*){re.escape(here)}:(?=\s)", rf"\1\2{there}:", other, flags=re.M)
    assert other != text
    assert shape(read(other)) == shape(read(text))


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_sections_says_nothing(seed: int) -> None:
    for file in GOOD:
        text = file.read_text("utf-8")
        sections = re.split(r"(?m)^(?=[^\s#])", text)
        random.Random(seed).shuffle(sections)
        assert shape(read("".join(one if one.endswith("\n") else f"{one}\n" for one in sections))) == shape(read(text))


@pytest.mark.parametrize("seed", range(40))
def test_a_name_misspelt_where_it_is_used_is_told_there(seed: int) -> None:
    """One use of a declared name, changed by a letter: an error on that very line."""
    dice = random.Random(seed)
    text = dice.choice(GOOD).read_text("utf-8")
    study = read(text)
    names = [name for name in (*study.conditions, *study.scoring, *study.cases) if len(name) > 1 and name.isalpha()]
    uses = [
        match
        for name in names
        for match in re.finditer(rf"(?<![\w\"/]){re.escape(name)}(?!\w|:)", text)
        if re.search(
            r"(of|cases|哪些组|所据案件|extends|minus|base|基准|\d \*)\W", text[: match.start()].rpartition("\n")[2]
        )
        and "#" not in text[: match.start()].rpartition("\n")[2]
        and "needs:" not in text[: match.start()].rpartition("\n")[2]
        and "title" not in text[: match.start()].rpartition("\n")[2]
        and not re.match(r"\s*/|\S*\.yaml", text[match.end() :])
    ]
    use = dice.choice(uses)
    wrong = text[: use.start()] + use[0][0] + "ў" + use[0][1:] + text[use.end() :]
    found, problems = read_study(MemorySources({"studies/x.yaml": wrong}), "studies/x.yaml")
    line = text.count("\n", 0, use.start()) + 1
    assert found is None, wrong.splitlines()[line - 1]
    assert line in {one.span.line for one in problems if one.severity == "error"}, wrong.splitlines()[line - 1]
