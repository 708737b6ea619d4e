"""`lw law` and `lw case-library`: what they say, in two languages and as JSON; law-library.md shows what comes."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import click
import doc_pages as pages
import pytest
from click.testing import CliRunner, Result
from library_texts import CASES, STATUTES
from places import ROOT

import legalworld.law.library.library as facade
from legalworld.cli.law import case_library, law
from legalworld.cli.main import lw
from legalworld.law.library.law import FoundArticle
from legalworld.law.library.library import Hits, Library

PAGES = {"zh": ROOT / "docs" / "law-library.md", "en": ROOT / "docs" / "en" / "law-library.md"}
GROUPS = {"law": law, "case-library": case_library}

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command in an empty folder; `lang` is the language."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LW_LIBRARY", raising=False)

    def invoke(*words: str, lang: str = "zh") -> Result:
        return CliRunner().invoke(GROUPS[words[0]], words[1:], env={"LW_LANG": lang}, prog_name=f"lw {words[0]}")

    return invoke


def data(result: Result) -> dict[str, Any]:
    value = json.loads(result.stdout)
    assert isinstance(value, dict)
    return value


def test_the_groups_are_attached() -> None:
    assert {"law", "case-library"} <= set(lw.list_commands(click.Context(lw)))


def test_help_is_in_both_languages(run: Run) -> None:
    for name, group in GROUPS.items():
        for command in ("", *group.commands):
            words = [name, *([command] if command else []), "--help"]
            zh, en = run(*words), run(*words, lang="en")
            assert zh.exit_code == en.exit_code == 0
            assert re.search("[\u4e00-\u9fff]{4}", zh.stdout), words
            described = [line for line in en.stdout.splitlines() if re.match(r"  --?[a-z]", line)]
            assert all(re.search(r"\S  +\S", line) for line in described), en.stdout


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    """The help of the whole program loads neither the index, nor segmentation, nor models."""
    program = "import sys, legalworld.cli.main, legalworld.cli.law; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"tantivy", "rjieba", "litellm", "cn2an", "sqlite3", "ruamel.yaml", "legalworld.law.library.library"}
    assert heavy & set(done.stdout.split()) == set()


def test_without_a_library(run: Run) -> None:
    for words in (
        ["law", "list"],
        ["law", "search", "停车"],
        ["case-library", "search", "停车"],
        ["law", "find", "甲法", "1"],
    ):
        result = run(*words)
        assert (result.exit_code, "LW222" in result.stderr) == (2, True)
        assert data(run(*words, "--json"))["problems"][0]["code"] == "LW222"


def test_a_line_of_our_own_where_there_is_no_text(run: Run) -> None:
    result = run("law", "find", "民诉法", "141")
    assert result.exit_code == 2
    assert "不是法条原文" in result.stdout and "法庭调查" in result.stdout
    run("law", "add", str(STATUTES))
    found = data(run("law", "find", "《中华人民共和国民事诉讼法》", "第一百四十一条", "--json"))
    assert (found["problems"][0]["code"], found["article"]) == ("LW211", "141")
    assert "当事人陈述" in found["gist"]


def test_adding_tells_what_is_new(run: Run) -> None:
    first = run("law", "add", str(STATUTES), "--json")
    found = data(first)
    assert first.exit_code == 0
    assert sorted((act["kind"], act["articles"]) for act in found["new"]) == [
        ("amendment", 1),
        ("amendment", 2),
        ("statute", 3),
        ("statute", 3),
        ("statute", 4),
        ("statute", 4),
        ("statute", 6),
        ("statute", 10),
    ]
    assert (found["same"], found["errors"], found["warnings"]) == (0, 0, 9)  # beside each law lies a text that is none
    again = data(run("law", "add", str(STATUTES), "--json"))
    assert (again["new"], again["same"]) == ([], 8)
    assert run("law", "add", "nowhere").exit_code == 2


def test_found_as_json(run: Run) -> None:
    run("law", "add", str(STATUTES))
    found = data(
        run("law", "find", "湖滨市停车场管理条例", "第三条第三款第（二）项第1目", "--at", "2024-01-01", "--json")
    )
    assert found == {
        "law": "湖滨市停车场管理条例",
        "name": "湖滨市停车场管理条例",
        "article": "3",
        "paragraph": 3,
        "item": 2,
        "point": 1,
        "text": "1．总长超过六米的客车；",
        "path": ["第二章 经营", "第一节 收费"],
        "adopted": "2023-05-08",
        "since": "2023-07-01",
        "until": None,
        "basis": "stated",
    }
    hits = data(run("law", "search", "车辆", "毁损", "--top", "1", "--json"))
    assert [(hit["article"], hit["exact"]) for hit in hits["hits"]] == [("8", False)]
    laws = data(run("law", "list", "--json"))["laws"]
    assert [one["since"] for one in laws if one["law"] == "湖滨市停车场管理条例"] == ["2019-10-01", "2023-07-01"]


def test_without_a_day_it_is_today(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("law", "add", str(STATUTES))
    asked: list[date | None] = []

    class Noting(Library):
        def check(self, *words: Any, **options: Any) -> Any:
            asked.append(options["at"])
            return super().check(*words, **options)

    monkeypatch.setattr(facade, "Library", Noting)
    run("law", "find", "湖滨市停车场管理条例", "1")
    assert asked == [date.today()]


@pytest.mark.parametrize(
    "words",
    [
        ["law", "find", "甲法", "1", "--at", "2024-13-01"],
        ["law", "find", "甲法", "1", "--at", "昨天"],
        ["law", "search", "停车", "--rank", "dense"],
        ["law", "add", "x.md", "--in-force", "2024"],
    ],
)
def test_values_that_are_none(run: Run, words: list[str], tmp_path: Path) -> None:
    for lang in ("zh", "en"):
        result = run(*words, lang=lang)
        assert (result.exit_code, "LW217" in result.stderr) == (2, True)
    assert not (tmp_path / "library").exists()


def test_cases(run: Run) -> None:
    assert data(run("case-library", "add", str(CASES), "--json"))["new"] == 5
    assert "0 个案例，5 个已经" in run("case-library", "add", str(CASES)).stdout
    said = run("case-library", "search", "停车场", "车门").stdout
    assert said.startswith("1. 甲停车公司与乙某停放合同纠纷一审民事判决书（停放合同纠纷，（2024）湖0101民初1号，")
    found = data(run("case-library", "search", "停车场", "车门", "--without", "(2024)湖0101民初1号", "--json"))
    assert all("甲停车公司" not in hit["title"] for hit in found["hits"])


def test_control_characters_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "# 甲\u202e法\n2020年1月1日 通过\n<!-- INFO END -->\n第一条 \u202e\x1b[2J略。\n", encoding="utf-8"
    )
    said = run("law", "add", "a.md").output + run("law", "find", "甲\u202e法", "1").output + run("law", "list").output
    assert "略" in said and not {"\x1b", "\u202e"} & set(said)


# ---- docs/law-library.md, docs/en/law-library.md ---------------------------------------------------------------------


def told(expected: str) -> re.Pattern[str]:
    return re.compile("".join(re.escape(line).replace("…", ".*") + r"\n" for line in expected.splitlines()))


@pytest.mark.parametrize("language", PAGES)
def test_the_page_shows_what_really_comes(language: str, run: Run, tmp_path: Path) -> None:
    found = pages.blocks(PAGES[language])
    (statute,) = [block.body for block in found if block.info == ("markdown",)]
    (tmp_path / "停车条例(2023-05-10).md").write_text(statute, encoding="utf-8")
    count = 0
    for block in found:
        if block.info == ("console",):
            parts = re.split(r"^\$ (.*)\n", block.body, flags=re.MULTILINE)
            for command, expected in zip(parts[1::2], parts[2::2], strict=True):
                _, *words = shlex.split(command)
                result = run(*words, lang=language)
                said = result.stdout + result.stderr
                assert told(expected).fullmatch(said), f"{block.place}: $ {command}\n{said}"
                count += 1
    assert count >= 12
    (program,) = [block.body for block in found if block.info == ("python",)]
    names: dict[str, Any] = {"folder": tmp_path / "library"}
    exec(program, names)
    assert isinstance(names["found"], FoundArticle) and names["found"].text == "（二）一日之内停放超过三次的。"
    assert isinstance(names["hits"], Hits) and names["hits"].hits
