"""The parsers of `legalworld.law.text` on the forms that courts and parties write; the sentences are invented."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from legalworld.law.text.amounts import amounts
from legalworld.law.text.citations import Citation, CitationContext, citations
from legalworld.law.text.records import amount_record, citation_record, verdict_record
from legalworld.law.text.verdicts import verdict

FOLDER = Path(__file__).parent / "text"
LEFT_OUT = {"start", "end", "kind", "items"}


def rows(name: str) -> list[Any]:
    found = YAML(typ="safe").load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    return [pytest.param(row, id=row["text"][:30]) for row in found]


def bare(record: Any) -> Any:
    """A record without places, and without what is nothing."""
    if isinstance(record, dict):
        return {key: bare(one) for key, one in record.items() if one is not None and key not in LEFT_OUT}
    return [bare(one) for one in record] if isinstance(record, list) else record


@pytest.mark.parametrize("row", rows("citation-forms"))
def test_citation_forms(row: dict[str, Any]) -> None:
    cited = citations(row["text"])
    assert [[one.law, one.article, one.paragraph, one.item, one.sub_item] for one in cited] == row["expect"]


@pytest.mark.parametrize("row", rows("amount-forms"))
def test_amount_forms(row: dict[str, Any]) -> None:
    assert [bare(amount_record(one, row["text"])) for one in amounts(row["text"])] == row["expect"]


@pytest.mark.parametrize("row", rows("verdict-forms"))
def test_verdict_forms(row: dict[str, Any]) -> None:
    found = bare(verdict_record(verdict(row["text"]), row["text"]))
    assert found == {"defendants": row["defendants"], "other": row["other"]}


# ---- what a citation says besides its numbers ------------------------------------------------------------------------


def only(text: str, **given: Any) -> Citation:
    (found,) = citations(text, **given)
    return found


def test_a_repealed_law_is_marked_and_stays_what_it_is() -> None:
    found = only("原《中华人民共和国合同法》第一百零七条")
    assert (found.law, found.article, found.repealed, found.former) == ("合同法", "107", "2021-01-01", True)
    assert only("民法典第五百七十七条").repealed is None


@pytest.mark.parametrize(
    "text",
    [
        "《中华人民共和国民事诉讼法（2021修正）》第六十七条",
        "《中华人民共和国民事诉讼法》（2021修正）第六十七条",
        "民事诉讼法（2021修正）第六十七条",
    ],
)
def test_a_version_next_to_the_name(text: str) -> None:
    assert (only(text).law, only(text).version) == ("民事诉讼法", "2021修正")


def test_a_document_number_is_no_version() -> None:
    assert (
        only("《最高人民法院关于审理民间借贷案件适用法律若干问题的规定》（法释〔2020〕17号）第二十五条").version is None
    )


def test_an_unlisted_law_keeps_its_name() -> None:
    found = only("《虚省物业管理条例》第五十条")
    assert (found.law, found.known, found.kind, found.resolved) == ("虚省物业管理条例", False, "regulation", True)


def test_members_of_a_range_that_are_not_written_are_marked() -> None:
    assert [one.spread for one in citations("《民法典》第一百八十八条至第一百九十条")] == [False, True, False]


def test_a_huge_range_is_given_by_its_ends() -> None:
    assert [one.article for one in citations("《民法典》第一条至第一千二百六十条")] == ["1", "1260"]


def test_places_of_a_list_do_not_overlap() -> None:
    text = "《刑法》第六十九条第一、三款、第七十条第（一）、（三）项和同法第七十二条"
    places = [(one.start, one.end) for one in citations(text)]
    assert all(first[1] <= second[0] for first, second in pairwise(places))
    assert [text[slice(*place)] for place in places][:2] == ["《刑法》第六十九条第一", "三款"]


# ---- relative citations ----------------------------------------------------------------------------------------------

INSIDE = CitationContext(law="刑法", article="134", paragraph=2, previous="133-2")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("依照本法第三百一十三条的规定", ("刑法", "313", None)),
        ("前条第二款", ("刑法", "133-2", 2)),
        ("依照前款的规定处罚", ("刑法", "134", 1)),
        ("本条第三款", ("刑法", "134", 3)),
        ("依照第一款的规定处罚", ("刑法", "134", 1)),
        ("民法典第五条", ("民法典", "5", None)),
    ],
)
def test_a_context_resolves_relative_citations(text: str, wanted: tuple[object, ...]) -> None:
    found = only(text, context=INSIDE)
    assert (found.law, found.article, found.paragraph) == wanted
    assert found.resolved


@pytest.mark.parametrize("text", ["本法第十条", "前条第二款", "前款第三项", "同法第十条", "该解释第三条", "该条第二款"])
def test_without_a_context_nothing_is_guessed(text: str) -> None:
    assert not only(text).resolved


def test_the_first_paragraph_has_none_before_it() -> None:
    found = only("前款规定的期限", context=CitationContext("刑法", "134", 1))
    assert (found.paragraph, found.resolved) == ("prev", False)


# ---- amounts and verdicts --------------------------------------------------------------------------------------------


def test_a_sum_written_twice_and_not_alike_is_told() -> None:
    (found,) = [amount_record(one, "") for one in amounts("人民币30万元（大写：叁拾伍万元整）")]
    assert (found["amount"], found["differs"]) == (300000, 350000)
    assert found["warnings"]


def test_term_dates_are_for_checking_only() -> None:
    text = "被告人甲某犯诈骗罪，判处有期徒刑六年（刑期自2021年3月1日起至{}年2月28日止）。"
    for year, warned in ((2027, False), (2026, False), (2028, True)):
        (found,) = verdict(text.format(year)).defendants
        assert found.final.months == 72
        assert bool(found.warnings) == warned


def test_life_and_death_have_no_months() -> None:
    for text, life, death in (("无期徒刑", True, False), ("死刑", False, True), ("死刑，缓期二年执行", False, True)):
        (found,) = verdict(f"被告人甲某犯故意杀人罪，判处{text}，剥夺政治权利终身。").defendants
        assert (found.final.life, found.final.death, found.final.months) == (life, death, None)


def test_several_punishments_and_no_decision_are_left_open() -> None:
    (found,) = verdict("被告人甲某犯盗窃罪，判处有期徒刑一年；犯诈骗罪，判处有期徒刑二年。").defendants
    assert found.final.penalty is None
    assert found.warnings
    assert [one.sentence and one.sentence.months for one in found.counts] == [12, 24]


def test_more_punishments_than_defendants_are_left_open() -> None:
    found = verdict("被告人甲某、乙某犯盗窃罪，分别判处有期徒刑一年、二年、三年。").defendants
    assert [(one.final.months, bool(one.warnings)) for one in found] == [(None, True), (None, True)]


def test_only_the_operative_part_counts() -> None:
    text = (
        "曾因犯盗窃罪被判处有期徒刑一年。{}被告人甲某犯诈骗罪，判处有期徒刑二年。如不服本判决，可上诉。附：处三年以下。"
    )
    for marker in ("判决如下：", "原审判决如下：被告人乙某犯盗窃罪，判处拘役三个月。本院判决如下：\n"):
        (found,) = verdict(text.format(marker)).defendants
        assert (found.who, found.final.months) == ("甲某", 24)


# ---- places ----------------------------------------------------------------------------------------------------------


def texts() -> Iterator[str]:
    for name in ("citation-forms", "amount-forms", "verdict-forms"):
        yield from (row["text"] for row in YAML(typ="safe").load((FOLDER / f"{name}.yaml").read_text("utf-8")))


@pytest.mark.parametrize(
    "change",
    [lambda text: text, lambda text: "𠀀（２）——" + text, lambda text: text.replace("，", ",").replace("：", ":")],
    ids=["as it is", "behind a rare character", "half-width"],
)
def test_places_are_those_of_the_text(change: Callable[[str], str]) -> None:
    for text in map(change, texts()):
        for one in citations(text):
            assert citation_record(one, text)["text"] == text[one.start : one.end] != ""
        found = amounts(text)
        assert all(first.end <= second.start for first, second in pairwise(found))
        assert all(text[one.start : one.end].strip() for one in found)
