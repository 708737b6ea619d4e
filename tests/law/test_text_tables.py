"""The tables of `legalworld.law.text`: everything in them is used, nothing contradicts, and a name has one meaning."""

from __future__ import annotations

import datetime
import re
from importlib.resources import files
from pathlib import Path

import pytest

from legalworld.law.text import law_names
from legalworld.law.text.lexicon import pattern, table

FOLDER = Path(str(files("legalworld.law.text"))) / "tables"
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
LAWS = table("laws")
SHORT = [*LAWS["law"], *LAWS["regulation"], *LAWS["rule"], *LAWS["interpretation"].values()]
PACKAGE = FOLDER.parent.parent.parent
SOURCES = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))  # others read decisions by them, too
TABLES = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_every_pattern_is_one_and_is_used(name: str) -> None:
    for key in table(name).get("patterns", {}):
        assert isinstance(pattern(name, key), re.Pattern)
        computed = key.startswith("revokes_")  # the key is put together
        assert computed or f'"{key}"' in SOURCES, f"{name}.toml: {key}"


@pytest.mark.parametrize("name", NAMES)
def test_every_list_and_fragment_is_used(name: str) -> None:
    for section in ("words", "fragments"):
        for key in table(name).get(section, {}):
            assert f'"{key}"' in SOURCES or f"{key}}}}}" in TABLES, f"{name}.toml: {key}"


def test_no_law_is_listed_twice() -> None:
    assert sorted(set(SHORT)) == sorted(SHORT)


def test_other_names_and_repeals_are_of_listed_laws() -> None:
    assert set(LAWS["alias"].values()) <= set(SHORT)
    assert set(LAWS["repealed"]) <= set(SHORT)
    assert all(isinstance(day, datetime.date) for day in LAWS["repealed"].values())


def test_a_name_means_what_its_own_line_says() -> None:
    for short in SHORT:
        assert law_names.lookup(short).short == short
    for title, short in (*LAWS["interpretation"].items(), *LAWS["alias"].items()):
        assert law_names.lookup(title).short == short, title


@pytest.mark.parametrize("short", SHORT)
def test_a_full_title_is_found(short: str) -> None:
    law = law_names.lookup(short)
    issuer = "最高人民法院" if law.kind == "interpretation" and law.title.startswith("关于") else ""
    full = f"{issuer}{law.title}" if issuer else f"中华人民共和国{law.title}"
    assert law_names.lookup(full) == law


@pytest.mark.parametrize(
    ("written", "short"),
    [
        ("公司法司法解释三", "公司法解释（三）"),
        ("公司法司法解释（三）", "公司法解释（三）"),
        ("公司法解释三", "公司法解释（三）"),
        ("民诉法司法解释", "民诉法解释"),
        ("最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释", "盗窃解释"),
        ("最高人民法院关于适用《中华人民共和国民法典》婚姻家庭编的解释（一）", "婚姻家庭编解释（一）"),
        ("最高人民法院关于适用<中华人民共和国民事诉讼法>的解释".translate({60: 0x3008, 62: 0x3009}), "民诉法解释"),
    ],
)
def test_other_spellings(written: str, short: str) -> None:
    assert law_names.lookup(written).short == short


@pytest.mark.parametrize(
    ("name", "contract"),
    [
        ("借款合同", True),
        ("公司章程", True),
        ("员工手册", True),
        ("业主公约", True),
        ("情况说明", True),
        ("劳动合同书", True),
        ("合同法", False),
        ("虚省物业管理条例", False),
        ("联合国国际货物销售合同公约", False),
    ],
)
def test_contracts_are_no_laws(name: str, contract: bool) -> None:
    assert law_names.document(name) == contract


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 goes on from the middle of a group that failed; an atomic group around it is sound."""
    tables = (one for one in files("legalworld.law.text").joinpath("tables").iterdir() if one.name.endswith(".toml"))
    wrong = [
        f"{table.name}: {line[:80]}"
        for table in tables
        for line in table.read_text(encoding="utf-8").splitlines()
        if re.search(r"\)(\?|\*|\+|\{\d*,?\d*\})\+", line)
    ]
    assert wrong == []
