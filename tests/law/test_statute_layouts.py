"""A law in every layout in which it is found: the same name and the same articles, whatever marks its title."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from places import DATA
from word_files import paragraph, run, word_file

from legalworld.files.document_text import DocumentText, text_of
from legalworld.law.library.law import Statute
from legalworld.law.library.statute_reader import read_statute

OWN = sorted((Path(__file__).parent / "library" / "statutes").glob("湖滨市*.md"))
REAL = sorted((DATA / "laws").glob("*/*法(20*.md")) + sorted((DATA / "laws" / "司法解释").glob("*规定(20*.md"))
LAWS = [*OWN, *REAL]


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("<!--")]


def setext(text: str) -> str:
    return re.sub(r"^# (.+)$", r"\1\n=====", text, count=1, flags=re.MULTILINE)


def plain(text: str) -> str:
    """As the official site has it: no marks, a table of contents, blanks of full width."""
    lines = [re.sub(r"^#+\s*", "", line) for line in lines_of(text)]
    headings = [line for line in lines if re.match(r"第.{1,3}[章节]\s", line)]
    return "\n".join([*lines[:2], "目　　录", *headings, *lines[2:]]).replace(" ", "　")


def word(text: str) -> str:
    return read("a.docx", word_file("".join(paragraph(run(line)) for line in plain(text).split("\n"))))


def page(text: str) -> str:
    words = "".join(f"<p>{html.escape(line)}" for line in plain(text).split("\n"))
    return read("a.html", f"<!DOCTYPE html><html><head><title>x</title></head><body>首页<br>{words}</body>".encode())


def gbk(text: str) -> str:
    return read("a.txt", plain(text).encode("gb18030"))


def marked(text: str) -> str:
    return read("a.txt", b"\xef\xbb\xbf" + plain(text).replace("\n", "\r\n").encode())


def read(name: str, data: bytes) -> str:
    found = text_of(name, data)
    assert isinstance(found, DocumentText)
    return found.text


LAYOUTS: tuple[Callable[[str], str], ...] = (setext, plain, word, page, gbk, marked)


def outline(law: Statute) -> list[tuple[str, str, tuple[str, ...]]]:
    """Number, text and nearest heading of each article, without blanks."""
    squeezed = (tuple(re.sub(r"\s", "", title) for title in article.path[-1:]) for article in law.articles)
    texts = (re.sub(r"\s", "", article.text) for article in law.articles)
    return [
        (str(article.number), text, path) for article, text, path in zip(law.articles, texts, squeezed, strict=True)
    ]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
@pytest.mark.parametrize("file", LAWS, ids=lambda file: file.stem)
def test_a_law_in_another_layout_is_the_same(file: Path, layout: Callable[[str], str]) -> None:
    text = file.read_text(encoding="utf-8")
    before, _ = read_statute(file.name, text)
    assert isinstance(before, Statute)
    after, problems = read_statute(file.with_suffix(".txt").name, layout(text))
    assert isinstance(after, Statute), problems
    assert after.name == before.name
    assert outline(after) == outline(before)


def test_an_issuer_on_a_line_of_its_own() -> None:
    text = "最高人民法院\n关于审理游船案件的规定\n（2020年1月1日通过）\n第一条　略。\n第二条　略。\n"
    law, _ = read_statute("x.txt", text)
    assert isinstance(law, Statute) and law.name == "最高人民法院关于审理游船案件的规定"


@pytest.mark.parametrize("name", ["游船办法(2020-01-02).txt", "游船办法_20200102.docx", "游船办法（2020-01-02）.html"])
def test_a_name_that_only_the_file_bears(name: str) -> None:
    law, _ = read_statute(name, "（2020年1月1日通过）\n第一条　略。\n")
    assert isinstance(law, Statute) and law.name == "游船办法"


@pytest.mark.parametrize("title", ["# {} #", "# {}##", "《{}》", "**《{}》**", "**{}**", "{}\n---"])
@pytest.mark.parametrize("name", ["湖滨市游船办法", "湖滨市渡口管理条例（试行）"])
def test_a_title_between_marks_is_the_title(title: str, name: str) -> None:
    law, _ = read_statute("x.md", f"{title.format(name)}\n\n（2020年1月1日通过）\n\n第一条　略。\n\n第二条　略。\n")
    assert isinstance(law, Statute) and law.name == name


@pytest.mark.parametrize("between", ["　", "，", " ", "；"])
@pytest.mark.parametrize("word", ["施行", "实施", "生效"])
@pytest.mark.parametrize("made", ["公布", "发布", "通过"])
def test_a_day_of_force_in_the_line_of_publication_is_no_day_of_adoption(made: str, word: str, between: str) -> None:
    text = f"湖滨市游船办法\n（2021年1月5日{made}{between}自2021年3月1日起{word}）\n第一条　略。\n第二条　略。\n"
    law, _ = read_statute("x.txt", text)
    assert isinstance(law, Statute)
    assert (str(law.adopted), str(law.in_force)) == ("2021-01-05", "2021-03-01")


NAMES = ["湖滨市游船办法", "湖滨市渡口管理条例（试行）", "中华人民共和国湖泊法", "最高人民法院关于审理游船案件的规定"]
TITLES: dict[str, Callable[[str, int], str]] = {
    "two lines over signs": lambda name, at: f"{name[:at]}\n{name[at:]}\n=====",
    "two lines over dashes": lambda name, at: f"{name[:at]}\n{name[at:]}\n-----",
    "three lines over signs": lambda name, at: f"{name[:2]}\n{name[2:at]}\n{name[at:]}\n===",
    "front matter": lambda name, at: f"---\ntitle: {name}\ndate: 2020-01-01\n---\n",
    "front matter quoted": lambda name, at: f'---\nlayout: law\ntitle: "{name}"\n---\n',
    "front matter in Chinese": lambda name, at: f"---\n标题：{name}\n---\n\n# {name}\n",
    "blanks between all": lambda name, at: " ".join(name),
    "wide blanks": lambda name, at: "　".join(name),
    "blanks over signs": lambda name, at: " ".join(name) + "\n====",
    "blanks behind a sign": lambda name, at: "# " + "　".join(name),
    "marked front": lambda name, at: "\ufeff" + f"{name[:at]}\n{name[at:]}\n===",
}


@pytest.mark.parametrize("layout", TITLES)
@pytest.mark.parametrize("name", NAMES)
def test_a_title_in_any_layout_is_the_title(layout: str, name: str) -> None:
    for at in range(3, len(name) - 1):
        title = TITLES[layout](name, at)
        text = (
            f"{title}\n\n（2020年1月1日通过）\n\n目　　录\n第一章　总则\n\n第一章　总则\n第一条　略。\n\n第二条　略。\n"
        )
        law, problems = read_statute("x.md", text)
        assert isinstance(law, Statute), (title, problems)
        assert (law.name, law.part, len(law.articles)) == (name, "", 2), title
