"""The catalogue of messages is complete: every code in the package has its sentences, in both languages alike."""

from __future__ import annotations

import re
import string
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import legalworld
from legalworld.wording.diagnostics import catalogue

PACKAGE = Path(legalworld.__file__).parent
MESSAGES = PACKAGE / "wording" / "diagnostics"
TABLES = {path.name: tomllib.loads(path.read_text("utf-8")) for path in sorted(MESSAGES.glob("*.toml"))}
CODE = re.compile(r"\bLW\d{3}\b")
NAMES = [entry["name"] for table in TABLES.values() for code, entry in table.items() if CODE.fullmatch(code)]
DEFINED = [code for table in TABLES.values() for code in table if CODE.fullmatch(code)]
FIELDS = {"zh", "en", "help_zh", "help_en"}


def holes(sentence: str) -> set[str]:
    """Names of the holes; `words_zh` in one language is `words_en` in the other."""
    names = (name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None)
    return {re.sub(r"(?:^|_)(?:zh|en)$", "~", name) for name in names}


def used() -> dict[str, str]:
    """Code -> a module that names it."""
    return {
        code: path.relative_to(PACKAGE).as_posix()
        for path in sorted(PACKAGE.rglob("*.py"))
        for code in CODE.findall(path.read_text("utf-8"))
    }


def test_every_code_used_is_defined() -> None:
    assert {code: module for code, module in used().items() if code not in DEFINED} == {}


def test_no_code_is_defined_twice() -> None:
    assert [code for code, count in Counter(DEFINED).items() if count > 1] == []
    assert sorted(catalogue()) == sorted(DEFINED)


def test_names_are_words_and_differ() -> None:
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []
    assert [name for name in NAMES if not re.fullmatch(r"[a-z][a-z0-9]*(?:_[a-z0-9]+){1,4}", name)] == []


@pytest.mark.parametrize("code", sorted(set(DEFINED)))
def test_entry_is_complete(code: str) -> None:
    entry = catalogue()[code]
    assert set(entry) >= FIELDS
    assert set(entry) <= FIELDS | {"name", "severity", "example"}
    assert entry.get("severity", "warning") == "warning", "an error is an error without saying so"
    for field in FIELDS:
        assert entry[field].strip() == entry[field] != ""
        assert "\n" not in entry[field]
    for prefix in ("", "help_"):
        assert holes(entry[prefix + "zh"]) == holes(entry[prefix + "en"])
    assert "" not in holes(entry["zh"] + entry["help_zh"]), "holes have names"
    text = "".join(entry[field] for field in FIELDS)
    assert not any(form for _, _, form, _ in string.Formatter().parse(text)), "other braces are doubled"
    assert not entry["zh"].endswith("。") and not entry["en"].endswith("."), "the nearest name may follow"
