"""Exact lookup: names, numbers, parts, days. Whatever no text can tell is said to be unknown, with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from library_texts import STATUTES, code, day, made

from legalworld.law.library.law import ArticleNumber, FoundArticle, LawEvent, Repeal
from legalworld.law.library.library import Library
from legalworld.law.library.timeline import Blocked, LawText, PickedText, Timeline
from legalworld.model.diagnostics import Diagnostic
from legalworld.wording.diagnostics import message

PARKING = "湖滨市停车场管理条例"
CODE = "云川商事法典"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    found = made(tmp_path_factory.mktemp("project") / "library")
    yield found
    found.close()


@pytest.mark.parametrize(
    ("article", "paragraph", "item", "point", "text"),
    [
        ("1", 0, 0, 0, "为了规范停车场的建设和管理，保障停放人的权益，制定本条例。"),
        ("第二条之一", 0, 0, 0, "电动汽车的充电车位，按照本条例关于停车位的规定管理。"),
        ("2-1", 1, 0, 0, "电动汽车的充电车位，按照本条例关于停车位的规定管理。"),
        ("三", 2, 0, 0, "未公示收费标准的，停放人有权拒绝支付停车费。"),
        ("3", 3, 1, 0, "（一）占用消防通道的；"),
        ("3", 0, 3, 0, "（三）一日之内停放超过三次的。"),  # only one paragraph has items
        ("3", 3, 2, 2, "2．总质量超过四点五吨的货车。"),
        ("7", 1, 2, 0, "（二）擅自停止营业；"),
    ],
)
def test_what_is_there(library: Library, article: str, paragraph: int, item: int, point: int, text: str) -> None:
    found = library.check(PARKING, article, paragraph, item, point=point)
    assert isinstance(found, FoundArticle)
    assert found.text == text


@pytest.mark.parametrize(
    ("article", "paragraph", "item", "point", "reason"),
    [
        ("10", 0, 0, 0, "LW215"),
        ("3-1", 0, 0, 0, "LW215"),
        ("4", 0, 0, 0, "LW215"),  # deleted
        ("1", 2, 0, 0, "LW216"),
        ("1", 1, 1, 0, "LW216"),
        ("3", 2, 1, 0, "LW216"),
        ("3", 3, 4, 0, "LW216"),
        ("3", 3, 2, 3, "LW216"),
        ("3", 3, 0, 1, "LW216"),
        ("第x条", 0, 0, 0, "LW220"),
        ("x" * 10_000, 0, 0, 0, "LW220"),
    ],
)
def test_what_is_not(library: Library, article: str, paragraph: int, item: int, point: int, reason: str) -> None:
    assert code(library.check(PARKING, article, paragraph, item, point=point)) == reason


@pytest.mark.parametrize(
    ("at", "number", "expected"),
    [
        ("2019-01-01", "1", "LW213"),
        ("2019-06-18", "1", "LW213"),  # adopted, not yet in force
        ("2019-10-01", "5", "由停车管理部门处一千元以上五千元以下罚款"),
        ("2023-06-30", "5", "由停车管理部门处一千元以上五千元以下罚款"),
        ("2023-07-01", "5", "停车凭证"),
        ("2023-06-30", "2-1", "LW215"),
        (None, "5", "停车凭证"),
    ],
)
def test_the_day_picks_the_text(library: Library, at: str | None, number: str, expected: str) -> None:
    found = library.check(PARKING, number, at=day(at) if at else None)
    assert code(found) == expected or (isinstance(found, FoundArticle) and expected in found.text)


def test_versions_stand_side_by_side(library: Library) -> None:
    law = library.law(PARKING)
    assert not isinstance(law, Diagnostic)
    dates = [(str(one.adopted), str(one.since), str(one.until), one.articles) for one in law.versions]
    assert dates == [("2019-06-18", "2019-10-01", "2023-07-01", 6), ("2023-05-08", "2023-07-01", "None", 10)]


@pytest.mark.parametrize(
    "name",
    [
        PARKING,
        f"《{PARKING}》",
        f"中华人民共和国{PARKING}",
        "湖滨市 停车场管理条例",
        f"《{PARKING}》（2019修正）",
        f"{PARKING}(2019年)",
    ],
)
def test_spellings_of_a_name(library: Library, name: str) -> None:
    found = library.check(name, "1")
    assert isinstance(found, FoundArticle)
    assert found.law.name == PARKING
    assert found.version.adopted.year == (2019 if "2019" in name else 2023)


def test_names_that_are_none(library: Library) -> None:
    nothing = library.check("湖滨市停车场管理法", "1")
    assert isinstance(nothing, Diagnostic)
    assert (nothing.code, nothing.nearest) == ("LW210", PARKING)
    assert code(library.check("", "1")) == "LW210"
    assert code(library.check("《》", "1")) == "LW210"
    assert code(library.check("甲" * 100_000, "1")) == "LW210"


def test_a_name_of_several_laws_is_not_guessed(tmp_path: Path) -> None:
    library = made(tmp_path / "library", None)
    for number in ("（一）", "（二）"):
        file = tmp_path / f"{number}.md"
        file.write_text(
            f"# 云川法院关于审理游船案件适用法律问题的解释{number}\n2020年1月1日 通过\n<!-- INFO END -->\n第一条 略。\n"
        )
        library.add_laws(file, alias="游船解释")
    found = library.check("游船解释", "1")
    assert isinstance(found, Diagnostic)
    assert found.code == "LW219"
    assert isinstance(library.check("云川法院关于审理游船案件适用法律问题的解释(二)", "1"), FoundArticle)


def test_an_alias_that_a_person_gave(tmp_path: Path) -> None:
    library = made(tmp_path / "library", None)
    (file,) = STATUTES.glob("*2023-05-10*.md")
    library.add_laws(file, alias="停车条例")
    library.add_laws(file, alias="湖滨停车条例")  # the same file again, for another name
    assert isinstance(library.check("停车条例", "8"), FoundArticle)
    assert isinstance(library.check("湖滨停车条例", "8"), FoundArticle)


# ---- amendments, repeals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "at", "expected"),
    [
        ("1", "2016-05-01", "诚实信用"),
        ("1", None, "诚实信用"),  # no amendment touched it
        ("2", "2020-01-01", "五年"),  # the text as enacted is held, and nothing had changed it yet
        ("2", "2024-11-02", "LW218"),
        ("2", None, "LW218"),
        ("5", "2017-01-01", "逾期利息"),
        ("5", "2018-06-01", "LW218"),
        ("3", "2015-12-31", "LW213"),
    ],
)
def test_amendments_change_what_they_touch(library: Library, number: str, at: str | None, expected: str) -> None:
    """The code is held as enacted; its amendments are there without the text that follows from them."""
    found = library.check(CODE, number, at=day(at) if at else None)
    assert code(found) == expected or (isinstance(found, FoundArticle) and expected in found.text)


def test_an_article_has_days_of_its_own(library: Library) -> None:
    found = library.check(CODE, "2", at=day("2020-01-01"))
    assert isinstance(found, FoundArticle)
    assert (found.since, found.until) == (day("2016-01-01"), day("2024-11-02"))
    assert found.version.until is None  # the amendment changed one article, the text still stands


def test_a_consolidated_text_tells_of_the_days_before_for_what_was_not_touched(tmp_path: Path) -> None:
    """As with the criminal code: one text, the amendments beside it."""
    head = (
        "# 云川刑法\n2010年1月1日 通过\n2018年1月1日 通过的《云川刑法修正案》\n2018年3月1日 施行\n<!-- INFO END -->\n"
    )
    (tmp_path / "a.md").write_text(head + "第一条 甲。\n第二条 乙。\n第三条 本法自2010年7月1日起施行。\n", "utf-8")
    head = "# 云川刑法修正案\n2018年1月1日 通过\n<!-- INFO END -->\n"
    (tmp_path / "b.md").write_text(head + "一、将第二条修改为：“乙。”\n二、本修正案自2018年3月1日起施行。\n", "utf-8")
    library = made(tmp_path / "library", None)
    library.add_laws(tmp_path / "a.md")
    assert code(library.check("云川刑法", "1", at=day("2015-01-01"))) == "LW214"  # any article may have been changed
    library.add_laws(tmp_path / "b.md")
    found = library.check("云川刑法", "1", at=day("2015-01-01"))
    assert isinstance(found, FoundArticle)
    assert (found.since, found.until) == (day("2010-07-01"), None)
    assert code(library.check("云川刑法", "2", at=day("2015-01-01"))) == "LW218"
    changed = library.check("云川刑法", "2", at=day("2020-01-01"))
    assert isinstance(changed, FoundArticle) and changed.since == day("2018-03-01")
    assert code(library.check("云川刑法", "1", at=day("2010-06-30"))) == "LW213"


def test_what_a_law_says_it_repeals_is_repealed(library: Library, tmp_path: Path) -> None:
    old = tmp_path / "old.md"
    old.write_text(
        "# 云川票据法\n1998年1月1日 通过\n1998年1月1日 施行\n<!-- INFO END -->\n第一条 略。\n", encoding="utf-8"
    )
    library.add_laws(old)
    gone = library.check("云川票据法", "1")
    assert isinstance(gone, Diagnostic)
    assert (gone.code, str(gone.values["date"]), gone.values["by"]) == ("LW212", "2016-01-01", CODE)
    assert isinstance(library.check("云川票据法", "1", at=day("2015-12-31")), FoundArticle)
    assert code(library.check("云川票据法", "1", at=day("2016-01-01"))) == "LW212"


def test_laws_that_are_known_without_a_text(library: Library) -> None:
    """The table of laws knows their names and days: no text, repealed, and not renumbered into another law."""
    assert code(library.check("民法典", "675")) == "LW211"
    assert code(library.check("原《中华人民共和国合同法》", "206")) == "LW212"
    assert code(library.check("合同法", "206", at=day("2020-06-01"))) == "LW211"
    assert code(library.check("民通意见", "1")) == "LW212"


def test_reasons_are_sentences(library: Library) -> None:
    found = library.check(PARKING, "3", 2, 1)
    assert isinstance(found, Diagnostic)
    assert message(found, "zh") == (
        "“湖滨市停车场管理条例”第三条（共 3 款）里没有第二款第（一）项，或者不能确定是哪一款的"
    )
    assert "paragraph 2, item 1" in message(found, "en")


def test_a_day_that_nobody_states_is_said_to_be_assumed(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(
        "# 甲办法\n2020年1月1日 通过\n2021年1月1日 修正\n<!-- INFO END -->\n第一条 略。\n", encoding="utf-8"
    )
    library = made(tmp_path / "library", None)
    added = library.add_laws(file)
    assert not isinstance(added, Diagnostic)
    assert [problem.code for problem in added.problems] == ["LW226"]
    assert isinstance(library.check("甲办法", "1", at=day("2021-01-01")), FoundArticle)
    again = library.add_laws(file, in_force=day("2021-06-01"))
    assert not isinstance(again, Diagnostic) and again.problems == ()
    assert code(library.check("甲办法", "1", at=day("2021-05-31"))) == "LW214"
    law = library.law("甲办法")
    assert not isinstance(law, Diagnostic)
    assert [(version.basis, str(version.since)) for version in law.versions] == [("given", "2021-06-01")]


# ---- the line of events ----------------------------------------------------------------------------------------------


def _line(*texts: int, repeal: str = "") -> Timeline:
    """Enacted in 2000, amended in 2005 (article 1) and 2010 (article 2), revised in 2015; texts by their year."""
    events = [
        LawEvent(day("2000-01-01"), day("2000-07-01")),
        LawEvent(day("2005-01-01"), day("2005-07-01"), frozenset({ArticleNumber(1)})),
        LawEvent(day("2010-01-01"), day("2010-07-01"), frozenset({ArticleNumber(2)})),
        LawEvent(day("2015-01-01"), day("2015-07-01")),
    ]
    held = [LawText(year, day(f"{year}-01-01")) for year in texts]
    return Timeline(events, held, [Repeal("x", day(repeal), "y")] if repeal else [])


@pytest.mark.parametrize(
    ("texts", "number", "at", "expected"),
    [
        ((2000,), 1, "2001-01-01", (2000, "2000-07-01", "2005-07-01")),
        ((2000,), 1, "2006-01-01", "changed"),
        ((2000,), 2, "2006-01-01", (2000, "2000-07-01", "2010-07-01")),
        ((2000,), 3, "2012-01-01", (2000, "2000-07-01", "2015-07-01")),
        ((2000,), 3, "2016-01-01", "unseen"),
        ((2010,), 1, "2001-01-01", "changed"),
        ((2010,), 1, "2006-01-01", (2010, "2005-07-01", "2015-07-01")),
        ((2010,), 2, "2006-01-01", "changed"),
        ((2010,), 3, "2001-01-01", (2010, "2000-07-01", "2015-07-01")),
        ((2015,), 3, "2012-01-01", "unseen"),
        ((2015,), 3, "2015-07-01", (2015, "2015-07-01", None)),
        ((2000, 2015), 1, "2006-01-01", "changed"),
        ((2000, 2005, 2015), 1, "2012-01-01", (2005, "2005-07-01", "2015-07-01")),
        ((2000, 2015), 1, None, (2015, "2015-07-01", None)),
        ((2000,), 1, "2000-06-30", "not_yet"),
        ((), 1, "2001-01-01", "no_text"),
    ],
)
def test_the_line_of_events(
    texts: tuple[int, ...], number: int, at: str | None, expected: tuple[int, str, str | None] | str
) -> None:
    picked = _line(*texts).pick(ArticleNumber(number), day(at) if at else None)
    if isinstance(picked, Blocked):
        assert picked.why == expected
    else:
        assert isinstance(picked, PickedText)
        until = str(picked.until) if picked.until else None
        assert (picked.text.id, str(picked.since), until) == expected


def test_a_repeal_ends_the_line() -> None:
    line = _line(2015, repeal="2020-01-01")
    assert isinstance(line.pick(ArticleNumber(1), day("2019-12-31")), PickedText)
    for at in ("2020-01-01", None):
        picked = line.pick(ArticleNumber(1), day(at) if at else None)
        assert isinstance(picked, Blocked) and picked.why == "repealed"
    assert _line(2015, repeal="2012-01-01").repeal is None  # it was enacted again after that
