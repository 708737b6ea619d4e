"""What tables of words read in a text, and what they do not: words that are denied, words of another clause, parts of
words; and that templates name only lists that there are."""

from __future__ import annotations

from random import Random

import pytest

from legalworld.figures.tables import FigureTable, read_table
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet

HOME, TABLE = "prompts/zh/t.j2", "documents/zh/r.yaml"
HEAD = "lw: 1\ntable: r\ntitle: 表\nsource: 约定\n"
TEXT = (
    HEAD
    + "denials: [没有, 未能, 不, not]\n"
    + "words: {原件: [原件, 原物], 签名: [没有…签名], 申请: [申请], paper: [contract]}\n"
)


def table(text: str = TEXT) -> FigureTable:
    found = read_table(MemorySources({TABLE: text}), TABLE)
    assert isinstance(found, FigureTable), found
    return found


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("原件", "原件，3页", True),
        ("原件", "复印件，没有原件", False),
        ("原件", "没有签名，原件", True),
        ("原件", "未能提交原件", False),
        ("原件", "原件没有，原物在", True),
        ("原件", "", False),
        ("签名", "没有被告人的签名", True),
        ("签名", "没有盖章，签名齐全", False),
        ("申请", "我不申请回避", False),
        ("申请", "我不服，申请回避", True),
        ("申请", "他不同意我申请", True),
        ("paper", "A Contract of May", True),
        ("paper", "not a contract", False),
        ("paper", "notice with a contract", True),
        ("paper", "a note of the subcontractor", False),
        ("别的", "原件", False),
    ],
)
def test_what_is_said_is_read_and_what_is_denied_is_not(name: str, text: str, said: bool) -> None:
    assert table().says(name, text) is said


@pytest.mark.parametrize("seed", range(40))
def test_a_denial_in_the_clause_of_a_word_alone_takes_it_away(seed: int) -> None:
    dice = Random(seed)
    clauses = [dice.choice(("复印件", "2页", "经办人签收", "打印件")) for _ in range(dice.randint(0, 4))]
    word, denied = dice.choice(("原件", "原物")), dice.random() < 0.5
    clauses.insert(dice.randint(0, len(clauses)), dice.choice(("没有", "未能出示")) * denied + word)
    assert table().says("原件", dice.choice("，；。").join(clauses)) is not denied


def problems(text: str, more: str = TEXT) -> list[str]:
    return [one.code for one in TemplateSet(MemorySources({HOME: text, TABLE: more})).check(HOME)]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('{% if "x" | says("原件", table="r") %}{% endif %}', []),
        ('{% if "x" | says("原见", table="r") %}{% endif %}', ["LW904"]),
        ('{% if "x" | says("原件", table="r") or "x" | says("复印件", table="r") %}{% endif %}', ["LW904"]),
        ('{% if "x" | says("原件", table="q") %}{% endif %}', ["LW450"]),
        ('{% if "x" | says(table="r") %}{% endif %}', ["LW108"]),
        ('{{ "x" | says("原件", table="r") }}', ["LW111"]),
    ],
)
def test_a_list_that_is_not_there_is_told_where_it_is_named(text: str, codes: list[str]) -> None:
    assert problems(text) == codes
