"""Statute files to articles: each file in tests/law/library beside the outline of what is read out of it.

LW_BLESS=1 (make bless) accepts what has changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from goldens import compare
from hypothesis import given, settings
from hypothesis import strategies as st
from library_texts import BROKEN, STATUTES, outline

from legalworld.law.library.article_numbers import parse_article, parse_count, parse_place, written, written_parts
from legalworld.law.library.law import ArticleNumber, Statute
from legalworld.law.library.statute_reader import read_statute

FILES = sorted([*STATUTES.rglob("*.md"), *BROKEN.glob("*.md")])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_read(file: Path) -> None:
    compare(file.with_suffix(".expected.txt"), outline(file))


def statute(body: str, head: str = "# 虚构法\n2020年1月1日 虚构会议通过\n<!-- INFO END -->\n") -> Statute:
    act, problems = read_statute("虚构法.md", head + body)
    assert isinstance(act, Statute), problems
    return act


def test_line_ends_and_byte_order_mark_do_not_matter() -> None:
    text = next(file for file in FILES if "2023-05-10" in file.name).read_text("utf-8")
    plain, _ = read_statute("a.md", text, "digest")
    windows, _ = read_statute("a.md", "\ufeff" + text.replace("\n", "\r\n"), "digest")
    assert plain == windows


def test_a_number_on_its_own_line() -> None:
    (article,) = statute("第一条\n\n本法自明日起施行。\n").articles
    assert [paragraph.text for paragraph in article.paragraphs] == ["本法自明日起施行。"]


def test_titles_in_brackets() -> None:
    (article,) = statute("**第一条** 【目的】为了测试。").articles
    assert (article.title, article.text) == ("目的", "为了测试。")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("675", ArticleNumber(675)),
        ("第六百七十五条", ArticleNumber(675)),
        ("六百七十五", ArticleNumber(675)),
        ("133-1", ArticleNumber(133, 1)),
        ("第一百三十三条之一", ArticleNumber(133, 1)),
        ("第133条之1", ArticleNumber(133, 1)),
        ("１３３－１", ArticleNumber(133, 1)),
        ("一百〇五", ArticleNumber(105)),
        ("0", None),
        ("", None),
        ("第六百七十五条第一款", None),
        ("十万零一百零五条之之", None),
        ("9" * 400, None),
    ],
)
def test_numbers_of_articles(text: str, number: ArticleNumber | None) -> None:
    assert parse_article(text) == number


def test_numbers_written_out_are_read_back() -> None:
    for number in (
        ArticleNumber(10),
        ArticleNumber(15),
        ArticleNumber(110),
        ArticleNumber(133, 1),
        ArticleNumber(210, 11),
        ArticleNumber(1001),
        ArticleNumber(1260),
    ):
        assert parse_article(written(number)) == number
    assert parse_place("第五百六十三条第一款第（四）项") == (ArticleNumber(563), 1, 4, 0)
    assert parse_place("第十三条第一款第（一）项第4目") == (ArticleNumber(13), 1, 1, 4)
    assert parse_place("第十三条第一款" + written_parts(0, 12)) == (ArticleNumber(13), 1, 12, 0)
    assert parse_place("第十三条第款") is None
    assert [parse_count(text) for text in ("2", "第二款", "（三）", "x", "")] == [2, 2, 3, None, None]


PIECES = st.sampled_from(
    [
        "# 甲法\n",
        "<!-- INFO END -->\n",
        "第一条 ",
        "第二条",
        "第一百条 ",
        "（一）",
        "1．",
        "## 第一章\n",
        "2020年2月30日",
        "施行\n",
        "2021年1月1日 通过\n",
        "《",
        "》",
        "同时废止",
        "\n",
        "\n\n",
        "附件\n",
        "“",
        "”",
        "修正案",
        "之一",
        "一、",
        "\u200b",
        "\x00",
        "\udc80",
        "文字",
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200))
def test_no_text_is_too_strange(text: str) -> None:
    act, problems = read_statute("x.md", text)
    assert act is not None or problems
    if isinstance(act, Statute):
        numbers = [article.number for article in act.articles]
        assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    "piece",
    ["《", "第", "第一条", "（一）", "“", "#", "一", "2020年1月1日 通过", "本法自2020年1月1日起施行", " ", "1．"],
)
def test_a_million_characters_take_no_time(piece: str) -> None:
    """No pattern backtracks itself to death: LW004 bounds a file at 1 MiB, and that much is read."""
    text = "# 甲法\n2020年1月1日 通过\n<!-- INFO END -->\n第一条 " + piece * (900_000 // len(piece.encode()))
    act, problems = read_statute("x.md", text)
    assert act is not None or problems
