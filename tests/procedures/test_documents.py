"""Every document of every shipped civil case against the checklist of its kind, and its operative part as a clerk of
enforcement reads it: who, what, by when. The checklists are data beside this file; a procedure writes its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

import pytest
from cited import unchecked
from playing import RECORDS, Game, answering, play, project
from ruamel.yaml import YAML
from worded import odd_blanks, raw_answers, raw_fields, said_twice

from legalworld.law.text.amounts import Interest, amounts
from legalworld.law.text.money import Money
from legalworld.law.text.times import Date, Duration
from legalworld.model.events import Drafted, Ended, Spoke

LISTS = Path(__file__).parent / "checklists"
TARGETS = ("plaintiff_lawyer", "defendant_lawyer")
ENDS = (
    ({}, {}),
    ({}, {"goal.defendant.settle": "否"}),
    ({"appeal_by": "case"}, {"appellants": "原告，被告", "goal.defendant.settle": "否"}),
    ({"appeal_by": "case"}, {"appellants": "原告", "goal.defendant.settle": "否"}),
    ({}, {"goal.plaintiff.settle": "是", "goal.defendant.settle": "是"}),
)
WAYS: tuple[tuple[str, str, str, Mapping[str, str], Mapping[str, str]], ...] = (
    *(  # who is tested writes some of the papers himself: each case and each end with both
        ("civil", case, TARGETS[(c + n) % 2], options, fields)
        for c, case in enumerate(("jiedai", "laodong", "wuye"))
        for n, (options, fields) in enumerate(ENDS)
    ),
    ("civil", "jiedai", "plaintiff_lawyer", {"appeal_by": "case"}, {"appellants": "郑若虹"}),
    *(("civil", f"legalworld-sample.json#{n}", "plaintiff_lawyer", {}, {}) for n in range(1, 6)),
    ("xiaoe", "xiaoe-zujin", "plaintiff_lawyer", {}, {}),
    ("xiaoe", "xiaoe-zujin", "defendant_lawyer", {}, {}),
    ("quexi", "quexi-huokuan", "plaintiff_lawyer", {}, {}),
    ("administrative", "chachao", "plaintiff_agent", {}, {}),
    ("administrative", "chachao", "plaintiff_agent", {"head_appears": "no"}, {"attitude.plaintiff.withdraw": "是"}),
    ("administrative", "chachao", "plaintiff_agent", {"mediable": "yes"}, {"attitude.defendant.settle": "是"}),
    ("administrative", "xiaofang", "defendant_agent", {}, {}),
    ("administrative", "zhangyuan", "plaintiff_agent", {}, {}),
    ("administrative-appeal", "zhangyuan", "plaintiff_agent", {}, {}),
    ("administrative-appeal", "chachao", "plaintiff_agent", {}, {}),
    ("administrative-appeal", "xiaofang", "defendant_agent", {}, {}),
    ("administrative-appeal", "xiaofang", "plaintiff_agent", {}, {}),
    ("labour-arbitration", "fenjian", "plaintiff_agent", {}, {}),
    ("labour-arbitration", "fenjian", "defendant_agent", {}, {"attitude.defendant.settle": "是"}),
    ("retrial", "zaishen-huokuan", "plaintiff_agent", {}, {}),
    ("retrial", "zaishen-huokuan", "defendant_agent", {}, {"attitude.defendant.settle": "是"}),
    ("retrial", "zaishen-huokuan", "plaintiff_agent", {}, {"original.known": ""}),
    ("retrial", "zaishen-zhuangxiu", "plaintiff_agent", {}, {}),
    ("enforcement-objection", "chuzu-jichuang", "plaintiff_agent", {}, {}),
    ("enforcement-objection", "chaobiaodi", "defendant_agent", {}, {}),
)


def name_of(way: tuple[str, str, str, Mapping[str, str], Mapping[str, str]]) -> str:
    spec, case, target, options, fields = way
    return "-".join((spec, case, target.partition("_")[0], *options.values(), *fields.values()))


@lru_cache(maxsize=1)
def played(number: int) -> Game:
    spec, case, target, options, fields = WAYS[number]
    return play(case, target, options=options, fields=fields, spec=spec)


HEARINGS = ("hearing", "suit", "second_instance")  # of procedures other than the civil one


def ways_of(*specs: str) -> pytest.MarkDecorator:
    """Those of some procedures: all tests of a game, then those of the next."""
    numbers = [number for number, (spec, *_) in enumerate(WAYS) if spec in specs]
    return pytest.mark.parametrize("number", numbers, ids=lambda number: name_of(WAYS[number]), scope="module")


every_way = ways_of(*(spec for spec, *_ in WAYS))


@cache
def checklist(procedure: str) -> dict[str, dict[str, str]]:
    """Document -> point -> what it looks like, with what the procedure inherits."""
    opened = project(procedure).procedure
    assert opened is not None
    found: dict[str, dict[str, str]] = {}
    for name in (*reversed(opened.lineage), opened.name):
        found |= YAML(typ="base").load(LISTS / f"{name}.yaml")
    return found


@cache
def papers() -> dict[str, str]:
    """What no paper of a court or tribunal may have: fault -> what it looks like."""
    found: dict[str, str] = YAML(typ="base").load(LISTS / "papers.yaml")
    return found


def faults_of_papers(game: Game) -> Iterator[str]:
    for drafted in game.of(Drafted):
        if re.match(r"\S+(?:法院|委员会)\n", drafted.text):
            found = (fault for fault, form in papers().items() if re.search(form, drafted.text))
            yield from (f"{drafted.document}：{fault}" for fault in found)


@every_way
def test_a_document_has_all_that_one_of_its_kind_must_have(number: int) -> None:
    lacking = []
    for drafted in played(number).of(Drafted):
        points = checklist(WAYS[number][0])[drafted.document]
        for point, form in points.items():
            if (re.search(form, drafted.text) is None) is (point != "never"):
                lacking.append(f"{drafted.document}：{point}")
        assert drafted.missing == ()
    assert lacking + list(faults_of_papers(played(number))) == []


@every_way
def test_nobody_says_the_same_twice_and_nothing_is_oddly_spaced_or_called_by_its_identifier(number: int) -> None:
    spec, game = WAYS[number][0], played(number)
    assert [*said_twice(game), *odd_blanks(game)] == []
    assert raw_fields(spec, game) | raw_answers(spec, game) == set()


@ways_of("civil", "quexi", "xiaoe")
def test_each_question_to_a_lawyer_has_an_answer_of_its_own(number: int) -> None:
    talk = [event for event in played(number).of(Spoke) if event.place.startswith("LC/")]
    told = [sentence for one in talk if "lawyer" in one.person for sentence in re.split("另外，", one.text)[:1]]
    if WAYS[number][1] not in RECORDS:
        assert len(told) == len(set(told)) and not [one for one in told if "您的问题我记下了" in one]
        assert "lawyer" not in talk[-1].person and "再请教" not in talk[-2].text


@ways_of("xiaoe")
def test_a_judge_who_sits_alone_is_not_addressed_as_presiding(number: int) -> None:
    found = played(number)
    assert not [one.text for one in found.of(Spoke) if "审判长" in one.text]
    sent = [message.content for request in found.requests for message in request.messages]
    assert not [text for text in sent if "审判长" in text]


@every_way
def test_nothing_that_is_cited_is_wrong_or_unchecked(number: int) -> None:
    spec, case = WAYS[number][:2]
    assert unchecked(played(number), case, spec) == []


# ---- the operative part ----------------------------------------------------------------------------------------------


def ordered(game: Game) -> Iterator[str]:
    """The items of all operative parts that somebody is to perform."""
    for drafted in game.of(Drafted):
        if drafted.document in ("first_judgment", "final_judgment"):
            part = re.split(r"\n(?:如果未按|案件受理费|一审案件受理费)", drafted.text.partition("判决如下：")[2])[0]
            items = re.findall(r"^(?:[一二三四五六七八九十]+、)?(.+)[；。]$", part, re.MULTILINE)
            assert items, drafted.text
            yield from (item for item in items if not re.match("驳回|维持|撤销|确认", item))


@every_way
def test_what_is_ordered_says_who_what_and_by_when(number: int) -> None:
    game = played(number)
    names = _names(game)
    for item in ordered(game):
        if item.rstrip("。；").endswith("不作处理"):
            continue
        values = amounts(item)
        assert any(name in item for name in names), item
        assert any(isinstance(value, (Duration, Date)) for value in values), item
        if "元" in item:
            assert any(isinstance(value, (Money, Interest)) for value in values), item
        assert "待补充" not in item


def _names(game: Game) -> set[str]:
    judgment = next((drafted.text for drafted in game.of(Drafted) if drafted.document == "complaint"), "")
    return set(re.findall(r"^(?:原告|被告)：([^，\n。]+)", judgment, re.MULTILINE))


def interest_of(game: Game, document: str) -> Interest:
    text = next(drafted.text for drafted in game.of(Drafted) if drafted.document == document)
    part = text.partition("判决如下：")[2]
    return next(value for value in amounts(part) if isinstance(value, Interest))


def test_the_sums_of_the_loan_are_those_of_the_sealed_reference() -> None:
    """937,569.91 and 912,886.87, as the reference of the case has them; no actor is ever shown it."""
    game = play("jiedai")
    for document, principal, since in (
        ("first_judgment", "937569.91", "2022-09-13"),
        ("final_judgment", "912886.87", "2022-11-16"),
    ):
        text = next(drafted.text for drafted in game.of(Drafted) if drafted.document == document)
        assert f"借款本金{principal}元" in text.partition("判决如下：")[2]
        interest = interest_of(game, document)
        assert interest.base is not None and str(interest.base.amount) == principal
        assert isinstance(interest.since, Date) and interest.since.iso == since


@pytest.mark.parametrize("case", ["jiedai", "laodong", "wuye"])
def test_judgments_are_pronounced_with_the_notice_of_appeal(case: str) -> None:
    game = play(case, fields={"goal.defendant.settle": "否"})
    (words,) = game.of(Spoke, "FIT/judgment/pronounce")
    assert "判决如下" in words.text and "十五日内" in words.text and "上诉于" in words.text


# ---- how the offline actors speak ------------------------------------------------------------------------------------


@every_way
def test_nobody_says_a_sentence_twice_in_one_hearing(number: int) -> None:
    game = played(number)
    for stage in ("FIT", "SIT", *HEARINGS):
        said: dict[str, set[str]] = {}
        for event in game.of(Spoke, stage):
            if event.act in ("state", "reply", "respond", "answer") and "/mediation/" not in event.place:
                sentences = {one for one in re.split(r"[。；]", event.text.removeprefix("审判长，")) if len(one) > 14}
                twice = sentences & said.setdefault(event.person, set())
                assert not twice, (event.place, twice)
                said[event.person] |= sentences


@every_way
def test_nobody_reads_a_gap_of_the_case_aloud(number: int) -> None:
    said = [event.text for stage in ("FIT", "SIT", *HEARINGS) for event in played(number).of(Spoke, stage)]
    assert [text for text in said if re.search("证明目的待补充|原因待补充|得出“对方的主张”", text)] == []


# ---- who appeals -----------------------------------------------------------------------------------------------------


def test_whoever_has_lost_nothing_does_not_appeal() -> None:
    game = play("jiedai")
    assert not [one for one in game.of(Drafted) if one.document == "appeal_petition" and one.side == "plaintiff"]
    assert [one for one in game.of(Drafted) if one.document == "appeal_petition" and one.side == "defendant"]


def test_where_all_is_dismissed_the_plaintiff_alone_appeals() -> None:
    game = play("laodong", script=answering(decision="不予支持"))
    assert {one.side for one in game.of(Drafted) if one.document == "appeal_petition"} == {"plaintiff"}


def paper(game: Game, name: str, side: str = "") -> str:
    return next(one.text for one in game.of(Drafted) if one.document == name and side in ("", one.side))


def test_one_of_two_defendants_appeals_for_himself() -> None:
    game = play("jiedai", "plaintiff_lawyer", options={"appeal_by": "case"}, fields={"appellants": "郑若虹"})
    petition, answer = paper(game, "appeal_petition"), paper(game, "appeal_defence")
    assert "上诉人（原审被告）：郑若虹" in petition and "\n原审被告：云汀餐饮管理有限公司" in petition
    assert "虚构号码0003" not in petition
    assert "就上诉人郑若虹不服" in answer and "副本2份" in answer


def test_a_joined_case_is_named_in_both_instances() -> None:
    game = play("laodong")
    for name in ("first_judgment", "appeal_petition", "appeal_defence", "final_judgment"):
        assert "（2025）虚0106民初3004号" in paper(game, name)


def test_prepaid_interest_is_cited_only_where_somebody_prepaid() -> None:
    assert "第二十六条" in paper(play("jiedai"), "first_judgment")
    assert "第二十六条" not in paper(play("legalworld-sample.json#3", "plaintiff_lawyer"), "first_judgment")


@pytest.mark.parametrize(("number", "fee"), [(1, "2068"), (2, "2171.50"), (4, "1940")])
def test_the_fee_is_that_of_the_real_judgment(number: int, fee: str) -> None:
    """The sums stand in the prose of the claims alone."""
    assert f"案件受理费{fee}元" in paper(play(f"legalworld-sample.json#{number}", "plaintiff_lawyer"), "first_judgment")


def test_a_settlement_is_less_than_all_that_was_asked_for() -> None:
    """Where the record says no offers: the contractual penalty is given up in the second round."""
    willing = {"goal.plaintiff.settle": "是", "goal.defendant.settle": "是"}
    settled = paper(play("legalworld-sample.json#1", "plaintiff_lawyer", fields=willing), "mediation_record")
    terms = settled.partition("达成如下协议")[2]
    assert "支付货款86400元；" in terms
    assert "江澜市远筝家具有限公司放弃其余诉讼请求；" in terms
    assert "4320元" not in terms


def test_the_testimony_of_a_witness_who_did_not_come_is_not_admitted() -> None:
    """民事证据规定第六十八条第三款。"""
    judgment = paper(play("legalworld-sample.json#5", "plaintiff_lawyer"), "first_judgment")
    assert re.search("书面证言[^\n]*不得作为认定案件事实的根据[^\n]*不予采信", judgment)


def test_a_challenge_that_is_granted_ends_the_hearing() -> None:
    game = play("jiedai", script=answering(recusal="是", recused="是"))
    assert game.of(Ended)[0].outcome == "recused"


@pytest.mark.parametrize(
    ("case", "fee"), [("wuye", r"元，减半收取"), ("laodong", r"案件受理费10元，减半收取5元，由被告")]
)
def test_the_fee_of_a_simple_procedure_is_halved_and_what_the_sides_bear_is_the_half(case: str, fee: str) -> None:
    """诉讼费用交纳办法第十六条。"""
    simple = {"goal.defendant.settle": "否", "docket.procedure": "简易程序"}
    papers = play(case, "plaintiff_lawyer", fields=simple).of(Drafted)
    judgment = next(one.text for one in papers if one.document == "first_judgment")
    assert fee in judgment
    for whole, half, borne in re.findall(r"案件受理费([\d.]+)元，各?减半收取([\d.]+)元，(.*)", judgment):
        shares = [float(share) for share in re.findall(r"负担([\d.]+)元", borne)]
        assert float(half) == float(whole) / 2
        assert not shares or abs(sum(shares) - float(half)) < 0.01
