"""Verdicts of the offline court and their neighbours: names, sums, exhibits that are struck out or unread, pleas,
charges without a norm. What is not shown convicts nobody; where nobody says what is shown, nothing is decided."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from playing import Game, changed_case, play

from legalworld.law.text.verdicts import verdict
from legalworld.model import events as e
from legalworld.model.decision_parts import PartDecided
from legalworld.model.undecided_claims import undecided_by_decision

CONVICTED, EXEMPT, ACQUITTED, UNDECIDED = "判处刑罚", "免予刑事处罚", "宣告无罪", "不作处理"
SHIPPED = {"kuaijian": [CONVICTED], "dianlan": [CONVICTED] * 2, "tingche": [CONVICTED], "jiuyi": [EXEMPT]}
SHIPPED |= {"bianlidian": [ACQUITTED]}
Change = Callable[[dict[str, Any]], object]


def judged(tmp_path: Path, case: str, change: Change) -> tuple[list[str], Game]:
    """The verdicts of a shipped case with something about it changed, one for each of the accused."""
    file = changed_case(tmp_path, case, lambda data: change(data["first"]))
    game = play(file, "judge", spec="criminal")
    parts = [one for one in game.of(PartDecided) if one.part == "verdicts"]
    return [said(game, one) for one in parts], game


def said(game: Game, part: PartDecided) -> str:
    names = {"convicted": CONVICTED, "exempt": EXEMPT, "acquitted": ACQUITTED, "open": UNDECIDED}
    return names[part.filled["verdicts"][0]["result"]]


def exhibits(first: dict[str, Any], side: str = "prosecution") -> list[dict[str, Any]]:
    return list(first[side]["evidence"])


def nothing(first: dict[str, Any]) -> None:
    del first


def renamed(first: dict[str, Any]) -> None:
    for number, one in enumerate(exhibits(first) + exhibits(first, "defence")):
        one["name"] = f"第{number}份材料"


def reordered(first: dict[str, Any]) -> None:
    first["prosecution"]["evidence"].reverse()


@pytest.mark.parametrize("case", SHIPPED)
@pytest.mark.parametrize("change", [nothing, reordered, renamed], ids=lambda one: one.__name__)
def test_order_and_names_of_exhibits_change_no_verdict(tmp_path: Path, case: str, change: Change) -> None:
    found, game = judged(tmp_path, case, change)
    assert found == SHIPPED[case]
    assert "演练文书" not in game.of(e.Drafted)[-1].text


@pytest.mark.parametrize("case", SHIPPED)
def test_a_charge_without_a_norm_is_left_undecided_and_counted(tmp_path: Path, case: str) -> None:
    def unknown(first: dict[str, Any]) -> None:
        for one in first["indictment"]["charges"]:
            one["charge"] = "虚构的罪"

    found, game = judged(tmp_path, case, unknown)
    assert set(found) == {UNDECIDED}
    assert undecided_by_decision(game.events) == {"first_decision": (len(found), len(found))}
    text = game.of(e.Drafted)[-1].text
    assert "没有这一罪名的规范" in text and not [one for one in verdict(text).defendants if one.final.months]
    assert not [one for one in game.of(PartDecided) if one.part == "sentences"]


@pytest.mark.parametrize("case", ["kuaijian", "dianlan", "tingche", "jiuyi"])
def test_evidence_that_is_struck_out_convicts_nobody(tmp_path: Path, case: str) -> None:
    """All but what the accused says himself: whoever admits it, nobody is convicted by that alone."""

    def struck(first: dict[str, Any]) -> None:
        for one in exhibits(first):
            if "供述" not in one["kind"]:
                one["collected"] = "来源不明"

    found, _ = judged(tmp_path, case, struck)
    assert set(found) == {ACQUITTED}


@pytest.mark.parametrize("case", ["kuaijian", "dianlan", "tingche", "jiuyi"])
def test_where_nobody_says_what_exhibits_state_nobody_is_acquitted_for_it(tmp_path: Path, case: str) -> None:
    def unread(first: dict[str, Any]) -> None:
        for one in exhibits(first):
            one.pop("says", None)
            one |= {"content": "见材料原件。", "name": one["id"], "purpose": "证明案件事实"}

    found, _ = judged(tmp_path, case, unread)
    assert ACQUITTED not in found


@pytest.mark.parametrize("value", [200, 986, 1500, 9860, 29000, 45000, 98600, 400000, 986000, 9860000])
def test_the_term_follows_the_sum_or_is_left_open(tmp_path: Path, value: int) -> None:
    """The same eight months are never given for another tier; between two ends that provinces choose it is open."""

    def worth(first: dict[str, Any]) -> None:
        next(one for one in exhibits(first) if one["id"] == "控证3")["says"] = {"value": value}
        next(one for one in exhibits(first) if one["id"] == "控证2")["says"] = {"took": "yes", "deed": "2024-05-09"}
        for one in exhibits(first):
            one.setdefault("says", {"deed": "2024-05-09"})
        first["indictment"]["recommendation"] = []
        first["defence"]["evidence"] = []

    found, game = judged(tmp_path, "kuaijian", worth)
    text = game.of(e.Drafted)[-1].text
    least, most = {29000: (1, 36), 9860: (1, 36), 98600: (0, 0), 986000: (36, 180), 9860000: (36, 180)}.get(
        value, (0, 0)
    )
    if value < 1000:
        assert found == [ACQUITTED]
    elif value in (1500, 45000, 400000):
        assert found == [UNDECIDED] and "数额" in text
    elif value == 98600:
        assert found in ([UNDECIDED], [CONVICTED])
    else:
        (months,) = [one.final.months for one in verdict(text).defendants]
        assert found == [CONVICTED] and months is not None and least <= months <= most


@pytest.mark.parametrize(("born", "result"), [("1999年3月6日", CONVICTED), ("2008年6月1日", ACQUITTED)])
def test_who_is_too_young_does_not_answer_for_it(tmp_path: Path, born: str, result: str) -> None:
    found, game = judged(tmp_path, "kuaijian", lambda first: first["defence"]["defendants"][0].update(birth=born))
    assert found == [result]
    assert ("不负刑事责任" in game.of(e.Drafted)[-1].text.partition("判决如下")[2]) == (result == ACQUITTED)


@pytest.mark.parametrize("case", SHIPPED)
def test_an_alibi_that_is_taken_acquits(tmp_path: Path, case: str) -> None:
    def elsewhere(first: dict[str, Any]) -> None:
        paper = {"id": "辩证9", "name": "乘车记录", "kind": "电子数据", "source": "铁路公司", "content": "当时不在本地"}
        first["defence"].setdefault("evidence", []).append({**paper, "says": {"elsewhere": "yes"}})

    found, _ = judged(tmp_path, case, elsewhere)
    assert set(found) == {ACQUITTED}


@pytest.mark.parametrize("repaid", ["0", "3000", "14000", "17000", "18600", "20000"])
@pytest.mark.parametrize("loss", ["18600", "24100.50"])
def test_what_is_lost_and_not_given_back_is_to_be_restored_by_all(tmp_path: Path, repaid: str, loss: str) -> None:
    """Whoever of them paid: what one gave back, none need give back again."""

    def paid(first: dict[str, Any]) -> None:
        next(one for one in exhibits(first) if one["id"] == "控证4")["says"] = {"value": loss}
        next(one for one in exhibits(first, "defence") if one["id"] == "辩证1")["says"] = {"repaid": repaid}

    _, game = judged(tmp_path, "dianlan", paid)
    text = game.of(e.Drafted)[-1].text.partition("判决如下")[2]
    rest = Decimal(loss) - Decimal(repaid)
    ordered = re.findall(r"责令被告人邵铁山、何小满共同退赔人民币([\d.]+)元", text)
    assert [Decimal(one) for one in ordered] == ([rest] if rest > 0 else [])


ACCOUNT = "2024年5月9日，被告人贺闻舟秘密窃取他人财物，价格人民币9860元。"


@pytest.mark.parametrize(("shown", "result"), [("no", UNDECIDED), ("yes", CONVICTED)])
def test_what_a_court_has_found_counts_where_it_is_shown(tmp_path: Path, shown: str, result: str) -> None:
    """A record of a judgment alone, without exhibits and pleas: its account decides where judges are shown it."""

    def bare(data: dict[str, Any]) -> None:
        data["court_account"] = ACCOUNT
        for side in ("prosecution", "defence"):
            data["first"][side]["evidence"] = []
        data["first"]["defence"]["defendants"][0].update(plea="不作陈述", voluntary="否")

    file = changed_case(tmp_path, "kuaijian", bare)
    game = play(file, "judge", spec="criminal", options={"show_court_account": shown})
    (part,) = [one for one in game.of(PartDecided) if one.part == "verdicts"]
    assert said(game, part) == result
