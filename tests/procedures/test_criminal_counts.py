"""Several counts, several accused, relatives of the dead: what a criminal judgment must get right beyond one count.

The cases are in `unseen`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from playing import Game, changed_case, play

from legalworld.law.text.verdicts import verdict
from legalworld.model import events as e

UNSEEN = Path(__file__).parent / "unseen"


@cache
def game(case: str) -> Game:
    return play(str(UNSEEN / f"{case}.yaml"), "judge", spec=case.partition("/")[0])


def paper(case: str, document: str) -> str:
    return next(one.text for one in game(case).of(e.Drafted) if one.document == document)


def operative(case: str, document: str) -> str:
    return paper(case, document).partition("判决如下：")[2]


COUNTS = "criminal-appeal/zulin"


def test_each_count_has_its_sentence_and_the_whole_what_is_executed() -> None:
    said = operative(COUNTS, "criminal_judgment")
    assert "程牧犯诈骗罪，判处有期徒刑三年，并处罚金人民币三万元；犯伪造公司印章罪，判处有期徒刑九个月" in said
    assert "；决定执行有期徒刑三年六个月，并处罚金人民币三万五千元。" in said and "至2028年10月6日止" in said
    assert "第六十九条" in paper(COUNTS, "criminal_judgment")
    read = {one.who: one for one in verdict(paper(COUNTS, "criminal_judgment")).defendants}
    assert [count.charge for count in read["程牧"].counts if count.charge] == ["诈骗罪", "伪造公司印章罪"]
    assert read["程牧"].final.months == 42


def test_the_recommendation_names_the_count_of_each_punishment() -> None:
    for text in (paper(COUNTS, "indictment"), paper(COUNTS, "criminal_judgment")):
        assert "程牧犯伪造公司印章罪判处有期徒刑九个月" in text and "程牧数罪并罚，决定执行有期徒刑三年六个月" in text
        assert "判处决定执行" not in text


def test_two_charges_with_one_recommendation_have_a_sentence_each(tmp_path: Path) -> None:
    def one_recommendation(data: Any) -> None:
        first = data["first"]
        first["indictment"]["recommendation"] = first["indictment"]["recommendation"][2:]
        for one in first["prosecution"]["evidence"]:
            if "86000" in str(one.get("says")):  # between two sums that provinces choose the sentence would be open
                one["says"] = {"value": {"amount": 120000, "of": "程牧"}}

    case = changed_case(tmp_path, str(UNSEEN / COUNTS), one_recommendation)
    found = play(case, "judge", spec="criminal")
    said = next(one.text for one in found.of(e.Drafted) if one.document == "criminal_judgment")
    convicted = {one.who: one for one in verdict(said).defendants}["程牧"]
    terms = [count.sentence.months for count in convicted.counts if count.charge and count.sentence]
    assert len(terms) == 2 and None not in terms and convicted.final.months is not None
    assert max(one for one in terms if one) <= convicted.final.months <= sum(one for one in terms if one)


def test_on_appeal_only_the_sentence_that_changes_is_given_anew() -> None:
    said = operative(COUNTS, "appeal_judgment")
    assert (
        "一、维持" in said and "二、撤销" in said and "三、上诉人（原审被告人）程牧犯诈骗罪，判处有期徒刑三年" in said
    )
    assert "舒岚" not in said
    assert "第七十二条" not in paper(COUNTS, "appeal_judgment").partition("原判定罪准确")[2]  # the other's probation


def test_new_evidence_is_examined_at_a_hearing() -> None:
    assert [one.person for one in game(COUNTS).of(e.Spoke, "second_instance/inquiry") if "上证1" in one.text]


def test_who_is_acquitted_has_his_alibi_accepted_and_is_released() -> None:
    case = "criminal/zhengdang"
    text = paper(case, "criminal_judgment")
    (answer,) = [line for line in text.splitlines() if line.startswith("关于宫野是否在现场。")]
    assert answer.endswith("该意见成立，予以采纳。")
    assert "主犯" not in text  # of one alone
    assert "宣判后立即释放" in next(one.text for one in game(case).of(e.Spoke, "judgment") if "宣告判决" in one.text)
    (doubted,) = [
        one.text for one in game(case).of(e.Spoke, "evidence") if one.person == "victim" and one.act == "answer"
    ][:1]
    assert "有异议" in doubted
    assert [one for one in game(case).of(e.Spoke, "investigation") if "凭什么认出宫野" in one.text]


def test_relatives_of_the_dead_are_not_called_the_victim_and_read_their_paper_once() -> None:
    case = "criminal/jiaotong"
    text = paper(case, "joint_judgment")
    assert "附带民事诉讼原告人关月，女，1972年1月5日出生" in text and "系被害人吕安的妻子。" in text
    assert "系本案被害人" not in text
    assert "被害人近亲属（附带民事诉讼原告人）关月" in {one.speaker for one in game(case).of(e.Spoke)}
    read = [one.person for one in game(case).of(e.Spoke) if "现在宣读附带民事起诉状" in one.text]
    assert read == ["victim-1"]


def test_both_to_blame_for_an_accident_share_the_loss_and_its_law_is_cited() -> None:
    text = paper("criminal/jiaotong", "joint_judgment")
    assert "丧葬费人民币33600元、死亡赔偿金人民币686000元，合计人民币719600元，扣除已经支付的人民币30000元" in text
    for law in (
        "《中华人民共和国道路交通安全法》第七十六条第一款",
        "第一百九十二条第一款、第三款",
        "第一千一百七十九条",
    ):
        assert law in text


def test_probation_that_is_not_given_is_not_said_to_be_granted() -> None:
    text = paper("criminal/jiaotong", "joint_judgment")
    (answer,) = [line for line in text.splitlines() if line.startswith("关于能否宣告缓刑。")]
    assert answer.endswith("该意见不予采纳。") and "缓刑" not in operative("criminal/jiaotong", "joint_judgment")


def test_an_answer_that_ends_with_a_full_stop_gets_no_other() -> None:
    for case in ("criminal/zhengdang", COUNTS):
        assert not [one.text for one in game(case).of(e.Spoke) if "。。" in one.text or "。；" in one.text]
