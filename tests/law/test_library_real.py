"""The real laws, where they are: the traps that they hold. Nothing of them is in the project."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import pytest
from library_texts import REAL, WITHOUT_REAL, code, day, made

from legalworld.law.library.law import FoundArticle
from legalworld.law.library.library import Added, Hits, Library
from legalworld.model.diagnostics import Diagnostic

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason=WITHOUT_REAL)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    found = made(tmp_path_factory.mktemp("real") / "library", None)
    begun = process_time()
    added = found.add_laws(REAL)
    assert process_time() - begun < 20
    assert isinstance(added, Added)
    assert [problem.code for problem in added.problems if problem.severity == "error"] == []
    yield found
    found.close()


@pytest.mark.parametrize(
    ("law", "articles"),
    [("民法典", 1260), ("刑法", 505), ("刑事诉讼法", 308), ("民间借贷规定", 31), ("公司法", 266), ("刑诉法解释", 655)],
)
def test_no_article_is_lost(library: Library, law: str, articles: int) -> None:
    found = library.law(law)
    assert not isinstance(found, Diagnostic)
    assert [version.articles for version in found.versions] == [articles]


def test_both_texts_of_the_civil_procedure_law(library: Library) -> None:
    found = library.law("民诉法")
    assert not isinstance(found, Diagnostic)
    assert [(str(one.since), str(one.until), one.articles) for one in found.versions] == [
        ("2022-01-01", "2024-01-01", 291),
        ("2024-01-01", "None", 306),
    ]


def test_every_law_has_a_day_on_which_it_came_into_force(library: Library) -> None:
    laws = library.laws()
    assert not isinstance(laws, Diagnostic)
    assert [law.short for law in laws for version in law.versions if version.basis == "assumed"] == []


@pytest.mark.parametrize(
    ("law", "article", "at", "expected"),
    [
        ("《中华人民共和国民法典》", "675", None, "2021-01-01"),
        ("民法典", "675", "2020-12-31", "LW213"),
        ("民事诉讼法", "264", "2024-01-01", "2024-01-01"),  # 迟延利息: 253, then 260, then 264
        ("民事诉讼法", "260", "2023-12-31", "2022-01-01"),
        ("民事诉讼法（2021修正）", "260", "2024-06-01", "2022-01-01"),
        ("民事诉讼法", "253", "2018-01-01", "LW214"),
        ("民间借贷规定", "25", "2020-09-01", "LW214"),
        ("民间借贷规定", "25", "2021-01-01", "2021-01-01"),
        ("原《中华人民共和国合同法》", "206", None, "LW212"),
        ("合同法", "206", "2020-12-31", "LW211"),
        ("刑法", "264", "2012-01-01", "2011-05-01"),  # changed by the eighth amendment
        ("刑法", "264", "2011-04-30", "LW218"),
        ("刑法", "232", "1999-01-01", "1997-10-01"),  # never changed
        ("刑法", "133-1", "2012-01-01", "LW218"),  # added by the eighth, changed by the ninth
        ("刑法", "133-1", "2016-01-01", "2015-11-01"),
        ("刑法", "381", "2009-08-27", "2009-08-27"),
        ("刑法", "381", "2009-08-26", "LW218"),
        ("刑法", "390", "2024-02-29", "LW218"),
        ("刑法", "199", None, "LW215"),  # deleted
        ("刑法", "1", "1990-01-01", "LW214"),
        ("民诉法解释", "90", None, "2022-04-10"),
        ("最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释", "90", "2021-06-01", "LW214"),
        ("婚姻家庭编解释（二）", "1", "2025-01-31", "LW213"),
        ("婚姻家庭编解释（二）", "1", "2025-02-01", "2025-02-01"),
        ("刑事诉讼法", "128", None, "2018-10-26"),  # its heading is irregular in the file
    ],
)
def test_traps(library: Library, law: str, article: str, at: str | None, expected: str) -> None:
    found = library.check(law, article, at=day(at) if at else None)
    assert (code(found) or str(found.since if isinstance(found, FoundArticle) else "")) == expected


@pytest.mark.parametrize(
    ("law", "article", "paragraph", "item", "point", "expected"),
    [
        ("民法典", "675", 1, 2, 0, "LW216"),  # one paragraph, no items
        ("民法典", "563", 1, 4, 0, ""),
        ("刑法", "133-1", 1, 2, 0, ""),
        ("劳动合同法", "39", 0, 2, 0, ""),
        ("诉讼费用交纳办法", "13", 1, 1, 4, ""),
        ("诉讼费用交纳办法", "14", 1, 3, 0, ""),  # behind a line that belongs to the item before
        ("民事诉讼法", "177", 1, 5, 0, "LW216"),
        ("民法典", "1125", 2, 0, 0, ""),
    ],
)
def test_parts(library: Library, law: str, article: str, paragraph: int, item: int, point: int, expected: str) -> None:
    assert code(library.check(law, article, paragraph, item, point=point)) == expected


QUESTIONS = (
    ("逾期利息", "民法典676"),
    ("借款没有约定利息", "民法典680"),
    ("夫妻共同债务", "民法典1064"),
    ("违约金过高请求减少", "民法典585"),
    ("诉讼时效中断", "民法典195"),
    ("违法解除劳动合同 赔偿金 二倍", "劳动合同法87"),
    ("网络购物 七日 退货", "消费者权益保护法25"),
    ("入户盗窃 扒窃", "刑法264"),
    ("二审 维持原判 改判 发回重审", "民事诉讼法177"),
    ("债权转让通知债务人", "民法典546"),
)


def test_what_people_ask_for_is_among_the_first_five(library: Library) -> None:
    missed = []
    for question, expected in QUESTIONS:
        found = library.search(question, top=5)
        assert isinstance(found, Hits)
        if expected not in {f"{hit.found.law.short}{hit.found.article.number}" for hit in found.hits}:
            missed.append(question)
    assert missed == []
