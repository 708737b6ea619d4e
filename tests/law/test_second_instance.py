"""Judgments of second instance: what is given counts, what is set aside does not, however the two are put together."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest

from legalworld.law.text.punishments import UPHELD_UNSAID
from legalworld.law.text.verdicts import verdict

FIRST = "（2022）虚0105刑初10号刑事判决"
NAMES = ("林启川", "王某", "郑若虹甲")
OLD = ("判处有期徒刑三年，并处罚金人民币五千元", "判处有期徒刑四年六个月，缓刑五年", "判处拘役五个月，罚金八百元")
# The words, and (months, probation, fine) of them.
NEW = {
    "判处有期徒刑一年": (12, None, None),
    "判处有期徒刑一年六个月，缓刑二年": (18, 24, None),
    "判处有期徒刑二年，并处罚金人民币三千元": (24, None, 3000),
    "判处拘役四个月，缓刑六个月，并处罚金人民币一千元": (4, 6, 1000),
}
# {first}: the judgment that is changed; {who}, {old}, {new}; each has one decision, and it is {new}.
CHANGED = (
    "一、撤销{first}；二、上诉人（原审被告人）{who}犯盗窃罪，{new}。",
    "一、撤销{first}第一项；二、上诉人{who}犯盗窃罪，{new}。",
    "撤销{first}，改判上诉人{who}犯盗窃罪，{new}。",
    "撤销{first}第一项，改判{who}犯盗窃罪，{new}。",
    "撤销{first}对上诉人{who}的量刑部分，上诉人{who}犯盗窃罪，{new}。",
    "一、撤销{first}第一项，即被告人{who}犯盗窃罪，{old}；二、上诉人{who}犯盗窃罪，{new}。",
    "一、撤销{first}第一项，即：被告人{who}犯盗窃罪，{old}；二、原审被告人{who}犯盗窃罪，{new}。",
    "一、撤销{first}第一项中对被告人{who}犯盗窃罪，{old}的部分；二、上诉人{who}犯盗窃罪，{new}。",
    "一、维持{first}第一项中对被告人{who}的定罪部分；二、撤销该项的量刑部分，即{old}；三、上诉人{who}犯盗窃罪，{new}。",
    "一、维持{first}第一项对被告人{who}犯盗窃罪的定罪部分，撤销量刑部分；二、上诉人{who}犯盗窃罪，{new}。",
    "变更{first}第一项为：被告人{who}犯盗窃罪，{new}。",
    "一、撤销{first}第一项，即被告人{who}犯盗窃罪，{old}；被告人宋雁鸣犯盗窃罪，判处有期徒刑九年。二、上诉人{who}犯盗窃罪，{new}。",
    "一、撤销{first}；二、认定上诉人{who}构成盗窃罪，{new}。",
    "一、撤销{first}；二、上诉人{who}的行为构成盗窃罪，{new}。",
)


@pytest.mark.parametrize("change", CHANGED)
def test_what_is_given_counts_and_what_is_set_aside_does_not(change: str) -> None:
    for who, old, (new, punishment) in itertools.product(NAMES, OLD, NEW.items()):
        text = "判决如下：" + change.format(first=FIRST, who=who, old=old, new=new)
        (person,) = verdict(text).defendants
        final = person.final
        fine = None if punishment[2] is None else Decimal(punishment[2])
        assert (final.months, final.probation_months, final.fine) == (*punishment[:2], fine), text
        assert person.who == who, text
        assert [count.charge for count in person.counts] == ["盗窃罪"], text


# Who is named, with the punishment alone.
ALONE = {
    "撤销{first}对上诉人{who}的量刑部分，对上诉人{who}改判有期徒刑一年。": (12, None),
    "撤销{first}第一项，改判{who}缓刑，即{who}犯盗窃罪，判处有期徒刑一年，缓刑二年。": (12, 24),
    "撤销{first}对上诉人{who}判处有期徒刑三年的部分，改判有期徒刑一年。": (12, None),
    "将{first}对上诉人{who}判处的有期徒刑三年改判为有期徒刑一年。": (12, None),
    "撤销{first}，以盗窃罪判处上诉人{who}有期徒刑一年。": (12, None),
    "撤销{first}，对上诉人{who}判处有期徒刑一年，缓刑一年。": (12, 12),
}


@pytest.mark.parametrize("change", ALONE)
@pytest.mark.parametrize("who", NAMES)
def test_a_punishment_changed_alone(change: str, who: str) -> None:
    (person,) = verdict("判决如下：" + change.format(first=FIRST, who=who)).defendants
    assert (person.who, person.final.months, person.final.probation_months) == (who, *ALONE[change])


@pytest.mark.parametrize("who", NAMES)
def test_acquitted_in_place_of_a_sentence(who: str) -> None:
    for words in (f"撤销{FIRST}，宣告上诉人{who}无罪。", f"一、撤销{FIRST}；二、上诉人{who}无罪。"):
        (person,) = verdict(f"判决如下：{words}").defendants
        assert (person.who, person.final.penalty) == (who, "无罪")


@pytest.mark.parametrize("words", ["驳回上诉，维持原判。", f"撤销{FIRST}，发回江澜市青塘区人民法院重新审判。"])
def test_nothing_is_imposed(words: str) -> None:
    assert verdict(f"裁定如下：{words}").defendants == ()


@pytest.mark.parametrize(
    ("kept", "fine", "warned"),
    [
        ("维持对被告人林启川的定罪及并处罚金部分，撤销主刑部分", None, True),
        ("维持对被告人林启川的定罪及附加刑部分，撤销主刑部分", None, True),
        ("维持对被告人林启川犯盗窃罪的定罪和并处罚金人民币五千元部分，撤销对其判处有期徒刑三年部分", 5000, False),
        ("维持对被告人林启川的定罪部分，撤销量刑部分", None, False),
    ],
)
def test_a_fine_that_is_upheld(kept: str, fine: int | None, warned: bool) -> None:
    """The sum where the text states it; where it does not, nobody is told that there is none."""
    (person,) = verdict(f"判决如下：一、{kept}；二、上诉人林启川犯盗窃罪，判处有期徒刑一年。").defendants
    assert person.final.months == 12
    assert person.final.fine == fine
    assert (UPHELD_UNSAID in person.warnings) == warned


SUSPENDED = (
    "死刑，缓期二年执行", "死刑、缓期二年执行", "死刑缓期两年执行",
    "死刑，缓期执行二年", "死刑（缓期二年执行）", "死刑(缓期2年执行)",
    "死刑（缓刑二年）", "死刑（缓期二年）", "死刑（缓期二年）执行",
    "死刑（死缓）", "死刑（缓期执行）", "死刑缓期执行",
    "死缓", "死刑（宣告缓期二年执行）", "死刑，同时宣告缓期二年执行",
    "死刑，并宣告缓期二年执行", "死刑 （ 缓期 二年 执行 ）", "死刑[缓期二年执行]",
    "死刑，剥夺政治权利终身，缓期二年执行",
)  # fmt: skip
EXECUTED = ("死刑", "死刑（立即执行）", "死刑，立即执行", "死刑（依法报请最高人民法院核准）")


@pytest.mark.parametrize("words", [*SUSPENDED, *EXECUTED])
@pytest.mark.parametrize("rest", ["，剥夺政治权利终身。", "，剥夺政治权利终身，并处没收个人全部财产；", "。"])
def test_death_and_its_suspension(words: str, rest: str) -> None:
    (person,) = verdict(f"判决如下：被告人林启川犯故意杀人罪，判处{words}{rest}").defendants
    final = person.final
    assert final.penalty == ("死缓" if words in SUSPENDED else "死刑")
    assert (final.months, final.probation_months) == (None, None)


@pytest.mark.parametrize(
    "words",
    [
        "被告人{who}的行为构成{crime}，判处",
        "被告人{who}构成{crime}，判处",
        "认定被告人{who}构成{crime}，判处",
        "被告人{who}犯{crime}，判处",
    ],
)
@pytest.mark.parametrize("crime", ["贪污罪", "帮助信息网络犯罪活动罪", "盗窃罪"])
def test_guilty_of_in_any_words(words: str, crime: str) -> None:
    for who in NAMES:
        (person,) = verdict(f"判决如下：{words.format(who=who, crime=crime)}有期徒刑三年。").defendants
        assert (person.who, [one.charge for one in person.counts], person.final.months) == (who, [crime], 36)


def test_what_does_not_constitute_a_crime_is_none() -> None:
    text = "判决如下：被告人林启川的行为不构成贪污罪，犯挪用公款罪，判处有期徒刑三年。"
    (person,) = verdict(text).defendants
    assert [one.charge for one in person.counts] == ["挪用公款罪"]
