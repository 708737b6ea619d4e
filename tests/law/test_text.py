"""Parsers of citations, amounts and verdicts: sentences beside what they say, in `tests/law/text/`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from legalworld.law.text.amounts import amounts, stated_total
from legalworld.law.text.citations import citations
from legalworld.law.text.records import amount_record, verdict_record
from legalworld.law.text.verdicts import verdict

FOLDER = Path(__file__).parent / "text"


def rows(name: str) -> list[Any]:
    found = YAML(typ="safe").load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    return [pytest.param(row["text"], row["expect"], id=row["id"]) for row in found]


def says(found: Any, wanted: Any) -> bool:
    """Whether a record says all that is wanted; what is wanted to be nothing may be left out."""
    if isinstance(wanted, Mapping):
        return all(says(found.get(key), value) for key, value in wanted.items())
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(says, found, wanted))
    return bool(found == (wanted.isoformat() if isinstance(wanted, date) else wanted))


@pytest.mark.parametrize(("text", "wanted"), rows("citations"))
def test_citations(text: str, wanted: list[list[object]]) -> None:
    found = citations(text)
    assert [[one.law, one.article, one.paragraph, one.item, one.sub_item] for one in found] == wanted


@pytest.mark.parametrize(("text", "wanted"), rows("amounts"))
def test_amounts(text: str, wanted: Mapping[str, object]) -> None:
    (found,) = [amount_record(one, text) for one in amounts(text)]
    assert says(found, wanted)


@pytest.mark.parametrize(("text", "wanted"), rows("totals"))
def test_what_a_text_comes_to(text: str, wanted: str | None) -> None:
    assert stated_total(text, "CNY") == (None if wanted is None else Decimal(wanted))


@pytest.mark.parametrize(("text", "wanted"), rows("verdicts"))
def test_verdicts(text: str, wanted: list[Mapping[str, object]]) -> None:
    found = verdict_record(verdict(text), text)
    people = [one for one in wanted if "who" in one]
    assert says(found["defendants"], people)
    other = {key: value for one in wanted if "who" not in one for key, value in one.get("other", one).items()}
    assert says(found["other"], other)


PIECES = st.sampled_from(
    [
        "《中华人民共和国刑法》",
        "第",
        "二百六十四",
        "条",
        "第一款",
        "、",
        "同法",
        "被告人",
        "张三",
        "犯盗窃罪",
        "，判处",
        "有期徒刑",
        "一年",
        "六个月",
        "，并处罚金",
        "人民币",
        "3.5万",
        "元",
        "。",
        "（",
        "）",
        "缓刑",
        "月息",
        "二分",
        "自",
        "2018年2月",
        "起",
        "至",
        "决定执行",
        "的",
        "之一",
        "—",
        "１２",
        "𠀀",
        "\n",
        "【",
        "年利率",
        "%",
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_whatever_is_read_lies_in_the_text(text: str) -> None:
    for found in (*citations(text), *amounts(text)):
        assert 0 <= found.start < found.end <= len(text)
    verdict_record(verdict(text), text)


def test_a_long_text_is_read_in_time() -> None:
    text = "依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款之规定，支付3.5万元。" * 2000
    assert len(citations(text)) == 4000
    assert len(amounts(text)) == 2000
